// SPDX-License-Identifier: Apache-2.0
// How long two geoms stay apart along a unit vector n, from a time on.
//
// The vector stays, or it turns with the features that are nearest (turning.h). If it stays:
//
// A point at r from the centre moves at dx + domega x r. Along n the turning gives
//
//   n . (domega x r) = r . (n x domega)
//
//   any time    r keeps its distance rho from the axis through the centre along domega, and n x domega
//               is across that axis: at most rho |n x domega|. Nothing for a spin about n.
//   soon        now r . (n x domega) itself, and it changes by no more than
//               |domega| rho |n x domega| per step.
//
// The first gives the time g / v for a clearance g. The second is asked corner by corner: with the
// height that corner k is behind the supporting plane, b_k, and its speed u_k, no point of the geom is
// further than
//
//   max over k of (u_k t - b_k) + growth t^2 / 2
//
// beyond the plane. The sum of both geoms' and of the relative way is convex in t, so it is below g
// from now until its one root. From the right, the root of the corners that are foremost there is
// nearer; where they stay foremost it is the root. A fast tip that is far from the other geom then
// does not slow down the search. Ends of capsules and cylinders and corners of boxes are corners; all
// else is one, at the plane, with the speed of the support along n x domega.
//
// The ball around the core of a sphere or a capsule turns into itself: it has no part in rho.
#pragma once

#include "kernels/speculative/look.h"

namespace swept::SWEPT_NS {

/// Corners of a core across n.
struct CornerSpeeds {
  int count = 0;
  real behind[8];  ///< [m] below the supporting plane, not negative
  real speed[8];   ///< [m per step] towards the other geom, from turning

  /// The corner that is foremost at a time, and how far beyond the plane it is then.
  struct Foremost {
    int corner;
    real beyond;
  };
  SWEPT_FN Foremost at(real t) const {
    Foremost most = {0, speed[0] * t - behind[0]};
    for (int k = 1; k < count; ++k) {
      const real beyond = speed[k] * t - behind[k];
      most = beyond > most.beyond ? Foremost{k, beyond} : most;
    }
    return most;
  }
};

/// What is known of the way that supporting planes across n come closer.
struct ClosingBound {
  real any_time;          ///< [m per step] no faster from now to the end of the step
  real along;             ///< [m per step] of the centres
  real growth;            ///< [m per step^2] of the speeds of both geoms' corners
  CornerSpeeds one, two;  ///< of the geoms
};

/// Upper bound [m] of the distance of a core's points from an axis through its centre.
///   size    [m] as Core::size
///   u       unit vector of the axis, in the frame of the core
///   bound   [m] no point is further from the centre
SWEPT_FN real radius_about(CoreKind kind, Vec3<real> size, Vec3<real> u, real bound) {
  const Vec3<real> s = size;
  const real across = sqrt(u.x * u.x + u.y * u.y);
  real rho = bound;
  switch (kind) {
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

/// The extent of a geom's core: what of it turns with the geom.
struct CoreExtent {
  CoreKind kind;
  Vec3<real> size;  ///< [m] as Core::size
  real bound;       ///< [m] radius of a ball about the centre that holds it

  /// Upper bound [m] of the distance of its points from an axis through its centre.
  ///   mat   axes of the geom; axis: unit vector, in the world
  SWEPT_FN real about(const Mat3<real>& mat, Vec3<real> axis) const {
    return radius_about(kind, size, transpose_mul(mat, axis), bound);
  }
};

/// The extent of a geom of this type, size and bounding sphere.
SWEPT_FN CoreExtent core_extent(int type, Vec3<real> size, real bound) {
  Shape shape = {};
  shape.type = type;
  shape.size = size;
  const Core core = core_of(shape);
  return {core.kind, core.size, max(0_r, bound - core.radius)};
}

/// What turns in a pair and how far out.
struct SpinRadii {
  real first, second;  ///< [m]
};
SWEPT_FN SpinRadii motion_limits(const SweptPair& pair) {
  const auto of = [&](const Shape& s, const StepMotion<real>& motion, real bound) {
    const real angle = norm(motion.domega);
    return angle > 0_r
               ? core_extent(s.type, s.size, bound).about(s.mat, motion.domega * (1_r / angle))
               : 0_r;
  };
  return {pair.shape1.type == geom_plane ? 0_r : of(pair.shape1, pair.motion1, pair.bound1),
          of(pair.shape2, pair.motion2, pair.bound2)};
}

/// The same for any pair.
SWEPT_FN real clearance_error(const SweptPair& pair, const SpinRadii&) {
  return clearance_error(pair);
}
SWEPT_FN bool is_finite(const SweptPair& pair, const SpinRadii&) {
  return is_finite(pair);
}

/// What is known, for the rest of the step, of the motion of all points of two geoms along n.
struct AlongLimits {
  real any_time;  ///< [m per step] a point of geom 1 and one of geom 2 close no faster
  real growth;    ///< [m per step^2] nor does their closing speed grow faster
};
SWEPT_FN AlongLimits limits_along(const SweptPair& pair, const SpinRadii& radii,
                                  const PairRates& rates, Vec3<real> n) {
  const real most1 = norm(cross(n, rates.omega1)) * radii.first,
             most2 = norm(cross(n, rates.omega2)) * radii.second;
  return {-dot(n, relative_way(pair)) + most1 + most2,
          norm(rates.omega1) * most1 + norm(rates.omega2) * most2};
}

/// The corners of a core.
///   n, along   unit vector out of the core towards the other one, and n x domega, both in the frame
///              of the core; length [m]: its unit
SWEPT_FN void corner_speeds(Core* core, Vec3<real> n, Vec3<real> along, real length,
                            CornerSpeeds* out) {
  const Vec3<real> s = length * core->size;
  const auto add = [&](real height, real speed) {
    out->behind[out->count] = height;
    out->speed[out->count++] = speed;
  };
  if (core->kind == CoreKind::segment || core->kind == CoreKind::cylinder) {
    const real radius = core->kind == CoreKind::cylinder ? s.x : 0_r;
    const real disk = radius * sqrt(n.x * n.x + n.y * n.y);
    const real turning = radius * sqrt(along.x * along.x + along.y * along.y);
    add(s.z * n.z + disk, s.z * along.z + turning);
    add(-s.z * n.z + disk, -s.z * along.z + turning);
  } else if (core->kind == CoreKind::box) {
    for (int i = 0; i < 8; ++i) {
      const Vec3<real> corner = {(i & 1) != 0 ? s.x : -s.x, (i & 2) != 0 ? s.y : -s.y,
                                 (i & 4) != 0 ? s.z : -s.z};
      add(dot(n, corner), dot(along, corner));
    }
  } else {
    add(0_r, length * fused_dot(along, support(core, along).point));
  }
  real highest = out->behind[0];
  for (int i = 1; i < out->count; ++i) {
    highest = max(highest, out->behind[i]);
  }
  for (int i = 0; i < out->count; ++i) {
    out->behind[i] = highest - out->behind[i];
  }
}

/// The bound at the place of the looker.
///   limits   motion_limits of the pair
template <class Pair, class Limits>
SWEPT_FN void closing_bound(const Pair& pair, Looker* view, const Limits& limits, Vec3<real> n,
                            ClosingBound* out) {
  const PairRates& rates = view->at.rates;
  const Vec3<real> turn1 = cross(n, rates.omega1), turn2 = cross(n, rates.omega2);
  const AlongLimits most = limits_along(pair, limits, rates, n);
  out->along = -dot(n, rates.way);
  out->any_time = most.any_time;
  out->growth = most.growth;
  const Mat3<real>&mat1 = view->at.mat1, &mat2 = view->at.mat2;
  corner_speeds(&view->cores.core1, transpose_mul(mat1, n), transpose_mul(mat1, turn1),
                view->length, &out->one);
  corner_speeds(&view->cores.core2, -transpose_mul(mat2, n), -transpose_mul(mat2, turn2),
                view->length, &out->two);
}

/// How often the foremost corners are changed.
constexpr int most_changes = 12;

/// How long [steps] a clearance [m, not negative] lasts under a bound, up to `rest`.
SWEPT_FN real safe_time(real clearance, const ClosingBound& bound, real rest) {
  if (!(bound.any_time > 0_r)) {
    return rest;
  }
  const real steady = min(rest, real(clearance / bound.any_time));
  real t = rest;
  int first = -1, second = -1;
  for (int i = 0; i < most_changes && t > steady; ++i) {
    const CornerSpeeds::Foremost a = bound.one.at(t), b = bound.two.at(t);
    if (a.corner == first && b.corner == second) {
      return t;
    }
    first = a.corner;
    second = b.corner;
    if (a.beyond + b.beyond + t * (bound.along + 0.5_r * t * bound.growth) <= clearance) {
      return t;
    }
    // the root of what these corners need
    const real v = bound.one.speed[first] + bound.two.speed[second] + bound.along;
    const real room = clearance + bound.one.behind[first] + bound.two.behind[second];
    const real root = sqrt(v * v + 2_r * bound.growth * room);
    if (v < 0_r) {
      t = min(t, bound.growth > 0_r ? (root - v) / bound.growth : t);
    } else {
      t = min(t, v + root > 0_r ? 2_r * room / (v + root) : t);
    }
  }
  return steady;
}

}  // namespace swept::SWEPT_NS
