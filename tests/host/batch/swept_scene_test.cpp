// SPDX-License-Identifier: Apache-2.0
// Whole batches whose pairs of geoms are found by the sweep, against the same scene with its list of
// candidates; and lists of contacts of shapes that are worked on one at a time, from size one on.
#include <gtest/gtest.h>

#include <string>

#include <swept/compile.h>
#include <swept/load.h>

#include "host/batch/bits.h"
#include "host/compile/candidates.h"

namespace swept {
namespace {

/// Balls, capsules and boxes that fall into a tray of static geoms; one body with many geoms, a
/// pair of its own, an exclude.
std::string heap_xml(bool boxes) {
  std::string xml = R"(<mujoco><option timestep="0.004"/><worldbody>
    <geom type="plane" size="5 5 1"/>
    <geom type="capsule" fromto="-1 -.8 .1 1 -.8 .1" size=".1"/>
    <geom type="capsule" fromto="-1 .8 .1 1 .8 .1" size=".1"/>
    <geom type="box" size=".1 1 .2" pos="1.1 0 0" contype="2" conaffinity="2"/>
    <body name="bat" mocap="true" pos="0 0 .3"><geom size=".15"/><geom size=".1" pos=".2 0 0"/>
    </body>
    <body name="comb" pos="0 0 1"><freejoint/>)";
  for (int i = 0; i < 10; ++i) {
    xml += "<geom size='.05' pos='" + std::to_string(0.09 * i) + " 0 0' name='tooth" +
           std::to_string(i) + "'/>";
  }
  xml += "</body>";
  for (int i = 0; i < 24; ++i) {
    const std::string pos = std::to_string(-0.8 + 0.2 * (i % 8)) + " " +
                            std::to_string(-0.4 + 0.25 * (i / 8)) + " " +
                            std::to_string(0.25 + 0.1 * (i % 3));
    const char* const shape = i % 3 == 0   ? "type='capsule' size='.06 .1'"
                              : i % 3 == 1 ? "size='.1'"
                              : boxes      ? "type='box' size='.1 .08 .07'"
                                           : "size='.08'";
    xml += "<body name='thing" + std::to_string(i) + "' pos='" + pos + "'><freejoint/><geom " +
           shape + " name='thing" + std::to_string(i) + "'" +
           (i % 4 == 0 ? " contype='3' conaffinity='3'" : "") + " margin='.01'/></body>";
  }
  return xml + R"(</worldbody><contact><exclude body1="thing1" body2="thing4"/>
    <pair geom1="tooth3" geom2="tooth7" condim="1" margin=".5" gap=".5"/>
    <pair geom1="thing2" geom2="thing5" margin=".02"/></contact></mujoco>)";
}

Model heap(bool boxes) {
  return compile(load_string(heap_xml(boxes), Format::xml));
}

class SweptScene : public testing::TestWithParam<Precision> {};

TEST_P(SweptScene, MovesAsTheOneThatTestsAllPairs) {
  const Model listed = heap(false);
  Model swept = listed;
  compiler::list_candidates(swept, 0);
  ASSERT_EQ(listed.nsweep, 0);
  ASSERT_GT(swept.nsweep, 30);
  BatchOptions options{.nenv = 21, .precision = GetParam(), .threads = 2};
  Batch all(listed, options);
  options.capacity.pairs = 1;
  Batch some(swept, options);
  for (Batch* batch : {&all, &some}) {
    test::scatter(batch);
    batch->bind("contacts");
    batch->step(60);
  }
  EXPECT_TRUE(test::bits_of(all) == test::bits_of(some));
  EXPECT_GT(all.report().contacts.mean, 10);
  EXPECT_GT(some.report().growths, 0);
  for (const int env : {0, 20}) {
    const std::vector<Contact> a = all.contacts(env), b = some.contacts(env);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].geom1, b[k].geom1);
      EXPECT_EQ(a[k].geom2, b[k].geom2);
      EXPECT_EQ(a[k].dist, b[k].dist);
    }
  }
}

TEST_P(SweptScene, SlotsOfSizeOneGrowToTheSameBits) {
  const Model model = heap(true);
  BatchOptions options{.nenv = 21, .precision = GetParam(), .threads = 2};
  Batch ample(model, options);
  options.capacity = {1, 1, 1, 1, 1};
  Batch tight(model, options);
  for (Batch* batch : {&ample, &tight}) {
    test::scatter(batch);
    batch->step(60);
  }
  EXPECT_TRUE(test::bits_of(ample) == test::bits_of(tight));
  const Report report = tight.report();
  EXPECT_GT(report.growths, 0);
  EXPECT_GT(report.capacity.slots, 8) << "no boxes met";
}

TEST(Slots, AreNoneWhereNoPairNeedsThem) {
  Batch batch(compile(load_string("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                                  "<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
                                  Format::xml)),
              {.nenv = 2});
  EXPECT_EQ(batch.report().capacity.slots, 0);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SweptScene, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& which) {
                           return std::string(which.param == Precision::f32 ? "f32" : "f64");
                         });

}  // namespace
}  // namespace swept
