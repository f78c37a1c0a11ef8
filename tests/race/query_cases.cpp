// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/query. The kernels come with their source.
#include "kernels/query/query.cpp"
#include "race/cases.h"

#include <array>
#include <cmath>

namespace swept::SWEPT_NS::test {

namespace {

constexpr int ray_count = 40;

/// A fan of rays from above the scene.
RayJob rays(Scene& s) {
  static const std::array<real, 3 * ray_count> origins = [] {
    std::array<real, 3 * ray_count> values{};
    for (std::size_t i = 2; i < values.size(); i += 3) {
      values[i] = 2_r;
    }
    return values;
  }();
  static const std::array<real, 3 * ray_count> directions = [] {
    std::array<real, 3 * ray_count> values{};
    for (std::size_t i = 0; i < values.size(); i += 3) {
      const real angle = static_cast<real>(i);
      values[i] = 0.02_r * angle / 3_r * std::cos(angle);
      values[i + 1] = 0.02_r * angle / 3_r * std::sin(angle);
      values[i + 2] = -1_r;
    }
    return values;
  }();
  RayJob job;
  job.count = ray_count;
  job.origin = origins.data();
  job.direction = directions.data();
  job.cutoff = ray_miss;
  job.distance = s.exported_reals();
  job.normal = s.exported_reals() + s.nenv() * ray_count;
  job.geom = s.exported_ints();
  return job;
}

/// The first geom and each of the others.
DistanceJob distances(Scene& s) {
  static std::vector<int> pairs;
  pairs.clear();
  for (int geom = 1; geom < s.tile().model.ngeom; ++geom) {
    pairs.insert(pairs.end(), {0, geom});
  }
  const int count = static_cast<int>(pairs.size()) / 2;
  DistanceJob job;
  job.count = count;
  job.pairs = pairs.data();
  job.maxdist = 1_r;
  job.distance = s.exported_reals();
  job.fromto = job.distance + s.nenv() * count;
  job.normal = job.fromto + 6 * s.nenv() * count;
  return job;
}

}  // namespace

std::vector<Case> query_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("query/CastRays", P::acceleration,
              [](G g, Scene& s, int env) {
                CastRays{&s.tile(), rays(s)}(g, env);
              }),
      on_envs("query/MeasureDistances", P::acceleration,
              [](G g, Scene& s, int env) {
                // one list for all lanes
                static DistanceJob job;
                if (g.lane() == 0) {
                  job = distances(s);
                }
                g.sync();
                MeasureDistances{&s.tile(), job}(g, env);
              }),
  };
}

}  // namespace swept::SWEPT_NS::test
