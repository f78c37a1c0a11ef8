// SPDX-License-Identifier: Apache-2.0
// Spatial vectors and inertias (Featherstone, "Rigid Body Dynamics Algorithms", chapter 2) about
// one common origin with the axes of the world.
//
//   Motion   angular part w, linear part v     velocity, acceleration, axis of a dof
//   Force    torque t, force f
//   Inertia  10 numbers: I = (xx yy zz xy xz yz) about the origin, h = m d, m       d from the
//   origin to the centre of mass
//
// In memory a Motion or Force is 6 numbers, rotation first; an Inertia is 10, in the order above.
// fma() throughout: these are the inner loops of the dynamics.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

template <class V>
struct Motion {
  Vec3<V> w, v;

  SWEPT_FN friend Motion operator+(Motion a, Motion b) { return {a.w + b.w, a.v + b.v}; }
  SWEPT_FN friend Motion operator*(Motion a, V s) { return {a.w * s, a.v * s}; }
};

template <class V>
struct Force {
  Vec3<V> t, f;

  SWEPT_FN friend Force operator+(Force a, Force b) { return {a.t + b.t, a.f + b.f}; }
};

template <class V>
struct Inertia {
  V xx, yy, zz, xy, xz, yz;
  Vec3<V> h;
  V m;

  SWEPT_FN friend Inertia operator+(Inertia a, Inertia b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy,
            a.xz + b.xz, a.yz + b.yz, a.h + b.h,   a.m + b.m};
  }
};

// ---- products of three-vectors in fused form ----------------------------------------------------

/// a . b
template <class V>
SWEPT_FN V fdot(Vec3<V> a, Vec3<V> b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}

/// c + a x b
template <class V>
SWEPT_FN Vec3<V> cross_add(Vec3<V> a, Vec3<V> b, Vec3<V> c) {
  return {fma(-a.z, b.y, fma(a.y, b.z, c.x)), fma(-a.x, b.z, fma(a.z, b.x, c.y)),
          fma(-a.y, b.x, fma(a.x, b.y, c.z))};
}

/// a x b
template <class V>
SWEPT_FN Vec3<V> fcross(Vec3<V> a, Vec3<V> b) {
  return {fma(-a.z, b.y, a.y * b.z), fma(-a.x, b.z, a.z * b.x), fma(-a.y, b.x, a.x * b.y)};
}

/// c + a s
template <class V>
SWEPT_FN Vec3<V> add_scaled(Vec3<V> c, Vec3<V> a, V s) {
  return {fma(a.x, s, c.x), fma(a.y, s, c.y), fma(a.z, s, c.z)};
}

// ---- motions, forces ----------------------------------------------------------------------------

/// c + a s
template <class V>
SWEPT_FN Motion<V> add_scaled(Motion<V> c, Motion<V> a, V s) {
  return {add_scaled(c.w, a.w, s), add_scaled(c.v, a.v, s)};
}

/// Power: a . f
template <class V>
SWEPT_FN V dot(Motion<V> a, Force<V> f) {
  return fma(a.v.z, f.f.z, fma(a.v.y, f.f.y, fma(a.v.x, f.f.x, fdot(a.w, f.t))));
}

/// Change of the motion b that is carried along by the velocity a: a x b
template <class V>
SWEPT_FN Motion<V> cross(Motion<V> a, Motion<V> b) {
  return {fcross(a.w, b.w), cross_add(a.v, b.w, fcross(a.w, b.v))};
}

/// c + change of the force f that is carried along by the velocity a: c + a x* f
template <class V>
SWEPT_FN Force<V> cross_add(Motion<V> a, Force<V> f, Force<V> c) {
  return {cross_add(a.v, f.f, cross_add(a.w, f.t, c.t)), cross_add(a.w, f.f, c.f)};
}

// ---- inertias -----------------------------------------------------------------------------------

/// Momentum of a velocity, or force of an acceleration: (I w + h x v, m v - h x w)
template <class V>
SWEPT_FN Force<V> operator*(Inertia<V> a, Motion<V> b) {
  const Vec3<V> turned = {fma(a.xz, b.w.z, fma(a.xy, b.w.y, a.xx * b.w.x)),
                          fma(a.yz, b.w.z, fma(a.yy, b.w.y, a.xy * b.w.x)),
                          fma(a.zz, b.w.z, fma(a.yz, b.w.y, a.xz * b.w.x))};
  return {cross_add(a.h, b.v, turned), cross_add(b.w, a.h, b.v * a.m)};
}

/// Inertia about the origin of a body with principal moments p about axes R (columns), mass m,
/// centre of mass d from the origin: R diag(p) R^T + m (|d|^2 1 - d d^T)
template <class V>
SWEPT_FN Inertia<V> body_inertia(Mat3<V> r, Vec3<V> p, V m, Vec3<V> d) {
  const Vec3<V> row_x = {r.xx, r.xy, r.xz}, row_y = {r.yx, r.yy, r.yz}, row_z = {r.zx, r.zy, r.zz};
  const Vec3<V> px = {r.xx * p.x, r.xy * p.y, r.xz * p.z},
                py = {r.yx * p.x, r.yy * p.y, r.yz * p.z};
  const Vec3<V> pz = {r.zx * p.x, r.zy * p.y, r.zz * p.z};
  const Vec3<V> h = d * m;
  return {fma(h.z, d.z, fma(h.y, d.y, fdot(px, row_x))),
          fma(h.z, d.z, fma(h.x, d.x, fdot(py, row_y))),
          fma(h.y, d.y, fma(h.x, d.x, fdot(pz, row_z))),
          fma(-h.x, d.y, fdot(px, row_y)),
          fma(-h.x, d.z, fdot(px, row_z)),
          fma(-h.y, d.z, fdot(py, row_z)),
          h,
          m};
}

// ---- fields -------------------------------------------------------------------------------------
// From and to consecutive places, given the first: motion(d.cvel(6 * body)).

template <class V>
SWEPT_FN Motion<V> motion(Ref<V> r) {
  return {{load<V>(r.p), load<V>(r.p + W), load<V>(r.p + 2 * W)},
          {load<V>(r.p + 3 * W), load<V>(r.p + 4 * W), load<V>(r.p + 5 * W)}};
}
template <class V>
SWEPT_FN Force<V> force(Ref<V> r) {
  return {{load<V>(r.p), load<V>(r.p + W), load<V>(r.p + 2 * W)},
          {load<V>(r.p + 3 * W), load<V>(r.p + 4 * W), load<V>(r.p + 5 * W)}};
}
template <class V>
SWEPT_FN Inertia<V> inertia(Ref<V> r) {
  return {load<V>(r.p),
          load<V>(r.p + W),
          load<V>(r.p + 2 * W),
          load<V>(r.p + 3 * W),
          load<V>(r.p + 4 * W),
          load<V>(r.p + 5 * W),
          {load<V>(r.p + 6 * W), load<V>(r.p + 7 * W), load<V>(r.p + 8 * W)},
          load<V>(r.p + 9 * W)};
}
template <class V>
SWEPT_FN void put(Ref<V> r, Motion<V> a) {
  put(r, a.w);
  put(Ref<V>(r.p + 3 * W), a.v);
}
template <class V>
SWEPT_FN void put(Ref<V> r, Force<V> a) {
  put(r, a.t);
  put(Ref<V>(r.p + 3 * W), a.f);
}
template <class V>
SWEPT_FN void put(Ref<V> r, Inertia<V> a) {
  store(r.p, a.xx);
  store(r.p + W, a.yy);
  store(r.p + 2 * W, a.zz);
  store(r.p + 3 * W, a.xy);
  store(r.p + 4 * W, a.xz);
  store(r.p + 5 * W, a.yz);
  put(Ref<V>(r.p + 6 * W), a.h);
  store(r.p + 9 * W, a.m);
}

}  // namespace swept::SWEPT_NS
