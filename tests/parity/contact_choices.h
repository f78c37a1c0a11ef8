// SPDX-License-Identifier: Apache-2.0
// Why the contacts of a pair of geoms may differ from the official ones, judged by the separation
// of the geoms along the normals, independently of either side's algorithm.
#pragma once

#include "parity/scenes.h"
#include "support/near.h"

#include <array>
#include <vector>

namespace swept::test {

/// How two sets of contacts of one pair differ.
enum class Choice {
  none,      ///< not at all
  corners,   ///< other points of the same two planes: corners of a polygon of more than four
  tie,       ///< other directions along which the geoms are equally deep
  features,  ///< other faces or edges, all of them beside the direction of the distance
  official,  ///< the official ones are further from the distance than ours
  both,  ///< both lie off the direction of the distance: faces beside an edge that a line is along
  ours   ///< ours are off, the official ones are not
};
constexpr std::size_t choices_number = 7;
const char* name_of(Choice choice);

/// A contact as far as it is chosen.
struct ContactPoint {
  double dist;
  std::array<double, 3> pos, normal;
};

/// The contacts of one pair, none of them empty.
struct ContactSets {
  int geom1, geom2;
  std::vector<ContactPoint> ours, theirs;
};

/// What explains two sets that are not the same.
///   slack   [m] distances and places that differ by less are equal
Choice explain(const Oracle& oracle, const ContactSets& sets, double slack);

}  // namespace swept::test
