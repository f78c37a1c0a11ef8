// SPDX-License-Identifier: Apache-2.0
// Scenes with a height field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {

/// A field of heights, as the attributes of an hfield.
inline std::string field_asset(int rows, int columns, const std::vector<double>& size,
                               const std::function<double(int, int)>& height) {
  std::vector<double> heights;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      heights.push_back(height(r, c));
    }
  }
  return "<asset><hfield name='f' nrow='" + std::to_string(rows) + "' ncol='" +
         std::to_string(columns) + "' size='" + numbers(size) + "' elevation='" + numbers(heights) +
         "'/></asset>";
}

}  // namespace swept::test
