// SPDX-License-Identifier: Apache-2.0
// Contacts of two boxes: the separating axis theorem, then one point between two edges or the
// polygon between two faces.
//
//   edges   the nearest points of the two edges that support the boxes along the axis
//   faces   the face of the other box that points most against the normal, clipped by the sides of
//           the reference face; the corners of what remains, up to 8, that lie below the margin
#pragma once

#include "kernels/geometry/box_axis.h"

namespace swept::SWEPT_NS {

/// Component of a unit normal that counts as zero: both edges along it support the box.
constexpr real box_ambiguous = double_real ? 1e-9_r : 1e-6_r;
/// Part of the squared size of a face that two of its clipped corners are the same within.
constexpr real box_same_corner = double_real ? 1e-14_r : 1e-10_r;

/// Component k of a vector, and the vector with another component k.
SWEPT_FN real part(Vec3<real> a, int k) {
  return k == 0 ? a.x : (k == 1 ? a.y : a.z);
}
SWEPT_FN Vec3<real> axis_of(const Mat3<real>& m, int k) {
  return k == 0 ? column_x(m) : (k == 1 ? column_y(m) : column_z(m));
}
SWEPT_FN Vec3<real> unit3(int k) {
  return {k == 0 ? 1_r : 0_r, k == 1 ? 1_r : 0_r, k == 2 ? 1_r : 0_r};
}

/// Nearest points of two segments p1 + s d1, p2 + t d2, |s| <= l1, |t| <= l2 (d1, d2 unit vectors).
struct SegmentPair {
  Vec3<real> point1, point2;
};
SWEPT_FN SegmentPair nearest_of_edges(Vec3<real> p1, Vec3<real> d1, real l1, Vec3<real> p2,
                                      Vec3<real> d2, real l2) {
  const Vec3<real> d = p2 - p1;
  const real c = dot(d1, d2), u = dot(d1, d), v = -dot(d2, d);
  const real det = 1_r - c * c;
  real s = det > 0_r ? clamp((u + c * v) / det, -l1, l1) : 0_r;
  const real t = clamp(v + c * s, -l2, l2);
  s = clamp(u + c * t, -l1, l1);
  return {p1 + d1 * s, p2 + d2 * t};
}

/// The contact between edge i of box 1 and edge j of box 2.
SWEPT_FN Witness edge_contact(const BoxPair<real>& q, int i, int j) {
  const Vec3<real> c = cross(unit3(i), q.b[j]);
  const Vec3<real> n = c * ((dot(q.p, c) < 0_r ? -1_r : 1_r) / norm(c));

  // half sizes across the edges, turned to the other box, and those the normal does not decide on
  Vec3<real> side1[2], side2[2];
  int open = 0, bit = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != i) {
      const real along = part(n, k);
      open |= magnitude(along) < box_ambiguous ? 1 << bit : 0;
      side1[bit++] = unit3(k) * (along > 0_r ? part(q.h1, k) : -part(q.h1, k));
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (k != j) {
      const real along = dot(n, q.b[k]);
      open |= magnitude(along) < box_ambiguous ? 1 << bit : 0;
      side2[bit++ - 2] = q.b[k] * (along < 0_r ? part(q.h2, k) : -part(q.h2, k));
    }
  }

  // middles of the supporting edges; where the normal does not say which, all are tried
  Witness best = {0_r, {}, n};
  real nearest = -1_r;
  for (int choice = 0; choice < 16; ++choice) {
    if ((choice & ~open) != 0) {
      continue;
    }
    const auto turned = [&](Vec3<real> side, int b) {
      return side * ((choice >> b & 1) != 0 ? -1_r : 1_r);
    };
    const Vec3<real> p1 = turned(side1[0], 0) + turned(side1[1], 1);
    const Vec3<real> p2 = q.p + turned(side2[0], 2) + turned(side2[1], 3);
    const SegmentPair at = nearest_of_edges(p1, unit3(i), part(q.h1, i), p2, q.b[j], part(q.h2, j));
    const Vec3<real> gap = at.point2 - at.point1;
    const real square = dot(gap, gap);
    if (nearest < 0_r || square < nearest) {
      nearest = square;
      best = {dot(gap, n), (at.point1 + at.point2) * 0.5_r, n};
    }
  }
  return best;
}

/// A convex polygon in the plane of a face, with heights over it.
struct FacePolygon {
  static constexpr int max_corners = 8;
  int count = 0;
  Vec3<real> at[max_corners];  ///< [m] x, y in the face, z out of it
};

/// The part of a polygon with sign * (x or y) <= half.
SWEPT_FN FacePolygon clip(const FacePolygon& polygon, bool along_y, real sign, real half) {
  FacePolygon out;
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3<real> from = polygon.at[i], to = polygon.at[i + 1 < polygon.count ? i + 1 : 0];
    const real over1 = sign * (along_y ? from.y : from.x) - half;
    const real over2 = sign * (along_y ? to.y : to.x) - half;
    if (over1 <= 0_r && out.count < FacePolygon::max_corners) {
      out.at[out.count++] = from;
    }
    if ((over1 <= 0_r) != (over2 <= 0_r) && out.count < FacePolygon::max_corners) {
      out.at[out.count++] = from + (to - from) * (over1 / (over1 - over2));
    }
  }
  return out;
}

/// The contacts between two faces.
///   ref, inc   boxes of the reference face and of the other one
///   r          axis of the reference face
SWEPT_FN int face_contacts(const Shape& ref, const Shape& inc, int r, bool ref_is_first,
                           real detect, Witness* out) {
  const Vec3<real> p = transpose_mul(ref.mat, inc.pos - ref.pos);
  const real sign = part(p, r) < 0_r ? -1_r : 1_r;
  const int x = r < 2 ? r + 1 : 0, y = x < 2 ? x + 1 : 0;
  const Vec3<real> axes[3] = {axis_of(ref.mat, x), axis_of(ref.mat, y), axis_of(ref.mat, r) * sign};
  const auto local = [&](Vec3<real> v) {
    return Vec3<real>{dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
  };

  // the other box's face
  int f = 0;
  real most = 0_r;
  for (int k = 0; k < 3; ++k) {
    const real facing = dot(axes[2], axis_of(inc.mat, k));
    if (abs(facing) > abs(most)) {
      f = k;
      most = facing;
    }
  }
  const int fx = f < 2 ? f + 1 : 0, fy = fx < 2 ? fx + 1 : 0;
  const Vec3<real> center =
      local(inc.pos - ref.pos) +
      local(axis_of(inc.mat, f)) * (most < 0_r ? part(inc.size, f) : -part(inc.size, f)) -
      Vec3<real>{0_r, 0_r, part(ref.size, r)};
  const Vec3<real> ex = local(axis_of(inc.mat, fx)) * part(inc.size, fx),
                   ey = local(axis_of(inc.mat, fy)) * part(inc.size, fy);
  FacePolygon polygon;
  polygon.count = 4;
  polygon.at[0] = center + ex + ey;
  polygon.at[1] = center - ex + ey;
  polygon.at[2] = center - ex - ey;
  polygon.at[3] = center + ex - ey;

  // what lies beside the reference face
  const real hx = part(ref.size, x), hy = part(ref.size, y);
  polygon = clip(polygon, false, 1_r, hx);
  polygon = clip(polygon, false, -1_r, hx);
  polygon = clip(polygon, true, 1_r, hy);
  polygon = clip(polygon, true, -1_r, hy);

  // its corners below the margin, each once
  const Vec3<real> normal = ref_is_first ? axes[2] : -axes[2];
  const real same = box_same_corner * (hx * hx + hy * hy);
  int n = 0;
  Vec3<real> kept[FacePolygon::max_corners];
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3<real> v = polygon.at[i];
    bool add = v.z <= detect;
    for (int k = 0; k < n && add; ++k) {
      const Vec3<real> apart = v - kept[k];
      add = dot(apart, apart) > same;
    }
    if (add) {
      kept[n] = v;
      out[n++] = {
          v.z,
          ref.pos + axes[0] * v.x + axes[1] * v.y + axes[2] * (part(ref.size, r) + 0.5_r * v.z),
          normal};
    }
  }
  return n;
}

SWEPT_FN BoxPair<real> box_pair(const Shape& a, const Shape& b) {
  return box_pair(a.pos, a.mat, a.size, b.pos, b.mat, b.size);
}

/// Contacts of two boxes with a distance of at most `detect` [m].
///   i, j   the axis of the contact, as BoxAxis
///   out    room for 8
SWEPT_FN int box_contacts(const Shape& a, const Shape& b, int i, int j, real detect, Witness* out) {
  if (j < 0) {
    return i < 3 ? face_contacts(a, b, i, true, detect, out)
                 : face_contacts(b, a, i - 3, false, detect, out);
  }
  const Witness w = edge_contact(box_pair(a, b), i, j);
  out[0] = {w.dist, a.pos + a.mat * w.pos, a.mat * w.normal};
  return 1;
}

/// The same where the axis is not known.
SWEPT_FN int box_box(const Shape& a, const Shape& b, real detect, Witness* out) {
  const BoxAxis<real> axis = box_axis(box_pair(a, b), detect);
  return axis.apart
             ? 0
             : box_contacts(a, b, static_cast<int>(axis.i), static_cast<int>(axis.j), detect, out);
}

}  // namespace swept::SWEPT_NS
