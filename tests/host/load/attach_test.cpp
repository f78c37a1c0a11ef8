// SPDX-License-Identifier: Apache-2.0
// Attaching parts of another model: names, poses, what comes along, keyframes.
#include "host/load/load_support.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

class Attach : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "swept_attach_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write("child.xml", R"(<mujoco model="kid"><compiler angle="radian"/><option timestep="0.1"/>
      <default><geom size="0.3"/></default><asset><material name="m"/></asset>
      <worldbody><geom name="ground"/>
        <body name="root" pos="1 0 0"><joint name="j1" ref="0.3"/><geom name="g1" material="m"/>
          <light name="l" mode="targetbody" target="root"/>
          <body name="sub"><joint/><geom name="g2"/></body></body>
        <body name="other"><joint name="jo"/><geom name="go"/></body></worldbody>
      <contact><exclude name="e1" body1="root" body2="sub"/>
        <exclude name="e2" body1="other" body2="sub"/>
        <pair name="p1" geom1="g1" geom2="g2"/><pair name="p2" geom1="g1" geom2="go"/></contact>
      <tendon><fixed name="t1"><joint joint="j1" coef="1"/></fixed>
        <fixed name="t2"><joint joint="j1" coef="1"/><joint joint="jo" coef="1"/></fixed></tendon>
      <actuator><motor name="ao" joint="jo"/><motor name="at1" tendon="t1"/>
        <motor name="at2" tendon="t2"/>
        <position joint="j1" timeconst="1"/></actuator>
      <keyframe><key name="k" time="3" qpos="1 2 3" qvel="4 5 6" ctrl="1 2 3 4" act="9"/>
        </keyframe></mujoco>)");
  }

  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  /// A scene with a joint, the elements, and a free body.
  fs::path scene(const std::string& elements) const {
    return write(
        "main.xml",
        "<mujoco><compiler angle='radian'/><asset><model name='kid' file='child.xml'/></asset>"
        "<worldbody><body name='pb'><joint name='pj' ref='0.5'/></body>" +
            elements +
            "<body name='free' pos='0 0 2'><freejoint/></body></worldbody>"
            "<actuator><motor name='pa' joint='pj'/></actuator></mujoco>");
  }

  Error error(const fs::path& path) const {
    try {
      load(path);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no error";
    return Error("none");
  }

  fs::path folder_;
};

template <class T>
std::string names(const std::vector<T>& elements) {
  std::string all;
  for (const T& element : elements) {
    all += element.name + " ";
  }
  return all;
}

TEST_F(Attach, ABodyComesWithItsNamesAndWhatRefersToItOnly) {
  const Spec spec =
      load(scene("<frame pos='0 1 0'><attach model='kid' body='root' prefix='q_'/></frame>"));
  EXPECT_EQ(names(spec.worldbody.bodies), "pb q_root free ");
  const Body& root = spec.worldbody.bodies[1];
  EXPECT_EQ(root.pos, (Vec3{1.0, 1.0, 0.0}));
  EXPECT_EQ(root.bodies[0].name, "q_sub");
  EXPECT_EQ(root.bodies[0].joints[0].name, "");
  EXPECT_EQ(root.geoms[0].size[0], 0.3);
  EXPECT_EQ(root.geoms[0].material, "q_m");
  EXPECT_EQ(root.lights[0].target, "q_root");
  EXPECT_EQ(names(spec.excludes), "q_e1 ");
  EXPECT_EQ(names(spec.pairs), "q_p1 ");
  EXPECT_EQ(names(spec.tendons), "q_t1 ");
  EXPECT_EQ(names(spec.actuators), "pa q_at1  ");
  EXPECT_EQ(spec.actuators[2].target, "q_j1");
  EXPECT_EQ(spec.option.timestep, 0.002);
  EXPECT_EQ(spec.files[static_cast<std::size_t>(root.source.file)],
            fs::weakly_canonical(folder_ / "child.xml").string());
}

TEST_F(Attach, KeyframesAreSpreadOverTheScene) {
  const Spec spec = load(scene("<attach model='kid' body='root' prefix='q_'/>"));
  ASSERT_EQ(spec.keys.size(), 1U);
  const Key& key = spec.keys[0];
  EXPECT_EQ(key.name, "q_k");
  EXPECT_EQ(key.time, 3.0);
  EXPECT_EQ(key.qpos, (std::vector<double>{0.5, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(key.qvel, (std::vector<double>{0.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(key.ctrl, (std::vector<double>{0.0, 2.0, 4.0}));
  EXPECT_EQ(key.act, (std::vector<double>{9.0}));
}

TEST_F(Attach, KeyframesPlaceMocapBodiesOfTheirModel) {
  write("kid_mocap.xml", R"(<mujoco><worldbody>
      <body name="m1" mocap="true" pos="1 0 0"/><body mocap="true" pos="2 0 0"/></worldbody>
      <keyframe><key mpos="1 2 3 4 5 6" mquat="0 1 0 0 0 0 2 0"/></keyframe></mujoco>)");
  const Spec spec = load(write("mocap.xml", R"(<mujoco>
      <asset><model name="kid" file="kid_mocap.xml"/></asset><worldbody>
      <body name="a" mocap="true" pos="9 8 7" quat="0 0 0 1"/>
      <frame pos="10 0 0"><attach model="kid" prefix="q_"/></frame></worldbody></mujoco>)"));
  EXPECT_EQ(names(spec.worldbody.bodies), "a q_m1  ");
  ASSERT_EQ(spec.keys.size(), 1U);
  EXPECT_EQ(spec.keys[0].mpos, (std::vector<double>{9, 8, 7, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(spec.keys[0].mquat, (std::vector<double>{0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 2, 0}));
}

TEST_F(Attach, ReplicasGetAffixesAndTheKeyframeSetsTheFirst) {
  const Spec spec =
      load(scene("<replicate count='2' offset='0 1 0' sep='-'>"
                 "<attach model='kid' body='root' prefix='q_'/></replicate>"));
  EXPECT_EQ(names(spec.worldbody.bodies), "pb q_root-0 q_root-1 free ");
  EXPECT_EQ(spec.worldbody.bodies[2].pos, (Vec3{1.0, 1.0, 0.0}));
  EXPECT_EQ(names(spec.actuators), "pa q_at1-0  q_at1-1  ");
  EXPECT_EQ(names(spec.materials), "q_m ");
  ASSERT_EQ(spec.keys.size(), 1U);
  EXPECT_EQ(spec.keys[0].qpos,
            (std::vector<double>{0.5, 1.0, 2.0, 0.3, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0}));
}

TEST_F(Attach, AllOfAWorldComesWithoutABody) {
  const Spec spec = load(scene("<attach model='kid' prefix='q_'/>"));
  EXPECT_EQ(names(spec.worldbody.geoms), "q_ground ");
  EXPECT_EQ(names(spec.worldbody.bodies), "pb q_root q_other free ");
  EXPECT_EQ(names(spec.actuators), "pa q_ao q_at1 q_at2  ");
}

TEST_F(Attach, TheJsonSpellingFindsTheModelFromAnywhere) {
  const fs::path path = scene("<attach model='kid' prefix='q_'/>");
  EXPECT_EQ(describe(load_string(to_json(path), Format::json, "/elsewhere/scene.json")),
            describe(load(path)));
}

TEST_F(Attach, AFrameComesAsItWasWrittenWhateverItStandsIn) {
  // numbers that lose digits when a frame around them is added and taken away again
  const std::string frame =
      "<frame name='f' pos='0.1 0.2 0.3' euler='0 0 0'><geom name='g' pos='0.7 0 1e-9'/>"
      "<body name='b' pos='1e-9 0 0'/></frame>";
  write("child.xml",
        "<mujoco model='kid'><compiler angle='radian'/><default><geom size='1'/></default>"
        "<worldbody><frame pos='1e5 3e5 7e5' euler='1 2 3'>" +
            frame + "</frame></worldbody></mujoco>");
  const Spec spec =
      load(scene("<attach model='kid' frame='f' prefix='q_'/>"
                 "<attach frame='q_f' prefix='r_'/><attach body='q_b' prefix='s_'/>"));
  ASSERT_EQ(names(spec.worldbody.geoms), "q_g r_q_g ");
  ASSERT_EQ(names(spec.worldbody.bodies), "pb q_b r_q_b s_q_b free ");
  for (const Geom& geom : spec.worldbody.geoms) {
    EXPECT_EQ(geom.pos, (Vec3{0.1 + 0.7, 0.2, 0.3 + 1e-9}));
    EXPECT_EQ(geom.quat, identity_quat);
  }
  EXPECT_EQ(spec.worldbody.bodies[2].pos, (Vec3{0.1 + 1e-9, 0.2, 0.3}));
  EXPECT_EQ(spec.worldbody.bodies[3].pos, (Vec3{1e-9, 0.0, 0.0}));
}

TEST_F(Attach, CopiesOfCopiesAreRefusedBeforeTheyFillTheMemory) {
  // each attach doubles the scene and what refers to it
  std::string copies;
  for (int i = 0; i < 30; ++i) {
    copies += "<attach body='world' prefix='p" + std::to_string(i) + "_'/>\n";
  }
  std::string excludes;
  for (int i = 0; i < 256; ++i) {
    excludes += "<exclude body1='a' body2='world'/>";
  }
  const Error refused =
      error(write("copies.xml", "<mujoco><worldbody><body name='a'/>\n" + copies +
                                    "</worldbody><contact>" + excludes + "</contact></mujoco>"));
  EXPECT_NE(refused.problem().find("elements"), std::string::npos);
  // the twelfth copy makes 256 · 2^12 references of 2^12 bodies
  EXPECT_EQ(refused.line(), 13);
}

TEST_F(Attach, MistakesAreRefused) {
  error(scene("<attach model='kid' body='none' prefix='q_'/>"));
  error(scene("<attach model='none' body='root' prefix='q_'/>"));
  error(scene("<attach model='kid' body='root'/>"));
  error(scene("<attach model='kid' prefix='q_'/><attach model='kid' prefix='q_'/>"));
  EXPECT_NE(error(scene("<attach model='kid' frame='f' prefix='q_'/>")).problem().find("frame"),
            std::string::npos);
  EXPECT_NE(error(scene("<attach body='later' prefix='q_'/>")).remedy().find("before"),
            std::string::npos);
  // a replicate that attaches what it stands in would copy itself half built
  EXPECT_NE(error(scene("<body name='r'><replicate count='2'><geom size='1'/>"
                        "<attach body='r' prefix='q_'/></replicate></body>"))
                .remedy()
                .find("out of the replicate"),
            std::string::npos);
  EXPECT_NE(
      error(write("self.xml", "<mujoco><asset><model name='s' file='self.xml'/></asset></mujoco>"))
          .problem()
          .find("attaches itself"),
      std::string::npos);
  error(write("none.xml", "<mujoco><asset><model name='s' file='nowhere.xml'/></asset></mujoco>"));
  // what is not supported in the other model is listed too
  write("child.xml", "<mujoco model='kid'>\n<sensor><clock/></sensor></mujoco>");
  const Error inside = error(scene("<attach model='kid' prefix='q_'/>"));
  EXPECT_EQ(inside.line(), 2);
  // settings of compilation hold for the whole scene
  write("child.xml", "<mujoco model='kid'><compiler boundmass='1'/></mujoco>");
  EXPECT_NE(error(scene("<attach model='kid' prefix='q_'/>")).problem().find("compiler"),
            std::string::npos);
}

TEST_F(Attach, AKeyframeOfTheWrongLengthIsRefused) {
  write("child.xml",
        "<mujoco model='kid'><worldbody><body><joint/></body></worldbody>"
        "<keyframe>\n<key qpos='1 2'/></keyframe></mujoco>");
  EXPECT_EQ(error(scene("<attach model='kid' prefix='q_'/>")).line(), 2);
}

}  // namespace
}  // namespace swept::test
