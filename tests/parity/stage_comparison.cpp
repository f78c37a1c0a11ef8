// SPDX-License-Identifier: Apache-2.0
// Comparing the stages of a scene.
#include "parity/stage_comparison.h"

#include "parity/handed_contacts.h"
#include "parity/knife_edges.h"
#include "parity/row_lists.h"
#include "parity/smooth_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace swept::test {
namespace {

std::string in_state(std::size_t env) {
  return " in state " + std::to_string(env);
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) {
    largest = std::max(largest, std::fabs(x));
  }
  return largest;
}

}  // namespace

/// Bars {f64, f32} per stage. Differences are relative to the field's largest number.
Table stage_table(const std::string& title) {
  const std::vector<Column> columns = {
      // a chain of up to 20 rotations, each with a few roundings
      {"kinematics", {1e-13, 1e-5}},
      // geoms' frames in scenes with meshes are eigenvectors of their inertia, which the roundings of
      // two compilers turn by 1e-13 and more
      {"frames", {1e-12, 1e-5}},
      // sums over subtrees; 1 / D loses what M's condition, up to 1e5, takes
      {"inertia", {1e-11, 1e-2}},
      // products of velocities, masses and arms along the chain, which cancel in part
      {"bias", {1e-12, 1e-4}},
      // a rounding of an angle or velocity
      {"passive", {1e-13, 2e-6}},
      {"actuation", {1e-13, 2e-6}},
      // a medium's forces, squares of velocities that cancel in part; actuators between two sites,
      // whose places are subtracted
      {"medium", {1e-13, 4e-5}},
      // divided by M, as inertia
      {"smooth", {1e-10, 1e-2}},
      // directions between points whose distance is 1e-2 and less of their coordinates
      {"contacts", {1e-11, 5e-4}},
      // distances of hulls and curved shapes, where iterations end, and their points and normals
      {"searched", {1e-8, 1e-4}},
      {"place", {1e-5, 2e-2}},
      // follows the contacts' points and normals
      {"jacobian", {1e-12, 1e-4}},
      // goes with (distance / width)^power, where the width is 1e-3 and less, and with 1 - I
      {"impedance", {1e-10, 2e-2}},
      // gradient of the official solution, to show that it is the optimum itself
      {"optimum", {1e-11, 1e-11}},
      // f64: a converged optimum; f32: as uncertain as impedance and M
      {"qacc", {1e-10, 5e-3}},
      {"forces", {1e-10, 2e-3}},
      // large scenes: what conjugate gradients leave; f32: as uncertain as impedance
      {"gradient", {1e-9, 2e-2}},
  };
  return {title, columns};
}

StageComparison::StageComparison(Scene* scene, Table* table, const StagePlan& plan)
    : scene_(*scene), table_(*table), plan_(plan) {
  prepare_to_compare(scene);
  if (plan.by_gradient) {
    // its solution is not looked at
    scene_.oracle.model().opt.solver = mjSOL_CG;
    scene_.oracle.model().opt.iterations = 1;
  }
  states_ = StateMaker(&scene_.oracle, 1).states(plan.states, plan.longest_roll);
  std::vector<std::string> names;
  for (const SmoothField& field : smooth_fields()) {
    names.push_back(field.name);
  }
  for (const auto* more : {&contact_fields(), &row_fields()}) {
    names.insert(names.end(), more->begin(), more->end());
  }
  names.insert(names.end(), {"qacc", "qfrc_constraint"});
  for (const Bar precision : plan_.precisions) {
    readbacks_.push_back(std::make_unique<Readback>(scene_.model, precision, states_, names));
  }
}

void StageComparison::run() {
  const mjModel& m = scene_.oracle.model();
  mjData& d = scene_.oracle.data();
  official_.assign(smooth_fields().size(), {});
  official_terms_.assign(smooth_fields().size(), {});
  for (std::size_t env = 0; env < states_.size(); ++env) {
    set_state(&scene_.oracle, states_[env]);
    mj_fwdPosition(&m, &d);
    std::vector<char> edge(plan_.precisions.size());
    for (std::size_t p = 0; p < plan_.precisions.size(); ++p) {
      edge[p] = contacts_on_edge(&scene_, plan_.precisions[p]);
    }
    mj_collision(&m, &d);
    forward_smooth(&scene_.oracle);
    contacts_ += d.ncon;
    for (std::size_t f = 0; f < smooth_fields().size(); ++f) {
      const std::size_t width = readbacks_[0]->of(smooth_fields()[f].name, env).size();
      official_[f].push_back(official_field(smooth_fields()[f], scene_, width));
      official_terms_[f].push_back(official_terms(smooth_fields()[f], scene_));
    }
    for (std::size_t p = 0; p < readbacks_.size(); ++p) {
      mj_collision(&m, &d);
      compare_contacts_of(env, plan_.precisions[p], *readbacks_[p], edge[p]);
      if (mj_isSparse(&m) != 0) {
        // large: the official search starts from swept's solution; its gradient tells where it ends
        std::ranges::copy(readbacks_[p]->of("qacc", env), d.qacc_warmstart);
      }
      forward_on(&scene_.oracle, swept_contacts(*readbacks_[p], env));
      compare_rows(env, plan_.precisions[p], *readbacks_[p]);
    }
  }
  for (std::size_t p = 0; p < readbacks_.size(); ++p) {
    compare_smooth(plan_.precisions[p], *readbacks_[p]);
  }
}

/// The column of a field.
const char* StageComparison::stage_of(const SmoothField& field) const {
  const Model& m = scene_.model;
  const std::string stage = field.stage;
  const bool medium = m.opt_density[0] > 0 || m.opt_viscosity[0] > 0;
  const bool sites = std::find(m.actuator_trntype.begin(), m.actuator_trntype.end(),
                               static_cast<int>(transmission_site)) != m.actuator_trntype.end();
  if ((medium && stage == "passive") || (sites && stage == "actuation")) {
    return "medium";
  }
  const bool frame = m.nmesh > 0 && std::string(field.name).starts_with("geom_x");
  return frame ? "frames" : field.stage;
}

void StageComparison::compare_smooth(Bar precision, const Readback& readback) {
  for (std::size_t f = 0; f < smooth_fields().size(); ++f) {
    const SmoothField& field = smooth_fields()[f];
    // a hundredth of the field's largest number in all states is taken as small
    double small = field.least;
    for (const auto& want : official_[f]) {
      small = std::max(small, 0.01 * largest_of(want));
    }
    for (std::size_t env = 0; env < states_.size(); ++env) {
      const std::vector<double>& want = official_[f][env];
      const std::vector<double> got = swept_field(field, scene_, readback, env);
      const LargestDifference d = largest_difference(field, got, want);
      const double scale = std::max({small, largest_of(want), official_terms_[f][env]});
      table_.add(scene_.name, stage_of(field), precision, d.size / scale, [&] {
        return std::string(field.name) + "[" + std::to_string(d.at) + "]" + in_state(env) + ": " +
               std::to_string(got[d.at]) + " for " + std::to_string(want[d.at]);
      });
    }
  }
}

void StageComparison::compare_contacts_of(std::size_t env, Bar precision, const Readback& readback,
                                          bool edge) {
  const ContactComparison contacts = compare_contacts(scene_, readback, env, precision);
  if (edge) {
    table_.excuse_edge(scene_.name, precision);
    return;
  }
  const auto add = [&](const char* stage, double difference, const std::string& where) {
    table_.add(scene_.name, stage, precision, difference, [&] { return where + in_state(env); });
  };
  add("contacts", contacts.unique.size, contacts.unique.where);
  if (!contacts.problem.empty() || !contacts.faults.empty()) {
    add("contacts", HUGE_VAL, contacts.problem + contacts.faults);
  }
  if (contacts.searched == 0) {
    return;
  }
  add("searched", contacts.distance.size, contacts.distance.where);
  add("place", contacts.place.size, contacts.place.where);
  const Choices found = {contacts.searched, contacts.choices};
  choices_[static_cast<std::size_t>(precision)].add(found);
  table_.excuse_choice(scene_.name, precision, found.searched - found.by_reason[0]);
}

void StageComparison::compare_rows(std::size_t env, Bar precision, const Readback& readback) {
  const auto add = [&](const char* stage, double difference, const std::string& where) {
    table_.add(scene_.name, stage, precision, difference, [&] { return where + in_state(env); });
  };
  const RowDifferences rows =
      row_differences(swept_rows(scene_, readback, env), official_rows(scene_));
  add("jacobian", rows.jacobian, rows.jacobian_where);
  add("impedance", rows.impedance, rows.impedance_where);
  if (!rows.problem.empty()) {
    add("jacobian", HUGE_VAL, rows.problem);
    return;
  }

  // solution
  if (rows_are_rigid(scene_)) {
    table_.excuse_rigid(scene_.name, precision);
    return;
  }
  if (plan_.by_gradient) {
    const double mine = gradient_at(readback.of("qacc", env));
    add("gradient", mine, "gradient at qacc");
    return;
  }
  add("optimum", official_gradient(), "gradient");
  compare_solution(env, precision, readback);
}

void StageComparison::compare_solution(std::size_t env, Bar precision, const Readback& readback) {
  const mjData& d = scene_.oracle.data();
  const std::size_t nv = static_cast<std::size_t>(scene_.model.nv);
  const auto add = [&](const char* stage, const char* name, std::span<const double> got,
                       std::span<const double> want, double least) {
    double scale = least;
    for (const double x : want) {
      scale = std::max(scale, std::fabs(x));
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      table_.add(scene_.name, stage, precision, std::fabs(got[i] - want[i]) / scale, [&] {
        return std::string(name) + "[" + std::to_string(i) + "]" + in_state(env) + ": " +
               std::to_string(got[i]) + " for " + std::to_string(want[i]);
      });
    }
  };
  const double force = official_force();
  add("qacc", "qacc", readback.of("qacc", env), {d.qacc, nv}, 1);
  add("forces", "qfrc_constraint", readback.of("qfrc_constraint", env), {d.qfrc_constraint, nv},
      force);
  add("forces", "efc_force", swept_forces(readback, env), official_forces(scene_), force);
}

void StageComparison::Choices::add(const Choices& other) {
  searched += other.searched;
  for (std::size_t k = 0; k < choices_number; ++k) {
    by_reason[k] += other.by_reason[k];
  }
}

void StageComparison::Choices::print(const char* title) const {
  std::printf("%s: %d pairs of geoms with contacts found by iteration:", title, searched);
  for (std::size_t k = 0; k < choices_number; ++k) {
    std::printf(" %d %s%s", by_reason[k], name_of(static_cast<Choice>(k)),
                k + 1 < choices_number ? "," : "\n");
  }
}

void StageComparison::Choices::expect_few() const {
  const auto number = [&](Choice choice) { return by_reason[static_cast<std::size_t>(choice)]; };
  const int free = number(Choice::corners) + number(Choice::tie) + number(Choice::features);
  // 2 in 100 over many states; more where few states have many finely cut hulls
  EXPECT_LE(free, std::max(50, searched / 20));
  EXPECT_LE(number(Choice::official), std::max(40, searched / 100));
  EXPECT_LE(number(Choice::both), 5);
  EXPECT_EQ(number(Choice::ours), 0);
}

/// Largest force of a dof or row: forces may cancel down from there.
double StageComparison::official_force() const {
  const mjData& d = scene_.oracle.data();
  const std::size_t nv = static_cast<std::size_t>(scene_.model.nv);
  constexpr double least = 1e-3;
  return std::max({least, largest_of({d.qfrc_smooth, d.qfrc_smooth + nv}),
                   largest_of({d.efc_force, d.efc_force + d.nefc})});
}

/// |M qacc - qfrc_smooth - qfrc_constraint| of the official library, relative to the forces.
double StageComparison::official_gradient() const {
  const mjModel& m = scene_.oracle.model();
  const mjData& d = scene_.oracle.data();
  const std::size_t nv = static_cast<std::size_t>(m.nv);
  std::vector<double> gradient(nv);
  mj_mulM(&m, &d, gradient.data(), d.qacc);
  for (std::size_t i = 0; i < nv; ++i) {
    gradient[i] -= d.qfrc_smooth[i] + d.qfrc_constraint[i];
  }
  return largest_of(gradient) / official_force();
}

/// The gradient of the official objective at an acceleration, relative to the forces.
double StageComparison::gradient_at(std::span<const double> qacc) {
  const mjModel& m = scene_.oracle.model();
  mjData& d = scene_.oracle.data();
  std::copy(qacc.begin(), qacc.end(), d.qacc);
  std::vector<double> jar(static_cast<std::size_t>(d.nefc) + 1);
  mj_mulJacVec(&m, &d, jar.data(), d.qacc);
  for (int i = 0; i < d.nefc; ++i) {
    jar[static_cast<std::size_t>(i)] -= d.efc_aref[i];
  }
  mj_constraintUpdate(&m, &d, jar.data(), nullptr, 0);
  return official_gradient();
}

}  // namespace swept::test
