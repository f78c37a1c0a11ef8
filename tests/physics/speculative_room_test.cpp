// SPDX-License-Identifier: Apache-2.0
// Ten bodies in a closed room whose walls are 1 to 3 mm thick, kicked again and again to several
// lengths per step: nobody leaves. Where a body is, is judged from its position alone: by how far its
// shape reaches beyond the inner faces of the walls, from formulas of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

constexpr double room_half = 0.5;  ///< [m] from the middle to the inner faces

/// A body of the room.
struct Tenant {
  const char* type;
  double size[3];

  /// How far it reaches from its centre along the world's axis k [m].
  ///   r   its axes as a matrix, row k is what they have along k
  double reach(const double* r) const {
    const std::string_view t = type;
    const double *const s = size, across = std::hypot(r[0], r[1]);
    if (t == "sphere") {
      return s[0];
    }
    if (t == "capsule") {
      return s[0] + s[1] * std::abs(r[2]);
    }
    if (t == "cylinder") {
      return s[0] * across + s[1] * std::abs(r[2]);
    }
    if (t == "ellipsoid") {
      return std::hypot(s[0] * r[0], s[1] * r[1], s[2] * r[2]);
    }
    return s[0] * std::abs(r[0]) + s[1] * std::abs(r[1]) + s[2] * std::abs(r[2]);
  }
};

constexpr std::array<Tenant, 10> tenants = {{
    {"sphere", {.04, 0, 0}},
    {"sphere", {.02, 0, 0}},
    {"capsule", {.01, .09, 0}},
    {"capsule", {.03, .06, 0}},
    {"box", {.05, .04, .03}},
    {"box", {.001, .06, .06}},
    {"cylinder", {.05, .03, 0}},
    {"cylinder", {.01, .08, 0}},
    {"ellipsoid", {.06, .04, .02}},
    {"ellipsoid", {.03, .03, .08}},
}};

/// The text of the room.
///   thin   [m] half the thickness of its walls
std::string room(double thin, const std::string& gravity) {
  std::string bodies;
  for (int k = 0; k < 3; ++k) {
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> pos(3, 0.0), half(3, room_half + 2 * thin);
      pos[static_cast<std::size_t>(k)] = side * (room_half + thin);
      half[static_cast<std::size_t>(k)] = thin;
      bodies += "<geom type='box' pos='" + numbers(pos) + "' size='" + numbers(half) + "'/>";
    }
  }
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    const Tenant& t = tenants[i];
    const double at[3] = {0.3 * static_cast<double>(i % 3) - 0.3,
                          0.3 * static_cast<double>(i / 3 % 3) - 0.3, i < 9 ? -0.1 : 0.2};
    bodies +=
        free_body({at[0], at[1], at[2]}, "type='" + std::string(t.type) + "' size='" +
                                             numbers({t.size[0], t.size[1], t.size[2]}) + "'");
  }
  SpeculativeOptions o;
  o.gravity = gravity;
  return speculative_scene(o, bodies);
}

/// Row k of the matrix of a quaternion.
std::array<double, 3> matrix_row(const double* q, int k) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const std::array<double, 3> rows[3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  return rows[k];
}

/// Who has left, and how far bodies reach into the walls at most [m].
struct Watch {
  int left = 0;
  int first = -1;  ///< environment of the first that left
  int body = -1;   ///< its number
  double deepest = 0;

  /// Look at all environments.
  ///   thin   [m] half the thickness of the walls
  void look(const std::vector<double>& qpos, double thin) {
    const std::size_t n = tenants.size();
    for (std::size_t i = 0; i < qpos.size() / 7; ++i) {
      const double* const q = qpos.data() + 7 * i;
      bool out = false;
      for (int k = 0; k < 3; ++k) {
        out = out || !(std::abs(q[k]) < room_half + thin);
        const std::array<double, 3> row = matrix_row(q + 3, k);
        deepest = std::max(deepest, std::abs(q[k]) + tenants[i % n].reach(row.data()) - room_half);
      }
      if (out && ++left == 1) {
        first = static_cast<int>(i / n);
        body = static_cast<int>(i % n);
      }
    }
  }
};

class SpeculativeRoom : public testing::TestWithParam<Precision> {};

/// SWEPT_LONG in the environment: more rooms, and for longer.
const bool is_long = std::getenv("SWEPT_LONG") != nullptr;

/// Kick all bodies every `rest` steps.
///   travel   [m] per step at most
void kick_about(Precision precision, double thin, double travel, double spin, int rest,
                const std::string& gravity) {
  const int nenv = is_long ? 512 : 128, steps = is_long ? 600 : 10 * rest;
  constexpr double h = 0.002;
  Batch batch = make_batch(room(thin, gravity), nenv, precision);
  Watch watch;
  for (int step = 0; step < steps && watch.left == 0; ++step) {
    if (step % rest == 0) {
      fill(&batch, "qvel",
           [&](int env, int i) { return noise(env, i, step) * (i % 6 < 3 ? travel / h : spin); });
    }
    batch.step();
    watch.look(batch.read("qpos"), thin);
    ASSERT_EQ(watch.left, 0) << "body " << watch.body << " of environment " << watch.first
                             << " has left the room in step " << step;
  }
  // soft contacts sink in by five quarters of the thinner half size at most (guarded.h)
  EXPECT_LT(watch.deepest, 1.3 * thin);
  // those that stand still because a number diverged have not left, and show no more than that
  const Report report = batch.report();
  const SpeculativeCounts counts = report.speculative;
  std::printf("walls %.1f mm, %.2f m a step, %3.0f rad/s, kicked every %2d: deepest %.2e m",
              2e3 * thin, travel, spin, rest, watch.deepest);
  std::printf(", of %d steps %lld held, %lld solves more, %lld capped, %lld frozen\n", nenv * steps,
              static_cast<long long>(counts[speculative_held]),
              static_cast<long long>(counts[speculative_resolved]),
              static_cast<long long>(counts[speculative_capped]),
              static_cast<long long>(report.frozen));
}

TEST_P(SpeculativeRoom, NobodyLeavesFlying) {
  for (const double thin : {0.0005, 0.0015}) {
    for (const double travel : {0.1, 0.5}) {
      if (is_long || (thin < 0.001) == (travel > 0.3)) {
        kick_about(GetParam(), thin, travel, 300, 12, "0 0 0");
      }
    }
  }
}

TEST_P(SpeculativeRoom, NobodyLeavesKickedWhileAtRest) {
  // a pile that is kicked apart once it has come to rest
  kick_about(GetParam(), 0.0005, 0.3, 100, is_long ? 60 : 15, "0 0 -400");
  if (is_long) {
    kick_about(GetParam(), 0.0015, 0.3, 100, 60, "0 0 -400");
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeRoom,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
