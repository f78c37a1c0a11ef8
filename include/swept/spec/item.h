// SPDX-License-Identifier: Apache-2.0
// Spec: what all elements have, and the defaults that several share.
#pragma once

#include <swept/spec_types.h>

#include <array>
#include <string>

namespace swept {

/// Position of an element in the text it came from.
struct Source {
  int file = -1;  ///< index into Spec::files; -1: made by a program
  int line = 0;   ///< 1-based
};

using Solref = Vec2;
using Solimp = std::array<double, 5>;
inline constexpr Solref default_solref{0.02, 1.0};
inline constexpr Solimp default_solimp{0.9, 0.95, 0.001, 0.5, 2.0};
inline constexpr Quat identity_quat{1.0, 0.0, 0.0, 0.0};

/// Linear coefficient and the two polynomial ones: force = -(c0 + c1 |x| + c2 x^2) x.
using Polynomial = Vec3;

/// What every element has.
struct Item {
  std::string name;  ///< may be empty
  Source source;
};

}  // namespace swept
