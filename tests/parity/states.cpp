// SPDX-License-Identifier: Apache-2.0
// Drawing states, and handing them to both sides.
#include "parity/states.h"

#include <algorithm>
#include <cmath>

namespace swept::test {
namespace {

/// Spread of positions [rad, m] and velocities [rad/s, m/s] of states that are not rolled.
constexpr double wide = 0.5;
/// The same for states where something starts.
constexpr double narrow = 0.05;
/// Faster states say nothing: the official library itself is about to give up there.
constexpr double fastest = 100;

std::vector<double> copied(const mjtNum* values, mjtSize n) {
  return {values, values + static_cast<std::size_t>(n)};
}

void copy_into(const std::vector<double>& from, mjtNum* to) {
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

void round_to_f32(double* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<double>(static_cast<float>(values[i]));
  }
}

void StateMaker::turn(double* quat, double angle) {
  double axis[3] = {normal(1), normal(1), normal(1)};
  mju_normalize3(axis);
  mju_quatIntegrate(quat, axis, angle);
  mju_normalize4(quat);
}

void StateMaker::draw_joint(int joint, double spread) {
  const mjModel& m = oracle_->model();
  double* const q = oracle_->data().qpos + m.jnt_qposadr[joint];
  const double* const range = m.jnt_range + 2 * joint;
  switch (m.jnt_type[joint]) {
    case mjJNT_FREE:
      for (int i = 0; i < 3; ++i) {
        q[i] += normal(spread * std::min(1.0, m.stat.meansize));
      }
      turn(q + 3, normal(2 * spread));
      break;
    case mjJNT_BALL:
      turn(q, normal(2 * spread));
      break;
    default:
      // some limits are passed by a little
      if (m.jnt_limited[joint] != 0 && spread == wide) {
        const double beyond = 0.1 * (range[1] - range[0]);
        q[0] = uniform(range[0] - beyond, range[1] + beyond);
      } else {
        q[0] += normal(m.jnt_type[joint] == mjJNT_SLIDE ? 0.3 * spread : spread);
      }
  }
}

void StateMaker::draw_positions(double spread) {
  mj_resetData(&oracle_->model(), &oracle_->data());
  for (int joint = 0; joint < oracle_->model().njnt; ++joint) {
    draw_joint(joint, spread);
  }
}

void StateMaker::draw_velocities(double spread) {
  for (int i = 0; i < oracle_->model().nv; ++i) {
    oracle_->data().qvel[i] = normal(spread);
  }
}

void StateMaker::draw_activations() {
  const mjModel& m = oracle_->model();
  for (int i = 0; i < m.nu; ++i) {
    for (int a = m.actuator_actadr[i]; a >= 0 && a < m.actuator_actadr[i] + m.actuator_actnum[i];
         ++a) {
      const double* const range = m.actuator_actrange + 2 * i;
      oracle_->data().act[a] =
          m.actuator_actlimited[i] != 0 ? uniform(range[0], range[1]) : normal(wide);
    }
  }
}

void StateMaker::draw_mocaps(double spread) {
  mjData& d = oracle_->data();
  for (int i = 0; i < oracle_->model().nmocap; ++i) {
    for (int k = 0; k < 3; ++k) {
      d.mocap_pos[3 * i + k] += normal(0.3 * spread);
    }
    double* const quat = d.mocap_quat + 4 * i;
    turn(quat, normal(spread));
    const double length = uniform(0.5, 2);
    for (int k = 0; k < 4; ++k) {
      quat[k] *= length;
    }
  }
}

std::vector<double> StateMaker::controls() {
  const mjModel& m = oracle_->model();
  std::vector<double> ctrl(static_cast<std::size_t>(m.nu));
  for (int i = 0; i < m.nu; ++i) {
    const double* const range = m.actuator_ctrlrange + 2 * i;
    ctrl[static_cast<std::size_t>(i)] =
        m.actuator_ctrllimited[i] != 0 ? uniform(range[0], range[1]) : uniform(-1, 1);
  }
  round_to_f32(ctrl.data(), ctrl.size());
  return ctrl;
}

/// Forces that alone accelerate a dof by about 1 and a body by about half of gravity.
void StateMaker::draw_forces() {
  const mjModel& m = oracle_->model();
  mjData& d = oracle_->data();
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_applied[i] = normal(m.dof_M0[i]);
  }
  for (int body = 1; body < m.nbody; ++body) {
    for (int i = 0; i < 3; ++i) {
      d.xfrc_applied[6 * body + i] = normal(5 * m.body_mass[body]);
      d.xfrc_applied[6 * body + 3 + i] = normal(5 * m.body_inertia[3 * body]);
    }
  }
}

void StateMaker::roll(int steps) {
  mjModel& m = oracle_->model();
  mjData& d = oracle_->data();
  const mjOption options = m.opt;
  m.opt.tolerance = 1e-8;  // the way there need not be exact
  for (int step = 0; step < steps; ++step) {
    if (step % 10 == 0) {
      copy_into(controls(), d.ctrl);
    }
    const State before = take_state(oracle_);
    mj_step(&m, &d);
    double speed = 0;
    for (int i = 0; i < m.nv; ++i) {
      speed = std::max(speed, std::fabs(d.qvel[i]));
    }
    if (!(speed < fastest) || d.time == 0) {
      set_state(oracle_, before);
      break;
    }
  }
  m.opt = options;
}

std::vector<State> StateMaker::states(int n, int longest_roll) {
  std::vector<State> states;
  for (int i = 0; i < n; ++i) {
    const bool rolled = i % 3 != 0;
    draw_positions(rolled ? narrow : wide);
    draw_velocities(rolled ? narrow : 2 * wide);
    draw_activations();
    draw_mocaps(rolled ? narrow : wide);
    if (rolled) {
      roll(static_cast<int>(uniform(0, longest_roll)));
    }
    copy_into(controls(), oracle_->data().ctrl);
    if (i % 2 == 0) {
      draw_forces();
    }
    states.push_back(take_state(oracle_));
  }
  return states;
}

State StateMaker::start() {
  draw_positions(narrow);
  draw_velocities(narrow);
  draw_activations();
  draw_mocaps(narrow);
  copy_into(controls(), oracle_->data().ctrl);
  return take_state(oracle_);
}

State take_state(Oracle* oracle, Rounding rounding) {
  const mjModel& m = oracle->model();
  mjData& d = oracle->data();
  const auto take = [rounding](mjtNum* values, mjtSize n) {
    if (rounding == Rounding::f32) {
      round_to_f32(values, static_cast<std::size_t>(n));
    }
    return copied(values, n);
  };
  State state;
  state.time = take(&d.time, 1)[0];
  state.qpos = take(d.qpos, m.nq);
  state.qvel = take(d.qvel, m.nv);
  state.act = take(d.act, m.na);
  state.ctrl = take(d.ctrl, m.nu);
  state.qfrc_applied = take(d.qfrc_applied, m.nv);
  state.xfrc_applied = take(d.xfrc_applied, 6 * m.nbody);
  state.qacc_warmstart = take(d.qacc_warmstart, m.nv);
  state.mocap_pos = take(d.mocap_pos, 3 * m.nmocap);
  state.mocap_quat = take(d.mocap_quat, 4 * m.nmocap);
  return state;
}

void set_state(Oracle* oracle, const State& state) {
  mjData& d = oracle->data();
  mj_resetData(&oracle->model(), &d);
  d.time = state.time;
  copy_into(state.qpos, d.qpos);
  copy_into(state.qvel, d.qvel);
  copy_into(state.act, d.act);
  copy_into(state.ctrl, d.ctrl);
  copy_into(state.qfrc_applied, d.qfrc_applied);
  copy_into(state.xfrc_applied, d.xfrc_applied);
  copy_into(state.qacc_warmstart, d.qacc_warmstart);
  copy_into(state.mocap_pos, d.mocap_pos);
  copy_into(state.mocap_quat, d.mocap_quat);
}

void set_states(Batch* batch, const std::vector<State>& states) {
  const auto write = [&](const char* name, const auto& field) {
    std::vector<double> values;
    for (const State& state : states) {
      const auto& from = field(state);
      values.insert(values.end(), from.begin(), from.end());
    }
    if (!values.empty()) {
      batch->write(name, values);
    }
  };
  write("time", [](const State& s) { return std::vector<double>{s.time}; });
  write("qpos", [](const State& s) -> const std::vector<double>& { return s.qpos; });
  write("qvel", [](const State& s) -> const std::vector<double>& { return s.qvel; });
  write("act", [](const State& s) -> const std::vector<double>& { return s.act; });
  write("ctrl", [](const State& s) -> const std::vector<double>& { return s.ctrl; });
  write("qfrc_applied",
        [](const State& s) -> const std::vector<double>& { return s.qfrc_applied; });
  write("xfrc_applied",
        [](const State& s) -> const std::vector<double>& { return s.xfrc_applied; });
  write("qacc_warmstart",
        [](const State& s) -> const std::vector<double>& { return s.qacc_warmstart; });
  write("mocap_pos", [](const State& s) -> const std::vector<double>& { return s.mocap_pos; });
  write("mocap_quat", [](const State& s) -> const std::vector<double>& { return s.mocap_quat; });
}

}  // namespace swept::test
