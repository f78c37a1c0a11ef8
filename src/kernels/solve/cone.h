// SPDX-License-Identifier: Apache-2.0
// One elliptic contact. With mu of the regularised cone, mu_k = friction[k-1],
//
//   N = mu a_0    U_k = mu_k a_k    T = |U|
//
//   zone       where                  cost                          force
//   separated  N >= mu T              0                             0
//   inside     mu N + T <= 0          1/2 sum D_k a_k^2             -D_k a_k
//   cone       else                   1/2 Dm (N - mu T)^2           on the cone's surface
//
// Dm = D_0 / (mu^2 (1 + mu^2)). All are functions of the residuals a of the rows and, along a line,
// of their rates v.
#pragma once

#include "kernels/base/data.h"

namespace swept::SWEPT_NS {

/// Zones, as efc_state has them.
enum ConeZone : int { cone_separated = 0, cone_inside = 1, cone_surface = 4 };

/// Parameters of one contact.
template <int DIM>
struct Cone {
  real D[DIM];
  real mu[DIM];
};

/// Force and curvature at a point. The cost is -a . force / 2, since it is homogeneous of degree
/// two.
template <int DIM>
struct ConeValue {
  real force[DIM];
  real curvature;  ///< v^T H v
  int zone;
};

/// Evaluate the contact at residuals a and rates v.
template <int DIM>
SWEPT_FN ConeValue<DIM> evaluate(const Cone<DIM>& cone, const real* a, const real* v) {
  const real mu = cone.mu[0];
  real U[DIM];
  real UU = 0;
  real UV = 0;
  real VV = 0;
  for (int k = 1; k < DIM; ++k) {
    U[k] = cone.mu[k] * a[k];
    const real V = cone.mu[k] * v[k];
    UU += U[k] * U[k];
    UV += U[k] * V;
    VV += V * V;
  }
  const real N = mu * a[0];
  const real T = sqrt(UU);

  ConeValue<DIM> out{};
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    out.zone = cone_separated;
    return out;
  }
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    out.zone = cone_inside;
    for (int k = 0; k < DIM; ++k) {
      out.force[k] = -cone.D[k] * a[k];
      out.curvature += cone.D[k] * v[k] * v[k];
    }
    return out;
  }
  out.zone = cone_surface;
  const real Dm = cone.D[0] / (mu * mu * (1 + mu * mu));
  const real gap = N - mu * T;
  const real per_T = 1 / T;
  const real T1 = UV * per_T;
  const real gap1 = mu * v[0] - mu * T1;
  out.force[0] = -Dm * gap * mu;
  for (int k = 1; k < DIM; ++k) {
    out.force[k] = Dm * gap * mu * (U[k] * per_T) * cone.mu[k];
  }
  out.curvature = Dm * (gap1 * gap1 - gap * mu * max((VV - T1 * T1) * per_T, 0_r));
  return out;
}

/// out = H x at residuals a: the derivative of minus the force.
template <int DIM>
SWEPT_FN void apply_hessian(const Cone<DIM>& cone, const real* a, const real* x, real* out) {
  const ConeValue<DIM> here = evaluate<DIM>(cone, a, x);
  if (here.zone != cone_surface) {
    for (int k = 0; k < DIM; ++k) {
      out[k] = here.zone == cone_inside ? cone.D[k] * x[k] : 0_r;
    }
    return;
  }
  const real mu = cone.mu[0];
  real UU = 0;
  real UX = 0;
  for (int k = 1; k < DIM; ++k) {
    UU += cone.mu[k] * a[k] * (cone.mu[k] * a[k]);
    UX += cone.mu[k] * a[k] * (cone.mu[k] * x[k]);
  }
  const real T = sqrt(UU);
  const real Dm = cone.D[0] / (mu * mu * (1 + mu * mu));
  const real gap = mu * a[0] - mu * T;
  const real gap1 = mu * x[0] - mu * UX / T;
  out[0] = Dm * mu * gap1;
  for (int k = 1; k < DIM; ++k) {
    const real U = cone.mu[k] * a[k] / T;
    const real turn = (cone.mu[k] * x[k] - U * (UX / T)) / T;
    out[k] = -Dm * mu * cone.mu[k] * (gap1 * U + gap * turn);
  }
}

}  // namespace swept::SWEPT_NS
