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

/// Whether a vertex of the simplex has these corners.
[[gnu::always_inline]] SWEPT_FN bool has_corners(const Vertex* v, const Subsimplex& s,
                                                 const Vertex& w) {
  const Vertex &v0 = v[s.i0], &v1 = v[s.i1], &v2 = v[s.i2];
  return (v0.id1 == w.id1 && v0.id2 == w.id2) || (v1.id1 == w.id1 && v1.id2 == w.id2) ||
         (v2.id1 == w.id1 && v2.id2 == w.id2);
}

/// The direction from core 1 to core 2. A short v has few good digits; the normal of a well shaped
/// triangle has all, and v across an edge or a sliver can be put right.
SWEPT_FN Vec3<real> separating_normal(const Simplex& s, Vec3<real> v, real scale) {
  if (s.count == 3 && fused_dot(v, v) < 1e-4_r * scale * scale) {
    const Vec3<real> e1 = s.vertex[1].w - s.vertex[0].w, e2 = s.vertex[2].w - s.vertex[0].w;
    const Vec3<real> n = fused_cross(e1, e2);
    const real square = fused_dot(n, n), longest = max(fused_dot(e1, e1), fused_dot(e2, e2));
    if (square > 1e-4_r * longest * longest) {
      return n * ((fused_dot(n, v) > 0_r ? -1_r : 1_r) / sqrt(square));
    }
    return unit(-foot_on_sliver({v, 0_r, 0_r}, e1, e2).v);
  }
  Vec3<real> across = v;
  if (s.count == 2) {
    const Vec3<real> e = s.vertex[1].w - s.vertex[0].w;
    across = v - e * (fused_dot(v, e) / fused_dot(e, e));
  }
  return unit(-across);
}

/// A place of four that the set does not have.
[[gnu::always_inline]] SWEPT_FN int free_place(unsigned set) {
  return (set & 1u) == 0 ? 0 : ((set & 2u) == 0 ? 1 : ((set & 4u) == 0 ? 2 : 3));
}

/// Bring the vertices i0, i1, i2, last (count of them) of a simplex to the front.
SWEPT_FN void order(Simplex* s, int count, int i0, int i1, int i2, int last) {
  const Vertex v[4] = {s->vertex[i0], s->vertex[i1], s->vertex[i2], s->vertex[last]};
  for (int i = 0; i < count; ++i) {
    s->vertex[i] = v[i];
  }
  s->count = count;
}

/// Where a search that others have begun stands.
struct GjkStart {
  bool overlap;     ///< the simplex has four vertices and holds the origin: all is done
  int rounds;       ///< that were taken
  real scale2;      ///< [m^2] square of the longest vertex seen
  Simplex simplex;  ///< its weights mean nothing
};

/// The same in another unit of length.
SWEPT_FN GjkStart rescale(GjkStart start, real factor) {
  start.scale2 = start.scale2 * factor * factor;
  for (int i = 0; i < start.simplex.count; ++i) {
    Vertex& v = start.simplex.vertex[i];
    v.w = factor * v.w;
    v.a = factor * v.a;
  }
  return start;
}

/// Run GJK on two cores.
///   cutoff    [m] distances beyond are not computed
///   simplex   receives the final simplex (an overlap: the one that holds the origin)
///   start     where to go on; null: the search begins
SWEPT_FN GjkResult gjk(CorePair* pair, real cutoff, Simplex* simplex,
                       const GjkStart* start = nullptr) {
  GjkResult r = {GjkEnd::capped, 0_r, 0_r, 0_r, {1_r, 0_r, 0_r}, 0};
  const real tolerance = pair->polytopes ? polytope_gap : round_gap;
  Vertex* const vertex = simplex->vertex;
  // the vertices stand where there was room, so that none is copied; `now` says which there are
  Subsimplex now = {-pair->shift, fused_dot(pair->shift, pair->shift), 0, 0, 1, 2, 0_r, 0_r, 0_r};
  unsigned used = 0;
  int newest = 0;
  if (!(now.square > 0_r)) {
    now.v = {1_r, 0_r, 0_r};
    now.square = 1_r;
  }
  real scale2 = fused_dot(pair->shift, pair->shift), ahead = 0_r;
  int level = 0, next_polish = polish_round;
  if (start != nullptr) {
    r.rounds = start->rounds;
    scale2 = max(scale2, start->scale2);
    if (start->overlap) {
      *simplex = start->simplex;
      r.end = GjkEnd::overlap;
      r.scale = sqrt(scale2);
      return r;
    }
    const int count = start->simplex.count;
    for (int i = 0; i < count; ++i) {
      vertex[i] = start->simplex.vertex[i];
    }
    if (count > 0) {
      now = nearest_on(vertex, count, 0, 1, 2, count - 1);
      used = 1u << now.i0 | 1u << now.i1 | 1u << now.i2;
      // it may have come that near
      r.end = now.square <= touch * touch * scale2 ? GjkEnd::overlap : r.end;
    }
  }
  while (r.end == GjkEnd::capped && r.rounds < gjk_max_rounds) {
    // v is not normalized: the root would stand in the way of the next vertex
    newest = free_place(used);
    Vertex& w = vertex[newest];
    support(pair, -now.v, &w);
    const real length = sqrt(now.square), along = fused_dot(now.v, w.w);
    ++r.rounds;
    ahead = along;
    scale2 = max(scale2, fused_dot(w.w, w.w));
    if (along > cutoff * length) {
      r.end = GjkEnd::far;
      r.distance = along / length;
      break;
    }
    if (now.count > 0) {
      const real excess = now.square - along;
      if (excess <= tolerance * now.square || excess <= tolerance * sqrt(scale2) * length ||
          (pair->polytopes && has_corners(vertex, now, w))) {
        r.end = GjkEnd::converged;
        break;
      }
      if (!pair->polytopes && along > 0_r && r.rounds >= next_polish) {
        // on round parts overtake
        next_polish += 4;
        const Vertex corners[3] = {vertex[now.i0], vertex[now.i1], vertex[now.i2]};
        const Polished p =
            polish(pair, now.v * (-1_r / length), w, kink_of(*pair, corners, now.count),
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
    const Subsimplex next = nearest_on(vertex, now.count + 1, now.i0, now.i1, now.i2, newest);
    if (next.count == 0) {
      // a sliver may seem to hold an origin that the lower bound keeps out
      r.end = along > touch * sqrt(scale2) * length ? GjkEnd::stalled : GjkEnd::overlap;
      break;
    }
    if (now.count > 0 && !(next.square < now.square)) {
      if (++level > level_rounds || !(next.square <= now.square * (1_r + level_slack))) {
        r.end = GjkEnd::stalled;
        break;
      }
    }
    now = next;
    used = 1u << now.i0 | 1u << now.i1 | 1u << now.i2;
    if (now.square <= touch * touch * scale2) {
      r.end = GjkEnd::overlap;
      break;
    }
  }
  r.scale = sqrt(scale2);
  if (r.end == GjkEnd::polished) {
    return r;
  }
  // the vertices in their order, with their weights
  const bool inside = r.end == GjkEnd::overlap && now.square > touch * touch * scale2;
  order(simplex, inside ? 4 : now.count, now.i0, now.i1, now.i2, newest);
  simplex->weight[0] = now.w0;
  simplex->weight[1] = now.w1;
  simplex->weight[2] = now.w2;
  if (r.end != GjkEnd::overlap && r.end != GjkEnd::far) {
    const real length = sqrt(now.square);
    r.distance = length;
    r.gap = length - ahead / length;
    r.normal = separating_normal(*simplex, now.v, r.scale);
  }
  return r;
}

/// Run GJK on the cores with core 2 moved by `away` for the while. The vertices come back where
/// they belong, so that the weights give the point of D nearest to the place `away`.
[[gnu::noinline]] SWEPT_FN GjkResult gjk_from(CorePair* pair, Vec3<real> away, Simplex* simplex) {
  const Vec3<real> shift = pair->shift;
  pair->shift = shift + away;
  const GjkResult g = gjk(pair, 3e38_r, simplex);
  pair->shift = shift;
  for (int i = 0; i < simplex->count; ++i) {
    simplex->vertex[i].w = simplex->vertex[i].w + away;
  }
  return g;
}

}  // namespace swept::SWEPT_NS
