// SPDX-License-Identifier: Apache-2.0
// Conservative advancement of two bodies. What is certified, and where:
//
//   target = thickness + tolerance / 2. With e the pair's error (rounding.h), body_distance() gives
//   below - e <= d <= above + e.
//   Step: (below - e - target) / mu, so d >= target up to there in exact arithmetic; what rounding
//   of the step and of s adds is in e.
//   Contact: above + e <= thickness + tolerance, so d at toi is within the tolerance.
//   While neither holds, below - e - target is about d - 2 e - target > tolerance / 2 - 4 e, which
//   is at least a quarter of the tolerance, as that is at least 16 e: the loop makes progress.
//   Where below is far smaller than above (facets too ill-shaped to be told apart) the step may be
//   none; then the status is "not converged" at the present time.
#include "ccd/advance.h"

#include "ccd/directional.h"
#include "ccd/distance.h"

#include <swept/error.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace swept::ccd {

namespace detail {

void check_options(const Options& options) {
  if (!(options.tolerance >= 0 && std::isfinite(options.tolerance))) {
    throw Error("the tolerance is " + std::to_string(options.tolerance),
                "give a positive length, or 0 for 1e-6 of the larger body");
  }
  if (options.max_iterations < 1) {
    throw Error("the cap on iterations is " + std::to_string(options.max_iterations),
                "give at least 1");
  }
}

template <int D>
double wanted_tolerance(const Body<D>& a, const Body<D>& b, const Options& options) {
  return options.tolerance > 0 ? options.tolerance : 1e-6 * std::max(a.diagonal(), b.diagonal());
}

template <int D>
double closing_bound(const Motion<D>& a, const Motion<D>& b, double mu_a, double mu_b,
                     const Options& options) {
  if (!options.relative) {
    return mu_a + mu_b;
  }
  // the parts of the turns and the way; what the subtractions may lose is added
  const double turns = (mu_a - norm(a.way())) + (mu_b - norm(b.way()));
  return turns + norm(a.way() - b.way()) + 8 * unit_roundoff * (mu_a + mu_b);
}

template <int D>
Advancement<D>::Advancement(const MovingPair<D>& pair, const Options& options)
    : pair_(pair), options_(options), thickness_(pair.a.thickness() + pair.b.thickness()) {
  result_.tolerance = std::max(wanted_tolerance(pair.a, pair.b, options),
                               least_tolerance(pair.error + unit_roundoff * thickness_));
  result_.speed = pair.speed;
}

template <int D>
void Advancement<D>::resume(double time, int slot_a, int slot_b, int iterations,
                            std::int64_t pairs) {
  time_ = time;
  slot_a_ = slot_a;
  slot_b_ = slot_b;
  result_.iterations += iterations;
  result_.pairs += pairs;
}

template <int D>
bool Advancement<D>::finish(Status status) {
  result_.status = status;
  result_.facet_a = pair_.a.tree().facet[slot_a_];
  result_.facet_b = pair_.b.tree().facet[slot_b_];
  if (status == Status::initial_contact) {
    result_.lower_bound = 0;
  }
  return true;
}

template <int D>
bool Advancement<D>::look() {
  const double e = pair_.error, mu = rounded_up(pair_.speed), s = time_;
  const double target = thickness_ + 0.5 * result_.tolerance + e;
  const Placed<D> placed(pair_, s);
  const BodyDistance<D> d = body_distance(pair_, placed, slot_a_, slot_b_, &result_.pairs);
  slot_a_ = d.slot_a;
  slot_b_ = d.slot_b;
  result_.toi = s;
  result_.distance = d.above;
  result_.point_a = placed.world(d.p);
  result_.point_b = placed.world(d.q);

  // how far the plain bound certifies
  const double room = d.below - target;
  const double plain = room > 0 ? (mu > 0 ? room / mu : 2) : 0;
  result_.lower_bound = std::min(1.0, s + plain);
  if (d.above + e <= thickness_ + result_.tolerance) {
    return finish(s > 0 ? Status::contact : Status::initial_contact);
  }
  if (s >= 1) {
    return finish(Status::separate);
  }
  if (result_.iterations >= options_.max_iterations) {
    return finish(Status::not_converged);
  }
  double step = plain;
  if (options_.bound == Bound::directional && plain < 1 - s) {
    step = directional_step(pair_, placed, target, plain, 1 - s, slot_a_, slot_b_, &result_.pairs);
  }
  time_ = std::min(1.0, s + step);
  if (!(time_ > s)) {
    return finish(Status::not_converged);
  }
  ++result_.iterations;
  return false;
}

template double wanted_tolerance(const Body<2>&, const Body<2>&, const Options&);
template double wanted_tolerance(const Body<3>&, const Body<3>&, const Options&);
template double closing_bound(const Motion<2>&, const Motion<2>&, double, double, const Options&);
template double closing_bound(const Motion<3>&, const Motion<3>&, double, double, const Options&);
template class Advancement<2>;
template class Advancement<3>;

}  // namespace detail

const char* to_string(Status status) {
  switch (status) {
    case Status::contact:
      return "contact";
    case Status::separate:
      return "separate";
    case Status::initial_contact:
      return "initial contact";
    case Status::not_converged:
      return "not converged";
  }
  return "unknown";
}

template <int D>
Impact<D> time_of_impact(const Body<D>& a, const Body<D>& b, const Motion<D>& motion_a,
                         const Motion<D>& motion_b, const Options& options) {
  detail::check_options(options);
  const double speed = detail::closing_bound(motion_a, motion_b, motion_bound(a, motion_a),
                                             motion_bound(b, motion_b), options);
  const detail::MovingPair<D> pair(a, b, motion_a, motion_b, speed);
  detail::Advancement<D> advancement(pair, options);
  while (!advancement.look()) {
  }
  return advancement.result();
}

template <int D>
Separation<D> separation(const Body<D>& a, const Body<D>& b, const Pose<D>& pose_a,
                         const Pose<D>& pose_b) {
  const auto motion_a = Motion<D>::resting(pose_a), motion_b = Motion<D>::resting(pose_b);
  const detail::MovingPair<D> pair(a, b, motion_a, motion_b, 0);
  const detail::Placed<D> placed(pair, 0);
  Separation<D> result;
  const auto d = detail::body_distance(pair, placed, 0, 0, &result.pairs);
  result.distance = d.above;
  result.lower_bound = std::max(0.0, d.below - pair.error);
  result.point_a = placed.world(d.p);
  result.point_b = placed.world(d.q);
  result.facet_a = a.tree().facet[d.slot_a];
  result.facet_b = b.tree().facet[d.slot_b];
  return result;
}

template Impact<2> time_of_impact(const Body<2>&, const Body<2>&, const Motion<2>&,
                                  const Motion<2>&, const Options&);
template Impact<3> time_of_impact(const Body<3>&, const Body<3>&, const Motion<3>&,
                                  const Motion<3>&, const Options&);
template Separation<2> separation(const Body<2>&, const Body<2>&, const Pose<2>&, const Pose<2>&);
template Separation<3> separation(const Body<3>&, const Body<3>&, const Pose<3>&, const Pose<3>&);

}  // namespace swept::ccd
