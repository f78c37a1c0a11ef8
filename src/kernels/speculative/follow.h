// SPDX-License-Identifier: Apache-2.0
// Fast pairs on their way, environment by environment:
//
//   find_motion   how every geom moves in the step if its velocity stays
//   list_fast     the pairs that the broad phase marked
//   advance_all   directed conservative advancement of all of them; those that use up their rounds are
//                 left to the host
//   meet_all      the contacts of those that hit, and whether something that stays hides them
#pragma once

#include "kernels/base/group.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/lanes.h"
#include "kernels/collide/parameters.h"
#include "kernels/collide/swept_bounds.h"
#include "kernels/speculative/effective.h"
#include "kernels/speculative/fast_pair.h"
#include "kernels/speculative/sight.h"
#include "kernels/speculative/surface.h"

namespace swept::SWEPT_NS {

/// Motion of all geoms of the environments of one V, and whether any of them can be fast in a pair.
template <class V>
SWEPT_FN void find_motion(const Group auto g, const ModelAt<V>& m, const DataAt<V>& d) {
  for (int geom = g.lane(); geom < m->ngeom; geom += g.size()) {
    const StepMotion<V> motion = geom_motion(m, d, geom, vec3(d.cvel(6 * m.geom_bodyid(geom))),
                                             vec3(d.cvel(6 * m.geom_bodyid(geom) + 3)));
    put(d.geom_dx(3 * geom), motion.dx);
    put(d.geom_domega(3 * geom), motion.domega);
    d.geom_travel(geom) = motion.travel;
  }
  g.sync();
  if (g.lane() == 0) {
    mark_fast(m, d, least_thickness(m));
  }
}

/// List the fast pairs of the environments of one V. A list that does not fit is empty, and the tile
/// halts.
template <class V>
SWEPT_FN void list_fast(const Group auto g, const Tile& t, int block, int lane0) {
  if (g.lane() != 0) {
    return;
  }
  int count[lanes_of<V>] = {};
  const PairsAt pairs = pairs_at<V>(t, block, lane0);
  const bool off = none_of(has_fast_geoms(t.model_at<V>(block, lane0), t.data_at<V>(block, lane0)));
  for (int i = 0; i < *pairs.count && !off; ++i) {
    const unsigned bits = pairs.fast(i);
    for (int l = 0; bits != 0 && l < lanes_of<V>; ++l) {
      if ((bits >> l & 1u) == 0) {
        continue;
      }
      if (count[l] < t.fast.capacity) {
        FastPair start = {};
        start.pair = pairs.at(i);
        fast_pairs_at(t, block * W + lane0 + l)[count[l]] = start;
      }
      ++count[l];
    }
  }
  for (int l = 0; l < lanes_of<V>; ++l) {
    report_need(t, &t.control->need.fast, count[l], t.fast.capacity, halt_fast);
    t.fast.count[block * W + lane0 + l] = count[l] <= t.fast.capacity ? count[l] : 0;
  }
}

/// Rounds of a pair before the list is closed up again.
constexpr int rounds_at_once = 8;

/// Follow pairs until all end: the lanes of the group take pairs, a few rounds each; those that go on
/// move up in the list, so that no lane waits for a pair that has ended.
///   follow   follow(pair): some rounds of it
template <class Follow>
SWEPT_FN void follow_to_end(const Group auto g, const FastPairs& pairs, const Follow& follow) {
  for (int i = g.lane(); i < pairs.count; i += g.size()) {
    element(pairs.active + i) = i;
  }
  g.sync();
  for (int active = pairs.count; active > 0;) {
    int kept = 0;
    for (int first = 0; first < active; first += g.size()) {
      int going = 0, number = 0;
      if (first + g.lane() < active) {
        number = element(pairs.active + first + g.lane());
        follow(&pairs[number]);
        going = pairs[number].state.end == AdvanceEnd::active ? 1 : 0;
      }
      // places up to here have been read by all lanes
      const int place = kept + g.exclusive_scan(going);
      if (going != 0) {
        element(pairs.active + place) = number;
      }
      kept += g.sum(going);
    }
    g.sync();
    active = kept;
  }
}

/// Some rounds of a fast pair; of a height field's, one window (field_guard.h). Geoms that touch already
/// have discrete contacts, which are soft: in the mode robust they are followed to the depth that they
/// must not reach (guard.h).
SWEPT_FN void advance_some(const ModelAt<real>& m, const DataAt<real>& d, FastPair* p) {
  const SweptPair pair = swept_pair_of(m, d, p->pair);
  const AdvanceSettings settings = advance_settings(m, p->pair);
  if (p->pair.kind == collide_hfield) {
    follow_field(pair, {settings.margin, 0_r, settings.cap, true}, &p->state, &p->prism);
    // the floor of those that touch is half of the thickness lower, of the others by rounding
    p->touches = p->state.floor < settings.margin - 0.25_r * pair.thickness ? 1 : 0;
    return;
  }
  if (p->pair.kind == collide_surface) {
    // to its end, once
    if (p->state.end == AdvanceEnd::active) {
      follow_surface(m, pair, {settings.margin, 0_r, settings.cap}, p);
    }
    return;
  }
  if (p->touches == 0) {
    advance_pair(pair, settings, rounds_at_once, &p->state);
    if (p->state.end != AdvanceEnd::overlap || settings.mode == SpeculativeMode::parity) {
      return;
    }
    p->state = {};
    p->touches = 1;
  }
  guard_pair(pair, {settings.margin, 0_r, settings.cap}, rounds_at_once, &p->state);
}

/// Follow all fast pairs of an environment to their time of impact. Those that use up their rounds
/// halt the tile until the host has followed them further; once it has, they have ended, and this
/// changes nothing. (In the mode parity the cap has its own answer, the official library's.)
SWEPT_FN void advance_all(const Group auto g, const Tile& t, int env) {
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  follow_to_end(g, fast_pairs_at(t, env), [&](FastPair* p) { advance_some(m, d, p); });
  if (g.lane() == 0 && m->opt.speculative_mode == speculative_robust) {
    report_need(t, &t.control->need.tail, waiting_pairs(t, env), 0, halt_tail);
  }
}

/// The distance [m] that a contact reports: in the mode parity the one that its row works with.
SWEPT_FN real effective_distance(const ModelAt<real>& m, const AdvanceSettings& settings,
                                 const ContactParameters<real>& p, const SpeculativePoint& point) {
  const real h = m.opt_timestep(0);
  const SolImp imp = checked_solimp([&](int i) { return p.solimp[i]; });
  const bool safe = (m->opt.disableflags & disable_refsafe) == 0;
  const StepSpring spring =
      step_spring({p.solref[0], p.solref[1]}, h, safe, SpeculativeUpdate::explicit_, imp.dw);
  if (settings.mode == SpeculativeMode::parity) {
    return settings.margin -
           parity_delta(spring, SpeculativeUpdate::explicit_, point.t, point.speed, imp.width);
  }
  return robust_aim(spring, imp.dw, point.t, point.speed, h, settings.margin, imp.width).dist;
}

/// Geoms that are asked whether they stand in the way: in the mode robust those that can move are
/// asked when it is known whether they take part (contacts.h).
struct Standing {
  ModelAt<real> m;

  SWEPT_FN bool operator()(int geom) const {
    return m->opt.speculative_mode == speculative_parity || m.body_lastdof(m.geom_bodyid(geom)) < 0;
  }
};

/// The contacts of one pair that hits.
SWEPT_FN void meet(const ModelAt<real>& m, const DataAt<real>& d, const Occluders& standing,
                   FastPair* p) {
  p->visible = 0;
  const SweptPair pair = swept_pair_of(m, d, p->pair);
  const AdvanceSettings settings = advance_settings(m, p->pair);
  const int geom1 = p->pair.geom1, geom2 = p->pair.geom2;
  if (p->pair.kind == collide_surface) {
    // its points were found with its time
  } else if (p->pair.kind == collide_hfield) {
    field_impact(pair, p->prism, p->state, wanted_contacts(m), &p->impact);
  } else if (p->touches != 0) {
    robust_impact(pair, p->state.floor, p->state, wanted_contacts(m), &p->impact);
  } else {
    impact_of(pair, settings, p->state, wanted_contacts(m), &p->impact);
  }
  const ContactParameters<real> parameters = contact_parameters(m, geom1, geom2, p->pair.pairid);
  for (int k = 0; k < p->impact.count; ++k) {
    const SpeculativePoint& point = p->impact.point[k];
    p->dist[k] = effective_distance(m, settings, parameters, point);
    if (!is_occluded(m, d, geom1, geom2, pair, point, standing, Standing{m})) {
      p->visible |= 1u << k;
    }
  }
}

/// The counters of this step of one environment.
SWEPT_FN int& counter(const Tile& t, int env, SpeculativeCounter which) {
  return element(t.fast.now + static_cast<long long>(env) * speculative_counters + which);
}

/// What became of the fast pairs of an environment.
SWEPT_FN void count_pairs(const Tile& t, int env) {
  for (int k = 0; k < speculative_counters; ++k) {
    counter(t, env, static_cast<SpeculativeCounter>(k)) = 0;
  }
  const FastPairs pairs = fast_pairs_at(t, env);
  const auto add = [&](SpeculativeCounter which, bool counts) {
    counter(t, env, which) += counts ? 1 : 0;
  };
  for (int i = 0; i < pairs.count; ++i) {
    const FastPair& p = pairs[i];
    const bool hit = is_hit(p.state.end);
    add(speculative_swept, true);
    add(speculative_advanced, p.state.rounds > 0 || hit);
    add(speculative_hits, hit);
    const bool early = p.state.end == AdvanceEnd::capped;
    add(speculative_capped, early || p.followed != 0);
    add(speculative_tail, p.followed != 0 && !early);
    add(speculative_no_closing,
        p.state.end == AdvanceEnd::no_close || (hit && p.impact.count == 0));
    add(speculative_occluded, hit && p.impact.count > 0 && (p.visible & ~p.hidden) == 0);
  }
}

/// The contacts of all pairs of an environment that hit.
SWEPT_FN void meet_all(const Group auto g, const Tile& t, int env) {
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  const DataAt<real> d = t.data_at<real>(env / W, env % W);
  const FastPairs pairs = fast_pairs_at(t, env);
  int first = g.lane();
  while (first < pairs.count && !is_hit(pairs[first].state.end)) {
    first += g.size();
  }
  if (first >= pairs.count) {
    return;
  }
  const Occluders standing(m, Standing{m});
  for (int i = first; i < pairs.count; i += g.size()) {
    if (is_hit(pairs[i].state.end)) {
      meet(m, d, standing, &pairs[i]);
    }
  }
}

}  // namespace swept::SWEPT_NS
