// SPDX-License-Identifier: Apache-2.0
// A convex pair in the environments of one V: the first rounds of GJK for all of them at once, which
// leave out those that are apart, then each of the others on its own from where these rounds ended.
#pragma once

#include "kernels/collide/lanes.h"
#include "kernels/collide/slots.h"
#include "kernels/geometry/pack_gjk.h"

namespace swept::SWEPT_NS {

/// Whether both geoms of a pair can be searched in packs.
template <class V>
SWEPT_FN bool is_searched_in_packs(const ModelAt<V>& m, const GeomPair& pair) {
  return pair.kind == collide_convex && has_pack_core(m, pair.geom1) &&
         has_pack_core(m, pair.geom2);
}

/// How many contacts a convex pair is to have.
template <class V>
SWEPT_FN ContactCount wanted_contacts(const ModelAt<V>& m) {
  return (m->opt.disableflags & disable_multiccd) != 0 ? ContactCount::one : ContactCount::several;
}

/// A vertex of each environment of one V, in memory.
template <class V>
struct VertexLanes {
  static constexpr int reals = 8;
  alignas(64) real value[reals][lanes_of<V>];

  SWEPT_FN explicit VertexLanes(const PackVertex<V>& v) {
    const V values[reals] = {v.w.x, v.w.y, v.w.z, v.a.x, v.a.y, v.a.z, v.id1, v.id2};
    for (int k = 0; k < reals; ++k) {
      store(value[k], values[k]);
    }
  }
  SWEPT_FN Vertex at(int l) const {
    return {{value[0][l], value[1][l], value[2][l]},
            {value[3][l], value[4][l], value[5][l]},
            static_cast<int>(value[6][l]),
            static_cast<int>(value[7][l])};
  }
};

/// Where the first rounds of a search ended, in memory.
template <class V>
struct PackStart {
  VertexLanes<V> oldest, middle, newest, apex;
  alignas(64) real count[lanes_of<V>], scale2[lanes_of<V>];

  SWEPT_FN explicit PackStart(const PackSimplex<V>& s)
      : oldest(s.oldest), middle(s.middle), newest(s.newest), apex(s.apex) {
    store(count, s.count);
    store(scale2, s.scale2);
  }

  /// Those of lane l; its tetrahedron holds the origin if it overlaps.
  SWEPT_FN void at(int l, bool overlap, GjkStart* start) const {
    start->overlap = overlap;
    start->rounds = pack_rounds;
    start->scale2 = scale2[l];
    Simplex& s = start->simplex;
    s.count = 0;
    const int n = static_cast<int>(count[l]);
    if (n > 2) {
      s.vertex[s.count++] = oldest.at(l);
    }
    if (n > 1) {
      s.vertex[s.count++] = middle.at(l);
    }
    if (n > 0) {
      s.vertex[s.count++] = newest.at(l);
    }
    if (overlap) {
      s.vertex[s.count++] = apex.at(l);
    }
  }
};

/// The two cores of a pair.
template <class V>
SWEPT_FN void pack_pair(const ModelAt<V>& m, const DataAt<V>& d, const GeomPair& pair,
                        PackPair<V>* out) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  pack_core(m, g1, &out->core1);
  pack_core(m, g2, &out->core2);
  const Mat3<V> mat1 = mat3(d.geom_xmat(9 * g1));
  out->turn = transpose_mul(mat1, mat3(d.geom_xmat(9 * g2)));
  out->shift = transpose_mul(mat1, vec3(d.geom_xpos(3 * g2)) - vec3(d.geom_xpos(3 * g1)));
  out->polytopes = is_polytope(out->core1.kind) && is_polytope(out->core2.kind);
}

/// Fill the slots of a convex pair in the lanes of `bits`.
template <class V>
SWEPT_FN void collide_convex_pair(const Tile& t, int block, int lane0, const GeomPair& pair,
                                  int slot, unsigned bits) {
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  PackPair<V> both;
  pack_pair(m, t.data_at<V>(block, lane0), pair, &both);
  PackSimplex<V> simplex;
  const V cutoff = pair_reach(m, pair).detect + both.core1.radius + both.core2.radius;
  const PackEnd<V> end = pack_gjk(&both, cutoff, from_bits<V>(bits), &simplex);

  hits_at<V>(t, block, lane0).at(slot, HitsView::count) = V(0_r);
  const PackStart<V> reached(simplex);
  const unsigned overlap = to_bits<V>(end.overlap), left = bits & ~to_bits<V>(end.far);
  const ContactCount wanted = wanted_contacts(m);
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((left >> l & 1u) != 0) {
      const OneEnv env(t, block, lane0 + l);
      GjkStart start;
      reached.at(l, (overlap >> l & 1u) != 0, &start);
      Witness found[max_convex_contacts];
      const int n =
          convex_contacts(shape_of(env.m, env.d, pair.geom1), shape_of(env.m, env.d, pair.geom2),
                          pair_reach(env.m, pair).detect, found, wanted, &start);
      put_contacts(env.hits, slot, found, n);
    }
  }
}

}  // namespace swept::SWEPT_NS
