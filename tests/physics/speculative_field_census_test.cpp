// SPDX-License-Identifier: Apache-2.0
// The census of height fields: random shots at random fields, and whether anything got into the ground
// on the way that was really made (field_judge.h).
#include "physics/field_judge.h"
#include "physics/field_scene.h"

#include <swept/speculative.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace swept::test {
namespace {

class SpeculativeFieldCensus : public testing::TestWithParam<Precision> {};

constexpr double timestep = 0.002;

/// A random field: smooth hills, spikes, walls one cell wide and pits.
std::string random_field(std::mt19937* random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::uniform_int_distribution<int> points(2, 24);
  const int rows = points(*random), columns = points(*random);
  const double spikes = uniform(*random), walls = 0.2 * uniform(*random);
  const double waves = 6 * uniform(*random), relief = std::pow(10, -1.3 + 1.3 * uniform(*random));
  std::vector<double> wall(static_cast<std::size_t>(columns));
  for (double& x : wall) {
    x = uniform(*random) < walls ? 1 : 0;
  }
  return field_asset(
      rows, columns, {1, 1, relief, 0.02 + 0.3 * uniform(*random)}, [&](int r, int c) {
        const double hill = 0.5 + 0.5 * std::sin(waves * r / rows + waves * c / columns);
        const double spike = std::pow(uniform(*random), 4);
        return std::max(wall[static_cast<std::size_t>(c)], (1 - spikes) * hill + spikes * spike);
      });
}

/// A random geom: a sphere, capsule, ellipsoid, cylinder, box or hull.
std::string random_geom(int kind, std::mt19937* random) {
  std::uniform_real_distribution<double> size(0.02, 0.12);
  const std::vector<double> s = {size(*random), size(*random), size(*random)};
  constexpr const char* types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  if (kind < 5) {
    return "type='" + std::string(types[kind]) + "' size='" + numbers(s) + "'";
  }
  return "type='mesh' mesh='round'";
}

/// An icosahedron.
constexpr const char* round_mesh =
    "<asset><mesh name='round' scale='.05 .05 .05' vertex='0 1 1.618 0 -1 1.618 0 1 -1.618 0 -1 "
    "-1.618 1 1.618 0 -1 1.618 0 1 -1.618 0 -1 -1.618 0 1.618 0 1 1.618 0 -1 -1.618 0 1 -1.618 0 "
    "-1'/></asset>";

/// What became of shots.
struct FieldCensus {
  long shots = 0, meet = 0, crossed = 0, held = 0, resolved = 0;
};

/// How deep points of a geom have to be in it to tell, over its smallest half size. In the first step
/// the guard's floor and what is left after the last solve allow for 0.1. What goes slower than its half
/// size per step is not followed, and in later steps contacts are soft: there the middle tells.
constexpr double floor_depth = 0.2, centre_depth = 0.97;

/// A scene of a field and a geom, and where shots start.
class FieldShots {
 public:
  FieldShots(int kind, bool moves, const std::string& mode, std::mt19937* random) {
    const std::string field = "<geom type='hfield' hfield='f'/>";
    xml_ = speculative_scene(
        {.mode = mode, .geom = "solref='0.004 1'"},
        (moves ? "<body><freejoint/><inertial pos='0 0 0' mass='20' diaginertia='4 4 4'/>" + field +
                     "</body>"
               : field) +
            "<body><freejoint/><geom " + random_geom(kind, random) + "/></body>");
    xml_.insert(xml_.find("<worldbody>"), random_field(random) + round_mesh);
    moves_ = moves;
  }

  /// Shoot once in each of `nenv` environments.
  ///   steps   that each is followed for
  void shoot(Precision precision, int nenv, int steps, std::mt19937* random, FieldCensus* census) {
    Batch batch(compile(load_string(xml_, Format::xml)),
                {.nenv = nenv, .precision = precision, .threads = 1});
    const Model& m = batch.model();
    const FieldSolid solid(m, 0);
    const int geom = m.ngeom - 1;
    const std::vector<Point> near = points_within(m, geom, floor_depth),
                             middle = points_within(m, geom, centre_depth);
    std::vector<double> start, speed;
    for (int env = 0; env < nenv; ++env) {
      add_shot(m, solid, geom, random, &start, &speed);
    }
    batch.write("qpos", start);
    batch.write("qvel", speed);
    std::vector<double> from = batch.read("qpos");
    std::vector<const std::vector<Point>*> which;
    for (int env = 0; env < nenv; ++env) {
      ++census->shots;
      const double *q = from.data() + env * m.nq, *v = speed.data() + env * m.nv;
      // what goes slower than its half size per step is not followed in it
      const bool slow = travel(m, v) < thickness(m);
      which.push_back(slow || steps > 1 ? &middle : &near);
      census->meet += gets_in(m, solid, *which.back(), q, v, nullptr) ? 1 : 0;
    }
    std::vector<bool> crossed(static_cast<std::size_t>(nenv), false);
    for (int step = 0; step < steps; ++step) {
      batch.step();
      const std::vector<double> to = batch.read("qpos"), made = batch.read("qvel");
      for (int env = 0; env < nenv; ++env) {
        const auto e = static_cast<std::size_t>(env);
        if (gets_in(m, solid, *which[e], from.data() + env * m.nq, made.data() + env * m.nv,
                    to.data() + env * m.nq)) {
          crossed[e] = true;
        }
      }
      from = to;
    }
    for (int env = 0; env < nenv; ++env) {
      census->crossed += crossed[static_cast<std::size_t>(env)] ? 1 : 0;
      census->held += counted(&batch, speculative_held, env);
      census->resolved += counted(&batch, speculative_resolved, env);
    }
  }

 private:
  /// A shot from over, beside or below the field, aimed at it.
  void add_shot(const Model& m, const FieldSolid& solid, int geom, std::mt19937* random,
                std::vector<double>* start, std::vector<double>* speed) const {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::normal_distribution<double> normal;
    const double bound = m.geom_rbound[static_cast<std::size_t>(geom)];
    const std::array<double, 4>& size = solid.size();
    Point at = {1.2 * uniform(*random), 1.2 * uniform(*random), 0};
    const int from = static_cast<int>(1.5 + 1.5 * uniform(*random));
    const double gap = bound * (1 + 1e-3 + std::abs(uniform(*random)));
    if (from == 0) {
      at[2] = -size[3] - gap;
    } else if (from == 1) {
      at[0] = std::copysign(size[0] + gap, at[0]);
      at[2] = -size[3] + std::abs(uniform(*random)) * (size[2] + size[3]);
    } else {
      at[2] = std::max(solid.highest(at[0], at[1], bound), -size[3]) + gap;
    }
    if (moves_) {
      start->insert(start->end(), {0, 0, 0, 1, 0, 0, 0});
      for (int k = 0; k < 6; ++k) {
        speed->push_back((k < 3 ? 100 : 60) * uniform(*random));
      }
    }
    start->insert(start->end(), at.begin(), at.end());
    double quat[4], length = 0;
    for (double& x : quat) {
      x = normal(*random);
      length += x * x;
    }
    for (const double x : quat) {
      start->push_back(x / std::sqrt(length));
    }
    // 0.05 to 20 lengths, to a place in the solid
    const double way = 2 * bound * std::pow(10, -1.3 + 2.6 * std::abs(uniform(*random)));
    const Point to = {0.9 * uniform(*random), 0.9 * uniform(*random), -0.5 * size[3]};
    const double far = std::hypot(to[0] - at[0], to[1] - at[1], to[2] - at[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      speed->push_back(way / timestep * (to[k] - at[k]) / far);
    }
    const double spin = 600 * std::abs(uniform(*random));
    for (int k = 0; k < 3; ++k) {
      speed->push_back(spin * uniform(*random));
    }
  }

  /// The smallest half size of the geom [m].
  static double thickness(const Model& m) {
    const double* const half = m.geom_aabb.data() + 6 * (m.ngeom - 1) + 3;
    return std::min({half[0], half[1], half[2]});
  }

  /// No point of the geom gets further in a step, seen from the field [m].
  double travel(const Model& m, const double* qvel) const {
    const int first = moves_ ? 1 : 0;
    double way = 0;
    for (int body = 0; body <= first; ++body) {
      const double* const v = qvel + 6 * body;
      // what the geom meets of a field is not further from its centre than 3 m; no spin moves a ball
      const auto g = static_cast<std::size_t>(m.ngeom - 1);
      const double own = m.geom_type[g] == geom_sphere ? 0 : m.geom_rbound[g];
      const double radius = body < first ? 3 : own;
      way += timestep * (std::hypot(v[0], v[1], v[2]) + radius * std::hypot(v[3], v[4], v[5]));
    }
    return way;
  }

  /// Whether points of the geom get into the solid along a motion.
  ///   end   where the motion has led, or null: all of the step
  bool gets_in(const Model& m, const FieldSolid& solid, const std::vector<Point>& points,
               const double* qpos, const double* qvel, const double* end) const {
    const int first = moves_ ? 1 : 0;
    double part[2] = {1, 1};
    for (int body = 0; body <= first && end != nullptr; ++body) {
      part[body] = part_moved(qpos + 7 * body, qvel + 6 * body, end + 7 * body, timestep);
    }
    const double apart = 0.2 * std::min(thickness(m), solid.size()[3]), way = travel(m, qvel);
    const int looks = std::clamp(static_cast<int>(way / apart), 20, 4000);
    for (int i = 0; i <= looks; ++i) {
      const double t = timestep * i / looks;
      const Pose body = moved(qpos + 7 * first, qvel + 6 * first, t * part[first]);
      const Pose field = moves_ ? moved(qpos, qvel, t * part[0]) : Pose{{0, 0, 0}, {1, 0, 0, 0}};
      const Point centre = field.in(body.pos);
      if (!solid.is_near(centre, m.geom_rbound[static_cast<std::size_t>(m.ngeom - 1)])) {
        continue;
      }
      for (const Point& p : points) {
        if (solid.holds(field.in(body.out(p)))) {
          return true;
        }
      }
    }
    return false;
  }

  std::string xml_;
  bool moves_ = false;
};

/// Shoot geoms of all kinds at random fields; what became of them.
FieldCensus take_census(Precision precision, bool moves, int fields, int nenv, int steps,
                        const std::string& mode = "robust") {
  FieldCensus all;
  for (int kind = 0; kind < 6; ++kind) {
    for (int field = 0; field < fields; ++field) {
      std::mt19937 random(static_cast<unsigned>(100 * kind + field + (moves ? 1000 : 0)));
      const long before = all.crossed;
      FieldShots(kind, moves, mode, &random).shoot(precision, nenv, steps, &random, &all);
      if (mode == "robust") {
        EXPECT_EQ(all.crossed, before) << "kind " << kind << " field " << field;
      }
    }
  }
  std::printf(
      "%s field, %d steps: shots %ld, would get in %ld, got in %ld, held back in %ld steps, "
      "solves more %ld\n",
      moves ? "moving" : "static", steps, all.shots, all.meet, all.crossed, all.held, all.resolved);
  return all;
}

TEST_P(SpeculativeFieldCensus, NothingShotAtItGetsIn) {
  for (const bool moves : {false, true}) {
    const FieldCensus all = take_census(GetParam(), moves, 12, 40, 1);
    EXPECT_GT(all.meet, all.shots / 4);
  }
}

TEST_P(SpeculativeFieldCensus, AsTheOfficialLibraryDoesItMostGetIn) {
  const FieldCensus all = take_census(GetParam(), false, 4, 40, 1, "parity");
  EXPECT_GT(static_cast<double>(all.crossed), 0.9 * static_cast<double>(all.meet));
}

TEST_P(SpeculativeFieldCensus, NothingGetsInLater) {
  for (const bool moves : {false, true}) {
    take_census(GetParam(), moves, 4, 20, 12);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeFieldCensus,
                         testing::Values(Precision::f64, Precision::f32));

}  // namespace
}  // namespace swept::test
