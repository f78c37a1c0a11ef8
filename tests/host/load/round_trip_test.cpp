// SPDX-License-Identifier: Apache-2.0
// A scene with everything that is loaded, spelled as JSON and back: all arrays of the compiled model
// keep their bits.
#include <swept/compile.h>
#include <swept/load.h>
#include <swept/model_fields.h>

#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "host/batch/own_models_scene.h"

namespace swept::test {
namespace {

constexpr const char* more_assets = R"(
  <compiler fitaabb="true" autolimits="true" inertiagrouprange="0 4"/>
  <statistic meansize=".3" center="0 0 1"/>
  <default>
    <mesh scale=".5 .5 .5"/>
    <default class="soft"><geom solref=".05 .8" solimp=".7 .9 .01 .4 3"/></default>
  </default>
  <asset>
    <mesh name="tent" vertex="0 0 0 1 0 0 0 1 0 1 1 0 .5 .5 1" maxhullvert="5" inertia="convex"
          refpos=".1 .2 .3" refquat="1 .1 .2 .3"/>
    <mesh name="shell" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
          inertia="shell" scale="1 -1 .3333333333333333"/>
    <mesh name="ball" builtin="sphere" params="3"/>
    <mesh name="ring" builtin="supertorus" params="6 .3 1 1"/>
    <hfield name="hills" nrow="3" ncol="4" size="2 3 .5 .1"
            elevation="0 1 2 3 1 2 .1 4 2 3 4 5e-1"/>
    <texture name="sky" type="skybox" builtin="flat" width="8" height="48"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <size nuserdata="3" nkey="2" nuser_body="1"/>)";

constexpr const char* more_bodies = R"(
    <geom type="hfield" hfield="hills" pos="20 0 0" contype="1" margin=".02"/>
    <body name="target" mocap="true" pos="0 0 5" quat="1 1 0 0"><site name="goal"/></body>
    <body name="tent" pos="20 0 2" user="4">
      <freejoint align="true"/>
      <geom class="soft" type="mesh" mesh="tent" surfacevel=".1 .2 .3 .4 .5 .6"/>
      <geom type="mesh" mesh="shell" pos="1 0 0" euler="10 20 30" material="red" group="3"/>
      <geom type="mesh" mesh="ball" pos="0 0 1"/>
      <geom name="as it is" type="mesh" mesh="ball" pos="0 0 3" contype="0" conaffinity="0"/>
      <geom type="box" mesh="ring" fitscale=".9" pos="0 2 0" priority="1"/>
    </body>
    <body name="fish" pos="10 0 2">
      <joint name="swim" type="ball" actuatorfrcrange="0 2" actuatorfrclimited="false"/>
      <geom type="ellipsoid" size=".3 .1 .05" fluidshape="ellipsoid" fluidcoef=".4 .3 1.4 .9 .8"/>
      <geom type="cylinder" size=".05 .1" pos=".4 0 0" shellinertia="true" density="50"/>
      <site name="fin" pos="-.3 0 0" euler="0 45 0"/>
      <body name="tail" pos="-.4 0 0">
        <joint name="flap" axis="0 0 1" springdamper=".1 1" solreflimit=".03 1" solimplimit=".8 .9"/>
        <inertial pos="-.1 0 0" mass=".1" fullinertia=".001 .002 .0015 .0001 0 -.0001"/>
      </body>
    </body>
    <frame pos="-20 0 0" euler="0 0 30">
      <replicate count="3" offset="1 0 0" euler="0 0 15"><body name="leaf">
        <joint name="stem" axis="0 1 0"/><geom type="capsule" size=".02 .1"/></body></replicate>
    </frame>)";

constexpr const char* more_relations = R"(
  <contact><exclude name="never" body1="box" body2="cart"/></contact>
  <actuator>
    <general name="site" site="fin" refsite="goal" gear="1 2 3 .1 .2 .3" gaintype="affine"
             gainprm="1 2 3" biastype="affine" biasprm="0 -1 -.2"/>
    <motor name="parent" jointinparent="swim" gear="1 2 3"/>
    <intvelocity name="iv" joint="flap" kp="2" actrange="-1 1" group="2"/>
    <damper name="d" joint="x" kv="3" ctrlrange="0 1"/>
    <velocity name="v" joint="y" kv="1.5"/>
  </actuator>
  <custom>
    <text name="words" data="a &quot;quoted&quot; &lt;word&gt;"/>
    <tuple name="group"><element objtype="body" objname="box" prm=".1"/></tuple>
    <tuple name="nonconvex"><element objtype="geom" objname="as it is"/></tuple>
  </custom>)";

/// The scene of all fields, with assets, media and what else a file may say.
std::string everything() {
  std::string xml = everything_xml;
  xml.insert(xml.find("<worldbody>"), more_assets);
  xml.insert(xml.find("</worldbody>"), more_bodies);
  xml.insert(xml.find("<keyframe>"), more_relations);
  // the key's lengths belong to the smaller scene
  const std::size_t key = xml.find("<key ");
  xml.replace(key, xml.find("/>", key) - key, "<key name=\"start\" time=\"1\" mpos=\"1 2 3\"");
  return xml;
}

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(RoundTrip, EveryArrayOfASceneWithEverythingKeepsItsBits) {
  const std::string xml = everything();
  const std::string json = to_json(xml, Format::xml);
  EXPECT_EQ(to_json(json, Format::json), json);
  const Model from_xml = compile(load_string(xml, Format::xml));
  const Model from_json = compile(load_string(json, Format::json));

  // only a scene with too many pairs of geoms is swept, which says nothing of its spelling
  const std::set<std::string_view> absent = {"sweep_geomadr", "sweep_geomnum", "sweep_planeid"};
  for (const ModelField& field : model_fields(from_xml)) {
    SCOPED_TRACE(std::string(field.name));
    EXPECT_EQ(field.rows * field.cols == 0, absent.contains(field.name));
    if (field.is_int) {
      EXPECT_TRUE(same_bits(int_field(from_xml, field.name), int_field(from_json, field.name)));
    } else {
      EXPECT_TRUE(same_bits(real_field(from_xml, field.name), real_field(from_json, field.name)));
    }
  }
  EXPECT_EQ(from_xml.names.body, from_json.names.body);
  EXPECT_EQ(from_xml.names.geom, from_json.names.geom);
  EXPECT_EQ(from_xml.names.actuator, from_json.names.actuator);
}

}  // namespace
}  // namespace swept::test
