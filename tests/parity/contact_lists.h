// SPDX-License-Identifier: Apache-2.0
// Contacts of one environment on both sides: pairing them, and the differences of paired ones.
//
// Contacts of most shapes are unique numbers and come in a fixed order. Those of hulls, boxes on
// boxes, cylinders and ellipsoids are found by iteration, may be chosen among equally good ones and
// come in any order: they are paired by their places, and where the two sets of a pair of geoms
// differ by more than iterations leave, contact_choices.h finds out why.
#pragma once

#include "parity/contact_choices.h"
#include "parity/readback.h"
#include "parity/scenes.h"

#include <array>
#include <string>
#include <vector>

namespace swept::test {

/// Names of the contact fields that are compared or needed for it.
const std::vector<std::string>& contact_fields();

/// A difference and its description.
struct Worst {
  double size = 0;
  std::string where;

  void add(double difference, const std::string& what);
};

/// What differs between the contacts of both sides.
struct ContactComparison {
  Worst unique;         ///< numbers of contacts that are unique, parameters and tangents of all
  Worst distance;       ///< distances [m] that were found by iteration
  Worst place;          ///< their points [m] and normals
  std::string problem;  ///< two sets of contacts that must be the same are not
  int searched = 0;     ///< pairs of geoms whose contacts are found by iteration
  std::array<int, choices_number> choices = {};  ///< how many of them differ, by reason
  std::string faults;                            ///< those for which there is no excuse
};

/// Compares the contacts of an environment with the official library's present ones. Kinematics of
/// the official library must be up to date.
ContactComparison compare_contacts(const Scene& scene, const Readback& readback, std::size_t env,
                                   Bar precision);

}  // namespace swept::test
