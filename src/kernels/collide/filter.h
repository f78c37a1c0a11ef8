// SPDX-License-Identifier: Apache-2.0
// Who may collide with whom, for scenes that list no candidates: the rules of the compiler, one
// pair at a time. Nothing here depends on the state.
//
//   bodies   not welded together; one of them moves; neither hangs directly on the other (unless
//            that filter is off, or the upper one is fixed to the world); not excluded
//   geoms    bits match; no predefined pair names them, which is tested apart; types that touch
#pragma once

#include "kernels/collide/pairs.h"

namespace swept::SWEPT_NS {

/// The first of n ascending integers that is not below x; n if all are.
SWEPT_FN int lower_bound(const int* sorted, int n, int x) {
  int low = 0;
  while (n > 0) {
    const int half = n / 2;
    if (element(sorted + low + half) < x) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

/// The ColliderKind of two types, the smaller one first; -1: these never touch.
SWEPT_FN int collider_of(int type1, int type2) {
  if (type1 == geom_plane) {
    switch (type2) {
      case geom_sphere:
        return collide_plane_sphere;
      case geom_capsule:
        return collide_plane_capsule;
      case geom_ellipsoid:
        return collide_plane_ellipsoid;
      case geom_cylinder:
        return collide_plane_cylinder;
      case geom_box:
        return collide_plane_box;
      case geom_mesh:
        return collide_plane_mesh;
      default:
        return -1;
    }
  }
  if (type1 == geom_hfield) {
    return type2 == geom_hfield ? -1 : collide_hfield;
  }
  if (type1 == geom_sphere) {
    switch (type2) {
      case geom_sphere:
        return collide_sphere_sphere;
      case geom_capsule:
        return collide_sphere_capsule;
      case geom_cylinder:
        return collide_sphere_cylinder;
      case geom_box:
        return collide_sphere_box;
      default:
        return collide_convex;
    }
  }
  if (type1 == geom_capsule && type2 == geom_capsule) {
    return collide_capsule_capsule;
  }
  if (type1 == geom_capsule && type2 == geom_box) {
    return collide_capsule_box;
  }
  return type1 == geom_box && type2 == geom_box ? collide_box_box : collide_convex;
}

/// The ColliderKind of two geoms, that of the smaller type first.
template <class V>
SWEPT_FN int collider_of_geoms(const ModelAt<V>& m, int geom1, int geom2) {
  const int kind = collider_of(m.geom_type(geom1), m.geom_type(geom2));
  // a surface is a mesh, and no type is larger than that
  const bool surface = kind == collide_convex && m.geom_type(geom2) == geom_mesh &&
                       (m.geom_surface(geom1) != 0 || m.geom_surface(geom2) != 0);
  return surface ? static_cast<int>(collide_surface) : kind;
}

/// body1 < body2 as one integer, for scenes with predefined pairs or excludes.
SWEPT_FN int body_signature(int body1, int body2) {
  return (body1 << 16) + body2;
}

/// Whether two bodies, the lower id first, may collide at all.
template <class V>
SWEPT_FN bool bodies_may_collide(const ModelAt<V>& m, int body1, int body2) {
  const int weld1 = m.body_weldid(body1), weld2 = m.body_weldid(body2);
  if (weld1 == weld2 || (m.body_dofnum(weld1) == 0 && m.body_dofnum(weld2) == 0)) {
    return false;
  }
  if ((m->opt.disableflags & disable_filterparent) == 0 && weld1 != 0 && weld2 != 0 &&
      (weld1 == m.body_weldid(m.body_parentid(weld2)) ||
       weld2 == m.body_weldid(m.body_parentid(weld1)))) {
    return false;
  }
  if (m->nexclude == 0) {
    return true;
  }
  const int signature = body_signature(body1, body2);
  const int at = lower_bound(m->exclude_signature, m->nexclude, signature);
  return at == m->nexclude || m.exclude_signature(at) != signature;
}

/// Whether a predefined pair names two geoms, that of the lower body first.
template <class V>
SWEPT_FN bool is_predefined(const ModelAt<V>& m, int low, int high) {
  if (m->npair == 0) {
    return false;
  }
  const int signature = body_signature(m.geom_bodyid(low), m.geom_bodyid(high));
  for (int p = lower_bound(m->pair_signature, m->npair, signature);
       p < m->npair && m.pair_signature(p) == signature; ++p) {
    const int first = m.pair_geom1(p), second = m.pair_geom2(p);
    if ((first == low && second == high) || (first == high && second == low)) {
      return true;
    }
  }
  return false;
}

/// Two geoms in the order of types (of equal types, as they come: the lower body first).
template <class V>
SWEPT_FN GeomPair ordered_pair(const ModelAt<V>& m, int low, int high, int pairid) {
  const int type1 = m.geom_type(low), type2 = m.geom_type(high);
  if (type1 > type2) {
    return {high, low, pairid, collider_of_geoms(m, high, low)};
  }
  return {low, high, pairid, collider_of_geoms(m, low, high)};
}

/// Whether the bits of two geoms of bodies that may collide match, and no predefined pair is theirs.
template <class V>
SWEPT_FN bool geoms_may_collide(const ModelAt<V>& m, int low, int high) {
  const bool bits = (m.geom_contype(low) & m.geom_conaffinity(high)) != 0 ||
                    (m.geom_contype(high) & m.geom_conaffinity(low)) != 0;
  return bits && !is_predefined(m, low, high);
}

}  // namespace swept::SWEPT_NS
