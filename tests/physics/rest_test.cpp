// SPDX-License-Identifier: Apache-2.0
// What lies still stays still: bodies on faces, on hulls and on each other for ten seconds, without
// jitter, creep or contacts that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/scene.h"
#include "support/near.h"

namespace swept::test {
namespace {

/// A prism with six sides as an inline mesh, 0.4 m across and 0.1 m high.
constexpr const char* hexagon = R"(<mesh name="hexagon" vertex="
   0.2 0 0.05  0.1 0.173 0.05  -0.1 0.173 0.05  -0.2 0 0.05  -0.1 -0.173 0.05  0.1 -0.173 0.05
   0.2 0 -0.05 0.1 0.173 -0.05 -0.1 0.173 -0.05 -0.2 0 -0.05 -0.1 -0.173 -0.05 0.1 -0.173 -0.05"/>)";

struct Resting {
  const char* name;
  std::string bodies;    ///< above the plane z = 0
  int contacts;          ///< of all bodies together once they lie
  bool corners = false;  ///< a face with more corners than contacts
};

std::string body(double z, const std::string& geom) {
  return "<body pos='0 0 " + std::to_string(z) + "'><freejoint/><geom " + geom + "/></body>";
}

std::string tower(int n) {
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    // a little into each other: faces that just touch make contacts by rounding
    bodies += body(0.05 + 0.0998 * i, "type='box' size='.1 .1 .05'");
  }
  return bodies;
}

std::vector<Resting> resting() {
  const std::string mesh = "type='mesh' mesh='hexagon'";
  return {
      {"box on plane", body(0.05, "type='box' size='.1 .1 .05'"), 4},
      {"hull on plane", body(0.05, mesh), 4, true},
      {"box on hull", body(0.05, mesh) + body(0.13, "type='box' size='.05 .05 .03'"), 8, true},
      {"hull on hull", body(0.05, mesh) + body(0.15, mesh), 8, true},
      {"cylinder upright", body(0.1, "type='cylinder' size='.08 .1'"), 3},
      {"cylinder on hull", body(0.05, mesh) + body(0.15, "type='cylinder' size='.05 .05'"), 8,
       true},
      {"ten boxes", tower(10), 40},
  };
}

std::string scene_of(const Resting& resting, const std::string& options) {
  return "<mujoco><option timestep='0.002' tolerance='1e-12' " + options + "/><asset>" + hexagon +
         "</asset><worldbody><geom type='plane' size='2 2 1'/>" + resting.bodies +
         "</worldbody></mujoco>";
}

class Rest : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  Bar bar() const { return std::get<0>(GetParam()) == Precision::f32 ? Bar::f32 : Bar::f64; }
};

TEST_P(Rest, NothingCreepsOrFlickersForTenSeconds) {
  constexpr int settle = 1000, watched = 5000, every = 10;
  // a pyramid's or cone's regularisation lets a body creep by microns a second; f32 adds roundings of
  // positions, 6e-8 m each, in a random walk of some thousand steps
  const double creep = Tolerance({2e-6, 5e-5}).bar(bar());
  const double slow = Tolerance({1e-6, 2e-4}).bar(bar());
  // of a face with six corners four are contacts, the deepest among them: they take turns, and the
  // body rocks by a fraction of its depth, 0.4 mm
  constexpr double rocking = 1e-3, rocking_speed = 0.04;
  for (const Resting& resting : resting()) {
    SCOPED_TRACE(resting.name);
    Batch batch =
        make_batch(scene_of(resting, std::get<1>(GetParam())), 1, std::get<0>(GetParam()));
    batch.field_info("ncon");
    batch.step(settle);
    const auto start = batch.read("qpos");
    double moved = 0, speed = 0;
    for (int step = 0; step < watched; step += every) {
      batch.step(every);
      const auto qpos = batch.read("qpos"), qvel = batch.read("qvel");
      for (std::size_t i = 0; i < qpos.size(); ++i) {
        moved = std::max(moved, std::fabs(qpos[i] - start[i]));
      }
      for (const double v : qvel) {
        speed = std::max(speed, std::fabs(v));
      }
      ASSERT_EQ(static_cast<int>(batch.read("ncon")[0]), resting.contacts) << "at step " << step;
    }
    EXPECT_LE(moved, resting.corners ? rocking : creep);
    EXPECT_LE(speed, resting.corners ? rocking_speed : slow);
    RecordProperty(resting.name, std::to_string(moved));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Rest,
                         testing::Combine(testing::Values(Precision::f64, Precision::f32),
                                          testing::Values("cone='pyramidal'", "cone='elliptic'")));

}  // namespace
}  // namespace swept::test
