// SPDX-License-Identifier: Apache-2.0
// Running a scene with speculative contacts and watching it: whether geoms go through each other
// between two steps, what is held back and for how long, energy and status.
#pragma once

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>
#include <swept/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "physics/scene.h"

namespace swept::test {

/// scenes/speculative/NAME/NAME.xml
inline Model speculative_scene(const std::string& name) {
  return compile(load(std::filesystem::path(SWEPT_SOURCE_DIR) / "scenes/speculative" / name /
                      (name + ".xml")));
}

/// What a scene's contacts are made by.
enum class Kind { robust, parity, off };
constexpr const char* kind_name(Kind kind) {
  return kind == Kind::robust ? "robust" : kind == Kind::parity ? "parity" : "off";
}

/// How a scene is run.
struct Course {
  std::string name;
  int steps = 0;
  int key = -1;  ///< keyframe to start from
  /// Change qpos and qvel of an environment at the start.
  std::function<void(int env, double* qpos, double* qvel)> perturb;
  /// Called before each step.
  std::function<void(Batch* batch, int step)> control = [](Batch*, int) {};
  /// Whether something goes through something, or is where it must never be, in one step.
  std::function<bool(const double* before, const double* after)> crosses;
  /// Whose overlap must stay below `deepest` at the end of each step.
  std::vector<std::array<int, 2>> pairs;
};

/// The mechanical energy of every environment, of the state of the last forward pass [J].
inline std::vector<double> energies(Batch* batch) {
  const Model& m = batch->model();
  const std::vector<double> cinert = batch->read("cinert"), cvel = batch->read("cvel"),
                            xipos = batch->read("xipos"), qvel = batch->read("qvel");
  std::vector<double> all;
  for (int env = 0; env < batch->nenv(); ++env) {
    double energy = 0;
    for (int body = 1; body < m.nbody; ++body) {
      const double* const I = cinert.data() + 10 * (env * m.nbody + body);
      const double* const w = cvel.data() + 6 * (env * m.nbody + body);
      const double* const u = w + 3;
      const double* const x = xipos.data() + 3 * (env * m.nbody + body);
      energy += 0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]) +
                I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2] +
                0.5 * I[9] * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) +
                u[0] * (w[1] * I[8] - w[2] * I[7]) + u[1] * (w[2] * I[6] - w[0] * I[8]) +
                u[2] * (w[0] * I[7] - w[1] * I[6]);
      for (int k = 0; k < 3; ++k) {
        energy -= m.body_mass[static_cast<std::size_t>(body)] *
                  m.opt_gravity[static_cast<std::size_t>(k)] * x[k];
      }
    }
    all.push_back(energy);
  }
  return all;
}

/// What became of a run.
struct Outcome {
  int crossed = 0;      ///< environments in which something crossed
  int first_step = -1;  ///< the first of these crossings
  int first_env = -1;
  long held = 0;                   ///< steps in which something was held back
  int longest_held = 0;            ///< most such steps in a row, in one environment
  int held_at_end = 0;             ///< environments in which the last 20 steps were all such steps
  long resolved = 0;               ///< solves beyond the first
  long most_solves = 0;            ///< steps with as many solves as there may be
  double deepest = 0;              ///< [m] overlap of the pairs at the end of a step
  int bad = 0;                     ///< environments whose status is not ok
  double energy_growth = 0;        ///< [J] largest growth within a step
  std::array<double, 2> energy{};  ///< [J] first and last mean
  SpeculativeCounts counts{};

  void print(const std::string& name, const char* kind, const char* precision, int nenv,
             int steps) const {
    const double all = double(nenv) * steps;
    std::printf(
        "%-8s %-6s %s: crossed %d of %d (env %d step %d), deepest %.2g mm, held %.3f%% longest %d "
        "at end %d, resolved %.2f%% of steps, all solves %.3f%%, bad %d, energy %.4g -> %.4g, "
        "growth %.2g\n   ",
        name.c_str(), kind, precision, crossed, nenv, first_env, first_step, 1000 * deepest,
        100 * held / all, longest_held, held_at_end, 100 * resolved / all, 100 * most_solves / all,
        bad, energy[0], energy[1], energy_growth);
    for (int i = 0; i < speculative_counters; ++i) {
      std::printf(" %s %ld", std::string(speculative_counter_names[i]).c_str(),
                  static_cast<long>(counts[i]));
    }
    std::printf("\n");
  }
};

/// A batch of a course in its perturbed start.
inline Batch started(const Course& course, Kind kind, Precision precision, int nenv) {
  Model model = speculative_scene(course.name);
  if (kind == Kind::off) {
    model.opt.enableflags &= ~enable_speculative;
  }
  model.opt.speculative_mode = kind == Kind::parity ? speculative_parity : speculative_robust;
  Batch batch(model, {.nenv = nenv, .precision = precision, .threads = 1});
  batch.reset(course.key);
  std::vector<double> qpos = batch.read("qpos"), qvel = batch.read("qvel");
  for (int env = 0; env < nenv; ++env) {
    course.perturb(env, qpos.data() + env * model.nq, qvel.data() + env * model.nv);
  }
  batch.write("qpos", qpos);
  batch.write("qvel", qvel);
  for (const char* name : {"cinert", "cvel", "xipos"}) {
    batch.bind(name);
  }
  return batch;
}

/// Called after every step, with the states before and after it.
using Look = std::function<void(Batch* batch, int step, const std::vector<double>& before,
                                const std::vector<double>& after)>;

inline Outcome run(const Course& course, Kind kind, Precision precision, int nenv,
                   const Look& look = {}) {
  Batch batch = started(course, kind, precision, nenv);
  const Model& m = batch.model();
  Outcome out;
  std::vector<int> run_held(nenv), crossed(nenv);
  std::vector<double> before = batch.read("qpos"), energy, counts(nenv * speculative_counters);
  for (int step = 0; step < course.steps; ++step) {
    course.control(&batch, step);
    batch.step();
    const std::vector<double> after = batch.read("qpos"), now = batch.read("speculative");
    // counters of this step
    for (int env = 0; env < nenv; ++env) {
      const auto more = [&](int counter) {
        const std::size_t i = env * speculative_counters + counter;
        return now[i] - counts[i];
      };
      const bool held = more(speculative_held) > 0;
      run_held[env] = held ? run_held[env] + 1 : 0;
      out.held += held ? 1 : 0;
      out.longest_held = std::max(out.longest_held, run_held[env]);
      out.resolved += static_cast<long>(more(speculative_resolved));
      out.most_solves += more(speculative_resolved) >= m.opt.speculative_iterations ? 1 : 0;
      if (crossed[env] == 0 &&
          course.crosses(before.data() + env * m.nq, after.data() + env * m.nq)) {
        crossed[env] = 1;
        ++out.crossed;
        if (out.first_step < 0) {
          out.first_step = step;
          out.first_env = env;
        }
      }
    }
    counts = now;
    if (!course.pairs.empty()) {
      const GeomDistances near = batch.geom_distance(course.pairs, 0.01);
      for (const double d : near.distance) {
        out.deepest = std::max(out.deepest, -d);
      }
    }
    // energies are those before the step
    const std::vector<double> e = energies(&batch);
    for (int env = 0; env < nenv; ++env) {
      if (step > 0) {
        out.energy_growth = std::max(out.energy_growth, e[env] - energy[env]);
      }
      out.energy[step == 0 ? 0 : 1] += step == 0 || step == course.steps - 1 ? e[env] / nenv : 0;
    }
    energy = e;
    if (look) {
      look(&batch, step, before, after);
    }
    before = after;
  }
  for (int env = 0; env < nenv; ++env) {
    out.held_at_end += run_held[env] >= 20 ? 1 : 0;
    out.bad += batch.status(env) != Status::ok ? 1 : 0;
  }
  out.counts = batch.report().speculative;
  return out;
}

}  // namespace swept::test
