// SPDX-License-Identifier: Apache-2.0
// implicitfast on free bodies that carry no joints: their six accelerations are solved from the
// whole matrix, with what implicitfast leaves out elsewhere, gyroscopic forces and the part of the
// medium's derivative that is not symmetric.
//
//   (M - h D + h B) a = qfrc_smooth + qfrc_constraint
//
// B is the derivative of the bias. With m, s and I of the rigid body (welded children included), s
// from the joint to the centre of mass, w the angular velocity, all in the frame of the body whose
// axes in the world are the columns of R:
//
//   B(linear, angular) = -m R K          K = [w x s] + [w] [s]
//   B(angular, angular) = -m [s] K + [w] I - [I w]
#pragma once

#include "kernels/integrate/derivative.h"

namespace swept::SWEPT_NS {

/// Six equations: columns 0 .. 5 the matrix, column 6 the right-hand side.
template <class V>
struct SixEquations {
  V a[6][7];
};

/// Solve in place by elimination with partial pivoting; the solution stands in column 6. (Rows are
/// exchanged with the pivot's one after the other, so every lane ends with its largest entry.)
template <class V>
SWEPT_FN void solve_six(SixEquations<V>* equations) {
  V(&a)[6][7] = equations->a;
  for (int k = 0; k < 6; ++k) {
    for (int r = k + 1; r < 6; ++r) {
      const mask_t<V> larger = abs(a[r][k]) > abs(a[k][k]);
      for (int c = k; c < 7; ++c) {
        const V top = a[k][c], bottom = a[r][c];
        a[k][c] = select(larger, bottom, top);
        a[r][c] = select(larger, top, bottom);
      }
    }
    const V pivot = select(abs(a[k][k]) < V(1e-15_r), V(1e-15_r), a[k][k]);
    const V inverse = V(1_r) / pivot;
    for (int c = k; c < 7; ++c) {
      a[k][c] *= inverse;
    }
    for (int r = k + 1; r < 6; ++r) {
      for (int c = k + 1; c < 7; ++c) {
        a[r][c] = fma(-a[r][k], a[k][c], a[r][c]);
      }
    }
  }
  for (int k = 5; k > 0; --k) {
    for (int r = 0; r < k; ++r) {
      a[r][6] = fma(-a[r][k], a[k][6], a[r][6]);
    }
  }
}

/// Add a 3 x 3 block times a number.
template <class V>
SWEPT_FN void add_block(SixEquations<V>* equations, int row, int column, Mat3<V> block, V scale) {
  const V values[9] = {block.xx, block.xy, block.xz, block.yx, block.yy,
                       block.yz, block.zx, block.zy, block.zz};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      V& entry = equations->a[row + r][column + c];
      entry = fma(values[3 * r + c], scale, entry);
    }
  }
}

/// Add h B.
template <class V>
SWEPT_FN void add_gyroscopic(const ModelAt<V>& m, const DataAt<V>& d, int body, V h,
                             SixEquations<V>* equations) {
  const Mat3<V> axes = mat3(d.xmat(9 * body)), back = transpose(axes);
  const Inertia<V> whole = inertia(d.crb(10 * body));
  const Mat3<V> own = back * (rotational(whole) * axes);
  const Vec3<V> w = back * vec3(d.cvel(6 * body));
  const Vec3<V> s = back * (vec3(d.subtree_com(3 * body)) - vec3(d.xpos(3 * body)));
  const V mass = m.body_subtreemass(body);
  const Mat3<V> k = skew(cross(w, s)) + skew(w) * skew(s);
  add_block(equations, 0, 3, axes * k, V(-h * mass));
  add_block(equations, 3, 3, skew(w) * own - skew(own * w) - (skew(s) * k) * mass, h);
}

/// Subtract h times the derivative of the medium's force.
template <class V>
SWEPT_FN void subtract_fluid(const DataAt<V>& d, int body, int dof, V h,
                             SixEquations<V>* equations) {
  const SpatialMap<V> map = spatial_map(d.body_deriv(36 * body));
  for (int c = 0; c < 6; ++c) {
    const Force<V> column = map * motion(d.cdof(6 * (dof + c)));
    for (int r = 0; r < 6; ++r) {
      V& entry = equations->a[r][c];
      entry = fma(-h, dot(motion(d.cdof(6 * (dof + r))), column), entry);
    }
  }
}

/// The accelerations of free joint j into dof_work; then its rows of qH become those of the
/// identity. In: qH = M - h D, dof_work the right-hand side; both of all six dofs visible to this
/// lane.
template <class V>
SWEPT_FN void solve_free_body(const ModelAt<V>& m, const DataAt<V>& d, int j) {
  const int dof = m.jnt_dofadr(j), body = m.jnt_bodyid(j);
  const V h = m.opt_timestep(0);
  SixEquations<V> equations;
  for (int r = 0; r < 6; ++r) {
    const Slice<V> row = slice(d.qH(m.M_rowadr(dof + r)));
    for (int c = 0; c <= r; ++c) {
      equations.a[r][c] = equations.a[c][r] = row(c);
      row(c) = V(c == r ? 1_r : 0_r);
    }
    equations.a[r][6] = d.dof_work(dof + r);
  }
  add_gyroscopic(m, d, body, h, &equations);
  if (has_medium(m)) {
    subtract_fluid(d, body, dof, h, &equations);
  }
  solve_six(&equations);
  for (int r = 0; r < 6; ++r) {
    d.dof_work(dof + r) = equations.a[r][6];
  }
}

}  // namespace swept::SWEPT_NS
