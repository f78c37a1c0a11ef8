// SPDX-License-Identifier: Apache-2.0
// How the scenes of scenes/speculative are run: perturbed starts, controls, and what must not happen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "physics/speculative_crossing.h"
#include "physics/speculative_run.h"

namespace swept::test {

/// Samples of the motion within a step.
constexpr int samples = 16;

inline Course bullet_course() {
  Course c;
  c.name = "bullet";
  c.steps = 100;
  c.key = 0;
  c.perturb = [](int env, double* qpos, double* qvel) {
    for (int b = 0; b < 5; ++b) {
      double* const q = qpos + 7 * b;
      q[0] += 0.4 * noise(env, b);
      Quat turn(1, noise(env, b, 1), 0, 0);
      turn.normalize();
      // the first environment shoots straight
      if (env > 0) {
        q[3] = turn.w(), q[4] = turn.x(), q[5] = turn.y(), q[6] = turn.z();
        qvel[6 * b] *= 0.55 + 0.45 * noise(env, b, 5);
        qvel[6 * b + 1] = 0.8 * noise(env, b, 6);
        qvel[6 * b + 2] = 0.8 * noise(env, b, 7);
      }
    }
  };
  c.crosses = [](const double*, const double* after) {
    for (int b = 0; b < 5; ++b) {
      if (after[7 * b] > -0.0005) {
        return true;
      }
    }
    return false;
  };
  c.pairs = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
  return c;
}

inline Course cradle_course(int key) {
  Course c;
  c.name = "cradle";
  c.steps = 1000;
  c.key = key;
  c.perturb = [](int env, double* qpos, double* qvel) {
    for (int i = 0; i < 5; ++i) {
      qpos[i] *= 1 + 0.2 * noise(env, i);
      qvel[i] += 0.2 * noise(env, i, 1);
    }
    std::sort(qpos, qpos + 5);
  };
  // beside each other by 2 mm, and of equal length: an angle more than 2 mm cos(angle) behind its
  // neighbour's is on the other side of it
  c.crosses = [](const double*, const double* after) {
    for (int i = 0; i < 4; ++i) {
      if (after[i + 1] - after[i] < -0.002 * std::cos(after[i])) {
        return true;
      }
    }
    return false;
  };
  for (int i = 0; i < 4; ++i) {
    c.pairs.push_back({i, i + 1});
  }
  return c;
}

/// The axes of the chain's links.
inline std::vector<Segment> chain_links(const double* before, const double* after, double t) {
  Eigen::Isometry3d pose = pose_between(before, after, t);
  std::vector<Segment> links;
  for (int i = 0; i < 10; ++i) {
    if (i > 0) {
      pose = pose * Eigen::Translation3d(0, 0.06, 0) *
             quat_at(before + 3 + 4 * i)
                 .normalized()
                 .slerp(t, quat_at(after + 3 + 4 * i).normalized());
    }
    links.push_back({pose * Vec(0, 0.005, 0), pose * Vec(0, 0.055, 0)});
  }
  return links;
}

inline Course chain_course() {
  Course c;
  c.name = "chain";
  c.steps = 1000;
  c.key = 0;
  c.perturb = [](int env, double* qpos, double* qvel) {
    qpos[1] += 0.2 * noise(env, 0);
    qvel[0] *= 1 + 0.4 * noise(env, 1);
    qvel[1] += 5 * noise(env, 2);
    qvel[2] += 0.5 * noise(env, 3);
    for (int i = 0; i < 9; ++i) {
      Quat q(1, 0.05 * noise(env, i, 1), 0.05 * noise(env, i, 2), 0.2 * noise(env, i, 3));
      q.normalize();
      double* const to = qpos + 7 + 4 * i;
      to[0] = q.w(), to[1] = q.x(), to[2] = q.y(), to[3] = q.z();
    }
  };
  c.crosses = [](const double* before, const double* after) {
    const Segment peg = {{0, 0, -2}, {0, 0, 2}};
    std::vector<Segment> last = chain_links(before, after, 0);
    for (int k = 1; k <= samples; ++k) {
      const std::vector<Segment> now = chain_links(before, after, double(k) / samples);
      for (int i = 0; i < 10; ++i) {
        if (segments_cross(last[i], peg, now[i], peg)) {
          return true;
        }
        for (int j = i + 2; j < 10; ++j) {
          if (segments_cross(last[i], last[j], now[i], now[j])) {
            return true;
          }
        }
      }
      last = now;
    }
    return false;
  };
  for (int i = 0; i < 10; ++i) {
    c.pairs.push_back({0, i + 1});
    for (int j = i + 2; j < 10; ++j) {
      c.pairs.push_back({i + 1, j + 1});
    }
  }
  return c;
}

inline Course flipper_course() {
  Course c;
  c.name = "flipper";
  c.steps = 1000;
  c.key = 0;
  c.perturb = [](int env, double* qpos, double* qvel) {
    qpos[1] += 0.08 * noise(env, 0);
    qpos[2] += 0.05 * noise(env, 1);
    qvel[1] += 0.5 * noise(env, 2);
  };
  c.control = [](Batch* batch, int step) {
    fill(batch, "ctrl", [&](int env, int) { return (step + 7 * env) % 50 < 25 ? -0.4 : 0.6; });
  };
  c.crosses = [](const double* before, const double* after) {
    Vec last;
    for (int k = 0; k <= samples; ++k) {
      const double t = double(k) / samples, angle = (1 - t) * before[0] + t * after[0];
      const Vec ball = (1 - t) * vec_at(before + 1) + t * vec_at(after + 1) - Vec(0, 0, 0.03);
      // the plate's normal is x
      const Vec in = Eigen::AngleAxisd(-angle, Vec::UnitZ()) * ball;
      const Vec now(in.y(), in.x() - 0.15, in.z());
      if (k > 0 && goes_through_plate(last, now, 0.15, 0.025)) {
        return true;
      }
      last = now;
    }
    return after[1] < -0.2 || after[1] > 0.4 || after[2] < -0.2 || after[2] > 0.6 || after[3] < 0;
  };
  c.pairs = {{0, 6}, {1, 6}, {2, 6}, {3, 6}, {4, 6}, {5, 6}};
  return c;
}

inline Segment rod_at(const double* before, const double* after, double t) {
  const Eigen::Isometry3d pose = pose_between(before, after, t);
  return {pose * Vec(0, 0, -0.1), pose * Vec(0, 0, 0.1)};
}

inline Course rods_course() {
  Course c;
  c.name = "rods";
  c.steps = 1000;
  c.perturb = [](int env, double* qpos, double* qvel) {
    for (int b = 0; b < 6; ++b) {
      for (int k = 0; k < 3; ++k) {
        qpos[7 * b + k] += 0.02 * noise(env, b, k);
        qvel[6 * b + k] = 20 * noise(env, b, 10 + k);
        qvel[6 * b + 3 + k] = k == 2 ? 0 : 50 * noise(env, b, 20 + k);
      }
    }
  };
  c.crosses = [](const double* before, const double* after) {
    std::array<Segment, 6> last, now;
    for (int k = 0; k <= samples; ++k) {
      for (int b = 0; b < 6; ++b) {
        now[b] = rod_at(before + 7 * b, after + 7 * b, double(k) / samples);
        for (const Vec& end : {now[b].from, now[b].to}) {
          if (end.cwiseAbs().maxCoeff() > 0.25) {
            return true;
          }
        }
        for (int other = 0; k > 0 && other < b; ++other) {
          if (segments_cross(last[b], last[other], now[b], now[other])) {
            return true;
          }
        }
      }
      last = now;
    }
    return false;
  };
  for (int b = 0; b < 6; ++b) {
    for (int other = 0; other < 6 + b; ++other) {
      c.pairs.push_back({other, 6 + b});
    }
  }
  return c;
}

inline Course fan_course() {
  Course c;
  c.name = "fan";
  c.steps = 400;
  c.key = 0;
  c.perturb = [](int env, double* qpos, double* qvel) {
    for (int b = 0; b < 12; ++b) {
      for (int k = 0; k < 3; ++k) {
        qpos[1 + 7 * b + k] += 0.01 * noise(env, b, k);
        qvel[1 + 6 * b + k] += noise(env, b, 10 + k);
      }
    }
  };
  c.crosses = [](const double* before, const double* after) {
    for (int b = 0; b < 12; ++b) {
      const double *const from = before + 1 + 7 * b, *const to = after + 1 + 7 * b;
      if (std::abs(to[0]) > 0.2 || std::abs(to[1]) > 0.2 || std::abs(to[2]) > 0.1) {
        return true;
      }
      std::array<Vec, 4> last;
      for (int k = 0; k <= samples; ++k) {
        const double t = double(k) / samples, angle = (1 - t) * before[0] + t * after[0];
        const Vec pebble = (1 - t) * vec_at(from) + t * vec_at(to);
        for (int blade = 0; blade < 4; ++blade) {
          const Vec in = Eigen::AngleAxisd(-angle - blade * EIGEN_PI / 2, Vec::UnitZ()) * pebble;
          const Vec now(in.y(), in.x() - 0.08, in.z());
          if (k > 0 && goes_through_plate(last[blade], now, 0.07, 0.085)) {
            return true;
          }
          last[blade] = now;
        }
      }
    }
    return false;
  };
  for (int pebble = 10; pebble < 22; ++pebble) {
    for (int other = 0; other < pebble; ++other) {
      c.pairs.push_back({other, pebble});
    }
  }
  return c;
}

inline Course car_course() {
  Course c;
  c.name = "car";
  c.steps = 500;
  c.key = 0;
  c.perturb = [](int env, double* qpos, double* qvel) {
    qpos[0] += 0.1 * noise(env, 0);
    qpos[1] += 0.1 * noise(env, 1);
    const double more = 1 + 0.3 * noise(env, 2);
    qvel[0] *= more;
    for (int i = 6; i < 10; ++i) {
      qvel[i] *= more;
    }
  };
  c.crosses = [](const double* before, const double* after) {
    for (int sheet = 0; sheet < 9; ++sheet) {
      const double* const from = before + 11 + 7 * sheet;
      const double* const to = after + 11 + 7 * sheet;
      // the centre of one that lies there may be under the ground by what its contacts are soft
      if (to[2] < -0.001) {
        return true;
      }
      Vec last;
      for (int k = 0; k <= samples; ++k) {
        const double t = double(k) / samples;
        const Vec now =
            pose_between(before, after, t).inverse() * pose_between(from, to, t).translation() -
            Vec(0.27, 0, 0.05);
        if (k > 0 && goes_through_plate(last, now, 0.14, 0.05)) {
          return true;
        }
        last = now;
      }
    }
    return false;
  };
  for (int sheet = 7; sheet < 16; ++sheet) {
    for (int other = 0; other < sheet; ++other) {
      c.pairs.push_back({other, sheet});
    }
  }
  return c;
}

/// All of them.
inline std::vector<Course> speculative_courses() {
  return {bullet_course(),  cradle_course(0), cradle_course(1), chain_course(),
          flipper_course(), rods_course(),    fan_course(),     car_course()};
}

}  // namespace swept::test
