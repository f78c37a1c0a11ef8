// SPDX-License-Identifier: Apache-2.0
// The directional step (C2A: Tang, Kim and Manocha 2009): the smallest safe step over all pairs of
// facets, by a descent of both trees. The bounds are those of the host's library.
//
// A gap along a fixed unit vector n falls no faster than
//   n (d_a - d_b) + |a_a| |n x k_a| r_a + |a_b| |n x k_b| r_b,
// with the ways d, the angles a about the axes k, and the largest radii r of what is looked at,
// facets or boxes. Everything is in b's frame.
#pragma once

#include "kernels/ccd/distance.h"
#include "kernels/ccd/rounding.h"

namespace swept::SWEPT_NS {

/// A bit more than a positive number: covers a few roundings.
SWEPT_FN real rounded_up(real x) {
  return x * (1_r + 16_r * half_ulp);
}

/// How fast a gap along a unit vector can fall: along + turn_a radius_a + turn_b radius_b.
struct ClosingRate {
  real along, turn_a, turn_b;
};

struct DirectionalDescent {
  const PairView& pair;
  real way, best;   ///< length of the relative way; the step so far
  long long pairs;  ///< pairs of facets that were looked at
  ClosingRate axes_a[3], axes_b[3];
  Vec3<real> normal;  ///< of the facets whose step is the best so far, and its rate
  ClosingRate normal_rate;

  SWEPT_FN DirectionalDescent(const PairView& view, real ceiling)
      : pair(view), way(norm(view.placed.way)), best(ceiling), pairs(0), normal(zero3<real>()) {
    normal_rate = {0_r, 0_r, 0_r};
    const Mat3<real>& r = view.placed.rotation;
    axes_a[0] = closing(column_x(r));
    axes_a[1] = closing(column_y(r));
    axes_a[2] = closing(column_z(r));
    axes_b[0] = closing({1_r, 0_r, 0_r});
    axes_b[1] = closing({0_r, 1_r, 0_r});
    axes_b[2] = closing({0_r, 0_r, 1_r});
  }

  SWEPT_FN real angle_a() const { return pair.query.turn_a.angle.hi; }
  SWEPT_FN real angle_b() const { return pair.query.turn_b.angle.hi; }

  SWEPT_FN ClosingRate closing(Vec3<real> n) const {
    return {dot(n, pair.placed.way), angle_a() * norm(cross(n, pair.placed.axis_a)),
            angle_b() * norm(cross(n, pair.query.turn_b.body_axis))};
  }

  /// How long a gap stays above the target; a rate that is not positive never closes it.
  SWEPT_FN real safe(real gap, real rate) const {
    const real room = gap - pair.query.target, bound = rate + pair.query.rate_error;
    if (!(room > 0)) {
      return 0;
    }
    return bound > 0 ? room / rounded_up(bound) : infinity;
  }

  SWEPT_FN real safe(real gap, ClosingRate c, real radius_a, real radius_b) const {
    return safe(gap, c.along + c.turn_a * radius_a + c.turn_b * radius_b);
  }

  /// From a to b is against the offset of a's box.
  SWEPT_FN real safe_on_axis(real gap, real offset, ClosingRate c, real radius_a,
                             real radius_b) const {
    c.along = offset > 0 ? -c.along : c.along;
    return safe(gap - pair.query.box_error, c, radius_a, radius_b);
  }

  /// The step that is safe for all that is in two boxes.
  SWEPT_FN real step_of(int i, int j) const {
    const BoxNode a = pair.box_a(i), b = pair.box_b(j);
    const BoxGaps g = gaps_of(pair.placed, a, b);
    const real radius_a = radius_bound(pair.query.turn_a.body_axis, a);
    const real radius_b = radius_bound(pair.query.turn_b.body_axis, b);
    real step = safe(distance_bound(g, pair.query.box_error),
                     way + angle_a() * radius_a + angle_b() * radius_b);
    const auto on = [&](real gap, real offset, const ClosingRate& c) {
      step = max(step, safe_on_axis(gap, offset, c, radius_a, radius_b));
    };
    on(g.along_b.x, g.offset_b.x, axes_b[0]);
    on(g.along_b.y, g.offset_b.y, axes_b[1]);
    on(g.along_b.z, g.offset_b.z, axes_b[2]);
    on(g.along_a.x, g.offset_a.x, axes_a[0]);
    on(g.along_a.y, g.offset_a.y, axes_a[1]);
    on(g.along_a.z, g.offset_a.z, axes_a[2]);
    return step;
  }

  /// The largest radius of a facet's corners about an axis.
  SWEPT_FN static real radius_of(const Facet3& f, Vec3<real> k) {
    real square = 0;
    for (int c = 0; c < 3; ++c) {
      const Vec3<real> r = cross(k, f.v[c]);
      square = max(square, dot(r, r));
    }
    return sqrt(square);
  }

  SWEPT_FN void look_at(int slot_a, int slot_b) {
    const Facet3 own = pair.a.facet(slot_a, pair.query.scale_a);
    const Facet3 a = pair.placed(own), b = pair.b.facet(slot_b, pair.query.scale_b);
    const real radius_a = radius_of(own, pair.query.turn_a.body_axis);
    const real radius_b = radius_of(b, pair.query.turn_b.body_axis);
    // the direction of the best pair often shows that another one is safe for as long
    const real before = safe(gap_along(normal, a, b), normal_rate, radius_a, radius_b);
    if (before >= best * (1_r - gap_share)) {
      best = min(best, before);
      return;
    }
    ++pairs;
    const FacetBounds d = measure(a, b, pair.query.facet_error);
    const ClosingRate rate = closing(d.normal);
    const real plain = safe(d.gap, way + angle_a() * radius_a + angle_b() * radius_b);
    const real step = max(plain, safe(d.gap, rate, radius_a, radius_b));
    if (step < best) {
      best = step;
      normal = d.normal;
      normal_rate = rate;
    }
  }

  /// The step: at least `floor`, which the plain bound allows, at most the ceiling.
  SWEPT_FN real run(int hint_a, int hint_b, real floor) {
    PairStack stack;
    stack.push({0, 0, -infinity});
    int slot_a = hint_a, slot_b = hint_b;
    do {
      look_at(slot_a, slot_b);
      // once the best is no better than the plain step, the answer is known
    } while (best > floor &&
             stack.next_facets(
                 pair, best, [this](int i, int j) { return step_of(i, j); }, &slot_a, &slot_b));
    return max(best, floor);
  }
};

}  // namespace swept::SWEPT_NS
