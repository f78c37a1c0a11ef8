// SPDX-License-Identifier: Apache-2.0
// Contact frames: a right-handed orthonormal basis around a normal.
//
//   row 0   the normal
//   row 1   the given tangent if there is one; else the y axis if |normal.y| < 0.5, else the z
//           axis; made orthogonal to row 0
//   row 2   row 0 x row 1
//
// A tangent parallel to the normal says nothing; the x axis then takes its place. (MuJoCo takes (1,
// 0, 0) itself, which is the same wherever that is orthogonal to the normal, as on a horizontal
// plane, and no basis elsewhere.)
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Square of the length below which what remains of a unit vector beside another is rounding only.
constexpr real parallel_square = sizeof(real) == 4 ? 1e-12_r : 1e-30_r;

/// The frame of a contact, rows normal, tangent 1, tangent 2.
///   n         unit vector
///   tangent   unit vector, or zero: none
template <class V>
SWEPT_FN Mat3<V> make_frame(Vec3<V> n, Vec3<V> tangent) {
  const Vec3<V> ex = {V(1_r), V(0_r), V(0_r)}, ey = {V(0_r), V(1_r), V(0_r)},
                ez = {V(0_r), V(0_r), V(1_r)};

  // the axis that stands for a missing tangent
  const mask_t<V> given = dot(tangent, tangent) >= V(0.25_r);
  const Vec3<V> hint = select<V>(given, tangent, select<V>(abs(n.y) < V(0.5_r), ey, ez));

  // what remains of it beside the normal; if that is nothing, the x axis, or the y axis where x is
  // the normal
  Vec3<V> t = hint - n * dot(n, hint);
  const mask_t<V> useless = dot(t, t) < V(parallel_square);
  if (any_of(useless)) {
    const Vec3<V> spare = select<V>(abs(n.x) < V(0.9_r), ex, ey);
    t = select<V>(useless, spare - n * dot(n, spare), t);
  }
  t = normalize(t);

  // a tangent close to the normal leaves a remainder that is mostly rounding: once more
  if (any_of(given)) {
    t = select<V>(given, normalize(t - n * dot(n, t)), t);
  }
  const Vec3<V> b = cross(n, t);
  return {n.x, n.y, n.z, t.x, t.y, t.z, b.x, b.y, b.z};
}

}  // namespace swept::SWEPT_NS
