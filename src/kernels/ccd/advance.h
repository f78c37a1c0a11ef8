// SPDX-License-Identifier: Apache-2.0
// Conservative advancement of one query, a few looks at a time.
//
// A look finds the distance at s, from both sides. Above (the distance of two points) at or below
// the limit is a contact. Else s goes on by (below - target) / mu, or by the directional step if
// that is longer: until then the true distance stays at thickness + tolerance / 2 or above. See
// rounding.h for target and limit, and the host's impact.cpp for the same loop in double.
#pragma once

#include "kernels/ccd/directional.h"

namespace swept::SWEPT_NS {

enum class TrackState : int {
  active,
  contact,
  separate,
  initial_contact,
  capped,  ///< the query's own cap on advances was met
  stuck,   ///< no step can be proved in this precision
};

/// How far a query has come. Lengths in its unit.
struct Track {
  real s;                       ///< nothing touches before it
  real lower_bound;             ///< nor before it, if there is no initial contact
  real distance;                ///< when last looked at
  real speed;                   ///< bound on the closing speed; negative: not known yet
  Vec3<real> point_a, point_b;  ///< nearest points, from b's origin along the world's axes
  int slot_a, slot_b;           ///< nearest facets
  int iterations;               ///< advances
  TrackState state;
  long long pairs;  ///< pairs of facets that were looked at
};

/// A track at its start.
inline Track new_track() {
  Track t{};
  t.speed = -1;
  return t;
}

/// A bound on the speed at which the distance can fall.
SWEPT_FN real closing_speed(const PairView& pair) {
  const QueryData& q = pair.query;
  const auto turning = [](const BodyView& body, const TurnData& turn, real scale) {
    return turn.angle.hi > 0 ? turn.angle.hi * (scale * largest_radius(body, turn.body_axis)) : 0_r;
  };
  const real speed =
      q.way_speed + turning(pair.a, q.turn_a, q.scale_a) + turning(pair.b, q.turn_b, q.scale_b);
  return rounded_up(speed + q.rate_error);
}

/// What a look says; `pair` is placed at t->s.
SWEPT_FN TrackState look(const PairView& pair, Track* t) {
  const QueryData& q = pair.query;
  DistanceDescent d(pair);
  d.run(t->slot_a, t->slot_b);
  t->pairs += d.pairs;
  t->slot_a = d.best.slot_a;
  t->slot_b = d.best.slot_b;
  t->distance = d.best.above;
  t->point_a = pair.placed.world * d.best.p;
  t->point_b = pair.placed.world * d.best.q;

  // how far the plain bound certifies
  const real s = t->s, room = d.best.below - q.target;
  const real plain = room > 0 ? (t->speed > 0 ? room / t->speed : 2_r) : 0_r;
  t->lower_bound = min(1_r, s + plain);
  if (d.best.above <= q.limit) {
    return s > 0 ? TrackState::contact : TrackState::initial_contact;
  }
  if (s >= 1) {
    return TrackState::separate;
  }
  if (t->iterations >= q.max_iterations) {
    return TrackState::capped;
  }
  real step = plain;
  if (q.directional != 0 && plain < 1_r - s) {
    DirectionalDescent descent(pair, 1_r - s);
    step = descent.run(t->slot_a, t->slot_b, plain);
    t->pairs += descent.pairs;
  }
  const real next = min(1_r, s + step);
  if (!(next > s)) {
    return TrackState::stuck;
  }
  t->s = next;
  ++t->iterations;
  return TrackState::active;
}

/// Up to `looks` looks of one query.
SWEPT_FN void advance(const BodyView* bodies, const QueryData& q, int looks, Track* track) {
  Track t = *track;
  PairView pair{bodies[q.a], bodies[q.b], q, {}};
  if (t.speed < 0) {
    t.speed = closing_speed(pair);
  }
  for (int k = 0; k < looks && t.state == TrackState::active; ++k) {
    pair.placed = place(q, t.s);
    t.state = look(pair, &t);
  }
  *track = t;
}

}  // namespace swept::SWEPT_NS
