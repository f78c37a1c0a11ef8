// SPDX-License-Identifier: Apache-2.0
// The tunnelling census: random shots of one step, and whether the geoms went through each other. The
// judge is the official library's distance alone, along the motion that was really made: it goes on by
// the distance over a bound of the travel, but at least by a quarter of the thinner geom's half size, so that
// nothing can pass between two looks. A crossing is a depth of more than half of the thinner geom's
// half size, on the way or at the end.
#include "parity/oracle.h"
#include "parity/shot_scenes.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace swept::test {
namespace {

/// Where two geoms of a scene stand to each other along a motion.
class Judge {
 public:
  explicit Judge(const std::string& xml) : oracle_(Oracle::from_text(xml)) {
    mjModel& m = oracle_.model();
    // curved shapes: well within the depth that counts
    m.opt.ccd_tolerance = 1e-8;
    m.opt.ccd_iterations = 500;
    for (int g = 0; g < 2; ++g) {
      if (m.geom_type[g] != mjGEOM_PLANE) {
        const mjtNum* const half = m.geom_aabb + 6 * g + 3;
        thin_ = std::min({thin_, half[0], half[1], half[2]});
      }
    }
  }
  const mjModel& model() const { return oracle_.model(); }
  double thickness() const { return thin_; }

  /// Signed distance of the geoms [m].
  double distance(const double* qpos) {
    mjModel& m = oracle_.model();
    mjData& d = oracle_.data();
    std::copy_n(qpos, m.nq, d.qpos);
    mj_kinematics(&m, &d);
    return mj_geomDistance(&m, &d, 0, 1, 1e3, nullptr);
  }

  /// The least distance from qpos along qvel for a time [m].
  double least(const double* qpos, const double* qvel, double time) {
    mjModel& m = oracle_.model();
    // no point of a free body is faster: centre, turning, radius
    double speed = 0;
    for (int body = 0; body < m.nv / 6; ++body) {
      const double* const v = qvel + 6 * body;
      const int geom = m.body_geomadr[m.jnt_bodyid[body]];
      speed += std::hypot(v[0], v[1], v[2]) + std::hypot(v[3], v[4], v[5]) * m.geom_rbound[geom];
    }
    double smallest = last_ = distance(qpos);
    std::vector<double> moved(static_cast<std::size_t>(m.nq));
    for (double t = 0; speed > 0 && t < time;) {
      t = std::min(time, t + std::max(last_, thin_ / 4) / speed);
      std::copy_n(qpos, m.nq, moved.begin());
      mj_integratePos(&m, moved.data(), qvel, t);
      last_ = distance(moved.data());
      smallest = std::min(smallest, last_);
    }
    return smallest;
  }

 private:
  Oracle oracle_;
  double thin_ = 1e9, last_ = 0;
};

/// What became of the shots.
struct Census {
  long shots = 0, meet = 0, crossed = 0, touched = 0;
  long held = 0;       ///< moved for a part of the step only
  double lost = 0;     ///< [steps] by that
  double deepest = 0;  ///< [m]

  void print(const char* who) const {
    std::printf(
        "%-15s shots %ld, would meet %ld, crossed %ld, touched %ld, held back %ld (%.1f steps), "
        "deepest %.1e m\n",
        who, shots, meet, crossed, touched, held, lost, deepest);
  }
};

/// The part of a step that bodies have moved, from where to where at which velocity.
double part_made(const mjModel& m, const double* from, const double* qvel, const double* to) {
  double made = 0, all = 0;
  for (int body = 0; body < m.nv / 6; ++body) {
    for (int k = 0; k < 3; ++k) {
      const double way = shot_timestep * qvel[6 * body + k];
      made += way * (to[7 * body + k] - from[7 * body + k]);
      all += way * way;
    }
  }
  return all > 0 ? std::clamp(made / all, 0.0, 1.0) : 1;
}

/// Shoot once in every environment.
void shoot(const std::string& xml, const std::string& judged, Precision precision, int nenv,
           double room, double spin, unsigned seed, Census* census) {
  Judge judge(judged);
  const mjModel& m = judge.model();
  std::mt19937 random(seed);
  const Shots shots = random_shots(m, nenv, room, spin, &random);
  BatchOptions options;
  options.nenv = nenv;
  options.precision = precision;
  options.threads = 1;
  Batch batch(compile(load_string(xml, Format::xml)), options);
  batch.write("qpos", shots.qpos);
  batch.write("qvel", shots.qvel);
  // rounded to the batch's precision, and what is made of it
  const std::vector<double> qpos = batch.read("qpos");
  batch.step();
  const std::vector<double> qvel = batch.read("qvel"), end = batch.read("qpos");
  for (int env = 0; env < nenv; ++env) {
    const double* const from = qpos.data() + env * m.nq;
    if (judge.distance(from) <= 0) {
      continue;
    }
    ++census->shots;
    const double bar = 0.5 * judge.thickness();
    if (judge.least(from, shots.qvel.data() + env * m.nv, shot_timestep) > 0) {
      continue;
    }
    ++census->meet;
    const double part = part_made(m, from, qvel.data() + env * m.nv, end.data() + env * m.nq);
    census->held += part < 0.9999 ? 1 : 0;
    census->lost += 1 - part;
    const double least = judge.least(from, qvel.data() + env * m.nv, part * shot_timestep);
    census->touched += least < 0 ? 1 : 0;
    census->crossed += least < -bar ? 1 : 0;
    census->deepest = std::max(census->deepest, -least);
  }
}

class TunnellingCensus : public testing::TestWithParam<Precision> {};

/// SWEPT_LONG: a million in all.
const int shots_per_scene = std::getenv("SWEPT_LONG") != nullptr ? 1900 : 20;

/// What is shot.
struct Kind {
  const char* name;
  double thin, room, spin;
};
constexpr Kind census_kinds[] = {
    {"solid", 0, 0.6, 300},           // up to 8 sizes per step
    {"thin", 0.0005, 0.6, 300},       // walls, plates and rods from 1 mm on
    {"spinning", 0.0005, 0.4, 1200},  // 2.4 rad in a step
    {"slow", 0.0005, 0.2, 30},        // a few thicknesses per step
    {"far", 0.0005, 2, 100},          // 20 lengths
};

TEST_P(TunnellingCensus, NothingPassesInOneStep) {
  for (const Kind& kind : census_kinds) {
    for (const char* mode : {"parity", "robust"}) {
      const std::string custom = "<text name='speculative_mode' data='" + std::string(mode) + "'/>";
      Census census;
      unsigned seed = 1;
      for (int first = mjGEOM_PLANE; first <= mjGEOM_MESH; ++first) {
        for (int second = std::max<int>(first, mjGEOM_SPHERE); second <= mjGEOM_MESH; ++second) {
          if (first == mjGEOM_HFIELD || second == mjGEOM_HFIELD) {
            continue;
          }
          for (const bool fixed : {false, true}) {
            std::mt19937 random(++seed), again(seed);
            shoot(scene_of({first, second}, fixed, custom, &random, kind.thin),
                  scene_of({first, second}, fixed, "", &again, kind.thin, true), GetParam(),
                  shots_per_scene, kind.room, kind.spin, seed, &census);
          }
        }
      }
      census.print((std::string(kind.name) + " " + mode).c_str());
      if (mode == std::string("robust")) {
        EXPECT_EQ(census.crossed, 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, TunnellingCensus,
                         testing::Values(Precision::f64, Precision::f32));

}  // namespace
}  // namespace swept::test
