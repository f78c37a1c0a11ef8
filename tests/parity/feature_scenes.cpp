// SPDX-License-Identifier: Apache-2.0
// The texts of the feature scenes.
#include "parity/feature_scenes.h"

#include "support/implicit_scenes.h"

namespace swept::test {
namespace {

/// Things that fall on each other between three planes: all pairs of types that collide, with
/// contact dimensions, frictions, references and impedances to mix. The brick does not touch
/// capsules.
constexpr const char* pile = R"(
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" condim="3" friction=".7 .01 .001" contype="3"/>
    <geom name="ramp" type="plane" size="5 5 .1" pos=".6 0 0" zaxis="-1 0 .7" condim="6"
          friction=".5 .02 .003" solref=".03 .9" contype="3"/>
    <geom name="wall" type="plane" size="5 5 .1" pos="0 -.5 0" zaxis="0 1 .2" condim="1"
          contype="3"/>
    <body name="ball" pos="0 0 .12">
      <freejoint/>
      <geom size=".1" condim="4" friction=".9 .05 .0002" solmix="2" margin=".01" gap=".005"
            contype="3"/>
    </body>
    <body name="rod" pos="0 .05 .3" euler="80 10 0">
      <freejoint/>
      <geom type="capsule" size=".06 .15" condim="6" friction=".4 .03 .004" margin=".02"
            solimp=".8 .99 .002 .4 3"/>
    </body>
    <body name="brick" pos=".25 0 .15" euler="10 20 30">
      <freejoint/>
      <geom type="box" size=".1 .08 .06" condim="3" solref="-2000 -40" contype="2" conaffinity="2"/>
    </body>
    <body name="egg" pos=".22 .05 .36">
      <freejoint/>
      <geom size=".08" condim="1" priority="1" solref=".04 .7" solimp=".7 .9 .01 .5 1"
            contype="3"/>
      <geom type="capsule" size=".04 .1" pos="0 0 .08" euler="0 60 0" condim="4" solmix="0"/>
    </body>
    <body name="stick" pos="-.2 .1 .2" euler="20 70 40">
      <freejoint/>
      <geom type="capsule" size=".05 .2" condim="4" solmix="1e-20" friction="1.3 0 0"/>
      <body pos="0 0 .25">
        <joint axis="1 1 0" damping=".01"/>
        <geom size=".07" condim="6" friction=".3 .01 .01" solimp=".9 .95 0" contype="3"/>
      </body>
    </body>
  </worldbody>)";

/// Pairs that say for themselves how they touch.
constexpr const char* pairs = R"(
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" contype="0" conaffinity="0"/>
    <body name="a" pos="0 0 .1">
      <freejoint/>
      <geom name="a1" size=".1" contype="0" conaffinity="0"/>
      <geom name="a2" type="capsule" size=".05 .1" pos=".1 0 0" contype="0" conaffinity="0"/>
    </body>
    <body name="b" pos="0 .05 .3">
      <freejoint/>
      <geom name="b1" type="box" size=".1 .1 .1" contype="0" conaffinity="0"/>
      <geom name="b2" size=".08" pos="0 0 .15" contype="0" conaffinity="0"/>
    </body>
    <body name="c" pos=".1 .02 .5">
      <freejoint/>
      <geom name="c1" type="capsule" size=".05 .15" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="a1" condim="6" friction=".9 .5 .02 .001 .003" solref=".03 1.1"
          solreffriction=".05 1.2" margin=".02"/>
    <pair geom1="a2" geom2="floor" condim="3" friction=".2 1.1 0 0 0" solreffriction="-500 -30"/>
    <pair geom1="floor" geom2="b1" condim="4" solimp=".6 .97 .005 .3 4" gap=".01" margin=".005"/>
    <pair geom1="b1" geom2="a1" condim="3" solref="-3000 -60" margin=".03"/>
    <pair geom1="c1" geom2="b2" condim="1" margin=".01" gap=".02"/>
    <pair geom1="a2" geom2="c1" condim="6" friction="1 1 .1 .02 .02"/>
    <pair geom1="floor" geom2="c1" condim="4"/>
    <exclude body1="a" body2="b"/>
  </contact>)";

/// Mocap bodies among falling things: boxes, a sphere, a rod and a plane that stand where they are
/// told, a body fixed to one and a chain that hangs on another.
constexpr const char* mocap = R"(
  <worldbody>
    <geom type="plane" size="5 5 .1" contype="3"/>
    <body name="tray" mocap="true" pos="0 0 .05" euler="10 5 0">
      <geom type="box" size=".3 .25 .05" friction=".6 .01 .001" contype="2" conaffinity="2"/>
      <body name="rim" pos=".3 0 .1" euler="0 20 30">
        <geom size=".08" contype="3"/>
        <site pos="0 0 .1"/>
      </body>
    </body>
    <body name="board" mocap="true" pos="0 -.4 0" zaxis="0 1 .3">
      <geom type="plane" size="2 2 .1" condim="1" contype="3"/>
    </body>
    <body name="hand" mocap="true" pos="-.15 .1 .4" gravcomp="1">
      <geom type="capsule" size=".05 .1" condim="4"/>
      <geom size=".07" pos="0 0 .15" contype="3"/>
      <body name="pendulum" pos="0 0 -.15">
        <joint axis="0 1 0" damping=".05" range="-60 60"/>
        <geom type="capsule" size=".03 .1" pos="0 0 -.1"/>
        <geom size=".05" pos="0 0 -.22" contype="3"/>
      </body>
    </body>
    <body name="ball" pos="0 0 .22">
      <freejoint/><geom size=".1" contype="3"/>
    </body>
    <body name="marble" pos=".1 .05 .4">
      <freejoint/><geom size=".06" condim="6" friction=".8 .02 .003" contype="3"/>
    </body>
    <body name="stick" pos="-.1 0 .6" euler="0 80 0">
      <freejoint/><geom type="capsule" size=".05 .15"/>
    </body>
  </worldbody>
  <contact><exclude body1="hand" body2="marble"/></contact>)";

/// A chain with every kind of joint, and everything that a joint can have.
constexpr const char* joints = R"(
  <worldbody>
    <body name="base" pos="0 0 2" gravcomp=".4">
      <joint name="lift" type="slide" axis="0 1 2" range="-.3 .4" margin=".05" stiffness="80 -20 30"
             springref=".1" ref=".05" damping="4 1 .5" frictionloss="2" armature=".3"/>
      <geom type="box" size=".1 .15 .05" pos=".02 .01 0" mass="3"/>
      <body name="upper" pos="0 0 -.2" euler="10 0 20" gravcomp="1">
        <joint name="turn" axis="1 .2 0" pos="0 .02 .05" range="-40 60" damping=".6"
               solreflimit=".03 .8" solimplimit=".7 .98 .02 .6 3" stiffness="5"
               frictionloss=".3" solreffriction=".04 1.3" solimpfriction=".8 .9 .01"
               actuatorfrcrange="-3 4" actuatorgravcomp="true"/>
        <geom type="capsule" size=".05 .15" pos="0 0 -.1" mass="1.5"/>
        <site name="tip" pos="0 0 -.3" euler="0 30 0"/>
        <body name="lower" pos="0 .05 -.35">
          <joint name="round" type="ball" range="0 50" stiffness="2 .3 .1" damping=".2 .1 0"
                 frictionloss=".05" margin=".1" armature=".02"/>
          <geom type="ellipsoid" size=".06 .1 .15" pos="0 0 -.12"/>
          <body name="toe" pos="0 0 -.3" gravcomp="-.2">
            <joint name="spin" axis="0 0 1" limited="false" damping="0 .002 .0001" ref="20"/>
            <joint name="rock" axis="1 0 1" range="-30 30" solreflimit="-400 -20"/>
            <geom type="cylinder" size=".05 .08" pos=".03 0 0"/>
          </body>
        </body>
      </body>
    </body>
    <body name="free" pos="1 0 1" euler="30 40 50" gravcomp=".7">
      <joint name="flying" type="free" damping=".1 .02 0" stiffness="1" armature=".05"
             frictionloss=".02"/>
      <geom type="box" size=".1 .2 .3" pos=".05 0 .02"/>
      <body pos=".3 0 0">
        <joint axis="0 1 0" springdamper=".3 .7"/>
        <geom type="capsule" size=".03 .1" pos="0 0 .1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="turn" gear="20"/>
    <motor joint="lift" gear="15" damping="2 .3 .1" armature=".01"/>
  </actuator>)";

/// Fixed tendons over two chains.
constexpr const char* tendons = R"(
  <worldbody>
    <body pos="0 0 1">
      <joint name="j1" axis="0 1 0" damping=".1" armature=".01"/>
      <geom type="capsule" size=".04 .15" pos="0 0 -.15"/>
      <body pos="0 0 -.35">
        <joint name="j2" axis="1 0 0" damping=".1"/>
        <geom type="capsule" size=".03 .12" pos="0 0 -.12"/>
        <body pos="0 0 -.25">
          <joint name="j3" type="slide" axis="0 0 1" range="-.2 .2" stiffness="50"/>
          <geom size=".06"/>
        </body>
      </body>
    </body>
    <body pos="1 0 1">
      <joint name="k1" axis="0 1 0" damping=".2"/>
      <geom type="capsule" size=".05 .2" pos="0 0 -.2"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="limited" range="-.3 .4" margin=".05" solreflimit=".03 .9" frictionloss=".2">
      <joint joint="j1" coef="1"/><joint joint="j2" coef="-.7"/>
    </fixed>
    <fixed name="sprung" stiffness="30 5 2" damping="1 .2 .1" springlength="-.1 .15" armature=".05">
      <joint joint="j2" coef=".5"/><joint joint="j3" coef="2"/>
    </fixed>
    <fixed name="across" stiffness="20" damping=".5" frictionloss=".1" solreffriction=".03 1"
           solimpfriction=".7 .95 .01 .4 2" range="-.5 .5" limited="true">
      <joint joint="j1" coef="1"/><joint joint="k1" coef="1.5"/>
    </fixed>
    <fixed name="driven" actuatorfrcrange="-2 1.5">
      <joint joint="j3" coef="1"/><joint joint="k1" coef="-.3"/>
    </fixed>
  </tendon>
  <actuator>
    <motor tendon="driven" gear="4"/>
    <position tendon="limited" kp="10" kv="1"/>
    <general tendon="across" gear="2" dyntype="filter" dynprm=".1" gainprm="3" biastype="affine"
             biasprm=".1 -2 -.3"/>
  </actuator>)";

/// Every kind of actuator on hinges, slides, a ball and a free joint.
constexpr const char* actuators = R"(
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0" damping=".1" armature=".02" range="-90 90"/>
      <geom type="capsule" size=".04 .15" pos="0 0 -.15"/>
      <body pos="0 0 -.35">
        <joint name="b" axis="1 0 0" damping=".1"/>
        <geom type="capsule" size=".03 .12" pos="0 0 -.12"/>
        <body pos="0 0 -.25">
          <joint name="c" type="slide" axis="0 0 1" stiffness="50" range="-.3 .3"/>
          <geom size=".06"/>
          <body pos="0 .1 0">
            <joint name="d" type="ball" damping=".05"/>
            <geom type="box" size=".05 .08 .1" pos="0 0 .1"/>
          </body>
        </body>
      </body>
    </body>
    <body pos="1 0 1">
      <freejoint name="e"/>
      <geom type="box" size=".1 .2 .15"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="a" gear="5" ctrlrange="-.5 .8" forcerange="-2 3"/>
    <general joint="a" group="3" gainprm="50"/>
    <position joint="b" kp="8" dampratio=".7" ctrlrange="-1 1"/>
    <velocity joint="b" kv=".4" gear="2" damping=".3 .1 .05" armature=".01"/>
    <intvelocity joint="c" kp="40" kv="2" actrange="-.2 .25"/>
    <damper joint="c" kv="3" ctrlrange="0 1"/>
    <cylinder joint="c" timeconst=".05" area=".3" bias=".1 -1 -.5"/>
    <position joint="a" kp="6" kv=".3" timeconst=".08" inheritrange=".9"/>
    <general joint="a" dyntype="integrator" actlimited="true" actrange="-.4 .4" actearly="true"
             gaintype="affine" gainprm="3 .5 -.2" biastype="affine" biasprm=".2 -1 -.1"/>
    <general joint="b" dyntype="filterexact" dynprm=".04" actearly="true" gainprm="2"/>
    <general joint="b" dyntype="filter" dynprm=".02" gainprm="1.5" forcerange="-.5 .5"/>
    <motor joint="d" gear=".3 -.5 .8"/>
    <position joint="d" gear="0 1 .2" kp="1.5" kv=".1" ctrlrange="-9 9"/>
    <intvelocity joint="d" gear=".8 .1 0" kp=".7" kv=".02" actrange="-20 20"/>
    <general joint="d" gear="0 0 .5" dyntype="integrator" gainprm=".4" biastype="affine"
             biasprm="0 -.4 0" actearly="true" actlimited="true" actrange="-30 30"/>
    <motor joint="e" gear="1 2 3 .1 .2 -.3"/>
    <general joint="e" gear="0 0 1 0 0 0" dyntype="integrator" gainprm="4"/>
  </actuator>)";

/// Actuators on sites, with and without a reference: below and beside each other, on other trees, on
/// the world; and on joints in the axes of the parent.
constexpr const char* site_actuators = R"(
  <worldbody>
    <site name="world" pos=".3 -.2 .9" euler="10 -20 30"/>
    <body name="drone" pos="0 0 1" euler="20 10 5">
      <joint name="fly" type="free"/>
      <geom type="box" size=".2 .15 .05" pos=".01 .02 0"/>
      <site name="rotor1" pos=".2 .1 .05" euler="0 5 0"/>
      <site name="rotor2" pos="-.2 .1 .05" euler="30 0 10"/>
      <site name="centre"/>
      <body pos="0 0 -.1">
        <joint name="neck" type="ball" damping=".05" pos="0 .01 0"/>
        <geom type="capsule" size=".03 .08" pos="0 0 -.1"/>
        <site name="elbow" pos="0 0 -.18" euler="40 0 0"/>
        <body pos="0 0 -.2">
          <joint name="wrist" axis="1 .3 0" damping=".02"/>
          <geom type="capsule" size=".02 .06" pos="0 0 -.06"/>
          <site name="tool" pos=".02 0 -.12" euler="0 60 20"/>
          <body pos=".1 0 0"><geom size=".03"/><site name="welded" pos="0 .1 0"/></body>
        </body>
      </body>
      <body pos=".2 0 0">
        <joint name="flap" axis="0 1 0" damping=".01"/>
        <geom type="box" size=".08 .04 .01" pos=".08 0 0"/>
        <site name="edge" pos=".15 0 0" euler="5 0 80"/>
      </body>
    </body>
    <body name="boat" pos="1 0 .5" euler="0 0 40">
      <freejoint name="swim"/>
      <geom type="ellipsoid" size=".3 .15 .1" pos="0 .03 .02"/>
      <site name="rudder" pos="-.3 0 0" euler="0 0 15"/>
    </body>
    <body name="tray" mocap="true" pos="0 .5 .5"><geom size=".1"/><site name="hand" pos="0 0 .1"/>
    </body>
  </worldbody>
  <actuator>
    <motor site="rotor1" gear="0 0 3 0 0 .2"/>
    <general site="rotor2" gear=".1 .2 2 .03 .02 -.2" gainprm="2" dyntype="filter" dynprm=".05"
             forcerange="-1 1.5"/>
    <motor site="world" gear="1 2 3 4 5 6"/>
    <motor site="tool" gear=".2 .1 .3 .05 -.1 .2"/>
    <motor site="welded" gear="1 0 0 0 0 .1"/>
    <position site="tool" refsite="centre" gear="0 0 1" kp="5" dampratio=".5"/>
    <position site="tool" refsite="edge" gear=".3 -.4 .5" kp="4" kv=".1"/>
    <position site="elbow" refsite="rudder" gear="0 0 0 .4 -.3 1" kp=".8" kv=".02"
              ctrlrange="-20 20"/>
    <intvelocity site="edge" refsite="rotor1" gear="0 0 0 1 0 .2" kp=".5" actrange="-30 30"/>
    <general site="edge" refsite="world" gear="0 0 0 .2 .1 .3" dyntype="filter" dynprm=".05"
             gainprm=".4" biastype="affine" biasprm="0 -.4 -.01"/>
    <general site="elbow" refsite="world" gear="0 0 0 .1 .2 0" dyntype="filterexact" dynprm=".05"
             gainprm=".4" biastype="affine" biasprm="0 -.4 0"/>
    <position site="rudder" refsite="world" gear="1 .2 0 .1 0 .5" kp="3" kv=".2"/>
    <position site="centre" refsite="hand" gear="0 1 1 0 0 0" kp="2"/>
    <motor site="rotor2" refsite="rotor1" gear="1 1 1 1 1 1"/>
    <motor jointinparent="fly" gear="1 2 3 .3 .2 -.1"/>
    <motor jointinparent="neck" gear=".3 -.5 .8"/>
    <position jointinparent="neck" gear="0 1 .2" kp=".6" kv=".01" ctrlrange="-9 9"/>
    <position jointinparent="wrist" gear="2" kp=".4" damping=".1 .02 .01" armature=".003"/>
    <motor joint="wrist" gear=".5" damping=".05" armature=".001"/>
  </actuator>)";

/// Belts and a turntable that carry things, on a still floor, on a moving plate and on each other.
constexpr const char* belts = R"(
  <worldbody>
    <geom name="belt" type="plane" size="5 5 .1" surfacevel=".8 .3 .2 .1 -.2 .5"
          friction=".9 .01 .001" condim="4"/>
    <geom name="table" type="box" size=".3 .3 .05" pos="1 0 .05" euler="0 0 30"
          surfacevel="0 0 0 0 0 3" condim="6" friction=".8 .02 .002"/>
    <body name="crate" pos="0 0 .1" euler="0 0 10">
      <freejoint/><geom type="box" size=".12 .1 .1"/>
    </body>
    <body name="wheel" pos="1.05 .1 .19" euler="80 0 0">
      <freejoint/>
      <geom type="capsule" size=".1 .05" surfacevel=".1 0 .2 0 0 -2" condim="6"
            friction="1 .03 .01"/>
    </body>
    <body name="plate" pos="-1 0 .3">
      <joint type="slide" axis="1 0 0" damping="1"/>
      <joint type="slide" axis="0 0 1" stiffness="5000" damping="50"/>
      <geom type="box" size=".4 .4 .02" surfacevel="-.4 .1" condim="3" contype="2" conaffinity="2"/>
      <geom size=".03" pos="0 0 -.3" contype="0" conaffinity="0"/>
    </body>
    <body name="ball" pos="-1.1 .1 .42">
      <freejoint/><geom size=".1" contype="3" margin=".01" gap=".02"/>
    </body>
    <body name="bead" pos="-1.1 .12 .6">
      <freejoint/>
      <geom size=".08" contype="3" surfacevel="0 0 0 1 2 3" condim="1"/>
    </body>
  </worldbody>)";

/// A scene from its options and its body.
std::string scene(const char* options, const char* body) {
  return std::string("<mujoco>") + options + body + "</mujoco>";
}

/// The same, with geoms that touch nothing, so that types without a collider may be used.
std::string free_scene(const char* options, const char* body) {
  return std::string("<mujoco>") + options +
         R"(<default><geom contype="0" conaffinity="0"/></default>)" + body + "</mujoco>";
}

}  // namespace

std::vector<FeatureScene> feature_scenes() {
  return {
      {"pile, pyramids", scene(R"(<option impratio="2"/>)", pile)},
      {"pile, elliptic", scene(R"(<option cone="elliptic" impratio="3"/>)", pile)},
      {"pile, refsafe off",
       scene(R"(<option cone="elliptic" timestep=".004"><flag refsafe="disable"/></option>)",
             pile)},
      {"pairs, pyramids", scene("", pairs)},
      {"pairs, elliptic", scene(R"(<option cone="elliptic" impratio="10"/>)", pairs)},
      {"mocap, pyramids", scene("", mocap)},
      {"mocap, elliptic",
       scene(R"(<option cone="elliptic" impratio="2"><flag filterparent="disable"/></option>)",
             mocap)},
      {"joints", free_scene("", joints)},
      {"joints, RK4", free_scene(R"(<option integrator="RK4" timestep=".005"/>)", joints)},
      {"joints, eulerdamp off",
       free_scene(R"(<option><flag eulerdamp="disable"/></option>)", joints)},
      {"joints, springs and gravity off",
       free_scene(R"(<option><flag spring="disable" gravity="disable"/></option>)", joints)},
      {"joints, dampers and limits off",
       free_scene(R"(<option><flag damper="disable" limit="disable"/></option>)", joints)},
      {"joints, friction off",
       free_scene(R"(<option gravity="1 -2 -8"><flag frictionloss="disable"/></option>)", joints)},
      {"joints, constraints off",
       free_scene(R"(<option><flag constraint="disable"/></option>)", joints)},
      {"tendons", free_scene("", tendons)},
      {"actuators", free_scene(R"(<option actuatorgroupdisable="3"/>)", actuators)},
      {"actuators, unclamped",
       free_scene(R"(<option><flag clampctrl="disable" filterparent="disable"/></option>)",
                  actuators)},
      {"site actuators", free_scene("", site_actuators)},
      {"site actuators, RK4", free_scene(R"(<option integrator="RK4"/>)", site_actuators)},
      {"site actuators, off",
       free_scene(R"(<option><flag actuation="disable"/></option>)", site_actuators)},
      {"belts, pyramids", scene("", belts)},
      {"belts, elliptic", scene(R"(<option cone="elliptic" impratio="3"/>)", belts)},
      {"pile in a medium",
       scene(R"(<option integrator="implicitfast" density="1.2" viscosity=".05" wind="1 .5 0"/>)",
             pile)},
      {"medium, Euler", medium_scene},
      {"medium, RK4", with_option(medium_scene, R"(integrator="RK4")")},
      {"medium, implicit", with_option(medium_scene, R"(integrator="implicit")")},
      {"medium, implicitfast", with_option(medium_scene, R"(integrator="implicitfast")")},
      {"limits of actuators", with_option(limits_scene, R"(integrator="implicitfast")")},
      {"spinning bodies", with_option(spinning_scene, R"(integrator="implicitfast")")},
      {"actuators, off", free_scene(R"(<option><flag actuation="disable"/></option>)", actuators)},
  };
}

}  // namespace swept::test
