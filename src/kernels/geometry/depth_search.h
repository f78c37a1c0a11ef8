// SPDX-License-Identifier: Apache-2.0
// What EPA knows while it searches for a depth: bounds, the direction of the upper one, and which face
// of the polytope to look at next (epa.h).
#pragma once

#include "kernels/geometry/compact.h"
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
/// Faces of round shapes that are as near as this to D, over its size, have one minimum below them. The
/// edges of a mesh make more, some of them by less than f32 tells apart.
constexpr real coarse_gap = 0.01_r, coarse_gap_mesh = sizeof(real) == 4 ? 1e-3_r : 5e-5_r;
/// Rounds after which a full polytope is left as it is, and its faces are closed.
constexpr int most_rounds = 400;
/// The round from which faces that are nearly settled come first.
constexpr int frontier_rounds = polytope_vertices / 2;

/// The half length of the smaller core, a point or a hull left aside; no_key if there is none.
SWEPT_FN real smaller_of(const CorePair& pair) {
  const Vec3<real> s1 = pair.core1.size, s2 = pair.core2.size;
  const real first = max(max(s1.x, s1.y), s1.z), second = max(max(s2.x, s2.y), s2.z);
  const bool has1 = pair.core1.kind != CoreKind::hull && first > 0_r;
  const bool has2 = pair.core2.kind != CoreKind::hull && second > 0_r;
  return min(has1 ? first : no_key, has2 ? second : no_key);
}

/// A search for the depth: what is known of it, and where the upper bound comes from.
struct DepthSearch {
  CorePair* pair;
  Simplex* simplex;  ///< the face at the nearest point, unless `rough`
  real size;         ///< [m] of the numbers
  EpaResult r;
  real tolerance = 0_r;    ///< of the gap, over the size
  real coarse = 0_r;       ///< coarse_gap of this round
  real smaller = 0_r;      ///< [m] smaller_of()
  bool with_mesh = false;  ///< a core is a hull
  bool rough = false;      ///< the simplex is not that of the depth yet
  real upper = no_key;     ///< [m] the least h of the directions looked at
  real floor = no_key;     ///< [m] lower bound of the faces that are closed
  DepthAlong aside = {};   ///< an upper bound that is known without the polytope
  int next_compact = 0;    ///< the round in which dropping vertices is tried again

  SWEPT_FN DepthSearch(CorePair* cores, Simplex* s, real scale)
      : pair(cores), simplex(s), size(scale), r{EpaEnd::full, 0_r, 0_r, {1_r, 0_r, 0_r}, 0, false} {
    with_mesh = pair->core1.hull.numvert > 0 || pair->core2.hull.numvert > 0;
    coarse = with_mesh ? coarse_gap_mesh : coarse_gap;
    tolerance = pair->polytopes ? polytope_depth_gap : round_depth_gap;
    smaller = smaller_of(*pair);
    aside = pair->polytopes ? DepthAlong{no_key, {1_r, 0_r, 0_r}} : depth_along_axes(pair);
  }

  SWEPT_FN real least() const { return min(upper, aside.depth); }
  /// [m] Below this heights are rounding.
  SWEPT_FN real margin() const { return 4_r * epsilon * size; }

  /// Remember a smaller upper bound.
  SWEPT_FN void lower(DepthAlong found, bool is_rough) {
    upper = found.depth;
    r.depth = found.depth;
    r.normal = found.normal;
    rough = is_rough;
  }
  /// The face is done with: nothing is nearer than `bound` below it.
  SWEPT_FN void close(Polytope* p, int face, real bound) {
    floor = min(floor, bound);
    p->key[face] = no_key;
  }
  SWEPT_FN void end(real gap) {
    r.gap = gap;
    r.end = gap <= tolerance * size ? EpaEnd::converged : EpaEnd::full;
  }
};

/// The face to be looked at next.
struct NextFace {
  int face;      ///< -1: none is left
  bool nearest;  ///< it is the nearest of all
};
SWEPT_FN NextFace next_face(const DepthSearch& d, Polytope* p) {
  // what is at least as far as the least upper bound is settled
  const real settled = d.least() - d.tolerance * d.size;
  // the nearest face; later those that are nearly settled, so that few are open at a time (next to
  // meshes the many kinks need the nearest looked at while `coarse` is small)
  const int open = d.with_mesh || d.r.rounds < frontier_rounds ? -1 : furthest_face(*p, settled);
  return open >= 0 ? NextFace{open, false} : NextFace{nearest_face(*p), true};
}

/// Drop settled vertices if the polytope is full.
SWEPT_FN void make_room(DepthSearch* d, Polytope* p) {
  if (p->nvertex == polytope_vertices && d->r.rounds >= d->next_compact &&
      d->r.rounds < most_rounds && !compact(p, d->least() - d->tolerance * d->size, d->margin())) {
    d->next_compact = d->r.rounds + 16;
  }
}

}  // namespace swept::SWEPT_NS
