// SPDX-License-Identifier: Apache-2.0
// Linear and logarithmic axes.
#include "tools/swept/sweep/axis.h"

#include <fmt/format.h>

#include <cmath>

namespace swept::cli {

namespace {

constexpr int most_ticks = 10;

std::vector<double> linear_ticks(double low, double high) {
  // the finest step that makes at most so many
  double step = std::pow(10.0, std::floor(std::log10((high - low) / most_ticks)));
  for (const double factor : {2.0, 2.5, 2.0, 2.0}) {  // 1, 2, 5, 10, 20
    if ((high - low) / step <= most_ticks) {
      break;
    }
    step *= factor;
  }
  std::vector<double> ticks;
  const double slack = 1e-9 * (high - low);
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  const bool all = high - low > 4;  // decades
  std::vector<double> ticks;
  const double slack = 1e-9;
  for (double decade = std::floor(low); decade <= high; ++decade) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = decade + std::log10(factor);
      if (at >= low - slack && at <= high + slack && (factor == 1 || !all)) {
        ticks.push_back(factor * std::pow(10.0, decade));
      }
    }
  }
  return ticks;
}

}  // namespace

Axis::Axis(double low, double high, double begin, double end, bool log)
    : low_(log ? std::log10(low) : low),
      high_(log ? std::log10(high) : high),
      begin_(begin),
      end_(end),
      log_(log) {
  if (!(high_ > low_)) {
    const double half = log || low_ == 0 ? 0.5 : 0.5 * std::abs(low_);
    low_ -= half;
    high_ += half;
  }
}

double Axis::place(double number) const {
  const double at = log_ ? std::log10(number) : number;
  return begin_ + (end_ - begin_) * (at - low_) / (high_ - low_);
}

std::vector<double> Axis::ticks() const {
  if (log_) {
    std::vector<double> ticks = log_ticks(low_, high_);
    if (ticks.size() >= 2) {
      return ticks;
    }
    ticks = linear_ticks(std::pow(10.0, low_), std::pow(10.0, high_));
    return ticks;
  }
  return linear_ticks(low_, high_);
}

std::string tick_text(double number) {
  return fmt::format("{:.6g}", std::abs(number) < 1e-300 ? 0.0 : number);
}

}  // namespace swept::cli
