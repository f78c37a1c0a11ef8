// SPDX-License-Identifier: Apache-2.0
// The values of a combination: digits of its number in the grid, and draws.
#include "tools/swept/sweep/draw.h"
#include "tools/swept/sweep/plan.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace swept::cli {

namespace {

// the value of a drawn parameter where P(X < value) = p
double quantile(const Parameter& parameter, double p) {
  const double a = parameter.values[0], b = parameter.values[1];
  switch (parameter.source) {
    case Source::uniform:
      return a + (b - a) * p;
    case Source::log_uniform:
      return a * std::exp(std::log(b / a) * p);
    default:
      return a + b * normal_quantile(p);
  }
}

}  // namespace

std::int64_t count_combinations(const Plan& plan) {
  std::int64_t count = plan.samples.count;
  int drawn = 0;
  for (const Parameter& parameter : plan.parameters) {
    drawn += parameter.drawn() ? 1 : 0;
    const auto size = static_cast<std::int64_t>(parameter.values.size());
    // the product stays far below the largest number
    count = parameter.drawn() ? count : std::min(count, most_combinations + 1) * size;
  }
  if (count > most_combinations) {
    throw Error(Place{plan.path, 0, "parameters"},
                fmt::format("this makes more than {} combinations", most_combinations),
                "give fewer values or samples");
  }
  if (plan.samples.sobol && drawn > sobol_dimensions) {
    throw Error(Place{plan.path, 0, "samples.sequence"},
                fmt::format("the Sobol sequence has {} dimensions, and {} parameters are drawn",
                            sobol_dimensions, drawn),
                "use the sequence random");
  }
  return count;
}

std::vector<double> values_of(const Plan& plan, std::int64_t combination) {
  const auto sample = static_cast<std::uint64_t>(combination % plan.samples.count);
  std::int64_t rest = combination / plan.samples.count;
  std::vector<double> values(plan.parameters.size());
  // the last parameter of the grid runs fastest
  for (std::size_t i = values.size(); i-- > 0;) {
    const Parameter& parameter = plan.parameters[i];
    if (!parameter.drawn()) {
      const auto size = static_cast<std::int64_t>(parameter.values.size());
      values[i] = parameter.values[static_cast<std::size_t>(rest % size)];
      rest /= size;
    }
  }
  int dimension = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = plan.parameters[i];
    if (parameter.drawn()) {
      const std::uint64_t seed = plan.samples.seed;
      values[i] = quantile(
          parameter, plan.samples.sobol
                         ? sobol_number(seed, sample, dimension)
                         : random_number(seed, sample, static_cast<std::uint64_t>(dimension)));
      ++dimension;
    }
  }
  return values;
}

}  // namespace swept::cli
