// SPDX-License-Identifier: Apache-2.0
// Four corners of a convex polygon that span a large area, found by calipers that turn around it.
//
// For the first corner a the fourth moves on while the area grows, and after each of its steps the
// third and then the second move on while the area grows. Then a moves on, and the others go on
// from where they are. The largest area of all is kept; the work is linear in the corners.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Places in a polygon, in its order.
struct Quadrilateral {
  int at[4];
  real area;  ///< [m^2]
};

/// The area [m^2] of a quadrilateral: half the cross product of its diagonals.
SWEPT_FN real area_of(Vec3<real> a, Vec3<real> b, Vec3<real> c, Vec3<real> d) {
  return 0.5_r * norm(cross(c - a, d - b));
}

/// A large quadrilateral of a polygon.
///   corner       corner(i) is corner i [m], 0 <= i < n, n > 3
///   first, last  its first corner is one of these and those between
SWEPT_FN Quadrilateral large_quadrilateral(const auto& corner, int n, int first, int last) {
  const auto after = [&](int i) { return i + 1 < n ? i + 1 : 0; };
  int b = after(first), c = after(b), d = after(c);
  Quadrilateral best = {{first, b, c, d}, area_of(corner(first), corner(b), corner(c), corner(d))};
  for (int a = first; a <= last; ++a) {
    const auto grows = [&](int i, int j, int k) {
      const real area = area_of(corner(a), corner(i), corner(j), corner(k));
      const bool larger = area > best.area;
      if (larger) {
        best = {{a, i, j, k}, area};
      }
      return larger;
    };
    while (grows(b, c, after(d))) {
      d = after(d);
      while (grows(b, after(c), d)) {
        c = after(c);
      }
      while (grows(after(b), c, d)) {
        b = after(b);
      }
    }

    // none may be overtaken
    if (b == a) {
      b = after(b);
      if (c == b) {
        c = after(c);
        d = d == c ? after(d) : d;
      }
    }
  }
  return best;
}

}  // namespace swept::SWEPT_NS
