// SPDX-License-Identifier: Apache-2.0
// Scenes for the implicit integrators: bodies in a medium, actuators at their limits, and free bodies
// that spin.
#pragma once

#include <string>

namespace swept::test {

/// Chains and free bodies in a medium with wind; bodies that count as boxes, as one ellipsoid and as
/// several, with geoms that do not count among them; a body without joints between two others.
inline const char* const medium_scene = R"(
<mujoco>
  <option timestep="0.002" density="1.3" viscosity="0.02" wind="0.7 -0.4 0.3"/>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="fish" pos="0 0 1" euler="0.1 0.2 0.3">
      <freejoint/>
      <geom type="ellipsoid" size="0.2 0.08 0.05" fluidshape="ellipsoid" pos="0.02 0.01 0"/>
      <body name="fin" pos="0.2 0 0">
        <joint axis="0 0 1" damping="0.02 0.01 0.005"/>
        <geom type="box" size="0.1 0.01 0.05" fluidshape="ellipsoid" fluidcoef="0.4 0.3 1.2 0.8 0.9" euler="0.2 0 0.1"/>
        <geom type="sphere" size="0.02" pos="0.05 0 0"/>
        <body name="tail" pos="0.15 0 0" euler="0 0.3 0">
          <joint axis="0 1 0"/>
          <geom type="capsule" size="0.02 0.06" fluidshape="ellipsoid"/>
          <geom type="cylinder" size="0.03 0.02" fluidshape="ellipsoid" pos="0.1 0 0" euler="1 0 0"/>
          <body pos="0.05 0 0.02"><geom type="box" size="0.03 0.02 0.01"/></body>
        </body>
      </body>
      <body name="ball" pos="-0.2 0 0"><joint type="ball" damping="0.01"/><geom type="box" size="0.05 0.04 0.1" pos="0 0 -0.1"/></body>
    </body>
    <body name="leaf" pos="1 0 1"><freejoint/>
      <geom type="ellipsoid" size="0.1 0.06 0.005" fluidshape="ellipsoid"/>
      <body pos="0.1 0 0.01" euler="0 0.4 0.2"><geom type="box" size="0.05 0.02 0.004"/></body>
    </body>
    <body name="sphere" pos="2 0 1"><freejoint/><geom type="sphere" size="0.1" fluidshape="ellipsoid"/></body>
    <body name="brick" pos="3 0 1"><freejoint/><geom type="box" size="0.1 0.05 0.03"/></body>
    <body name="drone" pos="4 0 1"><freejoint name="hover"/><geom type="box" size="0.1 0.1 0.02" pos="0.01 0.02 0"/><site name="rotor" pos="0.1 0.1 0"/></body>
    <body name="cart" pos="0 1 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom type="box" size="0.1 0.2 0.1"/></body>
    <body pos="0 2 0"><geom type="sphere" size="0.1" fluidshape="ellipsoid"/>
      <body pos="0 0 1"><joint axis="1 1 0"/><joint axis="0 1 1" pos="0.1 0 0"/><geom type="ellipsoid" size="0.02 0.1 0.2" fluidshape="ellipsoid" fluidcoef="0 0.25 0 1 0"/></body>
    </body>
  </worldbody>
  <actuator>
    <general site="rotor" gear="0.1 0 1 0 0.2 0.05" biastype="affine" biasprm="0 0 -0.3"/>
    <velocity joint="hover" gear="1 0 0.5 0.1 0 0.2" kv="0.5"/>
  </actuator>
</mujoco>)";

/// Actuators whose derivative depends on limits of their force, of their joint's and of their
/// tendon's; gains that depend on velocity, with every kind of input; couplings across branches.
inline const char* const limits_scene = R"(
<mujoco>
  <option timestep="0.002" actuatorgroupdisable="2"/>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0" type="capsule" size="0.03 0.1"/></default>
  <worldbody>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" actuatorfrcrange="-0.6 0.5"/><geom/>
      <site name="sa" pos="0 0 0.1"/>
      <body pos="0 0 0.3"><joint name="b" axis="1 0 0" actuatorfrcrange="-2 2"/><geom/></body>
      <body pos="0.2 0 0"><joint name="c" axis="0 0 1"/><joint name="d" type="slide" axis="0 0 1" actuatorfrcrange="-0.4 0.4" actuatorgravcomp="true"/><geom pos="0.1 0 0"/>
        <site name="sd" pos="0.1 0 0"/>
      </body>
    </body>
    <body pos="1 0 1" gravcomp="0.1"><joint name="e" axis="0 1 0" damping="0.1"/><geom pos="0.1 0 0"/></body>
    <body pos="3 0 0"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><geom type="sphere"/></body>
    <body pos="2 0 1"><joint name="f" type="ball" actuatorfrclimited="false"/><geom pos="0.1 0 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="across" damping="0.4 0.2 0.1"><joint joint="b" coef="1"/><joint joint="c" coef="-0.7"/><joint joint="a" coef="0.4"/></fixed>
    <fixed name="bounded" actuatorfrcrange="-0.3 0.4"><joint joint="b" coef="1"/><joint joint="d" coef="0.5"/></fixed>
    <fixed name="far" damping="0.3"><joint joint="a" coef="1"/><joint joint="e" coef="0.8"/></fixed>
    <fixed name="simple" damping="0.3 0.1 0"><joint joint="x" coef="1"/><joint joint="y" coef="-0.5"/></fixed>
    <fixed name="one" damping="0.2 0.1 0.1"><joint joint="e" coef="1.5"/></fixed>
  </tendon>
  <actuator>
    <velocity joint="a" kv="0.5"/>
    <position joint="b" kp="2" kv="0.3" forcerange="-0.5 0.6"/>
    <velocity tendon="bounded" kv="0.4" gear="1.2"/>
    <position tendon="bounded" kp="0.5" kv="0.2"/>
    <velocity tendon="across" kv="0.2"/>
    <velocity tendon="one" kv="0.2"/>
    <velocity tendon="simple" kv="0.4"/>
    <velocity joint="d" kv="0.3"/>
    <general joint="c" gaintype="affine" gainprm="1 0.2 -0.5" ctrlrange="-0.3 0.4"/>
    <general joint="c" gaintype="affine" gainprm="1 0.2 -0.5" biastype="affine" biasprm="0 1 -0.2" dyntype="filter" dynprm="0.1"/>
    <general joint="e" gaintype="affine" gainprm="0 0 -0.5" dyntype="filterexact" dynprm="0.1" actearly="true" actrange="-0.4 0.4"/>
    <general joint="e" gaintype="affine" gainprm="0 0 -0.5" dyntype="integrator" actearly="true"/>
    <general joint="f" gear="0.3 0.2 -0.1" biastype="affine" biasprm="0 0 -0.2" forcerange="-0.02 0.02"/>
    <general joint="f" gear="0.3 0.2 -0.1" gaintype="affine" gainprm="0 0 -0.2"/>
    <velocity joint="e" group="2" kv="3"/>
    <general site="sa" gear="1 0 0.3 0 0.1 0" biastype="affine" biasprm="0 0 -0.5"/>
    <general site="sd" refsite="sa" gear="0 1 0.3 0.2 0.1 0" biastype="affine" biasprm="0 0 -0.5"/>
    <damper joint="e" kv="0.4" ctrlrange="0 1"/>
  </actuator>
</mujoco>)";

/// Free bodies whose centre of mass is not at their joint, with welded children, joints on them, or
/// neither; each with forces that depend on velocity.
inline const char* const spinning_scene = R"(
<mujoco>
  <option timestep="0.004" gravity="0 0 -1"/>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><freejoint name="offset"/><geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 -0.1"/></body>
    <body pos="1 0 0"><joint name="damped" type="free" damping="0.3 0.1 0.05" armature="0.1"/><geom type="box" size="0.1 0.2 0.3"/>
      <body pos="0.3 0 0.1" euler="0.3 0.2 0"><geom type="capsule" size="0.05 0.2"/><body pos="0 0.2 0"><geom size="0.1"/></body></body></body>
    <body pos="2 0 0"><freejoint name="carrier"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/><body pos="0.3 0 0.1"><joint axis="0 0 1"/><geom type="capsule" size="0.05 0.2"/></body></body>
    <body pos="3 0 0"><freejoint/><geom size="0.1"/></body>
    <body pos="4 0 0"><joint name="top" type="ball"/><geom type="cylinder" size="0.2 0.03" pos="0 0 0.3"/></body>
  </worldbody>
  <actuator>
    <general joint="offset" gear="1 0.5 0 0 0.3 1" biastype="affine" biasprm="0 0 -2"/>
    <velocity joint="carrier" gear="1 0.5 0 0 0.3 1" kv="1"/>
  </actuator>
</mujoco>)";

/// A scene with one more attribute in its option element.
inline std::string with_option(const char* scene, const std::string& attribute) {
  std::string text = scene;
  const std::string tag = "<option ";
  return text.insert(text.find(tag) + tag.size(), attribute + " ");
}

}  // namespace swept::test
