// SPDX-License-Identifier: Apache-2.0
// The signed distance of two convex shapes, with their nearest points.
//
// GJK on the cores; if they overlap, EPA. The radius of a sphere or capsule comes off at the end,
// apart or deep: the difference of the shapes is that of the cores blown up by both radii, so its
// depth in each direction is that of the cores plus the radii.
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

/// The distance of two cores in the frame of core 1, and the simplex it was found on.
struct CoreNearest {
  bool far;           ///< further than the cutoff
  real dist;          ///< [m] of the shapes
  Vec3<real> a;       ///< on core 1
  Vec3<real> normal;  ///< from 1 to 2
};

/// A gap of GJK's bounds, over the size of the shapes, that rounding in a short v leaves.
constexpr real proof_gap = sizeof(real) == 4 ? 2e-6_r : 1e-11_r;

/// How often cores that almost touch are looked at from outside.
constexpr int outside_looks = 4;

/// The signed distance of cores that touch or almost do.
struct CoreTouch {
  bool deep;  ///< no: they overlap by more than they were moved apart
  real dist;  ///< [m] lower bound of the signed distance, proven by the normal
  real gap;   ///< [m] upper less lower bound
  Vec3<real> normal;
};

/// Look at cores that almost touch from outside. The nearest point of D to the origin has no
/// direction if it is as near as rounding; that to a place further away along the normal n has, a
/// better one than n, because all directions from there end near the same point. At a fixed place
/// both are the same. Receives the simplex of the best direction.
SWEPT_FN CoreTouch look_from_outside(CorePair* pair, Vec3<real> n, real size, Simplex* simplex) {
  CoreTouch best = {false, -3e38_r, 3e38_r, n};
  Simplex s;
  for (int i = 0; i < outside_looks && best.gap > proof_gap * size; ++i) {
    const GjkResult g = gjk_from(pair, n * (outside_way * size), &s);
    if (g.end == GjkEnd::overlap) {
      best.deep = true;
      return best;
    }
    n = g.normal;
    const real lower = -fused_dot(n, support(pair, n).w);
    Vec3<real> p = zero3<real>();
    for (int k = 0; k < s.count; ++k) {
      p = p + s.weight[k] * s.vertex[k].w;
    }
    if (norm(p) - lower < best.gap) {
      best = {false, lower, norm(p) - lower, n};
      *simplex = s;
    }
  }
  return best;
}

/// How often a normal is tilted.
constexpr int most_tilts = 4;

/// Tilt a normal that a vertex w of D refutes until w lies in its plane through the nearest point p,
/// around the edge that p is on if there is one. Where the nearest point has just come from an edge
/// into a face, |v| is the same to all digits, and GJK stands still with the normal of the edge; the
/// proof needs that of the face.
///   gap   [m] |p| less the lower bound that the normal proves; becomes smaller, or all stays
SWEPT_FN void tilt_normal(CorePair* pair, const Simplex& s, real size, Vec3<real>* normal,
                          real* gap) {
  Vec3<real> p = zero3<real>();
  for (int k = 0; k < s.count; ++k) {
    p = p + s.weight[k] * s.vertex[k].w;
  }
  for (int i = 0; i < most_tilts && s.count < 3 && *gap > proof_gap * size; ++i) {
    Vec3<real> u = support(pair, *normal).w - p;
    u = s.count == 2 ? across_of(u, s.vertex[1].w - s.vertex[0].w) : u;
    const real square = fused_dot(u, u);
    if (!(square > 0_r)) {
      return;
    }
    const Vec3<real> n = unit(*normal - u * (fused_dot(*normal, u) / square));
    const real left = norm(p) + fused_dot(n, support(pair, n).w);
    if (!(left < *gap)) {
      return;
    }
    *normal = n;
    *gap = left;
  }
}

/// What GJK left open: the cores almost touch, or v, lost in rounding, has not seen that they overlap.
[[gnu::noinline]] SWEPT_FN void settle(CorePair* pair, const GjkResult& g, CoreNearest* n,
                                       Simplex* simplex, DistanceWork* work) {
  const real radii = pair->core1.radius + pair->core2.radius;
  tilt_normal(pair, *simplex, g.scale, &n->normal, &work->gap);
  if (work->gap <= proof_gap * g.scale) {
    return;
  }
  Simplex other;
  const CoreTouch t = look_from_outside(pair, g.normal, g.scale, &other);
  if (t.gap < work->gap) {
    *simplex = other;
    n->dist = t.dist - radii;
    n->normal = t.normal;
    work->gap = t.gap;
  }
  if (work->gap <= proof_gap * g.scale) {
    return;
  }
  other = *simplex;
  const EpaResult e = epa(pair, g.scale, &other);
  work->epa_rounds = e.rounds;
  if (e.end == EpaEnd::converged && e.inside) {
    // its polytope holds the origin
    *simplex = other;
    n->dist = -e.depth - radii;
    n->normal = e.normal;
    work->gap = e.gap;
    return;
  }
  // flat: either side of it
  const Vec3<real> sides[2] = {e.normal, -e.normal};
  for (int i = 0; i < (e.end == EpaEnd::flat ? 2 : 1); ++i) {
    const real lower = -fused_dot(sides[i], support(pair, sides[i]).w);
    if (n->dist + radii - lower < work->gap) {
      n->normal = sides[i];
      work->gap = n->dist + radii - lower;
    }
  }
}

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
  if (g.end == GjkEnd::overlap) {
    const EpaResult e = epa(pair, g.scale, simplex);
    work->epa_rounds = e.rounds;
    work->epa_end = e.end;
    work->gap = e.gap;
    n.dist = -e.depth - radii;
    n.normal = e.normal;
  } else if (g.gap > proof_gap * g.scale) {
    settle(pair, g, &n, simplex, work);
  }
  for (int i = 0; i < simplex->count; ++i) {
    n.a = n.a + simplex->weight[i] * simplex->vertex[i].a;
  }
  return n;
}

/// The corners of a simplex on one shape, each once.
///   length   [m] unit of length of the pair
SWEPT_FN Feature feature_of(const CorePair& pair, const Simplex& s, int which, real length) {
  Feature f;
  const bool round = !is_polytope(which == 1 ? pair.core1 : pair.core2);
  for (int i = 0; i < s.count && i < 3; ++i) {
    const Vertex& v = s.vertex[i];
    const int id = which == 1 ? v.id1 : v.id2;
    const Vec3<real> point =
        length * (which == 1 ? v.a : transpose_mul(pair.turn, v.a - v.w - pair.shift));
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

/// The signed distance [m] of two convex shapes, and its nearest points. Symmetric up to rounding.
///   cutoff     [m] distances of at least this much are not computed: returns cutoff, and the points
///              mean nothing
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
  DistanceWork* const how = work == nullptr ? &unwanted : work;
  const real length = unit_of_length(&pair);
  GjkStart rescaled;
  if (length < 1_r || length > 1_r) {
    rescale(&pair, 1_r / length);
    if (start != nullptr) {
      rescaled = rescale(*start, 1_r / length);
      start = &rescaled;
    }
  }
  const CoreNearest n = core_nearest(&pair, cutoff / length, &simplex, how, start);
  how->gap = how->gap * length;
  how->scale = how->scale * length;
  const real dist = n.dist * length;
  if (n.far || !(dist < cutoff)) {
    *nearest = {cutoff, s1.pos, s2.pos, {1_r, 0_r, 0_r}};
    return cutoff;
  }
  // the axes are unit vectors to a few roundings; one step of Newton's makes the normal one to one
  const Vec3<real> turned = s1.mat * n.normal;
  const Vec3<real> normal = turned * (1.5_r - 0.5_r * fused_dot(turned, turned));
  nearest->dist = dist;
  nearest->normal = normal;
  nearest->point1 = s1.pos + s1.mat * (length * (n.a + pair.core1.radius * n.normal));
  nearest->point2 = nearest->point1 + dist * normal;
  if (features != nullptr) {
    features->of1 = feature_of(pair, simplex, 1, length);
    features->of2 = feature_of(pair, simplex, 2, length);
  }
  return dist;
}

}  // namespace swept::SWEPT_NS
