// SPDX-License-Identifier: Apache-2.0
#include "host/compile/mesh/hfield.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace swept::compiler {

CompiledHField compile_hfield(const Spec& spec, const HField& hfield, int nrow, int ncol,
                              std::vector<float> elevation) {
  const auto fail = [&](const std::string& problem, const std::string& remedy) {
    return spec.error(hfield.source, "hfield '" + hfield.name + "'", problem, remedy);
  };
  if (nrow < 2 || ncol < 2) {
    throw fail("it has " + std::to_string(nrow) + " rows and " + std::to_string(ncol) + " columns",
               "it needs at least 2 of each");
  }
  for (const double size : hfield.size) {
    if (!(size > 0.0)) {
      throw fail("a number of its size is not positive",
                 "it is half x, half y, elevation and depth of the base");
    }
  }
  const std::size_t count = static_cast<std::size_t>(nrow) * static_cast<std::size_t>(ncol);
  if (elevation.empty()) {
    elevation.assign(count, 0.0F);
  }
  if (elevation.size() != count) {
    throw fail("it has " + std::to_string(elevation.size()) + " elevations for " +
                   std::to_string(count) + " points",
               "give one for each");
  }
  if (!std::all_of(elevation.begin(), elevation.end(), [](float x) { return std::isfinite(x); })) {
    throw fail("an elevation is not finite in single precision", "give finite numbers");
  }
  const auto [low, high] = std::minmax_element(elevation.begin(), elevation.end());
  const float least = *low;
  const float range = *high - *low;
  for (float& x : elevation) {
    x -= least;
    if (static_cast<double>(range) > 1e-14) {
      x /= range;
    }
  }
  return {nrow, ncol, std::move(elevation)};
}

}  // namespace swept::compiler
