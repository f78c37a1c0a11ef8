// SPDX-License-Identifier: Apache-2.0
// How a scene finds the pairs of geoms that may collide: from a list, or by a sweep.
#pragma once

#include <swept/model.h>

#include <cstddef>

namespace swept::compiler {

/// Candidates per geom from which on a scene is swept, so that the cost is linear in the geoms. (In
/// packs of 16 testing a candidate of the list takes 0.4 ns for each environment, and sweeping a geom
/// about 200 ns, `swept_bench --broadphase`: lists stay cheaper for some time, but there other stages
/// cost a hundred times more.)
inline constexpr std::size_t swept_from = 32;

/// Fill the list of candidates, and the items of the sweep where the scene is swept. A scene that
/// has more than `most` candidates lists none and is always swept; one with more than
/// `sweep_from` times its number of geoms is swept too. Contacts do not depend on it.
void list_candidates(Model& model, std::size_t most, std::size_t sweep_from = swept_from);

}  // namespace swept::compiler
