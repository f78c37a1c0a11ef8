// SPDX-License-Identifier: Apache-2.0
// Isolation: a bad number in environment 1234 of 4096, or a divergence of it, freezes that
// environment alone, and its status says what, when, in which quantity and whose doing it was.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include "host/batch/bits.h"
#include "host/batch/scenes.h"

namespace swept::test {
namespace {

constexpr int many = 4096;
constexpr int sick = 1234;
constexpr int steps = 6;

class Isolation : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  static Precision precision() { return std::get<0>(GetParam()); }

  static Batch fresh() {
    Batch batch(compile(load_string(scene_of(cart_xml, std::get<1>(GetParam())), Format::xml)),
                {.nenv = many, .precision = precision()});
    scatter(&batch);
    return batch;
  }

  /// Everything after the steps when nobody is sick.
  static const Bits& well() {
    static std::map<std::tuple<Precision, std::string>, Bits> known;
    Bits& bits = known[{precision(), std::get<1>(GetParam())}];
    if (bits.empty()) {
      Batch batch = fresh();
      batch.step(steps);
      EXPECT_EQ(batch.report().frozen, 0);
      bits = bits_of(batch);
    }
    return bits;
  }

  /// All environments but the sick one are as in a run without it.
  static void expect_others_well(const Bits& after) {
    int different = 0;
    for (int env = 0; env < many; ++env) {
      different += env != sick && after[env] != well()[env];
    }
    EXPECT_EQ(different, 0) << "environments that give other bits";
  }
};

struct Written {
  const char* field;
  Status status;
};

const Written written[] = {
    {"qpos", Status::bad_qpos},
    {"qvel", Status::bad_qvel},
    {"act", Status::bad_act},
    {"ctrl", Status::bad_ctrl},
    {"qfrc_applied", Status::bad_qfrc_applied},
    {"xfrc_applied", Status::bad_xfrc_applied},
    {"mocap_pos", Status::bad_mocap_pos},
    {"mocap_quat", Status::bad_mocap_quat},
    {"qacc_warmstart", Status::bad_qacc_warmstart},
    {"time", Status::bad_time},
};

TEST_P(Isolation, ABadNumberInAnyInputFreezesItsEnvironmentAsWritten) {
  for (const Written& input : written) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
      SCOPED_TRACE(std::string(input.field) + " = " + std::to_string(bad));
      Batch batch = fresh();
      batch.step(2);
      set_number(&batch, input.field, sick, bad);
      const Bits before = bits_of(batch);
      batch.step(steps - 2);
      const Bits after = bits_of(batch);
      expect_others_well(after);

      // the state is as it was written, the status says what happened
      EXPECT_EQ(after[sick].state, before[sick].state);
      EXPECT_EQ(batch.status(sick), input.status);
      EXPECT_EQ(batch.status_step(sick), 2);
      EXPECT_FALSE(diverged(input.status));
      EXPECT_EQ(quantity(input.status), input.field);
      EXPECT_EQ(batch.report().frozen, 1);
      batch.step(3);
      EXPECT_EQ(bits_of(batch)[sick].state, before[sick].state);
    }
  }
}

/// Large numbers that are good themselves, and what they lead to.
struct Divergence {
  struct Number {
    const char* field;
    int index;
    double value;
  };
  Status status;
  std::int64_t step;  ///< after so many steps; 2 are taken before the numbers are written
  std::vector<Number> numbers;

  void write(Batch* batch) const {
    for (const Number& number : numbers) {
      set_number(batch, number.field, sick, number.value, number.index);
    }
  }
};

const Divergence divergences[] = {
    {Status::diverged_qacc, 2, {{"qfrc_applied", 1, 9e9}}},  // on the pole
    {Status::diverged_qacc, 2, {{"qvel", 1, 9e9}}},          // it flies apart
    {Status::diverged_qvel, 2, {{"qpos", 4, 5}, {"qvel", 4, 9.995e9}, {"qfrc_applied", 4, 9e9}}},
    {Status::diverged_qpos, 4, {{"qpos", 9, 1e10 - 12500}, {"qvel", 8, 1e6}}},
    {Status::diverged_act, 2, {{"act", 1, 9.99e9}, {"ctrl", 1, 9e9}}},
};

TEST_P(Isolation, ADivergenceIsUndoneAndNamed) {
  for (const Divergence& cause : divergences) {
    SCOPED_TRACE(std::string(describe(cause.status)));
    Batch batch = fresh();
    batch.step(2);
    cause.write(&batch);
    Batch slow = fresh();
    slow.step(2);
    cause.write(&slow);
    slow.step(static_cast<int>(cause.step) - 2);
    ASSERT_EQ(slow.status(sick), Status::ok);
    const Bits before = bits_of(slow);

    batch.step(steps - 2);
    const Bits after = bits_of(batch);
    expect_others_well(after);
    EXPECT_EQ(after[sick].state, before[sick].state) << "the state before that step";
    EXPECT_EQ(batch.status(sick), cause.status) << describe(batch.status(sick));
    EXPECT_EQ(batch.status_step(sick), cause.step);
    EXPECT_TRUE(diverged(batch.status(sick)));
    EXPECT_EQ(batch.report().frozen, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(PrecisionsAndIntegrators, Isolation,
                         testing::Combine(testing::Values(Precision::f32, Precision::f64),
                                          testing::Values("Euler", "RK4")),
                         name_of_case);

TEST(StatusText, SaysWhatIsWrongAndWhoseDoingItWas) {
  for (const Written& input : written) {
    const std::string text(describe(input.status));
    EXPECT_EQ(text.find(input.field), 0u) << text;
    EXPECT_NE(text.find("written"), std::string::npos) << text;
  }
  for (const Status status : {Status::diverged_qacc, Status::diverged_qvel, Status::diverged_qpos,
                              Status::diverged_act}) {
    const std::string text(describe(status));
    EXPECT_EQ(text.find(quantity(status)), 0u) << text;
    EXPECT_NE(text.find("before that step"), std::string::npos) << text;
  }
  EXPECT_EQ(describe(Status::ok), "ok");
}

}  // namespace
}  // namespace swept::test
