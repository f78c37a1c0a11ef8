// SPDX-License-Identifier: Apache-2.0
// How a halted worker hands pairs to the host's tail (tail.h), and takes them back.
#pragma once

#include <span>
#include <vector>

#include "kernels/engine/tail.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS {

/// Copy the pairs of the tile that the worker points at which wait for the host, in the order of environments and of
/// their fast pairs. Waits for the queue.
std::vector<TailPair> hand_over(const Worker& w);

/// Write the answers: none of these pairs waits any more. Times are rounded down, so that they stay
/// certified. Returns when they are written.
void take_back(const Worker& w, std::span<const TailPair> pairs);

}  // namespace swept::SWEPT_NS
