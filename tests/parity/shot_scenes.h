// SPDX-License-Identifier: Apache-2.0
// Scenes of bodies that are shot at each other: geoms of every type with random sizes, and random
// poses and velocities of several lengths per step.
#pragma once

#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace swept::test {

constexpr double shot_timestep = 0.002;

constexpr const char* mesh_asset =
    "<mesh name='wedge' vertex='-.1 -.08 -.06 .12 -.07 -.05 .1 .09 -.06 -.09 .1 -.04 .01 .02 .11 "
    "-.03 .05 .09'/>";

/// A box as a mesh of eight vertices.
inline std::string box_mesh(const std::string& half, std::string* meshes) {
  double a = 0, b = 0, c = 0;
  std::istringstream(half) >> a >> b >> c;
  const std::string name = "box" + std::to_string(meshes->size());
  *meshes += "<mesh name='" + name + "' vertex='";
  for (int i = 0; i < 8; ++i) {
    *meshes += std::to_string(i & 1 ? a : -a) + " " + std::to_string(i & 2 ? b : -b) + " " +
               std::to_string(i & 4 ? c : -c) + " ";
  }
  *meshes += "'/>";
  return "<geom type='mesh' mesh='" + name + "'/>";
}

/// A random geom of a type.
///   thin     [m] not 0: its smallest size is between this and ten times as much
///   meshes   not null: boxes are meshes, which are added here
inline std::string geom_of(int type, double thin, std::mt19937* random,
                           std::string* meshes = nullptr) {
  std::uniform_real_distribution<double> size(0.03, 0.15);
  const auto sizes = [&](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) {
      const bool small = thin > 0 && i == (type == mjGEOM_CYLINDER ? n - 1 : 0);
      const double x = small ? thin * std::pow(size(*random) / 0.03, 1.4) : size(*random);
      text += std::to_string(x) + " ";
    }
    return text;
  };
  switch (type) {
    case mjGEOM_PLANE:
      return "<geom type='plane' size='9 9 1'/>";
    case mjGEOM_SPHERE:
      return "<geom type='sphere' size='" + sizes(1) + "'/>";
    case mjGEOM_CAPSULE:
      return "<geom type='capsule' size='" + sizes(2) + "'/>";
    case mjGEOM_ELLIPSOID:
      return "<geom type='ellipsoid' size='" + sizes(3) + "'/>";
    case mjGEOM_CYLINDER:
      return "<geom type='cylinder' size='" + sizes(2) + "'/>";
    case mjGEOM_BOX: {
      const std::string half = sizes(3);
      return meshes == nullptr ? "<geom type='box' size='" + half + "'/>" : box_mesh(half, meshes);
    }
    default:
      return "<geom type='mesh' mesh='wedge'/>";
  }
}

/// A scene whose bodies are free, but for planes and, where `fixed`, the first one.
///   boxes_as_meshes   the official library's own distance of capsules and boxes misses those whose
///                     axis goes through the box
inline std::string scene_of(const std::vector<int>& types, bool fixed, const std::string& custom,
                            std::mt19937* random, double thin = 0, bool boxes_as_meshes = false) {
  std::string bodies, meshes = mesh_asset;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string geom = geom_of(types[i], thin, random, boxes_as_meshes ? &meshes : nullptr);
    const bool stays = types[i] == mjGEOM_PLANE || (i == 0 && fixed);
    bodies += stays ? geom : "<body>" + std::string("<freejoint/>") + geom + "</body>";
  }
  return "<mujoco><compiler angle='radian'/><option timestep='" + std::to_string(shot_timestep) +
         "' gravity='0 0 0' solver='Newton' tolerance='1e-12' ls_tolerance='1e-8' "
         "iterations='200'><flag speculative='enable'/></option><custom>" +
         custom + "</custom><asset>" + meshes + "</asset><worldbody>" + bodies +
         "</worldbody></mujoco>";
}

/// Random poses and velocities of free bodies, towards the middle by up to twice the room in a step.
///   room   [m] how far from the middle they start
///   spin   [rad/s] at most
struct Shots {
  std::vector<double> qpos, qvel;
  int nenv;
};
inline Shots random_shots(const mjModel& m, int nenv, double room, double spin_most,
                          std::mt19937* random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  Shots shots = {{}, {}, nenv};
  for (int env = 0; env < shots.nenv; ++env) {
    std::vector<double> place;
    for (int body = 0; body < m.nv / 6; ++body) {
      double at[3], quat[4], length = 0;
      for (double& x : at) {
        x = room * uniform(*random);
      }
      for (double& x : quat) {
        x = normal(*random);
        length += x * x;
      }
      // above the plane, if there is one
      at[2] = std::abs(at[2]) + 0.2;
      shots.qpos.insert(shots.qpos.end(), at, at + 3);
      for (const double x : quat) {
        shots.qpos.push_back(x / std::sqrt(length));
      }
      // towards the middle, more or less
      const double speed = room * (1 + uniform(*random)) / shot_timestep;
      for (int k = 0; k < 3; ++k) {
        const double aim = k == 2 ? 0.2 * room - at[2] : -at[k];
        shots.qvel.push_back(speed * (aim / room + 0.2 * uniform(*random)));
      }
      const double spin = spin_most * std::abs(uniform(*random));
      for (int k = 0; k < 3; ++k) {
        shots.qvel.push_back(spin * uniform(*random));
      }
    }
  }
  return shots;
}

}  // namespace swept::test
