// SPDX-License-Identifier: Apache-2.0
// The JSON spelling: what it looks like, that it means the same as the XML, and its mistakes.
#include "host/load/load_support.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace swept::test {
namespace {

TEST(Json, ASceneWrittenByHandIsRead) {
  const Spec spec = load_string(R"({"mujoco": {
    "model": "ball",
    "option": {"timestep": 0.005, "flag": {"contact": "disable"}},
    "worldbody": {
      "geom": [{"type": "plane", "size": [1, 1, 0.1]}, {"size": 0.2}],
      "body": {"pos": [0, 0, 1], "joint": {"limited": true, "range": "0 1", "type": "slide"}}
    }}})",
                                Format::json);
  EXPECT_EQ(spec.modelname, "ball");
  EXPECT_EQ(spec.option.timestep, 0.005);
  EXPECT_EQ(spec.option.disableflags, 1 << 4);
  EXPECT_EQ(spec.worldbody.geoms.size(), 2U);
  EXPECT_EQ(spec.worldbody.bodies[0].pos[2], 1.0);
  EXPECT_EQ(spec.worldbody.bodies[0].joints[0].limited, Tristate::yes);
  EXPECT_EQ(spec.worldbody.bodies[0].joints[0].range[1], 1.0);
}

TEST(Json, ChildrenKeepAnOrderAcrossTags) {
  const Spec spec = load_string(R"({"mujoco": {"worldbody": {"children": [
    {"geom": {"name": "a", "size": 1}},
    {"frame": {"pos": [1, 0, 0], "geom": {"name": "b", "size": 1}}},
    {"geom": {"name": "c", "size": 1}}]}}})",
                                Format::json);
  EXPECT_EQ(spec.worldbody.geoms[1].name, "b");
  EXPECT_EQ(spec.worldbody.geoms[1].pos[0], 1.0);
}

TEST(Json, ASceneSpelledAsJsonLoadsToTheSameBits) {
  const std::string xml = R"(<mujoco model="all &quot;of&quot; it">
    <compiler angle="radian" eulerseq="XyZ"/><option gravity="-0 1e-30 -9.81">
      <flag limit="disable"/></option>
    <size nstack="300000" memory="16M"/><statistic extent="3"/><visual><rgba joint="1 0 0 1"/>
      </visual>
    <default><geom friction="0.3"/><default class="k"><motor gear="3"/></default></default>
    <asset><texture name="t" builtin="flat" width="8" height="8"/><material name="m" texture="t"/>
      </asset>
    <worldbody><geom name="a" size="0.1" material="m"/><light/>
      <geom name="z" size="0.3333333333333333"/>
      <frame euler="0.1 0.2 0.3"><body name="b"><joint name="j" range="-1 1"/><inertial pos="0 0 0"
      mass="1" diaginertia="1 2 2.5"/></body></frame><geom name="y" size="1e5"/>
      <replicate count="3" offset="0 1 0" sep="-"><body><freejoint/><geom size="0.1"/></body>
        </replicate>
    </worldbody>
    <contact><pair geom1="a" geom2="y"/></contact>
    <tendon><fixed name="t"><joint joint="j" coef="-0.0"/></fixed></tendon>
    <actuator><motor class="k" joint="j"/><position tendon="t" kp="2"/></actuator>
    <keyframe><key qpos="1 2 3"/></keyframe>
    <custom><numeric name="n" data="1 2.5"/><text name="t" data="5"/></custom></mujoco>)";
  const Spec spec = load_string(xml, Format::xml);
  const std::string json = to_json(xml, Format::xml);
  EXPECT_EQ(describe(load_string(json, Format::json)), describe(spec));
  // the spelling is stable
  EXPECT_EQ(to_json(json, Format::json), json);
}

TEST(Json, EveryDoubleKeepsItsBits) {
  std::mt19937_64 random(3);
  std::string data;
  std::vector<std::uint64_t> bits;
  while (bits.size() < 20000) {
    const double number = std::bit_cast<double>(random());
    if (std::isfinite(number)) {
      char buffer[40];
      std::snprintf(buffer, sizeof(buffer), "%.17g ", number);
      data += buffer;
      bits.push_back(std::bit_cast<std::uint64_t>(number));
    }
  }
  const std::string xml =
      "<mujoco><custom><numeric name='n' data='" + data + "'/></custom></mujoco>";
  const Spec spec = load_string(to_json(xml, Format::xml), Format::json);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(spec.numerics[0].data[i]), bits[i]);
  }
}

TEST(Json, UnsupportedScenesCanBeSpelledToo) {
  const std::string json =
      to_json("<mujoco><sensor><clock name='c' cutoff='1'/></sensor></mujoco>", Format::xml);
  EXPECT_NE(json.find("\"clock\": {\"name\": \"c\", \"cutoff\": 1}"), std::string::npos) << json;
}

TEST(Json, MistakesHaveTheirLine) {
  const std::pair<const char*, int> mistakes[] = {
      {"{\"mujoco\": {\n\"option\": {\n\"timestep\": \"x\"}}}", 2},
      {"{\"mujoco\": {\n\"option\":\n{\"timestp\": 1}}}", 3},
      {"{\"mujoco\": {\n\"option\": {\n\"timestep\": 1,,}}}", 3},
      {"{\"mujoco\": {\n\"option\": {\"timestep\": [1, 2]}}}", 2},
      {"{\"mujoco\": {\"worldbody\": {\n\"geom\": [{},\n{\"size\": true}]}}}", 3},
  };
  for (const auto& [text, line] : mistakes) {
    EXPECT_EQ(error_of(text, Format::json).line(), line) << text;
  }
}

TEST(Json, WhatIsNoSceneIsRefused) {
  for (const char* const text : {
           "",
           " \n ",
           "[]",
           "1",
           "\"mujoco\"",
           "null",
           "{}",
           "{\"mujoco\": 1}",
           "{\"mujoco\": []}",
           "{\"mujoco\": {}} {}",
           "{\"mujoco\": {}, \"mujoco\": {}}",
           "{\"robot\": {}}",
           "{\"mujoco\": {\"model\": null}}",
           "{\"mujoco\": {\"model\": 5}}",
           "{\"mujoco\": {\"option\": 5}}",
           "{\"mujoco\": {\"option\": []}}",
           "{\"mujoco\": {\"option\": [1, {}]}}",
           "{\"mujoco\": {\"option\": [{}, 1]}}",
           "{\"mujoco\": {\"option\": [[{}]]}}",
           "{\"mujoco\": {\"children\": {}, \"option\": {}}}",
           "{\"mujoco\": {\"children\": [1]}}",
           "{\"mujoco\": {\"children\": [{}]}}",
           "{\"mujoco\": {\"children\": [{\"option\": {}, \"size\": {}}]}}",
           "{\"mujoco\": {\"children\": [{\"option\": 1}]}}",
           "{\"mujoco\": {\"option\": {\"timestep\": 1, \"timestep\": 2}}}",
           "{\"mujoco\": {\"option\": {\"gravity\": [1, \"2\", 3]}}}",
           "{\"mujoco\": {\"option\": {\"gravity\": [1, null, 3]}}}",
           "{\"mujoco\": {\"option\": {\"timestep\": 1e999}}}",
           "{\"mujoco\": {\"option\": {\"solver\": 2}}}",
           "{\"mujoco\": {\"option\": {\"flag\": {\"contact\": false}}}}",
       }) {
    error_of(text, Format::json);
  }
}

}  // namespace
}  // namespace swept::test
