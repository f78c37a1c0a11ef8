// SPDX-License-Identifier: Apache-2.0
// auto_reset: an environment that would stand still goes back to its start state and takes the
// remaining steps, which is counted; the others do not notice.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include "host/batch/bits.h"

namespace swept::test {
namespace {

constexpr int nenv = 37;
constexpr int sick = 20;
const double nan = std::numeric_limits<double>::quiet_NaN();

class AutoReset : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  static Batch fresh(std::optional<int> auto_reset, int threads = 1, int tile = 0,
                     Capacity capacity = {}) {
    BatchOptions options{.nenv = nenv, .precision = std::get<0>(GetParam())};
    options.threads = threads;
    options.tile = tile;
    options.capacity = capacity;
    options.auto_reset = auto_reset;
    Batch batch(compile(load_string(scene_of(cart_xml, std::get<1>(GetParam())), Format::xml)),
                options);
    scatter(&batch);
    return batch;
  }
};

/// What makes an environment diverge in the step after it is written.
void upset(Batch* batch, int env) {
  set_number(batch, "qfrc_applied", env, 9e9, 1);
}

/// What makes it do so in the third step.
void upset_later(Batch* batch, int env) {
  set_number(batch, "qpos", env, 1e10 - 12500, 9);
  set_number(batch, "qvel", env, 1e6, 8);
}

TEST_P(AutoReset, ABadInputIsResetAndAllStepsAreTaken) {
  for (const int keyframe : {-1, 0}) {
    // one that was put there by hand
    Batch wanted = fresh({});
    wanted.reset(keyframe);
    wanted.step(7);
    for (const char* field : {"qpos", "ctrl", "xfrc_applied", "mocap_pos", "time"}) {
      SCOPED_TRACE(field + std::string(" to ") + std::to_string(keyframe));
      Batch batch = fresh(keyframe), well = fresh({});
      batch.step(3);
      well.step(10);
      set_number(&batch, field, sick, nan);
      batch.step(7);
      const Bits after = bits_of(batch), of_well = bits_of(well), of_wanted = bits_of(wanted);
      EXPECT_EQ(after[sick].state, of_wanted[sick].state);
      for (int env = 0; env < nenv; ++env) {
        EXPECT_TRUE(env == sick || after[env] == of_well[env]) << "environment " << env;
      }
      EXPECT_EQ(batch.field<std::int64_t>("resets")(sick), 1);
      EXPECT_EQ(batch.field<std::int64_t>("steps")(sick), 7);
      EXPECT_EQ(batch.status(sick), Status::ok);
      const auto why = static_cast<Status>(batch.field<int>("reset_status")(sick));
      EXPECT_EQ(quantity(why), field);
      EXPECT_EQ(batch.report().resets, 1);
      EXPECT_EQ(batch.report().frozen, 0);
    }
  }
}

TEST_P(AutoReset, ADivergenceEndsItsStepAtTheStartState) {
  for (const int keyframe : {-1, 0}) {
    Batch wanted = fresh({});
    wanted.reset(keyframe);
    wanted.step(5);
    Batch batch = fresh(keyframe), well = fresh({});
    upset(&batch, sick);
    upset_later(&batch, 3);
    batch.step(6);
    well.step(6);
    const Bits after = bits_of(batch), of_well = bits_of(well), of_wanted = bits_of(wanted);
    EXPECT_EQ(after[sick].state, of_wanted[sick].state) << "5 steps from the start";
    for (int env = 0; env < nenv; ++env) {
      EXPECT_TRUE(env == sick || env == 3 || after[env] == of_well[env]) << "environment " << env;
    }
    Batch shorter = fresh({});
    shorter.reset(keyframe);
    shorter.step(3);
    EXPECT_EQ(after[3].state, bits_of(shorter)[3].state) << "two good steps, one bad, three more";
    EXPECT_EQ(batch.field<std::int64_t>("steps")(3), 3);
    EXPECT_EQ(batch.report().resets, 2);
    EXPECT_TRUE(diverged(static_cast<Status>(batch.field<int>("reset_status")(sick))));
  }
}

TEST_P(AutoReset, GivesTheSameBitsInOneCallOrManyAndForAnyTilingAndThreads) {
  const auto run = [&](int threads, int tile, int stride, Capacity capacity) {
    Batch batch = fresh(-1, threads, tile, capacity);
    for (int round = 0; round < 4; ++round) {
      for (int env = round; env < nenv; env += 5) {
        upset_later(&batch, env);
      }
      set_number(&batch, "ctrl", 7 * round, nan);
      for (int step = 0; step < 6; step += stride) {
        batch.step(stride);
      }
    }
    EXPECT_GT(batch.report().resets, 20);
    return bits_of(batch);
  };
  const Bits reference = run(1, 0, 6, {});
  EXPECT_EQ(run(1, 0, 1, {}), reference);
  EXPECT_EQ(run(2, 1, 6, {}), reference);
  EXPECT_EQ(run(7, 16, 3, {}), reference);
  EXPECT_EQ(run(2, 40, 6, {1, 1, 1, 1}), reference) << "buffers that grow in the middle";
}

TEST_P(AutoReset, LeavesForwardAndOtherBatchesAlone) {
  Batch batch = fresh(-1);
  set_number(&batch, "qvel", sick, nan);
  const Bits before = bits_of(batch);
  batch.forward();
  EXPECT_EQ(bits_of(batch)[sick].state, before[sick].state);
  EXPECT_EQ(batch.status(sick), Status::bad_qvel);
  batch.step();
  EXPECT_EQ(batch.status(sick), Status::ok);
  EXPECT_EQ(batch.field<std::int64_t>("resets")(sick), 1);

  Batch without = fresh({});
  set_number(&without, "qvel", sick, nan);
  without.step();
  EXPECT_EQ(without.report().resets, 0);
  EXPECT_EQ(without.report().frozen, 1);
}

INSTANTIATE_TEST_SUITE_P(PrecisionsAndIntegrators, AutoReset,
                         testing::Combine(testing::Values(Precision::f32, Precision::f64),
                                          testing::Values("Euler", "RK4")),
                         name_of_case);

TEST(AutoResetOption, NamesAKeyframeThatExists) {
  const Model model = compile(load_string(scene_of(cart_xml, "Euler"), Format::xml));
  const auto with = [&](const Model& m, int key) {
    BatchOptions options;
    options.auto_reset = key;
    Batch batch(m, options);
  };
  with(model, 0);
  with(model, -1);
  EXPECT_THROW(with(model, 1), Error);
  EXPECT_THROW(with(model, -2), Error);
  Model bad = model;
  bad.key_qvel[2] = nan;
  EXPECT_THROW(with(bad, 0), Error) << "a start state that is bad itself";
}

}  // namespace
}  // namespace swept::test
