// SPDX-License-Identifier: Apache-2.0
// The first time at which two moving bodies touch, by conservative advancement.
//
// The distance d(s) of two bodies falls no faster than mu = mu_a + mu_b (see motion.h). From s with
// d(s) > tolerance, the step (d(s) - tolerance / 2) / mu therefore keeps d at tolerance / 2 or
// above, whatever the speed and however thin the bodies are: nothing is passed through. It ends
// when d(s) <= tolerance, which is a contact, or at s = 1. Every step is at least
// (tolerance / 2) / mu long, so there are at most ceil(2 mu / tolerance) of them.
//
// The directional step (Tang, Kim and Manocha 2009, C2A) sees the direction of the motion: a pair
// of facets, which are convex, that has a gap g along a unit vector n keeps, along the same n, a
// gap of at least g - c (s' - s), with
//   c = n (d_a - d_b) + |a_a| |n x k_a| r_a + |a_b| |n x k_b| r_b,
// r the largest distance of the facet's corners from the axis. (n x k because the velocity of the
// turn, k x y, has the part (n x k) y along n, and y turns about k, to which n x k is
// perpendicular.) The step is the smallest over all pairs, found in both trees; the loop takes the
// larger of both steps, so it never takes more of them. It is worth its price when bodies slide
// along each other.
//
// Rounding is part of the guarantee: distances are used with certified bounds from below and from
// above (src/ccd/rounding.h), and a tolerance too small for the size of the coordinates is raised.
#pragma once

#include <swept/ccd/body.h>
#include <swept/ccd/motion.h>

#include <array>
#include <cstdint>

namespace swept::ccd {

enum class Status {
  contact,          ///< the bodies come within the tolerance; toi is when they are first seen to
  separate,         ///< no contact in the whole step; toi is 1
  initial_contact,  ///< within the tolerance at s = 0; toi is 0
  not_converged,    ///< the cap was met; toi is certified nonetheless: no contact before it
};

/// "contact", "separate", "initial contact" or "not converged".
const char* to_string(Status status);

enum class Bound {
  plain,        ///< every direction counts as the worst one
  directional,  ///< C2A, per pair of facets
};

struct Options {
  /// Below this distance bodies touch; 0: 1e-6 of the larger diagonal of the two bodies.
  double tolerance = 0;
  int max_iterations = 1000;  ///< cap on the number of advances, at least 1
  Bound bound = Bound::plain;
  /// Bound the relative speed by |d_a - d_b| in place of |d_a| + |d_b|: fewer steps, as valid.
  bool relative = false;
};

/// What time_of_impact() found. With thickness, all distances count from the sum of both
/// thicknesses: a contact is at distance <= thickness + tolerance.
template <int D>
struct Impact {
  Status status = Status::separate;
  double toi = 1;  ///< time of impact, in [0, 1]
  /// The distance is at least thickness + tolerance / 2 at all times in [0, lower_bound]: at least
  /// toi, for every status. 0 for an initial contact, of which nothing is certified.
  double lower_bound = 1;
  double distance = 0;   ///< of the facets, at toi
  double tolerance = 0;  ///< what was used
  double speed = 0;      ///< bound on the speed at which the distance can fall, per step
  Vector<D> point_a{};   ///< nearest point of the first body at toi, world frame
  Vector<D> point_b{};   ///< of the second
  int facet_a = -1;      ///< the facet it is on
  int facet_b = -1;
  int iterations = 0;      ///< advances that were made
  std::int64_t pairs = 0;  ///< pairs of facets whose distance was computed
};

/// When do two bodies touch first?
/// Throws Error if an option is out of range.
template <int D>
Impact<D> time_of_impact(const Body<D>& a, const Body<D>& b, const Motion<D>& motion_a,
                         const Motion<D>& motion_b, const Options& options = {});

/// How far two bodies are apart, from facet to facet.
template <int D>
struct Separation {
  double distance = 0;     ///< of the two points
  double lower_bound = 0;  ///< certified: the true distance is not smaller
  Vector<D> point_a{};     ///< world frame
  Vector<D> point_b{};
  int facet_a = -1;
  int facet_b = -1;
  std::int64_t pairs = 0;  ///< pairs of facets whose distance was computed
};

/// The distance of two bodies at two poses. Throws Error as Motion::resting() does.
template <int D>
Separation<D> separation(const Body<D>& a, const Body<D>& b, const Pose<D>& pose_a,
                         const Pose<D>& pose_b);

}  // namespace swept::ccd
