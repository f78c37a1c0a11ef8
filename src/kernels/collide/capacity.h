// SPDX-License-Identifier: Apache-2.0
// What the collision stages do when a list does not fit: count on to the end, say what is needed,
// and halt the stages after them.
//
// Blocks of one launch run one after the other (CPU) or in any order (CUDA). A block that finds the
// tile halted by another block of the same stage still counts, so that the need is the largest of
// all; therefore a stage halts with its own number and stops only for the numbers of others.
// Counting twice gives the same counts.
#pragma once

#include "kernels/base/atomic.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

/// Values of Control::halt that the collision stages set; 3 are the rows. From halt_guard on they are
/// those of the guard after the solve, which has its own, and others in each of its rounds: what
/// halted an earlier stage must not let it work on lists that are not whole.
enum HaltReason : int {
  halt_none = 0,
  halt_pairs = 1,
  halt_contacts = 2,
  halt_slots = 4,
  halt_fast = 5,
  halt_tail = 6,  ///< all fits; pairs wait for the host's tail
  halt_guard = 16
};

/// What the guard halts with.
struct GuardHalt {
  HaltReason pairs, fast, contacts;

  /// Of round 0, 1, ...
  SWEPT_HD explicit GuardHalt(int round)
      : pairs(at(3 * round)), fast(at(3 * round + 1)), contacts(at(3 * round + 2)) {}

 private:
  SWEPT_HD static HaltReason at(int number) { return static_cast<HaltReason>(halt_guard + number); }
};

/// Whether a stage, which halts with `own` or `too`, has nothing to do.
SWEPT_FN bool halted_before(const Tile& t, HaltReason own, HaltReason too = halt_none) {
  const int halt = t.control->halt;
  return halt != halt_none && halt != own && halt != too;
}

/// Report a count of one list; halt if it does not fit.
///   need   the member of Control::need
SWEPT_FN void report_need(const Tile& t, int* need, int count, int capacity, HaltReason own) {
  atomic_max(need, count);
  if (count > capacity) {
    t.control->halt = own;
  }
}

}  // namespace swept::SWEPT_NS
