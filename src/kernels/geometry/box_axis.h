// SPDX-License-Identifier: Apache-2.0
// The axis that separates two boxes most, of the 3 + 3 face normals and the 9 cross products of
// edges, in the environments of one V.
//
//   s = |p . n| - sum_i (h1_i |n . a_i| + h2_i |n . b_i|)        p from box 1's centre to box 2's
//
// The one with the largest signed separation s is the contact's normal; above the margin there is no
// contact. Of equal ones the first counts, and an edge axis needs to be better than the faces by a
// little, and by 5 % where it is almost a face's normal: a polygon holds a box better than a point.
#pragma once

#include "kernels/base/bits.h"
#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

constexpr bool double_real = sizeof(real) == 8;

/// Squared sine below which two edges count as parallel: their cross product is rounding.
constexpr real box_parallel = double_real ? 1e-16_r : 1e-7_r;
/// Part of the half sizes' sum that a separation may exceed the margin by: boxes that touch exactly.
constexpr real box_slack = double_real ? 1e-13_r : 1e-6_r;

/// Two boxes in the frame of the first.
template <class V>
struct BoxPair {
  Vec3<V> h1, h2;  ///< [m] half sizes
  Vec3<V> p;       ///< [m] centre of box 2
  Vec3<V> b[3];    ///< axes of box 2
};

template <class V>
SWEPT_FN BoxPair<V> box_pair(Vec3<V> pos1, const Mat3<V>& mat1, Vec3<V> size1, Vec3<V> pos2,
                             const Mat3<V>& mat2, Vec3<V> size2) {
  return {size1,
          size2,
          transpose_mul(mat1, pos2 - pos1),
          {transpose_mul(mat1, column_x(mat2)), transpose_mul(mat1, column_y(mat2)),
           transpose_mul(mat1, column_z(mat2))}};
}

/// The axis of the contact.
template <class V>
struct BoxAxis {
  mask_t<V>
      apart;  ///< there is none: some axis separates the boxes, or a number is not finite, or a number is not finite
  V i;        ///< an axis of a face: 0-2 of box 1, 3-5 of box 2; or the edge of box 1
  V j;        ///< -1: a face; or the edge of box 2
};

/// The axis of the contact.
///   bound   [m] boxes with a separation above it are apart
template <class V>
SWEPT_FN BoxAxis<V> best_axis(const BoxPair<V>& q, V bound) {
  // r[i][j]: component i of axis j of box 2
  const V r[3][3] = {{q.b[0].x, q.b[1].x, q.b[2].x},
                     {q.b[0].y, q.b[1].y, q.b[2].y},
                     {q.b[0].z, q.b[1].z, q.b[2].z}};
  const V p[3] = {q.p.x, q.p.y, q.p.z};
  const V h1[3] = {q.h1.x, q.h1.y, q.h1.z}, h2[3] = {q.h2.x, q.h2.y, q.h2.z};
  V m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m[i][j] = magnitude(r[i][j]);
    }
  }

  // faces
  V face = V(-3e38_r), face_at = V(0_r), sum = V(0_r);
  Vec3<V> face_normal = {V(1_r), V(0_r), V(0_r)};
  const auto try_face = [&](V s, int at, Vec3<V> n) {
    const mask_t<V> better = s > face;
    sum = sum + s;
    face = select(better, s, face);
    face_at = select(better, V(static_cast<real>(at)), face_at);
    face_normal = select(better, n, face_normal);
  };
  for (int i = 0; i < 3; ++i) {
    const V s = magnitude(p[i]) - h1[i] - h2[0] * m[i][0] - h2[1] * m[i][1] - h2[2] * m[i][2];
    const auto unit = [&](int k) { return V(i == k ? 1_r : 0_r); };
    try_face(s, i, {unit(0), unit(1), unit(2)});
  }
  for (int i = 0; i < 3; ++i) {
    const V s =
        magnitude(dot(q.p, q.b[i])) - h1[0] * m[0][i] - h1[1] * m[1][i] - h1[2] * m[2][i] - h2[i];
    try_face(s, 3 + i, q.b[i]);
  }
  BoxAxis<V> best = {face > bound || !is_finite(sum), face_at, V(-1_r)};
  if (all_of(best.apart)) {
    return best;
  }

  // edges: c = e_i x b_j, with the separation times |c|, and |c|^2
  V most = face;
  Vec3<V> normal = face_normal;
  for (int i = 0; i < 3; ++i) {
    const int i1 = i < 2 ? i + 1 : 0, i2 = i1 < 2 ? i1 + 1 : 0;
    for (int j = 0; j < 3; ++j) {
      const int j1 = j < 2 ? j + 1 : 0, j2 = j1 < 2 ? j1 + 1 : 0;
      const V square = r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j];
      const V over = magnitude(p[i2] * r[i1][j] - p[i1] * r[i2][j]) - h1[i1] * m[i2][j] -
                     h1[i2] * m[i1][j] - h2[j1] * m[i][j2] - h2[j2] * m[i][j1];
      // most are no better than the best, and need no root: |c| <= 1, so a negative separation is
      // at most `over`
      const mask_t<V> sound = !(square < V(box_parallel)) && !(over < V(0_r) && over <= most);
      if (none_of(sound)) {
        continue;
      }
      const V inverse = V(1_r) / sqrt(square);
      const V sep = over * inverse;
      best.apart = best.apart || (sound && sep > bound);
      const mask_t<V> better = sound && sep - V(1e-6_r) * magnitude(sep) > most;
      // e_i x b_j
      const auto cross_part = [&](int k) {
        return (k == i ? V(0_r) : (k == i1 ? V(-r[i2][j]) : r[i1][j])) * inverse;
      };
      normal = select(better, Vec3<V>{cross_part(0), cross_part(1), cross_part(2)}, normal);
      most = select(better, sep, most);
      best.i = select(better, V(static_cast<real>(i)), best.i);
      best.j = select(better, V(static_cast<real>(j)), best.j);
    }
  }
  const mask_t<V> almost_face = abs(dot(normal, face_normal)) > V(0.99_r);
  const mask_t<V> little_better = most < face + V(0.05_r) * abs(face) + V(1e-15_r);
  const mask_t<V> back = best.j >= V(0_r) && almost_face && little_better;
  best.i = select(back, face_at, best.i);
  best.j = select(back, V(-1_r), best.j);
  return best;
}

/// The axis of the contact of two boxes with a distance of at most `detect` [m].
template <class V>
SWEPT_FN BoxAxis<V> box_axis(const BoxPair<V>& q, V detect) {
  const V sizes = q.h1.x + q.h1.y + q.h1.z + q.h2.x + q.h2.y + q.h2.z;
  return best_axis(q, V(detect + V(box_slack) * sizes));
}

}  // namespace swept::SWEPT_NS
