// SPDX-License-Identifier: Apache-2.0
// How far two states are apart after a step.
#pragma once

#include "parity/readback.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace swept::test {

/// State fields of a batch after a step.
struct SteppedBatch {
  explicit SteppedBatch(Batch* batch)
      : nenv(static_cast<std::size_t>(batch->nenv())),
        time(batch->read("time")),
        qpos(batch->read("qpos")),
        qvel(batch->read("qvel")),
        act(batch->read("act")),
        ncon(batch->read("ncon")),
        status(batch->read("status")) {}

  std::span<const double> of(const std::vector<double>& all, std::size_t env) const {
    const std::size_t width = all.size() / nenv;
    return {all.data() + env * width, width};
  }

  std::size_t nenv;
  std::vector<double> time, qpos, qvel, act, ncon, status;
};

/// Largest difference of two states, and its place.
struct StateDifference {
  double size = 0;
  std::string where;
};

/// Differences of qpos, qvel, act and time: relative to the largest number of the field, or to 1.
/// What a step adds to qpos is h times a velocity, so the latter counts there too.
inline StateDifference state_difference(const SteppedBatch& got, std::size_t env, const State& want,
                                        double timestep) {
  StateDifference result;
  const auto largest = [](const std::vector<double>& values) {
    double x = 1;
    for (const double value : values) {
      x = std::max(x, std::fabs(value));
    }
    return x;
  };
  const auto compare = [&](const char* name, std::span<const double> a,
                           const std::vector<double>& b, double scale) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double difference = std::fabs(a[i] - b[i]) / scale;
      if (!(difference <= result.size)) {
        result.size = difference == difference ? difference : HUGE_VAL;
        result.where = std::string(name) + "[" + std::to_string(i) + "]: " + std::to_string(a[i]) +
                       " for " + std::to_string(b[i]);
      }
    }
  };
  const double speed = largest(want.qvel);
  compare("qpos", got.of(got.qpos, env), want.qpos, std::max(largest(want.qpos), timestep * speed));
  compare("qvel", got.of(got.qvel, env), want.qvel, speed);
  compare("act", got.of(got.act, env), want.act, largest(want.act));
  compare("time", got.of(got.time, env), {want.time}, std::max(1.0, want.time));
  return result;
}

}  // namespace swept::test
