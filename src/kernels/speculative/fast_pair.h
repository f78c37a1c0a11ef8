// SPDX-License-Identifier: Apache-2.0
// A fast pair of one environment while it is followed through the step, and the list of them: pairs
// of which one geom travels further than the thinner of the two is thick, in the order of the list
// of pairs.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/convex_pair.h"
#include "kernels/speculative/field_impact.h"
#include "kernels/speculative/guard.h"

namespace swept::SWEPT_NS {

/// What is known of a fast pair.
struct FastPair {
  GeomPair pair;
  GuardState state;
  real travel = no_thickness;    ///< [m] what a guarded pair may travel together
  int touches = 0;               ///< not 0: they touch or overlap now, and are followed to a floor
  int followed = 0;              ///< not 0: the host has gone on with it from the cap
  int prism = -1;                ///< of a height field: number of the prism that is hit
  Impact impact;                 ///< if the advancement ends in a hit
  real dist[max_impact_points];  ///< [m] effective distance of each point
  unsigned visible = 0;          ///< bit k: point k makes a contact, nothing that stays hides it
  unsigned hidden = 0;           ///< bit k: something that moves hides point k
  int first = 0;                 ///< number of the contact of its first visible point
};

/// The fast pairs of one environment.
struct FastPairs {
  FastPair* pair;
  int* active;
  int count;

  SWEPT_FN FastPair& operator[](int i) const { return element(pair + i); }
};
SWEPT_FN FastPairs fast_pairs_at(const Tile& t, int env) {
  const long long first = static_cast<long long>(env) * t.fast.capacity;
  return {t.fast.pair + first, t.fast.active + first, t.fast.count[env]};
}

/// Whether a pair of the mode robust has used up its rounds and waits for the host's tail, which goes
/// on from its certified time. Without it that time would stand, as it does for pairs with meshes that
/// collide as they are and with height fields, of which the host knows the hull alone.
SWEPT_FN bool waits_for_host(const FastPair& p) {
  return p.state.end == AdvanceEnd::capped && p.followed == 0 && p.pair.kind != collide_surface &&
         p.pair.kind != collide_hfield;
}

/// The number of pairs of an environment that wait.
SWEPT_FN int waiting_pairs(const Tile& t, int env) {
  const FastPairs pairs = fast_pairs_at(t, env);
  int waiting = 0;
  for (int i = 0; i < pairs.count; ++i) {
    waiting += waits_for_host(pairs[i]) ? 1 : 0;
  }
  return waiting;
}

/// The motion of a geom, as the stage `motion` left it.
SWEPT_FN StepMotion<real> motion_of(const DataAt<real>& d, int geom) {
  return {vec3(d.geom_dx(3 * geom)), vec3(d.geom_domega(3 * geom)), d.geom_travel(geom)};
}

/// A fast pair as the functions of one pair see it.
SWEPT_FN SweptPair swept_pair_of(const ModelAt<real>& m, const DataAt<real>& d,
                                 const GeomPair& pair) {
  const int g1 = pair.geom1, g2 = pair.geom2;
  return swept_pair(shape_of(m, d, g1), motion_of(d, g1), m.geom_rbound(g1), shape_of(m, d, g2),
                    motion_of(d, g2), m.geom_rbound(g2), followed_thickness(m, g1, g2));
}

/// How a pair is to be followed.
SWEPT_FN AdvanceSettings advance_settings(const ModelAt<real>& m, const GeomPair& pair) {
  AdvanceSettings settings;
  settings.mode = static_cast<SpeculativeMode>(m->opt.speculative_mode);
  settings.cap = m->opt.speculative_cap;
  settings.margin = pair_reach(m, pair).margin;
  settings.ccd_tolerance = m->opt.ccd_tolerance;
  return settings;
}

}  // namespace swept::SWEPT_NS
