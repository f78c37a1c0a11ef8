// SPDX-License-Identifier: Apache-2.0
// The signed distance of two convex geoms without an algorithm for it: by its definition, as the
// largest separation over all directions. The separation along a unit vector n is the gap between
// the two planes with normal n that touch either shape, -h1(n) - h2(-n), where h is the support
// function. Any direction's separation is a lower bound of the distance, so it judges contacts.
#pragma once

#include "parity/oracle.h"

#include <array>

namespace swept::test {

using Direction = std::array<double, 3>;

/// Angle [rad] of two unit vectors.
double angle_between(const Direction& a, const Direction& b);

class Separation {
 public:
  /// Of two geoms of an official scene as they stand now: sphere, capsule, ellipsoid, cylinder, box
  /// or mesh. The oracle must outlive it.
  Separation(const Oracle& oracle, int geom1, int geom2);

  /// Of the hull of some points [m] in the world and a geom.
  Separation(const std::vector<Direction>& points, const Oracle& oracle, int geom2);

  /// Whether a geom's type is one of those.
  static bool knows(int type);

  /// Gap [m] along a unit vector from geom 1 to geom 2.
  double along(const Direction& n) const;

  /// A direction beside which the separation is nowhere larger, as far as a search finds.
  struct Peak {
    double height;
    Direction at;
  };

  /// The peaks that a search climbs from the given directions and from many others, highest first.
  std::vector<Peak> peaks(const std::vector<Direction>& starts) const;

 private:
  Separation() = default;

  struct Support {
    int type;
    Direction pos;
    std::array<double, 9> mat;
    Direction size;
    std::vector<Direction> vertices;  ///< of a mesh

    double height(const Direction& n) const;
    /// The same for directions within `angle` of n: without vertices that are too low to count.
    Support around(const Direction& n, double angle) const;
  };
  Peak climb(Direction n) const;
  static Support support_of(const Oracle& oracle, int geom);

  Support one_, two_;
};

}  // namespace swept::test
