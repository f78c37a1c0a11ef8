// SPDX-License-Identifier: Apache-2.0
// The list of pairs of geoms whose bounds touch: one list for all lanes that a value V holds.
//
//   CPU    V = pack   list = block            mask: bit l is lane l
//   CUDA   V = real   list = block * W + lane  mask: 1
//
// Pairs of some kinds are worked on one environment at a time, by colliders whose work depends on
// the pose (`single`). Their contacts go to slots first, see HitsView.
#pragma once

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Two geoms that may collide; geom 1 has the smaller type (of equal types: the smaller body).
struct GeomPair {
  int geom1, geom2;
  int pairid;  ///< predefined pair, -1: parameters are mixed from the geoms
  int kind;    ///< ColliderKind
};

/// Candidate number c of the compiled list.
template <class V>
SWEPT_FN GeomPair candidate_pair(const ModelAt<V>& m, int c) {
  return {m.candidate_geom1(c), m.candidate_geom2(c), m.candidate_pairid(c), m.candidate_kind(c)};
}

/// Whether pairs of a kind are worked on one environment at a time.
SWEPT_FN bool is_single(int kind) {
  return kind >= collide_plane_mesh;
}

/// The most contacts that a pair worked on alone can have; 0 for the others.
///   type1, type2   of its geoms
SWEPT_HD constexpr int slots_of(int kind, int type1, int type2) {
  switch (kind) {
    case collide_plane_mesh:
      return 4;
    case collide_box_box:
      return 8;
    case collide_convex:
      // a sphere or an ellipsoid touches in one point
      return type1 == geom_sphere || type1 == geom_ellipsoid || type2 == geom_ellipsoid ? 1 : 4;
    case collide_hfield:
      return 50;
    case collide_surface:
      return 8;
    default:
      return 0;
  }
}
template <class V>
SWEPT_FN int slots_of(const ModelAt<V>& m, const GeomPair& pair) {
  return is_single(pair.kind)
             ? slots_of(pair.kind, m.geom_type(pair.geom1), m.geom_type(pair.geom2))
             : 0;
}

/// Lanes, as bits, in which a pair of geoms may have contacts: where their bounds touch, and where
/// they are fast and may meet within the step.
struct Meeting {
  unsigned touching = 0;
  unsigned fast = 0;

  SWEPT_FN bool any() const { return (touching | fast) != 0; }
};

/// One list. Entry i touches in the lanes mask[i].
struct PairsAt {
  List<int> pair;
  List<int> single;  ///< entry number of each pair that is worked on alone
  List<unsigned> mask;
  List<int> count;
  List<int> singles;
  int capacity;

  SWEPT_FN List<int> entry(int i) const {
    return pair + static_cast<long long>(i) * PairsView::entry_ints;
  }
  SWEPT_FN GeomPair at(int i) const {
    const List<int> e = entry(i);
    return {e[0], e[1], e[2], e[3]};
  }
  /// First slot of entry i.
  SWEPT_FN int slot(int i) const { return entry(i)[4]; }
  /// Lanes in which entry i is fast: it is followed on its way through the step.
  SWEPT_FN unsigned fast(int i) const { return static_cast<unsigned>(entry(i)[5]); }
  SWEPT_FN void put(int i, const GeomPair& p, Meeting lanes, int first_slot) const {
    const List<int> e = entry(i);
    e[0] = p.geom1;
    e[1] = p.geom2;
    e[2] = p.pairid;
    e[3] = p.kind;
    e[4] = first_slot;
    e[5] = static_cast<int>(lanes.fast);
    mask[i] = lanes.touching;
  }
};

/// The list of the environments of one value V.
template <class V>
SWEPT_FN PairsAt pairs_at(const Tile& t, int block, int lane) {
  const int list = block * (W / lanes_of<V>)+lane;
  const long long entry = static_cast<long long>(list) * t.pairs.capacity;
  return {t.pairs.pair + entry * PairsView::entry_ints,
          t.pairs.single + entry,
          t.pairs.mask + entry,
          t.pairs.count + list,
          t.pairs.singles + list,
          t.pairs.capacity};
}

/// The slots of the environments of one V.
template <class V>
struct HitsAt {
  real* reals;  ///< slot 0 of the block, at the lane

  SWEPT_FN Ref<V> at(int slot, int offset) const {
    return Ref<V>(reals + (static_cast<long long>(slot) * HitsView::nreal + offset) * W);
  }
};
template <class V>
SWEPT_FN HitsAt<V> hits_at(const Tile& t, int block, int lane) {
  return {t.hits.reals + static_cast<long long>(block) * t.hits.capacity * HitsView::nreal * W +
          lane};
}

}  // namespace swept::SWEPT_NS
