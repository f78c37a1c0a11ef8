// SPDX-License-Identifier: Apache-2.0
// Plots: what is drawn is where the numbers are, in both formats.
#include "tools/swept/sweep/plot.h"
#include "cli/sweep/support.h"
#include "tools/swept/sweep/axis.h"
#include "tools/swept/sweep/stroke_font.h"

#include <swept/error.h>

#include <gtest/gtest.h>
#include <lodepng.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace swept::cli {
namespace {

using test::fresh;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// a table of a grid: z = x + 10 y, and one number that is none
Table grid() {
  Table table{"x",
              {{"x", "m", "", false, {}}, {"y", "s", "", false, {}}, {"z", "N", "", false, {}}}};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) {
      table.columns[0].numbers.push_back(i);
      table.columns[1].numbers.push_back(0.5 * j);
      table.columns[2].numbers.push_back(i == 2 && j == 1 ? nan : i + 5 * j);
    }
  }
  return table;
}

pugi::xml_document parse_svg(const std::string& path) {
  pugi::xml_document svg;
  const auto result = svg.load_file(path.c_str());
  EXPECT_TRUE(result) << result.description();
  return svg;
}

std::vector<std::string> texts_of(const pugi::xml_document& svg) {
  std::vector<std::string> texts;
  for (const pugi::xml_node node : svg.child("svg").children("text")) {
    texts.emplace_back(node.text().get());
  }
  return texts;
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

struct Picture {
  std::vector<unsigned char> rgba;
  unsigned width = 0, height = 0;
  std::string at(double x, double y) const {  // points of the picture, two pixels each
    const auto p = 4 * (static_cast<std::size_t>(2 * y) * width + static_cast<std::size_t>(2 * x));
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", rgba[p], rgba[p + 1], rgba[p + 2]);
    return text;
  }
};

Picture read_png(const std::string& path) {
  Picture picture;
  EXPECT_EQ(lodepng::decode(picture.rgba, picture.width, picture.height, path), 0u);
  return picture;
}

TEST(Plot, ACurveHasAPointForEveryRowAndALineThroughTheMeans) {
  const std::string path = fresh("curve.svg");
  plot(grid(), {"z", {"x", false, false}, {}}, path);
  const pugi::xml_document svg = parse_svg(path);
  std::vector<std::pair<double, double>> points;
  for (const pugi::xml_node node : svg.child("svg").children("circle")) {
    points.emplace_back(node.attribute("cx").as_double(), node.attribute("cy").as_double());
  }
  EXPECT_EQ(points.size(), 19u) << "20 rows, one of which has no number";
  // the same x at the same place; larger z above
  std::set<double> places;
  for (const auto& point : points) {
    places.insert(point.first);
  }
  EXPECT_EQ(places.size(), 5u);
  EXPECT_GT(points.front().second, points.back().second);
  int lines_of_means = 0;
  for (const pugi::xml_node node : svg.child("svg").children("polyline")) {
    lines_of_means += std::string(node.attribute("stroke-width").value()) == "2" ? 1 : 0;
  }
  EXPECT_EQ(lines_of_means, 1);
  const std::vector<std::string> texts = texts_of(svg);
  EXPECT_TRUE(holds(texts, "x [m]"));
  EXPECT_TRUE(holds(texts, "z [N]"));
  EXPECT_TRUE(holds(texts, "4"));
}

TEST(Plot, AFieldHasARectangleForEveryPlaceAndGreyWhereThereIsNoNumber) {
  const std::string path = fresh("field.svg");
  plot(grid(), {"z", {"x", false, false}, {"y", false, false}}, path);
  const pugi::xml_document svg = parse_svg(path);
  std::vector<pugi::xml_node> cells;
  int grey = 0;
  for (const pugi::xml_node node : svg.child("svg").children("rect")) {
    // neither the ground nor the bar of colours
    if (node.attribute("width").as_double() > 100 && node.attribute("width").as_double() < 200) {
      cells.push_back(node);
      grey += std::string(node.attribute("fill").value()) == "#c8c8c8" ? 1 : 0;
    }
  }
  ASSERT_EQ(cells.size(), 20u);
  EXPECT_EQ(grey, 1);

  // the same in pixels: the middle of every rectangle has its colour
  const std::string png = fresh("field.png");
  plot(grid(), {"z", {"x", false, false}, {"y", false, false}}, png);
  const Picture picture = read_png(png);
  EXPECT_EQ(picture.width, 1600u);
  std::set<std::string> colours;
  for (const pugi::xml_node cell : cells) {
    const double x = cell.attribute("x").as_double() + cell.attribute("width").as_double() / 2;
    const double y = cell.attribute("y").as_double() + cell.attribute("height").as_double() / 2;
    EXPECT_EQ(picture.at(x, y), cell.attribute("fill").value());
    colours.insert(picture.at(x, y));
  }
  EXPECT_EQ(colours.size(), 20u) << "every number has a colour of its own";
  EXPECT_EQ(picture.at(2, 2), "#ffffff");
}

TEST(Plot, DrawnParametersMakeColouredPoints) {
  const std::string path = fresh("points.svg");
  plot(grid(), {"z", {"x", false, true}, {"y", false, false}}, path);
  const pugi::xml_document svg = parse_svg(path);
  std::set<std::string> colours;
  int count = 0;
  for (const pugi::xml_node node : svg.child("svg").children("circle")) {
    colours.insert(node.attribute("fill").value());
    ++count;
  }
  EXPECT_EQ(count, 19);
  EXPECT_EQ(colours.size(), 19u);
}

TEST(Plot, NothingToDrawIsAnError) {
  Table table = grid();
  std::fill(table.columns[2].numbers.begin(), table.columns[2].numbers.end(), nan);
  EXPECT_THROW(plot(table, {"z", {"x", false, false}, {}}, fresh("none.svg")), Error);
  EXPECT_THROW(plot(grid(), {"z", {"x", false, false}, {}}, "/no/such/folder/a.svg"), Error);
  EXPECT_THROW(plot(grid(), {"z", {"x", false, false}, {}}, "/no/such/folder/a.png"), Error);
}

TEST(Plot, OneValueOfAParameterIsDrawnToo) {
  Table table = grid();
  for (Column& column : table.columns) {
    column.numbers.resize(1);
  }
  EXPECT_NO_THROW(plot(table, {"z", {"x", false, false}, {}}, fresh("single.svg")));
  EXPECT_NO_THROW(plot(table, {"z", {"x", false, false}, {"y", false, false}}, fresh("one.png")));
}

TEST(Axis, PlacesNumbersInProportion) {
  const Axis linear(2, 6, 100, 300, false), log(0.01, 100, 400, 0, true);
  EXPECT_NEAR(linear.place(2), 100, 1e-9);
  EXPECT_NEAR(linear.place(3), 150, 1e-9);
  EXPECT_NEAR(log.place(1), 200, 1e-9);
  EXPECT_NEAR(log.place(100), 0, 1e-9);
}

TEST(Axis, HasAFewRoundTicksInsideForAnyRange) {
  for (const bool log : {false, true}) {
    for (double low = 1e-6; low < 1e6; low *= 3.7) {
      for (const double ratio : {1.0, 1.003, 1.5, 7.0, 300.0, 1e5}) {
        const Axis axis(low, low * ratio, 0, 1, log);
        const std::vector<double> ticks = axis.ticks();
        ASSERT_GE(ticks.size(), 2u) << low << " " << ratio << " " << log;
        ASSERT_LE(ticks.size(), 18u) << low << " " << ratio << " " << log;
        for (const double tick : ticks) {
          EXPECT_GE(axis.place(tick), -1e-6);
          EXPECT_LE(axis.place(tick), 1 + 1e-6);
        }
      }
    }
  }
}

TEST(StrokeFont, DrawsEveryCharacterInItsHeightAndMovesOn) {
  std::set<std::vector<std::pair<double, double>>> shapes;
  for (char c = '!'; c <= '~'; ++c) {
    const Strokes strokes = strokes_of(std::string(1, c), 10);
    ASSERT_FALSE(strokes.lines.empty()) << c;
    std::vector<std::pair<double, double>> shape;
    for (const auto& line : strokes.lines) {
      ASSERT_FALSE(line.empty()) << c;
      for (const Point& point : line) {
        EXPECT_GE(point.x, 0) << c;
        EXPECT_LT(point.x, strokes.width) << c;
        EXPECT_GE(point.y, -2.41) << c;
        EXPECT_LE(point.y, 8.41) << c;
        shape.emplace_back(point.x, point.y);
      }
      shape.emplace_back(-1, -1);
    }
    shapes.insert(shape);
  }
  // O and 0 look the same
  EXPECT_EQ(shapes.size(), static_cast<std::size_t>('~' - '!'));
  EXPECT_EQ(strokes_of("ab", 10).width, strokes_of("a", 10).width + strokes_of("b", 10).width);
}

}  // namespace
}  // namespace swept::cli
