// SPDX-License-Identifier: Apache-2.0
// `attach` against the official library, array by array and name by name: bodies and frames of other
// models and of the scene itself, what comes along, and settings of the model that conflict.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/model_comparer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>

#include <unistd.h>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

/// A model with frames in frames, joints in a frame, and things that refer to several bodies.
constexpr const char* child = R"(<mujoco model="k">
  <default><default class="big"><geom size=".7"/></default></default>
  <asset><material name="mt" rgba="1 0 0 1"/><mesh name="me" builtin="sphere" params="1"/></asset>
  <custom><numeric name="n" data="1"/><text name="t" data="s"/>
    <tuple name="t1"><element objtype="body" objname="a"/></tuple>
    <tuple name="t2"><element objtype="body" objname="a"/><element objtype="body" objname="o"/>
      </tuple>
    <tuple name="t3"><element objtype="numeric" objname="n"/><element objtype="geom" objname="h"/>
      <element objtype="material" objname="mt"/></tuple></custom>
  <worldbody>
    <geom name="ground" size="2" pos="1 2 3"/>
    <frame name="outer" pos="0 0 5" euler="10 20 30" childclass="big">
      <geom name="first" pos=".1 0 0"/>
      <frame name="f" pos="1 0 0" euler="0 40 0">
        <geom name="g" type="mesh" mesh="me" material="mt" pos=".1 .2 .3"/>
        <site name="s" pos=".3 .2 .1" euler="10 0 0"/>
        <camera name="c" pos="0 1 0"/><light name="l" pos="0 0 1" dir="1 0 -1"/>
        <body name="a" pos="1 0 0" euler="0 0 50"><joint name="j" pos=".1 0 0" ref=".2"/>
          <geom name="h"/><camera name="at" mode="targetbody" target="a"/>
          <frame name="ff" pos="0 0 1" euler="90 0 0"><joint name="j2" axis="0 1 0" pos="0 .1 0"/>
            <geom name="hh"/><body name="deep" pos="1 1 1"><geom/><joint name="j3" type="slide"/>
              </body></frame>
          <geom name="last" size=".2"/></body>
      </frame>
      <body name="o" pos="3 0 0"><joint name="jo" type="ball"/><geom name="go"/></body>
    </frame>
  </worldbody>
  <contact><exclude name="e1" body1="a" body2="deep"/><exclude name="e2" body1="a" body2="o"/>
    <pair name="p1" geom1="h" geom2="g"/><pair name="p2" geom1="h" geom2="go"/></contact>
  <tendon><fixed name="T1"><joint joint="j" coef="1"/><joint joint="j2" coef="2"/></fixed>
    <fixed name="T2"><joint joint="j3" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="j"/><motor name="m2" joint="j2"/><motor name="m3" tendon="T1"/>
    <motor name="m4" tendon="T2"/></actuator>
  <keyframe><key name="k" qpos=".1 .2 .3 1 0 0 0" ctrl="3 4 5 6" qvel="1 2 3 4 5 6"/>
    </keyframe></mujoco>)";

/// A scene in two lines: what stands before the worldbody, and the worldbody with what follows it.
struct Attaching {
  const char* name;
  std::string world;
  std::string head = {};
  std::string tail = {};
};

/// The scene that attaches parts of itself.
const std::string self = R"(
  <geom name="floor" type="plane" size="9 9 1"/>
  <body name="b" pos="5 0 0"><joint name="jb" ref=".3"/><geom name="gb" size=".1"/>
    <site name="sb"/></body>
  <frame pos="0 0 3" euler="0 30 0">
    <body name="a" pos="1 0 0" euler="20 0 0"><joint name="j" ref=".2"/><geom name="g" size=".1"/>
      <geom size=".2" pos="1 1 1" euler="10 20 30"/><site name="s" pos="0 .1 0"/>
      <body name="c" pos="0 1 0"><joint name="jc" type="ball"/><geom name="gc" size=".1"/></body>
    </body></frame>)";

const std::string self_head = R"(<custom><numeric name="n" data="1"/>
  <tuple name="u1"><element objtype="body" objname="a"/><element objtype="numeric" objname="n"/>
    </tuple>
  <tuple name="u2"><element objtype="body" objname="a"/><element objtype="body" objname="b"/></tuple>
  <tuple name="u3"><element objtype="body" objname="b"/></tuple></custom>)";

const std::string self_tail = R"(
  <contact><pair name="p1" geom1="g" geom2="gb"/><pair name="p2" geom1="g" geom2="gc"/>
    <pair name="p3" geom1="gb" geom2="floor"/>
    <exclude name="e1" body1="b" body2="a"/><exclude name="e2" body1="a" body2="world"/>
    <exclude name="e3" body1="b" body2="world"/></contact>
  <tendon><fixed name="T1"><joint joint="jb" coef="1"/><joint joint="j" coef="1"/></fixed>
    <fixed name="T2"><joint joint="jb" coef="1"/></fixed>
    <fixed name="T3"><joint joint="j" coef="2"/></fixed></tendon>
  <actuator><motor name="m1" tendon="T1"/><motor name="m2" tendon="T2"/><motor name="m3" joint="jb"/>
    <motor name="m4" joint="jc" gear="1 2 3"/><motor name="m5" site="s" refsite="sb"/>
    <motor name="m6" site="s"/></actuator>
  <keyframe><key name="k" qpos="1 2" ctrl="1 2 3"/></keyframe>)";

const Attaching scenes[] = {
    {"a_body_without_its_frames", R"(<attach model="k" body="a" prefix="x_"/>)"},
    {"a_body_in_a_frame", R"(<frame pos="0 9 0" euler="0 0 45"><attach model="k" body="a"
      prefix="x_"/></frame>)"},
    {"a_frame", R"(<attach model="k" frame="f" prefix="x_"/>)"},
    {"a_frame_of_frames", R"(<frame pos="0 9 0" euler="0 0 45"><geom size="1"/>
      <attach model="k" frame="outer" prefix="x_"/></frame>)"},
    {"a_frame_with_joints", R"(<body name="w"><attach model="k" frame="ff" prefix="x_"/>
      <joint name="pj" axis="1 0 0"/><geom name="pg" size="1"/></body>)"},
    {"a_whole_model", R"(<frame pos="1 0 0"><attach model="k" prefix="x_"/></frame>)"},
    {"a_world_as_a_body", R"(<attach model="k" body="world" prefix="x_"/>)"},
    {"a_frame_twice", R"(<attach model="k" frame="f" prefix="x_"/>
      <attach model="k" frame="f" prefix="y_"/>)"},
    {"replicas_of_a_body", R"(<frame name="F" pos="0 0 7"><replicate count="3" offset="0 1 0"
      euler="0 0 20"><attach model="k" body="o" prefix="x_"/></replicate></frame>)"},
    {"a_frame_of_what_was_attached", R"(<attach model="k" frame="f" prefix="x_"/>
      <frame pos="1 2 3" euler="0 0 20"><attach frame="x_f" prefix="y_"/></frame>)"},
    {"bodies_of_what_was_attached",
     R"(<frame euler="0 0 20"><attach model="k" body="a" prefix="x_"/>
      </frame><attach body="x_a" prefix="y_"/><attach body="x_a" prefix="z_"/>)"},
    {"a_frame_in_what_was_attached", R"(<attach model="k" body="a" prefix="x_"/>
      <body name="q"><attach frame="x_ff" prefix="y_"/></body>)"},
    {"a_body_of_the_scene", self + R"(<frame pos="0 1 0"><attach body="a" prefix="x_"/></frame>)",
     self_head, self_tail},
    {"two_copies", self + R"(<attach body="a" prefix="x_"/><attach body="x_a" prefix="y_"/>)",
     self_head, self_tail},
    {"the_world_of_the_scene", self + R"(<attach body="world" prefix="x_"/>)", self_head,
     R"(<actuator><motor name="m" joint="j"/></actuator>)"},
    {"a_body_in_itself", R"(<body name="a" pos="1 0 0"><joint name="j"/><geom name="g" size=".1"/>
      <body name="c" pos="0 0 1"><geom name="g2" size=".1"/><attach body="a" prefix="x_"/>
        <geom name="g4" size=".1"/></body><geom name="g3" size=".1"/></body>)"},
    {"a_frame_in_itself", R"(<frame name="f" pos="1 0 0" euler="0 0 9"><geom size="1"/>
      <attach frame="f" prefix="x_"/><attach frame="f" prefix="y_"/><geom name="g" size=".3"/>
      </frame>)"},
    {"a_frame_with_a_replicate", R"(<frame name="F" pos="0 0 7"><replicate count="2"
      offset="0 1 0" euler="10 0 0"><frame name="f" pos="1 0 0"><geom name="g" size="1"/>
      <body name="b"><geom size="1"/></body></frame><body name="c" pos="1 0 0"><geom size="1"/>
      </body></replicate></frame><attach body="c1" prefix="v_"/>
      <frame pos="3 0 0"><attach frame="F" prefix="x_"/></frame><attach frame="f1" prefix="y_"/>
      <attach body="b1" prefix="z_"/>)"},
    {"a_replicate_of_a_body", self + R"(<replicate count="2" offset="1 0 0">
      <attach body="a" prefix="x_"/></replicate>)",
     self_head, self_tail},
    {"parts_of_a_replicate", R"(<replicate count="2" offset="0 1 0" euler="0 0 30">
      <frame name="f" pos="1 0 0" euler="0 20 0"><geom name="g" size="1"/></frame>
      <body name="a" pos="3 0 0"><joint/><geom size="1"/></body>
      <frame pos="0 0 1"><attach frame="f" prefix="x_"/><attach body="a" prefix="y_"/></frame>
      </replicate>)"},
    {"an_inertial_stays", R"(<body name="a"><joint/><frame name="f" pos="1 0 0">
      <inertial mass="2" pos="0 1 0" diaginertia="1 1 1"/></frame></body>
      <body name="b"><joint/><inertial mass="7" pos="0 1 0" diaginertia="1 1 1"/>
      <attach frame="f" prefix="x_"/></body>)"},
};

void PrintTo(const Attaching& scene, std::ostream* out) {
  *out << scene.name;
}

/// A scene that attaches, in files of its own.
class Files {
 public:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "swept_attach_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no temporary folder");
    }
    folder_ = pattern;
  }
  ~Files() { fs::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  fs::path folder_;
};

void expect_same(const fs::path& path) {
  mju_user_warning = [](const char*) {};
  Oracle oracle(path);
  const Model ours = compile(load(path));
  const Comparison result = ModelComparer(ours, oracle.model()).run();
  EXPECT_LE(result.worst.size, compile_tolerance) << result.worst.where;
}

/// Neither side compiles it; returns our message.
std::string refusal(const fs::path& path) {
  EXPECT_THROW(Oracle{path}, std::runtime_error);
  try {
    compile(load(path));
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

class AttachParity : public testing::TestWithParam<Attaching> {};

TEST_P(AttachParity, CompilesAsInTheOfficialLibrary) {
  const Files files;
  files.write("child.xml", child);
  const Attaching& scene = GetParam();
  expect_same(files.write("main.xml", "<mujoco><asset><model name='k' file='child.xml'/></asset>" +
                                          scene.head + "<worldbody>" + scene.world +
                                          "</worldbody>" + scene.tail + "</mujoco>"));
}

INSTANTIATE_TEST_SUITE_P(Scenes, AttachParity, testing::ValuesIn(scenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

/// Settings of a scene and of a model that it attaches.
struct Conflict {
  std::string scene;
  std::string model;
};

/// Attaches two models, the second with the settings of `then`.
fs::path write_conflict(const Files& files, const std::string& policy, const Conflict& settings,
                        const std::string& then = {}) {
  const std::string body = "<worldbody><body><geom size='1'/></body></worldbody></mujoco>";
  files.write("c.xml", "<mujoco model='c'>" + settings.model + body);
  files.write("d.xml", "<mujoco model='d'>" + then + body);
  return files.write("main.xml", "<mujoco><compiler conflict='" + policy + "'/>" + settings.scene +
                                     "<asset><model name='c' file='c.xml'/>"
                                     "<model name='d' file='d.xml'/></asset><worldbody>"
                                     "<attach model='c' prefix='x_'/><attach model='d' "
                                     "prefix='y_'/></worldbody></mujoco>");
}

std::string flags(const std::string& text) {
  return "<option><flag " + text + "/></option>";
}

TEST(AttachConflicts, SettlesEachSettingAsInTheOfficialLibrary) {
  const Conflict conflicts[] = {
      {"", "<option timestep='0.01' gravity='0 0 -1' integrator='RK4'/>"},
      {"<option timestep='0.01'/>", "<option timestep='0.002'/>"},
      {"<option timestep='0.001'/>", "<option timestep='0.002'/>"},
      {"<option timestep='0.002'/>", "<option timestep='2e-3'/>"},
      {"<option timestep='0.01'/><option iterations='7'/>", "<option timestep='0.002'/>"},
      {"<option timestep='0.01'/><option timestep='0.02'/>", "<option timestep='0.02'/>"},
      {"<option tolerance='1e-3' ls_tolerance='1' ccd_tolerance='1e-3' iterations='7' "
       "ls_iterations='7' ccd_iterations='7'/>",
       "<option tolerance='2e-3' ls_tolerance='.2' ccd_tolerance='1e-4' iterations='5' "
       "ls_iterations='9' ccd_iterations='8'/>"},
      {"<option gravity='0 0 -9.81'/>", "<option gravity='0 0 -9.8100000000001'/>"},
      {"<option wind='1 0 0'/>", "<option wind='0 0 0'/>"},
      {"<option magnetic='1 0 0'/>", "<option magnetic='0 0 0'/>"},
      {"<option density='1'/>", "<option density='2'/>"},
      {"<option viscosity='1'/>", "<option viscosity='2'/>"},
      {"<option impratio='1'/>", "<option impratio='2'/>"},
      {"<option integrator='Euler'/>", "<option integrator='RK4'/>"},
      {"<option cone='elliptic'/>", "<option cone='pyramidal'/>"},
      {"<option jacobian='dense'/>", "<option jacobian='sparse'/>"},
      {"<option solver='CG'/>", "<option solver='Newton'/>"},
      {"<option o_solref='.01'/>", "<option o_solref='.01 1'/>"},
      {"<option o_solref='.01'/>", "<option o_solref='.01 2'/>"},
      {"<option o_solimp='.9'/>", "<option o_solimp='.9 .95 .001 .5 2'/>"},
      {"<option o_friction='.9'/>", "<option o_friction='.9 .9'/>"},
      {"<option o_margin='.9'/>", "<option o_margin='.8'/>"},
      {flags("damper='disable'"), flags("spring='disable'")},
      {flags("damper='enable'"), flags("damper='disable'")},
      {flags("damper='disable'"), flags("damper='enable'")},
      {"", flags("damper='disable' energy='enable'")},
      {flags("energy='enable'"), flags("energy='disable'")},
      {"<option actuatorgroupdisable='1'/>", "<option actuatorgroupdisable='2 4'/>"},
      {"", "<option actuatorgroupdisable='2'/>"},
      {"<size nuserdata='3' nuser_body='2'/>", "<size nuserdata='2' nuser_body='5'/>"},
      {"", "<size nuserdata='2' nuser_body='5' nkey='4' memory='1M'/>"},
      {"<size memory='1M'/>", "<size memory='1024K'/>"},
      {"<size memory='1M'/>", "<size memory='2M'/>"},
      {"<statistic extent='3'/>", "<statistic extent='4' meanmass='7'/>"},
      {"<visual><map znear='.1' zfar='7'/><global realtime='.5'/></visual>",
       "<visual><map znear='.2' zfar='8'/><global realtime='.4'/></visual>"},
      {"<visual><map znear='.1'/></visual>", "<visual><map znear='.1000000000001'/></visual>"},
      {"<visual><global fovy='30'/></visual>", "<visual><global fovy='40'/></visual>"},
  };
  mju_user_warning = [](const char*) {};
  int same = 0, refused = 0;
  for (const char* const policy : {"warning", "merge", "error"}) {
    for (const Conflict& settings : conflicts) {
      // also the second model against what the first one left
      for (const std::string& then : {std::string(), settings.scene}) {
        SCOPED_TRACE(std::string(policy) + ": " + settings.scene + " | " + settings.model + " | " +
                     then);
        const Files files;
        const fs::path path = write_conflict(files, policy, settings, then);
        bool loads = true;
        try {
          Oracle oracle(path);
        } catch (const std::runtime_error&) {
          loads = false;
        }
        if (loads) {
          expect_same(path);
          ++same;
        } else {
          EXPECT_NE(refusal(path).find("has other settings than this scene"), std::string::npos);
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(same, 100);
  EXPECT_GT(refused, 50);
}

TEST(AttachConflicts, AModelThatMergedItsOwnPassesTheResultOn) {
  const Files files;
  files.write("g.xml",
              "<mujoco model='g'><option gravity='0 0 -1'/><worldbody><geom size='1'/>"
              "</worldbody></mujoco>");
  const auto nested = [&](const std::string& outer, const std::string& inner) {
    files.write("c.xml", "<mujoco model='c'><compiler conflict='" + inner +
                             "'/><asset><model name='g' file='g.xml'/></asset><worldbody>"
                             "<attach model='g' prefix='y_'/></worldbody></mujoco>");
    return files.write("main.xml", "<mujoco><compiler conflict='merge'/>" + outer +
                                       "<asset><model name='c' file='c.xml'/></asset><worldbody>"
                                       "<attach model='c' prefix='x_'/></worldbody></mujoco>");
  };
  expect_same(nested("", "merge"));
  expect_same(nested("", "warning"));
  expect_same(nested("<option gravity='0 0 -2'/>", "warning"));
  EXPECT_NE(refusal(nested("<option gravity='0 0 -2'/>", "merge"))
                .find("gravity is 0 0 -2 here and 0 0 -1 there"),
            std::string::npos);
}

TEST(AttachRefusal, BothSidesRefuseTheSameAndOursSaysWhy) {
  const std::string a = "<body name='a'><joint name='j'/><geom size='1'/></body>";
  const std::string f = "<body><frame name='f'><joint/><geom size='1'/></frame></body>";
  const std::pair<std::string, const char*> mistakes[] = {
      {"<attach body='a' prefix='x_'/>" + a, "stands before"},
      {a + "<attach prefix='x_'/>", "neither 'body' nor 'frame'"},
      {a + "<attach body='' prefix='x_'/>", "no body ''"},
      {a + "<attach model='' body='a' prefix='x_'/>", "no model ''"},
      {a + "<attach body='b' prefix='x_'/>", "no body 'b'"},
      {a + "<attach frame='a' prefix='x_'/>", "no frame 'a'"},
      {a + "<attach frame='' prefix='x_'/>", "no frame ''"},
      {a + f + "<attach body='a' frame='f' prefix='x_'/>", "exclude each other"},
      {a + "<attach body='a' prefix=''/>", "given twice"},
      {"<frame name='f'/><attach frame='f' prefix=''/>", "given twice"},
      {"<frame name='f'/><frame name='f'/>", "given twice"},
      {a + "<attach body='a' prefix='x_'/><attach body='a' prefix='x_'/>", "given twice"},
      {f + "<attach frame='f' prefix='x_'/>", "attach it in a body"},
      {"<attach model='k' frame='ff' prefix='x_'/>", "attach it in a body"},
      {"<attach model='k' frame='none' prefix='x_'/>", "model 'k' has no frame 'none'"},
      {"<attach model='k' body='none' prefix='x_'/>", "model 'k' has no body 'none'"},
      {"<replicate count='2'>" + a + "</replicate><attach body='a' prefix='x_'/>", "no body 'a'"},
      {"<body name='t'/><body name='a'><camera mode='targetbody' target='t'/></body>"
       "<attach body='a' prefix='x_'/>",
       "no body 'x_t'"},
  };
  const Files files;
  files.write("child.xml", child);
  for (const auto& [world, part] : mistakes) {
    SCOPED_TRACE(world);
    EXPECT_NE(refusal(files.write("main.xml",
                                  "<mujoco><asset><model name='k' file='child.xml'/></asset>"
                                  "<worldbody>" +
                                      world + "</worldbody></mujoco>"))
                  .find(part),
              std::string::npos);
  }
}

}  // namespace
}  // namespace swept::test
