// SPDX-License-Identifier: Apache-2.0
// GJK (Gilbert, Johnson, Keerthi 1988): the distance of two convex cores, as that of the origin from
// the difference D = {a - b}.
//
//   v is the nearest point of a simplex of D, w the vertex of D furthest along -v:
//
//        v . w / |v|  <=  distance  <=  |v|
//
// The difference of the two bounds is the duality gap. Each round adds w to the simplex and takes
// its nearest point as the new v. It ends when
//   far        the lower bound exceeds the cutoff: nobody needs the distance
//   converged  the gap is within the tolerance; for polytopes also when w is in the simplex already:
//              then it lies on the plane through v, and the gap is zero
//   overlap    the simplex holds the origin, or v is as short as rounding
//   stalled    |v| has not become smaller. In exact arithmetic each round shortens it by at least
//              the gap, so all that is left is rounding; the simplex before is the answer.
// The last rule makes |v| strictly descend, so no simplex comes twice and the loop ends; the cap on
// rounds bounds it in practice.
#pragma once

#include "kernels/geometry/newton.h"

namespace swept::SWEPT_NS {

/// How GJK ended.
enum class GjkEnd { far, converged, polished, overlap, stalled, capped };

struct GjkResult {
  GjkEnd end;
  real distance;      ///< [m] of the cores; upper bound of it. far: lower bound
  real gap;           ///< [m] upper less lower bound
  real scale;         ///< [m] length of the longest vertex seen
  Vec3<real> normal;  ///< from core 1 to core 2, unit; not set for overlap
  int rounds;
};

/// Bound of the rounds of GJK; polytopes and round shapes need 3 to 20.
constexpr int gjk_max_rounds = 100;
/// Gap, over the size of the shapes, at which the distance of polytopes and of round shapes is good.
constexpr real polytope_gap = 2_r * epsilon;
constexpr real round_gap = sizeof(real) == 4 ? 4_r * epsilon : 1e-12_r;
/// The round in which Newton's method is tried first.
constexpr int polish_round = 4;
/// How far the point it finds may lie off its direction, over the size of the shapes: the distance is
/// good to the square of that.
constexpr real polish_residual = sizeof(real) == 4 ? 1e-4_r : 1e-7_r;
/// How often |v| may stay the same within rounding, and that rounding of its square.
constexpr int level_rounds = 6;
constexpr real level_slack = 16_r * epsilon;
/// Cores nearer than this, over their size, overlap.
constexpr real touch = 16_r * epsilon;

/// Whether the simplex has a vertex of these corners.
SWEPT_FN bool has_corners(const Simplex& s, const Vertex& w) {
  bool found = false;
  for (int i = 0; i < s.count; ++i) {
    found = found || (s.vertex[i].id1 == w.id1 && s.vertex[i].id2 == w.id2);
  }
  return found;
}

/// The direction from core 1 to core 2. A short v has few good digits; the normal of a well shaped
/// triangle has all, and v across an edge can be put right.
SWEPT_FN Vec3<real> separating_normal(const Simplex& s, Vec3<real> v, real scale) {
  if (s.count == 3 && dot(v, v) < 1e-4_r * scale * scale) {
    const Vec3<real> e1 = s.vertex[1].w - s.vertex[0].w, e2 = s.vertex[2].w - s.vertex[0].w;
    const Vec3<real> n = cross(e1, e2);
    const real square = dot(n, n), longest = max(dot(e1, e1), dot(e2, e2));
    if (square > 1e-4_r * longest * longest) {
      return n * ((dot(n, v) > 0_r ? -1_r : 1_r) / sqrt(square));
    }
  }
  Vec3<real> across = v;
  if (s.count == 2) {
    const Vec3<real> e = s.vertex[1].w - s.vertex[0].w;
    across = v - e * (dot(v, e) / dot(e, e));
  }
  return unit(-across);
}

/// Run GJK on two cores.
///   cutoff    [m] distances beyond are not computed
///   simplex   receives the final simplex (an overlap: the one that holds the origin)
SWEPT_FN GjkResult gjk(CorePair* pair, real cutoff, Simplex* simplex) {
  GjkResult r = {GjkEnd::capped, 0_r, 0_r, 0_r, {1_r, 0_r, 0_r}, 0};
  const real tolerance = pair->polytopes ? polytope_gap : round_gap;
  simplex->count = 0;
  Vec3<real> v = -pair->shift;
  real square = dot(v, v);
  if (!(square > 0_r)) {
    v = {1_r, 0_r, 0_r};
    square = 1_r;
  }
  real scale2 = dot(pair->shift, pair->shift);
  int level = 0, next_polish = polish_round;
  while (r.rounds < gjk_max_rounds) {
    const real length = sqrt(square);
    const Vec3<real> u = v * (1_r / length);
    Vertex& w = simplex->vertex[simplex->count];
    support(pair, -u, &w);
    const real lower = dot(u, w.w);
    ++r.rounds;
    scale2 = max(scale2, dot(w.w, w.w));
    if (lower > cutoff) {
      r.end = GjkEnd::far;
      r.distance = lower;
      break;
    }
    if (simplex->count > 0) {
      r.distance = length;
      r.gap = length - lower;
      if (r.gap <= tolerance * length || r.gap * r.gap <= tolerance * tolerance * scale2 ||
          (pair->polytopes && has_corners(*simplex, w))) {
        r.end = GjkEnd::converged;
        break;
      }
      if (!pair->polytopes && lower > 0_r && r.rounds >= next_polish) {
        // on round parts overtake
        next_polish += 4;
        const Polished p = polish(pair, -u, w, kink_of(*pair, simplex->vertex, simplex->count),
                                  polish_residual * sqrt(scale2));
        if (p.good) {
          *simplex = p.simplex;
          r.normal = p.n;
          r.distance = -p.h;
          r.gap = p.gap;
          r.end = GjkEnd::polished;
          break;
        }
      }
    }
    ++simplex->count;
    const Subsimplex sub = nearest_on(*simplex);
    if (sub.count == 0) {
      r.end = GjkEnd::overlap;
      break;
    }
    if (simplex->count > 1 && !(sub.square < square)) {
      if (++level > level_rounds || !(sub.square <= square * (1_r + level_slack))) {
        --simplex->count;
        r.end = GjkEnd::stalled;
        break;
      }
    }
    keep(simplex, sub);
    v = sub.v;
    square = sub.square;
    if (square <= touch * touch * scale2) {
      r.end = GjkEnd::overlap;
      break;
    }
  }
  r.scale = sqrt(scale2);
  if (r.end != GjkEnd::overlap && r.end != GjkEnd::far && r.end != GjkEnd::polished) {
    r.normal = separating_normal(*simplex, v, r.scale);
  }
  return r;
}

}  // namespace swept::SWEPT_NS
