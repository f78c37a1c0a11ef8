// SPDX-License-Identifier: Apache-2.0
// The guarantee: after the solve, before the positions move, the pairs of an environment that are
// fast at the new velocity are followed along the motion that is really to be made, q (+) t h v.
//
//   list_guarded      the pairs: fast, and near enough to meet (sweep_guarded in large scenes)
//   guard_all         each as far as it is certified (guard.h; height fields: field_guard.h)
//   solve_again       those that are not certified for the whole step get contacts, in addition to
//                     those that are there, and the environment is solved again; or it is settled
//   hold_back         after the last solve: whatever is connected to a pair that is still not
//                     certified moves up to the certified time only, at its new velocity. Nothing is
//                     lost: the rest of the way is the next step's
//
// A pair that uses up its rounds here does not go to the host's tail, as one of the first search does
// (its arcs would need the joints of both chains there, and each round of solves the host). Nothing is
// lost by it: the pair is certified up to its time, gets a contact there, and after the last solve what
// is connected to it moves up to that time only. The next step looks at the rest of the way anew, with
// all its rounds.
//
// Proof that nothing passes through. No listed pair gets deeper than its floor: a pair is certified up
// to its time t along its own motion. All pairs of the list are connected, so both of its trees move
// by one part of the step, the least time of their component, which is at most t; a static side does
// not move. A pair that is not listed cannot meet at any part of the step that its two sides move by,
// or is slow: then it is at most 5/4 of its thickness e deep after the step (depth.h). From there on,
// and from e on, all that moves is listed, and its floor is where it is. So step by step no pair that
// was apart once gets deeper than 5/4 e; to be on the other side it would have to be 2 e deep on its
// way.
#pragma once

#include "kernels/collide/sweep.h"
#include "kernels/integrate/implicit_update.h"
#include "kernels/speculative/contacts.h"
#include "kernels/speculative/depth.h"
#include "kernels/speculative/follow.h"
#include "kernels/speculative/travel.h"

namespace swept::SWEPT_NS {

/// The velocity after the step, as the solve made it.
struct NextVelocity {
  DataAt<real> d;

  SWEPT_FN real operator()(int dof) const { return d.next_qvel(dof); }
};
using GuardScene = ArcScene<NextVelocity>;

SWEPT_FN GuardScene guard_scene(const Tile& t, int env) {
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  return {t.model_at<real>(env / W, env % W), d, {d}};
}

/// Parts of the thickness that floors are lowered by: what a solve leaves of a landing does not
/// call for another, and what is left after the last one is not held back for it.
constexpr real ease_of_solve = 0.02_r, ease_of_hold = 0.1_r;

SWEPT_FN GuardSettings guard_settings(const ModelAt<real>& m, const FastPair& p, bool last) {
  return {pair_reach(m, p.pair).margin, last ? ease_of_hold : ease_of_solve, m->opt.speculative_cap,
          p.travel};
}

/// Whether a pair of an environment whose swept bounds meet has to be guarded.
///   slow     part of its thickness that a pair may travel and be slow (depth.h)
///   travel   receives what its geoms travel together at most [m]
SWEPT_FN bool is_guarded(const Tile& t, int env, const GeomPair& pair, real slow, real* travel) {
  const GuardScene scene = guard_scene(t, env);
  return guard_needed(scene, pair.geom1, pair.geom2, pair_reach(scene.m, pair).margin, slow,
                      travel);
}

/// The number of pairs of an environment. A list that does not fit is empty, and the tile halts.
SWEPT_FN void close_guarded(const Tile& t, int env, int count, GuardHalt halt) {
  report_need(t, &t.control->need.fast, count, t.fast.capacity, halt.fast);
  t.fast.count[env] = count <= t.fast.capacity ? count : 0;
}

SWEPT_FN void put_guarded(const Tile& t, int env, int place, const GeomPair& pair, real travel) {
  if (place < t.fast.capacity) {
    FastPair start = {};
    start.pair = pair;
    start.travel = travel;
    fast_pairs_at(t, env)[place] = start;
  }
}

/// List the pairs of the environments of one V that have to be guarded: of all that may collide. The
/// lanes of other groups must not have to wait for these: what is done depends on the environments.
template <class V>
SWEPT_FN void list_guarded(const Group auto g, const Tile& t, int block, int lane0,
                           GuardHalt halt) {
  const ModelAt<V> m = t.model_at<V>(block, lane0);
  const DataAt<V> d = t.data_at<V>(block, lane0);
  const int env0 = block * W + lane0;
  unsigned open = 0;
  for (int l = 0; l < lanes_of<V>; ++l) {
    open |= t.settled[env0 + l] == 0 ? 1u << l : 0u;
  }
  const bool off = (m->opt.disableflags & (disable_constraint | disable_contact)) != 0;
  const int n = off || open == 0 ? 0 : m->ncandidate;
  const V slow = n > 0 ? slow_part_of_all<V>(t, block, lane0, least_thickness(m)) : V(1_r);
  int count[lanes_of<V>] = {};
  for (int first = 0; first < n; first += g.size()) {
    const int candidate = first + g.lane();
    GeomPair pair{};
    unsigned bits = 0;
    if (candidate < n) {
      pair = candidate_pair(m, candidate);
      bits = open & to_bits<V>(may_meet_on_arcs(m, d, pair, slow));
    }
    if (!g.any(bits != 0)) {
      continue;
    }
    for (int l = 0; l < lanes_of<V>; ++l) {
      real travel = 0_r;
      const bool here =
          (bits >> l & 1u) != 0 && is_guarded(t, env0 + l, pair, lane(slow, l), &travel);
      const int place = count[l] + g.exclusive_scan(here ? 1 : 0);
      if (here) {
        put_guarded(t, env0 + l, place, pair, travel);
      }
      count[l] += g.sum(here ? 1 : 0);
    }
  }
  for (int l = 0; l < lanes_of<V>; ++l) {
    if (g.lane() == 0 && (open >> l & 1u) != 0) {
      close_guarded(t, env0 + l, count[l], halt);
    }
  }
}

/// The same for one environment of a scene that is swept.
SWEPT_FN void sweep_guarded(const Group auto g, const Tile& t, int env, GuardHalt halt) {
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const real slow = slow_part_of_all<real>(t, env / W, env % W, least_thickness(m));
  sweep(g, t, env, Along::arcs, halt.pairs, slow);
  g.sync();
  const Record* const found = found_at(t, env);
  const int n = t.sweep.count[env];
  int count = 0;
  for (int first = 0; first < n; first += g.size()) {
    const int i = first + g.lane();
    GeomPair pair{};
    real travel = 0_r;
    bool here = false;
    if (i < n) {
      const Record r = found[i];
      pair = ordered_pair(m, r.a, high_geom(m, r), r.b < 0 ? -1 - r.b : -1);
      here = is_guarded(t, env, pair, slow, &travel);
    }
    const int place = count + g.exclusive_scan(here ? 1 : 0);
    if (here) {
      put_guarded(t, env, place, pair, travel);
    }
    count += g.sum(here ? 1 : 0);
  }
  if (g.lane() == 0) {
    close_guarded(t, env, count, halt);
  }
}

/// Follow all pairs of the list as far as they are certified.
///   last   nothing is solved after this
SWEPT_FN void guard_all(const Group auto g, const Tile& t, int env, bool last) {
  const GuardScene scene = guard_scene(t, env);
  follow_to_end(g, fast_pairs_at(t, env), [&](FastPair* p) {
    const GuardSettings settings = guard_settings(scene.m, *p, last);
    const ArcPair<NextVelocity> pair = arc_pair_of(scene, p->pair.geom1, p->pair.geom2);
    if (p->pair.kind == collide_surface) {
      // slow is who travels less than a quarter of its thickness there, and is not listed
      follow_surface(scene.m, pair, {settings.margin, settings.ease, settings.cap}, p);
    } else if (p->pair.kind == collide_hfield) {
      follow_field(pair, {settings.margin, settings.ease, settings.cap}, &p->state, &p->prism);
    } else {
      guard_pair(pair, settings, rounds_at_once, &p->state);
    }
  });
}

/// The contacts of a pair that hits on its real way.
SWEPT_FN void meet_guarded(const GuardScene& scene, FastPair* p) {
  const ModelAt<real>& m = scene.m;
  const int geom1 = p->pair.geom1, geom2 = p->pair.geom2;
  const ArcPair<NextVelocity> pair = arc_pair_of(scene, geom1, geom2);
  if (p->pair.kind == collide_surface) {
    // its points were found with its time
  } else if (p->pair.kind == collide_hfield) {
    field_impact(pair, p->prism, p->state, wanted_contacts(m), &p->impact);
  } else {
    robust_impact(pair, p->state.floor, p->state, wanted_contacts(m), &p->impact);
  }
  const ContactParameters<real> parameters = contact_parameters(m, geom1, geom2, p->pair.pairid);
  const AdvanceSettings settings = advance_settings(m, p->pair);
  for (int k = 0; k < p->impact.count; ++k) {
    p->dist[k] = effective_distance(m, settings, parameters, p->impact.point[k]);
    p->visible |= 1u << k;
  }
}

/// Parts of what is left of a closing speed, and of all of it, that the velocity after a solve may be
/// away from what a row has aimed at.
constexpr real ease_of_rest = 0.01_r, ease_of_speed = 2e-4_r;

/// Whether the velocity answers to a speculative contact otherwise than the solve has counted on.
/// (What is more in the solve itself, for other rows' sake or friction's, is no miss.)
SWEPT_FN bool misses_aim(const Tile& t, int env, const GuardScene& scene) {
  if (!moves_implicitly(scene.m)) {
    return false;
  }
  const ContactsAt contacts = t.contacts_at(env);
  const RowsAt rows = t.rows_at(env);
  const real h = scene.m.opt_timestep(0);
  for (int con = 0; con < *contacts.ncon; ++con) {
    const int row = contacts.efc_address(con);
    if (contacts.speculative(con) == 0 || row < 0 || !(rows.efc_force[row] > 0_r)) {
      continue;
    }
    real made = 0_r, counted = 0_r, smooth = 0_r;
    for (int p = rows.efc_rowadr[row]; p < rows.efc_rowadr[row] + rows.efc_rownnz[row]; ++p) {
      const int i = rows.efc_J_colind[p];
      made += rows.efc_J[p] * scene.d.next_qvel(i).get();
      counted += rows.efc_J[p] * scene.d.qacc(i).get();
      smooth += rows.efc_J[p] * scene.d.qacc_smooth(i).get();
    }
    const real aim = -contacts.toi(con) * contacts.toi_speed(con), I = rows.efc_I[row];
    const real more = h * max(counted - I * rows.efc_aref[row] - (1_r - I) * smooth, 0_r);
    const real ease = ease_of_rest * -aim + ease_of_speed * contacts.toi_speed(con);
    if (made - aim - more > ease || aim - made > ease) {
      return true;
    }
  }
  return false;
}

/// Contacts for all pairs that hit, behind those that are there. Settles the environment if there are
/// none and its velocity is what the solve has aimed at. Contacts that do not fit halt the tile.
SWEPT_FN void solve_again(const Group auto g, const Tile& t, int env, GuardHalt halt, bool first) {
  const GuardScene scene = guard_scene(t, env);
  const FastPairs pairs = fast_pairs_at(t, env);
  int hits = 0;
  for (int i = g.lane(); i < pairs.count; i += g.size()) {
    if (is_hit(pairs[i].state.end)) {
      meet_guarded(scene, &pairs[i]);
      hits |= 1;
    }
  }
  hits = g.sum(hits);
  g.sync();
  if (g.lane() != 0) {
    return;
  }
  if (hits == 0 && !(first && misses_aim(t, env, scene))) {
    t.settled[env] = 1;
    return;
  }
  const ContactsAt contacts = t.contacts_at(env);
  int ncon = *contacts.ncon;
  for (int i = 0; i < pairs.count; ++i) {
    if (is_hit(pairs[i].state.end)) {
      ncon += append_points(t, env, &pairs[i], ncon);
    }
  }
  report_need(t, &t.control->need.contacts, ncon, contacts.capacity, halt.contacts);
  *contacts.ncon = ncon <= contacts.capacity ? ncon : contacts.capacity;
  t.control->again = 1;
  ++counter(t, env, speculative_resolved);
}

/// Let what is not certified move up to the certified time only, with all that is connected to it.
SWEPT_FN void hold_back(const Group auto g, const Tile& t, int env) {
  // all have seen that it is not settled
  g.sync();
  if (g.lane() != 0) {
    return;
  }
  const GuardScene scene = guard_scene(t, env);
  const ModelAt<real>& m = scene.m;
  const FastPairs pairs = fast_pairs_at(t, env);
  const auto tree_of = [&](int geom) { return m.body_treeid(m.geom_bodyid(geom)); };
  for (bool changes = true; changes;) {
    changes = false;
    for (int i = 0; i < pairs.count; ++i) {
      const GuardState& s = pairs[i].state;
      const int tree[2] = {tree_of(pairs[i].pair.geom1), tree_of(pairs[i].pair.geom2)};
      real least = is_hit(s.end) ? s.t : 1_r;
      for (const int k : tree) {
        least = k < 0 ? least : min(least, scene.d.tree_move(k).get());
      }
      for (const int k : tree) {
        if (k >= 0 && scene.d.tree_move(k).get() > least) {
          scene.d.tree_move(k) = least;
          changes = true;
        }
      }
    }
  }
  for (int tree = 0; tree < m->ntree; ++tree) {
    if (scene.d.tree_move(tree).get() < 1_r) {
      counter(t, env, speculative_held) = 1;
    }
  }
  t.settled[env] = 1;
}

}  // namespace swept::SWEPT_NS
