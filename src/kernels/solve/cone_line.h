// SPDX-License-Identifier: Apache-2.0
// One elliptic contact along a line a + alpha v, relative to alpha = 0. The contact's cost (cone.h)
// is a sum of two one-sided squares: with mu, N, T and Dm as there and gap = N - mu T,
// out = mu N + T,
//
//   cost = 1/2 Dm (min(gap, 0)^2 + min(out, 0)^2)
//
// since D_k a_k^2 = D_0 U_k^2 / mu^2 (k > 0) and (1 + mu^2) (N^2 + T^2) = gap^2 + out^2. Both grow
// with N along the line at a constant rate, and with T, whose differences keep their digits as
//
//   T - T_0            = alpha (2 U_0.V + alpha V.V) / (T + T_0)         V_k = mu_k v_k
//   T - T_0 - alpha T' = alpha (alpha V.V - T'_0 (T - T_0)) / (T + T_0)
//   T' - T'_0          = (alpha V.V - T'_0 (T - T_0)) / T
//
// Where both ends lie inside the cone the cost is quadratic, and T drops out.
#pragma once

#include "kernels/solve/cone.h"

namespace swept::SWEPT_NS {

/// What rows add to the objective along a line, relative to alpha = 0.
struct LineTerms {
  real cost;  ///< less its linear part
  real slope;
  real curvature;  ///< absolute
};

/// One of the squares, of x = N times a factor + T times another one.
struct ConeTerm {
  real at_start;  ///< x(0)
  real change;    ///< x(alpha) - x(0)
  real bend;      ///< x(alpha) - x(0) - alpha x'(0)
  real alpha;
  real rate;         ///< x'(alpha)
  real rate_change;  ///< x'(alpha) - x'(0)
  real second;       ///< x''(alpha)
};

/// 1/2 min(x, 0)^2 along the line.
SWEPT_FN LineTerms one_sided_square(const ConeTerm& x) {
  const real start = min(x.at_start, 0_r);
  const real change = min(x.change, -x.at_start) - min(0_r, -x.at_start);
  const real here = start + change;
  const bool on_both_ends = x.at_start < 0 && x.change < -x.at_start;
  const real bend = on_both_ends ? x.bend : change - x.alpha * (x.rate - x.rate_change);
  return {start * bend + 0.5_r * change * change, change * x.rate + start * x.rate_change,
          x.change < -x.at_start ? x.rate * x.rate + here * x.second : 0_r};
}

/// An elliptic contact on a line.
template <int DIM>
struct ConeLine {
  real mu;
  real Dm;
  real U[DIM];
  real V[DIM];
  real N, VN;      ///< at the start, and its rate
  real T, UV, VV;  ///< at the start; inner products of U and V there
  bool inside;     ///< the start

  /// From residuals a with rates v.
  SWEPT_FN ConeLine(const Cone<DIM>& cone, const real* a, const real* v)
      : mu(cone.mu[0]),
        Dm(cone.D[0] / (mu * mu * (1 + mu * mu))),
        N(mu * a[0]),
        VN(mu * v[0]),
        UV(0),
        VV(0) {
    real UU = 0;
    for (int k = 1; k < DIM; ++k) {
      U[k] = cone.mu[k] * a[k];
      V[k] = cone.mu[k] * v[k];
      UU += U[k] * U[k];
      UV += U[k] * V[k];
      VV += V[k] * V[k];
    }
    T = sqrt(UU);
    inside = is_inside(N, T);
  }

  SWEPT_FN bool is_inside(real normal, real tangent) const {
    return mu * normal + tangent <= 0 && normal < 0;
  }

  /// The rate of T where it is `tangent`, from U.V there.
  SWEPT_FN real rate_of_T(real tangent, real product) const {
    return tangent > 0 ? product / tangent : sqrt(VV);
  }

  SWEPT_FN LineTerms at(real alpha) const {
    real UU = 0;
    real product = 0;
    for (int k = 1; k < DIM; ++k) {
      const real u = U[k] + alpha * V[k];
      UU += u * u;
      product += u * V[k];
    }
    const real T_here = sqrt(UU);
    if (inside && is_inside(N + alpha * VN, T_here)) {
      const real stiffness = Dm * (1 + mu * mu) * (VN * VN + VV);
      return {0.5_r * alpha * alpha * stiffness, alpha * stiffness, stiffness};
    }

    // T, then both squares
    const real both = T + T_here;
    const real per_both = both > 0 ? 1 / both : 0_r;
    const real per_here = T_here > 0 ? 1 / T_here : 0_r;
    const real rate_before = rate_of_T(T, UV);
    const real rate = rate_of_T(T_here, product);
    const real change = alpha * (2 * UV + alpha * VV) * per_both;
    const real rest = alpha * VV - rate_before * change;
    const real second = max(VV - rate * rate, 0_r) * per_here;
    const auto term = [&](real of_N, real of_T) {
      return one_sided_square({of_N * N + of_T * T, of_N * alpha * VN + of_T * change,
                               of_T * alpha * rest * per_both, alpha, of_N * VN + of_T * rate,
                               of_T * rest * per_here, of_T * second});
    };
    const LineTerms gap = term(1_r, -mu);
    const LineTerms out = term(mu, 1_r);
    return {Dm * (gap.cost + out.cost), Dm * (gap.slope + out.slope),
            Dm * (gap.curvature + out.curvature)};
  }
};

}  // namespace swept::SWEPT_NS
