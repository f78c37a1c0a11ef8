// SPDX-License-Identifier: Apache-2.0
// The derivative of the forces on dofs with respect to qvel, for the implicit integrators:
//
//   D = d(qfrc_actuator + qfrc_passive)/d(qvel)        implicitfast, made symmetric
//   D = d(qfrc_actuator + qfrc_passive - qfrc_bias)/d(qvel)     implicit
//
//   actuators    moment^T (d force / d velocity) moment
//   dofs         -(d + 2 p0 |v| + 3 p1 v^2) on the diagonal;   tendons: the same times J^T J
//   medium       S_i . (sum over the further subtree of the 6 x 6 derivatives) S_j
//   bias         bias_derivative.h
//
// It is kept where M has entries, that is for pairs of a dof and its ancestor: what a tendon or an
// actuator couples across branches is left out. The lower triangle has the layout of M; entry (j,
// i) of the upper one stands in qHU where (i, j) stands in qH. Under implicitfast there is no upper
// one, simple dofs have their diagonal only, and free bodies that carry no joints get no medium
// here: they are solved apart (free_body.h).
#pragma once

#include "kernels/integrate/bias_derivative.h"
#include "kernels/smooth/actuator_slope.h"
#include "kernels/smooth/inertia.h"
#include "kernels/smooth/passive.h"

namespace swept::SWEPT_NS {

/// Whether the derivative is whole: that of the bias too, not symmetric, for all pairs.
template <class V>
SWEPT_FN bool is_whole(const ModelAt<V>& m) {
  return m->opt.integrator == integrator_implicit;
}

/// Whether joint j is the free joint of a body that carries no other joints.
template <class V>
SWEPT_FN bool is_free_body(const ModelAt<V>& m, int j) {
  return m.jnt_type(j) == joint_free && m.dof_subtreenum(m.jnt_dofadr(j)) == 6;
}

/// Lanes in which row i has its diagonal only.
template <class V>
SWEPT_FN mask_t<V> is_diagonal(const ModelAt<V>& m, int i) {
  return is_whole(m) || is_free_body(m, m.dof_jntid(i)) ? mask_t<V>(false) : is_simple(m, i);
}

/// body_deriv: the derivative of the force on each subtree with respect to its velocity, that of
/// the medium minus G of bias_derivative.h. Visible to all lanes.
template <class V>
SWEPT_FN void subtree_derivatives(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  const bool wet = has_medium(m), whole = is_whole(m);
  const Medium<V> medium = medium_of(m);
  for (int level = m->nlevelp1 - 2; level >= 1; --level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      if (m.body_lastdof(body) < 0) {
        continue;
      }
      SpatialMap<V> sum = wet ? fluid_derivative(m, d, body, medium) : zero_map<V>();
      if (whole) {
        sum = sum + coriolis_map(d, body) * V(-1_r);
      }
      for (int c = m.body_childadr(body), end = c + m.body_childnum(body); c < end; ++c) {
        sum = sum + spatial_map(d.body_deriv(36 * m.body_childid(c)));
      }
      put(d.body_deriv(36 * body), sum);
    }
    g.sync();
  }
}

/// Row i: zeros, or what bodies give it.
template <class V>
SWEPT_FN void start_row(const ModelAt<V>& m, const DataAt<V>& d, int i) {
  const int adr = m.M_rowadr(i), depth = m.dof_depth(i), body = m.dof_bodyid(i);
  const bool whole = is_whole(m);
  const bool mapped = whole || (has_medium(m) && !is_free_body(m, m.dof_jntid(i)));
  const Slice<V> lower = slice(d.qH(adr)), axes = slice(d.cdof(0));
  if (!mapped) {
    for (int c = 0; c <= depth; ++c) {
      lower(c) = V(0_r);
    }
    return;
  }
  const SpatialMap<V> map = spatial_map(d.body_deriv(36 * body));
  const Motion<V> axis = motion(axes(6 * i));
  const Force<V> column = map * axis, row = transpose_mul(map, axis);
  if (!whole) {
    const mask_t<V> diagonal = is_diagonal(m, i);
    const Force<V> mean = {(row.t + column.t) * V(0.5_r), (row.f + column.f) * V(0.5_r)};
    for (int c = 0; c <= depth; ++c) {
      const V entry = dot(motion(axes(6 * m.M_colind(adr + c))), mean);
      lower(c) = c == depth ? entry : select(diagonal, V(0_r), entry);
    }
    return;
  }
  const Slice<V> upper = slice(d.qHU(adr)), swings = slice(d.dof_deriv(0));
  const Inertia<V> subtree = inertia(d.crb(10 * body));
  const Force<V> momentum = subtree * axis, swing = subtree * motion(swings(6 * i));
  for (int c = 0; c <= depth; ++c) {
    const int j = m.M_colind(adr + c);
    const Motion<V> other = motion(axes(6 * j));
    lower(c) = dot(other, row) - dot(motion(swings(6 * j)), momentum);
    upper(c) = dot(other, column) - dot(other, swing);
  }
}

/// Add scale moment_i moment_j to the rows that this lane owns; pull(f) calls f(dof, moment) for
/// each dof.
template <class V, class Pull>
SWEPT_FN void add_pull(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d, V scale,
                       const Pull& pull) {
  if (none_of(scale != V(0_r))) {
    return;
  }
  const bool whole = is_whole(m);
  pull([&](int i, V mine) {
    if (!owns(g, i)) {
      return;
    }
    const mask_t<V> diagonal = is_diagonal(m, i);
    pull([&](int j, V other) {
      const bool chain = j <= i && i < j + m.dof_subtreenum(j);
      if (!chain) {
        return;
      }
      const V product =
          i == j ? scale * mine * other : select(diagonal, V(0_r), scale * mine * other);
      const int place = m.M_rowadr(i) + m.dof_depth(j);
      d.qH(place) += product;
      if (whole) {
        d.qHU(place) += product;
      }
    });
  });
}

/// In: everything of a forward pass. Out: qH, and qHU if the derivative is whole (its diagonal is
/// of no use), each row visible to the lane that owns its dof. Uses body_deriv, dof_deriv,
/// actuator_deriv.
template <class V>
SWEPT_FN void velocity_derivative(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  actuator_slopes(g, m, d);
  if (is_whole(m)) {
    dof_swings(g, m, d);
  }
  if (is_whole(m) || has_medium(m)) {
    subtree_derivatives(g, m, d);
  }
  g.sync();

  const bool dampers = (m->opt.disableflags & disable_damper) == 0;
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    start_row(m, d, i);
    if (dampers) {
      d.qH(m.M_rowadr(i) + m.dof_depth(i)) -= dof_damping(m, i).slope(abs(V(d.qvel(i))));
    }
  }
  for (int tendon = 0; dampers && tendon < m->ntendon; ++tendon) {
    const V slope = -tendon_damping(m, tendon).slope(abs(V(d.ten_velocity(tendon))));
    add_pull(g, m, d, slope, [&](const auto& f) { for_each_tendon_dof(m, tendon, f); });
  }
  for (int u = 0; u < m->nu; ++u) {
    add_pull(g, m, d, V(d.actuator_deriv(u)), [&](const auto& f) { for_each_moment(m, d, u, f); });
  }
}

}  // namespace swept::SWEPT_NS
