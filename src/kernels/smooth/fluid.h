// SPDX-License-Identifier: Apache-2.0
// Forces of a medium (air, water) on the bodies that move in it. A body with geoms of fluid shape
// "ellipsoid" feels it through those (fluid_ellipsoid.h), every other one as the box that has its
// inertia (fluid_box.h). The velocity of the wind is subtracted from the body's. Bodies without
// mass feel nothing.
//
// Forces of a subtree add up at the centre of mass of the tree, so one inward pass gives
//
//   qfrc_fluid_i = cdof_i . sum over the bodies that dof i moves
#pragma once

#include "kernels/smooth/fluid_ellipsoid.h"

namespace swept::SWEPT_NS {

/// Whether any environment has a medium.
template <class V>
SWEPT_FN bool has_medium(const ModelAt<V>& m) {
  const bool passive = (m->opt.disableflags & (disable_spring | disable_damper)) !=
                       (disable_spring | disable_damper);
  return passive && !(is_zero(m->opt_density, 0) && is_zero(m->opt_viscosity, 0));
}

/// The medium of each environment.
template <class V>
SWEPT_FN Medium<V> medium_of(const ModelAt<V>& m) {
  return {m.opt_density(0), m.opt_viscosity(0), param3(m, m->opt_wind, 0)};
}

/// Lanes in which a geom counts as an ellipsoid.
template <class V>
SWEPT_FN mask_t<V> is_ellipsoid(const ModelAt<V>& m, int geom) {
  return m.geom_fluid(12 * geom) > V(0_r);
}

/// Where a body meets the medium, and its velocity against it along the axes there.
template <class V>
struct Exposure {
  Vec3<V> lever;  ///< from the tree's centre of mass
  Mat3<V> axes;
  Motion<V> flow;
};

template <class V>
SWEPT_FN Exposure<V> exposure(const ModelAt<V>& m, const DataAt<V>& d, int body, Vec3<V> place,
                              Mat3<V> axes, Vec3<V> wind) {
  const Motion<V> velocity = motion(d.cvel(6 * body));
  const Vec3<V> lever = place - vec3(d.subtree_com(3 * m.body_rootid(body)));
  const Vec3<V> v = velocity.v + cross(velocity.w, lever) - wind;
  return {lever, axes, {transpose_mul(axes, velocity.w), transpose_mul(axes, v)}};
}

/// Call box(exposure, drag) or ellipsoid(exposure, coefficients, semi-axes) for what of a body
/// meets the medium, and add up what they give in those lanes where it does. T is a Force or a
/// SpatialMap; zero is none.
template <class V, class T, class Box, class Ellipsoid, class Select>
SWEPT_FN T over_shapes(const ModelAt<V>& m, const DataAt<V>& d, int body, const Medium<V>& medium,
                       const T& zero, const Box& box, const Ellipsoid& ellipsoid,
                       const Select& choose) {
  T sum = zero;
  mask_t<V> any(false);
  for (int geom = m.body_geomadr(body), end = geom + m.body_geomnum(body); geom < end; ++geom) {
    const mask_t<V> here = is_ellipsoid(m, geom);
    if (any_of(here)) {
      const Exposure<V> at = exposure(m, d, body, vec3(d.geom_xpos(3 * geom)),
                                      mat3(d.geom_xmat(9 * geom)), medium.wind);
      sum = choose(here, sum + ellipsoid(at, ellipsoid_fluid(m, geom), semi_axes(m, geom)), sum);
      any = any || here;
    }
  }
  if (!all_of(any)) {
    const Exposure<V> at =
        exposure(m, d, body, vec3(d.xipos(3 * body)), mat3(d.ximat(9 * body)), medium.wind);
    sum = choose(any, sum, box(at, box_drag(m, body, medium)));
  }
  const mask_t<V> empty =
      m.body_mass(body) < V(1e-15_r) || (medium.density == V(0_r) && medium.viscosity == V(0_r));
  return choose(empty, zero, sum);
}

/// Torque and force of the medium on a body, at its tree's centre of mass.
template <class V>
SWEPT_FN Force<V> fluid_force(const ModelAt<V>& m, const DataAt<V>& d, int body,
                              const Medium<V>& medium) {
  const auto seen = [](const Exposure<V>& at, Force<V> local) {
    const Vec3<V> f = at.axes * local.f;
    return Force<V>{at.axes * local.t + cross(at.lever, f), f};
  };
  return over_shapes(
      m, d, body, medium, Force<V>{zero3<V>(), zero3<V>()},
      [&](const Exposure<V>& at, const BoxDrag<V>& drag) {
        return seen(at, box_force(drag, at.flow));
      },
      [&](const Exposure<V>& at, const EllipsoidFluid<V>& c, Vec3<V> s) {
        return seen(at, ellipsoid_force(c, s, medium, at.flow));
      },
      [](mask_t<V> here, Force<V> a, Force<V> b) {
        return Force<V>{select<V>(here, a.t, b.t), select<V>(here, a.f, b.f)};
      });
}

/// Its derivative with respect to the body's velocity there.
template <class V>
SWEPT_FN SpatialMap<V> fluid_derivative(const ModelAt<V>& m, const DataAt<V>& d, int body,
                                        const Medium<V>& medium) {
  const auto seen = [](const Exposure<V>& at, const SpatialMap<V>& local) {
    return move(at.lever, turn(at.axes, local));
  };
  return over_shapes(
      m, d, body, medium, zero_map<V>(),
      [&](const Exposure<V>& at, const BoxDrag<V>& drag) {
        return seen(at, box_derivative(drag, at.flow));
      },
      [&](const Exposure<V>& at, const EllipsoidFluid<V>& c, Vec3<V> s) {
        return seen(at, ellipsoid_derivative(c, s, medium, at.flow));
      },
      [](mask_t<V> here, const SpatialMap<V>& a, const SpatialMap<V>& b) {
        return SpatialMap<V>{select<V>(here, a.tw, b.tw), select<V>(here, a.tv, b.tv),
                             select<V>(here, a.fw, b.fw), select<V>(here, a.fv, b.fv)};
      });
}

/// In: frames, subtree_com, cdof, cvel. Out, visible to all lanes: body_fluid, qfrc_fluid. Does
/// nothing where there is no medium.
template <class V>
SWEPT_FN void fluid(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  if (!has_medium(m)) {
    return;
  }
  const Medium<V> medium = medium_of(m);
  for (int level = m->nlevelp1 - 2; level >= 1; --level) {
    for (int k = m.level_bodyadr(level) + g.lane(); k < m.level_bodyadr(level + 1); k += g.size()) {
      const int body = m.level_bodyid(k);
      if (m.body_lastdof(body) < 0) {
        continue;
      }
      Force<V> sum = fluid_force(m, d, body, medium);
      for (int c = m.body_childadr(body), end = c + m.body_childnum(body); c < end; ++c) {
        sum = sum + force(d.body_fluid(6 * m.body_childid(c)));
      }
      put(d.body_fluid(6 * body), sum);
      for (int i = m.body_dofadr(body), end = i + m.body_dofnum(body); i < end; ++i) {
        d.qfrc_fluid(i) = V(0_r) + dot(motion(d.cdof(6 * i)), sum);
      }
    }
    g.sync();
  }
}

}  // namespace swept::SWEPT_NS
