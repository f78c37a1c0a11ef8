// SPDX-License-Identifier: Apache-2.0
// How fast two geoms can come closer along a unit vector n that stays, from a time on.
//
// A point at r from the centre moves at dx + domega x r. Along n the turning gives
//
//   n . (domega x r) = r . (n x domega)
//
//   any time    r keeps its distance rho from the axis through the centre along domega, and n x domega
//               is across that axis: at most rho |n x domega|. Nothing for a spin about n.
//   soon        now at most the support of the geom along n x domega, and that changes by no more
//               than |domega| rho |n x domega| per step.
//
// So with the clearance g and speed v now the geoms stay apart for the longer of
//
//   g / v_any_time      and      the root of g = v_now t + growth t^2 / 2.
//
// The ball around the core of a sphere or a capsule turns into itself: it has no part in rho.
#pragma once

#include "kernels/speculative/look.h"

namespace swept::SWEPT_NS {

/// Bounds of the speed [m per step] at which supporting planes across n come closer.
struct ClosingBound {
  real any_time;  ///< from now to the end of the step
  real now;       ///< now
  real growth;    ///< [m per step^2] and it grows at most so
};

/// Upper bound of the distance of a core's points from the axis through its centre along domega.
///   bound   [m] radius of the geom's bounding sphere, radius of the core left out
SWEPT_FN real spin_radius(const Core& core, const Mat3<real>& mat, Vec3<real> domega, real bound) {
  const real angle = norm(domega);
  if (!(angle > 0_r)) {
    return 0_r;
  }
  const Vec3<real> u = transpose_mul(mat, domega) * (1_r / angle), s = core.size;
  const real across = sqrt(u.x * u.x + u.y * u.y);
  real rho = bound;
  switch (core.kind) {
    case CoreKind::point:
      return 0_r;
    case CoreKind::segment:
      rho = s.z * across;
      break;
    case CoreKind::cylinder:
      // of the disk's points none is further from the axis than the disk's radius
      rho = s.z * across + s.x;
      break;
    case CoreKind::box:
      for (int i = 0; i < 4; ++i) {
        const Vec3<real> corner = {s.x, (i & 1) != 0 ? s.y : -s.y, (i & 2) != 0 ? s.z : -s.z};
        const real off = norm(cross(u, corner));
        rho = i == 0 ? off : max(rho, off);
      }
      break;
    default:
      break;
  }
  return min(rho, bound) * (1_r + 8_r * epsilon);
}

/// What turns in a pair and how far out.
struct SpinRadii {
  real first, second;  ///< [m]
};
SWEPT_FN SpinRadii spin_radii(const SweptPair& pair, const Looker& view) {
  const Core &core1 = view.cores.core1, &core2 = view.cores.core2;
  const auto of = [&](Core core, const Shape& s, const StepMotion<real>& motion, real bound) {
    const real radius = core.radius * view.length;
    core.size = view.length * core.size;
    return spin_radius(core, s.mat, motion.domega, bound - radius);
  };
  return {view.plane ? 0_r : of(core1, pair.shape1, pair.motion1, pair.bound1),
          of(core2, pair.shape2, pair.motion2, pair.bound2)};
}

/// Support [m] of a core along a vector of the world, times its length.
SWEPT_FN real reach_along(Core* core, const Mat3<real>& mat, Vec3<real> along, real length) {
  const Vec3<real> dir = transpose_mul(mat, along);
  return length * fused_dot(dir, support(core, dir).point);
}

SWEPT_FN ClosingBound closing_bound(const SweptPair& pair, Looker* view, const SpinRadii& radii,
                                    Vec3<real> n) {
  const Vec3<real> turn1 = cross(n, pair.motion1.domega), turn2 = cross(n, pair.motion2.domega);
  const real most1 = norm(turn1) * radii.first, most2 = norm(turn2) * radii.second;
  const real along = -dot(n, relative_way(pair));
  ClosingBound bound = {along + most1 + most2, along, 0_r};
  if (most1 > 0_r) {
    bound.now =
        bound.now + min(most1, reach_along(&view->cores.core1, view->at.mat1, turn1, view->length));
    bound.growth = bound.growth + norm(pair.motion1.domega) * most1;
  }
  if (most2 > 0_r) {
    bound.now = bound.now +
                min(most2, reach_along(&view->cores.core2, view->at.mat2, -turn2, view->length));
    bound.growth = bound.growth + norm(pair.motion2.domega) * most2;
  }
  return bound;
}

/// How long [steps] a clearance lasts under a bound; 2 if longer than a step.
///   clearance   [m] not negative
SWEPT_FN real safe_time(real clearance, const ClosingBound& bound) {
  constexpr real long_time = 2_r;
  if (!(bound.any_time > 0_r)) {
    return long_time;
  }
  const real steady = clearance / bound.any_time;
  const real v = bound.now, root = sqrt(v * v + 2_r * bound.growth * clearance);
  real soon = 0_r;
  if (v < 0_r) {
    // it opens at first
    soon = bound.growth > 0_r ? (root - v) / bound.growth : long_time;
  } else if (clearance > 0_r) {
    soon = 2_r * clearance / (v + root);
  }
  return min(long_time, max(steady, soon));
}

}  // namespace swept::SWEPT_NS
