// SPDX-License-Identifier: Apache-2.0
// Scenes of joints for the tests of arcs: the official library's model and kinematics, and the same
// environment as the kernels see it.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/geometry/exact.h"
#include "kernels/speculative/arc_pair.h"
#include "kernels/speculative/shots.h"

namespace swept::SWEPT_NS {

/// A velocity that a test hands in.
struct GivenVelocity {
  const real* v;
  SWEPT_FN real operator()(int dof) const { return v[dof]; }
};

/// One environment. The state is that of `scene.data`, in numbers that the configuration can hold.
class ArcWorld {
 public:
  /// At qpos0.
  ///   per_step   velocities of the first dofs [m or rad per step]; the others are zero
  explicit ArcWorld(const std::string& xml, const std::vector<double>& per_step = {})
      : scene(OracleModel::from_text(xml)), tile_(scene.model, 1) {
    mjModel* const m = scene.model;
    m->opt.ccd_tolerance = 1e-12;
    m->opt.ccd_iterations = 1000;
    for (std::size_t i = 0; i < per_step.size(); ++i) {
      scene.data->qvel[i] = per_step[i] / m->opt.timestep;
    }
    now();
  }

  /// Take over qpos, qvel (the candidate) and mocap poses.
  void now() {
    const mjModel* const m = scene.model;
    mjData* const d = scene.data;
    round(d->qpos, m->nq);
    round(d->qvel, m->nv);
    start_.assign(d->qpos, d->qpos + m->nq);
    mj_kinematics(m, d);
    tile_.write(&Layout::xanchor, 0, d->xanchor);
    tile_.write(&Layout::xaxis, 0, d->xaxis);
    tile_.write(&Layout::xmat, 0, d->xmat);
    tile_.write(&Layout::geom_xpos, 0, d->geom_xpos);
    tile_.write(&Layout::geom_xmat, 0, d->geom_xmat);
    velocity_.assign(d->qvel, d->qvel + m->nv);
  }

  /// Move the library's data to the time t of the step.
  void go_to(double t) {
    const mjModel* const m = scene.model;
    mjData* const d = scene.data;
    std::copy(start_.begin(), start_.end(), d->qpos);
    mj_integratePos(m, d->qpos, d->qvel, t * m->opt.timestep);
    mj_kinematics(m, d);
  }

  ArcScene<GivenVelocity> arcs() const {
    return {tile_.model_at(0), tile_.data_at(0), {velocity_.data()}};
  }
  ArcPair<GivenVelocity> pair(int geom1, int geom2) const {
    return arc_pair_of(arcs(), geom1, geom2);
  }

  OracleModel scene;

 private:
  template <class N>
  static void round(mjtNum* x, N n) {
    for (N i = 0; i < n; ++i) {
      x[i] = static_cast<real>(x[i]);
    }
  }

  OracleTile tile_;
  std::vector<mjtNum> start_;
  std::vector<real> velocity_;
};

inline std::string text(const std::array<double, 3>& x) {
  return numbers(x.data(), 3);
}

/// Draws trees of bodies.
class RandomChains : public RandomShots {
 public:
  using RandomShots::RandomShots;

  /// Attributes of a geom of a random convex type, away from the origin of its body.
  std::string geom(double offset) {
    static const char* const types[] = {"sphere",   "capsule", "ellipsoid",
                                        "cylinder", "box",     "mesh"};
    const int type = integer(0, 5);
    const std::array<double, 3> size = {uniform(0.02, 0.2), uniform(0.02, 0.2), uniform(0.02, 0.2)};
    const std::array<double, 4> q = rotation();
    return std::string("<geom type='") + types[type] + "' " +
           (type == 5 ? "mesh='" + std::to_string(integer(0, shot_nofmesh - 1)) + "'"
                      : "size='" + text(size) + "'") +
           " pos='" + text(direction(uniform(0, offset))) + "' quat='" + numbers(q.data(), 4) +
           "'/>";
  }

  /// Joints of a body that is no child of the world's free bodies.
  std::string joints(int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      const int type = integer(0, 3);
      const std::string at = " pos='" + text(direction(uniform(0, 0.2))) + "'";
      const std::string axis = " axis='" + text(direction(1)) + "'";
      // a ball is the last that turns
      if (type == 0 && i + 1 == count) {
        all += "<joint type='ball'" + at + "/>";
      } else if (type == 1) {
        all +=
            "<joint type='slide'" + axis + at + " ref='" + std::to_string(uniform(-1, 1)) + "'/>";
      } else {
        all +=
            "<joint type='hinge'" + axis + at + " ref='" + std::to_string(uniform(-60, 60)) + "'/>";
      }
    }
    return all;
  }

  /// A body, with a chain of bodies below it; each has a geom.
  std::string chain(int depth, bool root) {
    const std::array<double, 4> q = rotation();
    const int kind = integer(0, 3);
    const bool mocap = root && kind == 1;
    std::string body = "<body pos='" + text(direction(uniform(0, 0.5))) + "' quat='" +
                       numbers(q.data(), 4) + "'" + (mocap ? " mocap='true'>" : ">");
    if (!mocap) {
      body += root && kind == 0 ? "<freejoint/>" : joints(integer(root || depth > 0 ? 0 : 1, 3));
    }
    body += geom(0.3);
    if (depth > 0) {
      body += chain(depth - 1, false);
    }
    return body + "</body>";
  }

  /// A scene of two trees.
  std::string scene(int depth) {
    return scene_of(chain(depth, true) + chain(integer(0, depth), true));
  }

  /// A scene of these bodies.
  static std::string scene_of(const std::string& bodies, double timestep = 0.002) {
    const std::string meshes[shot_nofmesh] = {".2 0 0 0 .3 0 0 0 .2 -.1 -.1 -.1",
                                              points_text(12, 0.2, 0.3, 0.25, 1),
                                              points_text(40, 0.3, 0.2, 0.05, 4)};
    std::string asset;
    for (int i = 0; i < shot_nofmesh; ++i) {
      asset += "<mesh name='" + std::to_string(i) + "' vertex='" + meshes[i] + "'/>";
    }
    return "<mujoco><compiler angle='degree'/><option timestep='" + numbers(&timestep, 1) +
           "'/><asset>" + asset + "</asset><default><geom mass='1'/></default><worldbody>" +
           bodies + "</worldbody></mujoco>";
  }

  /// A random state; velocities so that joints turn or shift by up to `most` in a step, not all.
  void state(ArcWorld* world, double most) {
    const mjModel* const m = world->scene.model;
    mjData* const d = world->scene.data;
    random_state(m, d, static_cast<unsigned>(integer(0, 1 << 30)));
    for (int i = 0; i < m->nv; ++i) {
      const double part = integer(0, 3) == 0 ? 0 : uniform(-most, most);
      d->qvel[i] = part / m->opt.timestep;
    }
    world->now();
  }
};

}  // namespace swept::SWEPT_NS
