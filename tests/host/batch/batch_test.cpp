// SPDX-License-Identifier: Apache-2.0
// The batch's promises: the same bits for any threads, tiling, order and number of environments;
// buffers grow and nothing is dropped; one bad environment leaves the others alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include "host/batch/scenes.h"

namespace swept::test {
namespace {

Model walker(const std::string& integrator) {
  std::string xml = walker_xml;
  xml.replace(xml.find("INTEGRATOR"), std::string("INTEGRATOR").size(), integrator);
  return compile(load_string(xml, Format::xml, "walker"));
}

/// Start state and controls of environment `env` of a run, from its number alone.
struct Start {
  std::vector<double> qpos, qvel, ctrl;

  Start(const Model& model, int env) {
    std::mt19937 random(static_cast<unsigned>(env) * 7919u + 17u);
    std::uniform_real_distribution<double> uniform(-1, 1);
    qpos = model.qpos0;
    qpos[0] += 0.1 * uniform(random);
    qpos[2] += 0.2 * uniform(random);
    for (int j = 7; j < 11; ++j) {
      qpos[static_cast<std::size_t>(j)] += 0.4 * uniform(random);
    }
    for (int i = 0; i < model.nv; ++i) {
      qvel.push_back(uniform(random));
    }
    for (int i = 0; i < model.nu; ++i) {
      ctrl.push_back(uniform(random));
    }
  }
};

/// Give environment slot i the start of environment ids[i].
void set_start(Batch* batch, const std::vector<int>& ids) {
  std::vector<double> qpos, qvel, ctrl;
  for (const int id : ids) {
    const Start start(batch->model(), id);
    qpos.insert(qpos.end(), start.qpos.begin(), start.qpos.end());
    qvel.insert(qvel.end(), start.qvel.begin(), start.qvel.end());
    ctrl.insert(ctrl.end(), start.ctrl.begin(), start.ctrl.end());
  }
  batch->write("qpos", qpos);
  batch->write("qvel", qvel);
  batch->write("ctrl", ctrl);
}

/// All state after a run, per environment.
std::vector<std::vector<double>> state_of(Batch* batch) {
  std::vector<std::vector<double>> state(static_cast<std::size_t>(batch->nenv()));
  for (const char* name : {"time", "qpos", "qvel", "act", "qacc_warmstart"}) {
    const std::vector<double> values = batch->read(name);
    const std::size_t width = values.size() / state.size();
    for (std::size_t env = 0; env < state.size(); ++env) {
      state[env].insert(state[env].end(), values.begin() + static_cast<std::ptrdiff_t>(env * width),
                        values.begin() + static_cast<std::ptrdiff_t>((env + 1) * width));
    }
  }
  return state;
}

std::vector<int> ids_to(int n) {
  std::vector<int> ids;
  for (int i = 0; i < n; ++i) {
    ids.push_back(i);
  }
  return ids;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class BatchContract : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  Precision precision() const { return std::get<0>(GetParam()); }
  Model model() const { return walker(std::get<1>(GetParam())); }

  std::vector<std::vector<double>> run(const BatchOptions& wanted, const std::vector<int>& ids,
                                       int steps = 60) const {
    BatchOptions options = wanted;
    options.nenv = static_cast<int>(ids.size());
    options.precision = precision();
    Batch batch(model(), options);
    set_start(&batch, ids);
    batch.step(steps);
    EXPECT_EQ(batch.steps_done(), steps);
    EXPECT_EQ(batch.report().frozen, 0);
    EXPECT_GT(batch.report().contacts.max, 0) << "the run must have contacts to prove anything";
    return state_of(&batch);
  }
};

TEST_P(BatchContract, SameBitsForAnyNumberOfThreads) {
  const auto one = run({.threads = 1}, ids_to(67));
  for (const int threads : {2, 7}) {
    EXPECT_EQ(run({.threads = threads}, ids_to(67)), one) << threads << " threads";
  }
}

TEST_P(BatchContract, SameBitsForAnyTiling) {
  const auto reference = run({.threads = 2}, ids_to(67));
  for (const int tile : {1, 16, 40, 1000}) {
    EXPECT_EQ(run({.threads = 2, .tile = tile}, ids_to(67)), reference) << "tile of " << tile;
  }
}

TEST_P(BatchContract, SameBitsForPermutedEnvironments) {
  std::vector<int> ids = ids_to(53);
  const auto in_order = run({}, ids);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(5));
  const auto permuted = run({}, ids);
  for (std::size_t slot = 0; slot < ids.size(); ++slot) {
    EXPECT_TRUE(same_bits(permuted[slot], in_order[static_cast<std::size_t>(ids[slot])]))
        << "environment " << ids[slot] << " in slot " << slot;
  }
}

TEST_P(BatchContract, SameBitsForAnyNumberOfEnvironments) {
  const auto many = run({}, ids_to(41));
  for (const int n : {1, 2, 5, 16, 17}) {
    const auto few = run({}, ids_to(n));
    for (int env = 0; env < n; ++env) {
      EXPECT_TRUE(
          same_bits(few[static_cast<std::size_t>(env)], many[static_cast<std::size_t>(env)]))
          << "environment " << env << " of " << n;
    }
  }
}

TEST_P(BatchContract, SameBitsInOneCallOrInMany) {
  BatchOptions options{.nenv = 21, .precision = precision()};
  Batch at_once(model(), options), one_by_one(model(), options);
  set_start(&at_once, ids_to(21));
  set_start(&one_by_one, ids_to(21));
  at_once.step(40);
  for (int i = 0; i < 40; ++i) {
    one_by_one.step();
  }
  EXPECT_EQ(state_of(&at_once), state_of(&one_by_one));
}

TEST_P(BatchContract, BuffersOfSizeOneGrowToTheSameBits) {
  const auto ample = run({.capacity = {1000, 200, 700, 20000}}, ids_to(35));
  BatchOptions tight{.nenv = 35, .precision = precision(), .threads = 2, .capacity = {1, 1, 1, 1}};
  Batch batch(model(), tight);
  set_start(&batch, ids_to(35));
  batch.step(60);
  EXPECT_EQ(state_of(&batch), ample);
  const Report report = batch.report();
  EXPECT_GT(report.growths, 0) << "the buffers were not too small, the test proves nothing";
  EXPECT_EQ(report.dropped, 0);
  EXPECT_GT(report.capacity.contacts, 1);
}

TEST_P(BatchContract, ResetGivesTheBitsOfAFreshEnvironment) {
  const BatchOptions options{.nenv = 19, .precision = precision()};
  Batch used(model(), options), fresh(model(), options);
  set_start(&used, ids_to(19));
  used.step(50);
  std::vector<std::uint8_t> mask(19, 0);
  mask[3] = mask[17] = 1;
  const auto before = state_of(&used);
  used.reset(mask);
  const auto after = state_of(&used), clean = state_of(&fresh);
  for (std::size_t env = 0; env < 19; ++env) {
    EXPECT_TRUE(same_bits(after[env], mask[env] ? clean[env] : before[env]))
        << "environment " << env;
  }
  used.reset();
  used.step(30);
  fresh.step(30);
  EXPECT_EQ(state_of(&used), state_of(&fresh));
}

TEST_P(BatchContract, ResetToAKeyframeSetsItsState) {
  const Model m = model();
  Batch batch(m, {.nenv = 5, .precision = precision()});
  batch.reset(0);
  const auto qpos = batch.read("qpos"), ctrl = batch.read("ctrl"), time = batch.read("time");
  for (int env = 0; env < 5; ++env) {
    EXPECT_EQ(time[static_cast<std::size_t>(env)], 0.25);
    for (int i = 0; i < m.nq; ++i) {
      // f32 stores the nearest float of a keyframe's number
      EXPECT_NEAR(qpos[static_cast<std::size_t>(env * m.nq + i)],
                  m.key_qpos[static_cast<std::size_t>(i)], 1e-6);
    }
    for (int i = 0; i < m.nu; ++i) {
      EXPECT_NEAR(ctrl[static_cast<std::size_t>(env * m.nu + i)],
                  m.key_ctrl[static_cast<std::size_t>(i)], 1e-6);
    }
  }
  EXPECT_THROW(batch.reset(1), Error);
  EXPECT_THROW(batch.reset(std::vector<std::uint8_t>(4, 1)), Error);
}

TEST_P(BatchContract, ABadEnvironmentLeavesTheOthersAlone) {
  const auto well = run({}, ids_to(37));
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  struct Case {
    const char* field;
    double value;
    Status status;
  };
  for (const Case& c : {Case{"qpos", nan, Status::bad_qpos}, Case{"qpos", inf, Status::bad_qpos},
                        Case{"qvel", nan, Status::bad_qvel}, Case{"ctrl", nan, Status::bad_ctrl},
                        Case{"qfrc_applied", -inf, Status::bad_qfrc_applied},
                        Case{"xfrc_applied", nan, Status::bad_xfrc_applied}}) {
    Batch batch(model(), {.nenv = 37, .precision = precision(), .threads = 2});
    set_start(&batch, ids_to(37));
    std::vector<double> values = batch.read(c.field);
    const std::size_t width = values.size() / 37;
    values[20 * width + width / 2] = c.value;
    batch.write(c.field, values);
    batch.step(60);
    const auto state = state_of(&batch);
    for (int env = 0; env < 37; ++env) {
      if (env != 20) {
        EXPECT_EQ(batch.status(env), Status::ok);
        EXPECT_TRUE(
            same_bits(state[static_cast<std::size_t>(env)], well[static_cast<std::size_t>(env)]))
            << c.field << ", environment " << env;
      }
    }
    EXPECT_EQ(batch.status(20), c.status) << c.field;
    EXPECT_EQ(batch.status_step(20), 0);
    EXPECT_EQ(batch.report().frozen, 1);

    // it stands as it was written, and reset revives it
    EXPECT_EQ(batch.read("time")[20], 0);
    std::vector<std::uint8_t> mask(37, 0);
    mask[20] = 1;
    batch.reset(mask);
    batch.step(3);
    EXPECT_EQ(batch.status(20), Status::ok);
    EXPECT_GT(batch.read("time")[20], 0);
  }
}

TEST_P(BatchContract, AnEnvironmentThatDivergesKeepsItsLastGoodState) {
  Batch batch(model(), {.nenv = 9, .precision = precision()});
  set_start(&batch, ids_to(9));
  std::vector<double> force = batch.read("qfrc_applied");
  const std::size_t width = force.size() / 9;
  force[4 * width] = 5e9;  // accelerates the torso beyond the bound within some steps
  batch.write("qfrc_applied", force);
  batch.step(200);
  EXPECT_NE(batch.status(4), Status::ok);
  const std::int64_t step = batch.status_step(4);
  EXPECT_LT(step, 200);
  EXPECT_NEAR(batch.read("time")[4], 0.005 * static_cast<double>(step), 1e-5);
  for (const double q : state_of(&batch)[4]) {
    EXPECT_TRUE(std::isfinite(q));
  }
  EXPECT_EQ(batch.report().frozen, 1);
}

INSTANTIATE_TEST_SUITE_P(PrecisionsAndIntegrators, BatchContract,
                         testing::Combine(testing::Values(Precision::f32, Precision::f64),
                                          testing::Values("Euler", "RK4")),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param) == Precision::f32
                                                  ? "f32"
                                                  : "f64") +
                                  std::get<1>(instance.param);
                         });

TEST(BatchFields, StateIsLiveAndDerivedFieldsAreBound) {
  const Model m = walker("Euler");
  Batch batch(m, {.nenv = 3, .precision = Precision::f64});
  const View<double> qpos = batch.field<double>("qpos");
  const View<double> xpos = batch.field<double>("xpos");
  EXPECT_EQ(qpos.shape[1], m.nq);
  EXPECT_EQ(xpos.shape[2], 3);
  qpos(1, 0) = 0.5;
  batch.forward();
  EXPECT_EQ(xpos(1, 1, 0), 0.5) << "the torso stands where qpos says";
  EXPECT_EQ(qpos(1, 0), 0.5) << "forward does not move the state";
  const View<double> mass = batch.field<double>("body_mass");
  EXPECT_EQ(mass.stride[0], 0);
  EXPECT_EQ(mass(2, 1), m.body_mass[1]);
  EXPECT_EQ(batch.field<int>("jnt_type")(0, 0), joint_free);
}

TEST(BatchFields, ListsHoldEveryContactAndRow) {
  const Model m = walker("Euler");
  Batch batch(m, {.nenv = 4, .precision = Precision::f64});
  batch.step(150);
  batch.field_info("contact.dist");
  batch.field_info("efc_force");
  batch.forward();
  const View<double> dist = batch.field<double>("contact.dist");
  const View<int> ncon = batch.field<int>("ncon");
  const View<int> nefc = batch.field<int>("nefc");
  EXPECT_GT(ncon(0), 0);
  EXPECT_GE(nefc(0), ncon(0));
  for (int k = 0; k < ncon(0); ++k) {
    EXPECT_LT(std::abs(dist(0, k)), 0.05) << "contacts of a creature at rest are near the ground";
  }
}

TEST(BatchErrors, SayWhatIsWrongAndWhatToDo) {
  const Model m = walker("Euler");
  EXPECT_THROW(Batch(m, {.nenv = 0}), Error);
  EXPECT_THROW(Batch(m, {.nenv = 1, .device = "gpu"}), Error);
  EXPECT_THROW(Batch(m, {.nenv = 1, .device = "cuda:x"}), Error);
  EXPECT_THROW(Batch(m, {.nenv = 1, .capacity = {-1, 0, 0, 0}}), Error);
  Batch batch(m, {.nenv = 2});
  EXPECT_THROW(batch.field<float>("no_such_field"), Error);
  EXPECT_THROW(batch.field<double>("qpos"), Error);
  EXPECT_THROW(batch.write("qpos", std::vector<double>(3)), Error);
  EXPECT_THROW(batch.write("body_parentid", batch.read("body_parentid")), Error);
  EXPECT_THROW(batch.write("xpos", batch.read("xpos")), Error);
  EXPECT_THROW(batch.step(-1), Error);
  try {
    batch.field<float>("no_such_field");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no_such_field"), std::string::npos);
  }
}

}  // namespace
}  // namespace swept::test
