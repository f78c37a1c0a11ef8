// SPDX-License-Identifier: Apache-2.0
// How far a geom comes in a step if its velocity stays, and the tests that leave out pairs which
// cannot meet on the way.
//
// The model of the motion, for t from 0 (now) to 1 (the end of the step):
//
//   c(t) = c + t dx        R(t) = exp(t [domega]) R        dx = h v,  domega = h w
//
// about the centre c of the geom's frame, with the velocities that the dofs of its chain give it
// now. A geom whose chain has no dofs stays: those of the world, of bodies welded to it and of mocap
// bodies, also while the user moves these; so planes, which stand on no other body, stay as well.
// The turning of a sphere is left out. Every point of the geom travels at most
//
//   s = |dx| + |domega| r_bound
//
// A geom is fast in a pair if s reaches the smallest half size of the local boxes of the pair's
// geoms, planes left out: then one of them may be passed through in a step. What can be passed through
// of a height field is its base and a ridge: half of the base's depth and half of the narrower width of
// a cell count as well.
#pragma once

#include <swept/types.h>

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// The way of a geom in a step.
template <class V>
struct StepMotion {
  Vec3<V> dx;      ///< [m] of its centre
  Vec3<V> domega;  ///< [rad] rotation vector, in the world
  V travel;        ///< [m] no point of it travels further
};

/// A geom that stays.
template <class V>
SWEPT_FN StepMotion<V> no_motion() {
  return {zero3<V>(), zero3<V>(), V(0_r)};
}

/// The motion of a geom of this type and bounding sphere.
///   dx, domega   [m, rad] over the step
template <class V>
SWEPT_FN StepMotion<V> step_motion(int type, Vec3<V> dx, Vec3<V> domega, V rbound) {
  if (type == geom_plane) {
    return no_motion<V>();
  }
  if (type == geom_sphere) {
    return {dx, zero3<V>(), norm(dx)};
  }
  return {dx, domega, norm(dx) + norm(domega) * rbound};
}

/// The motion of a geom from the velocity of its body about subtree_com of the root: cvel.
///   turning, moving   [rad/s, m/s]
template <class V>
SWEPT_FN StepMotion<V> geom_motion(const ModelAt<V>& m, const DataAt<V>& d, int geom,
                                   Vec3<V> turning, Vec3<V> moving) {
  const int body = m.geom_bodyid(geom);
  if (m.body_lastdof(body) < 0) {
    return no_motion<V>();
  }
  const Vec3<V> lever = vec3(d.geom_xpos(3 * geom)) - vec3(d.subtree_com(3 * m.body_rootid(body)));
  const V h = m.opt_timestep(0);
  return step_motion<V>(m.geom_type(geom), (moving + cross(turning, lever)) * h, turning * h,
                        m.geom_rbound(geom));
}

/// The same from cdof, subtree_com and qvel.
template <class V>
SWEPT_FN StepMotion<V> geom_motion(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  Vec3<V> turning = zero3<V>(), moving = zero3<V>();
  for (int dof = m.body_lastdof(m.geom_bodyid(geom)); dof >= 0; dof = m.dof_parentid(dof)) {
    const V rate = d.qvel(dof);
    turning = turning + vec3(d.cdof(6 * dof)) * rate;
    moving = moving + vec3(d.cdof(6 * dof + 3)) * rate;
  }
  return geom_motion(m, d, geom, turning, moving);
}

// ---- fast -----------------------------------------------------------------------------------------

/// Larger than the thickness of any geom [m].
constexpr real no_thickness = 1e30_r;

/// The smallest half size [m] of a geom's local box; that of a plane does not count.
///   half   geom_aabb[3 .. 5]
template <class V>
SWEPT_FN V half_thickness(int type, Vec3<V> half) {
  return type == geom_plane ? V(no_thickness) : min(half.x, min(half.y, half.z));
}

/// The part of the thickness of a geom from which on it is fast beside a mesh that collides as it is.
constexpr real surface_part = 0.25_r;

/// The thickness [m] of a geom of the model; of a height field a cell or half its base may be the least.
template <class V>
SWEPT_FN V geom_thickness(const ModelAt<V>& m, int geom) {
  const int type = m.geom_type(geom), field = m.geom_dataid(geom);
  Vec3<V> half = {m.geom_aabb(6 * geom + 3), m.geom_aabb(6 * geom + 4), m.geom_aabb(6 * geom + 5)};
  if (type == geom_hfield && field >= 0) {
    const auto cell = [&](int axis, int points) {
      return m.hfield_size(4 * field + axis) * V(1_r / static_cast<real>(points - 1));
    };
    half = {min(half.x, cell(0, m.hfield_ncol(field))), min(half.y, cell(1, m.hfield_nrow(field))),
            min(half.z, V(0.5_r) * m.hfield_size(4 * field + 3))};
  }
  return half_thickness(type, half);
}

/// The travel [m] from which on a geom of this pair is fast: the thickness of the thinner one. A mesh
/// that collides as it is may have walls of no thickness: beside it the other geom's counts, and a
/// quarter of it, which leads from the depth that is guarded (3/4) to the centre and no further.
template <class V>
SWEPT_FN V pair_thickness(const ModelAt<V>& m, int geom1, int geom2) {
  const auto of = [&](int geom) { return geom_thickness(m, geom); };
  const bool first = m.geom_surface(geom1) != 0, second = m.geom_surface(geom2) != 0;
  if (first != second) {
    const int other = first ? geom2 : geom1;
    return m.geom_type(other) == geom_plane ? of(first ? geom1 : geom2) : surface_part * of(other);
  }
  return min(of(geom1), of(geom2));
}

/// The thickness [m] that depths of a pair that is followed are counted in: of a height field and a geom
/// that of the geom (field_guard.h).
SWEPT_FN real followed_thickness(const ModelAt<real>& m, int geom1, int geom2) {
  return m.geom_type(geom1) == geom_hfield ? geom_thickness(m, geom2)
                                           : pair_thickness(m, geom1, geom2);
}

/// Whether a geom with this travel is fast in a pair of this thickness; a travel that is no number
/// is.
template <class V>
SWEPT_FN mask_t<V> is_fast(V travel, V thickness) {
  return !(travel < thickness) && !(travel <= V(0_r));
}

/// The travel [m] from which on a geom may be fast in any pair: the thickness of the thinnest geom, and
/// a quarter of it in scenes with meshes that collide as they are.
template <class V>
SWEPT_FN V least_thickness(const ModelAt<V>& m) {
  V least(no_thickness);
  bool surfaces = false;
  for (int geom = 0; geom < m->ngeom; ++geom) {
    least = min(least, geom_thickness(m, geom));
    surfaces = surfaces || m.geom_surface(geom) != 0;
  }
  return surfaces ? V(surface_part * least) : least;
}

/// fast_geoms: whether some geom travels (geom_travel) as far as this [m].
template <class V>
SWEPT_FN void mark_fast(const ModelAt<V>& m, const DataAt<V>& d, V least) {
  mask_t<V> any(false);
  for (int geom = 0; geom < m->ngeom; ++geom) {
    any = any || is_fast<V>(d.geom_travel(geom), least);
  }
  d.fast_geoms(0) = select(any, V(1_r), V(0_r));
}

// ---- bounding spheres -------------------------------------------------------------------------------

/// Squared travel [m^2] below which two centres stay where they are to each other.
constexpr real still_square = 1e-15_r;
/// What rounding may do to a place on the way, over the size of the coordinates.
constexpr real sweep_rounding = sizeof(real) == 4 ? 1e-6_r : 2e-15_r;

/// Whether two balls may come within reach of each other on the way. Numbers that are not finite
/// prune nothing.
///   apart      [m] centre 2 less centre 1, now
///   relative   [m] way of centre 2 less that of centre 1
///   reach      [m] sum of the radii, margin and gap
template <class V>
SWEPT_FN mask_t<V> swept_balls_meet(Vec3<V> apart, Vec3<V> relative, V reach) {
  const V square = dot(relative, relative);
  const mask_t<V> moves = square > V(still_square);
  const V nearest = clamp(V(-dot(apart, relative) / select(moves, square, V(1_r))), V(0_r), V(1_r));
  const Vec3<V> least = apart + relative * select(moves, nearest, V(0_r));
  const V off = norm(least), sure = V(sweep_rounding) * (norm(apart) + norm(relative));
  const mask_t<V> known = is_finite(square) && is_finite(off);
  return !(known && off > reach + sure);
}

/// Whether a ball may come within reach of a half space that stays.
///   height   [m] of its centre over the plane, now
///   rise     [m] way of the centre along the normal
///   reach    [m] radius, margin and gap
template <class V>
SWEPT_FN mask_t<V> swept_ball_meets_plane(V height, V rise, V reach) {
  const V least = min(height, V(height + rise));
  const V sure = V(sweep_rounding) * (abs(height) + abs(rise));
  return !(is_finite(least) && least > reach + sure);
}

// ---- boxes ----------------------------------------------------------------------------------------

/// Part of an axis.
template <class V>
struct SweptInterval {
  V lo, hi;
};

/// The part of an axis that holds a geom during the whole step.
///   u        unit vector of the axis
///   center   [m] centre of the geom's frame; mat: its axes
///   box      [m] centre of the local box, in the frame; half: its half sizes
///   widen    [m] margin and gap of the geom
template <class V>
SWEPT_FN SweptInterval<V> swept_interval(Vec3<V> u, Vec3<V> center, const Mat3<V>& mat, Vec3<V> box,
                                         Vec3<V> half, V rbound, const StepMotion<V>& motion,
                                         V widen) {
  const Vec3<V> local = transpose_mul(mat, u);
  const V at = dot(u, center), middle = at + dot(local, box);
  // turned by the angle, no point leaves its place by more than angle times radius
  const V reach = abs(local.x) * half.x + abs(local.y) * half.y + abs(local.z) * half.z +
                  norm(motion.domega) * rbound;
  const V lo = max(V(middle - reach), V(at - rbound)), hi = min(V(middle + reach), V(at + rbound));
  const V along = dot(motion.dx, u);
  return {lo + min(V(0_r), along) - widen, hi + max(V(0_r), along) + widen};
}

/// Whether the boxes of two geoms, none of them a plane, may come within reach of each other at any
/// times of their ways: along the axes of both. Numbers that are not finite prune nothing.
///   motion1, motion2   of the centres, and how far they turn
///   reach              [m] margin and gap of the pair, and what the motions leave out
template <class V>
SWEPT_FN mask_t<V> swept_boxes_meet(const ModelAt<V>& m, const DataAt<V>& d, int geom1,
                                    const StepMotion<V>& motion1, int geom2,
                                    const StepMotion<V>& motion2, V reach) {
  const Vec3<V> apart = vec3(d.geom_xpos(3 * geom2)) - vec3(d.geom_xpos(3 * geom1));
  const Mat3<V> mat1 = mat3(d.geom_xmat(9 * geom1)), mat2 = mat3(d.geom_xmat(9 * geom2));
  const auto interval = [&](Vec3<V> u, int geom, const Mat3<V>& mat, Vec3<V> center,
                            const StepMotion<V>& motion) {
    const Vec3<V> box = {m.geom_aabb(6 * geom), m.geom_aabb(6 * geom + 1),
                         m.geom_aabb(6 * geom + 2)},
                  half = {m.geom_aabb(6 * geom + 3), m.geom_aabb(6 * geom + 4),
                          m.geom_aabb(6 * geom + 5)};
    return swept_interval(u, center, mat, box, half, V(m.geom_rbound(geom)), motion, V(0_r));
  };
  const V sure = V(4_r * sweep_rounding) * (norm(apart) + norm(motion1.dx) + norm(motion2.dx) +
                                            V(m.geom_rbound(geom1)) + V(m.geom_rbound(geom2)));
  const V off = reach + sure;
  mask_t<V> meet(true);
  for (int k = 0; k < 6; ++k) {
    const Mat3<V>& of = k < 3 ? mat1 : mat2;
    const Vec3<V> u = k % 3 == 0 ? column_x(of) : (k % 3 == 1 ? column_y(of) : column_z(of));
    const SweptInterval<V> one = interval(u, geom1, mat1, zero3<V>(), motion1),
                           two = interval(u, geom2, mat2, apart, motion2);
    meet = meet && !(one.lo > two.hi + off) && !(two.lo > one.hi + off);
  }
  return meet || !is_finite(sure + norm(motion1.domega) + norm(motion2.domega));
}

}  // namespace swept::SWEPT_NS
