// SPDX-License-Identifier: Apache-2.0
// Rays against mj_ray: distance, geom and normal, with every kind of filter, on crowds of geoms of
// all types and on the humanoid, at random states, in both precisions.
//
// Where rounding decides what a ray hits (it grazes an edge, two geoms are equally near) the two
// sides may differ. Such rays are known by the official library itself: moved by a few roundings,
// they hit something else or somewhere else there. Their share is printed and bounded.
#include "parity/query_scenes.h"
#include "parity/readback.h"
#include "parity/table.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace swept::test {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What one ray hits on one side.
struct Answer {
  double distance = -1;
  int geom = -1;
  Vector normal{};
};

/// One ray and what it may see, as the official library takes it.
struct Question {
  Vector origin, direction;
  const RayOptions* options;
};

Answer official(Scene* scene, const Question& q) {
  Answer a;
  mjtByte groups[mjNGROUP];
  std::copy(q.options->groups.begin(), q.options->groups.end(), groups);
  a.distance = mj_ray(&scene->oracle.model(), &scene->oracle.data(), q.origin.data(),
                      q.direction.data(), groups, q.options->include_static ? 1 : 0,
                      q.options->exclude_body, &a.geom, a.normal.data());
  return a;
}

/// How far two answers are apart; what misses on one side only is infinitely far.
struct Gap {
  double distance = 0;  ///< along the normal: grazing amplifies the rest
  double normal = 0;
};

Gap gap_between(const Answer& a, const Answer& b, const Vector& direction) {
  if (a.geom != b.geom) {
    return {HUGE_VAL, HUGE_VAL};
  }
  if (a.geom < 0) {
    return {};
  }
  Gap gap;
  const double length = std::sqrt(dot(direction, direction));
  const double slope = std::abs(dot(b.normal, direction)) / length;
  gap.distance = std::abs(a.distance - b.distance) * length * std::max(slope, 1e-3);
  for (std::size_t k = 0; k < 3; ++k) {
    gap.normal = std::max(gap.normal, std::abs(a.normal[k] - b.normal[k]));
  }
  return gap;
}

/// Does the official library itself answer otherwise for a ray that is moved by `step`, m.
bool on_edge(Scene* scene, const Question& q, const Answer& answer, double step, Gap bars) {
  for (int k = 0; k < 12; ++k) {
    Question moved = q;
    (k < 6 ? moved.origin : moved.direction)[static_cast<std::size_t>(k % 3)] +=
        (k / 3 % 2 == 0 ? 1 : -1) * step;
    const Gap gap = gap_between(official(scene, moved), answer, q.direction);
    if (gap.distance > bars.distance || gap.normal > bars.normal) {
      return true;
    }
  }
  return false;
}

/// Filters and cutoffs of all kinds.
std::vector<RayOptions> option_sets(int nbody) {
  std::vector<RayOptions> sets(5);
  sets[1].include_static = false;
  sets[2].exclude_body = 0;
  sets[3].exclude_body = nbody - 1;
  sets[3].groups = {true, false, true, true, false, true};
  sets[4].groups = {false, false, false, true, true, false};
  sets[4].include_static = false;
  return sets;
}

constexpr Tolerance distance_bar = {1e-9, 2e-5};
// a curved surface turns by the error of the place over its radius, here 0.1 m and more
constexpr Tolerance normal_bar = {1e-8, 4e-4};

class Comparison {
 public:
  Comparison(Scene* scene, Table* table, int rays, int states)
      : scene_(*scene), table_(*table), rays_(rays), states_(states) {}

  void run() {
    StateMaker maker(&scene_.oracle, 3);
    const std::vector<State> states = maker.states(states_, 5);
    std::mt19937 random(11);
    const RaySet set = draw(&random);
    for (const Bar precision : {Bar::f64, Bar::f32}) {
      Batch batch = make_batch(scene_.model, precision, states);
      int asked = 0, hits = 0, edges = 0;
      for (const RayOptions& options : option_sets(scene_.model.nbody)) {
        const RayHits got = batch.ray(set, options);
        for (std::size_t env = 0; env < states.size(); ++env) {
          set_state(&scene_.oracle, states[env]);
          mj_kinematics(&scene_.oracle.model(), &scene_.oracle.data());
          for (int i = 0; i < rays_; ++i) {
            ++asked;
            edges += compare(got, env, i, options, precision, &hits) ? 0 : 1;
          }
        }
      }
      std::printf("%s, %s: %d rays, %d hits, %d decided by rounding\n", scene_.name.c_str(),
                  precision == Bar::f64 ? "f64" : "f32", asked, hits, edges);
      EXPECT_GT(hits, asked / 10) << scene_.name;
      EXPECT_LT(edges, asked * (precision == Bar::f64 ? 1e-3 : 1e-2)) << scene_.name;
    }
  }

 private:
  /// Rays from around and from within, of several lengths.
  RaySet draw(std::mt19937* random) {
    const auto uniform = [random](double lo, double hi) {
      return std::uniform_real_distribution<double>(lo, hi)(*random);
    };
    for (int i = 0; i < rays_; ++i) {
      const double reach = i % 3 == 0 ? 8 : 3, aim = i % 2 == 0 ? 1 : 3;
      for (int k = 0; k < 3; ++k) {
        const double from = uniform(-reach, reach);
        origin_.push_back(from);
        direction_.push_back((uniform(-aim, aim) - from) * (i % 5 == 0 ? 0.3 : 1));
      }
    }
    round_to_f32(origin_.data(), origin_.size());
    round_to_f32(direction_.data(), direction_.size());
    return {rays_, origin_, direction_};
  }

  /// Returns false for a ray of which rounding decides.
  bool compare(const RayHits& got, std::size_t env, int ray, const RayOptions& options,
               Bar precision, int* hits) {
    const auto at = env * static_cast<std::size_t>(rays_) + static_cast<std::size_t>(ray);
    const auto three = [](const std::vector<double>& values, std::size_t first) {
      return Vector{values[first], values[first + 1], values[first + 2]};
    };
    const Question q = {three(origin_, 3 * static_cast<std::size_t>(ray)),
                        three(direction_, 3 * static_cast<std::size_t>(ray)), &options};
    const Answer want = official(&scene_, q);
    const Answer ours = {got.distance[at], got.geom[at], three(got.normal, 3 * at)};
    const Gap gap = gap_between(ours, want, q.direction);
    const Gap bars = {distance_bar.bar(precision), normal_bar.bar(precision)};
    *hits += want.geom >= 0 ? 1 : 0;
    if ((gap.distance > bars.distance || gap.normal > bars.normal) &&
        on_edge(&scene_, q, want, precision == Bar::f64 ? 1e-9 : 3e-6, bars)) {
      return false;
    }
    const auto where = [&] {
      return "ray " + std::to_string(ray) + " of state " + std::to_string(env) + ": geom " +
             std::to_string(ours.geom) + " at " + std::to_string(ours.distance) + ", official " +
             std::to_string(want.geom) + " at " + std::to_string(want.distance);
    };
    table_.add(scene_.name, "distance", precision, gap.distance, where);
    table_.add(scene_.name, "normal", precision, gap.normal, where);
    return true;
  }

  Scene& scene_;
  Table& table_;
  int rays_, states_;
  std::vector<double> origin_, direction_;
};

/// Factor on the number of rays: 1, or more where a long run is asked for.
int factor() {
  return std::getenv("SWEPT_LONG") != nullptr ? 20 : 1;
}

TEST(RayParity, HitsAreTheOfficialOnes) {
  Table table("rays", {{"distance", distance_bar}, {"normal", normal_bar}});
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Scene scene = crowd(seed, 6);
    Comparison(&scene, &table, 200 * factor(), 4).run();
  }
  const std::filesystem::path path =
      std::filesystem::path(SWEPT_SOURCE_DIR) / "scenes/humanoid/humanoid.xml";
  Scene humanoid = {"humanoid", compile(load(path)), Oracle(path)};
  Comparison(&humanoid, &table, 200 * factor(), 4).run();
  table.print();
  table.expect_below_bars();
}

}  // namespace
}  // namespace swept::test
