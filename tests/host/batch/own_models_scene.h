// SPDX-License-Identifier: Apache-2.0
// A small scene in which every field of the model that a simulation reads is there and counts.
#pragma once

namespace swept::test {

inline constexpr const char* everything_xml = R"(
<mujoco>
  <option density="1.2" viscosity="0.01" wind="0.5 0 0.2" timestep="0.004" integrator="Euler" cone="elliptic" impratio="2"/>
  <custom><numeric name="n" data="1 2 3"/></custom>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="eye" pos="0 -3 1"/>
    <geom name="floor" type="plane" size="5 5 .1" friction=".8 .01 .001"
          contype="3" conaffinity="3"/>
    <body name="box" pos="0 0 .25">
      <freejoint/>
      <geom name="box" type="box" size=".1 .12 .08" condim="4" margin=".01" gap=".002"
            contype="2" conaffinity="2" solref=".03 .9" solimp=".8 .95 .002" solmix="2"/>
      <site name="corner" pos=".1 .1 0"/>
    </body>
    <body name="cart" pos="1 0 .5">
      <joint name="x" type="slide" axis="1 0 0" damping="1" actuatorfrcrange="-.3 .3"/>
      <joint name="y" type="slide" axis="0 1 0" frictionloss="20"/>
      <geom name="cart" size=".1" contype="3"/>
    </body>
    <body name="arm" pos="-1 0 .4" gravcomp=".3">
      <joint name="root" axis="0 1 0" range="-5 5" stiffness="3 .5" damping=".4 .1"
             armature=".01" margin=".05"/>
      <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <body name="lower" pos=".3 0 0">
        <joint name="ball" type="ball" range="0 10" stiffness="1" damping=".05"/>
        <geom name="lower" type="capsule" fromto="0 0 0 .25 .05 0" size=".03"/>
        <site name="tip" pos=".25 .05 0" euler="0 30 0"/>
        <body name="hand" pos=".25 .05 0">
          <joint name="wrist" axis="0 0 1" springref="10" stiffness="1" armature=".02"/>
          <geom name="hand" size=".05" mass=".2" contype="3"/>
          <inertial pos="0 .01 0" mass=".2" diaginertia=".001 .002 .0015"/>
        </body>
      </body>
    </body>
    <body name="pusher" pos="0 .1 .42">
      <freejoint/>
      <!-- so near the body's origin that frames count as the same -->
      <geom name="pusher" size=".07" pos="5e-7 0 0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="box" geom2="pusher" condim="3" friction=".5 .5 .01 .001 .001"
          solreffriction=".03 1"/>
    <pair geom1="floor" geom2="pusher" condim="6"/>
  </contact>
  <tendon>
    <fixed name="t" range="-.05 .05" stiffness="2 .1" damping=".1 .02" frictionloss=".5"
           armature=".01" springlength="0 .1" actuatorfrcrange="-.2 .2" margin=".02">
      <joint joint="root" coef="1"/>
      <joint joint="wrist" coef="-.5"/>
    </fixed>
  </tendon>
  <actuator>
    <position name="p" joint="root" kp="1" kv=".3" forcerange="-.5 .5" ctrlrange="-.3 .3"/>
    <general name="f" joint="wrist" dyntype="filter" dynprm=".1" gainprm="2" actrange="-.1 .1"
             actlimited="true"/>
    <motor name="m" tendon="t" gear="1.5"/>
    <motor name="c" joint="x" gear="2"/>
  </actuator>
  <keyframe>
    <key time="1" qvel="0 0 0 0 0 0 .5 0 0 0 0 0 0 0 0 0 0 0 0" ctrl=".1 .2 .3 .4"/>
  </keyframe>
</mujoco>)";

}  // namespace swept::test
