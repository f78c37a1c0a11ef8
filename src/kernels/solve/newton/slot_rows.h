// SPDX-License-Identifier: Apache-2.0
// From the rows of each environment to slots, and from slots back to rows and dofs.
#pragma once

#include <swept/types.h>

#include "kernels/solve/entries.h"
#include "kernels/solve/newton/pieces.h"

namespace swept::SWEPT_NS {

/// The slot of row `first + k` of a block of `dim` rows: the normal goes last.
SWEPT_FN int slot_of(int first, int k, int dim) {
  return k == 0 ? first + dim - 1 : first + k - 1;
}

/// Write one block of rows of environment `lane` into its slots.
template <class V>
SWEPT_FN void load_block(const Slots<V>& w, const RowsAt& rows, int first, int lane) {
  const int dim = rows.efc_dim[first], type = rows.efc_type[first];
  const bool pyramid = type == row_contact_pyramidal, cone = type == row_contact_elliptic;
  for (int k = 0; k < dim; ++k) {
    const int row = first + k, s = slot_of(first, k, dim);
    const auto put = [&](SlotVector v, real x) { w.vec(v, s).p[lane] = x; };
    const real D = rows.efc_D[row];
    put(slot_b, rows.efc_b[row]);
    if (pyramid) {
      put(slot_E, k > 0 ? D : 0_r);
      put(slot_mu, k > 0 ? rows.efc_mu[row] : 0_r);
      put(slot_off, k > 0 ? static_cast<real>(dim - k) : 0_r);
    } else if (cone) {
      put(slot_E, D);
      put(slot_mu, rows.efc_mu[row]);
      put(slot_off, k > 0 ? static_cast<real>(k - dim) : 0_r);
      put(slot_tangents, k > 0 ? 0_r : static_cast<real>(dim - 1));
    } else {
      const bool friction = type == row_friction_dof || type == row_friction_tendon;
      const bool both = type == row_equality;
      const real bound = friction ? rows.efc_frictionloss[row] * rows.efc_R[row] : unbounded;
      put(slot_D, D);
      put(slot_lo, -bound);
      put(slot_hi, friction || both ? bound : 0_r);
    }
    real* const J = w.Y(s).p + lane;
    for (int i = rows.efc_rowadr[row]; i < rows.efc_rowadr[row] + rows.efc_rownnz[row]; ++i) {
      J[static_cast<long long>(rows.efc_J_colind[i]) * W] = rows.efc_J[i];
    }
  }
}

/// Empty all slots, then fill those of the environments in `lanes` (bits). `env` is that of lane 0.
template <class V>
SWEPT_FN void load_slots(const Slots<V>& w, const Tile& t, int env, unsigned lanes) {
  for (const SlotVector k :
       {slot_b, slot_lambda, slot_D, slot_E, slot_mu, slot_off, slot_tangents}) {
    for (int s = 0; s < w.n; ++s) {
      w.vec(k, s) = V(0_r);
    }
  }
  for (int s = 0; s < w.n; ++s) {
    w.vec(slot_lo, s) = V(-unbounded);
    w.vec(slot_hi, s) = V(unbounded);
    const Slice<V> J = w.Y(s);
    for (int i = 0; i < w.nv; ++i) {
      J(i) = V(0_r);
    }
  }
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((lanes >> l & 1u) != 0) {
      const RowsAt rows = t.rows_at(env + l);
      for (int row = 0; row < *rows.nefc; row += rows.efc_dim[row]) {
        load_block(w, rows, row, l);
      }
    }
  }
}

/// The links of all lanes. A tangent of a pyramid has one, to its normal; a row of a cone one to
/// every later row.
template <class V>
SWEPT_FN void find_links(const Slots<V>& w, SlotLinks* links) {
  for (int s = 0; s < w.n; ++s) {
    const V off = w.vec(slot_off, s);
    for (int j = 1; j <= most_tangents; ++j) {
      const V here(static_cast<real>(j));
      const bool found = s + j < w.n && any_of(off == here || off <= -here);
      links->of[s][j - 1] = static_cast<short>(found ? links->n : -1);
      if (found) {
        links->at[links->n++] = {static_cast<short>(s), static_cast<short>(s + j)};
      }
    }
  }
}

/// Y = D^-1/2 L^-T J^T in place, four slots at a time.
template <class V>
SWEPT_FN void load_Y(const Slots<V>& w, const ModelAt<V>& m, const DataAt<V>& d) {
  const Slice<V> L = slice(d.qLD(0)), dinv = slice(d.qLDiagInv(0)), root = w.dof(dof_step);
  for (int i = 0; i < w.nv; ++i) {
    root(i) = sqrt(V(dinv(i)));
  }
  each_four<V>(
      w.n, [&](int s) { return w.Y(s); },
      [&](int, int r, const Slice<V>(&y)[4]) {
        for (int i = w.nv - 1; i >= 0; --i) {
          const int adr = m.M_rowadr(i), depth = m.dof_depth(i);
          V x[4];
          for (int k = 0; k < 4; ++k) {
            x[k] = y[k](i);
          }
          for (int c = 0; c < depth; ++c) {
            const int j = m.M_colind(adr + c);
            const V l = -V(L(adr + c));
            for (int k = 0; k < r; ++k) {
              y[k](j) = fma(l, x[k], V(y[k](j)));
            }
          }
          for (int k = 0; k < r; ++k) {
            y[k](i) = x[k] * V(root(i));
          }
        }
      });
}

/// A = Y^T Y.
template <class V>
SWEPT_FN void load_A(const Slots<V>& w) {
  each_four<V>(
      w.n, [&](int s) { return w.Y(s); },
      [&](int s, int r, const Slice<V>(&y)[4]) {
        for (int t = 0; t < s + r; ++t) {
          V sums[4];
          inner_products(r, y, w.Y(t), w.nv, sums);
          for (int k = 0; k < r; ++k) {
            w.A(s + k)(t) = sums[k];
            w.A(t)(s + k) = sums[k];
          }
        }
      });
}

/// Below it a square of forces is taken as zero.
constexpr real smallest_square = 1e-30_r;

/// Force and zone of the rows of one block.
template <class V>
SWEPT_FN void store_block(const Slots<V>& w, const RowsAt& rows, int first, int lane) {
  const int dim = rows.efc_dim[first], type = rows.efc_type[first];
  const auto value = [&](SlotVector v, int s) { return w.vec(v, s).p[lane]; };
  int state = row_satisfied;
  if (type == row_contact_pyramidal) {
    for (int k = 1; k < dim; ++k) {
      const int zone = static_cast<int>(value(slot_zone, slot_of(first, k, dim)));
      state |= (zone & 3) << (2 * (k - 1));
    }
  } else if (type == row_contact_elliptic) {
    const real zone = value(slot_zone, slot_of(first, 0, dim));
    state = zone == slot_cone_middle ? row_cone
                                     : (zone == slot_cone_bottom ? row_quadratic : row_satisfied);
  } else {
    const real zone = value(slot_zone, first);
    const bool friction = type == row_friction_dof || type == row_friction_tendon;
    state = zone < 0 ? row_linear_neg
                     : (zone == 0 ? row_quadratic : (friction ? row_linear_pos : row_satisfied));
  }
  // a force that is done to the tolerance may still stand out of its cone by as much
  real shrink = 1;
  if (state == row_cone) {
    real square = 0;
    for (int k = 1; k < dim; ++k) {
      const int s = slot_of(first, k, dim);
      const real ratio = value(slot_lambda, s) / value(slot_mu, s);
      square += ratio * ratio;
    }
    const real normal = value(slot_lambda, slot_of(first, 0, dim));
    shrink = min(1_r, max(normal, 0_r) / sqrt(max(square, smallest_square)));
  }
  for (int k = 0; k < dim; ++k) {
    rows.efc_force[first + k] = value(slot_lambda, slot_of(first, k, dim)) * (k > 0 ? shrink : 1_r);
    rows.efc_state[first + k] = state;
  }
}

}  // namespace swept::SWEPT_NS
