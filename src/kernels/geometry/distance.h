// SPDX-License-Identifier: Apache-2.0
// The signed distance of two convex shapes, with their nearest points.
//
// GJK on the cores; if they overlap, EPA. The radius of a sphere or capsule
// comes off at the end, apart or deep: the difference of the shapes is that of
// the cores blown up by both radii, so its depth in each direction is that of
// the cores plus the radii.
#pragma once

#include "kernels/geometry/epa.h"
#include "kernels/geometry/features.h"

namespace swept::SWEPT_NS {

/// How a distance was found, for statistics and tests.
struct DistanceWork {
  int gjk_rounds = 0, epa_rounds = 0;
  GjkEnd gjk_end = GjkEnd::far;
  EpaEnd epa_end = EpaEnd::converged;
  real gap = 0;    ///< [m] between the bounds of the distance
  real scale = 0;  ///< [m] size of the numbers it comes from
};

/// The distance of two cores in the frame of core 1, and the simplex it was
/// found on.
struct CoreNearest {
  bool far;           ///< further than the cutoff
  real dist;          ///< [m] of the shapes
  Vec3<real> a;       ///< on core 1
  Vec3<real> normal;  ///< from 1 to 2
};

/// A gap of GJK's bounds, over the size of the shapes, that rounding in a short
/// v leaves.
constexpr real proof_gap = sizeof(real) == 4 ? 2e-6_r : 1e-11_r;

SWEPT_FN CoreNearest core_nearest(CorePair* pair, real cutoff, Simplex* simplex, DistanceWork* work,
                                  const GjkStart* start) {
  const real radii = pair->core1.radius + pair->core2.radius;
  const GjkResult g = gjk(pair, cutoff + radii, simplex, start);
  work->gjk_rounds = g.rounds;
  work->gjk_end = g.end;
  work->gap = g.gap;
  work->scale = g.scale;
  CoreNearest n = {g.end == GjkEnd::far, g.distance - radii, {0_r, 0_r, 0_r}, g.normal};
  if (n.far) {
    return n;
  }
  if (g.end != GjkEnd::overlap && g.end != GjkEnd::polished && g.gap > proof_gap * g.scale) {
    // cores that almost touch: v is too short to have a direction. EPA's face
    // has a good one
    Simplex other = *simplex;
    const EpaResult e = epa(pair, g.scale, &other);
    work->epa_rounds = e.rounds;
    const bool overlap = e.end == EpaEnd::converged && e.inside && e.depth > 0_r;
    if (overlap) {
      // its polytope holds the origin
      *simplex = other;
      n.dist = -e.depth - radii;
      n.normal = e.normal;
      work->gap = e.gap;
    }
    // flat: either side of it
    const Vec3<real> sides[2] = {e.normal, -e.normal};
    for (int i = 0; !overlap && i < (e.end == EpaEnd::flat ? 2 : 1); ++i) {
      const real lower = -fused_dot(sides[i], support(pair, sides[i]).w);
      if (lower > g.distance - work->gap) {
        n.normal = sides[i];
        work->gap = g.distance - lower;
      }
    }
  }
  if (g.end == GjkEnd::overlap) {
    const EpaResult e = epa(pair, g.scale, simplex);
    work->epa_rounds = e.rounds;
    work->epa_end = e.end;
    work->gap = e.gap;
    n.dist = -e.depth - radii;
    n.normal = e.normal;
  }
  for (int i = 0; i < simplex->count; ++i) {
    n.a = n.a + simplex->weight[i] * simplex->vertex[i].a;
  }
  return n;
}

/// The corners of a simplex on one shape, each once.
SWEPT_FN Feature feature_of(const CorePair& pair, const Simplex& s, int which) {
  Feature f;
  const bool round = !is_polytope(which == 1 ? pair.core1 : pair.core2);
  for (int i = 0; i < s.count && i < 3; ++i) {
    const Vertex& v = s.vertex[i];
    const int id = which == 1 ? v.id1 : v.id2;
    const Vec3<real> point = which == 1 ? v.a : transpose_mul(pair.turn, v.a - v.w - pair.shift);
    bool known = false;
    for (int k = 0; k < f.count; ++k) {
      const Vec3<real> off = f.point[k] - point;
      known = known || (f.id[k] == id && (!round || dot(off, off) <= 0_r));
    }
    if (!known) {
      f.id[f.count] = id;
      f.point[f.count++] = point;
    }
  }
  return f;
}

/// The signed distance [m] of two convex shapes, and its nearest points.
/// Symmetric up to rounding.
///   cutoff     [m] distances of at least this much are not computed: returns
///   cutoff, and the
///              points mean nothing
///   nearest    receives points and normal
///   features   receives the corners at the nearest points; null: not wanted
///   work       receives how it was found; null: not wanted
///   start      where GJK goes on; null: it begins
SWEPT_FN real convex_distance(const Shape& s1, const Shape& s2, real cutoff, Nearest* nearest,
                              Features* features = nullptr, DistanceWork* work = nullptr,
                              const GjkStart* start = nullptr) {
  CorePair pair = pair_of(s1, s2);
  Simplex simplex;
  DistanceWork unwanted;
  const CoreNearest n =
      core_nearest(&pair, cutoff, &simplex, work == nullptr ? &unwanted : work, start);
  if (n.far || !(n.dist < cutoff)) {
    *nearest = {cutoff, s1.pos, s2.pos, {1_r, 0_r, 0_r}};
    return cutoff;
  }
  const Vec3<real> normal = s1.mat * n.normal;
  nearest->dist = n.dist;
  nearest->normal = normal;
  nearest->point1 = s1.pos + s1.mat * (n.a + pair.core1.radius * n.normal);
  nearest->point2 = nearest->point1 + n.dist * normal;
  if (features != nullptr) {
    features->of1 = feature_of(pair, simplex, 1);
    features->of2 = feature_of(pair, simplex, 2);
  }
  return n.dist;
}

}  // namespace swept::SWEPT_NS
