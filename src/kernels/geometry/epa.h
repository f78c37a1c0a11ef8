// SPDX-License-Identifier: Apache-2.0
// EPA (van den Bergen 2001): how deep the origin lies in the difference D = {a - b} of two cores.
//
// A polytope inside D that holds the origin grows: the vertex w of D that is furthest along the
// normal n of its nearest face joins it. With `offset` the distance of that face,
//
//        offset  <=  depth  <=  n . w
//
// Every n gives an upper bound; the smallest and its face are remembered. It ends when
//   converged  the smallest upper bound is within the tolerance of the lower one
//   full       no room is left, or rounding leaves no face to expand, and the bounds do not meet
// and either way gives the face of the smallest upper bound: moving the shapes apart by that much
// along its normal separates them, always.
//
// On round shapes faces close in slowly. Once a face is near to D, Newton's method descends from its
// normal to a minimum of the upper bound, and if none better is known the face is taken to have this
// depth. That is no bound: D might dip between, by no more than the face was away from it. Where
// minima form a ring, a descent may creep along it; after many rounds it has time to arrive, and its
// end counts although it is no minimum to all digits. Depths along the axes of cylinders and boxes,
// where h has its sharpest minima, are looked at first. The gap of round shapes counts such faces as
// closed; that of polytopes is a proof.
//
// A polytope that is full drops what is settled (compact.h). So that little is open at a time, faces
// that are nearly settled come first after many rounds: all faces nearer than the depth have to be
// divided in any order.
//
// A face whose nearest point is not inside it is never the nearest of a convex polytope; it is one
// whose plane is lost in rounding, and is not expanded.
#pragma once

#include "kernels/geometry/compact.h"
#include "kernels/geometry/complete.h"
#include "kernels/geometry/known_depth.h"

namespace swept::SWEPT_NS {

enum class EpaEnd { converged, full, flat };

struct EpaResult {
  EpaEnd end;
  real depth;         ///< [m] upper bound, >= 0 but for rounding
  real gap;           ///< [m] upper less lower bound
  Vec3<real> normal;  ///< from core 1 to core 2
  int rounds;
  bool inside;  ///< the polytope holds the origin, without a doubt
};

/// Gaps over the size of the shapes.
constexpr real polytope_depth_gap = 8_r * epsilon;
constexpr real round_depth_gap = sizeof(real) == 4 ? 8_r * epsilon : 1e-9_r;
/// Faces of round shapes that are as near as this to D, over its size, have one minimum below them.
constexpr real coarse_gap = 0.01_r, coarse_gap_mesh = 5e-5_r;
/// After every so many rounds that gap doubles.
constexpr int coarse_rounds = 12;
/// Rounds after which a full polytope is left as it is.
constexpr int most_rounds = 4000;
/// The round from which faces that are nearly settled come first.
constexpr int frontier_rounds = polytope_vertices / 2;
/// The round in which a ring of equal minima around a cylinder is thought of.
constexpr int wall_rounds = 20;
/// The round from which descents are patient, and end in valleys.
constexpr int patient_rounds = 40;
/// What is a valley: where h changes by less than this a radian, over the size.
constexpr real valley_slope = 3e-4_r;
/// Minima this near, over that size, count as the same.
constexpr real same_minimum = sizeof(real) == 4 ? 2e-6_r : 1e-6_r;

/// Store face `face` of the polytope as a simplex whose weights give the nearest point.
SWEPT_FN void face_simplex(const Polytope& p, int face, Vec3<real> weights, Simplex* s) {
  const real w[3] = {weights.x, weights.y, weights.z};
  s->count = 3;
  for (int i = 0; i < 3; ++i) {
    s->vertex[i] = p.vertex[p.corner[face][i]];
    s->weight[i] = w[i];
  }
}

/// Replace the simplex by one at the nearest points for a known depth along n: the point of D
/// nearest to a place beyond depth n, by GJK on D moved away.
SWEPT_FN void points_at_depth(CorePair* pair, Vec3<real> n, real depth, real size,
                              Simplex* simplex) {
  Simplex s;
  if (gjk_from(pair, n * (depth + max(depth, 0.01_r * size)), &s).end != GjkEnd::overlap) {
    *simplex = s;
  }
}

/// The half length of the smaller core, a point or a hull left aside; no_key if there is none.
SWEPT_FN real smaller_of(const CorePair& pair) {
  const Vec3<real> s1 = pair.core1.size, s2 = pair.core2.size;
  const real first = max(max(s1.x, s1.y), s1.z), second = max(max(s2.x, s2.y), s2.z);
  const bool has1 = pair.core1.kind != CoreKind::hull && first > 0_r;
  const bool has2 = pair.core2.kind != CoreKind::hull && second > 0_r;
  return min(has1 ? first : no_key, has2 ? second : no_key);
}

/// Run EPA from the simplex in which GJK ended with an overlap.
///   simplex   receives the face at the nearest point, with weights
[[gnu::noinline]] SWEPT_FN EpaResult epa(CorePair* pair, real scale, Simplex* simplex) {
  Polytope p;
  EpaResult r = {EpaEnd::full, 0_r, 0_r, {1_r, 0_r, 0_r}, 0, false};
  if (!complete_simplex(pair, *simplex, scale, &p, &r.normal) || nearest_face(p) < 0) {
    for (int i = 0; simplex->count == 4 && i < 4; ++i) {
      simplex->weight[i] = 0.25_r;
    }
    r.end = EpaEnd::flat;
    return r;
  }
  real size = scale;
  const bool with_mesh = pair->core1.hull.numvert > 0 || pair->core2.hull.numvert > 0;
  real coarse = with_mesh ? coarse_gap_mesh : coarse_gap;
  const real tolerance = pair->polytopes ? polytope_depth_gap : round_depth_gap;
  const real smaller = smaller_of(*pair);
  // rough: the nearest points of the best face are not those of its depth yet
  bool rough = false;
  // next_compact: the round in which dropping vertices is tried again
  int next_compact = 0;
  // floor: the lower bound of faces that are not expanded any more
  real upper = no_key, floor = no_key;
  const DepthAlong axes =
      pair->polytopes ? DepthAlong{no_key, {1_r, 0_r, 0_r}} : depth_along_axes(pair);
  while (true) {
    // what is at least as far as the least upper bound is settled
    const real known = min(upper, axes.depth), settled = known - tolerance * size;
    if (p.nvertex == polytope_vertices && r.rounds >= next_compact && r.rounds < most_rounds &&
        !compact(&p, settled, 4_r * epsilon * size)) {
      next_compact = r.rounds + 16;
    }
    // the nearest face; later those that are nearly settled, so that few are open at a time (next
    // to meshes the many kinks need the nearest looked at while `coarse` is small)
    int face = with_mesh || r.rounds < frontier_rounds ? -1 : furthest_face(p, settled);
    const bool nearest = face < 0;
    face = nearest ? nearest_face(p) : face;
    if (face < 0 || (nearest && p.offset[face] >= upper - tolerance * size)) {
      r.gap = known < no_key ? known - min(face < 0 ? known : p.offset[face], floor) : size;
      r.end = r.gap <= tolerance * size ? EpaEnd::converged : EpaEnd::full;
      break;
    }
    // if the nearest point of its plane lies in it
    const Vec3<real> weights = projection_weights(p, face);
    if (min(min(weights.x, weights.y), weights.z) < -1e-3_r) {
      p.key[face] = no_key;
      continue;
    }
    Vertex& w = p.vertex[p.nvertex];
    support(pair, p.normal[face], &w);
    const real bound = fused_dot(p.normal[face], w.w);
    // the more rounds it takes, the sooner a face is done with
    coarse = r.rounds % coarse_rounds == coarse_rounds - 1 ? 2_r * coarse : coarse;
    if (++r.rounds == wall_rounds && !pair->polytopes &&
        depth_in_walls(pair, min(upper, axes.depth)).depth < no_key) {
      r.end = EpaEnd::converged;
      r.gap = 0_r;
      break;
    }
    size = max(size, max(max(abs(w.w.x), abs(w.w.y)), abs(w.w.z)));
    if (bound < upper) {
      upper = bound;
      rough = bound - p.offset[face] > tolerance * size;
      r.depth = bound;
      r.normal = p.normal[face];
      face_simplex(p, face, weights, simplex);
    }
    r.gap = upper - min(p.offset[face], floor);
    if (nearest && r.gap <= tolerance * size) {
      r.end = EpaEnd::converged;
      break;
    }
    // round parts: descend to the local minimum below this face, and be done with the face
    const bool room = p.nvertex < polytope_vertices;
    const bool patient = r.rounds > patient_rounds;
    Kink kink = {2, {0_r, 0_r, 0_r}};
    if (!pair->polytopes &&
        (bound - p.offset[face] < coarse * min(size, max(min(upper, axes.depth), smaller)) ||
         !room)) {
      const Vertex corners[3] = {p.vertex[p.corner[face][0]], p.vertex[p.corner[face][1]],
                                 p.vertex[p.corner[face][2]]};
      kink = kink_of(*pair, corners, 3);
    }
    // where several edges meet, faces themselves converge fast
    if (!pair->polytopes && (kink.edges < 2 || !room)) {
      const Polished lowest = polish(pair, p.normal[face], w, kink, polish_residual * size,
                                     patient ? patient_steps : newton_steps);
      // any direction gives an upper bound; only a minimum has nearest points
      if (lowest.h < upper || (lowest.good && rough && lowest.h <= upper + tolerance * size)) {
        rough = !lowest.good;
        upper = lowest.h;
        r.depth = lowest.h;
        r.normal = lowest.n;
        *simplex = lowest.simplex;
      }
      // a face that hides something better than its minimum is divided further, if there is room
      const bool best = lowest.h <= min(upper, axes.depth) + same_minimum * size;
      const bool valley = lowest.slope <= valley_slope * size ? patient : !room;
      if (lowest.good ? best || !room : best && valley) {
        floor = min(floor, lowest.h);
        p.key[face] = no_key;
        continue;
      }
    }
    if (!room) {
      floor = min(floor, p.offset[face]);
      p.key[face] = no_key;
      continue;
    }
    if (!(bound - p.offset[face] > 4_r * epsilon * size) ||
        !add_vertex(&p, face, 4_r * epsilon * size)) {
      floor = min(floor, p.offset[face]);
      p.key[face] = no_key;
    }
  }
  r.inside = r.depth > 0_r;
  for (int f = 0; r.inside && f < p.nface; ++f) {
    r.inside = p.state[f] != face_live || p.offset[f] > 0_r;
  }
  // what is known without the polytope
  const auto take = [&](const DepthAlong& known) {
    if (known.depth < r.depth - tolerance * size) {
      r.depth = known.depth;
      r.normal = known.normal;
      rough = true;
    }
  };
  if (!pair->polytopes) {
    take(axes);
    const real before = r.depth;
    take(depth_in_walls(pair, r.depth));
    for (int which = 1; which <= 2 && r.end == EpaEnd::full; ++which) {
      take(depth_along_polygons(pair, which));
    }
    r.gap = max(r.gap - (before - r.depth), 0_r);
  }
  if (rough) {
    points_at_depth(pair, r.normal, r.depth, size, simplex);
  }
  return r;
}

}  // namespace swept::SWEPT_NS
