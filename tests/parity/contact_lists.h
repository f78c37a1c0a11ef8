// SPDX-License-Identifier: Apache-2.0
// Contacts of one environment on both sides: pairing them, and the differences of paired ones.
#pragma once

#include "parity/readback.h"
#include "parity/scenes.h"

#include <functional>
#include <string>
#include <vector>

namespace swept::test {

/// Names of the contact fields that are compared or needed for it.
const std::vector<std::string>& contact_fields();

/// Which official contact every contact of swept is.
struct ContactPairing {
  bool complete = false;  ///< both lists hold the same contacts
  bool excused = false;   ///< they differ where rounding decides
  std::vector<int> official;
  std::string problem;    ///< a contact that has no partner and no excuse
};

/// Pairs the contacts of each two geoms in order. Where the numbers differ the contacts without a
/// partner must lie within `width` of the distance at which they are detected, and those that have
/// one must not straddle the margin by more.
ContactPairing pair_contacts(const Scene& scene, const Readback& readback, std::size_t env,
                             double width);

/// Largest relative difference of the numbers of paired contacts; `where` gets its description.
double contact_difference(const Scene& scene, const Readback& readback, std::size_t env,
                          const ContactPairing& pairing, std::string* where);

}  // namespace swept::test
