// SPDX-License-Identifier: Apache-2.0
// Queries from double to real: relative places are formed in double first, units are powers of two,
// and bounds are rounded to their safe side. The error model is in kernels/ccd/rounding.h.
#include "kernels/engine/impact_query.h"

#include "kernels/ccd/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace swept::SWEPT_NS {

namespace {

using Vector = ccd::Vector<3>;

double length(const Vector& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

real rounded_down(double x) {
  const real y = static_cast<real>(x);
  return static_cast<double>(y) > x ? std::nextafter(y, -std::numeric_limits<real>::infinity()) : y;
}

/// The sums that come in were rounded a few times themselves.
real safely_up(double x) {
  const double more = x * (1 + 16 * std::numeric_limits<double>::epsilon());
  const real y = static_cast<real>(more);
  return static_cast<double>(y) < more ? std::nextafter(y, std::numeric_limits<real>::infinity())
                                       : y;
}

Twofold<real> twofold(double x) {
  const real hi = static_cast<real>(x);
  return {hi, static_cast<real>(x - static_cast<double>(hi))};
}

TwofoldVec3 twofold(const Vector& v, int exponent = 0) {
  return {twofold(std::ldexp(v[0], -exponent)), twofold(std::ldexp(v[1], -exponent)),
          twofold(std::ldexp(v[2], -exponent))};
}

TurnData turn_of(const ccd::Motion<3>& motion) {
  const auto& q = motion.orientation();
  const Vector& k = motion.body_axis();
  return {{twofold(q[0]), twofold(q[1]), twofold(q[2]), twofold(q[3])},
          twofold(motion.axis()),
          twofold(motion.angle()),
          {static_cast<real>(k[0]), static_cast<real>(k[1]), static_cast<real>(k[2])}};
}

/// What rounding of a query amounts to, in its own lengths.
struct Errors {
  double facet, box, rate, least_tolerance;
};

Errors errors_of(double size, double radii, double turn, double way, double speed, double thickness,
                 double unit) {
  const double u = half_ulp, unseen = static_cast<double>(shortest_length) * unit;
  Errors e;
  e.facet = u * ((facet_roundings + u * turn * turn) * size + step_roundings * speed) + unseen;
  e.box = u * (box_roundings + u * turn * turn) * size + unseen;
  e.rate = u * (way_roundings * way + (turn_roundings + u * turn) * turn * radii);
  e.least_tolerance = least_errors * e.facet + thickness_roundings * u * thickness;
  return e;
}

}  // namespace

PreparedQuery prepare(const ccd::ImpactJob& job, const ImpactBodies& bodies) {
  const ccd::Motion<3>&one = *job.motion_a, &two = *job.motion_b;
  const Vector start = difference(one.start(), two.start()), way = difference(one.way(), two.way());
  const double radius_a = bodies.radius(job.a), radius_b = bodies.radius(job.b);
  const double size = radius_a + radius_b + length(start) + length(way);
  const double ways = length(one.way()) + length(two.way());
  const double speed = ways + one.angle() * radius_a + two.angle() * radius_b;

  PreparedQuery query;
  const int exponent = exponent_above(std::max({size, job.thickness, job.tolerance}));
  const Errors e = errors_of(size, radius_a + radius_b, one.angle() + two.angle(), length(way),
                             speed, job.thickness, std::ldexp(1.0, exponent));
  query.exponent = exponent;
  query.declined = !(e.least_tolerance <= std::max(job.tolerance, job.coarsest));
  query.tolerance = std::max(job.tolerance, e.least_tolerance);

  const auto scaled = [exponent](double x) { return std::ldexp(x, -exponent); };
  QueryData& q = query.data;
  q.a = job.a;
  q.b = job.b;
  q.max_iterations = job.max_iterations;
  q.directional = job.directional ? 1 : 0;
  q.turn_a = turn_of(one);
  q.turn_b = turn_of(two);
  q.start = twofold(start, exponent);
  q.way = twofold(way, exponent);
  q.scale_a = static_cast<real>(std::ldexp(1.0, bodies.exponent(job.a) - exponent));
  q.scale_b = static_cast<real>(std::ldexp(1.0, bodies.exponent(job.b) - exponent));
  q.way_speed = safely_up(scaled(job.relative ? length(way) : ways));
  q.target = safely_up(scaled(job.thickness + 0.5 * query.tolerance + e.facet));
  q.limit = rounded_down(scaled(job.thickness + query.tolerance - e.facet));
  q.facet_error = safely_up(scaled(e.facet));
  q.box_error = safely_up(scaled(e.box));
  q.rate_error = safely_up(scaled(e.rate));
  return query;
}

ccd::ImpactAnswer answer_of(const ccd::ImpactJob& job, const PreparedQuery& query,
                            const Track& track) {
  ccd::ImpactAnswer answer;
  ccd::Impact<3>& impact = answer.impact;
  answer.finished = track.state != TrackState::active && track.state != TrackState::stuck;
  answer.slot_a = track.slot_a;
  answer.slot_b = track.slot_b;
  impact.tolerance = query.tolerance;
  impact.toi = static_cast<double>(track.s);
  impact.iterations = track.iterations;
  impact.pairs = track.pairs;
  if (!answer.finished) {
    return answer;
  }
  impact.status = track.state == TrackState::contact           ? ccd::Status::contact
                  : track.state == TrackState::initial_contact ? ccd::Status::initial_contact
                  : track.state == TrackState::separate        ? ccd::Status::separate
                                                               : ccd::Status::not_converged;
  const bool initial = impact.status == ccd::Status::initial_contact;
  impact.lower_bound = initial ? 0 : static_cast<double>(track.lower_bound);
  const auto length_of = [&](real x) { return std::ldexp(static_cast<double>(x), query.exponent); };
  impact.distance = length_of(track.distance);
  impact.speed = length_of(track.speed);
  const auto world = [&](Vec3<real> p) {
    const Vector &from = job.motion_b->start(), &way = job.motion_b->way();
    return Vector{from[0] + impact.toi * way[0] + length_of(p.x),
                  from[1] + impact.toi * way[1] + length_of(p.y),
                  from[2] + impact.toi * way[2] + length_of(p.z)};
  };
  impact.point_a = world(track.point_a);
  impact.point_b = world(track.point_b);
  return answer;
}

}  // namespace swept::SWEPT_NS
