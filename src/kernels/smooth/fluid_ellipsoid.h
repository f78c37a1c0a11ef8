// SPDX-License-Identifier: Apache-2.0
// A geom in a medium of density rho and viscosity beta, as an ellipsoid with semi-axes s. v and w
// are its velocity at its centre in its frame, vm and vi its virtual mass and inertia; o is the
// element-wise product, c_* are its coefficients, and all is multiplied by the interaction.
//
//   added mass   p = rho vm o v, L = rho vi o w     f = p x w            t = p x v + L x w
//   Magnus       f = c_magnus rho V w x v           V = 4/3 pi s_x s_y s_z
//   Kutta        f = c_kutta rho cos(alpha) A (n x v) x v
//   drag         f = -(3 pi beta D + rho |v| (c_blunt A + c_slender (A_max - A))) v
//                t = -(pi beta D^3 + rho |mom|) w
//                mom_i = w_i (c_angular II_i + c_slender (I_max - II_i))
//
// with N = diag((s_y s_z)^2, ...), n = N v, the projected area A = pi |n| / sqrt(n . v), the angle
// of attack cos(alpha) = n . v / (|v| |n|), D = 2/3 (s_x + s_y + s_z), A_max = pi d_max d_mid, II_x
// = 8/15 pi s_x max(s_y, s_z)^4, I_max = 8/15 pi d_mid d_max^4. (Andersen, Pesavento and Wang 2005
// have the terms for falling plates.) Directions and areas are scaled, so that f32 does not
// underflow.
#pragma once

#include "kernels/smooth/fluid_box.h"

namespace swept::SWEPT_NS {

/// Coefficients of a geom, from geom_fluid.
template <class V>
struct EllipsoidFluid {
  V interaction, blunt, slender, angular, kutta, magnus;
  Vec3<V> mass, inertia;  ///< virtual, per density
};

template <class V>
SWEPT_FN EllipsoidFluid<V> ellipsoid_fluid(const ModelAt<V>& m, int geom) {
  const int first = 12 * geom;
  return {m.geom_fluid(first),
          m.geom_fluid(first + 1),
          m.geom_fluid(first + 2),
          m.geom_fluid(first + 3),
          m.geom_fluid(first + 4),
          m.geom_fluid(first + 5),
          param3(m, m->geom_fluid, first + 6),
          param3(m, m->geom_fluid, first + 9)};
}

/// Semi-axes of the ellipsoid that stands for a geom.
template <class V>
SWEPT_FN Vec3<V> semi_axes(const ModelAt<V>& m, int geom) {
  const Vec3<V> size = param3(m, m->geom_size, 3 * geom);
  switch (m.geom_type(geom)) {
    case geom_sphere:
      return {size.x, size.x, size.x};
    case geom_capsule:
      return {size.x, size.x, size.x + size.y};
    case geom_cylinder:
      return {size.x, size.x, size.y};
    default:
      return size;
  }
}

/// What depends on the shape, and on the direction of the velocity.
template <class V>
struct EllipsoidFlow {
  Vec3<V> area2;  ///< N / N_max
  V speed;        ///< |v|
  Vec3<V> u;      ///< v / |v|, zero at rest
  Vec3<V> n;      ///< N u / N_max
  V un, nn;       ///< u . n, |n|; one at rest
  V area;         ///< A, zero at rest
  V diameter, area_max;
  Vec3<V> moments;  ///< mom_i / w_i
};

template <class V>
SWEPT_FN EllipsoidFlow<V> ellipsoid_flow(const EllipsoidFluid<V>& c, Vec3<V> s, Vec3<V> v) {
  EllipsoidFlow<V> x;
  // the shape
  const V largest = max(max(s.x, s.y), s.z), smallest = min(min(s.x, s.y), s.z);
  const V middle = s.x + s.y + s.z - largest - smallest;
  const V press = largest * middle;
  const auto ratio2 = [&](V a, V b) {
    const V ratio = a * b / press;
    return ratio * ratio;
  };
  x.area2 = {ratio2(s.y, s.z), ratio2(s.z, s.x), ratio2(s.x, s.y)};
  x.diameter = (s.x + s.y + s.z) * V(2_r / 3_r);
  x.area_max = press * V(pi);
  const auto fourth = [](V a) { return (a * a) * (a * a); };
  const V share = V(8_r / 15_r * pi), most = share * middle * fourth(largest);
  const auto moment = [&](V a, V b, V e) {
    const V own = share * a * fourth(max(b, e));
    return c.angular * own + c.slender * (most - own);
  };
  x.moments = {moment(s.x, s.y, s.z), moment(s.y, s.z, s.x), moment(s.z, s.x, s.y)};

  // the direction
  x.speed = norm(v);
  const mask_t<V> moves = x.speed > V(0_r);
  x.u = select<V>(moves, v * (V(1_r) / select(moves, x.speed, V(1_r))), zero3<V>());
  x.n = times(x.area2, x.u);
  x.un = select(moves, dot(x.u, x.n), V(1_r));
  x.nn = select(moves, norm(x.n), V(1_r));
  x.area = select(moves, x.area_max * x.nn / sqrt(x.un), V(0_r));
  return x;
}

/// c_kutta rho pi sqrt(N_max) sqrt(u . n) / |n|: the Kutta force is it times |v|^2 (u (n . u) - n).
template <class V>
SWEPT_FN V kutta_factor(const EllipsoidFluid<V>& c, const EllipsoidFlow<V>& x, V density) {
  return c.kutta * density * x.area_max * sqrt(x.un) / x.nn;
}

/// Torque and force at the geom's centre in its frame.
template <class V>
SWEPT_FN Force<V> ellipsoid_force(const EllipsoidFluid<V>& c, Vec3<V> s, const Medium<V>& medium,
                                  Motion<V> flow) {
  const Vec3<V> v = flow.v, w = flow.w;
  const V density = medium.density, viscosity = medium.viscosity;
  const EllipsoidFlow<V> x = ellipsoid_flow(c, s, v);

  // added mass and Magnus
  const Vec3<V> p = times(c.mass, v) * density, l = times(c.inertia, w) * density;
  const V magnus = c.magnus * density * V(4_r / 3_r * pi) * s.x * s.y * s.z;
  Force<V> sum = {cross(p, v) + cross(l, w), cross(p, w) + cross(w, v) * magnus};

  // Kutta
  const V kutta = kutta_factor(c, x, density) * x.speed * x.speed;
  sum.f = sum.f + (x.u * dot(x.n, x.u) - x.n) * kutta;

  // drag
  const V linear = V(3_r * pi) * viscosity * x.diameter +
                   density * x.speed * (x.area * c.blunt + c.slender * (x.area_max - x.area));
  const V angular = V(pi) * viscosity * x.diameter * x.diameter * x.diameter +
                    density * norm(times(x.moments, w));
  sum.f = sum.f - v * linear;
  sum.t = sum.t - w * angular;
  return {sum.t * c.interaction, sum.f * c.interaction};
}

/// d(Kutta force)/dv; with k the factor above
///   |v| k ((u (n . u) - n) (n/(n . u) - u - N n/|n|^2)^T + (n . u) 1 - N + 2 u n^T - 2 n u^T)
template <class V>
SWEPT_FN Mat3<V> kutta_derivative(const EllipsoidFluid<V>& c, const EllipsoidFlow<V>& x,
                                  V density) {
  const V k = kutta_factor(c, x, density) * x.speed;
  const Vec3<V> inward = times(x.area2, x.n) * (V(1_r) / (x.nn * x.nn));
  const Vec3<V> change = x.n * (V(1_r) / x.un) - x.u - inward;
  const Vec3<V> one = {V(1_r), V(1_r), V(1_r)};
  const V two = V(2_r), along = dot(x.n, x.u);
  const Mat3<V> sum = outer(x.u * along - x.n, change) + diagonal(one * along - x.area2) +
                      outer(x.u, x.n) * two - outer(x.n, x.u) * two;
  return sum * k;
}

/// d(drag)/dv: -(3 pi beta D + g) 1 - u (|v| grad g)^T with g = rho |v| (c_slender A_max + A
/// (c_blunt - c_slender)).
template <class V>
SWEPT_FN Mat3<V> drag_derivative(const EllipsoidFluid<V>& c, const EllipsoidFlow<V>& x,
                                 const Medium<V>& medium) {
  const V excess = c.blunt - c.slender;
  const V wall = c.slender * x.area_max + x.area * excess;
  const V loss = V(3_r * pi) * medium.viscosity * x.diameter + medium.density * x.speed * wall;
  const Vec3<V> inward = times(x.area2, x.n) * (V(1_r) / (x.nn * x.nn));
  const Vec3<V> grad = x.u * wall + (inward - x.n * (V(1_r) / x.un)) * (x.area * excess);
  const Vec3<V> one = {V(1_r), V(1_r), V(1_r)};
  return outer(x.u, grad) * (-medium.density * x.speed) - diagonal(one * loss);
}

/// The derivative of ellipsoid_force with respect to the velocity.
template <class V>
SWEPT_FN SpatialMap<V> ellipsoid_derivative(const EllipsoidFluid<V>& c, Vec3<V> s,
                                            const Medium<V>& medium, Motion<V> flow) {
  const Vec3<V> v = flow.v, w = flow.w;
  const V density = medium.density;
  const EllipsoidFlow<V> x = ellipsoid_flow(c, s, v);

  // added mass and Magnus
  const Vec3<V> mass = c.mass * density, inertia = c.inertia * density;
  const Mat3<V> p = skew(times(mass, v));
  const V magnus = c.magnus * density * V(4_r / 3_r * pi) * s.x * s.y * s.z;
  SpatialMap<V> sum = {skew(times(inertia, w)) - skew(w) * diagonal(inertia),
                       p - skew(v) * diagonal(mass), p - skew(v) * magnus,
                       skew(w) * magnus - skew(w) * diagonal(mass)};

  // Kutta and drag
  sum.fv = sum.fv + kutta_derivative(c, x, density) + drag_derivative(c, x, medium);
  const Vec3<V> momentum = times(x.moments, w);
  const V size = norm(momentum);
  const mask_t<V> turns = size > V(0_r);
  const Vec3<V> growth =
      times(x.moments, momentum) * select(turns, density / select(turns, size, V(1_r)), V(0_r));
  const V loss = V(pi) * medium.viscosity * x.diameter * x.diameter * x.diameter + density * size;
  const Vec3<V> one = {V(1_r), V(1_r), V(1_r)};
  sum.tw = sum.tw - diagonal(one * loss) - outer(w, growth);
  return sum * c.interaction;
}

}  // namespace swept::SWEPT_NS
