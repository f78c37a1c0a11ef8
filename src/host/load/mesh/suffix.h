// SPDX-License-Identifier: Apache-2.0
// The suffix of a file name, by which its format is known.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace swept::load_detail {

/// With the dot, in lower case: ".obj" of "robot/Arm.OBJ". Empty if there is none.
inline std::string lower_suffix(const std::string& file) {
  std::string suffix = std::filesystem::path(file).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return suffix;
}

}  // namespace swept::load_detail
