// SPDX-License-Identifier: Apache-2.0
// Scenes with speculative contacts: the text around bodies, distances after a step, kinetic energy.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "physics/scene.h"

namespace swept::test {

/// The options of a scene. Everything that is not said is the engine's default.
struct SpeculativeOptions {
  std::string timestep = "0.002";
  std::string more = "";        ///< further attributes of `option`
  std::string flags = "";       ///< further attributes of its `flag`
  std::string mode = "robust";  ///< or parity
  std::string geom = "";        ///< attributes of all geoms
  std::string custom = "";      ///< further custom elements
  std::string gravity = "0 0 0";
};

/// A scene with the flag on.
inline std::string speculative_scene(const SpeculativeOptions& o, const std::string& bodies) {
  return "<mujoco><compiler angle='radian'/><option timestep='" + o.timestep + "' gravity='" +
         o.gravity + "' " + o.more + "><flag speculative='enable' " + o.flags +
         "/></option><default><geom " + o.geom +
         "/></default><custom><text name='speculative_mode' data='" + o.mode + "'/>" + o.custom +
         "</custom><worldbody>" + bodies + "</worldbody></mujoco>";
}

/// The distance of two geoms in an environment, in its present state [m].
inline double gap(Batch* batch, int geom1, int geom2, int env = 0) {
  const std::array<int, 2> pair = {geom1, geom2};
  const GeomDistances found = batch->geom_distance(std::span(&pair, 1), 1e3);
  return found.distance[static_cast<std::size_t>(env)];
}

/// A counter of an environment.
inline std::int64_t counted(Batch* batch, SpeculativeCounter which, int env = 0) {
  return batch->field<std::int64_t>("speculative")(env, which);
}

/// The way that geoms have made in a step, looked at closely along the motion that was really made:
/// every joint by its part of the step at the velocity after it.
class Way {
 public:
  /// looks   places on the way, its end included
  explicit Way(const std::string& xml, int looks = 500)
      : batch_(make_batch(xml, looks, Precision::f64)) {}

  /// The least distance of each pair of geoms on the way [m].
  std::vector<double> least(const std::vector<std::array<int, 2>>& pairs,
                            const std::vector<double>& qpos, const std::vector<double>& qvel,
                            const std::vector<double>& end) {
    const int nq = batch_.model().nq, looks = batch_.nenv();
    std::vector<double> way;
    for (int k = 1; k <= looks; ++k) {
      std::vector<double> at = qpos;
      for (int j = 0; j < batch_.model().njnt; ++j) {
        move_joint(j, qpos, qvel, end, static_cast<double>(k) / looks, &at);
      }
      way.insert(way.end(), at.begin(), at.begin() + nq);
    }
    batch_.write("qpos", way);
    const GeomDistances found = batch_.geom_distance(pairs, 1e3);
    std::vector<double> result(pairs.size(), 1e3);
    for (std::size_t i = 0; i < found.distance.size(); ++i) {
      double& least = result[i % pairs.size()];
      least = std::min(least, found.distance[i]);
    }
    return result;
  }

 private:
  /// Joint j at a part of the way that it has made.
  void move_joint(int j, const std::vector<double>& qpos, const std::vector<double>& qvel,
                  const std::vector<double>& end, double part, std::vector<double>* at) const {
    const Model& m = batch_.model();
    const auto q = static_cast<std::size_t>(m.jnt_qposadr[static_cast<std::size_t>(j)]);
    const auto v = static_cast<std::size_t>(m.jnt_dofadr[static_cast<std::size_t>(j)]);
    const bool free = m.jnt_type[static_cast<std::size_t>(j)] == joint_free;
    const double h = m.opt_timestep[0];
    double made = 0, whole = 0;
    for (std::size_t k = 0; k < (free ? 3 : 1); ++k) {
      made += h * qvel[v + k] * (end[q + k] - qpos[q + k]);
      whole += h * qvel[v + k] * h * qvel[v + k];
      (*at)[q + k] = qpos[q + k] + part * (end[q + k] - qpos[q + k]);
    }
    if (!free) {
      return;
    }
    // turned by the same part; with its own axes
    const double share = whole > 0 ? std::clamp(made / whole, 0.0, 1.0) : 1;
    const double w[3] = {qvel[v + 3], qvel[v + 4], qvel[v + 5]};
    const double speed = std::hypot(w[0], w[1], w[2]), half = 0.5 * part * share * h * speed;
    const double s = speed > 0 ? std::sin(half) / speed : 0;
    const double a[4] = {qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6]};
    const double b[4] = {std::cos(half), s * w[0], s * w[1], s * w[2]};
    (*at)[q + 3] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    (*at)[q + 4] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    (*at)[q + 5] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    (*at)[q + 6] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  }

  Batch batch_;
};

/// One step of a scene of one environment, and what became of it.
struct Shot {
  Batch batch;
  std::vector<double> start, qpos, qvel;  ///< before the step, after it
  std::vector<double> least;              ///< [m] least distance of each pair on the way
  std::vector<Contact> contacts;          ///< of the solve
};

/// Take a step.
///   qpos   empty: as compiled
///   pairs  geoms whose distance on the way is wanted
inline Shot shoot(const std::string& xml, Precision precision, const std::vector<double>& qvel,
                  const std::vector<std::array<int, 2>>& pairs = {},
                  const std::vector<double>& qpos = {}) {
  Shot shot = {make_batch(xml, 1, precision), {}, {}, {}, {}, {}};
  if (!qpos.empty()) {
    shot.batch.write("qpos", qpos);
  }
  shot.batch.write("qvel", qvel);
  shot.batch.bind("contacts");
  shot.start = shot.batch.read("qpos");
  shot.batch.step();
  shot.contacts = shot.batch.contacts(0);
  shot.qpos = shot.batch.read("qpos");
  shot.qvel = shot.batch.read("qvel");
  if (!pairs.empty()) {
    shot.least = Way(xml).least(pairs, shot.start, shot.qvel, shot.qpos);
  }
  return shot;
}

/// Numbers as an attribute.
inline std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) {
    char one[40];
    std::snprintf(one, sizeof one, "%.17g ", x);
    text += one;
  }
  return text;
}

/// A free body with a geom.
inline std::string free_body(const std::vector<double>& pos, const std::string& geom,
                             const std::string& more = "") {
  return "<body pos='" + numbers(pos) + "' " + more + "><freejoint/><geom " + geom + "/></body>";
}

}  // namespace swept::test
