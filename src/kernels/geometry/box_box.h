// SPDX-License-Identifier: Apache-2.0
// Contacts of two boxes: the separating axis theorem, then one point between two edges or the
// polygon between two faces.
//
// Of the 3 + 3 face normals and the 9 cross products of edges, the axis with the largest signed
// separation
//
//   s = |p . n| - sum_i (h1_i |n . a_i| + h2_i |n . b_i|)        p from box 1's centre to box 2's
//
// is the contact's normal; above the margin there is no contact. Of equal ones the first counts,
// and an edge axis needs to be better than the faces by a little, and by 5 % where it is almost a
// face's normal: a polygon holds a box better than a point.
//
//   edges   the nearest points of the two edges that support the boxes along the axis
//   faces   the face of the other box that points most against the normal, clipped by the sides of
//           the reference face; the corners of what remains, up to 8, that lie below the margin
#pragma once

#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

constexpr bool double_real = sizeof(real) == 8;

/// Squared sine below which two edges count as parallel: their cross product is rounding.
constexpr real box_parallel = double_real ? 1e-16_r : 1e-7_r;
/// Part of the half sizes' sum that a separation may exceed the margin by: boxes that touch exactly.
constexpr real box_slack = double_real ? 1e-13_r : 1e-6_r;
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

/// Two boxes in the frame of the first.
struct BoxPair {
  Vec3<real> h1, h2;  ///< [m] half sizes
  Vec3<real> p;       ///< [m] centre of box 2
  Vec3<real> b[3];    ///< axes of box 2
};

SWEPT_FN BoxPair box_pair(const Shape& a, const Shape& b) {
  BoxPair q = {a.size, b.size, transpose_mul(a.mat, b.pos - a.pos), {}};
  for (int k = 0; k < 3; ++k) {
    q.b[k] = transpose_mul(a.mat, axis_of(b.mat, k));
  }
  return q;
}

/// A separating axis: of the faces (0-2 box 1's, 3-5 box 2's), or of edges i of box 1 and j of box 2.
struct BoxAxis {
  real s;        ///< [m] separation
  Vec3<real> n;  ///< in box 1's frame; sign open
  int i, j;      ///< faces: i is the face axis, j = -1
};

/// |a| by one instruction; abs() takes a branch or two, and turns -0 to 0.
[[gnu::always_inline]] SWEPT_FN real magnitude(real a) {
  return max(a, -a);
}

/// The axis of the contact.
///   bound   [m] separations above it end the search: the result's s is above it too
SWEPT_FN BoxAxis best_axis(const BoxPair& q, real bound) {
  // r[i][j]: component i of axis j of box 2
  const real r[3][3] = {{q.b[0].x, q.b[1].x, q.b[2].x},
                        {q.b[0].y, q.b[1].y, q.b[2].y},
                        {q.b[0].z, q.b[1].z, q.b[2].z}};
  const real p[3] = {q.p.x, q.p.y, q.p.z};
  const real h1[3] = {q.h1.x, q.h1.y, q.h1.z}, h2[3] = {q.h2.x, q.h2.y, q.h2.z};
  real m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m[i][j] = magnitude(r[i][j]);
    }
  }

  // faces
  real s[6];
  for (int i = 0; i < 3; ++i) {
    s[i] = magnitude(p[i]) - h1[i] - h2[0] * m[i][0] - h2[1] * m[i][1] - h2[2] * m[i][2];
    s[3 + i] =
        magnitude(dot(q.p, q.b[i])) - h1[0] * m[0][i] - h1[1] * m[1][i] - h1[2] * m[2][i] - h2[i];
  }
  int at = 0;
  for (int i = 1; i < 6; ++i) {
    at = s[i] > s[at] ? i : at;
  }
  const BoxAxis face = {s[at], at < 3 ? unit3(at) : q.b[at - 3], at, -1};
  if (face.s > bound) {
    return face;
  }

  // edges: c = e_i x b_j, with the separation times |c|, and |c|^2
  BoxAxis best = face;
  for (int i = 0; i < 3; ++i) {
    const int i1 = i < 2 ? i + 1 : 0, i2 = i1 < 2 ? i1 + 1 : 0;
    for (int j = 0; j < 3; ++j) {
      const int j1 = j < 2 ? j + 1 : 0, j2 = j1 < 2 ? j1 + 1 : 0;
      const real square = r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j];
      const real over = magnitude(p[i2] * r[i1][j] - p[i1] * r[i2][j]) - h1[i1] * m[i2][j] -
                        h1[i2] * m[i1][j] - h2[j1] * m[i][j2] - h2[j2] * m[i][j1];
      // no better than the best: most are not, and need no root. |c| <= 1, so a negative separation
      // is at most `over`
      if (square < box_parallel || (over < 0_r && over <= best.s)) {
        continue;
      }
      const real inverse = 1_r / sqrt(square);
      const real sep = over * inverse;
      if (sep > bound || sep - 1e-6_r * magnitude(sep) > best.s) {
        best = {sep, cross(unit3(i), q.b[j]) * inverse, i, j};
        if (sep > bound) {
          return best;
        }
      }
    }
  }
  const bool almost_face = abs(dot(best.n, face.n)) > 0.99_r;
  const bool little_better = best.s < face.s + 0.05_r * abs(face.s) + 1e-15_r;
  return best.j >= 0 && almost_face && little_better ? face : best;
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

/// The contact between two edges.
SWEPT_FN Witness edge_contact(const BoxPair& q, const BoxAxis& axis) {
  const Vec3<real> n = dot(q.p, axis.n) < 0_r ? -axis.n : axis.n;

  // half sizes across the edges, turned to the other box, and those the normal does not decide on
  Vec3<real> side1[2], side2[2];
  int open = 0, bit = 0;
  for (int k = 0; k < 3; ++k) {
    if (k != axis.i) {
      const real along = part(n, k);
      open |= magnitude(along) < box_ambiguous ? 1 << bit : 0;
      side1[bit++] = unit3(k) * (along > 0_r ? part(q.h1, k) : -part(q.h1, k));
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (k != axis.j) {
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
    const SegmentPair at = nearest_of_edges(p1, unit3(axis.i), part(q.h1, axis.i), p2, q.b[axis.j],
                                            part(q.h2, axis.j));
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

/// Contacts of two boxes with a distance of at most `detect` [m].
///   out   room for 8
SWEPT_FN int box_box(const Shape& a, const Shape& b, real detect, Witness* out) {
  const BoxPair q = box_pair(a, b);
  const real sizes = q.h1.x + q.h1.y + q.h1.z + q.h2.x + q.h2.y + q.h2.z;
  const real bound = detect + box_slack * sizes;
  const BoxAxis axis = best_axis(q, bound);
  if (!(axis.s <= bound)) {
    return 0;
  }
  if (axis.j < 0) {
    return axis.i < 3 ? face_contacts(a, b, axis.i, true, detect, out)
                      : face_contacts(b, a, axis.i - 3, false, detect, out);
  }
  const Witness w = edge_contact(q, axis);
  out[0] = {w.dist, a.pos + a.mat * w.pos, a.mat * w.normal};
  return 1;
}

}  // namespace swept::SWEPT_NS
