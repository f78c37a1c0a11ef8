// SPDX-License-Identifier: Apache-2.0
// Random trees of bodies with joints of all types, springs, dampers, tendons and actuators; and
// random states.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "support/host_tile.h"

namespace swept::SWEPT_NS {

/// What goes into a random tree.
struct TreeOptions {
  int nbody = 8;            ///< bodies, the world included
  bool passive = true;      ///< springs, dampers, gravity compensation
  bool actuated = true;     ///< tendons and actuators
  bool floating = false;    ///< every tree hangs on a free joint, and no other free joint
  double timestep = 0.002;  ///< [s]
  std::vector<double> gravity = {0.5, -1, -9.81};
};

/// Random numbers.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double normal(double scale = 1) { return scale * std::normal_distribution<double>()(engine_); }
  double uniform(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine_);
  }
  int integer(int lower, int upper) {
    return std::uniform_int_distribution<int>(lower, upper)(engine_);
  }
  void fill(double* values, int n, double scale) {
    for (int i = 0; i < n; ++i) {
      values[i] = normal(scale);
    }
  }
  /// A random direction of n numbers, of length 1.
  void direction(double* values, int n) {
    double square = 0;
    fill(values, n, 1);
    for (int i = 0; i < n; ++i) {
      square += values[i] * values[i];
    }
    for (int i = 0; i < n; ++i) {
      values[i] /= std::sqrt(square);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Builds one; scene() is complete.
class RandomTree {
 public:
  RandomTree(unsigned seed, TreeOptions options) : dice_(seed), options_(std::move(options)) {
    m_.nbody = options_.nbody;
    m_.resize();
    m_.body_quat[0] = m_.body_iquat[0] = 1;
    m_.body_jntadr[0] = m_.body_dofadr[0] = -1;
    for (int body = 1; body < m_.nbody; ++body) {
      add_body(body);
    }
    if (options_.actuated) {
      add_tendons();
      add_actuators();
    }
    // attached items
    m_.ngeom = m_.nsite = 2 * m_.nbody;
    m_.resize();
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_.ngeom); ++i) {
      m_.geom_bodyid[i] = m_.site_bodyid[i] = static_cast<int>(i) / 2;
      dice_.fill(&m_.geom_pos[3 * i], 3, 0.1);
      dice_.direction(&m_.geom_quat[4 * i], 4);
      dice_.fill(&m_.site_pos[3 * i], 3, 0.1);
      dice_.direction(&m_.site_quat[4 * i], 4);
    }
    for (std::size_t body = static_cast<std::size_t>(m_.nbody) - 1; body > 0; --body) {
      m_.body_subtreemass[body] += m_.body_mass[body];
      m_.body_subtreemass[static_cast<std::size_t>(m_.body_parentid[body])] +=
          m_.body_subtreemass[body];
    }
    m_.opt_timestep = {options_.timestep};
    m_.opt_gravity = options_.gravity;
    m_.opt_impratio = {1};
    m_.opt.implicit_damping = options_.passive ? 1 : 0;
    finish_tree(&m_);
  }

  const ModelArrays& scene() const { return m_; }

 private:
  void add_body(int body) {
    const std::size_t b = static_cast<std::size_t>(body);
    // depth first: the parent is the body before or one of its ancestors
    int parent = body - 1;
    while (parent > 0 && dice_.integer(0, 3) == 0) {
      parent = m_.body_parentid[static_cast<std::size_t>(parent)];
    }
    m_.body_parentid[b] = parent;
    m_.body_rootid[b] = parent == 0 ? body : m_.body_rootid[static_cast<std::size_t>(parent)];
    dice_.fill(&m_.body_pos[3 * b], 3, 0.3);
    dice_.direction(&m_.body_quat[4 * b], 4);
    dice_.fill(&m_.body_ipos[3 * b], 3, 0.1);
    dice_.direction(&m_.body_iquat[4 * b], 4);
    m_.body_mass[b] = dice_.uniform(0.5, 3);
    const double x = dice_.uniform(0.01, 0.1), y = dice_.uniform(0.01, 0.1);
    m_.body_inertia[3 * b] = y + 0.01;
    m_.body_inertia[3 * b + 1] = x + 0.01;
    m_.body_inertia[3 * b + 2] = x + y;
    m_.body_gravcomp[b] = options_.passive && dice_.integer(0, 2) == 0 ? dice_.uniform(0, 1.5) : 0;
    m_.body_jntadr[b] = m_.njnt;
    m_.body_dofadr[b] = m_.nv;
    add_joints(body, parent);
    m_.body_jntnum[b] = m_.njnt - m_.body_jntadr[b];
    m_.body_dofnum[b] = m_.nv - m_.body_dofadr[b];
    if (m_.body_jntnum[b] == 0) {
      m_.body_jntadr[b] = m_.body_dofadr[b] = -1;
    }
  }

  void add_joints(int body, int parent) {
    if (parent == 0 && (options_.floating || dice_.integer(0, 2) == 0)) {
      add_joint(body, joint_free);
      return;
    }
    // a ball turns about the axes of the body, so nothing in the body may turn after it
    bool ball = false;
    for (int n = dice_.integer(0, 3); n > 0; --n) {
      const int type =
          ball ? static_cast<int>(joint_slide) : dice_.integer(joint_ball, joint_hinge);
      ball = ball || type == joint_ball;
      add_joint(body, type);
    }
  }

  void add_joint(int body, int type) {
    const std::size_t j = static_cast<std::size_t>(m_.njnt), q = static_cast<std::size_t>(m_.nq),
                      v = static_cast<std::size_t>(m_.nv);
    const int nq = type == joint_free ? 7 : (type == joint_ball ? 4 : 1),
              nv = type == joint_free ? 6 : (type == joint_ball ? 3 : 1);
    const int parent = m_.nv > 0 ? last_dof_before(body) : -1;
    m_.njnt += 1;
    m_.nq += nq;
    m_.nv += nv;
    m_.resize();
    m_.jnt_type[j] = type;
    m_.jnt_qposadr[j] = static_cast<int>(q);
    m_.jnt_dofadr[j] = static_cast<int>(v);
    m_.jnt_bodyid[j] = body;
    m_.jnt_actuatorid[j] = -1;
    dice_.fill(&m_.jnt_pos[3 * j], 3, type == joint_free ? 0 : 0.1);
    dice_.direction(&m_.jnt_axis[3 * j], 3);
    for (std::size_t i = q; i < q + static_cast<std::size_t>(nq); ++i) {
      m_.qpos0[i] = dice_.normal(0.2);
      m_.qpos_spring[i] = dice_.normal(0.2);
    }
    if (nq > 1) {
      const std::size_t rotation = q + static_cast<std::size_t>(nq) - 4;
      dice_.direction(&m_.qpos0[rotation], 4);
      dice_.direction(&m_.qpos_spring[rotation], 4);
    }
    for (std::size_t i = v; i < v + static_cast<std::size_t>(nv); ++i) {
      m_.dof_bodyid[i] = body;
      m_.dof_jntid[i] = static_cast<int>(j);
      m_.dof_parentid[i] = i == v ? parent : static_cast<int>(i) - 1;
      m_.dof_armature[i] = options_.floating ? 0 : dice_.uniform(0, 0.1);
    }
    if (options_.passive) {
      m_.jnt_stiffness[j] = dice_.uniform(0, 5);
      dice_.fill(&m_.jnt_stiffnesspoly[2 * j], 2, 0.3);
      m_.jnt_actgravcomp[j] = dice_.integer(0, 1);
      for (std::size_t i = v; i < v + static_cast<std::size_t>(nv); ++i) {
        m_.dof_damping[i] = dice_.uniform(0, 1);
        m_.dof_dampingpoly[2 * i] = dice_.uniform(0, 0.1);
        m_.dof_dampingpoly[2 * i + 1] = dice_.uniform(0, 0.1);
      }
    }
  }

  // the last dof that moves the frame in which the next joint of this body stands
  int last_dof_before(int body) const {
    const std::size_t b = static_cast<std::size_t>(body);
    if (m_.body_dofadr[b] < m_.nv) {
      return m_.nv - 1;
    }
    for (std::size_t a = static_cast<std::size_t>(m_.body_parentid[b]); a > 0;
         a = static_cast<std::size_t>(m_.body_parentid[a])) {
      if (m_.body_dofnum[a] > 0) {
        return m_.body_dofadr[a] + m_.body_dofnum[a] - 1;
      }
    }
    return -1;
  }

  std::vector<int> scalar_joints() const {
    std::vector<int> list;
    for (int j = 0; j < m_.njnt; ++j) {
      if (m_.jnt_type[static_cast<std::size_t>(j)] >= joint_slide) {
        list.push_back(j);
      }
    }
    return list;
  }

  void add_tendons() {
    const std::vector<int> joints = scalar_joints();
    for (int n = 0; n < 3 && !joints.empty(); ++n) {
      const std::size_t t = static_cast<std::size_t>(m_.ntendon++),
                        first = static_cast<std::size_t>(m_.nwrap);
      const int num = dice_.integer(1, 3);
      m_.nwrap += num;
      m_.resize();
      m_.tendon_adr[t] = static_cast<int>(first);
      m_.tendon_num[t] = num;
      m_.tendon_actuatorid[t] = -1;
      m_.tendon_actfrclimited[t] = dice_.integer(0, 1);
      m_.tendon_actfrcrange[2 * t] = -0.5;
      m_.tendon_actfrcrange[2 * t + 1] = 0.7;
      m_.tendon_armature[t] = dice_.uniform(0, 0.1);
      m_.tendon_stiffness[t] = options_.passive ? 3 : 0;
      m_.tendon_damping[t] = options_.passive ? 0.2 : 0;
      for (std::size_t w = first; w < first + static_cast<std::size_t>(num); ++w) {
        m_.wrap_type[w] = wrap_joint;
        m_.wrap_objid[w] =
            joints[static_cast<std::size_t>(dice_.integer(0, static_cast<int>(joints.size()) - 1))];
        m_.wrap_prm[w] = dice_.normal();
      }
    }
  }

  void add_actuators() {
    m_.nu = m_.njnt + m_.ntendon;
    m_.resize();
    for (std::size_t u = 0; u < static_cast<std::size_t>(m_.nu); ++u) {
      const bool tendon = static_cast<int>(u) >= m_.njnt;
      m_.actuator_trntype[u] = tendon ? transmission_tendon : transmission_joint;
      m_.actuator_trnid[2 * u] = static_cast<int>(u) - (tendon ? m_.njnt : 0);
      m_.actuator_dyntype[u] = dice_.integer(dyn_none, dyn_filterexact);
      m_.actuator_actadr[u] = m_.actuator_dyntype[u] == dyn_none ? -1 : m_.na;
      m_.actuator_actnum[u] = m_.actuator_dyntype[u] == dyn_none ? 0 : 1;
      m_.na += m_.actuator_actnum[u];
      m_.actuator_gaintype[u] = dice_.integer(gain_fixed, gain_affine);
      m_.actuator_biastype[u] = dice_.integer(bias_none, bias_affine);
      m_.actuator_actearly[u] = dice_.integer(0, 1);
      m_.actuator_ctrllimited[u] = dice_.integer(0, 1);
      m_.actuator_forcelimited[u] = dice_.integer(0, 1);
      m_.actuator_actlimited[u] = dice_.integer(0, 1);
      m_.actuator_dynprm[10 * u] = dice_.uniform(0.05, 0.5);
      dice_.fill(&m_.actuator_gainprm[10 * u], 3, 0.5);
      dice_.fill(&m_.actuator_biasprm[10 * u], 3, 0.5);
      dice_.fill(&m_.actuator_gear[6 * u], 6, 1);
      for (std::vector<double>* range :
           {&m_.actuator_ctrlrange, &m_.actuator_forcerange, &m_.actuator_actrange}) {
        (*range)[2 * u] = dice_.uniform(-2, -0.2);
        (*range)[2 * u + 1] = dice_.uniform(0.2, 2);
      }
    }
    m_.resize();
    // one actuator lends damping and armature to its joint
    if (m_.njnt > 0) {
      m_.jnt_actuatorid[0] = 0;
      m_.actuator_damping[0] = 0.2;
      m_.actuator_armature[0] = 0.05;
    }
  }

  Dice dice_;
  TreeOptions options_;
  ModelArrays m_;
};

/// Fill the state of an environment: positions around qpos0, quaternions anywhere and not quite
/// normalised, the rest of the given size.
inline void fill_state(HostTile* tile, const ModelArrays& m, int env, unsigned seed,
                       double size = 1) {
  Dice dice(seed);
  std::vector<double> qpos = m.qpos0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(m.njnt); ++j) {
    const std::size_t q = static_cast<std::size_t>(m.jnt_qposadr[j]);
    const std::size_t scalars =
        m.jnt_type[j] == joint_free ? 3 : (m.jnt_type[j] == joint_ball ? 0 : 1);
    for (std::size_t i = 0; i < scalars; ++i) {
      qpos[q + i] += dice.normal(0.5);
    }
    if (scalars != 1) {
      dice.direction(&qpos[q + scalars], 4);
      for (std::size_t i = 0; i < 4; ++i) {
        qpos[q + scalars + i] *= 1.05;
      }
    }
  }
  tile->write(&Layout::qpos, env, qpos.data());
  for (int Layout::*const field :
       {&Layout::qvel, &Layout::act, &Layout::ctrl, &Layout::qfrc_applied, &Layout::xfrc_applied}) {
    std::vector<double> values(static_cast<std::size_t>(tile->count(field)));
    dice.fill(values.data(), static_cast<int>(values.size()), size);
    tile->write(field, env, values.data());
  }
}

}  // namespace swept::SWEPT_NS
