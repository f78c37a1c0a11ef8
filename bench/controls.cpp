// SPDX-License-Identifier: Apache-2.0
// Zero, random and recorded controls.
#include "bench/controls.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

namespace swept::bench {

namespace {

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

// one round of a 64-bit mixer in which every input bit reaches every output bit
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// rows(begin, end) on ranges of environments, shared by threads where that pays
template <class Rows>
void share(int nenv, int threads, const Rows& rows) {
  if (nenv < 256) {
    rows(0, nenv);
    return;
  }
  const int most = tbb::this_task_arena::max_concurrency();
  tbb::task_arena arena(threads > 0 ? std::min(threads, most) : most);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<int>(0, nenv, 64),
        [&](const tbb::blocked_range<int>& range) { rows(range.begin(), range.end()); });
  });
}

// gives both precisions of fill() from one number(env, index, step)
template <class Derived>
class ControlsOf : public Controls {
 public:
  void fill(std::int64_t step, int nenv, double* ctrl, std::int64_t stride,
            int threads) const override {
    fill_rows(step, nenv, ctrl, stride, threads);
  }
  void fill(std::int64_t step, int nenv, float* ctrl, std::int64_t stride,
            int threads) const override {
    fill_rows(step, nenv, ctrl, stride, threads);
  }

 private:
  template <class T>
  void fill_rows(std::int64_t step, int nenv, T* ctrl, std::int64_t stride, int threads) const {
    const Derived& self = static_cast<const Derived&>(*this);
    share(nenv, threads, [&](int begin, int end) {
      for (int env = begin; env < end; ++env) {
        for (int i = 0; i < self.nu(); ++i) {
          ctrl[env * stride + i] = static_cast<T>(self.number(env, i, step));
        }
      }
    });
  }
};

class Zero final : public ControlsOf<Zero> {
 public:
  explicit Zero(int nu) : nu_(nu) {}
  int nu() const { return nu_; }
  double number(int, int, std::int64_t) const { return 0; }
  std::int64_t unchanged_for(std::int64_t) const override { return forever; }

 private:
  int nu_;
};

class Random final : public ControlsOf<Random> {
 public:
  Random(const Model& model, std::uint64_t seed, int hold)
      : range_(control_range(model)), seed_(seed), hold_(std::max(1, hold)) {}
  int nu() const { return static_cast<int>(range_.low.size()); }
  double number(int env, int i, std::int64_t step) const {
    const double u =
        uniform(seed_, static_cast<std::uint64_t>(env), static_cast<std::uint64_t>(step / hold_),
                static_cast<std::uint64_t>(i));
    return range_.low[i] + (range_.high[i] - range_.low[i]) * u;
  }
  std::int64_t unchanged_for(std::int64_t step) const override {
    return nu() == 0 ? forever : hold_ - step % hold_;
  }

 private:
  ControlRange range_;
  std::uint64_t seed_;
  std::int64_t hold_;
};

class File final : public ControlsOf<File> {
 public:
  File(int nu, std::vector<double> numbers) : nu_(nu), numbers_(std::move(numbers)) {}
  int nu() const { return nu_; }
  double number(int, int i, std::int64_t step) const {
    return numbers_[static_cast<std::size_t>(std::min(step, rows() - 1) * nu_ + i)];
  }
  std::int64_t unchanged_for(std::int64_t step) const override {
    return step >= rows() - 1 ? forever : 1;
  }

 private:
  std::int64_t rows() const { return static_cast<std::int64_t>(numbers_.size()) / nu_; }
  int nu_;
  std::vector<double> numbers_;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

// appends the numbers of one line; returns how many
int parse_row(std::string_view line, const Place& place, std::vector<double>* numbers) {
  int count = 0;
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view cell = trim(line.substr(0, comma));
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
      throw Error(place, fmt::format("'{}' is not a finite number", cell),
                  "write one control per actuator, separated by commas");
    }
    numbers->push_back(value);
    ++count;
    if (comma == std::string_view::npos) {
      return count;
    }
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

ControlRange control_range(const Model& model) {
  ControlRange range{std::vector<double>(model.nu, -1.0), std::vector<double>(model.nu, 1.0)};
  for (int i = 0; i < model.nu; ++i) {
    if (model.actuator_ctrllimited[i]) {
      range.low[i] = model.actuator_ctrlrange[2 * i];
      range.high[i] = model.actuator_ctrlrange[2 * i + 1];
    }
  }
  return range;
}

double uniform(std::uint64_t seed, std::uint64_t env, std::uint64_t block, std::uint64_t index) {
  // each coordinate is hashed into what came before it
  const std::uint64_t bits = mix(mix(mix(mix(seed) ^ env) ^ block) ^ index);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::unique_ptr<Controls> zero_controls(const Model& model) {
  return std::make_unique<Zero>(model.nu);
}

std::unique_ptr<Controls> random_controls(const Model& model, std::uint64_t seed, int hold) {
  return std::make_unique<Random>(model, seed, hold);
}

std::unique_ptr<Controls> file_controls(const Model& model, const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(Place{path, 0, {}}, "the controls cannot be opened",
                "give --ctrl zero, random or a CSV file");
  }
  if (model.nu == 0) {
    throw Error(Place{path, 0, {}}, "the scene has no actuators, so there is nothing to control",
                "leave --ctrl out");
  }
  std::vector<double> numbers;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view row = trim(line);
    if (row.empty() || row.front() == '#') {
      continue;
    }
    const Place place{path, number, {}};
    const int count = parse_row(row, place, &numbers);
    if (count != model.nu) {
      throw Error(place, fmt::format("{} numbers, but the scene has {} actuators", count, model.nu),
                  "write one number per actuator in every row");
    }
  }
  if (numbers.empty()) {
    throw Error(Place{path, 0, {}}, "no row of controls in it",
                "write one row of numbers per step");
  }
  return std::make_unique<File>(model.nu, std::move(numbers));
}

void apply(const Controls& controls, Batch& batch, std::int64_t step) {
  const int nu = batch.model().nu;
  if (nu == 0) {
    return;
  }
  const FieldInfo info = batch.field_info("ctrl");
  const int threads = batch.options().threads;
  if (!info.on_device && info.scalar == Scalar::f32) {
    controls.fill(step, batch.nenv(), static_cast<float*>(info.data), info.stride[0], threads);
  } else if (!info.on_device && info.scalar == Scalar::f64) {
    controls.fill(step, batch.nenv(), static_cast<double*>(info.data), info.stride[0], threads);
  } else {
    std::vector<double> ctrl(static_cast<std::size_t>(batch.nenv()) * nu);
    controls.fill(step, batch.nenv(), ctrl.data(), nu, threads);
    batch.write("ctrl", ctrl);
  }
}

}  // namespace swept::bench
