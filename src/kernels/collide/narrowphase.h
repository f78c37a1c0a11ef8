// SPDX-License-Identifier: Apache-2.0
// Narrow phase: the contacts of all listed pairs, appended to the environments' lists in the order
// of the pairs. Contacts of pairs that were worked on one at a time come from their slots.
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/capsule.h"
#include "kernels/collide/capsule_box.h"
#include "kernels/collide/contact_list.h"
#include "kernels/collide/pairs.h"
#include "kernels/collide/plane.h"
#include "kernels/collide/round.h"
#include "kernels/collide/sphere.h"
#include "kernels/speculative/contacts.h"

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

template <class V>
SWEPT_FN Ellipsoid<V> ellipsoid_of(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)),
          mat3(d.geom_xmat(9 * geom)),
          {m.geom_size(3 * geom), m.geom_size(3 * geom + 1), m.geom_size(3 * geom + 2)}};
}
template <class V>
SWEPT_FN Cylinder<V> cylinder_of(const ModelAt<V>& m, const DataAt<V>& d, int geom) {
  return {vec3(d.geom_xpos(3 * geom)), mat3(d.geom_xmat(9 * geom)), m.geom_size(3 * geom),
          m.geom_size(3 * geom + 1)};
}

/// Append the contacts of one pair.
///   touching   lanes whose bounds touch; the others get none, so that the lanes beside them do not
///           matter
template <class V, int N>
SWEPT_FN void append_all(ContactList<V>* list, const ModelAt<V>& m, const GeomPair& pair, V margin,
                         mask_t<V> touching, Hits<V, N> hits) {
  mask_t<V> any = hits.at[0].hit && touching;
  for (int i = 0; i < N; ++i) {
    hits.at[i].hit = hits.at[i].hit && touching;
    any = any || hits.at[i].hit;
  }
  if (none_of(any)) {
    return;
  }
  const ContactParameters<V> p = contact_parameters(m, pair.geom1, pair.geom2, pair.pairid);
  const ContactIds ids = {pair.geom1, pair.geom2, pair.pairid, p.dim};
  for (int i = 0; i < N; ++i) {
    if (any_of(hits.at[i].hit)) {
      append(list, hits.at[i], margin, p, ids);
    }
  }
}

/// Append the contacts that a pair has in its slots, from `slot` on.
template <class V>
SWEPT_FN void append_slots(ContactList<V>* list, const ModelAt<V>& m, const HitsAt<V>& hits,
                           const GeomPair& pair, int slot, mask_t<V> touching) {
  const V count = select(touching, hits.at(slot, HitsView::count).get(), V(0_r));
  if (none_of(count > V(0_r))) {
    return;
  }
  const V margin = pair_reach(m, pair).margin;
  const ContactParameters<V> p = contact_parameters(m, pair.geom1, pair.geom2, pair.pairid);
  const ContactIds ids = {pair.geom1, pair.geom2, pair.pairid, p.dim};
  for (int i = 0, n = slots_of(m, pair); i < n; ++i) {
    Hit<V> hit;
    hit.hit = V(static_cast<real>(i)) < count;
    if (none_of(hit.hit)) {
      return;
    }
    const auto at = [&](int offset) { return hits.at(slot + i, offset).get(); };
    hit.dist = at(HitsView::dist);
    hit.pos = {at(HitsView::pos), at(HitsView::pos + 1), at(HitsView::pos + 2)};
    hit.normal = {at(HitsView::normal), at(HitsView::normal + 1), at(HitsView::normal + 2)};
    hit.tangent = zero3<V>();
    append(list, hit, margin, p, ids);
  }
}

/// Collide one pair, of a kind that works on packs, in the lanes whose bounds touch.
template <class V>
SWEPT_FN void collide(ContactList<V>* list, const ModelAt<V>& m, const DataAt<V>& d,
                      const GeomPair& pair, mask_t<V> touching) {
  const Reach<V> reach = pair_reach(m, pair);
  const int g1 = pair.geom1, g2 = pair.geom2;
  const auto add = [&](const auto& hits) {
    append_all(list, m, pair, reach.margin, touching, hits);
  };
  switch (pair.kind) {
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
    case collide_plane_ellipsoid:
      return add(plane_ellipsoid(plane_of(d, g1), ellipsoid_of(m, d, g2), reach.detect));
    case collide_plane_cylinder:
      return add(plane_cylinder(plane_of(d, g1), cylinder_of(m, d, g2), reach.detect));
    case collide_sphere_cylinder:
      return add(sphere_cylinder(sphere_of(m, d, g1), cylinder_of(m, d, g2), reach.detect));
    case collide_capsule_box:
      return add(capsule_box(capsule_of(m, d, g1), box_of(m, d, g2), reach.detect));
    default:
      return;  // all others are worked on one at a time
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
  const HitsAt<V> hits = hits_at<V>(t, block, lane0);
  ContactList<V> list(t, block, lane0);
  FastCursor<V> fast{&t, block, lane0};
  for (int i = 0; i < *pairs.count; ++i) {
    const GeomPair pair = pairs.at(i);
    mask_t<V> touching = from_bits<V>(pairs.mask[i]);
    list.first = list.ncon;
    if (const unsigned bits = pairs.fast(i); bits != 0) {
      touching = touching && !append_speculative(&list, &fast, bits);
    }
    if (is_single(pair.kind)) {
      append_slots(&list, m, hits, pair, pairs.slot(i), touching);
    } else {
      collide(&list, m, d, pair, touching);
    }
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
