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
  Vec3<V> size;  ///< [m] as Core
  V radius;      ///< [m] as Core
  int numvert;   ///< of a hull in blocks; 0: there are none
  const real* vert;
  bool shared;        ///< whether all environments have the same vertices
  const int* vertid;  ///< mesh_hullid of the mesh
  Hull hull[lanes_of<V>];
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
  Shape s = {};
  s.type = m.geom_type(geom);
  const Vec3<V> size = {m.geom_size(3 * geom), m.geom_size(3 * geom + 1),
                        m.geom_size(3 * geom + 2)};
  const V none = V(0_r);
  core->size = size;
  core->radius = none;
  core->numvert = 0;
  core->kind = CoreKind::box;
  switch (s.type) {
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
      const int mesh = m.geom_dataid(geom), block = 3 * hull_block * m.mesh_hulladr(mesh);
      core->numvert = m.mesh_hullnum(mesh);
      core->shared = m->mesh_hullvert.n == 0;
      core->vertid = m->mesh_hullid + hull_block * m.mesh_hulladr(mesh);
      core->vert = core->shared
                       ? m->mesh_hullvert.p + block
                       : m->mesh_hullvert.p +
                             (static_cast<long long>(m.block) * m->mesh_hullvert.n + block) * W +
                             m.lane;
      for (int l = 0; core->numvert == 0 && l < lanes_of<V>; ++l) {
        core->hull[l] = hull_of(mesh_shape(ModelAt<real>{m.view, m.block, m.lane + l}, mesh));
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
template <bool shared, class V>
[[gnu::always_inline]] SWEPT_FN V furthest_place(const PackCore<V>& core, Vec3<V> dir) {
  PlaceReach<V> best = {V(-3e38_r), V(0_r)};
  V here = V(0_r);
  for (int i = 0; i < core.numvert; i += 4) {
    const real* const p = core.vert + (i / hull_block * (3 * hull_block) + i % hull_block) *
                                          static_cast<long long>(shared ? 1 : W);
    const auto at = [&](int k) {
      const auto coordinate = [&](int axis) {
        const int place = axis * hull_block + k;
        if constexpr (shared) {
          return V(element(p + place));
        } else {
          return load<V>(p + static_cast<long long>(place) * W);
        }
      };
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
SWEPT_FN PackCorner<V> furthest_in_blocks(const PackCore<V>& core, Vec3<V> dir) {
  alignas(64) real place[lanes_of<V>], found[4][lanes_of<V>];
  store(place, core.shared ? furthest_place<true>(core, dir) : furthest_place<false>(core, dir));
  for (int l = 0; l < lanes_of<V>; ++l) {
    const unsigned i = static_cast<unsigned>(static_cast<int>(place[l]));
    constexpr unsigned size = hull_block;
    const unsigned at = i / size * (3 * size) + i % size;
    const real* const p =
        core.shared ? core.vert + at : core.vert + static_cast<long long>(at) * W + l;
    const int step = core.shared ? hull_block : hull_block * W;
    found[0][l] = element(p);
    found[1][l] = element(p + step);
    found[2][l] = element(p + 2 * step);
    found[3][l] = static_cast<real>(element(core.vertid + i));
  }
  return {{load<V>(found[0]), load<V>(found[1]), load<V>(found[2])}, load<V>(found[3])};
}

/// The same where every lane walks on its own; those that are not `active` get nothing.
template <class V>
SWEPT_FN PackCorner<V> furthest_by_walks(PackCore<V>* core, Vec3<V> dir, mask_t<V> active) {
  alignas(64) real found[4][lanes_of<V>] = {};
  for (int l = 0; l < lanes_of<V>; ++l) {
    if (!lane(active, l)) {
      continue;
    }
    const HullVertex v = furthest(&core->hull[l], {lane(dir.x, l), lane(dir.y, l), lane(dir.z, l)});
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
      return core->numvert == 0 ? furthest_by_walks(core, dir, active)
                                : furthest_in_blocks(*core, dir);
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
