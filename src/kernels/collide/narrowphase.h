// SPDX-License-Identifier: Apache-2.0
// Narrow phase: the contacts of all listed pairs, appended to the environments' lists in the order
// of the pairs.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/capsule.h"
#include "kernels/collide/contact_list.h"
#include "kernels/collide/pairs.h"
#include "kernels/collide/plane.h"
#include "kernels/collide/sphere.h"

namespace swept::SWEPT_NS {

/// A geom in the world as one of the shapes.
template <class V>
SWEPT_FN Vec3<V> geom_axis(const DataAt<V>& d, int geom) {
  return {d.geom_xmat(9 * geom + 2), d.geom_xmat(9 * geom + 5), d.geom_xmat(9 * geom + 8)};
}
template <class V>
SWEPT_FN Plane<V> plane_of(const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)), geom_axis(d, geom)};
}
template <class V>
SWEPT_FN Sphere<V> sphere_of(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)), geom_axis(d, geom), m.geom_size(3 * geom)};
}
template <class V>
SWEPT_FN Capsule<V> capsule_of(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)), geom_axis(d, geom), m.geom_size(3 * geom),
          m.geom_size(3 * geom + 1)};
}
template <class V>
SWEPT_FN Box<V> box_of(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)),
          mat3(d.geom_xmat(9 * geom)),
          {m.geom_size(3 * geom), m.geom_size(3 * geom + 1), m.geom_size(3 * geom + 2)}};
}

/// Append the contacts of one candidate pair.
///   touch   lanes whose bounds touch; the others get none, so that the lanes beside them do not
///           matter
template <class V, int N>
SWEPT_FN void append_all(ContactList<V>* list, const ModelAt<V>& m, int candidate, V margin,
                         mask_t<V> touch, Hits<V, N> hits) {
  mask_t<V> any = hits.at[0].hit && touch;
  for (int i = 0; i < N; ++i) {
    hits.at[i].hit = hits.at[i].hit && touch;
    any = any || hits.at[i].hit;
  }
  if (none_of(any)) {
    return;
  }
  const ContactParameters<V> p = contact_parameters(m, candidate);
  const ContactIds ids = {candidate, m.candidate_geom1(candidate), m.candidate_geom2(candidate),
                          p.dim};
  const V first = list->ncon;
  for (int i = 0; i < N; ++i) {
    if (any_of(hits.at[i].hit)) {
      append(list, first, hits.at[i], margin, p, ids);
    }
  }
}

/// Collide one candidate pair in the lanes whose bounds touch.
template <class V>
SWEPT_FN void collide(ContactList<V>* list, const ModelAt<V>& m, const DataAt<V>& d, int candidate,
                      mask_t<V> touch) {
  const Reach<V> reach = candidate_reach(m, candidate);
  const int g1 = m.candidate_geom1(candidate), g2 = m.candidate_geom2(candidate);
  const auto add = [&](const auto& hits) {
    append_all(list, m, candidate, reach.margin, touch, hits);
  };
  switch (m.candidate_kind(candidate)) {
    case collide_plane_sphere:
      return add(plane_sphere(plane_of(d, g1), sphere_of(m, d, g2), reach.detect));
    case collide_plane_capsule:
      return add(plane_capsule(plane_of(d, g1), capsule_of(m, d, g2), reach.detect));
    case collide_plane_box:
      return add(plane_box(plane_of(d, g1), box_of(m, d, g2), reach.detect));
    case collide_sphere_sphere:
      return add(sphere_sphere(sphere_of(m, d, g1), sphere_of(m, d, g2), reach.detect));
    case collide_sphere_capsule:
      return add(sphere_capsule(sphere_of(m, d, g1), capsule_of(m, d, g2), reach.detect));
    case collide_sphere_box:
      return add(sphere_box(sphere_of(m, d, g1), box_of(m, d, g2), reach.detect));
    case collide_capsule_capsule:
      return add(capsule_capsule(capsule_of(m, d, g1), capsule_of(m, d, g2), reach.detect));
    default:
      return;  // the compiler of scenes lists no other kind
  }
}

/// Contacts of the environments of one V. An environment without listed pairs has 0. A list that
/// does not fit holds its first contacts, and the tile halts.
template <class V>
SWEPT_FN void narrowphase(const Group auto g, const Tile& t, int block, int lane0) {
  if (g.lane() != 0) {
    return;
  }
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const PairsAt pairs = pairs_at<V>(t, block, lane0);
  ContactList<V> list(t, block, lane0);
  for (int i = 0; i < *pairs.count; ++i) {
    collide(&list, m, d, pairs.pair[i], from_bits<V>(pairs.mask[i]));
  }

  // the counts, and the largest of them
  int most = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    const int ncon = static_cast<int>(lane(list.ncon, l));
    most = ncon > most ? ncon : most;
    t.contacts.ncon[block * W + lane0 + l] = ncon < list.capacity ? ncon : list.capacity;
  }
  report_need(t, &t.control->need.contacts, most, list.capacity, halt_contacts);
}

}  // namespace swept::SWEPT_NS
