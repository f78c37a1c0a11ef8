// SPDX-License-Identifier: Apache-2.0
// A body in a medium by the box that has its inertia: sides b_x = sqrt(6 (I_y + I_z - I_x) / m),
// and so on around. With d the mean side, v and w the velocity in the frame of the inertia at the
// centre of mass,
//
//   viscosity beta   f = -3 pi d beta v
//                    t = -pi d^3 beta w
//   density rho      f_x = -rho b_y b_z |v_x| v_x / 2
//                    t_x = -rho b_x (b_y^4 + b_z^4) |w_x| w_x / 64
#pragma once

#include "kernels/math/spatial_map.h"
#include "kernels/smooth/access.h"

namespace swept::SWEPT_NS {

constexpr real pi = 3.14159265358979323846_r;

/// What a body moves in: density and viscosity are not negative.
template <class V>
struct Medium {
  V density, viscosity;
  Vec3<V> wind;
};

/// The factors of v, |v| v, w and |w| w.
template <class V>
struct BoxDrag {
  V linear, angular;
  Vec3<V> linear_square, angular_square;
};

template <class V>
SWEPT_FN BoxDrag<V> box_drag(const ModelAt<V>& m, int body, const Medium<V>& medium) {
  const Vec3<V> inertia = param3(m, m->body_inertia, 3 * body);
  const V scale = V(6_r) / m.body_mass(body);
  const auto side = [&](V twice) { return sqrt(max(V(1e-15_r), twice) * scale); };
  const Vec3<V> b = {side(inertia.y + inertia.z - inertia.x),
                     side(inertia.x + inertia.z - inertia.y),
                     side(inertia.x + inertia.y - inertia.z)};
  const V d = (b.x + b.y + b.z) * V(1_r / 3_r);
  const auto fourth = [](V x) { return (x * x) * (x * x); };
  const V x4 = fourth(b.x), y4 = fourth(b.y), z4 = fourth(b.z);
  const V half = V(-0.5_r) * medium.density, sixtyfourth = V(-1_r / 64_r) * medium.density;
  return {V(-3_r * pi) * d * medium.viscosity,
          V(-pi) * d * d * d * medium.viscosity,
          {half * b.y * b.z, half * b.z * b.x, half * b.x * b.y},
          {sixtyfourth * b.x * (y4 + z4), sixtyfourth * b.y * (z4 + x4),
           sixtyfourth * b.z * (x4 + y4)}};
}

/// |x|, element by element.
template <class V>
SWEPT_FN Vec3<V> magnitudes(Vec3<V> x) {
  return {abs(x.x), abs(x.y), abs(x.z)};
}

/// Torque and force at the centre of mass along the axes of the inertia.
template <class V>
SWEPT_FN Force<V> box_force(const BoxDrag<V>& drag, Motion<V> flow) {
  const Vec3<V> w = flow.w, v = flow.v;
  return {w * drag.angular + times(drag.angular_square, times(magnitudes(w), w)),
          v * drag.linear + times(drag.linear_square, times(magnitudes(v), v))};
}

/// Its derivative with respect to the velocity.
template <class V>
SWEPT_FN SpatialMap<V> box_derivative(const BoxDrag<V>& drag, Motion<V> flow) {
  const Vec3<V> one = {V(1_r), V(1_r), V(1_r)};
  const V two = V(2_r);
  return {diagonal(one * drag.angular + times(drag.angular_square, magnitudes(flow.w)) * two),
          zero33<V>(), zero33<V>(),
          diagonal(one * drag.linear + times(drag.linear_square, magnitudes(flow.v)) * two)};
}

}  // namespace swept::SWEPT_NS
