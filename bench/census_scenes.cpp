// SPDX-License-Identifier: Apache-2.0
// Random scenes as text, and poses in which geoms are in each other, taken back to the start.
#include "bench/census_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace swept::census {

namespace {

using Random = std::mt19937_64;

double uniform(Random* random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(*random);
}
double log_uniform(Random* random, double low, double high) {
  return std::exp(uniform(random, std::log(low), std::log(high)));
}
int pick(Random* random, int n) {
  return std::uniform_int_distribution<int>(0, n - 1)(*random);
}
/// A direction.
std::array<double, 3> direction(Random* random) {
  std::normal_distribution<double> normal;
  std::array<double, 3> u = {normal(*random), normal(*random), normal(*random)};
  const double length = std::max(std::hypot(u[0], u[1], u[2]), 1e-12);
  return {u[0] / length, u[1] / length, u[2] / length};
}

/// A geom in both spellings, and the meshes that they need.
struct GeomText {
  std::string geom, judged;
  std::string assets;
};

std::string vertices_of_box(const double* half) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format("{:.9g} {:.9g} {:.9g} ", (i & 1) != 0 ? half[0] : -half[0],
                        (i & 2) != 0 ? half[1] : -half[1], (i & 4) != 0 ? half[2] : -half[2]);
  }
  return text;
}

/// A hull of random points, flattened where it is to be thin.
std::string vertices_of_hull(const double* half, Random* random) {
  std::string text;
  for (int i = 0, n = 6 + pick(random, 20); i < n; ++i) {
    const std::array<double, 3> u = direction(random);
    text += fmt::format("{:.9g} {:.9g} {:.9g} ", half[0] * u[0], half[1] * u[1], half[2] * u[2]);
  }
  return text;
}

/// A geom.
///   type   of mjtGeom; attributes: what both spellings get as well
GeomText geom_text(int type, const std::string& name, const std::string& attributes,
                   Random* random) {
  double s[3];
  for (double& x : s) {
    x = log_uniform(random, 0.03, 0.3);
  }
  // half of all are thin: plates, rods, needles, walls from a millimetre on
  const bool thin = pick(random, 2) == 0;
  if (thin) {
    s[type == mjGEOM_CYLINDER && pick(random, 2) == 0 ? 1 : 0] = log_uniform(random, 0.0005, 0.01);
  }
  const auto both = [&](const std::string& text) {
    return GeomText{fmt::format("<geom {} {}/>", text, attributes),
                    fmt::format("<geom {} {}/>", text, attributes), ""};
  };
  switch (type) {
    case mjGEOM_PLANE:
      return both("type='plane' size='9 9 1'");
    case mjGEOM_SPHERE:
      return both(fmt::format("type='sphere' size='{:.9g}'", s[0]));
    case mjGEOM_CAPSULE:
      return both(fmt::format("type='capsule' size='{:.9g} {:.9g}'", s[0], s[1]));
    case mjGEOM_CYLINDER:
      return both(fmt::format("type='cylinder' size='{:.9g} {:.9g}'", s[0], s[1]));
    case mjGEOM_ELLIPSOID:
      return both(fmt::format("type='ellipsoid' size='{:.9g} {:.9g} {:.9g}'", s[0], s[1], s[2]));
    case mjGEOM_BOX: {
      GeomText text = both(fmt::format("type='box' size='{:.9g} {:.9g} {:.9g}'", s[0], s[1], s[2]));
      text.judged = fmt::format("<geom type='mesh' mesh='{}' {}/>", name, attributes);
      text.assets = fmt::format("<mesh name='{}' vertex='{}'/>", name, vertices_of_box(s));
      return text;
    }
    default: {
      // a hull of few points has no inertia to speak of if it is too flat
      s[0] = std::max(s[0], 0.003);
      GeomText text = both(fmt::format("type='mesh' mesh='{}'", name));
      text.assets = fmt::format("<mesh name='{}' vertex='{}'/>", name, vertices_of_hull(s, random));
      return text;
    }
  }
}

std::string vector_text(const std::array<double, 3>& v, double scale = 1) {
  return fmt::format("{:.9g} {:.9g} {:.9g}", scale * v[0], scale * v[1], scale * v[2]);
}

/// The body of the first geom.
std::string hold_first(Arrangement arrangement, const std::string& geom, const std::string& axis1,
                       const std::string& axis2, const std::string& arm1, const std::string& arm2) {
  const std::string inertial = "<inertial pos='0 0 0' mass='.1' diaginertia='1e-4 1e-4 1e-4'/>";
  switch (arrangement) {
    case Arrangement::free:
      return fmt::format("<body><freejoint/>{}</body>", geom);
    case Arrangement::hinged:
      return fmt::format("<body><joint type='hinge' axis='{}' pos='{}'/>{}</body>", axis1, arm1,
                         geom);
    case Arrangement::pendulum:
      return fmt::format(
          "<body><joint type='hinge' axis='{}' pos='{}'/>{}<body pos='{}'><joint type='hinge' "
          "axis='{}' pos='{}'/>{}</body></body>",
          axis1, arm1, inertial, arm2, axis2, arm1, geom);
    default:
      return geom;
  }
}

}  // namespace

const char* name_of(Arrangement arrangement) {
  constexpr const char* names[] = {"fixed", "free", "hinged", "pendulum", "flail"};
  return names[static_cast<int>(arrangement)];
}

CensusScene census_scene(std::uint64_t number, int iterations) {
  Random random(0x9e3779b97f4a7c15ull * (number + 1));
  CensusScene scene;
  scene.number = number;
  scene.arrangement = static_cast<Arrangement>(pick(&random, static_cast<int>(Arrangement::count)));
  constexpr double spins[] = {0, 30, 300, 1200};
  scene.spin = spins[pick(&random, 4)];
  constexpr int types[] = {mjGEOM_SPHERE,   mjGEOM_CAPSULE, mjGEOM_ELLIPSOID,
                           mjGEOM_CYLINDER, mjGEOM_BOX,     mjGEOM_MESH};
  const bool stands =
      scene.arrangement == Arrangement::fixed || scene.arrangement == Arrangement::flail;
  const int first = stands && pick(&random, 7) == 0 ? mjGEOM_PLANE : types[pick(&random, 6)];
  const int second = types[pick(&random, 6)];
  constexpr int condims[] = {1, 3, 3, 4, 6};
  const int condim = condims[pick(&random, 5)];
  const auto attributes = [&](const char* name) {
    return fmt::format("name='{}' condim='{}' density='{:.4g}'", name, condim,
                       1000 * log_uniform(&random, 0.03, 30));
  };
  const GeomText one = geom_text(first, "m1", attributes("one"), &random),
                 two = geom_text(second, "m2", attributes("two"), &random);
  const std::string axis1 = vector_text(direction(&random)),
                    axis2 = vector_text(direction(&random)),
                    arm1 = vector_text(direction(&random), uniform(&random, 0, 0.3)),
                    arm2 = vector_text(direction(&random), uniform(&random, 0, 0.3));
  const auto text = [&](const std::string& geom1, const std::string& geom2) {
    const std::string thrown =
        scene.arrangement == Arrangement::flail
            ? fmt::format(
                  "<body><freejoint/><inertial pos='0 0 0' mass='.1' diaginertia='1e-4 1e-4 "
                  "1e-4'/><body pos='{}'><joint type='hinge' axis='{}' pos='{}'/>{}</body>"
                  "</body>",
                  arm1, axis1, arm2, geom2)
            : fmt::format("<body><freejoint/>{}</body>", geom2);
    const std::string custom =
        iterations < 0
            ? ""
            : fmt::format("<custom><numeric name='speculative_iterations' data='{}'/></custom>",
                          iterations);
    return fmt::format(
        "<mujoco><compiler angle='radian'/><option timestep='{}' gravity='0 0 0' solver='Newton' "
        "tolerance='1e-12' ls_tolerance='1e-8' iterations='200' jacobian='dense'><flag "
        "speculative='enable'/></option>{}<asset>{}{}</asset><worldbody>{}{}</worldbody></mujoco>",
        timestep, custom, one.assets, two.assets,
        hold_first(scene.arrangement, geom1, axis1, axis2, arm1, arm2), thrown);
  };
  scene.text = text(one.geom, two.geom);
  scene.judged = text(one.judged, two.judged);
  return scene;
}

namespace {

/// A random point of a geom's local box, in the world [m].
std::array<double, 3> point_of(const mjModel& m, const mjData& d, int geom, Random* random) {
  double local[3];
  for (int k = 0; k < 3; ++k) {
    const double part = m.geom_type[geom] == mjGEOM_PLANE ? 0 : uniform(random, -0.7, 0.7);
    local[k] = m.geom_aabb[6 * geom + k] + part * m.geom_aabb[6 * geom + 3 + k];
  }
  std::array<double, 3> world;
  for (std::size_t i = 0; i < 3; ++i) {
    world[i] = d.geom_xpos[3 * geom + static_cast<int>(i)];
    for (int k = 0; k < 3; ++k) {
      world[i] += d.geom_xmat[9 * geom + 3 * static_cast<int>(i) + k] * local[k];
    }
  }
  return world;
}

}  // namespace

CensusShot random_shot(const CensusScene& scene, const mjModel& m, mjData* d, Random* random) {
  CensusShot shot;
  shot.qvel.resize(static_cast<std::size_t>(m.nv));
  double largest = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    largest = std::max(largest, m.geom_rbound[g]);
  }
  // lengths of the larger one
  const double travel = 2 * largest * log_uniform(random, 0.05, 20);
  const double speed = travel / timestep;
  int thrown = -1;
  std::copy_n(m.qpos0, m.nq, d->qpos);
  for (int j = 0; j < m.njnt; ++j) {
    const int q = m.jnt_qposadr[j];
    double* const v = shot.qvel.data() + m.jnt_dofadr[j];
    if (m.jnt_type[j] == mjJNT_HINGE) {
      d->qpos[q] = uniform(random, -3, 3);
      v[0] = scene.spin * uniform(random, -1, 1);
      continue;
    }
    // the last free body is thrown, the other one drifts
    thrown = j;
    const std::array<double, 3> way = direction(random), axis = direction(random);
    std::normal_distribution<double> normal;
    double length = 0;
    for (int k = 0; k < 4; ++k) {
      d->qpos[q + 3 + k] = normal(*random);
      length += d->qpos[q + 3 + k] * d->qpos[q + 3 + k];
    }
    const double turning = scene.spin * uniform(random, 0, 1);
    for (int k = 0; k < 4; ++k) {
      d->qpos[q + 3 + k] /= std::sqrt(length);
    }
    const double part =
        j + 1 < m.njnt && m.jnt_type[m.njnt - 1] == mjJNT_FREE ? uniform(random, 0, 0.5) : 1;
    for (std::size_t k = 0; k < 3; ++k) {
      d->qpos[q + static_cast<int>(k)] = 0;
      v[k] = part * speed * way[k];
      v[3 + k] = turning * axis[k];
    }
  }
  // a point of each in one place, at a time of the step
  mj_kinematics(&m, d);
  const std::array<double, 3> one = point_of(m, *d, 0, random), two = point_of(m, *d, 1, random);
  for (int k = 0; k < 3; ++k) {
    d->qpos[m.jnt_qposadr[thrown] + k] +=
        one[static_cast<std::size_t>(k)] - two[static_cast<std::size_t>(k)];
  }
  mj_integratePos(&m, d->qpos, shot.qvel.data(), -timestep * uniform(random, 0.05, 0.95));
  shot.qpos.assign(d->qpos, d->qpos + m.nq);
  return shot;
}

}  // namespace swept::census
