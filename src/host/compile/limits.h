// SPDX-License-Identifier: Apache-2.0
// Limits: a range, and a switch that may be left to the range.
#pragma once

#include "host/compile/scene.h"

namespace swept::compiler {

/// How messages call a limit.
struct LimitWords {
  const char* kind;     ///< of the element: "joint"
  const char* limited;  ///< attribute: "ctrllimited"
  const char* range;    ///< attribute: "ctrlrange"
};

/// Does the limit apply?
///   limited   yes, no, or automatic: if range[0] < range[1]
/// Throws Error if a limit applies to an empty range, or if it is automatic while compiler
/// autolimits is off and a range was given.
inline bool resolve_limit(const Scene& scene, const Item& item, Tristate limited, const Vec2& range,
                          const LimitWords& words) {
  const bool given = range[0] != 0.0 || range[1] != 0.0;
  if (!scene.spec.compiler.autolimits && limited == Tristate::automatic && given) {
    throw scene.error(words.kind, item,
                      std::string(words.range) + " is given but " + words.limited + " is not",
                      std::string("write ") + words.limited +
                          "=\"true\" or \"false\", or set compiler autolimits=\"true\"");
  }
  const bool applies = is_limited(limited, range);
  if (applies && range[0] >= range[1]) {
    throw scene.error(words.kind, item,
                      std::string(words.range) + " is empty: " + std::to_string(range[0]) + " " +
                          std::to_string(range[1]),
                      "the first number must be the smaller one");
  }
  return applies;
}

}  // namespace swept::compiler
