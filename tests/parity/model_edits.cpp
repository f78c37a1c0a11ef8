// SPDX-License-Identifier: Apache-2.0
// Drawing edits, and making them on the official side.
#include "parity/model_edits.h"

#include <swept/model_fields.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <type_traits>

namespace swept::test {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

class EditMaker {
 public:
  EditMaker(const Model& model, unsigned seed) : m_(model), random_(seed) {}

  std::vector<ModelEdit> make() {
    bodies();
    joints();
    geoms();
    tendons();
    actuators();
    options();
    medium();
    return std::move(edits_);
  }

 private:
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  bool chance(double p) { return uniform(0, 1) < p; }

  /// Edits a field number by number: change(index, compiled number). Numbers are those of f32, so
  /// that both precisions have the same.
  template <class Change>
  void edit(const char* name, const Change& change) {
    const std::span<const double> compiled = real_field(m_, name);
    if (compiled.empty() || !chance(0.5)) {
      return;
    }
    ModelEdit made{name, {compiled.begin(), compiled.end()}};
    for (std::size_t i = 0; i < compiled.size(); ++i) {
      const double value = change(static_cast<int>(i), compiled[i]);
      made.values[i] =
          value == compiled[i] ? value : static_cast<double>(static_cast<float>(value));
    }
    edits_.push_back(std::move(made));
  }
  /// Multiplies every number by one of its own.
  void scale(const char* name, double lo, double hi) {
    edit(name, [&](int, double x) { return x * uniform(lo, hi); });
  }
  void shift(const char* name, double size) {
    edit(name, [&](int, double x) { return x + uniform(-size, size); });
  }
  /// Adds a number that is not negative, or nothing.
  void add(const char* name, double most) {
    edit(name, [&](int, double x) { return x + (chance(0.5) ? uniform(0, most) : 0.0); });
  }

  /// The same with a limit of its own for each number.
  template <class Most>
  void add_up_to(const char* name, const Most& most) {
    edit(name, [&](int i, double x) { return x + (chance(0.5) ? uniform(0, most(i)) : 0.0); });
  }

  // what a step of explicit integration bears, by the inertia that it acts on
  double dof_inertia(int dof) const { return 1 / m_.dof_invweight0[at(dof)]; }
  double joint_inertia(int j) const {
    const int n = m_.jnt_type[at(j)] == joint_free ? 6 : m_.jnt_type[at(j)] == joint_ball ? 3 : 1;
    double least = 1e9;
    for (int dof = m_.jnt_dofadr[at(j)]; dof < m_.jnt_dofadr[at(j)] + n; ++dof) {
      least = std::min(least, dof_inertia(dof));
    }
    return least;
  }
  double tendon_inertia(int t) const { return 1 / std::max(m_.tendon_invweight0[at(t)], 1e-9); }
  /// 0 for an actuator on a site, which can lend no damping and no armature.
  double actuator_inertia(int u) const {
    if (m_.actuator_trntype[at(u)] == transmission_site) {
      return 0;
    }
    const int target = m_.actuator_trnid[2 * at(u)];
    const double gear = std::max(std::abs(m_.actuator_gear[6 * at(u)]), 1.0);
    return (m_.actuator_trntype[at(u)] == transmission_tendon ? tendon_inertia(target)
                                                              : joint_inertia(target)) /
           (gear * gear);
  }
  double damping(double inertia) const { return 0.2 * inertia / m_.opt_timestep[0]; }
  double stiffness(double inertia) const { return 0.2 * damping(inertia) / m_.opt_timestep[0]; }

  /// Rotates unit quaternions by small angles; `wanted(row)` says which.
  template <class Wanted>
  void turn(const char* name, const Wanted& wanted) {
    const std::span<const double> compiled = real_field(m_, name);
    if (compiled.empty() || !chance(0.5)) {
      return;
    }
    ModelEdit made{name, {compiled.begin(), compiled.end()}};
    for (std::size_t row = 0; row < compiled.size() / 4; ++row) {
      if (!wanted(static_cast<int>(row))) {
        continue;
      }
      double axis[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, by[4], sum[4];
      mju_normalize3(axis);
      mju_axisAngle2Quat(by, axis, uniform(-0.2, 0.2));
      mju_mulQuat(sum, &made.values[4 * row], by);
      mju_normalize4(sum);
      std::copy(sum, sum + 4, &made.values[4 * row]);
    }
    edits_.push_back(std::move(made));
  }

  void solver_parameters(const char* solref, const char* solimp) {
    edit(solref,
         [&](int, double x) { return x > 0 ? x * uniform(0.9, 2) : x * uniform(0.7, 1.2); });
    edit(solimp, [&](int i, double x) {
      const int k = i % 5;
      return k == 0 ? x * uniform(0.7, 1) : k == 2 ? x * uniform(0.5, 2) : x;
    });
  }

  void bodies() {
    const auto moves = [&](int body) { return m_.body_simple[at(body)] == 0 && body > 0; };
    scale("body_mass", 0.5, 2);
    std::vector<double> factor(at(m_.nbody));
    std::generate(factor.begin(), factor.end(), [&] { return uniform(0.5, 2); });
    edit("body_inertia", [&](int i, double x) { return x * factor[at(i / 3)]; });
    edit("body_ipos", [&](int i, double x) { return moves(i / 3) ? x + uniform(-.01, .01) : x; });
    turn("body_iquat", moves);
    edit("body_pos", [&](int i, double x) { return i < 3 ? x : x + uniform(-.01, .01); });
    turn("body_quat", [](int body) { return body > 0; });
    edit("body_gravcomp", [&](int i, double) { return i > 0 && chance(0.3) ? 0.5 : 0.0; });
    shift("site_pos", 0.01);
    turn("site_quat", [](int) { return true; });
  }

  void joints() {
    const auto moves = [&](int j) {
      return m_.body_simple[at(m_.jnt_bodyid[at(j)])] == 0 && m_.jnt_type[at(j)] != joint_free;
    };
    edit("jnt_pos", [&](int i, double x) { return moves(i / 3) ? x + uniform(-.01, .01) : x; });
    axes(moves);
    add_up_to("jnt_stiffness", [&](int j) { return stiffness(joint_inertia(j)); });
    add_up_to("jnt_stiffnesspoly", [&](int i) { return 0.1 * stiffness(joint_inertia(i / 2)); });
    edit("jnt_range", [&](int, double x) { return x * uniform(0.9, 1.1); });
    scale("jnt_actfrcrange", 0.5, 1.5);
    add("jnt_margin", 0.02);
    solver_parameters("jnt_solref", "jnt_solimp");
    edit("qpos0", [&](int i, double x) { return is_scalar(i) ? x + uniform(-.1, .1) : x; });
    edit("qpos_spring", [&](int i, double x) { return is_scalar(i) ? x + uniform(-.1, .1) : x; });
    add("dof_armature", 0.05);
    add_up_to("dof_damping", [&](int i) { return damping(dof_inertia(i)); });
    add_up_to("dof_dampingpoly", [&](int i) { return 0.001 * damping(dof_inertia(i / 2)); });
    edit("dof_frictionloss", [&](int, double) { return chance(0.3) ? uniform(0, .5) : 0.0; });
    solver_parameters("dof_solref", "dof_solimp");
  }

  template <class Wanted>
  void axes(const Wanted& wanted) {
    if (m_.njnt == 0 || !chance(0.5)) {
      return;
    }
    ModelEdit made{"jnt_axis", m_.jnt_axis};
    for (int j = 0; j < m_.njnt; ++j) {
      double* axis = &made.values[3 * at(j)];
      if (wanted(j) && m_.jnt_type[at(j)] != joint_ball) {
        for (int k = 0; k < 3; ++k) {
          axis[k] += uniform(-.1, .1);
        }
        mju_normalize3(axis);
      }
    }
    edits_.push_back(std::move(made));
  }

  bool is_scalar(int q) const {
    for (int j = 0; j < m_.njnt; ++j) {
      const int type = m_.jnt_type[at(j)];
      if (m_.jnt_qposadr[at(j)] == q && (type == joint_slide || type == joint_hinge)) {
        return true;
      }
    }
    return false;
  }

  void geoms() {
    const auto is_plane = [&](int g) { return m_.geom_type[at(g)] == geom_plane; };
    edit("geom_size", [&](int i, double x) { return is_plane(i / 3) ? x : x * uniform(0.9, 1.1); });
    edit("geom_pos", [&](int i, double x) { return is_plane(i / 3) ? x : x + uniform(-.01, .01); });
    turn("geom_quat", [&](int g) { return !is_plane(g); });
    scale("geom_friction", 0.5, 1.5);
    scale("geom_solmix", 0.5, 1.5);
    add("geom_margin", 0.01);
    add("geom_gap", 0.005);
    shift("geom_surfacevel", 0.3);
    solver_parameters("geom_solref", "geom_solimp");
    scale("pair_friction", 0.5, 1.5);
    add("pair_margin", 0.01);
    add("pair_gap", 0.005);
    solver_parameters("pair_solref", "pair_solimp");
  }

  void tendons() {
    edit("wrap_prm", [&](int, double x) { return x * uniform(0.8, 1.2); });
    add_up_to("tendon_stiffness", [&](int t) { return stiffness(tendon_inertia(t)); });
    add_up_to("tendon_stiffnesspoly",
              [&](int i) { return 0.1 * stiffness(tendon_inertia(i / 2)); });
    add_up_to("tendon_damping", [&](int t) { return damping(tendon_inertia(t)); });
    add_up_to("tendon_dampingpoly", [&](int i) { return 0.001 * damping(tendon_inertia(i / 2)); });
    add("tendon_armature", 0.02);
    add("tendon_frictionloss", 0.5);
    edit("tendon_range", [&](int, double x) { return x * uniform(0.9, 1.1); });
    scale("tendon_actfrcrange", 0.5, 1.5);
    add("tendon_margin", 0.02);
    edit("tendon_lengthspring", [&](int i, double x) { return x + (i % 2 == 0 ? -0.02 : 0.03); });
    solver_parameters("tendon_solref_lim", "tendon_solimp_lim");
    solver_parameters("tendon_solref_fri", "tendon_solimp_fri");
  }

  void actuators() {
    scale("actuator_gear", 0.8, 1.2);
    scale("actuator_gainprm", 0.8, 1.2);
    scale("actuator_biasprm", 0.8, 1.2);
    scale("actuator_dynprm", 0.8, 1.5);
    scale("actuator_ctrlrange", 0.5, 1.2);
    scale("actuator_forcerange", 0.5, 1.2);
    scale("actuator_actrange", 0.5, 1.2);
    add_up_to("actuator_damping", [&](int u) { return damping(actuator_inertia(u)); });
    add_up_to("actuator_dampingpoly",
              [&](int i) { return 0.001 * damping(actuator_inertia(i / 2)); });
    add_up_to("actuator_armature", [&](int u) { return 0.5 * actuator_inertia(u); });
  }

  void options() {
    shift("opt_gravity", 2);
    scale("opt_timestep", 0.5, 1);
    scale("opt_impratio", 0.5, 3);
  }

  /// Whether the axes of some inertia are a matter of rounding: two equal moments of several geoms.
  /// The drag of the box that has this inertia depends on them.
  bool axes_undetermined() const {
    for (int body = 1; body < m_.nbody; ++body) {
      std::array<double, 3> moments;
      std::copy_n(&m_.body_inertia[3 * at(body)], 3, moments.begin());
      std::sort(moments.begin(), moments.end());
      const double least = std::min(moments[1] - moments[0], moments[2] - moments[1]);
      if (m_.body_geomnum[at(body)] > 1 && least < 1e-6 * moments[2]) {
        return true;
      }
    }
    return false;
  }

  /// A medium, thin enough for explicit integration; virtual masses follow from sizes.
  void medium() {
    if (axes_undetermined()) {
      return;
    }
    add("opt_density", 1.5);
    add("opt_viscosity", 0.002);
    shift("opt_wind", 1);
    edit("geom_fluid",
         [&](int i, double x) { return i % 12 >= 1 && i % 12 < 6 ? x * uniform(0.5, 1.5) : x; });
  }

  const Model& m_;
  std::mt19937 random_;
  std::vector<ModelEdit> edits_;
};

/// Where an official model has a real field.
mjtNum* official_field(mjModel* m, const std::string& name) {
  if (name == "opt_timestep") {
    return &m->opt.timestep;
  }
  if (name == "opt_gravity") {
    return m->opt.gravity;
  }
  if (name == "opt_impratio") {
    return &m->opt.impratio;
  }
  if (name == "opt_wind") {
    return m->opt.wind;
  }
  if (name == "opt_density") {
    return &m->opt.density;
  }
  if (name == "opt_viscosity") {
    return &m->opt.viscosity;
  }
  mjtNum* found = nullptr;
  const auto look = [&](const char* candidate, auto* values) {
    if constexpr (std::is_same_v<decltype(values), mjtNum*>) {
      if (name == candidate) {
        found = values;
      }
    }
  };
#define X(type, field, rows, cols) look(#field, m->field);
  MJMODEL_POINTERS
#undef X
  if (found == nullptr) {
    throw std::runtime_error("the official model has no field " + name);
  }
  return found;
}

}  // namespace

const std::vector<std::string> derived_constants = {
    "body_subtreemass", "body_invweight0",   "body_margin",      "dof_invweight0",
    "dof_M0",           "dof_length",        "geom_aabb",        "geom_rbound",
    "tendon_length0",   "tendon_invweight0", "actuator_length0", "actuator_acc0",
};

std::vector<ModelEdit> random_edits(const Model& model, unsigned seed) {
  return EditMaker(model, seed).make();
}

void edit_official(const std::vector<ModelEdit>& edits, Oracle* oracle) {
  for (const ModelEdit& edit : edits) {
    std::copy(edit.values.begin(), edit.values.end(), official_field(&oracle->model(), edit.name));
  }
  mj_setConst(&oracle->model(), &oracle->data());
}

}  // namespace swept::test
