// SPDX-License-Identifier: Apache-2.0
// Appending contacts of a pack to the lists of its environments, each at its own length.
//
// Environments that have the same number of contacts are written together, as whole packs of which
// only their lanes change.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/contact.h"
#include "kernels/collide/lanes.h"
#include "kernels/collide/parameters.h"
#include "kernels/math/frame.h"

namespace swept::SWEPT_NS {

/// The contact lists of the environments of one V while they are being written.
template <class V>
struct ContactList {
  real* reals;  ///< record 0 of the block, at the lane
  int* ints;
  int capacity;
  V ncon = V(0_r);   ///< contacts so far, whether they fit or not
  V first = V(0_r);  ///< of which before those of the pair in work

  SWEPT_FN ContactList(const Tile& t, int block, int lane) : capacity(t.contacts.capacity) {
    const long long record = static_cast<long long>(block) * capacity;
    reals = t.contacts.reals + record * ContactLayout::nreal * W + lane;
    ints = t.contacts.ints + record * ContactLayout::nint * W + lane;
  }

  /// Element `offset` of the reals of record k.
  SWEPT_FN Ref<V> at(int k, int offset) const {
    return Ref<V>(reals + (static_cast<long long>(k) * ContactLayout::nreal + offset) * W);
  }
};

/// The integers of a contact that are the same in all lanes.
struct ContactIds {
  int geom1, geom2, pairid, dim;
};

/// Write a field in the lanes of a mask, and leave the others.
template <class V>
SWEPT_FN void put_lanes(Ref<V> place, mask_t<V> here, V x) {
  place = select(here, x, place.get());
}

/// Write the reals of record k in the lanes of a mask.
template <class V>
SWEPT_FN void write_contact(const ContactList<V>& list, int k, mask_t<V> here, const Hit<V>& hit,
                            const Mat3<V>& frame, V margin, const ContactParameters<V>& p) {
  const V pos[3] = {hit.pos.x, hit.pos.y, hit.pos.z};
  const V rows[9] = {frame.xx, frame.xy, frame.xz, frame.yx, frame.yy,
                     frame.yz, frame.zx, frame.zy, frame.zz};
  put_lanes(list.at(k, ContactLayout::dist), here, hit.dist);
  put_lanes(list.at(k, ContactLayout::includemargin), here, margin);
  put_lanes(list.at(k, ContactLayout::mu), here, V(0_r));
  put_lanes(list.at(k, ContactLayout::toi), here, V(0_r));
  put_lanes(list.at(k, ContactLayout::toi_speed), here, V(0_r));
  for (int i = 0; i < 3; ++i) {
    put_lanes(list.at(k, ContactLayout::pos + i), here, pos[i]);
    put_lanes(list.at(k, ContactLayout::pos2 + i), here, pos[i]);
  }
  for (int i = 0; i < 9; ++i) {
    put_lanes(list.at(k, ContactLayout::frame + i), here, rows[i]);
  }
  for (int i = 0; i < 2; ++i) {
    put_lanes(list.at(k, ContactLayout::solref + i), here, p.solref[i]);
    put_lanes(list.at(k, ContactLayout::solreffriction + i), here, p.solreffriction[i]);
  }
  for (int i = 0; i < 5; ++i) {
    put_lanes(list.at(k, ContactLayout::friction + i), here, p.friction[i]);
    put_lanes(list.at(k, ContactLayout::solimp + i), here, p.solimp[i]);
  }
}

/// Write the integers of record k in the lanes of a mask.
///   excluded   bit l: the contact of lane l lies in the gap
///   index      number of the contact among those of its pair, by lane
template <class V>
SWEPT_FN void write_ids(const ContactList<V>& list, int k, unsigned here, ContactIds ids,
                        unsigned excluded, V index) {
  const List<int> record = list.ints + static_cast<long long>(k) * ContactLayout::nint * W;
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((here >> l & 1u) == 0) {
      continue;
    }
    record[ContactLayout::int_geom1 * W + l] = ids.geom1;
    record[ContactLayout::int_geom2 * W + l] = ids.geom2;
    record[ContactLayout::int_pairid * W + l] = ids.pairid;
    record[ContactLayout::int_index * W + l] = static_cast<int>(lane(index, l));
    record[ContactLayout::int_dim * W + l] = ids.dim;
    record[ContactLayout::int_exclude * W + l] = static_cast<int>(excluded >> l & 1u);
    record[ContactLayout::int_speculative * W + l] = 0;
    record[ContactLayout::int_efc_address * W + l] = -1;
  }
}

/// Append one contact in the lanes where it is hit; count it even where it does not fit.
template <class V>
SWEPT_FN void append(ContactList<V>* list, const Hit<V>& hit, V margin,
                     const ContactParameters<V>& p, ContactIds ids) {
  const Mat3<V> frame = make_frame(hit.normal, hit.tangent);
  const unsigned excluded = to_bits<V>(hit.dist >= margin);
  unsigned rest = to_bits<V>(hit.hit);
  while (rest != 0) {
    // the lanes that have as many contacts as the lowest one left
    int lowest = 0;
    while ((rest >> lowest & 1u) == 0) {
      ++lowest;
    }
    const V k(lane(list->ncon, lowest));
    const mask_t<V> here = hit.hit && list->ncon == k;
    const unsigned bits = to_bits<V>(here);
    rest &= ~bits;
    const int record = static_cast<int>(lane(k, 0));
    if (record < list->capacity) {
      write_contact(*list, record, here, hit, frame, margin, p);
      write_ids(*list, record, bits, ids, excluded, V(list->ncon - list->first));
    }
  }
  list->ncon = select(hit.hit, V(list->ncon + V(1_r)), list->ncon);
}

}  // namespace swept::SWEPT_NS
