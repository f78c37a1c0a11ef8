// SPDX-License-Identifier: Apache-2.0
// Whole batches bit by bit, for tests that compare runs: a small scene with every kind of input,
// environments that differ, and all that an environment holds.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <swept/batch.h>

namespace swept::test {

/// A cart on a rail with a pole and a motor that has an activation, a ball that rolls on the floor,
/// a wheel, and a mocap body that the ball meets.
inline constexpr const char* cart_xml = R"(
<mujoco model="cart">
  <option timestep="0.005" integrator="INTEGRATOR"/>
  <worldbody>
    <geom type="plane" size="5 5 1" contype="2" conaffinity="2"/>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0" damping=".5"/>
      <geom size=".1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping=".01"/>
        <geom type="capsule" fromto="0 0 .1 0 0 .5" size=".03"/>
      </body>
    </body>
    <body name="ball" pos="1 0 .11"><freejoint/>
      <geom size=".1" contype="2" conaffinity="2"/></body>
    <body name="wheel" pos="0 2 1"><joint name="axle" axis="0 1 0"/><geom size=".1"/></body>
    <body name="bat" mocap="true" pos="1.15 0 .15">
      <geom size=".1" contype="2" conaffinity="2"/></body>
  </worldbody>
  <actuator>
    <general joint="rail" dyntype="integrator" gainprm="20" biastype="affine" biasprm="0 -20 -2"/>
    <general joint="hinge" dyntype="integrator" gainprm="1e-12"/>
    <motor joint="hinge" gear=".1"/>
  </actuator>
  <keyframe>
    <key name="tipped" time=".5" qpos=".2 .6 1 .1 .3 1 0 0 0 2" qvel="0 1 0 0 0 0 0 1 3" act=".1 .2"
         ctrl=".2 .3 .4" mpos="1.3 0 .2" mquat="0 1 0 0"/>
  </keyframe>
</mujoco>
)";

/// A scene with INTEGRATOR filled in.
inline std::string scene_of(std::string xml, const std::string& integrator) {
  const std::string_view mark = "INTEGRATOR";
  return xml.replace(xml.find(mark), mark.size(), integrator);
}

/// Give every environment its own start and inputs, from its number alone.
inline void scatter(Batch* batch) {
  struct Spread {
    const char* field;
    double size;
  };
  for (const auto& [field, size] :
       {Spread{"qpos", .02}, Spread{"qvel", .5}, Spread{"act", .1}, Spread{"ctrl", .5},
        Spread{"qfrc_applied", .05}, Spread{"xfrc_applied", .02}, Spread{"mocap_pos", .05},
        Spread{"mocap_quat", .1}}) {
    std::vector<double> values = batch->read(field);
    const std::size_t width = values.size() / static_cast<std::size_t>(batch->nenv());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto env = static_cast<unsigned>(i / width);
      std::minstd_rand random(env * 7919u + static_cast<unsigned>(i % width) * 104729u + 17u);
      random.discard(3);
      values[i] += size * std::uniform_real_distribution<double>(-1, 1)(random);
    }
    batch->write(field, values);
  }
}

/// What one environment holds, as bytes: its state with all inputs, and its counters.
struct EnvBits {
  std::vector<std::byte> state;
  std::vector<std::byte> counters;
  bool operator==(const EnvBits&) const = default;
};
using Bits = std::vector<EnvBits>;

inline Bits bits_of(Batch& batch) {
  batch.sync();
  Bits bits(static_cast<std::size_t>(batch.nenv()));
  const auto add = [&](const char* name, std::vector<std::byte> EnvBits::*part) {
    const FieldInfo info = batch.field_info(name);
    const std::size_t element = info.scalar == Scalar::f32 || info.scalar == Scalar::i32 ? 4 : 8;
    const std::size_t size = static_cast<std::size_t>(info.shape[1] * info.shape[2]) * element;
    for (std::size_t env = 0; env < bits.size(); ++env) {
      const auto* first = static_cast<const std::byte*>(info.data) + env * size;
      (bits[env].*part).insert((bits[env].*part).end(), first, first + size);
    }
  };
#define SWEPT_STATE(name, rows, cols, unit, meaning) add(#name, &EnvBits::state);
#include <swept/fields/state.def>
#undef SWEPT_STATE
  for (const char* name : {"status", "status_step", "steps", "resets", "reset_status"}) {
    add(name, &EnvBits::counters);
  }
  return bits;
}

/// Write number `i` of a field of one environment, the middle one for i = -1.
inline void set_number(Batch* batch, const char* field, int env, double value, int i = -1) {
  std::vector<double> values = batch->read(field);
  const std::size_t width = values.size() / static_cast<std::size_t>(batch->nenv());
  const std::size_t at = i < 0 ? width / 2 : static_cast<std::size_t>(i);
  values[static_cast<std::size_t>(env) * width + at] = value;
  batch->write(field, values);
}

/// The name of a case that is a precision and an integrator.
inline std::string name_of_case(
    const testing::TestParamInfo<std::tuple<Precision, const char*>>& instance) {
  return std::string(std::get<0>(instance.param) == Precision::f32 ? "f32" : "f64") +
         std::get<1>(instance.param);
}

}  // namespace swept::test
