// SPDX-License-Identifier: Apache-2.0
// Speculative contacts in the list of contacts: how the narrow phase appends those of a fast pair,
// and how those are taken out again that something hides which moves.
#pragma once

#include "kernels/collide/contact_list.h"
#include "kernels/speculative/follow.h"

namespace swept::SWEPT_NS {

/// The fast pairs of the environments of one V while their contacts are listed, in turn.
template <class V>
struct FastCursor {
  const Tile* t;
  int block, lane0;
  int next[lanes_of<V>] = {};

  /// The pair of lane l that comes next.
  SWEPT_FN FastPair& take(int l) { return fast_pairs_at(*t, block * W + lane0 + l)[next[l]++]; }
};

/// Write the record of a point.
SWEPT_FN void write_point(const ContactsAt& c, int k, const FastPair& p, int point, int index,
                          const ContactParameters<real>& parameters, real margin, real timestep) {
  const SpeculativePoint& at = p.impact.point[point];
  const Mat3<real> frame = make_frame(at.normal, zero3<real>());
  const real pos[3] = {at.pos.x, at.pos.y, at.pos.z}, pos2[3] = {at.pos2.x, at.pos2.y, at.pos2.z};
  const real rows[9] = {frame.xx, frame.xy, frame.xz, frame.yx, frame.yy,
                        frame.yz, frame.zx, frame.zy, frame.zz};
  c.dist(k) = p.dist[point];
  c.includemargin(k) = margin;
  c.mu(k) = 0_r;
  c.toi(k) = at.t;
  c.toi_speed(k) = at.speed / timestep;
  for (int i = 0; i < 3; ++i) {
    c.pos(k, i) = pos[i];
    c.pos2(k, i) = pos2[i];
  }
  for (int i = 0; i < 9; ++i) {
    c.frame(k, i) = rows[i];
  }
  for (int i = 0; i < 2; ++i) {
    c.solref(k, i) = parameters.solref[i];
    c.solreffriction(k, i) = parameters.solreffriction[i];
  }
  for (int i = 0; i < 5; ++i) {
    c.friction(k, i) = parameters.friction[i];
    c.solimp(k, i) = parameters.solimp[i];
  }
  c.geom1(k) = p.pair.geom1;
  c.geom2(k) = p.pair.geom2;
  c.pairid(k) = p.pair.pairid;
  c.index(k) = index;
  c.dim(k) = parameters.dim;
  c.exclude(k) = 0;
  c.speculative(k) = 1;
  c.efc_address(k) = -1;
}

/// Append the visible points of a fast pair to the list of its environment; returns their number,
/// whether they fit or not.
///   first   contacts that are there
SWEPT_FN int append_points(const Tile& t, int env, FastPair* p, int first) {
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const ContactsAt contacts = t.contacts_at(env);
  const ContactParameters<real> parameters =
      contact_parameters(m, p->pair.geom1, p->pair.geom2, p->pair.pairid);
  const real margin = pair_reach(m, p->pair).margin;
  int count = 0;
  p->first = first;
  for (int k = 0; k < p->impact.count; ++k) {
    if ((p->visible >> k & 1u) != 0) {
      if (first + count < contacts.capacity) {
        write_point(contacts, first + count, *p, k, count, parameters, margin, m.opt_timestep(0));
      }
      ++count;
    }
  }
  return count;
}

/// Append the speculative contacts of one pair; returns the lanes in which they stand for the
/// discrete ones, none of which pushes there.
///   bits   lanes in which the pair is fast
template <class V>
SWEPT_FN mask_t<V> append_speculative(ContactList<V>* list, FastCursor<V>* cursor, unsigned bits) {
  unsigned found = 0;
  alignas(64) real count[lanes_of<V>] = {};
  for (int l = 0; l < lanes_of<V>; ++l) {
    if ((bits >> l & 1u) != 0) {
      FastPair& p = cursor->take(l);
      if (is_hit(p.state.end) && p.visible != 0) {
        count[l] =
            static_cast<real>(append_points(*cursor->t, cursor->block * W + cursor->lane0 + l, &p,
                                            static_cast<int>(lane(list->ncon, l))));
        found |= p.touches == 0 ? 1u << l : 0u;
      }
    }
  }
  list->ncon = list->ncon + load<V>(count);
  return from_bits<V>(found);
}

// ---- sight --------------------------------------------------------------------------------------------

/// Whether a geom that can move, and has a contact in this step with the geom of a segment, hides
/// it.
SWEPT_FN bool is_hidden_by_contacts(const ModelAt<real>& m, const DataAt<real>& d,
                                    const ContactsAt& contacts, const SightSegment& segment) {
  for (int c = 0; c < *contacts.ncon; ++c) {
    const int g1 = contacts.geom1(c), g2 = contacts.geom2(c);
    if (g1 != segment.geom && g2 != segment.geom) {
      continue;
    }
    const int other = g1 == segment.geom ? g2 : g1;
    if (contacts.exclude(c) == 0 && m.body_lastdof(m.geom_bodyid(other)) >= 0 &&
        is_near(m, d, other, segment) && may_occlude(m, other, segment.geom, segment.partner) &&
        occludes(m, d, other, segment)) {
      return true;
    }
  }
  return false;
}

/// The number of contacts of each geom of an environment, where geom_dx was: after the narrow phase
/// nobody asks for that, and the next broad phase makes it anew.
SWEPT_FN void count_contacts(const Group auto g, const ModelAt<real>& m, const DataAt<real>& d,
                             const ContactsAt& contacts) {
  for (int geom = g.lane(); geom < m->ngeom; geom += g.size()) {
    d.geom_dx(3 * geom) = 0_r;
  }
  g.sync();
  if (g.lane() == 0) {
    for (int c = 0; c < *contacts.ncon; ++c) {
      const int both[2] = {contacts.geom1(c), contacts.geom2(c)};
      for (const int geom : both) {
        d.geom_dx(3 * geom) = d.geom_dx(3 * geom).get() + 1_r;
      }
    }
  }
  g.sync();
}

/// The visible points of a pair that moving geoms hide, as bits. Needs count_contacts().
SWEPT_FN unsigned hidden_points(const ModelAt<real>& m, const DataAt<real>& d,
                                const ContactsAt& contacts, const FastPair& p) {
  const int geom1 = p.pair.geom1, geom2 = p.pair.geom2;
  // a geom that has no other contacts than those of this pair has none with what might hide it
  real own = 0_r;
  for (int k = 0; k < p.impact.count; ++k) {
    own += (p.visible >> k & 1u) != 0 ? 1_r : 0_r;
  }
  const auto has_others = [&](int geom) {
    return p.touches != 0 || d.geom_dx(3 * geom).get() > own;
  };
  unsigned hidden = 0;
  for (int k = 0; k < p.impact.count; ++k) {
    for (int i = 0; i < sight_segments && (p.visible >> k & 1u) != 0; ++i) {
      const SightSegment segment =
          sight_segment(i, p.impact.point[k], geom1, geom2, d.geom_travel(geom1).get(),
                        d.geom_travel(geom2).get());
      if (has_others(segment.geom) && has_length(segment) &&
          is_hidden_by_contacts(m, d, contacts, segment)) {
        hidden |= 1u << k;
        break;
      }
    }
  }
  return hidden;
}

/// Copy contact `from` to the place `to`.
SWEPT_FN void move_contact(const ContactsAt& c, int from, int to) {
  for (int i = 0; i < ContactLayout::nreal; ++i) {
    element(c.reals + (static_cast<long long>(to) * ContactLayout::nreal + i) * W) =
        element(c.reals + (static_cast<long long>(from) * ContactLayout::nreal + i) * W);
  }
  for (int i = 0; i < ContactLayout::nint; ++i) {
    element(c.ints + (static_cast<long long>(to) * ContactLayout::nint + i) * W) =
        element(c.ints + (static_cast<long long>(from) * ContactLayout::nint + i) * W);
  }
}

/// Take the hidden contacts of an environment out of its list. Who hides whom is decided by the list
/// as it was.
SWEPT_FN void take_out_hidden(const Group auto g, const Tile& t, int env) {
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  const FastPairs pairs = fast_pairs_at(t, env);
  const ContactsAt contacts = t.contacts_at(env);
  // the same for all lanes
  if (pairs.count > 0) {
    count_contacts(g, m, d, contacts);
  }
  int any = 0;
  for (int i = g.lane(); i < pairs.count; i += g.size()) {
    FastPair& p = pairs[i];
    const bool listed = is_hit(p.state.end) && p.visible != 0;
    p.hidden = listed ? hidden_points(m, d, contacts, p) : 0u;
    any |= p.hidden != 0 ? 1 : 0;
  }
  // this also waits until all lanes have seen the list
  if (g.sum(any) == 0) {
    return;
  }
  g.sync();
  if (g.lane() != 0) {
    return;
  }
  int kept = 0, next = 0;
  const auto keep_until = [&](int end) {
    for (; next < end; ++next, ++kept) {
      if (kept != next) {
        move_contact(contacts, next, kept);
      }
    }
  };
  for (int i = 0; i < pairs.count; ++i) {
    FastPair& p = pairs[i];
    int index = 0, contact = p.first;
    for (int k = 0; k < p.impact.count && p.hidden != 0; ++k) {
      if ((p.visible >> k & 1u) == 0) {
        continue;
      }
      keep_until(contact);
      if ((p.hidden >> k & 1u) != 0) {
        ++next;
      } else {
        contacts.index(contact) = index++;
      }
      ++contact;
    }
  }
  keep_until(*contacts.ncon);
  *contacts.ncon = kept;
}

}  // namespace swept::SWEPT_NS
