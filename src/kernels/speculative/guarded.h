// SPDX-License-Identifier: Apache-2.0
// The guarantee: after the solve, before the positions move, the pairs of an environment that are
// fast at the new velocity are followed along the motion that is really to be made, q (+) t h v.
//
//   list_guarded      the pairs: fast, and near enough to meet
//   guard_all         each as far as it is certified (guard.h)
//   solve_again       those that are not certified for the whole step get contacts, in addition to
//                     those that are there, and the environment is solved again; or it is settled
//   hold_back         after the last solve: whatever is connected to a pair that is still not
//                     certified moves up to the certified time only, at its new velocity. Nothing is
//                     lost: the rest of the way is the next step's
//
// Proof that no listed pair gets deeper than its floor: a pair is certified up to its time t along
// its own motion. All pairs of the list are connected, so both of its trees move by one part of the
// step, the least time of their component, which is at most t; a static side does not move. A pair
// that is not listed is slow or cannot meet at any part of the step that its two sides move by.
#pragma once

#include "kernels/collide/sweep.h"
#include "kernels/speculative/contacts.h"
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

SWEPT_FN GuardSettings guard_settings(const ModelAt<real>& m, const GeomPair& pair, bool last) {
  return {pair_reach(m, pair).margin, last ? ease_of_hold : ease_of_solve, m->opt.speculative_cap};
}

/// List the pairs of an environment that have to be guarded. A list that does not fit is empty, and
/// the tile halts.
SWEPT_FN void list_guarded(const Group auto g, const Tile& t, int env) {
  const GuardScene scene = guard_scene(t, env);
  const ModelAt<real>& m = scene.m;
  const bool swept = t.model.nsweep > 0;
  if (swept) {
    sweep(g, t, env, Along::arcs);
    g.sync();
  }
  const bool off = (m->opt.disableflags & (disable_constraint | disable_contact)) != 0;
  const int n = off ? 0 : (swept ? t.sweep.count[env] : m->ncandidate);
  const Record* const found = swept ? found_at(t, env) : nullptr;
  FastPair* const list = fast_pairs_at(t, env).pair;
  int count = 0;
  for (int first = 0; first < n; first += g.size()) {
    const int i = first + g.lane();
    FastPair start = {};
    bool here = false;
    if (i < n) {
      if (swept) {
        const Record r = found[i];
        start.pair = ordered_pair(m, r.a, high_geom(m, r), r.b < 0 ? -1 - r.b : -1);
      } else {
        start.pair = candidate_pair(m, i);
      }
      here =
          (swept || may_meet_on_arcs(m, scene.d, start.pair)) &&
          guard_needed(scene, start.pair.geom1, start.pair.geom2, pair_reach(m, start.pair).margin);
    }
    const int place = count + g.exclusive_scan(here ? 1 : 0);
    if (here && place < t.fast.capacity) {
      element(list + place) = start;
    }
    count += g.sum(here ? 1 : 0);
  }
  if (g.lane() == 0) {
    report_need(t, &t.control->need.fast, count, t.fast.capacity, halt_fast);
    t.fast.count[env] = count <= t.fast.capacity ? count : 0;
  }
  g.sync();
}

/// Follow all pairs of the list as far as they are certified.
///   last   nothing is solved after this
SWEPT_FN void guard_all(const Group auto g, const Tile& t, int env, bool last) {
  const GuardScene scene = guard_scene(t, env);
  follow_to_end(g, fast_pairs_at(t, env), [&](FastPair* p) {
    guard_pair(arc_pair_of(scene, p->pair.geom1, p->pair.geom2),
               guard_settings(scene.m, p->pair, last), rounds_at_once, &p->state);
  });
}

/// The contacts of a pair that hits on its real way.
SWEPT_FN void meet_guarded(const GuardScene& scene, FastPair* p) {
  const ModelAt<real>& m = scene.m;
  const int geom1 = p->pair.geom1, geom2 = p->pair.geom2;
  robust_impact(arc_pair_of(scene, geom1, geom2), p->state.floor, p->state, wanted_contacts(m),
                &p->impact);
  const ContactParameters<real> parameters = contact_parameters(m, geom1, geom2, p->pair.pairid);
  const AdvanceSettings settings = advance_settings(m, p->pair);
  for (int k = 0; k < p->impact.count; ++k) {
    p->dist[k] = effective_distance(m, settings, parameters, p->impact.point[k]);
    p->visible |= 1u << k;
  }
}

/// Contacts for all pairs that hit, behind those that are there. Settles the environment if there are
/// none. Contacts that do not fit halt the tile.
SWEPT_FN void solve_again(const Group auto g, const Tile& t, int env) {
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
  if (hits == 0) {
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
  report_need(t, &t.control->need.contacts, ncon, contacts.capacity, halt_contacts);
  *contacts.ncon = ncon <= contacts.capacity ? ncon : contacts.capacity;
  t.control->again = 1;
  ++counter(t, env, speculative_resolved);
}

/// Let what is not certified move up to the certified time only, with all that is connected to it.
SWEPT_FN void hold_back(const Group auto g, const Tile& t, int env) {
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
