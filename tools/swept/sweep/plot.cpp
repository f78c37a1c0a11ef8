// SPDX-License-Identifier: Apache-2.0
// Axes, points, lines and fields of colours.
#include "tools/swept/sweep/plot.h"

#include "tools/swept/sweep/axis.h"
#include "tools/swept/sweep/canvas.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace swept::cli {

namespace {

constexpr double width = 800, height = 560;
constexpr double left = 95, top = 55, bottom = 485;
constexpr double right_alone = 765, right_of_field = 660;
constexpr double bar_left = 690, bar_width = 22;
constexpr double text_size = 15;
constexpr Colour ink{40, 40, 40}, faint{225, 225, 225}, missing{200, 200, 200};
constexpr Colour point_colour{120, 160, 200}, line_colour{25, 85, 155};

const Column& column_of(const Table& table, const std::string& name) {
  return *std::find_if(table.columns.begin(), table.columns.end(),
                       [&](const Column& column) { return column.name == name; });
}

std::string title_of(const Column& column) {
  return column.name + (column.unit.empty() ? "" : fmt::format(" [{}]", column.unit));
}

/// Smallest and largest of the numbers that are finite.
std::pair<double, double> range_of(const std::vector<double>& numbers) {
  double low = INFINITY, high = -INFINITY;
  for (const double number : numbers) {
    if (std::isfinite(number)) {
      low = std::min(low, number);
      high = std::max(high, number);
    }
  }
  if (!(low <= high)) {
    throw Error("there is nothing to plot: no row has a finite number",
                "choose another measure by --plot-columns");
  }
  return {low, high};
}

// dark blue over green to yellow, evenly brighter; part in [0, 1]
Colour colour_of(double part) {
  constexpr std::array<std::array<double, 3>, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(part, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double f = at - static_cast<double>(i);
  const auto mix = [&](std::size_t k) {
    return static_cast<std::uint8_t>(
        std::lround(stops[i][k] + f * (stops[i + 1][k] - stops[i][k])));
  };
  return {mix(0), mix(1), mix(2)};
}

void draw_x_axis(Canvas& canvas, const Axis& axis, const std::string& title, double right) {
  for (const double tick : axis.ticks()) {
    const double x = axis.place(tick);
    canvas.line({{x, bottom}, {x, bottom + 5}}, 1, ink);
    canvas.text({x, bottom + 22}, tick_text(tick), text_size, Anchor::middle, ink);
  }
  canvas.text({(left + right) / 2, bottom + 52}, title, text_size + 2, Anchor::middle, ink);
}

void draw_y_axis(Canvas& canvas, const Axis& axis, const std::string& title) {
  for (const double tick : axis.ticks()) {
    const double y = axis.place(tick);
    canvas.line({{left - 5, y}, {left, y}}, 1, ink);
    canvas.text({left - 9, y + 5}, tick_text(tick), text_size, Anchor::end, ink);
  }
  canvas.text({28, (top + bottom) / 2}, title, text_size + 2, Anchor::middle, ink, true);
}

void draw_frame(Canvas& canvas, double right) {
  canvas.line({{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, 1.2, ink);
}

// a measure over one parameter
void draw_curve(Canvas& canvas, const Column& x, const Column& value, const PlotAxis& choice) {
  const auto [x_low, x_high] = range_of(x.numbers);
  const auto [low, high] = range_of(value.numbers);
  const double room = 0.04 * (high - low);
  const Axis across(x_low, x_high, left + 12, right_alone - 12, choice.log);
  const Axis up(low - room, high + room, bottom, top, false);
  for (const double tick : up.ticks()) {
    canvas.line({{left, up.place(tick)}, {right_alone, up.place(tick)}}, 0.8, faint);
  }
  std::map<double, std::pair<double, int>> sums;  // by x
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    if (std::isfinite(value.numbers[i])) {
      canvas.circle({across.place(x.numbers[i]), up.place(value.numbers[i])}, 2.5, point_colour);
      auto& [sum, count] = sums[x.numbers[i]];
      sum += value.numbers[i];
      ++count;
    }
  }
  if (!choice.drawn) {
    std::vector<Point> means;
    for (const auto& [at, sum] : sums) {
      means.push_back({across.place(at), up.place(sum.first / sum.second)});
    }
    canvas.line(means, 2, line_colour);
  }
  draw_frame(canvas, right_alone);
  draw_x_axis(canvas, across, title_of(x), right_alone);
  draw_y_axis(canvas, up, title_of(value));
}

/// Where cells around sorted numbers begin and end: halfway to the neighbours.
std::vector<double> edges_of(const std::set<double>& numbers, bool log) {
  std::vector<double> at;
  for (const double number : numbers) {
    at.push_back(log ? std::log(number) : number);
  }
  std::vector<double> edges;
  const double first = at.size() > 1 ? at[1] - at[0] : log ? 1 : std::max(1.0, std::abs(at[0]));
  const double last = at.size() > 1 ? at.back() - at[at.size() - 2] : first;
  edges.push_back(at.front() - first / 2);
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    edges.push_back((at[i] + at[i + 1]) / 2);
  }
  edges.push_back(at.back() + last / 2);
  if (log) {
    std::transform(edges.begin(), edges.end(), edges.begin(), [](double x) { return std::exp(x); });
  }
  return edges;
}

// numbers of a table at the points of a grid: mean over rows
using Means = std::map<std::pair<double, double>, std::pair<double, int>>;

Means means_of(const Column& x, const Column& y, const Column& value) {
  Means means;
  for (std::size_t i = 0; i < x.numbers.size(); ++i) {
    if (std::isfinite(value.numbers[i])) {
      auto& [sum, count] = means[{x.numbers[i], y.numbers[i]}];
      sum += value.numbers[i];
      ++count;
    }
  }
  for (auto& [place, mean] : means) {
    mean.first /= mean.second;
  }
  return means;
}

void draw_bar(Canvas& canvas, double low, double high, const std::string& title) {
  const Axis up(low, high, bottom, top, false);
  constexpr int steps = 200;
  const double part = (bottom - top) / steps;
  for (int i = 0; i < steps; ++i) {
    canvas.rectangle({bar_left, bottom - (i + 1) * part}, bar_width, part,
                     colour_of((i + 0.5) / steps));
  }
  for (const double tick : up.ticks()) {
    const double y = up.place(tick);
    canvas.line({{bar_left + bar_width, y}, {bar_left + bar_width + 5, y}}, 1, ink);
    canvas.text({bar_left + bar_width + 9, y + 5}, tick_text(tick), text_size, Anchor::start, ink);
  }
  canvas.text({width - 25, top - 20}, title, text_size + 2, Anchor::end, ink);
}

// a measure over two parameters
void draw_field(Canvas& canvas, const Column& x, const Column& y, const Column& value,
                const PlotChoice& choice) {
  const Means means = means_of(x, y, value);
  std::vector<double> numbers;
  for (const auto& [place, mean] : means) {
    numbers.push_back(mean.first);
  }
  const auto [low, high] = range_of(numbers);
  const auto colour = [&](double number) {
    return colour_of(high > low ? (number - low) / (high - low) : 0.5);
  };
  if (choice.x.drawn || choice.y.drawn) {
    const auto [x_low, x_high] = range_of(x.numbers);
    const auto [y_low, y_high] = range_of(y.numbers);
    const Axis across(x_low, x_high, left + 12, right_of_field - 12, choice.x.log);
    const Axis up(y_low, y_high, bottom - 12, top + 12, choice.y.log);
    for (const auto& [place, mean] : means) {
      canvas.circle({across.place(place.first), up.place(place.second)}, 3.5, colour(mean.first));
    }
    draw_x_axis(canvas, across, title_of(x), right_of_field);
    draw_y_axis(canvas, up, title_of(y));
  } else {
    const std::set<double> xs(x.numbers.begin(), x.numbers.end());
    const std::set<double> ys(y.numbers.begin(), y.numbers.end());
    const std::vector<double> x_edges = edges_of(xs, choice.x.log);
    const std::vector<double> y_edges = edges_of(ys, choice.y.log);
    const Axis across(x_edges.front(), x_edges.back(), left, right_of_field, choice.x.log);
    const Axis up(y_edges.front(), y_edges.back(), bottom, top, choice.y.log);
    std::size_t i = 0;
    for (const double at_x : xs) {
      std::size_t j = 0;
      for (const double at_y : ys) {
        const auto found = means.find({at_x, at_y});
        const double begin = across.place(x_edges[i]), end = across.place(x_edges[i + 1]);
        const double low_edge = up.place(y_edges[j]), high_edge = up.place(y_edges[j + 1]);
        canvas.rectangle({begin, high_edge}, end - begin, low_edge - high_edge,
                         found == means.end() ? missing : colour(found->second.first));
        ++j;
      }
      ++i;
    }
    draw_x_axis(canvas, across, title_of(x), right_of_field);
    draw_y_axis(canvas, up, title_of(y));
  }
  draw_frame(canvas, right_of_field);
  draw_bar(canvas, low, high, title_of(value));
}

// the index of a name, with an error that lists what there is
template <class Items>
std::size_t find_name(const Items& items, const std::string& name, const char* kind) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    if (item.name == name) {
      return names.size();
    }
    names.push_back(item.name);
  }
  throw Error(fmt::format("--plot-columns: there is no {} '{}'", kind, name),
              fmt::format("use {}", fmt::join(names, ", ")));
}

}  // namespace

PlotChoice choose_plot(const SweepOptions& options, const Plan& plan) {
  if (!options.plot.empty()) {
    const std::string suffix = std::filesystem::path(options.plot).extension().string();
    if (suffix != ".svg" && suffix != ".png") {
      throw Error(fmt::format("--plot: '{}' is neither .svg nor .png", options.plot),
                  "give it one of these endings");
    }
  }
  std::vector<std::string> names = options.plot_columns;
  if (names.empty()) {
    names = {plan.measures[0].name, plan.parameters[0].name};
    if (plan.parameters.size() > 1) {
      names.push_back(plan.parameters[1].name);
    }
  }
  if (names.size() < 2 || names.size() > 3) {
    throw Error(fmt::format("--plot-columns: {} names are given", names.size()),
                "give a measure, then one parameter or two, as in distance,friction,slope");
  }
  const auto axis = [&](const std::string& name) {
    const Parameter& parameter = plan.parameters[find_name(plan.parameters, name, "parameter")];
    return PlotAxis{name, parameter.log, parameter.drawn()};
  };
  PlotChoice choice{
      plan.measures[find_name(plan.measures, names[0], "measure")].name, axis(names[1]), {}};
  if (names.size() == 3) {
    choice.y = axis(names[2]);
  }
  return choice;
}

void plot(const Table& table, const PlotChoice& choice, const std::filesystem::path& path) {
  const auto canvas = path.extension() == ".svg" ? make_svg_canvas(width, height)
                                                 : make_png_canvas(width, height, 2);
  const Column& x = column_of(table, choice.x.name);
  const Column& value = column_of(table, choice.measure);
  if (choice.y.name.empty()) {
    draw_curve(*canvas, x, value, choice.x);
  } else {
    draw_field(*canvas, x, column_of(table, choice.y.name), value, choice);
  }
  canvas->save(path);
}

}  // namespace swept::cli
