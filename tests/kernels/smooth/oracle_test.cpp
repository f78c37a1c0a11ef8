// SPDX-License-Identifier: Apache-2.0
// The smooth stages against the official library, stage by stage, at random states.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "kernels/smooth/oracle_scenes.h"
#include "kernels/smooth/stages.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using test::Tolerance;

// Residuals are taken relative to the largest number of the array (at least 1). f64: sums of up to
// a hundred terms of magnitudes up to 1e3 times the result; f32: the same with 6e-8 for each
// rounding. Solves amplify by the condition number of M, which reaches 1e6 in scenes with light
// links.
const Tolerance frames{5e-14, 5e-6};
const Tolerance sums{2e-13, 5e-5};
const Tolerance solves{3e-11, 1e-2};

struct Worst {
  double residual = 0;
  std::string where;
};

class Comparison {
 public:
  Comparison(std::string scene, std::map<std::string, Worst>* table)
      : scene_(std::move(scene)), table_(table) {}

  void check(const char* name, const std::vector<double>& got, const double* want,
             Tolerance tolerance) {
    double scale = 1, worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      scale = std::max(scale, std::abs(want[i]));
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double r = test::residual(got[i] / scale, want[i] / scale);
      worst = std::max(worst, r);
    }
    Worst& entry = (*table_)[name];
    if (worst >= entry.residual) {
      entry = {worst, scene_};
    }
    EXPECT_LE(worst, tolerance.bar(test::default_bar)) << scene_ << ": " << name;
  }

 private:
  std::string scene_;
  std::map<std::string, Worst>* table_;
};

// M as the oracle has it, dense
std::vector<double> dense_inertia(const mjModel* m, const mjData* d) {
  const std::size_t nv = static_cast<std::size_t>(m->nv);
  std::vector<double> full(nv * nv, 0.0);
  for (int i = 0; i < m->nv; ++i) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; ++k) {
      const std::size_t row = static_cast<std::size_t>(i),
                        col = static_cast<std::size_t>(m->M_colind[k]);
      full[row * nv + col] = full[col * nv + row] = d->M[k];
    }
  }
  return full;
}

void compare_stages(Comparison* c, const OracleTile& tile, int env, const mjModel* m,
                    const mjData* d) {
#define COMPARE(name, tolerance) c->check(#name, tile.read(&Layout::name, env), d->name, tolerance)
  COMPARE(xpos, frames);
  COMPARE(xquat, frames);
  COMPARE(xmat, frames);
  COMPARE(xipos, frames);
  COMPARE(ximat, frames);
  COMPARE(xanchor, frames);
  COMPARE(xaxis, frames);
  COMPARE(geom_xpos, frames);
  COMPARE(geom_xmat, frames);
  COMPARE(site_xpos, frames);
  COMPARE(site_xmat, frames);
  COMPARE(subtree_com, frames);
  COMPARE(cinert, sums);
  COMPARE(cdof, frames);
  COMPARE(ten_length, frames);
  COMPARE(actuator_length, frames);
  COMPARE(crb, sums);
  c->check("M", tile.dense(&Layout::M, env), dense_inertia(m, d).data(), sums);
  COMPARE(qLDiagInv, solves);
  COMPARE(ten_velocity, sums);
  COMPARE(actuator_velocity, sums);
  COMPARE(cvel, sums);
  COMPARE(cdof_dot, sums);
  COMPARE(qfrc_bias, sums);
  COMPARE(qfrc_spring, sums);
  COMPARE(qfrc_damper, sums);
  COMPARE(qfrc_gravcomp, sums);
  COMPARE(qfrc_passive, sums);
  COMPARE(act_dot, sums);
  COMPARE(actuator_force, sums);
  COMPARE(qfrc_actuator, sums);
  COMPARE(qfrc_smooth, sums);
  COMPARE(qacc_smooth, solves);
#undef COMPARE
}

// rows and contacts play no part here
void run_oracle(const mjModel* m, mjData* d) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
}

void compare_scene(const std::string& name, OracleModel* scene, int nstates,
                   std::map<std::string, Worst>* table) {
  mjModel* const m = scene->model;
  m->opt.disableflags |= mjDSBL_CONTACT;
  OracleTile tile(m, nstates);
  for (int env = 0; env < nstates; ++env) {
    random_state(m, scene->data, static_cast<unsigned>(env + 1));
    tile.load_state(env, scene->data);
  }
  const Context ctx;
  position(ctx, tile.get(), tile->nblocks);
  velocity(ctx, tile.get(), tile->nblocks);
  actuation(ctx, tile.get(), tile->nblocks);
  acceleration(ctx, tile.get(), tile->nblocks);
  Comparison comparison(name, table);
  for (int env = 0; env < nstates && !testing::Test::HasFailure(); ++env) {
    random_state(m, scene->data, static_cast<unsigned>(env + 1));
    run_oracle(m, scene->data);
    compare_stages(&comparison, tile, env, m, scene->data);
  }
}

// compares on all scenes that the stages cover and returns their number
int compare_folder(const std::filesystem::path& folder, const char* title) {
  std::map<std::string, Worst> table;
  int compared = 0, refused = 0;
  std::map<std::string, int> reasons;
  for (const OracleScene& file : scenes_under(folder)) {
    try {
      OracleModel scene(file.path);
      const std::string reason =
          scene.model->nv > 100 ? "more than 100 dofs" : unsupported_by_smooth(scene.model);
      if (!reason.empty()) {
        ++reasons[reason];
        continue;
      }
      compare_scene(file.name, &scene, 8, &table);
      ++compared;
    } catch (const std::exception&) {
      ++refused;
    }
  }
  std::printf("%s: %d scenes compared, %d refused by the library\n", title, compared, refused);
  for (const auto& [reason, count] : reasons) {
    std::printf("  left out: %-46s %d\n", reason.c_str(), count);
  }
  for (const auto& [field, worst] : table) {
    std::printf("  %-20s %.1e  %s\n", field.c_str(), worst.residual, worst.where.c_str());
  }
  return compared;
}

TEST(SmoothOracle, AgreesOnASceneWithEveryFeature) {
  OracleModel scene = OracleModel::from_text(feature_scene);
  ASSERT_EQ(unsupported_by_smooth(scene.model), "");
  std::map<std::string, Worst> table;
  compare_scene("features", &scene, 40, &table);
}

TEST(SmoothOracle, AgreesOnActuatorsOfSitesAndOfJointsInParent) {
  for (const int flag : {0, static_cast<int>(disable_actuation)}) {
    OracleModel scene = OracleModel::from_text(site_scene);
    ASSERT_EQ(unsupported_by_smooth(scene.model), "");
    scene.model->opt.disableflags |= flag;
    std::map<std::string, Worst> table;
    compare_scene("sites with flag " + std::to_string(flag), &scene, 30, &table);
  }
}

TEST(SmoothOracle, AgreesUnderEveryFlag) {
  for (const int flag :
       std::initializer_list<int>{disable_spring, disable_damper, disable_spring | disable_damper,
                                  disable_gravity, disable_clampctrl, disable_actuation}) {
    OracleModel scene = OracleModel::from_text(feature_scene);
    scene.model->opt.disableflags |= flag;
    std::map<std::string, Worst> table;
    compare_scene("features with flag " + std::to_string(flag), &scene, 3, &table);
  }
}

TEST(SmoothOracle, AgreesWithGravityCompensationButNoActuator) {
  OracleModel scene = OracleModel::from_text(
      "<mujoco><worldbody><body gravcomp='0.5'><joint axis='0 1 0' actuatorgravcomp='true'/><geom "
      "size='0.1' pos='0.3 0 0'/></body></worldbody></mujoco>");
  std::map<std::string, Worst> table;
  compare_scene("gravcomp", &scene, 3, &table);
}

TEST(SmoothOracle, AgreesOnGymnasiumsModels) {
  const std::filesystem::path folder = test::gymnasium_asset("ant.xml").parent_path();
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "gymnasium is not installed in the virtual environment";
  }
  EXPECT_GE(compare_folder(folder, "gymnasium"), 11);
}

TEST(SmoothOracle, AgreesOnTheOfficialHumanoid) {
  const std::filesystem::path folder = test::test_data("mujoco/model/humanoid");
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << folder << " is not there";
  }
  EXPECT_GE(compare_folder(folder, "humanoid"), 1);
}

TEST(SmoothOracle, AgreesOnPublicScenes) {
  const std::filesystem::path folder = test::test_data("mujoco/test");
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << folder << " is not there";
  }
  EXPECT_GE(compare_folder(folder, "mujoco/test"), 20);
}

}  // namespace
}  // namespace swept::SWEPT_NS
