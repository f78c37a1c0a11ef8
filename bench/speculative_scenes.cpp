// SPDX-License-Identifier: Apache-2.0
// Texts of scenes, and random numbers from their places.
#include "bench/speculative_scenes.h"

#include "bench/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace swept::bench {

namespace {

/// A closed room.
struct Room {
  double half = 0.5;    ///< [m] from its middle to the inner faces
  double wall = 0.001;  ///< [m] half the thickness of its walls
};

std::string scene_text(const ShotOptions& options, const std::string& bodies) {
  const std::string solref =
      options.solref.empty() ? "" : fmt::format("<geom solref='{}'/>", options.solref);
  return fmt::format(
      "<mujoco><option timestep='{:.9g}' gravity='0 0 0' {}><flag speculative='{}'/></option>"
      "<default>{}</default><worldbody>{}</worldbody></mujoco>",
      options.timestep, options.more_options, options.speculative ? "enable" : "disable", solref,
      bodies);
}

std::string free_body(const std::string& geom) {
  return fmt::format("<body><freejoint/><geom {}/></body>", geom);
}

/// Six walls.
std::string room_walls(const Room& room) {
  std::string walls;
  for (int k = 0; k < 3; ++k) {
    for (const double side : {-1.0, 1.0}) {
      std::array<double, 3> pos = {0, 0, 0}, half;
      half.fill(room.half + 2 * room.wall);
      pos[static_cast<std::size_t>(k)] = side * (room.half + room.wall);
      half[static_cast<std::size_t>(k)] = room.wall;
      walls += fmt::format("<geom type='box' pos='{} {} {}' size='{} {} {}'/>", pos[0], pos[1],
                           pos[2], half[0], half[1], half[2]);
    }
  }
  return walls;
}

/// Bodies in a room, from the corner of a lattice on.
ShotScene in_room(const std::string& name, const std::vector<std::string>& geoms, double lattice,
                  const ShotOptions& options, const Room& room = {}) {
  ShotScene scene;
  scene.name = name;
  scene.bodies = static_cast<int>(geoms.size());
  std::string bodies = room_walls(room);
  const int side = std::max(1, static_cast<int>(std::floor(2 * room.half / lattice)));
  for (int i = 0; i < scene.bodies; ++i) {
    bodies += free_body(geoms[static_cast<std::size_t>(i)]);
    const int at[3] = {i % side, i / side % side, i / side / side};
    for (const int k : at) {
      scene.place.push_back(lattice * (k - 0.5 * (side - 1)));
    }
  }
  scene.text = scene_text(options, bodies);
  for (int k = 0; k < 3; ++k) {
    scene.low[k] = -room.half - room.wall;
    scene.high[k] = room.half + room.wall;
    scene.speed[k] = 0;
  }
  return scene;
}

}  // namespace

ShotStart ShotScene::start(int nenv, std::uint64_t seed) const {
  ShotStart start;
  for (int env = 0; env < nenv; ++env) {
    for (int body = 0; body < bodies; ++body) {
      std::uint64_t index = 0;
      const auto noise = [&] {
        return 2 * uniform(seed, static_cast<std::uint64_t>(env), static_cast<std::uint64_t>(body),
                           index++) -
               1;
      };
      for (int k = 0; k < 3; ++k) {
        start.qpos.push_back(place[static_cast<std::size_t>(3 * body + k)]);
      }
      // four numbers in a cube are even enough here
      std::array<double, 4> quat = {1, 0, 0, 0};
      double length = 1;
      if (turned) {
        length = 0;
        for (double& x : quat) {
          x = noise() + 1e-9;
          length += x * x;
        }
      }
      for (const double x : quat) {
        start.qpos.push_back(x / std::sqrt(length));
      }
      for (const double mean : speed) {
        start.qvel.push_back(mean + speed_noise * noise());
      }
      for (int k = 0; k < 3; ++k) {
        start.qvel.push_back(spin * noise());
      }
    }
  }
  return start;
}

int ShotScene::outside(const std::vector<double>& qpos) const {
  int count = 0;
  for (std::size_t i = 0; i + 7 <= qpos.size(); i += 7) {
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      // a number that is not finite is nowhere
      inside = inside && qpos[i + k] > low[k] && qpos[i + k] < high[k];
    }
    count += inside ? 0 : 1;
  }
  return count;
}

ShotScene bullet_scene(int bullets, const ShotOptions& options) {
  ShotScene scene;
  scene.name = fmt::format("{} bullets", bullets);
  scene.bodies = bullets;
  const int side = std::max(1, static_cast<int>(std::ceil(std::sqrt(bullets))));
  constexpr double pitch = 0.012;
  std::string bodies = "<geom type='box' size='2 2 .0005' contype='2' conaffinity='1'/>";
  for (int i = 0; i < bullets; ++i) {
    bodies += free_body("type='sphere' size='.005' contype='1' conaffinity='2'");
    scene.place.insert(scene.place.end(),
                       {pitch * (i % side - 0.5 * side), pitch * (i / side - 0.5 * side), 0.8});
  }
  scene.text = scene_text(options, bodies);
  scene.turned = false;
  for (int k = 0; k < 3; ++k) {
    scene.low[k] = k == 2 ? 0 : -9;
    scene.high[k] = 9;
    scene.speed[k] = k == 2 ? -500 : 0;
  }
  scene.speed_noise = 100;
  return scene;
}

ShotScene room_scene(const ShotOptions& options) {
  ShotScene scene =
      in_room("ten bodies in a room",
              {"type='sphere' size='.04'", "type='sphere' size='.02'",
               "type='capsule' size='.01 .09'", "type='capsule' size='.03 .06'",
               "type='box' size='.05 .04 .03'", "type='box' size='.001 .06 .06'",
               "type='cylinder' size='.05 .03'", "type='cylinder' size='.01 .08'",
               "type='ellipsoid' size='.06 .04 .02'", "type='ellipsoid' size='.03 .03 .08'"},
              0.3, options);
  scene.speed_noise = 250;
  scene.spin = 300;
  return scene;
}

ShotScene rod_scene(int rods, const ShotOptions& options) {
  const std::vector<std::string> geoms(static_cast<std::size_t>(rods),
                                       "type='capsule' size='.001 .1'");
  ShotScene scene = in_room(fmt::format("{} rods in a room", rods), geoms, 0.22, options);
  scene.speed_noise = 100;
  scene.spin = 100;
  return scene;
}

ShotScene pellet_scene(const ShotOptions& options) {
  const std::vector<std::string> geoms(8, "type='sphere' size='.002'");
  ShotScene scene = in_room("pellets in a box", geoms, 0.05, options, {0.1, 0.0005});
  scene.speed_noise = 20;
  return scene;
}

}  // namespace swept::bench
