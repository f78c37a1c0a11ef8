// SPDX-License-Identifier: Apache-2.0
// Contacts of a capsule with a box: balls around one or two points of the capsule's segment
// p + t w, -1 <= t <= 1 (p, w in the box's frame).
//
// The first point is the segment's nearest to the box, found among its two ends, over faces, and
// its nearest points to the twelve edges. The second lies as far along the segment as it keeps to
// the same part of the box:
//
//   end over a face     up to where the segment leaves the sides of that face
//   inside of an edge   towards the face which the segment leaves the edge over; crossing both
//                       faces' outsides or insides there is none
//   corner              along the edge if the segment is within 45 degrees of it, else along the
//                       face; pointing straight at the corner or away from it there is none
//
// It is a rule of thumb, with the official library's choices, so that both list the same contacts.
#pragma once

#include "kernels/collide/sphere.h"

namespace swept::SWEPT_NS {

/// The segment of a capsule in the frame of a box.
template <class V>
struct BoxSegment {
  Vec3<V> pos;   ///< [m] its middle
  Vec3<V> axis;  ///< unit vector
  Vec3<V> w;     ///< [m] from the middle to its end
  V half;        ///< [m] |w|
};

/// What of the box is nearest to the segment.
enum NearestPart : int { near_nothing = 0, near_end, near_edge, near_corner };

/// The nearest point of the segment.
template <class V>
struct NearestOnBox {
  V square;        ///< [m^2] distance to the box's surface, squared
  V part;          ///< NearestPart
  V t;             ///< place on the segment, [-1, 1]
  V u;             ///< place on the edge, [-1, 1]
  V axis;          ///< of the edge, or of the face's normal (-1: an end inside the box)
  Vec3<V> corner;  ///< signs of the edge's nearer corner; of the - end if u is inside
};

/// Component of a vector by a number that is known (int) or differs between lanes (V).
template <class V>
SWEPT_FN V component(Vec3<V> a, int i) {
  return i == 0 ? a.x : (i == 1 ? a.y : a.z);
}
template <class V>
SWEPT_FN V pick(Vec3<V> a, V i) {
  return select(i < V(0.5_r), a.x, select(i < V(1.5_r), a.y, a.z));
}

/// One end against the face under it, if no more than one coordinate is outside the box.
///   end   -1 or 1
template <class V>
SWEPT_FN void try_end(const BoxSegment<V>& c, Vec3<V> s, real end, NearestOnBox<V>* best) {
  const Vec3<V> q = c.pos + c.w * V(end);
  const Vec3<V> on = {clamp(q.x, V(-s.x), s.x), clamp(q.y, V(-s.y), s.y), clamp(q.z, V(-s.z), s.z)};
  const V one(1_r), zero(0_r);
  const V out_x = select(on.x == q.x, zero, one), out_y = select(on.y == q.y, zero, one),
          out_z = select(on.z == q.z, zero, one);
  const V square = dot(on - q, on - q);
  const mask_t<V> nearer = out_x + out_y + out_z < V(1.5_r) && square < best->square;
  const V axis =
      select(out_x > zero, zero, select(out_y > zero, one, select(out_z > zero, V(2_r), V(-1_r))));
  best->square = select(nearer, square, best->square);
  best->part = select(nearer, V(real(near_end)), best->part);
  best->t = select(nearer, V(end), best->t);
  best->axis = select(nearer, axis, best->axis);
}

/// The nearest points of the segment and an edge.
///   j        the edge's axis
///   corner   signs of its end on the - side
template <class V>
SWEPT_FN void try_edge(const BoxSegment<V>& c, Vec3<V> s, int j, Vec3<V> corner,
                       NearestOnBox<V>* best) {
  const V one(1_r), zero(0_r);
  const Vec3<V> unit = {V(j == 0 ? 1_r : 0_r), V(j == 1 ? 1_r : 0_r), V(j == 2 ? 1_r : 0_r)};
  const V sj = component(s, j);
  const Vec3<V> at = {corner.x * s.x, corner.y * s.y, corner.z * s.z};
  const Vec3<V> d = at + unit * sj - c.pos;  // from the segment's middle to the edge's

  // the lines' nearest points; where u leaves the edge, t follows; where t leaves the segment, u
  const V a = sj * sj, b = -sj * component(c.w, j), e = c.half * c.half;
  const V f = -sj * component(d, j), g = dot(c.w, d);
  const V det = a * e - b * b;
  const mask_t<V> crossing = abs(det) >= V(1e-15_r);
  const V inverse = one / select(crossing, det, one);
  const V line_u = (e * f - b * g) * inverse, line_t = (a * g - b * f) * inverse;
  V u = clamp(line_u, V(-1_r), one);
  V t = select(u == line_u, line_t, V((g - b * u) / select(e > zero, e, one)));
  const V held = clamp(t, V(-1_r), one);
  const mask_t<V> moved = !(held == t);
  const V again = (f - b * held) / select(a > zero, a, one);
  const V followed = clamp(again, V(-1_r), one);

  // which end the edge was last left over counts, though u may have come back from there
  const V left = select(moved && !(followed == again), again, line_u);
  const mask_t<V> clamped = abs(left) > one;
  const mask_t<V> high = left > one;
  u = select(moved, followed, u);
  t = held;

  const Vec3<V> apart = d + unit * (sj * u) - c.w * t;
  const V square = dot(apart, apart);
  const mask_t<V> nearer = crossing && square < best->square - V(1e-15_r);
  const Vec3<V> nearest = {j == 0 ? V(select(high, one, corner.x)) : corner.x,
                           j == 1 ? V(select(high, one, corner.y)) : corner.y,
                           j == 2 ? V(select(high, one, corner.z)) : corner.z};
  best->square = select(nearer, square, best->square);
  best->part =
      select(nearer, select(clamped, V(real(near_corner)), V(real(near_edge))), best->part);
  best->t = select(nearer, t, best->t);
  best->u = select(nearer, u, best->u);
  best->axis = select(nearer, V(real(j)), best->axis);
  best->corner = select<V>(nearer, nearest, best->corner);
}

/// The nearest point of the segment to the box.
///   s   [m] half sizes of the box
template <class V>
SWEPT_FN NearestOnBox<V> nearest_on_box(const BoxSegment<V>& c, Vec3<V> s) {
  const V far = norm(c.pos) + c.half + s.x + s.y + s.z;
  NearestOnBox<V> best = {V(4_r) * far * far, V(real(near_nothing)), V(0_r), V(0_r), V(-1_r),
                          zero3<V>()};
  try_end(c, s, -1_r, &best);
  try_end(c, s, 1_r, &best);
  const V one(1_r);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) {
      const V lower = (i & 1) != 0 ? one : -one, upper = (i & 2) != 0 ? one : -one;
      const Vec3<V> corner = {j == 0 ? -one : lower, j == 1 ? -one : (j == 0 ? lower : upper),
                              j == 2 ? -one : upper};
      try_edge(c, s, j, corner, &best);
    }
  }
  return best;
}

/// A step in t to the second point; zero: there is none.
template <class V>
struct SecondStep {
  mask_t<V> there;
  V step;
};

/// From an end over a face: until the segment has passed a side of it, or all of it.
template <class V>
SWEPT_FN SecondStep<V> step_from_end(const BoxSegment<V>& c, Vec3<V> s, const NearestOnBox<V>& at) {
  const V inward = -at.t;
  const Vec3<V> q = c.pos + c.w * at.t;
  V step(2_r);
  for (int i = 0; i < 3; ++i) {
    const mask_t<V> beside = !(at.axis == V(real(i)));
    for (int side = -1; side <= 1; side += 2) {
      const V wall = (V(real(side)) * component(s, i) - component(q, i)) / component(c.w, i);
      const V e = wall * inward;
      step = select(beside && e > V(0_r) && e < step, e, step);
    }
  }
  return {at.axis >= V(0_r), step * inward};
}

/// Where the segment runs away from the nearest corner: 1 per axis, else 0.
template <class V>
SWEPT_FN Vec3<V> away_from(const BoxSegment<V>& c, Vec3<V> corner) {
  const V zero(0_r), one(1_r);
  const auto differ = [&](V w, V sign) {
    return select((w > zero && sign < zero) || (!(w > zero) && !(sign < zero)), one, zero);
  };
  return {differ(c.w.x, corner.x), differ(c.w.y, corner.y), differ(c.w.z, corner.z)};
}

/// The length in t over which the segment crosses a box's extent 2 s along an axis.
template <class V>
SWEPT_FN V crossing_length(V s, V w) {
  return V(2_r) * s / abs(w);
}

/// From the inside of an edge.
template <class V>
SWEPT_FN SecondStep<V> step_from_edge(const BoxSegment<V>& c, Vec3<V> s,
                                      const NearestOnBox<V>& at) {
  const V one(1_r), zero(0_r), half(0.5_r);
  const V edge = at.axis;
  const V first = select(edge < half, one, zero);  // the other axes
  const V second = select(edge < half, V(2_r), select(edge < V(1.5_r), V(2_r), one));
  const Vec3<V> away = away_from(c, at.corner);
  const V away1 = pick(away, first), away2 = pick(away, second);
  const mask_t<V> one_of_both = away1 + away2 > half && away1 + away2 < V(1.5_r);

  // the face's normal has the smaller part of the axis; k is the direction within the face
  const mask_t<V> normal2 = abs(pick(c.axis, first)) > abs(pick(c.axis, second));
  const V k = select(normal2, first, second);
  const mask_t<V> forward = pick(away, k) > half;
  const V sign = select(forward, one, V(-1_r));
  const mask_t<V> along = pick(c.w, edge) > zero;
  const mask_t<V> same = (along && forward) || (!along && !forward);
  const V room = select(same, V(one - at.u), V(one + at.u));
  const V step = min(V(one - sign * at.t), min(crossing_length(pick(s, k), pick(c.w, k)),
                                               V(pick(s, edge) * room / abs(pick(c.w, edge)))));
  return {one_of_both, step * sign};
}

/// From a corner.
template <class V>
SWEPT_FN SecondStep<V> step_from_corner(const BoxSegment<V>& c, Vec3<V> s,
                                        const NearestOnBox<V>& at) {
  const V one(1_r), half(0.5_r);
  Vec3<V> away = away_from(c, at.corner);
  const V count = away.x + away.y + away.z;
  const mask_t<V> there = count > half && count < V(2.5_r);

  // the one axis that differs from the other two in its direction
  const mask_t<V> two = count > V(1.5_r);
  const V sign = select(two, V(-1_r), one);
  away = select<V>(two, Vec3<V>{one - away.x, one - away.y, one - away.z}, away);
  const V k = select(away.x > half, V(0_r), select(away.y > half, one, V(2_r)));
  const V first = select(k < half, one, V(0_r));
  const V second = select(k < V(1.5_r), V(2_r), one);

  const V ak = pick(c.axis, k);
  const V along = min(V(one - sign * at.t), crossing_length(pick(s, k), pick(c.w, k)));
  const V over =
      min(V(one + sign * at.t), min(crossing_length(pick(s, first), pick(c.w, first)),
                                    crossing_length(pick(s, second), pick(c.w, second))));
  return {there, select(ak * ak > half, V(along * sign), V(-over * sign))};
}

/// Capsule and box: up to two contacts.
///   margin   [m] contacts are found up to this distance (margin + gap of the pair)
template <class V>
SWEPT_FN Hits<V, 2> capsule_box(const Capsule<V>& capsule, const Box<V>& box, V margin) {
  const Vec3<V> axis = transpose_mul(box.mat, capsule.axis);
  const BoxSegment<V> c = {transpose_mul(box.mat, capsule.pos - box.pos), axis, axis * capsule.half,
                           capsule.half};
  const NearestOnBox<V> at = nearest_on_box(c, box.half);
  const SecondStep<V> end = step_from_end(c, box.half, at), edge = step_from_edge(c, box.half, at),
                      corner = step_from_corner(c, box.half, at);
  const mask_t<V> is_end = at.part == V(real(near_end)), is_edge = at.part == V(real(near_edge)),
                  is_corner = at.part == V(real(near_corner));
  const mask_t<V> there =
      (is_end && end.there) || (is_edge && edge.there) || (is_corner && corner.there);
  const V step = select(is_end, end.step, select(is_edge, edge.step, corner.step));

  const auto ball = [&](V t) {
    const Sphere<V> sphere = {capsule.pos + capsule.axis * (capsule.half * t), capsule.axis,
                              capsule.radius};
    return sphere_box(sphere, box, margin).at[0];
  };
  Hits<V, 2> hits = {ball(at.t), {}};
  if (any_of(there)) {
    hits.at[1] = ball(select(there, V(at.t + step), V(0_r)));
    hits.at[1].hit = hits.at[1].hit && there;
  }
  return hits;
}

}  // namespace swept::SWEPT_NS
