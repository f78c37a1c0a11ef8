// SPDX-License-Identifier: Apache-2.0
// EPA (van den Bergen 2001): how deep the origin lies in the difference D = {a
// - b} of two cores.
//
// A polytope inside D that holds the origin grows: the vertex w of D that is
// furthest along the normal n of its nearest face joins it. With `offset` the
// distance of that face,
//
//        offset  <=  depth  <=  n . w
//
// Every n gives an upper bound; the smallest and its face are remembered. It
// ends when
//   converged  the smallest upper bound is within the tolerance of the lower
//   one full       no room is left, or rounding leaves no face to expand, and
//   the bounds do not meet
// and either way gives the face of the smallest upper bound: moving the shapes
// apart by that much along its normal separates them, always.
//
// On round shapes faces close in slowly. Once a face is near to D, Newton's
// method descends from its normal to a minimum of the upper bound, and if none
// better is known the face is taken to have this depth. That is no bound: D
// might dip between, by no more than the face was away from it. Depths along
// the axes of cylinders and boxes, where h has its sharpest minima, are looked
// at first. The gap of round shapes counts such faces as closed; that of
// polytopes is a proof.
//
// A face whose nearest point is not inside it is never the nearest of a convex
// polytope; it is one whose plane is lost in rounding, and is not expanded.
//
// The start may have any number of vertices and any shape: it is completed to a
// tetrahedron by vertices of D away from it. If there are none, D is flat, and
// the depth is zero.
#pragma once

#include "kernels/geometry/gjk.h"
#include "kernels/geometry/polytope.h"
#include "kernels/geometry/wall.h"

namespace swept::SWEPT_NS {

enum class EpaEnd { converged, full, flat };

struct EpaResult {
  EpaEnd end;
  real depth;         ///< [m] upper bound, >= 0 but for rounding
  real gap;           ///< [m] upper less lower bound
  Vec3<real> normal;  ///< from core 1 to core 2
  int rounds;
  bool inside;  ///< of a short depth: the polytope holds the origin, without a doubt
};

/// Gaps over the size of the shapes.
constexpr real polytope_depth_gap = 8_r * epsilon;
constexpr real round_depth_gap = sizeof(real) == 4 ? 8_r * epsilon : 1e-9_r;
/// Faces of round shapes that are as near as this to D, over its size, have one
/// minimum below them.
constexpr real coarse_gap = 0.01_r, coarse_gap_mesh = 5e-5_r;
/// After every so many rounds that gap doubles.
constexpr int coarse_rounds = 12;
/// The round in which a ring of equal minima around a cylinder is thought of.
constexpr int wall_rounds = 20;
/// Minima this near, over that size, count as the same.
constexpr real same_minimum = sizeof(real) == 4 ? 2e-6_r : 1e-6_r;
/// A difference thinner than this, over its size, is flat.
constexpr real flat_height = 16_r * epsilon;

/// A unit vector across a (not zero).
SWEPT_FN Vec3<real> any_across(Vec3<real> a) {
  const real x = abs(a.x), y = abs(a.y), z = abs(a.z);
  const Vec3<real> other = {x <= y && x <= z ? 1_r : 0_r, y < x && y <= z ? 1_r : 0_r,
                            z < x && z < y ? 1_r : 0_r};
  return unit(fused_cross(a, other));
}

/// From one vertex to two: the vertex furthest from it among six directions. 0:
/// D is a point.
SWEPT_FN real second_vertex(CorePair* pair, Vertex* v) {
  real best = 0_r;
  for (int i = 0; i < 6; ++i) {
    const real sign = i % 2 == 0 ? 1_r : -1_r;
    const Vertex w =
        support(pair, {i / 2 == 0 ? sign : 0_r, i / 2 == 1 ? sign : 0_r, i / 2 == 2 ? sign : 0_r});
    const Vec3<real> e = w.w - v[0].w;
    if (fused_dot(e, e) > best) {
      best = fused_dot(e, e);
      v[1] = w;
    }
  }
  return sqrt(best);
}

/// From two vertices to three: the vertex furthest from their line. Its
/// distance; 0: D is a line.
SWEPT_FN real third_vertex(CorePair* pair, Vertex* v) {
  const Vec3<real> axis = unit(v[1].w - v[0].w);
  const Vec3<real> x = any_across(axis), y = fused_cross(axis, x);
  constexpr real turn[3][2] = {
      {1_r, 0_r}, {-0.5_r, 0.8660254037844386_r}, {-0.5_r, -0.8660254037844386_r}};
  real best = 0_r;
  for (int i = 0; i < 6; ++i) {
    const real sign = i < 3 ? 1_r : -1_r;
    const Vec3<real> dir = x * (sign * turn[i % 3][0]) + y * (sign * turn[i % 3][1]);
    const Vertex w = support(pair, dir);
    const Vec3<real> off = fused_cross(axis, w.w - v[0].w);
    if (fused_dot(off, off) > best) {
      best = fused_dot(off, off);
      v[2] = w;
    }
  }
  return sqrt(best);
}

/// From three vertices to four: the vertex furthest from their plane. Its
/// height; 0: D is flat.
SWEPT_FN real fourth_vertex(CorePair* pair, Vertex* v, Vec3<real>* normal) {
  const Vec3<real> n = unit(fused_cross(v[1].w - v[0].w, v[2].w - v[0].w));
  *normal = n;
  const Vertex above = support(pair, n), below = support(pair, -n);
  const real up = fused_dot(n, above.w - v[0].w), down = fused_dot(n, v[0].w - below.w);
  v[3] = up > down ? above : below;
  return max(up, down);
}

/// Complete a simplex that holds the origin to a tetrahedron with volume that
/// holds it as well. False: D is flat, and `normal` is across it.
SWEPT_FN bool complete_simplex(CorePair* pair, const Simplex& s, real scale, Polytope* p,
                               Vec3<real>* normal) {
  Vertex* const v = p->vertex;
  const real thin = flat_height * scale;
  for (int i = 0; i < s.count; ++i) {
    v[i] = s.vertex[i];
  }
  if (s.count == 4 && start_tetrahedron(p)) {
    return true;
  }
  int count = s.count > 3 ? 3 : s.count;

  // vertices that lie on the others are as good as missing
  if (count == 3) {
    const Vec3<real> e1 = v[1].w - v[0].w, e2 = v[2].w - v[0].w, e3 = v[2].w - v[1].w;
    const Vec3<real> n = fused_cross(e1, e2);
    const real longest = max(max(fused_dot(e1, e1), fused_dot(e2, e2)), fused_dot(e3, e3));
    if (!(fused_dot(n, n) > thin * thin * longest)) {
      if (fused_dot(e2, e2) > fused_dot(e1, e1) && fused_dot(e2, e2) >= fused_dot(e3, e3)) {
        v[1] = v[2];
      } else if (fused_dot(e3, e3) > fused_dot(e1, e1)) {
        v[0] = v[2];
      }
      count = 2;
    }
  }
  if (count == 2) {
    const Vec3<real> e = v[1].w - v[0].w;
    count = fused_dot(e, e) > thin * thin ? 2 : 1;
  }

  const Vec3<real> apart = pair->shift;
  if (count == 1) {
    if (!(second_vertex(pair, v) > thin)) {
      *normal = fused_dot(apart, apart) > 0_r ? unit(apart) : Vec3<real>{1_r, 0_r, 0_r};
      return false;
    }
    count = 2;
  }
  if (count == 2) {
    if (!(third_vertex(pair, v) > thin)) {
      *normal = any_across(v[1].w - v[0].w);
      return false;
    }
  }
  return fourth_vertex(pair, v, normal) > thin && start_tetrahedron(p);
}

/// An upper bound of the depth, along a direction.
struct DepthAlong {
  real depth;         ///< [m]
  Vec3<real> normal;  ///< from core 1 to core 2
};

/// The least upper bound of the depth along the axes of cylinders and boxes: minima that a descent
/// may miss, because h has kinks there.
SWEPT_FN DepthAlong depth_along_axes(CorePair* pair) {
  DepthAlong best = {no_key, {1_r, 0_r, 0_r}};
  for (int i = 0; i < 12; ++i) {
    const int k = i % 3;
    const CoreKind kind = i % 6 < 3 ? pair->core1.kind : pair->core2.kind;
    if (kind != CoreKind::box && (kind != CoreKind::cylinder || k != 2)) {
      continue;
    }
    const real sign = i < 6 ? 1_r : -1_r;
    const Vec3<real> unit = {k == 0 ? sign : 0_r, k == 1 ? sign : 0_r, k == 2 ? sign : 0_r};
    const Vec3<real> axis = i % 6 < 3 ? unit : pair->turn * unit;
    const real h = fused_dot(axis, support(pair, axis).w);
    best = h < best.depth ? DepthAlong{h, axis} : best;
  }
  return best;
}

/// Store face `face` of the polytope as a simplex whose weights give the
/// nearest point.
SWEPT_FN void face_simplex(const Polytope& p, int face, Vec3<real> weights, Simplex* s) {
  const real w[3] = {weights.x, weights.y, weights.z};
  s->count = 3;
  for (int i = 0; i < 3; ++i) {
    s->vertex[i] = p.vertex[p.corner[face][i]];
    s->weight[i] = w[i];
  }
}

/// Replace the simplex by one at the nearest points for a known depth along n: the point of D nearest
/// to a place beyond depth n, by GJK on D moved away.
SWEPT_FN void points_at_depth(CorePair* pair, Vec3<real> n, real depth, real size,
                              Simplex* simplex) {
  const Vec3<real> shift = pair->shift, away = n * (depth + max(depth, 0.01_r * size));
  Simplex s;
  pair->shift = shift + away;
  const GjkResult g = gjk(pair, no_key, &s);
  pair->shift = shift;
  if (g.end != GjkEnd::overlap) {
    for (int i = 0; i < s.count; ++i) {
      s.vertex[i].w = s.vertex[i].w + away;
    }
    *simplex = s;
  }
}

/// The least upper bound of the depth along the normals of a hull's polygons:
/// minima at the corners of kinks, which a polytope that is full has not
/// reached.
SWEPT_FN DepthAlong depth_along_polygons(CorePair* pair, int which) {
  const Core& core = which == 1 ? pair->core1 : pair->core2;
  DepthAlong best = {no_key, {1_r, 0_r, 0_r}};
  for (int i = 0; core.hull.numvert > 0 && i < core.hull.polynum; ++i) {
    const real* const p = core.hull.polynormal + 3 * i * core.hull.polynormal_stride;
    const Vec3<real> local = {element(p), element(p + core.hull.polynormal_stride),
                              element(p + 2 * core.hull.polynormal_stride)};
    const Vec3<real> n = which == 1 ? local : pair->turn * -local;
    const real h = fused_dot(n, support(pair, n).w);
    best = h < best.depth ? DepthAlong{h, n} : best;
  }
  return best;
}

/// The depth in the wall of a core that is a cylinder no thicker than `most` [m], if it can be proven;
/// no_key if not.
SWEPT_FN DepthAlong depth_in_walls(CorePair* pair, real most) {
  for (int which = 1; which <= 2; ++which) {
    const Core& core = which == 1 ? pair->core1 : pair->core2;
    if (core.kind == CoreKind::cylinder && core.size.x <= most) {
      const WallDepth wall = depth_in_wall(pair, which);
      if (wall.proven) {
        return {wall.depth, wall.normal};
      }
    }
  }
  return {no_key, {1_r, 0_r, 0_r}};
}

/// Run EPA from the simplex in which GJK ended with an overlap.
///   simplex   receives the face at the nearest point, with weights
SWEPT_FN EpaResult epa(CorePair* pair, real scale, Simplex* simplex) {
  Polytope p;
  EpaResult r = {EpaEnd::full, 0_r, 0_r, {1_r, 0_r, 0_r}, 0, false};
  if (!complete_simplex(pair, *simplex, scale, &p, &r.normal)) {
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
  // rough: the nearest points of the best face are not those of its depth yet
  bool rough = false;
  // floor: the lower bound of faces that are not expanded any more
  real upper = no_key, floor = no_key;
  const DepthAlong axes =
      pair->polytopes ? DepthAlong{no_key, {1_r, 0_r, 0_r}} : depth_along_axes(pair);
  while (true) {
    // the nearest face, if the nearest point of its plane lies in it
    const int face = nearest_face(p);
    if (face < 0) {
      r.gap = upper - min(upper, floor);
      r.end = r.gap <= tolerance * size ? EpaEnd::converged : EpaEnd::full;
      break;
    }
    if (p.offset[face] >= upper - tolerance * size) {
      r.gap = upper - min(p.offset[face], floor);
      r.end = r.gap <= tolerance * size ? EpaEnd::converged : EpaEnd::full;
      break;
    }
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
    if (r.gap <= tolerance * size) {
      r.end = EpaEnd::converged;
      break;
    }
    // round parts: descend to the local minimum below this face, and be done
    // with the face
    const bool room = p.nvertex < polytope_vertices;
    Kink kink = {2, {0_r, 0_r, 0_r}};
    if (!pair->polytopes && (bound - p.offset[face] < coarse * size || !room)) {
      const Vertex corners[3] = {p.vertex[p.corner[face][0]], p.vertex[p.corner[face][1]],
                                 p.vertex[p.corner[face][2]]};
      kink = kink_of(*pair, corners, 3);
    }
    // where several edges meet, faces themselves converge fast
    if (!pair->polytopes && (kink.edges < 2 || !room)) {
      const Polished lowest = polish(pair, p.normal[face], w, kink, polish_residual * size);
      // any direction gives an upper bound; only a minimum has nearest points
      if (lowest.h < upper || (lowest.good && rough && lowest.h <= upper + tolerance * size)) {
        rough = !lowest.good;
        upper = lowest.h;
        r.depth = lowest.h;
        r.normal = lowest.n;
        *simplex = lowest.simplex;
      }
      // a face that hides something better than its minimum is divided further,
      // if there is room
      const bool best = lowest.h <= min(upper, axes.depth) + same_minimum * size;
      if (lowest.good ? best || !room : best && !room) {
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
  r.inside = r.depth > 0_r && r.depth < 1e-3_r * size;
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
    take(depth_in_walls(pair, r.depth));
    for (int which = 1; which <= 2 && r.end == EpaEnd::full; ++which) {
      take(depth_along_polygons(pair, which));
    }
  }
  if (rough) {
    points_at_depth(pair, r.normal, r.depth, size, simplex);
  }
  return r;
}

}  // namespace swept::SWEPT_NS
