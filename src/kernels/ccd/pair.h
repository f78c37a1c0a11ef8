// SPDX-License-Identifier: Apache-2.0
// A query of the time of impact on the device: two bodies of the batch, their motions, and where
// they are relative to each other at one time.
//
// All lengths of a query are in a unit of its own, a power of two above its size: the largest
// distance of a corner from its body's origin, of both bodies, the distance of the origins at s = 0
// and their relative way, added up. So products of lengths neither overflow nor vanish in f32, and
// bodies 1e-9 or 1e9 large give the same bits. A body's corners have a unit of the body's own;
// `scale` turns them into the query's.
#pragma once

#include "kernels/ccd/twofold.h"

namespace swept::SWEPT_NS {

/// No tree is deeper: every split halves the facets.
constexpr int max_tree_depth = 32;

/// A node of a body's tree: a box along the axes of the body's frame. Nodes stand in preorder: the
/// first child is the next one.
struct BoxNode {
  Vec3<real> center;
  Vec3<real> half;
  int second;  ///< the second child; -1 - slot for the leaf of the facet in that slot

  SWEPT_FN bool leaf() const { return second < 0; }
  SWEPT_FN int slot() const { return -1 - second; }
};

struct Facet3 {
  Vec3<real> v[3];
};

/// A body in the device's memory.
struct BodyView {
  const BoxNode* nodes;
  const Facet3* facets;  ///< by slot

  /// A box and a facet in the unit of a query.
  SWEPT_FN BoxNode box(int node, real scale) const {
    const BoxNode& b = nodes[node];
    return {b.center * scale, b.half * scale, b.second};
  }
  SWEPT_FN Facet3 facet(int slot, real scale) const {
    const Facet3& f = facets[slot];
    return {{f.v[0] * scale, f.v[1] * scale, f.v[2] * scale}};
  }
};

/// How one of the two bodies turns.
struct TurnData {
  TwofoldQuat orientation;  ///< at s = 0
  TwofoldVec3 axis;         ///< world
  Twofold<real> angle;      ///< at least 0
  Vec3<real> body_axis;     ///< the axis in the body's frame, in which it stands still
};

/// A query. Lengths in its unit; what the bounds mean is in rounding.h.
struct QueryData {
  int a, b;            ///< numbers of the bodies
  int max_iterations;  ///< cap on the advances
  int directional;     ///< not 0: the directional bound
  TurnData turn_a, turn_b;
  TwofoldVec3 start;      ///< origin of a less that of b, at s = 0
  TwofoldVec3 way;        ///< way of a's origin less that of b's
  real scale_a, scale_b;  ///< from the bodies' units
  real way_speed;         ///< what the ways add to the closing speed
  real target;            ///< a certified distance must stay at or above it
  real limit;             ///< a computed distance at or below it is a contact
  real facet_error;       ///< what a bound of two facets may be off by
  real box_error;         ///< the same for two boxes
  real rate_error;        ///< the same for the rate at which a gap closes
};

/// Both bodies at a time, the first in the frame of the second.
struct PlacedPair {
  Mat3<real> rotation;  ///< from a's frame to b's
  Mat3<real> size;      ///< its absolute values
  Vec3<real> offset;    ///< a's origin in b's frame
  Mat3<real> world;     ///< from b's frame to the world
  Vec3<real> way;       ///< the relative way, and a's axis, in b's frame
  Vec3<real> axis_a;

  /// A point of the first body in the frame of the second.
  SWEPT_FN Vec3<real> operator()(Vec3<real> x) const { return rotation * x + offset; }

  SWEPT_FN Facet3 operator()(const Facet3& f) const {
    return {{(*this)(f.v[0]), (*this)(f.v[1]), (*this)(f.v[2])}};
  }
};

SWEPT_FN Mat3<real> abs(const Mat3<real>& m) {
  return {abs(m.xx), abs(m.xy), abs(m.xz), abs(m.yx), abs(m.yy),
          abs(m.yz), abs(m.zx), abs(m.zy), abs(m.zz)};
}

SWEPT_FN Vec3<real> abs(Vec3<real> v) {
  return {abs(v.x), abs(v.y), abs(v.z)};
}

SWEPT_FN real largest(Vec3<real> v) {
  return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

/// The orientation at a time.
SWEPT_FN TwofoldQuat orientation_at(const TurnData& turn, real s) {
  return turn.angle.hi > 0
             ? quaternion_of_turn(turn.axis, multiply(s, turn.angle)) * turn.orientation
             : turn.orientation;
}

SWEPT_FN PlacedPair place(const QueryData& q, real s) {
  const TwofoldQuat a = orientation_at(q.turn_a, s), b = orientation_at(q.turn_b, s);
  PlacedPair p;
  p.rotation = matrix(conjugate(b) * a);
  p.size = abs(p.rotation);
  p.world = matrix(b);
  const Vec3<real> apart = {add(q.start.x, multiply(s, q.way.x)).hi,
                            add(q.start.y, multiply(s, q.way.y)).hi,
                            add(q.start.z, multiply(s, q.way.z)).hi};
  p.offset = transpose_mul(p.world, apart);
  p.way = transpose_mul(p.world, Vec3<real>{q.way.x.hi, q.way.y.hi, q.way.z.hi});
  p.axis_a = p.rotation * q.turn_a.body_axis;
  return p;
}

}  // namespace swept::SWEPT_NS
