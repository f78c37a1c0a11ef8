// SPDX-License-Identifier: Apache-2.0
// The fields of the smooth stages on both sides, in a form that is unique: orientations up to sign,
// inertia as tensors, M as a dense matrix.
#pragma once

#include "parity/readback.h"
#include "parity/scenes.h"

#include <string>
#include <vector>

namespace swept::test {

/// A field of the smooth stages.
struct SmoothField {
  const char* name;
  const char* stage;       ///< column of the table
  mjtNum* mjData::*array;  ///< null: made by a function of its own
  double least;            ///< smallest scale of a difference: a number below it may be round-off
};

const std::vector<SmoothField>& smooth_fields();

/// A field as the official library has it now.
std::vector<double> official_field(const SmoothField& field, const Scene& scene, std::size_t count);

/// Size of the terms that a field is a sum of where they may cancel, 0 of others: bias forces are
/// cross products of bodies' velocities with their momenta, which are parallel for round bodies;
/// servos subtract a length from a setpoint, and a velocity.
double official_terms(const SmoothField& field, const Scene& scene);

/// A field as swept computed it.
std::vector<double> swept_field(const SmoothField& field, const Scene& scene,
                                const Readback& readback, std::size_t env);

/// Largest |a - b|, with its index; `b`'s quaternions are taken with the sign of a's.
struct LargestDifference {
  double size = 0;
  std::size_t at = 0;
};
LargestDifference largest_difference(const SmoothField& field, const std::vector<double>& a,
                                     std::vector<double> b);

}  // namespace swept::test
