// SPDX-License-Identifier: Apache-2.0
// Every stage of a forward pass against the official library, at 100 states of every scene, in both
// precisions: kinematics, inertia, bias, passive forces, actuation, smooth forces, contacts, rows
// and the solution. A stage is judged on what the stages before it gave: rows only where contacts
// are the same, the solution only where rows are.
#include "parity/contact_lists.h"
#include "parity/knife_edges.h"
#include "parity/row_lists.h"
#include "parity/smooth_fields.h"
#include "parity/table.h"
#include "support/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace swept::test {
namespace {

constexpr int states_per_scene = 100;
constexpr Bar precisions[] = {Bar::f64, Bar::f32};

/// Bars {f64, f32} per stage. Differences are relative to the field's largest number.
Table new_table(const std::string& title) {
  return Table(
      title,
      {
          // a chain of up to 20 rotations, each with a few roundings
          {"kinematics", {1e-13, 1e-5}},
          // sums over subtrees; 1 / D loses what M's condition, up to 1e5, takes
          {"inertia", {1e-11, 1e-2}},
          // products of velocities, masses and arms along the chain, which cancel in part
          {"bias", {1e-12, 1e-4}},
          // a rounding of an angle or velocity
          {"passive", {1e-13, 2e-6}},
          {"actuation", {1e-13, 2e-6}},
          // divided by M, as inertia
          {"smooth", {1e-10, 1e-2}},
          // directions between points whose distance is 1e-2 and less of their coordinates
          {"contacts", {1e-11, 5e-4}},
          // follows the contacts' points and normals
          {"jacobian", {1e-12, 1e-4}},
          // goes with (distance / width)^power, where the width is 1e-3 and less, and with 1 - I
          {"impedance", {1e-10, 2e-2}},
          // gradient of the official solution, to show that it is the optimum itself
          {"optimum", {1e-11, 1e-11}},
          // f64: a converged optimum; f32: as uncertain as impedance and M
          {"qacc", {1e-10, 5e-3}},
          {"forces", {1e-10, 2e-3}},
      });
}

/// One scene against the official library.
class StageComparison {
 public:
  StageComparison(Scene* scene, Table* table) : scene_(*scene), table_(*table) {
    prepare_to_compare(scene);
    states_ = StateMaker(&scene_.oracle, 1).states(states_per_scene);
    std::vector<std::string> names;
    for (const SmoothField& field : smooth_fields()) {
      names.push_back(field.name);
    }
    for (const auto* more : {&contact_fields(), &row_fields()}) {
      names.insert(names.end(), more->begin(), more->end());
    }
    names.insert(names.end(), {"qacc", "qfrc_constraint"});
    for (const Bar precision : precisions) {
      readbacks_.push_back(std::make_unique<Readback>(scene_.model, precision, states_, names));
    }
  }

  void run() {
    official_.assign(smooth_fields().size(), {});
    for (std::size_t env = 0; env < states_.size(); ++env) {
      set_state(&scene_.oracle, states_[env]);
      mj_fwdPosition(&scene_.oracle.model(), &scene_.oracle.data());
      bool edge[2];
      for (std::size_t p = 0; p < std::size(precisions); ++p) {
        edge[p] = contacts_on_edge(&scene_, precisions[p]);
      }
      mj_forward(&scene_.oracle.model(), &scene_.oracle.data());
      contacts_ += scene_.oracle.data().ncon;
      for (std::size_t f = 0; f < smooth_fields().size(); ++f) {
        const std::size_t width = readbacks_[0]->of(smooth_fields()[f].name, env).size();
        official_[f].push_back(official_field(smooth_fields()[f], scene_, width));
      }
      const double gradient = official_gradient();
      for (std::size_t p = 0; p < readbacks_.size(); ++p) {
        if (edge[p]) {
          table_.excuse_edge(scene_.name, precisions[p]);
        } else {
          compare_lists(env, precisions[p], *readbacks_[p], gradient);
        }
      }
    }
    for (std::size_t p = 0; p < readbacks_.size(); ++p) {
      compare_smooth(precisions[p], *readbacks_[p]);
    }
  }

  int contacts() const { return contacts_; }

 private:
  static std::string in_state(std::size_t env) { return " in state " + std::to_string(env); }

  void compare_smooth(Bar precision, const Readback& readback) {
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
        const double scale = std::max(small, largest_of(want));
        table_.add(scene_.name, field.stage, precision, d.size / scale, [&] {
          return std::string(field.name) + "[" + std::to_string(d.at) + "]" + in_state(env) + ": " +
                 std::to_string(got[d.at]) + " for " + std::to_string(want[d.at]);
        });
      }
    }
  }

  void compare_lists(std::size_t env, Bar precision, const Readback& readback, double gradient) {
    const auto add = [&](const char* stage, double difference, const std::string& where) {
      table_.add(scene_.name, stage, precision, difference, [&] { return where + in_state(env); });
    };
    // contacts
    const ContactPairing pairing = pair_contacts(scene_, readback, env);
    std::string where;
    const double contact = contact_difference(scene_, readback, env, pairing, &where);
    add("contacts", contact, where);
    if (!pairing.problem.empty()) {
      add("contacts", HUGE_VAL, pairing.problem);
      return;
    }

    // rows
    const RowDifferences rows =
        row_differences(swept_rows(scene_, readback, env, pairing), official_rows(scene_));
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
    add("optimum", gradient, "gradient");
    compare_solution(env, precision, readback, pairing);
  }

  void compare_solution(std::size_t env, Bar precision, const Readback& readback,
                        const ContactPairing& pairing) {
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
    add("forces", "efc_force", swept_forces(readback, env, pairing), official_forces(scene_),
        force);
  }

  /// Largest force of a dof or row: forces may cancel down from there.
  double official_force() const {
    const mjData& d = scene_.oracle.data();
    const std::size_t nv = static_cast<std::size_t>(scene_.model.nv);
    constexpr double least = 1e-3;
    return std::max({least, largest_of({d.qfrc_smooth, d.qfrc_smooth + nv}),
                     largest_of({d.efc_force, d.efc_force + d.nefc})});
  }

  /// |M qacc - qfrc_smooth - qfrc_constraint| of the official library, relative to the forces.
  double official_gradient() const {
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

  static double largest_of(const std::vector<double>& values) {
    double largest = 0;
    for (const double x : values) {
      largest = std::max(largest, std::fabs(x));
    }
    return largest;
  }

  Scene& scene_;
  Table& table_;
  std::vector<State> states_;
  std::vector<std::unique_ptr<Readback>> readbacks_;
  std::vector<std::vector<std::vector<double>>> official_;  // [field][state]
  int contacts_ = 0;
};

void compare_stages(Origin origin, const std::string& title) {
  SceneGroup group = load_scenes(origin);
  ASSERT_GE(static_cast<int>(group.scenes.size()), least_scenes(origin));
  Table table = new_table(title);
  int contacts = 0;
  for (Scene& scene : group.scenes) {
    SCOPED_TRACE(scene.name);
    StageComparison comparison(&scene, &table);
    comparison.run();
    contacts += comparison.contacts();
  }
  table.print();
  table.expect_below_bars();
  const int states = states_per_scene * static_cast<int>(group.scenes.size());
  std::printf("%d states of %zu scenes, %d contacts\n", states, group.scenes.size(), contacts);
  EXPECT_GT(contacts, states / 4);
  EXPECT_LE(table.edges(Bar::f64), states / 200);
  EXPECT_LE(table.edges(Bar::f32), states / 50);
}

TEST(StageParity, FeatureScenesGoThroughTheSameStages) {
  compare_stages(Origin::features, "stages of feature scenes");
}

TEST(StageParity, GymnasiumRobotsGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::gymnasium));
  compare_stages(Origin::gymnasium, "stages of gymnasium's robots");
}

TEST(StageParity, HumanoidsGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::humanoids));
  compare_stages(Origin::humanoids, "stages of humanoids");
}

TEST(StageParity, TestScenesGoThroughTheSameStages) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  compare_stages(Origin::test_folder, "stages of the official library's test scenes");
}

TEST(ParityScenes, AreLeftOutOnlyForMissingFeatures) {
  SWEPT_SKIP_WITHOUT(needed_by(Origin::test_folder));
  const SceneGroup group = load_scenes(Origin::test_folder);
  std::printf("official library %s: %zu of its test scenes are compared, %zu are left out:\n",
              mj_versionString(), group.scenes.size(), group.left_out.size());
  for (const LeftOut& scene : group.left_out) {
    std::printf("  %-64s %s\n", scene.name.c_str(), scene.reason.c_str());
  }
  for (const LeftOut& scene : group.failed) {
    ADD_FAILURE() << scene.name << ": " << scene.reason;
  }
  EXPECT_GE(static_cast<int>(group.scenes.size()), least_scenes(Origin::test_folder));
}

}  // namespace
}  // namespace swept::test
