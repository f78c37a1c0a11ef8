// SPDX-License-Identifier: Apache-2.0
// The official library's own threaded batch as the other side of a comparison. The library is
// opened when it is asked for, so a program that never compares needs neither it nor its folder.
#pragma once

#include "bench/side.h"

#include <memory>
#include <string>

namespace swept::bench {

/// Which solver and which Jacobian the official library uses.
struct MujocoChoice {
  bool newton = true;  ///< Newton, else CG
  bool dense = true;   ///< dense Jacobian, else sparse
};

/// Whether this build knows the official library at all.
bool have_mujoco();

/// A side made of the official library; every one has its own model and its own threads.
class MujocoSide : public Side {
 public:
  /// Go on from another side's state and step count.
  virtual void copy_state(const MujocoSide& other) = 0;

 protected:
  using Side::Side;
};

/// Load `scene` (MJCF: a file, or the text itself, which begins with '<') into the official library,
/// with its options as they are but for solver and Jacobian.
///   threads  that step, the caller's included; at least 1
/// `controls` must outlive the side. Throws Error if the library or the scene cannot be loaded.
std::unique_ptr<MujocoSide> mujoco_side(const std::string& scene, const MujocoChoice& choice,
                                        int nenv, int threads, const Controls& controls);

}  // namespace swept::bench
