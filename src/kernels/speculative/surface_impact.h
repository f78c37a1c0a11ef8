// SPDX-License-Identifier: Apache-2.0
// The points of a pair that has many faces: those of all faces that are hit, of which four stay.
//
// Points are compared as discrete contacts are (contact_set.h): by the wrench of their rows about the
// centre of geom 1. Of two that are the same the earlier one stays; of five the later one of the two
// whose wrenches are closest goes. The earliest of all stays.
#pragma once

#include "kernels/geometry/contact_set.h"
#include "kernels/speculative/impact.h"

namespace swept::SWEPT_NS {

struct ImpactSet {
  Vec3<real> centre;  ///< [m] in the world
  real radius;        ///< [m] of the pair's smaller geom
  int count = 0;
  SpeculativePoint at[max_impact_points + 1];

  SWEPT_FN ImpactSet(Vec3<real> c, real r) : centre(c), radius(max(r, 1e-30_r)) {}

  SWEPT_FN real apart(const SpeculativePoint& a, const SpeculativePoint& b) const {
    const Vec3<real> push = a.normal - b.normal,
                     turn = (cross(a.pos - centre, a.normal) - cross(b.pos - centre, b.normal)) *
                            (1_r / radius);
    return dot(push, push) + dot(turn, turn);
  }

  SWEPT_FN void add(const SpeculativePoint& p) {
    for (int i = 0; i < count; ++i) {
      if (apart(at[i], p) < ContactSet::same_wrench * ContactSet::same_wrench) {
        at[i] = p.t < at[i].t ? p : at[i];
        return;
      }
    }
    at[count++] = p;
    if (count <= max_impact_points) {
      return;
    }
    int first = 0, second = 1;
    real least = 3e38_r;
    for (int i = 0; i < count; ++i) {
      for (int k = i + 1; k < count; ++k) {
        const real d = apart(at[i], at[k]);
        if (d < least) {
          least = d;
          first = i;
          second = k;
        }
      }
    }
    for (int i = at[second].t < at[first].t ? first : second; i + 1 < count; ++i) {
      at[i] = at[i + 1];
    }
    --count;
  }
};

}  // namespace swept::SWEPT_NS
