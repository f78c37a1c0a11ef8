// SPDX-License-Identifier: Apache-2.0
// Newton's method in the space of rows, for small models, on packs.
//
// With qacc = qacc_smooth + M^-1 J^T lambda the residual is r = b + A lambda, A = J M^-1 J^T, and the
// optimum is where lambda = f(r), the force that every row answers with. On its present piece a row
// has f(r) = c - C C^T r, where c is the force of friction loss that has reached its bound and 0
// otherwise (on a cone's surface that is the tangent plane). There lambda = f(b + A lambda) gives
//
//   lambda = c + C u,   (I + C^T A C) u = -C^T (b + A c),
//
// which is the step of the primal Newton method, with no difference of large numbers in it however
// stiff the rows are. f is linear on a piece, so a full step that stays on its pieces is the
// optimum (minimise.h). The slope of the objective along a step delta is
//
//   slope(alpha) = (lambda + alpha delta - f(r + alpha A delta)) . A delta.
//
// C is lower triangular (pieces.h).
#pragma once

#include "kernels/solve/newton/cholesky.h"
#include "kernels/solve/newton/minimise.h"

namespace swept::SWEPT_NS {

/// The slots on which any environment has curvature, and those that C links to them, in order.
struct ActiveSlots {
  int at[dual_most_rows];
  int place[dual_most_rows];  ///< of a slot in `at`, -1: not there
  int n = 0;
};

template <class V>
SWEPT_FN void find_active(const Slots<V>& w, const SlotLinks& links, ActiveSlots* active) {
  for (int s = 0; s < w.n; ++s) {
    active->place[s] = any_of(V(w.vec(slot_diag, s)) != V(0_r)) ? 0 : -1;
  }
  for (int i = 0; i < links.n; ++i) {
    if (active->place[links.at[i].column] == 0) {
      active->place[links.at[i].row] = 0;
    }
  }
  active->n = 0;
  for (int s = 0; s < w.n; ++s) {
    if (active->place[s] == 0) {
      active->place[s] = active->n;
      active->at[active->n++] = s;
    }
  }
}

/// to(a) = C^T x for the first n active slots; x by slot.
template <class V>
SWEPT_FN void apply_CT(const Slots<V>& w, const SlotLinks& links, const ActiveSlots& active, int n,
                       Slice<V> x, Slice<V> to) {
  for (int a = 0; a < n; ++a) {
    const int s = active.at[a];
    to(a) = V(w.vec(slot_diag, s)) * V(x(s));
  }
  for (int i = 0; i < links.n; ++i) {
    const int a = active.place[links.at[i].column];
    if (a >= n) {
      break;
    }
    if (a >= 0) {
      to(a) = fma(V(w.link()(i)), V(x(links.at[i].row)), V(to(a)));
    }
  }
}

/// to = A from.
template <class V>
SWEPT_FN void multiply_A(const Slots<V>& w, SlotVector from, SlotVector to) {
  const Slice<V> x = w.vec(from);
  each_four<V>(
      w.n, [&](int s) { return w.A(s); },
      [&](int s, int r, const Slice<V>(&rows)[4]) {
        V sums[4];
        inner_products(r, rows, x, w.n, sums);
        for (int k = 0; k < r; ++k) {
          w.vec(to, s + k) = sums[k];
        }
      });
}

/// G = C^T A C over the active slots, lower triangle.
template <class V>
SWEPT_FN void form_system(const Slots<V>& w, const SlotLinks& links, const ActiveSlots& active) {
  // A C by rows; entry b of row a is used where b <= a only
  for (int a = 0; a < active.n; ++a) {
    apply_CT(w, links, active, a + 1, w.A(active.at[a]), w.G(a));
  }
  // C^T of it; rows below still hold A C
  int link = 0;
  for (int a = 0; a < active.n; ++a) {
    const int s = active.at[a];
    const Slice<V> row = w.G(a);
    const V diag = w.vec(slot_diag, s);
    for (int b = 0; b <= a; ++b) {
      row(b) = diag * V(row(b));
    }
    while (link < links.n && links.at[link].column < s) {
      ++link;
    }
    for (; link < links.n && links.at[link].column == s; ++link) {
      const Slice<V> other = w.G(active.place[links.at[link].row]);
      const V take = w.link()(link);
      for (int b = 0; b <= a; ++b) {
        row(b) = fma(take, V(other(b)), V(row(b)));
      }
    }
  }
}

/// delta, the step of lambda to the optimum of the present pieces, and its rate A delta.
template <class V>
SWEPT_FN void newton_step(const Slots<V>& w, const SlotLinks& links, const ActiveSlots& active) {
  // c, and b + A c
  bool any = false;
  for (int s = 0; s < w.n; ++s) {
    const mask_t<V> held = V(w.vec(slot_D, s)) > V(0_r) && V(w.vec(slot_zone, s)) != V(0_r);
    const V c = select(held, V(w.vec(slot_f, s)), V(0_r));
    w.vec(slot_c, s) = c;
    w.vec(slot_rate, s) = V(0_r);
    any = any || any_of(c != V(0_r));
  }
  if (any) {
    multiply_A(w, slot_c, slot_rate);
  }
  for (int s = 0; s < w.n; ++s) {
    w.vec(slot_rate, s) = -(V(w.vec(slot_b, s)) + V(w.vec(slot_rate, s)));
  }
  apply_CT(w, links, active, active.n, w.vec(slot_rate), w.vec(slot_y));
  solve_shifted(
      active.n, [&](int a) { return w.G(a); }, w.vec(slot_inverse), w.vec(slot_y));

  // c + C u - lambda
  for (int s = 0; s < w.n; ++s) {
    w.vec(slot_delta, s) = V(w.vec(slot_c, s));
  }
  for (int a = 0; a < active.n; ++a) {
    const int s = active.at[a];
    w.vec(slot_delta, s) += V(w.vec(slot_diag, s)) * V(w.vec(slot_y, a));
  }
  for (int i = 0; i < links.n; ++i) {
    const int a = active.place[links.at[i].column];
    if (a >= 0) {
      w.vec(slot_delta, links.at[i].row) += V(w.link()(i)) * V(w.vec(slot_y, a));
    }
  }
  for (int s = 0; s < w.n; ++s) {
    w.vec(slot_delta, s) -= V(w.vec(slot_lambda, s));
  }
  multiply_A(w, slot_delta, slot_rate);
}

/// The dual method of minimise_newton(). In: slots and A.
template <class V>
struct DualMethod {
  const Slots<V>& w;
  const SlotLinks& links;
  static constexpr bool own_forces = true;

  SWEPT_FN void start() const {
    for (int s = 0; s < w.n; ++s) {
      w.vec(slot_r, s) = V(w.vec(slot_b, s));
    }
    answer(w, links, slot_r, slot_f, slot_zone);
  }

  SWEPT_FN Descent<V> descent() const {
    ActiveSlots active;
    curvature(w, links);
    find_active(w, links, &active);
    form_system(w, links, active);
    factor_shifted(
        active.n, [&](int a) { return w.G(a); }, w.vec(slot_inverse));
    newton_step(w, links, active);
    V slope(0_r), terms(0_r);
    for (int s = 0; s < w.n; ++s) {
      const V rate = w.vec(slot_rate, s), f = w.vec(slot_f, s), lambda = w.vec(slot_lambda, s);
      slope = fma(lambda - f, rate, slope);
      terms = fma(abs(f) + abs(lambda), abs(rate), terms);
    }
    return {slope, terms, terms};
  }

  SWEPT_FN V slope_at(V alpha) const {
    for (int s = 0; s < w.n; ++s) {
      w.vec(slot_try_r, s) = fma(alpha, V(w.vec(slot_rate, s)), V(w.vec(slot_r, s)));
    }
    answer(w, links, slot_try_r, slot_try_f, slot_try_zone);
    V slope(0_r);
    for (int s = 0; s < w.n; ++s) {
      const V lambda = fma(alpha, V(w.vec(slot_delta, s)), V(w.vec(slot_lambda, s)));
      slope = fma(lambda - V(w.vec(slot_try_f, s)), V(w.vec(slot_rate, s)), slope);
    }
    return slope;
  }

  SWEPT_FN void move(mask_t<V> live, V alpha) const {
    accept_trial(w, live);
    for (int s = 0; s < w.n; ++s) {
      const V lambda = w.vec(slot_lambda, s);
      w.vec(slot_lambda, s) = select(live, fma(alpha, V(w.vec(slot_delta, s)), lambda), lambda);
    }
  }
};

}  // namespace swept::SWEPT_NS
