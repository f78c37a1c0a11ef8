// SPDX-License-Identifier: Apache-2.0
// How many rounds and supports searches took, in words.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace swept::SWEPT_NS {

/// Mean, 99th percentile and maximum of some counts; dashes if there are none.
inline std::string statistics(std::vector<int> counts) {
  if (counts.empty()) {
    return "    -   -   -";
  }
  std::sort(counts.begin(), counts.end());
  double sum = 0;
  for (const int c : counts) {
    sum += c;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%5.1f %3d %3d", sum / static_cast<double>(counts.size()),
                counts[counts.size() * 99 / 100], counts.back());
  return text;
}

}  // namespace swept::SWEPT_NS
