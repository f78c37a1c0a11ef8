// SPDX-License-Identifier: Apache-2.0
// Scenes on which the smooth stages are compared with the official library: gymnasium's models, the
// public test scenes where they are at hand, and one scene with every feature in it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/data.h"
#include "support/oracle_tile.h"

namespace swept::SWEPT_NS {

/// Joints of all types in one tree, polynomial springs and dampers, gravity compensation, fixed
/// tendons with every force, actuators of every supported type, and all the limits.
inline const char* const feature_scene = R"(
<mujoco>
  <option timestep="0.003" gravity="0.3 -0.4 -9.2" actuatorgroupdisable="3"/>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="base" pos="0.1 0.2 1" quat="0.9 0.1 -0.2 0.3">
      <joint name="rail" type="slide" axis="1 0 0.2" ref="0.1" springref="0.3" stiffness="30" damping="2" armature="0.2"/>
      <geom type="box" size="0.2 0.1 0.15" pos="0.05 0 0" quat="0.8 0.1 0.2 0"/>
      <site name="s" pos="0.1 0.1 0" quat="0.7 0 0.7 0"/>
      <body name="arm" pos="0 0 -0.2" gravcomp="0.7">
        <joint name="ball" type="ball" pos="0 0.02 0.01" stiffness="3 0.5 0.2" damping="0.4 0.1 0.05"/>
        <geom type="capsule" size="0.04 0.2" pos="0 0.05 -0.2"/>
        <body name="hand" pos="0.02 0 -0.4" quat="1 0.3 0 0.1" gravcomp="1.1">
          <joint name="h1" axis="0 1 0.1" pos="0.01 0 0" stiffness="1 2 3" springref="0.2" damping="0.1 0.2 0.3" actuatorgravcomp="true" actuatorfrcrange="-4 3"/>
          <joint name="h2" axis="1 0 0" armature="0.01" ref="0.2"/>
          <geom type="ellipsoid" size="0.05 0.08 0.1"/>
        </body>
        <body name="welded" pos="0.1 0 0"><geom type="sphere" size="0.05"/></body>
      </body>
      <body pos="0 0.3 0"><joint name="h3" axis="0 0 1" damping="0.5"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body>
    </body>
    <body name="floater" pos="1 0 0.5">
      <freejoint name="free"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 0.02 0"/>
      <body pos="0 0 0.3"><joint name="h4" axis="0 1 0"/><geom type="sphere" size="0.1" pos="0.1 0 0"/></body>
    </body>
    <body name="simple" pos="-1 0 0.5"><freejoint/><geom type="sphere" size="0.1"/></body>
    <body name="sprung" pos="-2 0 0.5"><joint name="spring_free" type="free" stiffness="5 1 0.3" damping="0.3"/><geom type="box" size="0.1 0.2 0.1"/></body>
    <body name="slides" pos="2 0 0"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><geom type="sphere" size="0.1"/></body>
    <geom type="plane" size="3 3 1"/>
  </worldbody>
  <tendon>
    <fixed name="t1" stiffness="10 1 2" damping="0.5 0.1 0.2" springlength="-0.1 0.1" armature="0.3"><joint joint="h1" coef="0.5"/><joint joint="h2" coef="-1.5"/><joint joint="rail" coef="2"/></fixed>
    <fixed name="t2" actuatorfrcrange="-0.5 0.8" actuatorfrclimited="true"><joint joint="h2" coef="1"/><joint joint="h3" coef="0.7"/></fixed>
    <fixed name="t3" armature="0.2"><joint joint="x" coef="1"/><joint joint="y" coef="0.5"/></fixed>
    <fixed name="t4"><joint joint="h4" coef="0.8"/></fixed>
  </tendon>
  <actuator>
    <motor joint="h1" gear="3" ctrlrange="-0.5 0.5" ctrllimited="true" forcerange="-1 1.2" forcelimited="true"/>
    <position joint="h2" kp="20" kv="1"/>
    <velocity joint="rail" kv="4" gear="0.5"/>
    <general joint="ball" gear="0.3 -0.2 0.5" gainprm="2" biastype="affine" biasprm="0.1 -0.5 -0.2"/>
    <general joint="free" gear="1 2 3 0.1 0.2 0.3"/>
    <general joint="h3" dyntype="integrator" gainprm="1.5" actlimited="true" actrange="-0.4 0.6"/>
    <general joint="h3" dyntype="filter" dynprm="0.2" gaintype="affine" gainprm="1 0.5 -0.2" biastype="affine" biasprm="0 -1 -0.3"/>
    <general joint="h4" dyntype="filterexact" dynprm="0.05" gainprm="3" actearly="true"/>
    <general tendon="t1" gear="2" dyntype="integrator" actearly="true" gainprm="0.7"/>
    <motor tendon="t2" gear="1.5"/>
    <motor tendon="t2" gear="-0.5"/>
    <motor joint="h4" group="3" gear="10"/>
    <general joint="h4" group="3" dyntype="integrator"/>
    <damper joint="h2" kv="1" ctrlrange="0 1"/>
    <motor joint="h3" gear="2" armature="0.05" damping="0.1 0.2 0.3"/>
    <motor joint="h4" gear="2" armature="0.05" damping="0.3"/>
    <motor joint="h4" gear="1.5" armature="0.02" damping="0.1 0.2 0.1"/>
    <motor tendon="t4" gear="1.5" armature="0.2" damping="0.1 0.2 0.1"/>
    <motor joint="x" gear="1" armature="0.2"/>
  </actuator>
</mujoco>)";

/// Actuators on sites, with references on the same chain, beside it, on another tree, on the world
/// and none; and on joints in the axes of their parents.
inline const char* const site_scene = R"(
<mujoco>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="world" pos="0.3 -0.2 0.9" euler="0.1 -0.2 0.3"/>
    <body pos="0 0 1" euler="0.2 0.1 0.05">
      <joint name="fly" type="free"/>
      <geom type="box" size="0.2 0.15 0.05" pos="0.01 0.02 0"/>
      <site name="rotor1" pos="0.2 0.1 0.05" euler="0 0.5 0"/>
      <site name="rotor2" pos="-0.2 0.1 0.05" euler="0.3 0 0.1"/>
      <site name="centre"/>
      <body pos="0 0 -0.1">
        <joint name="neck" type="ball" damping="0.05" pos="0 0.01 0"/>
        <geom type="capsule" size="0.03 0.08" pos="0 0 -0.1"/>
        <site name="elbow" pos="0 0 -0.18" euler="0.4 0 0"/>
        <body pos="0 0 -0.2">
          <joint name="wrist" axis="1 0.3 0"/>
          <geom type="capsule" size="0.02 0.06" pos="0 0 -0.06"/>
          <site name="tool" pos="0.02 0 -0.12" euler="0 0.6 0.2"/>
          <body pos="0.1 0 0"><geom size="0.03"/><site name="welded" pos="0 0.1 0"/></body>
        </body>
      </body>
      <body pos="0.2 0 0">
        <joint name="flap" axis="0 1 0"/>
        <geom type="box" size="0.08 0.04 0.01" pos="0.08 0 0"/>
        <site name="edge" pos="0.15 0 0" euler="0.05 0 0.8"/>
      </body>
    </body>
    <body pos="1 0 0.5" euler="0 0 0.4">
      <freejoint name="swim"/>
      <geom type="ellipsoid" size="0.3 0.15 0.1" pos="0 0.03 0.02"/>
      <site name="rudder" pos="-0.3 0 0" euler="0 0 0.15"/>
    </body>
  </worldbody>
  <actuator>
    <motor site="rotor1" gear="0 0 3 0 0 0.2"/>
    <general site="rotor2" gear="0.1 0.2 2 0.03 0.02 -0.2" gainprm="2" dyntype="filter" dynprm="0.05"/>
    <motor site="world" gear="1 2 3 4 5 6"/>
    <motor site="tool" gear="0.2 0.1 0.3 0.05 -0.1 0.2"/>
    <motor site="welded" gear="1 0 0 0 0 0.1"/>
    <position site="tool" refsite="centre" gear="0 0 1" kp="5" kv="0.1"/>
    <position site="tool" refsite="edge" gear="0.3 -0.4 0.5" kp="4" kv="0.1"/>
    <position site="elbow" refsite="rudder" gear="0 0 0 0.4 -0.3 1" kp="0.8" kv="0.02"/>
    <intvelocity site="edge" refsite="rotor1" gear="0 0 0 1 0 0.2" kp="0.5" actrange="-30 30"/>
    <position site="rudder" refsite="world" gear="1 0.2 0 0.1 0 0.5" kp="3" kv="0.2"/>
    <motor site="rotor2" refsite="rotor1" gear="1 1 1 1 1 1"/>
    <motor jointinparent="fly" gear="1 2 3 0.3 0.2 -0.1"/>
    <motor jointinparent="neck" gear="0.3 -0.5 0.8"/>
    <position jointinparent="neck" gear="0 1 0.2" kp="0.6" kv="0.01"/>
    <motor jointinparent="wrist" gear="2" damping="0.1 0.02 0.01" armature="0.003"/>
    <motor joint="wrist" gear="0.5" damping="0.05" armature="0.001"/>
  </actuator>
</mujoco>)";

/// A scene to compare on: its file.
struct OracleScene {
  std::string name;
  std::filesystem::path path;
};

/// All XML files under a folder, sorted; none if it is absent.
inline std::vector<OracleScene> scenes_under(const std::filesystem::path& folder) {
  std::vector<OracleScene> scenes;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".xml") {
      scenes.push_back({entry.path().lexically_relative(folder).string(), entry.path()});
    }
  }
  std::sort(scenes.begin(), scenes.end(),
            [](const OracleScene& a, const OracleScene& b) { return a.name < b.name; });
  return scenes;
}

}  // namespace swept::SWEPT_NS
