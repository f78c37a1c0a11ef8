// SPDX-License-Identifier: Apache-2.0
// What speculative contacts have done: counters of each environment since its batch was made, over
// all steps.
//
//   const swept::View<std::int64_t> n = batch.field<std::int64_t>("speculative");
//   n(env, swept::speculative_held)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace swept {

/// The columns of the field "speculative".
enum SpeculativeCounter : int {
  speculative_swept,       ///< pairs that were fast and whose swept bounds met
  speculative_advanced,    ///< of which could not be left out at the first look
  speculative_hits,        ///< of which meet within the step
  speculative_capped,      ///< of which used up their rounds on the device
  speculative_tail,        ///< of which the host has followed to their end: the time of the others is
                           ///< certified, and early
  speculative_occluded,    ///< hits that something in their way hides
  speculative_no_closing,  ///< hits none of whose points closes
  speculative_resolved,    ///< solves that a step needed beyond the first
  speculative_held,        ///< steps in which something moved for a part of the step only
  speculative_counters
};

/// Their names, for people.
constexpr std::array<std::string_view, speculative_counters> speculative_counter_names = {
    "swept",    "advanced",   "hits",     "capped", "tail",
    "occluded", "no closing", "resolved", "held"};

/// All of them, summed over environments.
using SpeculativeCounts = std::array<std::int64_t, speculative_counters>;

}  // namespace swept
