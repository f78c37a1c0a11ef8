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
  std::vector<int> official;  ///< -1: none
  std::string problem;        ///< a difference of the two sets; empty if they are the same
};

/// Pairs the contacts of each two geoms in order.
ContactPairing pair_contacts(const Scene& scene, const Readback& readback, std::size_t env);

/// Largest relative difference of the numbers of paired contacts; `where` gets its description.
double contact_difference(const Scene& scene, const Readback& readback, std::size_t env,
                          const ContactPairing& pairing, std::string* where);

}  // namespace swept::test
