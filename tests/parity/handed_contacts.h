// SPDX-License-Identifier: Apache-2.0
// The official library on contacts that it is given: what follows from contacts (rows, forces,
// accelerations) is then compared on equal contacts, however either side found them.
#pragma once

#include "parity/contact_lists.h"

#include <vector>

namespace swept::test {

/// Swept's contacts of one environment, in its order. The readback must have contact_fields().
std::vector<mjContact> swept_contacts(const Readback& readback, std::size_t env);

/// Brings the present state of the official library as far as smooth accelerations, with its own
/// contacts and without rows.
void forward_smooth(Oracle* oracle);

/// Replaces its contacts, makes all rows anew and solves for accelerations.
void forward_on(Oracle* oracle, const std::vector<mjContact>& contacts);

}  // namespace swept::test
