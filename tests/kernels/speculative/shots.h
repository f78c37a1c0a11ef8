// SPDX-License-Identifier: Apache-2.0
// Random shots for the tests of speculative contacts: two geoms of the official library, one of them
// aimed at the other, as its contacts see them and as a swept pair of ours.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "kernels/geometry/poses.h"
#include "kernels/speculative/pair.h"

namespace swept::SWEPT_NS {

constexpr bool single = sizeof(real) == 4;

/// Types that take part.
inline constexpr int shot_types[] = {geom_plane,    geom_sphere, geom_capsule, geom_ellipsoid,
                                     geom_cylinder, geom_box,    geom_mesh};
inline constexpr int shot_nofmesh = 3;

/// Numbers of a geom and its body; those of a fixed one stand at rest.
struct ShotGeom {
  int type = geom_sphere;
  int mesh = 0;  ///< which of the meshes
  bool free = true;
  std::array<double, 3> size{}, pos{}, vel{}, spin{};  ///< spin in the body's frame
  std::array<double, 4> quat{1, 0, 0, 0};
};

/// Two geoms, the smaller type first, and what they share.
struct Shot {
  ShotGeom one, two;
  double margin = 0, gap = 0, timestep = 0.002;
  std::string option, geom;  ///< attributes of <option>, and of both geoms
  std::string flag;          ///< attributes of <flag>
};

inline std::string numbers(const double* x, std::size_t n) {
  std::string text;
  char one[40];
  for (std::size_t i = 0; i < n; ++i) {
    std::snprintf(one, sizeof one, "%.17g ", x[i]);
    text += one;
  }
  return text;
}

/// The scene of a shot.
inline std::string scene_text(const Shot& shot) {
  const char* const names[] = {"plane",     "hfield",   "sphere", "capsule",
                               "ellipsoid", "cylinder", "box",    "mesh"};
  const std::string meshes[shot_nofmesh] = {".2 0 0 0 .3 0 0 0 .2 -.1 -.1 -.1",
                                            points_text(12, 0.2, 0.3, 0.25, 1),
                                            points_text(40, 0.3, 0.2, 0.05, 4)};
  std::string asset, bodies;
  for (int i = 0; i < shot_nofmesh; ++i) {
    asset += "<mesh name='" + std::to_string(i) + "' vertex='" + meshes[i] + "'/>";
  }
  for (const ShotGeom* const g : {&shot.one, &shot.two}) {
    const std::string size = g->type == geom_mesh ? " mesh='" + std::to_string(g->mesh) + "'"
                                                  : " size='" + numbers(g->size.data(), 3) + "'";
    const double half[2] = {0.5 * shot.margin, 0.5 * shot.gap};
    bodies += "<body pos='" + numbers(g->pos.data(), 3) + "' quat='" + numbers(g->quat.data(), 4) +
              "'>" + (g->free ? "<freejoint/>" : "") + "<geom type='" + names[g->type] + "'" +
              size + " margin='" + numbers(half, 1) + "' gap='" + numbers(half + 1, 1) + "' " +
              shot.geom + "/></body>";
  }
  return "<mujoco><option timestep='" + numbers(&shot.timestep, 1) + "' " + shot.option +
         "><flag speculative='enable' gravity='disable' " + shot.flag + "/></option><asset>" +
         asset + "</asset><worldbody>" + bodies + "</worldbody></mujoco>";
}

/// A shot in the official library: its contacts, and the same pair of ours.
class OfficialShot {
 public:
  explicit OfficialShot(const Shot& shot) : scene(OracleModel::from_text(scene_text(shot))) {
    mjModel* const m = scene.model;
    mjData* const d = scene.data;
    int dof = 0;
    for (const ShotGeom* const g : {&shot.one, &shot.two}) {
      if (g->free) {
        std::copy(g->vel.begin(), g->vel.end(), d->qvel + dof);
        std::copy(g->spin.begin(), g->spin.end(), d->qvel + dof + 3);
        dof += 6;
      }
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_collision(m, d);
    for (int i = 0; i < m->nmesh; ++i) {
      meshes_.push_back(mesh_arrays(m, i));
    }
  }

  OracleModel scene;

  int contacts() const { return static_cast<int>(scene.data->ncon); }
  const mjContact& contact(int i) const { return scene.data->contact[i]; }

  /// Geom g as a shape.
  Shape shape(int g) const {
    const mjModel* const m = scene.model;
    const mjtNum *const x = scene.data->geom_xpos + 3 * g, *const r = scene.data->geom_xmat + 9 * g,
                        *const s = m->geom_size + 3 * g;
    const auto to = [](mjtNum a) { return static_cast<real>(a); };
    Shape shape = {
        m->geom_type[g],
        {to(x[0]), to(x[1]), to(x[2])},
        {to(r[0]), to(r[1]), to(r[2]), to(r[3]), to(r[4]), to(r[5]), to(r[6]), to(r[7]), to(r[8])},
        {to(s[0]), to(s[1]), to(s[2])}};
    if (m->geom_type[g] == mjGEOM_MESH) {
      shape.mesh = meshes_[static_cast<std::size_t>(m->geom_dataid[g])].shape;
    }
    return shape;
  }
  real bound(int g) const { return static_cast<real>(scene.model->geom_rbound[g]); }
  StepMotion<real> motion(int g) const {
    mjtNum v[6];
    mj_objectVelocity(scene.model, scene.data, mjOBJ_GEOM, g, v, 0);
    const double h = scene.model->opt.timestep;
    const auto to = [h](mjtNum a) { return static_cast<real>(a * h); };
    return step_motion<real>(scene.model->geom_type[g], {to(v[3]), to(v[4]), to(v[5])},
                             {to(v[0]), to(v[1]), to(v[2])}, bound(g));
  }
  real thickness(int g) const {
    const mjtNum* const half = scene.model->geom_aabb + 6 * g + 3;
    return half_thickness<real>(
        scene.model->geom_type[g],
        {static_cast<real>(half[0]), static_cast<real>(half[1]), static_cast<real>(half[2])});
  }
  SweptPair pair() const {
    return swept_pair(shape(0), motion(0), bound(0), shape(1), motion(1), bound(1),
                      min(thickness(0), thickness(1)));
  }

 private:
  std::vector<MeshArrays> meshes_;
};

/// Draws shots.
class RandomShots {
 public:
  explicit RandomShots(unsigned seed) : random_(seed) {}

  double uniform(double lo, double hi) {
    return static_cast<real>(std::uniform_real_distribution<double>(lo, hi)(random_));
  }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }
  std::array<double, 3> direction(double length) {
    std::normal_distribution<double> normal;
    double x[3], square = 0;
    for (double& a : x) {
      a = normal(random_);
      square += a * a;
    }
    const double scale = length / std::sqrt(square);
    return {rounded(x[0] * scale), rounded(x[1] * scale), rounded(x[2] * scale)};
  }
  std::array<double, 4> rotation() {
    const std::array<double, 3> a = direction(1);
    const double angle = uniform(0, 6.28);
    return {rounded(std::cos(angle / 2)), rounded(a[0] * std::sin(angle / 2)),
            rounded(a[1] * std::sin(angle / 2)), rounded(a[2] * std::sin(angle / 2))};
  }

  ShotGeom geom(int type, double spin) {
    ShotGeom g;
    g.type = type;
    g.mesh = integer(0, shot_nofmesh - 1);
    g.size = {uniform(0.02, 0.3), uniform(0.02, 0.3), uniform(0.02, 0.3)};
    g.free = type != geom_plane;
    g.quat = rotation();
    if (g.free) {
      g.spin = direction(uniform(0, spin));
    }
    if (type == geom_plane) {
      g.size = {0, 0, 1};
    }
    return g;
  }

  /// Geom 2 flies at geom 1, most times near enough to hit.
  ///   spin     [rad/s] the most
  ///   lengths  the most that it travels, in distances
  Shot shot(int type1, int type2, double spin, double lengths = 2.5) {
    Shot s;
    s.one = geom(std::min(type1, type2), spin);
    s.two = geom(std::max(type1, type2), spin);
    if (s.one.type != geom_plane && integer(0, 2) == 0) {
      s.one.free = false;
      s.one.spin = {};
    }
    s.one.pos = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    const double distance = uniform(0.1, 1.5);
    std::array<double, 3> way = direction(distance);
    if (s.one.type == geom_plane) {
      // from above
      const auto& q = s.one.quat;
      const double z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                           q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
      const double up = way[0] * z[0] + way[1] * z[1] + way[2] * z[2];
      for (std::size_t i = 0; i < 3 && up > 0; ++i) {
        way[i] = -way[i];
      }
    }
    const std::array<double, 3> beside = direction(uniform(0, 0.35));
    const double speed = uniform(0.3, lengths) / s.timestep;
    for (std::size_t i = 0; i < 3; ++i) {
      s.two.pos[i] = rounded(s.one.pos[i] - way[i]);
      s.two.vel[i] = rounded((way[i] + beside[i]) * speed);
    }
    if (s.one.free && integer(0, 1) == 0) {
      // both move
      for (std::size_t i = 0; i < 3; ++i) {
        const double share = rounded(s.two.vel[i] * 0.4);
        s.one.vel[i] = -share;
        s.two.vel[i] = rounded(s.two.vel[i] - share);
      }
    }
    return s;
  }

 private:
  static double rounded(double x) { return static_cast<real>(x); }
  std::mt19937_64 random_;
};

}  // namespace swept::SWEPT_NS
