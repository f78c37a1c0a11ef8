// SPDX-License-Identifier: Apache-2.0
// Small scenes, one for each rule of the scene compiler that robots seldom use, against the
// official library, and random scenes that mix them: array by array, and the candidate pairs. They
// need no files.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/model_comparer.h"
#include "parity/random_mjcf.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>

namespace swept::test {
namespace {

/// A scene in a line: what stands before the worldbody, the worldbody, and what comes after it.
struct Feature {
  const char* name;
  const char* head;
  const char* world;
  const char* tail = "";

  std::string xml() const {
    return std::string("<mujoco>") + head + "<worldbody>" + world + "</worldbody>" + tail +
           "</mujoco>";
  }
};

void PrintTo(const Feature& feature, std::ostream* out) {
  *out << feature.name;
}

/// A chain of three bodies with all kinds of geoms.
constexpr const char* chain = R"(
  <geom name="floor" type="plane" size="2 2 .1"/>
  <body name="a" pos="0 0 1" euler="10 20 30">
    <freejoint/>
    <geom name="a1" type="capsule" size=".1 .3" pos=".1 0 .2" euler="40 50 60"/>
    <geom name="a2" size=".15" pos="-.3 0 .1"/>
    <site name="a3" pos=".1 .1 .1" type="box" size=".1 .2 .3"/>
    <body name="b" pos=".4 0 0" quat=".7 .1 .2 .3">
      <joint name="bx" axis="1 1 0" pos=".1 0 0" range="-30 60" damping="1" armature=".1"/>
      <joint name="by" type="slide" axis="0 1 2" range="-1 2" ref=".1" springref=".2"/>
      <geom name="b1" type="sphere" size=".1" mass="3"/>
      <geom name="b2" type="capsule" size=".05 .1" pos="0 0 .2" conaffinity="0" contype="0"/>
      <camera pos="1 2 3" euler="10 20 30" fovy="60"/>
      <light pos="1 2 3" dir="1 1 -2"/>
      <body name="c" pos="0 .3 0">
        <joint name="cb" type="ball" range="0 40" stiffness="3" frictionloss=".2"/>
        <geom name="c1" type="sphere" size=".12" density="500"/>
      </body>
    </body>
  </body>)";

/// A fixed body on a moving one, and its relatives.
constexpr const char* welded = R"(
  <geom name="w1" size=".1"/>
  <body name="A" pos="0 0 1">
    <geom name="a1" size=".1"/>
    <body name="B" euler="0 20 0"><joint name="j"/>
      <geom name="b1" size=".1" pos=".1 0 0"/>
      <body name="C" pos="1 0 0" euler="0 0 30"><geom name="c1" size=".1" pos="0 .1 0"/>
        <site name="cs" pos=".1 .2 .3"/><camera pos="0 0 1"/><light pos="0 0 1" dir="1 0 0"/>
        <body name="D" pos="0 0 1"><geom name="d1" size=".1"/><joint axis="1 0 0"/></body>
        <body name="E" pos="0 1 0"><geom name="e1" size=".1"/></body>
      </body>
      <geom name="b2" size=".1"/>
      <body name="F"><geom name="f1" size=".1"/><joint/></body>
      <body name="G" pos="0 0 2" gravcomp="1"><geom name="g1" size=".1"/></body>
      <body name="H" pos="0 0 3"><inertial pos="0 0 .1" mass="2" diaginertia=".1 .2 .25"/></body>
    </body>
  </body>
  <geom name="w2" size=".1"/>
  <body name="I"><geom name="i1" size=".1"/></body>
  <body name="J"><joint/><geom name="j1" size=".1"/></body>)";

/// Looks, and collides with nothing.
constexpr const char* visual = R"(
  <geom name="w" size=".1" contype="0" conaffinity="0"/>
  <body name="B" pos="0 0 1"><joint/>
    <geom name="b1" size=".1" contype="0" conaffinity="0"/>
    <geom name="b2" type="capsule" size=".1 .2" pos="1 0 0" euler="20 30 40"/>
    <geom name="b3" size=".2" pos="0 1 0" contype="0" conaffinity="0" group="1"/>
    <body pos="1 2 3"><geom size=".1" contype="0" conaffinity="0"/></body>
  </body>)";

const Feature features[] = {
    {"an_empty_world", "", ""},
    {"a_world_of_geoms", "", R"(<geom size="1 2 3"/><geom type="capsule" size="1 2 3" pos="1 2 3"/>
      <geom type="plane" size="0 3 1"/><geom type="plane" size="0 0 1"/><site size=".1"/>)"},
    {"a_body_without_anything", "", R"(<body pos="1 2 3" euler="10 20 30"/>)"},
    {"a_chain", "", chain},
    {"total_mass", R"(<compiler settotalmass="7"/>)", chain},
    {"bounds", R"(<compiler boundmass="5" boundinertia=".3"/>)", chain},
    {"inertia_groups", R"(<compiler inertiagrouprange="1 2"/>)", R"(
      <body><joint/><geom size=".1" group="1"/><geom size=".2"/><geom size=".3" pos="1 0 0"
        group="2"/>
      </body>)"},
    {"inertia_from_geoms_always", R"(<compiler inertiafromgeom="true"/>)", R"(
      <body><joint/><inertial pos="1 2 3" mass="4" diaginertia="1 1 1"/><geom size=".1"/></body>
      <body><joint/><inertial pos="1 2 3" mass="4" diaginertia="1 1 1"/></body>)"},
    {"inertia_from_geoms_never", R"(<compiler inertiafromgeom="false"/>)", R"(
      <body><joint/><inertial pos="1 2 3" mass="4" diaginertia="1 1 1"/><geom size=".1"/></body>
      <body pos="1 1 1"><geom size=".1"/></body>)"},
    {"balanced_inertia", R"(<compiler balanceinertia="true"/>)", R"(
      <body><joint/><inertial pos="0 0 0" mass="4" diaginertia=".1 .2 .9"/></body>)"},
    {"full_inertia", "", R"(
      <body><joint/><inertial pos="0 0 .1" mass="4" fullinertia="3 4 5 .1 -.2 .3"/></body>
      <body><joint/><inertial pos="0 0 .1" mass="4" fullinertia="5 3 4 0 0 .3"/></body>
      <body><joint/><inertial pos="0 0 .1" mass="4" fullinertia="3 3 3 .4 .4 .4"/></body>
      <body><joint/><inertial pos="0 0 .1" mass="4" fullinertia="3 4 5 0 0 0"/></body>
      <body><joint/><inertial pos="0 0 .1" mass="4" euler="10 20 30" diaginertia="3 5 4"/>
        </body>)"},
    {"shells", R"(<default><geom contype="0" conaffinity="0"/></default>)", R"(
      <body><joint/><geom type="sphere" size=".1 .2 .3" shellinertia="true"/></body>
      <body pos="9 0 0"><joint/><geom type="capsule" size=".1 .2 .3" shellinertia="true"/></body>
      <body pos="0 9 0"><geom type="cylinder" size=".1 .2 .3" shellinertia="true"/></body>
      <body pos="0 0 9"><geom type="ellipsoid" size=".1 .2 .3" shellinertia="true"/></body>
      <body pos="9 9 9"><geom type="box" size=".1 .2 .3" shellinertia="true" mass="2"/></body>)"},
    {"solids_without_contacts", R"(<default><geom contype="0" conaffinity="0"/></default>)", R"(
      <body><joint/><geom type="sphere" size=".1 .2 .3"/></body>
      <body><joint/><geom type="capsule" size=".1 .2 .3" mass="0"/><geom size=".1"/></body>
      <body><joint/><geom type="cylinder" size=".1 .2 .3"/></body>
      <body><joint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
      <body><joint/><geom type="box" size=".1 .2 .3" euler="30 0 0"/>
        <geom type="cylinder" size=".1 .2" fromto="0 0 0 1 2 3"/></body>)"},
    {"frames_that_coincide", "", R"(
      <body pos="0 0 1"><freejoint/><geom size=".1"/><geom size=".2"/><site/>
        <site pos="1e-7 0 0"/><site pos="0 0 .1"/></body>
      <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0" euler="0 0 30"/>
        <site pos=".1 0 0" euler="0 0 30"/><site euler="0 0 30"/><site pos=".1 0 0"/></body>)"},
    {"simple_bodies", R"(<option><flag contact="disable"/></option>)", R"(
      <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 -1"/><geom size=".1"/>
        </body>
      <body><joint type="slide" axis="1 1 0"/><geom size=".1"/></body>
      <body><joint type="slide" axis="1 0 0"/><joint axis="0 1 0"/><geom size=".1"/></body>
      <body><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".1"/></body>
      <body><joint axis="0 1 0" pos="0 0 1"/><geom size=".1"/></body>
      <body><joint type="ball"/><geom type="box" size=".1 .2 .3"/></body>
      <body simple="false"><joint type="ball"/><geom type="capsule" size=".1 .2"/></body>
      <body pos="0 0 3"><body><joint type="slide"/><geom size=".1"/></body></body>
      <body><freejoint/><geom size=".1"/><body><joint/><geom size=".1"/></body></body>)",
     ""},
    {"actuators_of_sites", R"(<option><flag contact="disable"/></option>)", R"(
      <site name="w" pos=".1 .2 .3" euler="10 20 30"/>
      <body pos="0 0 1" euler="30 20 10"><joint name="f" type="free"/><geom type="box" size=".1 .2 .3"
        pos=".1 0 .05"/><site name="s0" pos=".1 .1 0" euler="0 40 0"/><site name="s1"/>
        <site name="s2" pos=".1 0 .05"/>
        <body pos=".3 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/>
          <site name="s3" pos=".2 0 0" euler="5 6 7"/>
          <body pos=".3 0 0"><joint name="h" axis="1 1 0"/><geom size=".1" pos="0 .1 0"/>
            <site name="s4" pos="0 .2 .1" euler="50 60 70"/></body></body></body>
      <body pos="2 0 1" euler="0 0 60"><freejoint/><geom type="box" size=".1 .2 .3"/>
        <site name="s5" pos="0 0 .3" euler="9 8 7"/></body>)",
     R"(<actuator><motor site="s0" gear="1 2 3 .4 .5 .6"/><motor site="s1" gear="0 0 1"/>
      <motor site="w" gear="1 1 1"/><position site="s4" kp="3" dampratio="1"/>
      <position site="s4" refsite="s0" gear="1 2 3" kp="2" dampratio=".7"/>
      <position site="s4" refsite="s5" gear="1 2 3 4 5 6" kp="2" kv="1"/>
      <position site="s5" refsite="s2" gear="0 0 0 1 0 2" kp="2" dampratio="2"/>
      <motor site="w" refsite="s3" gear="1 2 3 4 5 6"/><motor site="s3" refsite="s3"/>
      <motor jointinparent="f" gear="1 2 3 4 5 6"/><motor jointinparent="b" gear="1 2 3"/>
      <motor jointinparent="h" gear="3" armature=".2" damping=".3"/>
      <motor joint="h" gear="2" armature=".1"/><motor jointinparent="b" armature=".05" gear="2"/>
      </actuator>)"},
    {"surfaces_that_move", "", R"(<geom type="plane" size="1 1 1" surfacevel="1 2 3 4 5 6"/>
      <body><freejoint/><geom type="capsule" size=".1" fromto="0 0 0 1 1 1" surfacevel="1 2"/>
        <frame euler="10 20 30"><geom size=".1" surfacevel="0 0 0 1"/></frame></body>)"},
    {"shapes_in_a_medium",
     R"(<option density="1.2" viscosity=".1" wind="1 2 3" integrator="implicitfast"/>
      <asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 .5"/></asset>
      <default><default class="thin"><geom fluidshape="ellipsoid" fluidcoef=".4 .3"/></default>
      </default>)",
     R"(<body><freejoint/><geom type="box" size=".1 .2 .3" fluidshape="ellipsoid"/>
        <geom size=".1" fluidcoef="1 2 3 4 5"/><geom size=".1" class="thin" fluidshape="none"/>
        <geom type="capsule" size=".1 .3" class="thin"/>
        <geom type="ellipsoid" size=".1 .02 .3" class="thin" fluidcoef="0 1 0 1 0"/></body>
      <body><joint/><geom type="cylinder" size=".1 .3" fluidshape="ellipsoid"/>
        <geom size=".1" fluidshape="ellipsoid"/>
        <geom type="mesh" mesh="m" fluidshape="ellipsoid"/>
        <geom type="box" mesh="m" fluidshape="ellipsoid"/></body>)"},
    {"fused_in_a_medium",
     R"(<option density="1.2" integrator="implicit"/>
      <compiler fusestatic="true" discardvisual="true"/>)",
     R"(<body><freejoint/><geom size=".1"/>
        <body name="has mass" pos="1 0 0"><geom size=".1"/></body>
        <body name="has none" pos="0 1 0"><geom size=".1" mass="0"/></body>
        <body name="ellipsoid" pos="0 0 1">
          <geom size=".1" mass="0" fluidshape="ellipsoid" contype="0" conaffinity="0"/></body>
        <geom size=".2" contype="0" conaffinity="0"/></body>
      <body pos="2 0 0"><geom size=".1"/></body>)"},
    {"fused_without_a_medium",
     R"(<option wind="1 0 0"/><compiler fusestatic="true" discardvisual="true"/>)",
     R"(<body><freejoint/><geom size=".1"/>
        <body name="has mass" pos="1 0 0"><geom size=".1"/></body>
        <body name="ellipsoid" pos="0 0 1">
          <geom size=".1" fluidshape="ellipsoid" contype="0" conaffinity="0"/></body>
        <geom size=".2" contype="0" conaffinity="0"/></body>)"},
    {"bits_of_all_places", "", R"(<geom size=".1" contype="-2147483648" conaffinity="0"/>
      <geom size=".1" contype="1073741824" conaffinity="-1"/>
      <body><freejoint/><geom size=".1" contype="0" conaffinity="-2147483648"/>
        <geom size=".1" contype="2147483647" conaffinity="2"/></body>
      <body><freejoint/><geom size=".1" contype="4" conaffinity="1073741824" group="5"/></body>)"},
    {"free_bodies_aligned", R"(<compiler alignfree="true"/>)", R"(
      <body pos="1 0 0" euler="10 0 0"><freejoint/><geom size=".1" pos="0 0 2"/>
        <geom size=".2" pos=".1 0 2.1"/><site pos="1 1 1"/><camera pos="1 1 1"/>
        <light pos="1 1 1" dir="1 0 0"/></body>
      <body><freejoint align="false"/><geom size=".1" pos="0 0 5"/></body>
      <body pos="1 0 9"><freejoint/><geom size=".1" pos="1 2 3"/>
        <body><joint/><geom size=".1" pos="1 2 3"/></body></body>)"},
    {"springs_by_time_constant", "", R"(
      <body><joint springdamper=".5 1.2"/><geom size=".1" pos="0 .1 .2"/></body>
      <body><joint type="ball" springdamper=".5 .2"/><geom type="capsule" size=".1 .2"/></body>
      <body><joint type="free" springdamper=".5 .2"/><geom type="capsule" size=".1 .2"/></body>)"},
    {"forces_and_angles_of_balls", "", R"(
      <body><joint type="ball" actuatorfrcrange="-1 1" limited="true"/>
        <geom type="capsule" size=".1 .2"/></body>)"},
    {"cameras_with_sensors", "", R"(
      <camera focalpixel="1600 1500" resolution="1920 1200" sensorsize="9.6e-3 6e-3"/>
      <camera focal="8e-3 7e-3" resolution="1920 1200" sensorsize="9.6e-3 6e-3"/>
      <camera fovy="30"/>)"},
    {"polynomial_springs", "", R"(
      <body><joint stiffness="1 2 3" damping="4 5 6"/><geom size=".1" pos="0 .1 .2"/></body>)"},
    {"static_bodies_fused", R"(<compiler fusestatic="true"/>)", welded},
    {"static_bodies_fused_around_an_excluded_one", R"(<compiler fusestatic="true"/>)", welded,
     R"(<contact><exclude body1="C" body2="J"/></contact>)"},
    {"visual_geoms_discarded", R"(<compiler discardvisual="true"/>)", visual},
    {"visual_geoms_discarded_but_a_pair", R"(<compiler discardvisual="true"/>)", visual,
     R"(<contact><pair geom1="b1" geom2="w"/></contact>)"},
    {"visual_geoms_discarded_and_bodies_fused",
     R"(<compiler discardvisual="true" fusestatic="true"/>)", visual},
    {"pairs_and_excludes", "", R"(
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="a"><joint/><geom name="a1" size=".1"/><geom name="a2" type="capsule"
        size=".1 .2"/>
        <body name="b"><joint/><geom name="b1" size=".1"/><geom name="b2" size=".1" contype="2"/>
          <body name="c"><joint/><geom name="c1" size=".1"/>
            <body name="d"><geom name="d1" size=".1"/></body></body></body></body>
      <body name="e"><geom name="e1" type="capsule" size=".1 .2"/>
        <body name="f"><joint/><geom name="f1" type="box" size=".1 .1 .1" contype="0"
          conaffinity="2"/>
        </body></body>)",
     R"(<contact>
      <pair name="p1" geom1="c1" geom2="a1" condim="6" friction=".1 .2 .3 .4 .5" margin=".1"
        gap=".2"
        solref="-1 -2" solimp=".1 .2 .3 .4 .5" solreffriction=".1 .2"/>
      <pair name="p2" geom1="a2" geom2="floor"/><pair name="p3" geom1="a1" geom2="c1" condim="1"/>
      <pair name="p4" geom1="a1" geom2="b1"/><pair name="p5" geom1="a1" geom2="a2"/>
      <exclude name="x1" body1="e" body2="a"/><exclude name="x2" body1="a" body2="e"/>
      <exclude name="x3" body1="d" body2="a"/></contact>)"},
    {"mocap_bodies", "", R"(
      <geom name="floor" type="plane" size="1 1 1"/><body name="s"><geom size=".1"/></body>
      <body name="m" mocap="true" pos="1 2 3" euler="10 20 30"><geom size=".1"/>
        <geom type="plane" size="1 1 1"/>
        <body name="w" pos="0 0 1"><geom size=".1"/>
          <body name="j"><joint/><geom size=".1"/></body></body>
        <body name="k"><joint/><geom name="k1" size=".1"/></body></body>
      <body mocap="true"/><frame pos="1 0 0" euler="0 0 90"><body mocap="true" pos="0 2 0">
        <geom size=".2" pos=".1 0 0"/></body></frame>
      <body name="f"><freejoint/><geom name="f1" size=".1"/></body>)",
     R"(<contact><exclude body1="f" body2="k"/><pair geom1="f1" geom2="k1"/></contact><keyframe>
      <key name="a" mpos="1 2 3 4 5 6 7 8 9" mquat="2 0 0 0 0 1 1 0 1 2 3 4"/><key name="b"/>
      <key name="c" mquat="1 0 0 0 0 0 0 1 0 0 1 1"/></keyframe>)"},
    {"mocap_bodies_are_not_fused", R"(<compiler fusestatic="true"/>)", R"(
      <body pos="0 0 1"><geom size=".1"/></body>
      <body mocap="true" pos="1 0 0"><geom size=".1"/><body pos="1 1 1"><geom size=".1"/></body>
        </body>
      <body><joint/><geom size=".1"/></body>)"},
    {"parents_collide_when_their_filter_is_off",
     R"(<option><flag filterparent="disable"/></option>)", chain},
    {"fixed_tendons", "", chain, R"(<tendon>
      <fixed name="t1" range="-1 2" stiffness="3" damping="4 5" frictionloss=".1"
        margin=".2" group="2">
        <joint joint="bx" coef="2"/><joint joint="by" coef="-3"/></fixed>
      <fixed name="t2" springlength=".1 .3" armature=".7" stiffness="1 2 3"
        actuatorfrcrange="-1 1"><joint joint="by" coef="1"/></fixed>
      <fixed name="t3" limited="false" range="-1 2"><joint joint="bx" coef="1"/></fixed>
        </tendon>)"},
    {"actuators", "", chain, R"(<tendon>
      <fixed name="t1" range="-1 2"><joint joint="bx" coef="2"/><joint joint="by" coef="-3"/>
        </fixed>
      </tendon><actuator>
      <motor name="m1" joint="bx" gear="3" ctrlrange="-1 2" forcerange="-3 4" group="2"/>
      <position name="m2" joint="by" kp="40" dampratio="1.5" gear="2"/>
      <position name="m3" tendon="t1" kp="40" dampratio=".5" inheritrange="1"/>
      <position name="m4" joint="bx" kp="40" kv="2" inheritrange=".7" timeconst=".2"/>
      <velocity name="m5" joint="bx" kv="3"/>
      <motor name="m6" joint="cb" gear="1 2 3"/>
      <general name="m7" joint="bx" dyntype="integrator" actrange="-1 1" biastype="affine"
        gainprm="3" biasprm="0 -3 .5" actearly="true"/>
      <general name="m8" joint="by" dyntype="filter" dynprm=".3" ctrllimited="false"
        ctrlrange="0 1"/>
      <general name="m9" tendon="t1" dyntype="filterexact" gaintype="affine" gainprm="1 2 3"/>
      <general name="m10" joint="bx" damping="1 2 3" armature=".4" gear="3"/>
      <general name="m11" joint="by" armature=".4"/><general name="m12" joint="by" damping=".4"/>
      <general name="m13" tendon="t1" armature=".3" gear="2"/></actuator>)"},
    {"keyframes", R"(<size nkey="6"/>)", chain, R"(<actuator>
      <general joint="bx" dyntype="integrator" actlimited="false"/></actuator><keyframe>
      <key name="k1" time="2" qpos="1 2 3 0 2 0 0 4 5 1 1 1 1"/>
      <key name="k2" qvel="1 2 3 4 5 6 7 8 9 10 11"/>
      <key act="3" ctrl="4"/><key name="short" qpos="1 2 3" qvel="4 5"/></keyframe>)"},
    {"statistic", R"(<statistic meanmass="2" meansize="3" extent="4" center="5 6 7"/>)", chain},
    {"custom", "", chain, R"(<custom><numeric name="n1" data="1 2 3" size="5"/>
      <numeric name="n2" size="2"/><numeric name="n3" data="4"/><text name="t" data="hello"/>
      <tuple name="u"><element objtype="body" objname="a"/></tuple></custom>)"},
    {"gravity_compensation", R"(<option gravity="1 2 3" timestep=".01" impratio="3" cone="elliptic"
      integrator="RK4" iterations="7" tolerance="1e-5" solver="CG"/>)",
     R"(<body gravcomp=".5"><joint actuatorgravcomp="true" actuatorfrcrange="-1 2"/><geom
       size=".1"/>
      </body>)"},
    {"contacts_off", R"(<option><flag contact="disable"/></option>)", chain},
};

class CompileFeature : public testing::TestWithParam<Feature> {};

TEST_P(CompileFeature, CompilesAsInTheOfficialLibrary) {
  mju_user_warning = [](const char*) {};
  const std::string xml = GetParam().xml();
  const Model ours = compile(load_string(xml, Format::xml));
  Oracle oracle = Oracle::from_text(xml);
  const Comparison result = ModelComparer(ours, oracle.model()).run();
  std::printf("%-46s %6d arrays %6zu numbers, worst %8.1e  %s\n", GetParam().name, result.arrays,
              result.numbers, result.worst.size, result.worst.where.c_str());
  EXPECT_LE(result.worst.size, compile_tolerance) << result.worst.where;
  compare_candidates(ours, oracle);
}

INSTANTIATE_TEST_SUITE_P(Rules, CompileFeature, testing::ValuesIn(features),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST(CompileRandom, ScenesCompileAsInTheOfficialLibrary) {
  mju_user_warning = [](const char*) {};
  constexpr unsigned scenes = 1000;
  int compared = 0;
  std::size_t numbers = 0;
  Difference worst;
  for (unsigned seed = 0; seed < scenes; ++seed) {
    const std::string xml = RandomMjcf(seed).scene();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::unique_ptr<Oracle> oracle;
    try {
      oracle = std::make_unique<Oracle>(Oracle::from_text(xml));
    } catch (const std::runtime_error& refusal) {
      // what one side refuses, the other must refuse too
      EXPECT_THROW(compile(load_string(xml, Format::xml)), Error) << refusal.what();
      continue;
    }
    const Model ours = compile(load_string(xml, Format::xml));
    const Comparison result = ModelComparer(ours, oracle->model()).run();
    worst.add(result.worst.size, result.worst.where);
    EXPECT_LE(result.worst.size, compile_tolerance) << result.worst.where;
    compare_candidates(ours, *oracle);
    numbers += result.numbers;
    ++compared;
    if (HasFailure()) {
      break;
    }
  }
  std::printf("%d random scenes, %zu numbers, worst %8.1e  %s\n", compared, numbers, worst.size,
              worst.where.c_str());
  EXPECT_GT(compared, 0.8 * scenes);
}

}  // namespace
}  // namespace swept::test
