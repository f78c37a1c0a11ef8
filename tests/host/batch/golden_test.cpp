// SPDX-License-Identifier: Apache-2.0
// Golden hashes: the bits of six scenes after 1000 steps, one per precision, the same on every CPU
// instruction set. What makes that possible: contraction is off and fma() is written where it is
// wanted, transcendental functions are our own, packs hold environments and never mix them, and the
// sums inside an environment have one order for every width (kernels/base/sum.h).
//
// A hash that changes says that numbers have changed somewhere. If that was meant, run this test
// with SWEPT_ISA=v3 and with SWEPT_ISA=v4: it prints the new lines of the table, and both must print
// the same ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

namespace swept::test {
namespace {

struct Golden {
  const char* scene;
  std::uint64_t f32, f64;
};

/// How a failure names it.
void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.scene;
}

// clang-format off
constexpr Golden table[] = {
    {"humanoid", 0x2c7e45178e29bc51u, 0x1db3cc991bc5b8d9u},
    {"balls", 0x505a4afb601147a3u, 0xcc219a0cf4f72caeu},
    {"pendulum", 0xf2a624ab22f501d3u, 0x3949f261931f4453u},
    {"tendon", 0xd7893c232b7700b6u, 0x0057531883d9f370u},
    {"stilts", 0x2f625048643558a4u, 0x25a0eef14269be74u},
    {"flail", 0x4ae4b8695dad68e9u, 0x6a65f7c767cb0f79u},
};
// clang-format on

/// RK4, activations, elliptic cones of three and four dimensions, dry friction, limits.
constexpr const char* stilts_xml = R"(
<mujoco model="stilts">
  <option timestep="0.004" integrator="RK4" cone="elliptic" impratio="3"/>
  <default>
    <joint damping="0.3" armature="0.02" limited="true"/>
    <geom friction="0.8 0.02 0.001" density="600"/>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="4"/>
    <body pos="0 0 0.7">
      <freejoint/>
      <geom type="capsule" fromto="-0.2 0 0 0.2 0 0" size="0.08"/>
      <body pos="0.15 0.1 0">
        <joint name="left" axis="0 1 0" range="-50 50" frictionloss="0.2"/>
        <geom type="capsule" fromto="0 0 -0.05 0 0 -0.5" size="0.04"/>
      </body>
      <body pos="-0.15 -0.1 0">
        <joint name="right" axis="1 0 0" range="-50 50" frictionloss="0.2"/>
        <geom type="capsule" fromto="0 0 -0.05 0 0 -0.5" size="0.04"/>
      </body>
    </body>
    <body pos="0.4 0.3 0.4"><freejoint/><geom type="sphere" size="0.1"/></body>
  </worldbody>
  <actuator>
    <general joint="left" gainprm="20" ctrlrange="-1 1" dyntype="filter" dynprm="0.05"/>
    <general joint="right" gainprm="20" ctrlrange="-1 1" dyntype="filterexact" dynprm="0.05"/>
  </actuator>
</mujoco>
)";

/// Euler with implicit damping, ball joints with limits, pyramids, a pair with its own friction,
/// boxes, a tendon with a spring.
constexpr const char* flail_xml = R"(
<mujoco model="flail">
  <option timestep="0.005"/>
  <default><geom friction="0.7 0.01 0.002" density="900"/></default>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 1"/>
    <body pos="0 0 0.3">
      <joint name="slide" type="slide" axis="1 0 0" range="-1 1" limited="true" damping="2"/>
      <geom type="box" size="0.1 0.1 0.05" contype="0" conaffinity="0"/>
      <body pos="0 0 0.1">
        <joint type="ball" damping="0.05" range="0 100" limited="true"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0" conaffinity="0"/>
        <body pos="0.3 0 0">
          <joint name="elbow" axis="0 1 0" damping="0.05" stiffness="0.5"/>
          <geom name="head" type="sphere" pos="0.15 0 0" size="0.09"/>
        </body>
      </body>
    </body>
    <body pos="0.5 0.05 0.3">
      <freejoint/>
      <geom name="stone" type="box" size="0.1 0.08 0.06" condim="6"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="ground" geom2="head" condim="4" friction="1.2 1.2 0.01 0.001 0.001"/>
  </contact>
  <tendon>
    <fixed name="cord" stiffness="3" damping="0.1" springlength="0.2">
      <joint joint="slide" coef="1"/><joint joint="elbow" coef="-0.5"/>
    </fixed>
  </tendon>
  <actuator>
    <motor joint="slide" gear="15" ctrlrange="-1 1"/>
    <position joint="elbow" kp="4" ctrlrange="-1 1"/>
  </actuator>
</mujoco>
)";

constexpr int environments = 17;  // no multiple of any width
constexpr int steps = 1000;
constexpr int hold = 5;  // steps for which a control stays

Model model_of(const std::string& scene) {
  if (scene == "stilts") {
    return compile(load_string(stilts_xml, Format::xml, scene));
  }
  if (scene == "flail") {
    return compile(load_string(flail_xml, Format::xml, scene));
  }
  return compile(load(std::string(SWEPT_SOURCE_DIR) + "/scenes/" + scene + "/" + scene + ".xml"));
}

/// One of -8/8, -7/8 ... 8/8, exact in both precisions, from integers alone (SplitMix64).
double eighth(std::uint64_t time, std::uint64_t env, std::uint64_t i) {
  std::uint64_t z = (time * 1000003 + env) * 1000003 + i + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z % 17) / 8 - 1;
}

/// A number for each element of a field of n numbers per environment.
std::vector<double> eighths(int time, int n) {
  std::vector<double> values;
  for (int env = 0; env < environments; ++env) {
    for (int i = 0; i < n; ++i) {
      values.push_back(eighth(static_cast<std::uint64_t>(time), static_cast<std::uint64_t>(env),
                              static_cast<std::uint64_t>(i)));
    }
  }
  return values;
}

/// FNV-1a over the bytes of the state.
template <class T>
std::uint64_t hash_state(Batch* batch) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char* name : {"qpos", "qvel", "act", "qacc_warmstart", "time"}) {
    const View<T> field = batch->field<T>(name);
    for (int env = 0; env < environments; ++env) {
      for (const T x : field[env]) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &x, sizeof(T));
        for (const unsigned char byte : bytes) {
          hash = (hash ^ byte) * 0x100000001b3u;
        }
      }
    }
  }
  return hash;
}

/// The hash of a run.
std::uint64_t run(const Model& model, Precision precision, int threads) {
  Batch batch(model, {.nenv = environments, .precision = precision, .threads = threads});
  batch.write("qvel", eighths(-1, model.nv));
  for (int step = 0; step < steps; step += hold) {
    if (model.nu > 0) {
      batch.write("ctrl", eighths(step, model.nu));
    }
    batch.step(hold);
  }
  EXPECT_EQ(batch.report().frozen, 0) << "a run that stops proves nothing";
  return precision == Precision::f32 ? hash_state<float>(&batch) : hash_state<double>(&batch);
}

class GoldenHash : public testing::TestWithParam<Golden> {};

TEST_P(GoldenHash, OfTheStateAfterAThousandSteps) {
  const Golden& want = GetParam();
  const Model model = model_of(want.scene);
  const Golden got{want.scene, run(model, Precision::f32, 1), run(model, Precision::f64, 1)};
  char line[200];
  std::snprintf(line, sizeof line, "    {\"%s\", 0x%016llxu, 0x%016llxu},", got.scene,
                static_cast<unsigned long long>(got.f32), static_cast<unsigned long long>(got.f64));
  const bool same = got.f32 == want.f32 && got.f64 == want.f64;
  EXPECT_TRUE(same) << "the bits of a run have changed. If they had to, put this line into the "
                       "table of golden_test.cpp, once SWEPT_ISA=v3 and v4 both print it:\n"
                    << line << "\nIf not, find what changed them"
                    << (got.f32 == want.f32 || got.f64 == want.f64 ? "; one precision is as it was"
                                                                   : "");
  EXPECT_EQ(run(model, Precision::f32, 2), got.f32) << "a second run gives other bits";
  EXPECT_EQ(run(model, Precision::f64, 2), got.f64) << "a second run gives other bits";
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenHash, testing::ValuesIn(table),
                         [](const auto& instance) { return std::string(instance.param.scene); });

}  // namespace
}  // namespace swept::test
