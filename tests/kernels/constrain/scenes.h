// SPDX-License-Identifier: Apache-2.0
// Small scenes whose rows and solution are known by hand or to ten digits.
#pragma once

namespace swept::SWEPT_NS {

/// A sphere 1 mm deep in a plane.
inline constexpr const char* sphere_on_plane = R"(<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .099"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>)";

/// The same with all six dimensions of an elliptic cone.
inline constexpr const char* elliptic_sphere = R"(<mujoco>
  <option cone="elliptic" impratio="10"/>
  <worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .099"><freejoint/><geom size=".1" condim="6" friction=".8 .02 .003"/></body>
</worldbody></mujoco>)";

/// A box on four corners with spin friction.
inline constexpr const char* box_on_plane = R"(<mujoco><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .199"><freejoint/><geom type="box" size=".1 .15 .2" condim="4"/></body>
</worldbody></mujoco>)";

/// A damped pendulum beyond its limit.
inline constexpr const char* pendulum = R"(<mujoco><option timestep=".01"/><worldbody><body>
  <joint axis="0 1 0" damping=".3" stiffness="2" springref="20" armature=".05" limited="true" range="-90 10"/>
  <geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/>
</body></worldbody></mujoco>)";

/// A ball joint beyond its limit.
inline constexpr const char* ball = R"(<mujoco><worldbody><body>
  <joint type="ball" limited="true" range="0 30"/>
  <geom pos="0 0 -.5" size=".1"/>
</body></worldbody></mujoco>)";

/// Everything that makes rows: friction loss on dofs and a tendon, limits of all kinds (one tendon
/// and one hinge with both sides at once), contacts of every dimension between trees and within
/// one, a predefined pair with its own solreffriction, contacts in the gap and between static
/// geoms.
inline constexpr const char* everything = R"(<mujoco>
  <option timestep=".003" impratio="3"/>
  <default><geom condim="3" solref=".015 .8"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" condim="1"/>
    <geom name="wall" type="sphere" size=".3" pos="1.2 0 .2" condim="4" friction=".7 .03 .002" solimp=".8 .97 .01 .3 3"/>
    <body name="a" pos="0 0 .4">
      <freejoint/>
      <geom type="capsule" fromto="-.2 0 0 .2 0 0" size=".1"/>
      <body pos=".25 0 0">
        <joint name="h1" axis="0 1 0" frictionloss=".4" limited="true" range="-20 15" margin=".9" solreflimit="-300 -7"/>
        <joint name="h2" axis="1 0 0" frictionloss=".1" solreffriction=".03 .7" limited="true" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".07" condim="6" friction=".9 .01 .004"/>
        <body pos=".35 0 0">
          <joint name="b1" type="ball" limited="true" range="0 25" margin=".1"/>
          <geom size=".09" condim="4" margin=".05" gap=".02"/>
        </body>
      </body>
      <body pos="-.25 0 0">
        <joint name="h3" axis="0 1 0" limited="true" range="-10 10" solimplimit=".5 .99 .2 .6 4"/>
        <geom type="capsule" fromto="0 0 0 -.3 0 0" size=".08" priority="1" solref="-900 -20"/>
      </body>
    </body>
    <body name="c" pos=".3 .1 .75">
      <freejoint/>
      <geom name="c" size=".12" condim="6"/>
    </body>
    <body name="s" pos="-.6 .2 .3">
      <joint name="s1" type="slide" axis="0 0 1" limited="true" range="-.1 .2" frictionloss="2"/>
      <geom name="s" size=".15"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="c" geom2="s" condim="6" friction=".6 .4 .02 .01 .03" solreffriction=".05 1.2" margin="2" gap="1.9"/>
  </contact>
  <tendon>
    <fixed name="t1" limited="true" range="-.05 .05" margin=".2" frictionloss=".3"><joint joint="h3" coef=".7"/><joint joint="h1" coef="-1.2"/></fixed>
    <fixed name="t2" limited="true" range="-1 .1"><joint joint="s1" coef="2"/><joint joint="h2" coef=".5"/></fixed>
  </tendon>
</mujoco>)";

/// Surfaces that move: a belt, a turntable on a moving plate, a roller, and things on them with
/// every contact dimension.
inline const char* const belts = R"(
<mujoco>
  <option impratio="2"/>
  <worldbody>
    <geom type="plane" size="5 5 1" surfacevel="0.8 0.3 0.2 0.1 -0.2 0.5" condim="4"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.12 0.1 0.1"/></body>
    <body pos="0.5 0.1 0.1" euler="80 0 0"><freejoint/>
      <geom type="capsule" size="0.1 0.05" condim="6" surfacevel="0.1 0 0.2 0 0 -2"/></body>
    <body pos="-1 0 0.2">
      <joint type="slide" axis="1 0 0" damping="1"/>
      <joint axis="0 0 1" damping="0.1"/>
      <geom type="capsule" size="0.1" fromto="-0.3 0 0 0.3 0 0" condim="3" contype="2"
            conaffinity="2" surfacevel="0 0.4 0 0 0 3"/>
    </body>
    <body pos="-1.1 0.02 0.42"><freejoint/>
      <geom size="0.1" contype="3" conaffinity="3" condim="6" surfacevel="0 0 0 1 2 3"/></body>
    <body pos="-0.8 0 0.38"><freejoint/>
      <geom size="0.08" contype="3" conaffinity="3" condim="1" margin="0.01" gap="0.01"/></body>
  </worldbody>
</mujoco>)";

}  // namespace swept::SWEPT_NS
