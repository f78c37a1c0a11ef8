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
