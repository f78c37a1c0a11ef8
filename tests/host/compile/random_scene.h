// SPDX-License-Identifier: Apache-2.0
// Random scenes for tests of the compiler: trees of bodies with joints of all types and geoms that
// can all collide.
#pragma once

#include <swept/spec.h>

#include <random>
#include <string>

namespace swept::test {

/// Random numbers with a seed, and what scenes need of them.
class SceneMaker {
 public:
  explicit SceneMaker(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Vec3 vector(double scale) {
    return {uniform(-scale, scale), uniform(-scale, scale), uniform(-scale, scale)};
  }
  Quat rotation() {
    return {uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(0.1, 1.0)};
  }

  /// A world with a few trees of `bodies` bodies in all.
  Spec scene(int bodies) {
    Spec spec;
    spec.worldbody.name = "world";
    int left = bodies;
    while (left > 0) {
      spec.worldbody.bodies.push_back(body(&left, 1));
    }
    const int statics = integer(0, 2);
    for (int i = 0; i < statics; ++i) {
      spec.worldbody.geoms.push_back(geom());
    }
    return spec;
  }

  /// A sphere or a capsule with random bits.
  Geom geom() {
    Geom g;
    g.type = integer(0, 1) == 0 ? GeomType::sphere : GeomType::capsule;
    g.size = {uniform(0.05, 0.2), uniform(0.05, 0.3), 0.0};
    g.pos = vector(0.5);
    g.quat = rotation();
    g.contype = integer(0, 3);
    g.conaffinity = integer(0, 3);
    g.name = "geom" + std::to_string(geoms_++);
    return g;
  }

  /// A joint that fits on a body.
  Joint joint(bool free_allowed) {
    Joint j;
    const int type = integer(free_allowed ? 0 : 1, 3);
    j.type = static_cast<JointType>(type);
    j.pos = vector(0.3);
    j.axis = vector(1.0);
    j.axis[0] += 2.0;
    j.armature = uniform(0.0, 0.1);
    j.ref = uniform(-1.0, 1.0);
    j.name = "joint" + std::to_string(joints_++);
    return j;
  }

 private:
  Body body(int* left, int depth) {
    --*left;
    Body b;
    b.name = "body" + std::to_string(bodies_++);
    b.pos = vector(1.0);
    b.quat = rotation();
    if (integer(0, 3) > 0) {
      b.joints.push_back(joint(depth == 1));
      if (b.joints[0].type == JointType::slide) {
        b.joints.push_back(joint(false));
      }
    }
    const int geoms = integer(1, 3);
    for (int i = 0; i < geoms; ++i) {
      b.geoms.push_back(geom());
    }
    const int children = integer(0, 3);
    for (int i = 0; i<children&& * left> 0; ++i) {
      b.bodies.push_back(body(left, depth + 1));
    }
    return b;
  }

  std::mt19937 random_;
  int bodies_ = 0;
  int geoms_ = 0;
  int joints_ = 0;
};

}  // namespace swept::test
