// SPDX-License-Identifier: Apache-2.0
// The pieces of the rows' force on packs: f(r), which piece a residual is on, and C with C C^T the
// curvature there.
//
//   scalar row     C has sqrt(D) on the diagonal while lo < r < hi
//   pyramid        an edge that is pressed puts sqrt(E) (mu in its tangent's row, +-1 in its
//                  normal's) into its tangent's column; where both edges of a tangent are pressed
//                  that is sqrt(2 E) mu alone, and 2 E joins the normal's square
//   cone, bottom   sqrt(E) of every row on the diagonal
//   cone, middle   the factor of the cone's Hessian (cone.h). It is singular along the ray through
//                  the residual, so that the normal, which comes last, has no pivot of its own
#pragma once

#include "kernels/solve/newton/slots.h"

namespace swept::SWEPT_NS {

/// Pieces. Scalar rows: -1, 0, 1 for below lo, between, above hi. Tangents of pyramids: bit 0 the
/// edge r_n + mu r_t is pressed, bit 1 the other. Normals of cones:
constexpr real slot_cone_top = 5;     ///< no force
constexpr real slot_cone_bottom = 6;  ///< every row by itself
constexpr real slot_cone_middle = 7;  ///< on the surface of the friction cone

/// An elliptic contact whose normal is in slot n, with masks for lanes that have fewer tangents.
///   tangent j = 1 .. most stands in slot n - j
template <class V>
struct ConeAt {
  int n;
  int most;    ///< tangents in the lane that has most
  V tangents;  ///< of each lane, 0: no cone here
  V mu;        ///< of the regularised cone
  V N, T;      ///< normal and tangential residual, scaled
  V U[most_tangents + 1];

  SWEPT_FN mask_t<V> has(int j) const { return tangents >= V(static_cast<real>(j)); }
};

/// The cone of slot n at a residual; `most` is 0 if there is none in any lane.
template <class V>
SWEPT_FN ConeAt<V> cone_at(const Slots<V>& w, int n, Slice<V> r) {
  ConeAt<V> c{n, 0, w.vec(slot_tangents, n), w.vec(slot_mu, n), V(0_r), V(0_r), {}};
  while (c.most < most_tangents && c.most < n && any_of(c.has(c.most + 1))) {
    ++c.most;
  }
  V square(0_r);
  for (int j = 1; j <= c.most; ++j) {
    const V U = V(w.vec(slot_mu, n - j)) * V(r(n - j));
    c.U[j] = select(c.has(j), U, V(0_r));
    square += c.U[j] * c.U[j];
  }
  c.N = c.mu * V(r(n));
  c.T = sqrt(square);
  return c;
}

/// Dm, the weight of the cone's squared distance; 0 where there is no cone.
template <class V>
SWEPT_FN V cone_weight(const Slots<V>& w, const ConeAt<V>& c) {
  const V mu2 = select(c.has(1), V(c.mu * c.mu), V(1_r));
  return V(w.vec(slot_E, c.n)) / (mu2 * (V(1_r) + mu2));
}

/// Force and piece of an elliptic contact.
template <class V>
SWEPT_FN void answer_cone(const Slots<V>& w, const ConeAt<V>& c, Slice<V> r, Slice<V> f,
                          Slice<V> zone) {
  const V zero(0_r);
  const mask_t<V> cone = c.has(1), flat = c.T <= zero;
  const mask_t<V> top = c.N >= c.mu * c.T && (!flat || c.N >= zero);
  const mask_t<V> bottom = !top && (flat || c.mu * c.N + c.T <= zero);
  const V piece =
      select(top, V(slot_cone_top), select(bottom, V(slot_cone_bottom), V(slot_cone_middle)));
  const V push = -cone_weight(w, c) * (c.N - c.mu * c.T) * c.mu;
  const V plain = -V(w.vec(slot_E, c.n)) * V(r(c.n));
  f(c.n) = select(cone, select(top, zero, select(bottom, plain, push)), V(f(c.n)));
  zone(c.n) = select(cone, piece, V(zone(c.n)));
  const V ratio = push / select(flat, V(1_r), c.T);
  for (int j = 1; j <= c.most; ++j) {
    const int t = c.n - j;
    const V slide = -ratio * c.U[j] * V(w.vec(slot_mu, t));
    const V own = -V(w.vec(slot_E, t)) * V(r(t));
    f(t) = select(c.has(j), select(top, zero, select(bottom, own, slide)), V(f(t)));
  }
}

/// Forces and pieces of all slots at a residual.
template <class V>
SWEPT_FN void answer(const Slots<V>& w, const SlotLinks& links, SlotVector residual,
                     SlotVector force, SlotVector zone) {
  const V one(1_r), zero(0_r);
  const Slice<V> r = w.vec(residual), f = w.vec(force), z = w.vec(zone);
  for (int s = 0; s < w.n; ++s) {
    const V lo = w.vec(slot_lo, s), hi = w.vec(slot_hi, s), x = r(s);
    f(s) = -V(w.vec(slot_D, s)) * clamp(x, lo, hi);
    z(s) = select(x <= lo, -one, select(x >= hi, one, zero));
  }
  for (int i = 0; i < links.n; ++i) {
    const int t = links.at[i].column, n = links.at[i].row;
    const mask_t<V> here = V(w.vec(slot_off, t)) == V(static_cast<real>(n - t));
    if (none_of(here)) {
      continue;
    }
    const V mu = w.vec(slot_mu, t), E = w.vec(slot_E, t);
    const V normal = r(n), slide = mu * V(r(t));
    const V up = normal + slide, down = normal - slide;
    const V push_up = select(here, V(-E * min(up, zero)), zero);
    const V push_down = select(here, V(-E * min(down, zero)), zero);
    const V pressed = select(up < zero, one, zero) + select(down < zero, V(2_r), zero);
    f(n) += push_up + push_down;
    // of two pressed edges the normal part drops out; to subtract it would leave its rounding
    const V across = select(up < zero && down < zero, V(V(-2_r) * E * slide), push_up - push_down);
    f(t) = select(here, V(mu * across), V(f(t)));
    z(t) = select(here, pressed, V(z(t)));
  }
  for (int n = 1; n < w.n && w.any_cone; ++n) {
    const ConeAt<V> cone = cone_at(w, n, r);
    if (cone.most > 0) {
      answer_cone(w, cone, r, f, z);
    }
  }
}

/// The columns of a cone's rows.
template <class V>
SWEPT_FN void cone_curvature(const Slots<V>& w, const SlotLinks& links, const ConeAt<V>& c,
                             Slice<V> diag) {
  const V zero(0_r), one(1_r);
  const V piece = w.vec(slot_zone, c.n);
  const mask_t<V> bottom = piece == V(slot_cone_bottom), middle = piece == V(slot_cone_middle);
  diag(c.n) = select(bottom, V(w.vec(slot_E, c.n)), V(diag(c.n)));

  // Hessian of the tangents Dm (a u u^T + b 1), u = U / T, scaled by the frictions
  const V Dm = cone_weight(w, c);
  const V over_T = one / select(middle, c.T, one);
  const V a = c.mu * c.N * over_T, b = c.mu * c.mu - a;
  V u[most_tangents + 1], F[most_tangents + 1];
  for (int j = 1; j <= c.most; ++j) {
    u[j] = c.U[j] * over_T;
    F[j] = w.vec(slot_mu, c.n - j);
  }
  // factored from the first slot, that of the last tangent, on; row 0 is the normal's
  V factor[most_tangents + 1][most_tangents + 1];
  for (int j = c.most; j >= 1; --j) {
    V pivot = Dm * F[j] * F[j] * fma(a * u[j], u[j], b);
    for (int k = c.most; k > j; --k) {
      pivot -= factor[j][k] * factor[j][k];
    }
    const mask_t<V> here = middle && c.has(j) && pivot > zero;
    const V inverse = select(here, one / sqrt(select(here, pivot, one)), zero);
    for (int i = j - 1; i >= 0; --i) {
      V entry = i > 0 ? V(Dm * F[i] * F[j] * a * u[i] * u[j]) : V(-Dm * c.mu * c.mu * F[j] * u[j]);
      for (int k = c.most; k > j; --k) {
        entry -= factor[i][k] * factor[j][k];
      }
      factor[i][j] = entry * inverse;
      const int link = links.of[c.n - j][j - i - 1];
      if (link >= 0) {
        w.link()(link) = select(here, factor[i][j], V(w.link()(link)));
      }
    }
    const int t = c.n - j;
    diag(t) = select(c.has(j), select(bottom, V(w.vec(slot_E, t)), select(here, pivot, zero)),
                     V(diag(t)));
  }
}

/// C at the present pieces.
template <class V>
SWEPT_FN void curvature(const Slots<V>& w, const SlotLinks& links) {
  const V zero(0_r);
  const Slice<V> diag = w.vec(slot_diag), zones = w.vec(slot_zone), entry = w.link();
  // squares; tangents and normals have D = 0
  for (int s = 0; s < w.n; ++s) {
    diag(s) = select(V(zones(s)) == zero, V(w.vec(slot_D, s)), zero);
  }
  for (int i = 0; i < links.n; ++i) {
    const int t = links.at[i].column, n = links.at[i].row;
    const mask_t<V> here = V(w.vec(slot_off, t)) == V(static_cast<real>(n - t));
    const V zone = zones(t), E = w.vec(slot_E, t), mu = w.vec(slot_mu, t), root = sqrt(E);
    const mask_t<V> both = zone == V(3_r), none = zone == zero;
    const V pressed = select(none, zero, select(both, V(E + E), E));
    const V down = select(zone == V(1_r), root, select(zone == V(2_r), V(-root), zero));
    entry(i) = select(here, down, zero);
    diag(t) = select(here, V(pressed * mu * mu), V(diag(t)));
    diag(n) += select(here && both, V(E + E), zero);
  }
  for (int n = 1; n < w.n && w.any_cone; ++n) {
    const ConeAt<V> cone = cone_at(w, n, w.vec(slot_r));
    if (cone.most > 0) {
      cone_curvature(w, links, cone, diag);
    }
  }
  for (int s = 0; s < w.n; ++s) {
    diag(s) = sqrt(V(diag(s)));
  }
}

}  // namespace swept::SWEPT_NS
