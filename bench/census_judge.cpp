// SPDX-License-Identifier: Apache-2.0
// Looks along a motion.
#include "bench/census_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace swept::census {

Official::Official(const std::string& text) {
  std::array<char, 1000> message{};
  mjSpec* const spec =
      mj_parseXMLString(text.c_str(), nullptr, message.data(), static_cast<int>(message.size()));
  if (spec == nullptr) {
    throw std::runtime_error(message.data());
  }
  model.reset(mj_compile(spec, nullptr));
  const std::string error = model ? "" : mjs_getError(spec);
  mj_deleteSpec(spec);
  if (!model) {
    throw std::runtime_error(error);
  }
  data.reset(mj_makeData(model.get()));
}

Judge::Judge(const std::string& text) : official_(text) {
  mjModel& m = *official_.model;
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

double Judge::distance(const double* qpos) {
  mjModel& m = *official_.model;
  mjData& d = *official_.data;
  std::copy_n(qpos, m.nq, d.qpos);
  mj_kinematics(&m, &d);
  return mj_geomDistance(&m, &d, 0, 1, 1e3, nullptr);
}

/// The distance of the geoms where they are, or that of the balls around them if it is large.
double Judge::apart() {
  const mjModel& m = *official_.model;
  mjData& d = *official_.data;
  const mjtNum *const x = d.geom_xpos, *const n = d.geom_xmat;
  const double away[3] = {x[3] - x[0], x[4] - x[1], x[5] - x[2]};
  const double balls =
      m.geom_type[0] == mjGEOM_PLANE
          ? away[0] * n[2] + away[1] * n[5] + away[2] * n[8] - m.geom_rbound[1]
          : std::hypot(away[0], away[1], away[2]) - m.geom_rbound[0] - m.geom_rbound[1];
  return balls < thin_ ? mj_geomDistance(&m, &d, 0, 1, 1e3, nullptr) : balls;
}

/// No two points of the geoms come closer faster [m/s]: every joint of a chain by its speed times the
/// length of the chain behind it. Needs the places of the start.
double Judge::closing_speed(const double* qvel) const {
  const mjModel& m = *official_.model;
  const mjData& d = *official_.data;
  double speed = 0;
  for (int g = 0; g < 2; ++g) {
    double reach = m.geom_rbound[g];
    std::array<double, 3> from = {d.geom_xpos[3 * g], d.geom_xpos[3 * g + 1],
                                  d.geom_xpos[3 * g + 2]};
    for (int body = m.geom_bodyid[g]; body > 0; body = m.body_parentid[body]) {
      for (int k = m.body_jntnum[body] - 1; k >= 0; --k) {
        const int j = m.body_jntadr[body] + k;
        const mjtNum* const anchor = d.xanchor + 3 * j;
        reach += std::hypot(from[0] - anchor[0], from[1] - anchor[1], from[2] - anchor[2]);
        from = {anchor[0], anchor[1], anchor[2]};
        const double* const v = qvel + m.jnt_dofadr[j];
        speed += m.jnt_type[j] == mjJNT_FREE
                     ? std::hypot(v[0], v[1], v[2]) + std::hypot(v[3], v[4], v[5]) * reach
                     : std::abs(v[0]) * reach;
      }
    }
  }
  return speed;
}

double Judge::least(const double* qpos, const double* qvel, const std::vector<double>& parts,
                    double enough) {
  const mjModel& m = *official_.model;
  mjData& d = *official_.data;
  const double h = m.opt.timestep;
  std::vector<double> rates(qvel, qvel + m.nv);
  for (int i = 0; i < m.nv; ++i) {
    rates[static_cast<std::size_t>(i)] *= parts[static_cast<std::size_t>(m.dof_treeid[i])];
  }
  std::copy_n(qpos, m.nq, d.qpos);
  mj_kinematics(&m, &d);
  const double speed = closing_speed(rates.data());
  double last = apart(), smallest = last;
  for (double t = 0; speed > 0 && t < h && smallest > enough;) {
    t = std::min(h, t + std::max(last, thin_ / 4) / speed);
    std::copy_n(qpos, m.nq, d.qpos);
    mj_integratePos(&m, d.qpos, rates.data(), t);
    mj_kinematics(&m, &d);
    last = apart();
    smallest = std::min(smallest, last);
  }
  return smallest;
}

double Judge::fastest(const double* qpos, const double* qvel) {
  std::copy_n(qpos, model().nq, data()->qpos);
  mj_kinematics(&model(), data());
  return closing_speed(qvel);
}

std::vector<double> Judge::parts_made(const double* from, const double* qvel,
                                      const double* to) const {
  const mjModel& m = *official_.model;
  const double h = m.opt.timestep;
  const auto n = static_cast<std::size_t>(m.ntree);
  std::vector<double> made(n), all(n), parts(n);
  for (int j = 0; j < m.njnt; ++j) {
    const int q = m.jnt_qposadr[j], v = m.jnt_dofadr[j];
    const auto tree = static_cast<std::size_t>(m.dof_treeid[v]);
    // hinges by their angles, weighed as lengths of a metre; free joints by their places
    for (int k = 0; k < (m.jnt_type[j] == mjJNT_FREE ? 3 : 1); ++k) {
      const double way = h * qvel[v + k];
      made[tree] += way * (to[q + k] - from[q + k]);
      all[tree] += way * way;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    parts[i] = all[i] > 0 ? std::clamp(made[i] / all[i], 0.0, 1.0) : 1;
  }
  return parts;
}

}  // namespace swept::census
