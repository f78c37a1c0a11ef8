// SPDX-License-Identifier: Apache-2.0
// States for both sides of a comparison. All numbers are representable in f32, so that both
// precisions start from the state that the official library has.
#pragma once

#include <swept/batch.h>

#include "parity/oracle.h"

#include <random>
#include <vector>

namespace swept::test {

/// One state with everything that a step reads.
struct State {
  double time = 0;
  std::vector<double> qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, qacc_warmstart, mocap_pos,
      mocap_quat;
};

/// Draws states of a scene. Equal seeds give equal states.
class StateMaker {
 public:
  StateMaker(Oracle* oracle, unsigned seed) : oracle_(oracle), random_(seed) {}

  /// `n` states: every third has random positions around qpos0 and random velocities, the others
  /// are reached by rolling the official library from such positions for up to `longest_roll` steps
  /// under random controls, which brings contacts. Half of the states have applied forces.
  std::vector<State> states(int n, int longest_roll = 300);

  /// A state from which a trajectory starts: near qpos0, with small velocities. In all states mocap
  /// bodies stand off their place in the scene, with quaternions that are not of unit length.
  State start();

  /// Controls, uniform in their ranges.
  std::vector<double> controls();

 private:
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  double normal(double deviation) {
    return std::normal_distribution<double>(0, deviation)(random_);
  }
  void draw_positions(double spread);
  void draw_joint(int joint, double spread);
  void turn(double* quat, double angle);
  void draw_velocities(double spread);
  void draw_activations();
  void draw_mocaps(double spread);
  void draw_forces();
  void roll(int steps);

  Oracle* oracle_;
  std::mt19937 random_;
};

/// Numbers as f32 holds them.
void round_to_f32(double* values, std::size_t n);

/// The state that the official library has now. Rounded to f32 its data gets the rounded state too.
enum class Rounding { none, f32 };
State take_state(Oracle* oracle, Rounding rounding = Rounding::f32);

/// Gives the official library a state and clears what is left of earlier ones.
void set_state(Oracle* oracle, const State& state);

/// Gives the environments of a batch one state each.
void set_states(Batch* batch, const std::vector<State>& states);

}  // namespace swept::test
