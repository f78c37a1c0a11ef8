// SPDX-License-Identifier: Apache-2.0
// The first rounds of GJK, for the same pair of geoms in the environments of one V: they tell for
// most lanes whether the cores are further apart than matters, or overlap. See gjk.h for the search;
// here every lane takes the same steps, and what depends on the pose is a choice between values.
//
//   far       the lower bound of the distance exceeds the cutoff: the lane is done
//   overlap   a tetrahedron of the difference holds the origin: EPA starts from it
//   open      neither, yet: the search goes on alone, from the simplex that has been reached
//
// How the nearest point of a simplex is found: the points of its vertices, edges and triangles that
// lie between their corners are all points of the simplex, so the shortest of them is the nearest.
// No signs of volumes decide, only whether a point lies between, so a wrong sign costs a longer way.
#pragma once

#include "kernels/geometry/gjk.h"
#include "kernels/geometry/pack_support.h"

namespace swept::SWEPT_NS {

/// Rounds that are taken in packs. Polytopes need about 5, round shapes 6.
constexpr int pack_rounds = 8;

/// How the lanes ended: none of both is open.
template <class V>
struct PackEnd {
  mask_t<V> far, overlap;
};

/// A simplex in each lane: `newest` always, `middle` if count > 1, `oldest` if count > 2, and
/// `apex`, newer than all, in lanes that overlap.
template <class V>
struct PackSimplex {
  PackVertex<V> oldest, middle, newest, apex;
  V count;
  V square;  ///< [m^2] of the nearest point
  V scale2;  ///< [m^2] of the longest vertex seen
};

/// A candidate for the nearest point of a simplex, and the older vertices it lies between.
template <class V>
struct PackFoot {
  Vec3<V> v;
  V square;  ///< |v|^2
  V first;   ///< 0, 1, 2: oldest, middle, newest; the later of two older vertices
  V second;  ///< 0, 1: the earlier one
  V count;   ///< vertices, the new one among them

  /// Take another if it is shorter, where `there`.
  [[gnu::always_inline]] SWEPT_FN void take(const PackFoot& other, mask_t<V> there) {
    const mask_t<V> better = there && other.square < square;
    v = select(better, other.v, v);
    square = select(better, other.square, square);
    first = select(better, other.first, first);
    second = select(better, other.second, second);
    count = select(better, other.count, count);
  }
};

/// The nearest point of the segment from p to d, if it lies between them.
///   number   of p
template <class V>
[[gnu::always_inline]] SWEPT_FN void try_edge(PackFoot<V>* best, Vec3<V> p, Vec3<V> d, real number,
                                              mask_t<V> there) {
  const Vec3<V> e = d - p;
  const V length = fused_dot(e, e), along = -fused_dot(p, e);
  const V inverse = V(1_r) / length;
  const Vec3<V> near = fused_add(p, along * inverse, e);
  const Vec3<V> v = fused_add(near, -(fused_dot(near, e) * inverse), e);
  best->take({v, fused_dot(v, v), V(number), V(0_r), V(2_r)},
             there && along > V(0_r) && along < length);
}

/// A triangle (p, q, d) of a tetrahedron, and what its plane says.
template <class V>
struct PackPlane {
  Vec3<V> normal;  ///< (p - d) x (q - d)
  V square;        ///< of the normal
};

/// The nearest point of the triangle p, q, d, if it lies inside.
template <class V>
[[gnu::always_inline]] SWEPT_FN PackPlane<V> try_triangle(PackFoot<V>* best, Vec3<V> p, Vec3<V> q,
                                                          Vec3<V> d, real second, real first,
                                                          mask_t<V> there) {
  const Vec3<V> e1 = p - d, e2 = q - d;
  const Vec3<V> n = fused_cross(e1, e2);
  const V square = fused_dot(n, n), inverse = V(1_r) / square;
  const V wp = fused_dot(n, fused_cross(e2, d)) * inverse,
          wq = fused_dot(n, fused_cross(d, e1)) * inverse;
  const V wd = V(1_r) - wp - wq;
  const mask_t<V> sound = square > V(sound_triangle) * fused_dot(e1, e1) * fused_dot(e2, e2);
  const Vec3<V> v =
      select(sound, n * (fused_dot(n, d) * inverse), fused_add(fused_add(d, wp, e1), wq, e2));
  best->take({v, fused_dot(v, v), V(first), V(second), V(3_r)},
             there && square > V(0_r) && wp > V(0_r) && wq > V(0_r) && wd > V(0_r));
  return {n, square};
}

/// Whether the origin lies on the side of the plane of a triangle at d where r lies, without a doubt.
template <class V>
[[gnu::always_inline]] SWEPT_FN mask_t<V> is_within(const PackPlane<V>& plane, Vec3<V> r,
                                                    Vec3<V> d) {
  const V inner = fused_dot(plane.normal, r - d), outer = -fused_dot(plane.normal, d);
  const V size = fused_dot(d, d) + fused_dot(r, r);
  const mask_t<V> flat = inner * inner <= V(64_r * epsilon * epsilon) * size * plane.square;
  return !flat && ((inner > V(0_r) && outer >= V(0_r)) || (inner < V(0_r) && outer <= V(0_r)));
}

/// The nearest point of the simplex with vertex d added.
///   inside   receives the lanes whose tetrahedron holds the origin
template <class V>
[[gnu::always_inline]] SWEPT_FN PackFoot<V> nearest_on(const PackSimplex<V>& s, Vec3<V> d,
                                                       mask_t<V>* inside) {
  const mask_t<V> any = s.count > V(0.5_r), two = s.count > V(1.5_r), three = s.count > V(2.5_r);
  const Vec3<V> a = s.oldest.w, b = s.middle.w, c = s.newest.w;
  PackFoot<V> best = {d, fused_dot(d, d), V(0_r), V(0_r), V(1_r)};
  *inside = three && !three;
  try_edge(&best, c, d, 2_r, any);
  if (any_of(two)) {
    try_edge(&best, b, d, 1_r, two);
    const PackPlane<V> bc = try_triangle(&best, b, c, d, 1_r, 2_r, two);
    if (any_of(three)) {
      try_edge(&best, a, d, 0_r, three);
      const PackPlane<V> ab = try_triangle(&best, a, b, d, 0_r, 1_r, three);
      const PackPlane<V> ac = try_triangle(&best, a, c, d, 0_r, 2_r, three);
      *inside = three && is_within(bc, a, d) && is_within(ab, c, d) && is_within(ac, b, d);
    }
  }
  return best;
}

/// Whether a vertex of the simplex has these corners.
template <class V>
[[gnu::always_inline]] SWEPT_FN mask_t<V> has_corners(const PackSimplex<V>& s,
                                                      const PackVertex<V>& w) {
  const auto same = [&](const PackVertex<V>& v) { return v.id1 == w.id1 && v.id2 == w.id2; };
  return (s.count > V(0.5_r) && same(s.newest)) || (s.count > V(1.5_r) && same(s.middle)) ||
         (s.count > V(2.5_r) && same(s.oldest));
}

/// Run the first rounds in the lanes `active`.
///   cutoff    [m] of the cores: further ones are far
///   simplex   receives where the lanes that are not far have got
template <class V>
SWEPT_FN PackEnd<V> pack_gjk(PackPair<V>* pair, V cutoff, mask_t<V> active,
                             PackSimplex<V>* simplex) {
  PackSimplex<V>& s = *simplex;
  const V tolerance = V(pair->polytopes ? polytope_gap : round_gap);
  const PackVertex<V> zero = {zero3<V>(), zero3<V>(), V(0_r), V(0_r)};
  const V apart = fused_dot(pair->shift, pair->shift);
  const mask_t<V> centred = !(apart > V(0_r));
  Vec3<V> v = select(centred, Vec3<V>{V(1_r), V(0_r), V(0_r)}, -pair->shift);
  s = {zero, zero, zero, zero, V(0_r), select(centred, V(1_r), apart), apart};
  PackEnd<V> end = {active && !active, active && !active};
  for (int round = 0; round < pack_rounds && any_of(active); ++round) {
    const PackVertex<V> w = support(pair, -v, active);
    const V length = sqrt(s.square), along = fused_dot(v, w.w);
    s.scale2 = select(active, max(s.scale2, fused_dot(w.w, w.w)), s.scale2);
    const mask_t<V> far = active && along > cutoff * length;
    end.far = end.far || far;
    // close: left to the search alone, which says how good its answer is
    const V excess = s.square - along;
    mask_t<V> close =
        excess <= tolerance * s.square || excess <= tolerance * sqrt(s.scale2) * length;
    if (pair->polytopes) {
      close = close || has_corners(s, w);
    }
    active = active && !far && !(s.count > V(0.5_r) && close);
    mask_t<V> inside;
    const PackFoot<V> foot = nearest_on(s, w.w, &inside);
    // a sliver that seems to hold an origin which the lower bound keeps out: left alone as well
    active = active && !(inside && along > V(touch) * sqrt(s.scale2) * length);
    inside = active && inside;
    end.overlap = end.overlap || inside;
    s.apex = select(inside, w, s.apex);
    active = active && !inside && (foot.square < s.square || !(s.count > V(0.5_r)));
    // the vertices that are kept, in their order
    const mask_t<V> from_a = active && foot.first < V(0.5_r),
                    from_c = active && foot.first > V(1.5_r);
    const mask_t<V> second_b = active && foot.second > V(0.5_r);
    const PackVertex<V> middle = select(from_c, s.newest, select(from_a, s.oldest, s.middle));
    s.oldest = select(second_b, s.middle, s.oldest);
    s.middle = middle;
    s.newest = select(active, w, s.newest);
    s.count = select(active, foot.count, s.count);
    s.square = select(active, foot.square, s.square);
    v = select(active, foot.v, v);
    active = active && s.square > V(touch * touch) * s.scale2;
  }
  return end;
}

}  // namespace swept::SWEPT_NS
