// SPDX-License-Identifier: Apache-2.0
// Support points of the same geom in the environments of one V, each along a direction of its own.
//
// The kind of shape and the topology of a mesh belong to the model, so all lanes run the same code:
// boxes and round shapes by formulas, hulls in blocks vertex by vertex for all lanes at once (a
// vertex is read once for W directions), large hulls lane after lane by walks.
#pragma once

#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {

/// A point of a core, and which corner it is (Feature::id, whole numbers below 2^24).
template <class V>
struct PackCorner {
  Vec3<V> point;
  V id;
};

/// A core in the environments of one V.
template <class V>
struct PackCore {
  CoreKind kind;
  Vec3<V> size;           ///< [m] as Core
  V radius;               ///< [m] as Core
  Hull hull;              ///< kind hull only; all environments have the same
  int warm[lanes_of<V>];  ///< Hull::warm of each environment
};

/// Whether a geom can be searched in packs: not a plane or a height field, and its corners' numbers
/// are exact as real.
template <class V>
SWEPT_FN bool has_pack_core(const ModelAt<V>& m, int geom) {
  const int type = m.geom_type(geom), mesh = m.geom_dataid(geom);
  return type != geom_plane && type != geom_hfield &&
         (type != geom_mesh || (mesh >= 0 && m.mesh_vertnum(mesh) < 1 << 24));
}

/// The core of a geom.
template <class V>
SWEPT_FN void pack_core(const ModelAt<V>& m, int geom, PackCore<V>* core) {
  const Vec3<V> size = {m.geom_size(3 * geom), m.geom_size(3 * geom + 1),
                        m.geom_size(3 * geom + 2)};
  const V none = V(0_r);
  core->size = size;
  core->radius = none;
  core->kind = CoreKind::box;
  switch (m.geom_type(geom)) {
    case geom_sphere:
      core->kind = CoreKind::point;
      core->radius = size.x;
      break;
    case geom_capsule:
      core->kind = CoreKind::segment;
      core->radius = size.x;
      core->size = {none, none, size.y};
      break;
    case geom_ellipsoid:
      core->kind = CoreKind::ellipsoid;
      break;
    case geom_cylinder:
      core->kind = CoreKind::cylinder;
      core->size = {size.x, size.x, size.y};
      break;
    case geom_box:
      break;
    default: {
      core->kind = CoreKind::hull;
      core->hull = hull_of(mesh_shape(ModelAt<real>{m.view, m.block, m.lane}, m.geom_dataid(geom)));
      for (int& warm : core->warm) {
        warm = -1;
      }
      break;
    }
  }
}

/// A vertex of a hull in blocks, by its place, and how far it reaches.
template <class V>
struct PlaceReach {
  V reach, place;

  /// The further one; of equal ones this.
  [[gnu::always_inline]] SWEPT_FN PlaceReach or_further(const PlaceReach& other) const {
    const mask_t<V> further = other.reach > reach;
    return {select(further, other.reach, reach), select(further, other.place, place)};
  }
};

/// The place of the first of the furthest vertices of a hull in blocks, whose last one is filled up
/// with copies. Four at a time, so that comparisons need not wait for each other.
template <class V>
SWEPT_FN V furthest_place(const Hull& hull, Vec3<V> dir) {
  PlaceReach<V> best = {V(-3e38_r), V(0_r)};
  V here = V(0_r);
  for (int i = 0; i < hull.numvert; i += 4) {
    const real* const p = hull.blocks + (i / hull_block * (3 * hull_block) + i % hull_block);
    const auto at = [&](int k) {
      const auto coordinate = [&](int axis) { return V(element(p + axis * hull_block + k)); };
      const V reach = fma(coordinate(0), dir.x, fma(coordinate(1), dir.y, coordinate(2) * dir.z));
      return PlaceReach<V>{reach, here + V(static_cast<real>(k))};
    };
    best = best.or_further(at(0).or_further(at(1)).or_further(at(2).or_further(at(3))));
    here = here + V(4_r);
  }
  return best.place;
}

/// The first of the furthest vertices of a hull in blocks.
template <class V>
SWEPT_FN PackCorner<V> furthest_of_lanes(const Hull& hull, Vec3<V> dir) {
  alignas(64) real place[lanes_of<V>], found[4][lanes_of<V>];
  store(place, furthest_place(hull, dir));
  for (int l = 0; l < lanes_of<V>; ++l) {
    const unsigned i = static_cast<unsigned>(static_cast<int>(place[l]));
    constexpr unsigned size = hull_block;
    const real* const p = hull.blocks + (i / size * (3 * size) + i % size);
    for (int axis = 0; axis < 3; ++axis) {
      found[axis][l] = element(p + axis * hull_block);
    }
    found[3][l] = static_cast<real>(element(hull.blockid + i));
  }
  return {{load<V>(found[0]), load<V>(found[1]), load<V>(found[2])}, load<V>(found[3])};
}

/// The same of other hulls, lane by lane; those that are not `active` get nothing.
template <class V>
SWEPT_FN PackCorner<V> furthest_alone(PackCore<V>* core, Vec3<V> dir, mask_t<V> active) {
  alignas(64) real found[4][lanes_of<V>] = {};
  for (int l = 0; l < lanes_of<V>; ++l) {
    if (!lane(active, l)) {
      continue;
    }
    core->hull.warm = core->warm[l];
    const HullVertex v = furthest(&core->hull, {lane(dir.x, l), lane(dir.y, l), lane(dir.z, l)});
    core->warm[l] = core->hull.warm;
    found[0][l] = v.point.x;
    found[1][l] = v.point.y;
    found[2][l] = v.point.z;
    found[3][l] = static_cast<real>(v.id);
  }
  return {{load<V>(found[0]), load<V>(found[1]), load<V>(found[2])}, load<V>(found[3])};
}

/// The point of the core furthest along `dir` [any length], both in the frame of the shape.
///   active   lanes whose point is wanted
template <class V>
[[gnu::always_inline]] SWEPT_FN PackCorner<V> support(PackCore<V>* core, Vec3<V> dir,
                                                      mask_t<V> active) {
  const V zero = V(0_r), one = V(1_r);
  const Vec3<V> s = core->size;
  const mask_t<V> up = dir.z > zero;
  const V z = select(up, s.z, -s.z);
  switch (core->kind) {
    case CoreKind::point:
      return {{zero, zero, zero}, zero};
    case CoreKind::segment:
      return {{zero, zero, z}, select(up, one, zero)};
    case CoreKind::ellipsoid: {
      const Vec3<V> y = {s.x * dir.x, s.y * dir.y, s.z * dir.z};
      const V length = norm(y);
      const V scale = select(length > zero, one / length, zero);
      return {{s.x * y.x * scale, s.y * y.y * scale, s.z * y.z * scale}, zero};
    }
    case CoreKind::cylinder: {
      const V length = sqrt(dir.x * dir.x + dir.y * dir.y);
      const V scale = select(length > V(1e-15_r) * abs(dir.z), s.x / length, zero);
      return {{dir.x * scale, dir.y * scale, z}, select(up, one, zero)};
    }
    case CoreKind::box: {
      const mask_t<V> right = dir.x > zero, back = dir.y > zero;
      return {{select(right, s.x, -s.x), select(back, s.y, -s.y), z},
              select(right, one, zero) + select(back, V(2_r), zero) + select(up, V(4_r), zero)};
    }
    default:
      return core->hull.blocks != nullptr && core->hull.seednum == 0
                 ? furthest_of_lanes(core->hull, dir)
                 : furthest_alone(core, dir, active);
  }
}

/// A point of the difference {a - b} of two cores, and the points it comes from.
template <class V>
struct PackVertex {
  Vec3<V> w;  ///< [m] a - b
  Vec3<V> a;  ///< [m] in the frame of core 1
  V id1, id2;
};

template <class V>
SWEPT_FN PackVertex<V> select(mask_t<V> m, const PackVertex<V>& a, const PackVertex<V>& b) {
  return {select(m, a.w, b.w), select(m, a.a, b.a), select(m, a.id1, b.id1),
          select(m, a.id2, b.id2)};
}

/// Two cores in the frame of core 1.
template <class V>
struct PackPair {
  PackCore<V> core1, core2;
  Mat3<V> turn;   ///< columns: axes of core 2
  Vec3<V> shift;  ///< [m] centre of core 2
  bool polytopes;
};

/// The vertex of the difference furthest along `dir` [any length], of the lanes in `active`.
template <class V>
[[gnu::always_inline]] SWEPT_FN PackVertex<V> support(PackPair<V>* pair, Vec3<V> dir,
                                                      mask_t<V> active) {
  const PackCorner<V> c1 = support(&pair->core1, dir, active);
  const PackCorner<V> c2 = support(&pair->core2, -fused_transpose_mul(pair->turn, dir), active);
  return {c1.point - fused_mul(pair->turn, c2.point, pair->shift), c1.point, c1.id, c2.id};
}

}  // namespace swept::SWEPT_NS
