// SPDX-License-Identifier: Apache-2.0
// Small scenes for tests of the batch, written out.
#pragma once

namespace swept::test {

/// A two-legged creature that falls onto a plane: a free joint, hinges with limits, friction loss
/// and damping, motors, a fixed tendon; contacts of capsules and spheres. Actuators have a filter,
/// so there are activations.
inline constexpr const char* walker_xml = R"(
<mujoco model="walker">
  <option timestep="0.005" integrator="INTEGRATOR"/>
  <default>
    <joint damping="0.4" armature="0.01" limited="true"/>
    <geom friction="0.9 0.01 0.001" density="700"/>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="torso" pos="0 0 0.75">
      <freejoint/>
      <geom name="torso" type="capsule" fromto="-0.15 0 0 0.15 0 0" size="0.09"/>
      <body name="left" pos="0.1 0.12 -0.05">
        <joint name="left_hip" axis="0 1 0" range="-60 60"/>
        <geom name="left_thigh" type="capsule" fromto="0 0 0 0 0 -0.25" size="0.05"/>
        <body name="left_foot" pos="0 0 -0.3">
          <joint name="left_knee" axis="0 1 0" range="-80 10" frictionloss="0.3"/>
          <geom name="left_shin" type="capsule" fromto="0 0 0 0 0 -0.2" size="0.045"/>
          <geom name="left_heel" type="sphere" pos="0.03 0 -0.25" size="0.06"/>
        </body>
      </body>
      <body name="right" pos="0.1 -0.12 -0.05">
        <joint name="right_hip" axis="0 1 0" range="-60 60"/>
        <geom name="right_thigh" type="capsule" fromto="0 0 0 0 0 -0.25" size="0.05"/>
        <body name="right_foot" pos="0 0 -0.3">
          <joint name="right_knee" axis="0 1 0" range="-80 10" frictionloss="0.3"/>
          <geom name="right_shin" type="capsule" fromto="0 0 0 0 0 -0.2" size="0.045"/>
          <geom name="right_heel" type="sphere" pos="0.03 0 -0.25" size="0.06"/>
        </body>
      </body>
    </body>
    <body name="ball" pos="0.5 0 0.3"><freejoint/><geom type="sphere" size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="stride" limited="true" range="-0.8 0.8"><joint joint="left_hip" coef="1"/><joint joint="right_hip" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <general joint="left_hip" gainprm="30" ctrlrange="-1 1" dyntype="filter" dynprm="0.03"/>
    <general joint="right_hip" gainprm="30" ctrlrange="-1 1" dyntype="filter" dynprm="0.03"/>
    <motor joint="left_knee" gear="20" ctrlrange="-1 1"/>
    <motor joint="right_knee" gear="20" ctrlrange="-1 1"/>
  </actuator>
  <keyframe><key name="high" time="0.25" qpos="0 0 1.5 1 0 0 0 0.1 0 0.2 0 2 0 0.5 1 0 0 0" ctrl="0.1 0.2 0.3 0.4"/></keyframe>
</mujoco>
)";

}  // namespace swept::test
