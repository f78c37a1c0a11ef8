// SPDX-License-Identifier: Apache-2.0
// The batched time of impact at the edge of sense: no motion, no area, coincident bodies, half and
// whole turns, far and tiny and huge bodies, public labelled queries; and input that is refused.
#include "ccd/batch_queries.h"
#include "ccd/queries.h"
#include "support/data.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <vector>

namespace swept::test {
namespace {

using ccd::Bound;
using ccd::Impact;
using ccd::ImpactBatchOptions;
using ccd::ImpactQuery;
using ccd::Mesh;
using ccd::Motion;
using ccd::Status;
using ccd::Vector;

const auto rest = Motion<3>::resting({});

class ImpactBatchEdge : public testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    const Mesh cube = box(0.5, 0.5, 0.5).body();
    if (make_batch({&cube, 1}, {.precision = GetParam()}) == nullptr) {
      GTEST_SKIP() << "the backend was built without this precision";
    }
  }

  std::vector<Impact<3>> solve(const std::vector<Mesh>& bodies,
                               const std::vector<ImpactQuery>& queries,
                               ImpactBatchOptions options = {}) {
    options.precision = GetParam();
    const auto batch = make_batch(bodies, options);
    std::vector<Impact<3>> impacts = batch->time_of_impact(queries);
    counts = batch->counts();
    return impacts;
  }

  /// One pair, with either bound.
  std::vector<Impact<3>> solve_pair(const Mesh& a, const Mesh& b, const Motion<3>& motion_a,
                                    const Motion<3>& motion_b, double tolerance = 0,
                                    ImpactBatchOptions options = {}) {
    std::vector<ImpactQuery> queries;
    for (const Bound bound : {Bound::plain, Bound::directional}) {
      queries.push_back({0, 1, motion_a, motion_b, {.tolerance = tolerance, .bound = bound}});
    }
    return solve({a, b}, queries, options);
  }

  ccd::ImpactCounts counts;
};

TEST_P(ImpactBatchEdge, NoQueriesHaveNoAnswers) {
  EXPECT_TRUE(solve({box(1, 1, 1).body()}, {}).empty());
  EXPECT_EQ(counts.queries, 0);
}

TEST_P(ImpactBatchEdge, BodiesWithoutMotionAreAsFarAsTheyAre) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  for (const auto& impact : solve_pair(cube, cube, Motion<3>::resting(at(2, 0, 0)), rest)) {
    EXPECT_EQ(impact.status, Status::separate);
    EXPECT_EQ(impact.toi, 1);
    EXPECT_EQ(impact.lower_bound, 1);
    EXPECT_EQ(impact.iterations, 1);
    EXPECT_EQ(impact.speed, 0);
    EXPECT_NEAR(impact.distance, 1, impact.tolerance);
  }
  for (const auto& impact : solve_pair(cube, cube, Motion<3>::resting(at(0.9, 0.1, 0)), rest)) {
    EXPECT_EQ(impact.status, Status::initial_contact);
    EXPECT_EQ(impact.toi, 0);
    EXPECT_EQ(impact.lower_bound, 0);
  }
}

TEST_P(ImpactBatchEdge, CoincidentAndTouchingBodiesTouchAtTheStart) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Mesh body = (i % 2 ? noisy_sphere(60, 0.2, i) : soup(1, 0, 2, random)).body();
    const auto pose = random_pose(random, Vector<3>{1, 2, 3});
    const auto away = Motion<3>::between(pose, at(5, 5, 5));
    for (const auto& impact : solve_pair(body, body, Motion<3>::resting(pose), away)) {
      EXPECT_EQ(impact.status, Status::initial_contact);
      EXPECT_EQ(impact.toi, 0);
      EXPECT_LT(impact.distance, impact.tolerance);
    }
  }
  const auto cube = box(0.5, 0.5, 0.5).body();
  for (const double to : {2.0, 1.0, 0.0}) {
    const auto motion = Motion<3>::between(at(1, 0, 0), at(to, 1, 0));
    for (const auto& impact : solve_pair(cube, cube, motion, rest)) {
      EXPECT_EQ(impact.status, Status::initial_contact);
    }
  }
}

// a triangle with no area is a segment, or a point: 1 above the other body, way of 2 towards it
TEST_P(ImpactBatchEdge, TrianglesWithoutAreaCollideAsSegmentsAndPoints) {
  const Shape<3> all[] = {{{0, 0, 0}, {0, 0, 0}},
                          {{-1, 0, 0, 1, 0, 0, 0.3, 0, 0}, {0, 1, 2}},
                          {{0, -1, 0, 0, 1, 0}, {0, 1, 1}},
                          {{-1, -1, 0, 1, -1, 0, 0, 1, 0}, {0, 1, 2}}};
  const auto fall = Motion<3>::between(at(0, 0, 1), at(0, 0, -1));
  for (const Shape<3>& a : all) {
    for (const Shape<3>& b : all) {
      for (const auto& impact : solve_pair(a.body(), b.body(), fall, rest, 1e-6)) {
        EXPECT_EQ(impact.status, Status::contact);
        EXPECT_LE(impact.toi, 0.5);
        EXPECT_GE(impact.toi, 0.5 - impact.tolerance / 2);
        EXPECT_LT(impact.tolerance, 2e-4);
      }
      // two points have no size of which a share could be allowed
      const bool sizeless = a.body().diagonal() == 0 && b.body().diagonal() == 0;
      EXPECT_EQ(counts.on_host, sizeless && GetParam() == Precision::f32 ? 2 : 0);
    }
  }
}

TEST_P(ImpactBatchEdge, TurnsOfHalfAndOfSeveralAreFollowed) {
  // a rod from the origin turns about +z, with a post at 120 degrees
  const Shape<3> rod{{0, 0, -0.1, 1, 0, -0.1, 1, 0, 0.1, 0, 0, 0.1}, {0, 1, 2, 0, 2, 3}};
  const double third = 2 * std::numbers::pi / 3;
  const double x = 0.8 * std::cos(third), y = 0.8 * std::sin(third);
  const Shape<3> post{{x, y, -1, x, y, 1}, {0, 1, 1}};
  for (const double angle : {std::numbers::pi, 3.5 * std::numbers::pi, 100.0}) {
    const auto turn = Motion<3>::with_velocity({}, {}, {0, 0, angle}, 1);
    for (const auto& impact : solve_pair(rod.body(), post.body(), turn, rest)) {
      EXPECT_EQ(impact.status, Status::contact);
      EXPECT_LE(impact.toi, third / angle);
      // the edge comes at 0.8 angle
      EXPECT_NEAR(impact.toi, third / angle, 1.1 * impact.tolerance / (0.8 * angle));
    }
  }
  // a turn that f32 cannot follow is the host's
  const auto spin = Motion<3>::with_velocity({}, {}, {0, 0, 1e6}, 1);
  for (const auto& impact : solve_pair(rod.body(), post.body(), spin, rest, 1e-3)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_NEAR(impact.toi, third / 1e6, 2e-9);
    EXPECT_LE(impact.toi, third / 1e6);
  }
  EXPECT_EQ(counts.declined, GetParam() == Precision::f32 ? 2 : 0);
}

TEST_P(ImpactBatchEdge, FarFromTheWorldsOriginCostsNothing) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto here = solve_pair(cube, cube, Motion<3>::between(at(-2, 0, 0), at(1, 0, 0)), rest);
  // a million is a multiple of many powers of two: differences of places are the same
  const auto there =
      solve_pair(cube, cube, Motion<3>::between(at(1e6 - 2, 1e6, 1e6), at(1e6 + 1, 1e6, 1e6)),
                 Motion<3>::resting(at(1e6, 1e6, 1e6)));
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(there[i].status, Status::contact);
    EXPECT_EQ(there[i].toi, here[i].toi);
    EXPECT_EQ(there[i].tolerance, here[i].tolerance);
    EXPECT_LE(there[i].toi, 1.0 / 3);
    EXPECT_GE(there[i].toi, 1.0 / 3 - there[i].tolerance / 3);
    EXPECT_NEAR(there[i].point_a[0], 1e6 - 0.5, 1e-3);
  }
}

TEST_P(ImpactBatchEdge, FarFromTheirOwnOriginBodiesKeepTheGuarantee) {
  const Shape<3> cube = box(0.5, 0.5, 0.5);
  const auto far = cube.placed({1e6, 1e6, 1e6}).body();
  const auto motion = Motion<3>::between(at(-1e6 - 2, -1e6, -1e6), at(-1e6 + 1, -1e6, -1e6));
  for (const auto& impact : solve_pair(far, cube.body(), motion, rest)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 1.0 / 3);
    EXPECT_GE(impact.toi, 1.0 / 3 - impact.tolerance / 3);
    EXPECT_LT(impact.tolerance, 1e-4);
  }
  // f32 would need a tolerance of the size of the cube
  EXPECT_EQ(counts.declined, GetParam() == Precision::f32 ? 2 : 0);
}

TEST_P(ImpactBatchEdge, TinyAndHugeBodiesGiveTheSameTimes) {
  Random random(2);
  const double scales[] = {1, 0x1p-30, 0x1p30, 0x1p-100, 0x1p100};  // 1e-9, 1e9, 8e-31, 1e30
  std::vector<Mesh> bodies;
  std::vector<ImpactQuery> queries;
  for (int i = 0; i < 100; ++i) {
    const Shape<3> a = noisy_sphere(20, 0.3, i), b = soup(8, 0.5, 1, random);
    const auto from = random_pose(random, Vector<3>{-3, 0.2, 0.1}),
               to = random_pose(random, Vector<3>{1, 0, 0});
    for (const double scale : scales) {
      auto start = from, end = to;
      for (std::size_t k = 0; k < 3; ++k) {
        start.position[k] *= scale;
        end.position[k] *= scale;
      }
      const int first = static_cast<int>(bodies.size());
      bodies.push_back(a.placed({}, scale).body());
      bodies.push_back(b.placed({}, scale).body());
      queries.push_back({first,
                         first + 1,
                         Motion<3>::between(start, end),
                         rest,
                         {.bound = i % 2 ? Bound::plain : Bound::directional}});
    }
  }
  const auto impacts = solve(bodies, queries);
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    // powers of two change no bit of any product
    const Impact<3>& want = impacts[i - i % 5];
    EXPECT_EQ(impacts[i].status, want.status);
    EXPECT_EQ(impacts[i].toi, want.toi);
    EXPECT_EQ(impacts[i].distance, scales[i % 5] * want.distance);
    EXPECT_EQ(impacts[i].iterations, want.iterations);
    EXPECT_EQ(impacts[i].facet_a, want.facet_a);
  }
}

TEST_P(ImpactBatchEdge, ATinyBodyMeetsAHugeOne) {
  const auto tiny = box(1e-9, 1e-9, 1e-9).body(), huge = box(1e9, 1e9, 1).body();
  const auto motion = Motion<3>::between(at(3, 2, 5), at(3, 2, -5));
  for (const auto& impact : solve_pair(tiny, huge, motion, rest, 1e-6, {.coarsest = 1e-12})) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 0.4);
    EXPECT_GE(impact.toi, 0.4 - impact.tolerance / 10 - 1e-9);
    EXPECT_LT(impact.tolerance, 1e-3);  // 1e9 has an ulp of 1e-7
  }
}

TEST_P(ImpactBatchEdge, ThicknessFarAboveTheBodiesIsKept) {
  const Mesh ball = box(0.01, 0.01, 0.01).body(1), point({{0, 0, 0}}, {{0, 0, 0}});
  const auto motion = Motion<3>::between(at(-2, 0, 0), at(0, 0, 0));
  for (const auto& impact : solve_pair(ball, point, motion, rest, 1e-9)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_LE(impact.toi, 0.495);
    EXPECT_GE(impact.toi, 0.495 - impact.tolerance / 2);
    EXPECT_LT(impact.tolerance, 2e-4);
  }
  EXPECT_EQ(counts.on_host, 0);
}

TEST_P(ImpactBatchEdge, AQuerysOwnCapIsMetAsOnTheHost) {
  // cubes that slide along each other at twice the tolerance: the plain bound crawls
  const auto cube = box(0.5, 0.5, 0.5).body();
  const double tolerance = 1e-3;
  const auto slide = Motion<3>::between(at(1 + 2 * tolerance, -1, 0), at(1 + 2 * tolerance, 1, 0));
  for (const int cap : {5, 200}) {
    const std::vector<ImpactQuery> queries = {
        {0, 0, slide, rest, {.tolerance = tolerance, .max_iterations = cap}}};
    const Impact<3> impact = solve({cube}, queries).front();
    if (cap == 5) {
      // within the device's looks: the answer is the device's
      EXPECT_EQ(impact.status, Status::not_converged);
      EXPECT_EQ(impact.iterations, 5);
      EXPECT_EQ(counts.on_host, 0);
      EXPECT_GT(impact.lower_bound, 0);
    } else {
      // beyond them, the host's directional bound sees that nothing closes
      EXPECT_EQ(impact.status, Status::separate);
      EXPECT_EQ(counts.on_host, 1);
      EXPECT_LT(impact.iterations, 80);
    }
  }
}

/// A piece of a labelled query as a body about its first vertex, with its way; its vertices keep
/// their places relative to each other, or it is no rigid motion.
bool rigid_piece(const ccd::Query& query, std::size_t first, std::size_t count,
                 std::vector<Mesh>* bodies, Motion<3>* motion) {
  Shape<3> shape;
  ccd::Pose<3> from, to;
  from.position = query.vertices[first].start;
  to.position = query.vertices[first].end;
  for (std::size_t v = first; v < first + count; ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double start = query.vertices[v].start[k] - from.position[k];
      const double end = query.vertices[v].end[k] - to.position[k];
      if (std::abs(start - end) > 1e-14) {
        return false;
      }
      shape.vertices.push_back(start);
    }
  }
  const int last = static_cast<int>(count) - 1;
  shape.facets = {0, std::min(1, last), last};
  bodies->push_back(shape.body());
  *motion = Motion<3>::between(from, to);
  return true;
}

TEST_P(ImpactBatchEdge, NoLabelledCollisionOfRigidPiecesIsMissed) {
  const std::filesystem::path folder = test_data("ccd_queries");
  SWEPT_SKIP_WITHOUT(folder);
  std::vector<Mesh> bodies;
  std::vector<ImpactQuery> queries;
  std::vector<bool> collides;
  for (const ccd::Query& query : ccd::read_queries(folder)) {
    const std::size_t split = query.kind == ccd::QueryKind::vertex_face ? 1 : 2;
    ImpactQuery q;
    q.a = static_cast<int>(bodies.size());
    q.b = q.a + 1;
    q.options.bound = Bound::directional;
    if (rigid_piece(query, 0, split, &bodies, &q.motion_a) &&
        rigid_piece(query, split, 4 - split, &bodies, &q.motion_b)) {
      queries.push_back(q);
      collides.push_back(query.collides);
    } else {
      bodies.resize(static_cast<std::size_t>(q.a),
                    bodies.empty() ? box(1, 1, 1).body() : bodies.front());
    }
  }
  const auto impacts = solve(bodies, queries);
  int collisions = 0, missed = 0, alarms = 0, host_alarms = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool hit = impacts[i].status != Status::separate;
    collisions += collides[i];
    missed += collides[i] && !hit;
    alarms += !collides[i] && hit;
    host_alarms += !collides[i] && host_impact(bodies, queries[i], 0).status != Status::separate;
  }
  std::printf(
      "%zu rigid queries, %d collisions, %d missed, %d false alarms (the host: %d), %lld on the "
      "host\n",
      queries.size(), collisions, missed, alarms, host_alarms,
      static_cast<long long>(counts.on_host));
  EXPECT_GT(collisions, 100);
  EXPECT_EQ(missed, 0);
  // these sets are near misses, and the tolerance is larger in f32
  EXPECT_LE(alarms, host_alarms + (GetParam() == Precision::f32 ? collisions / 2 : 0));
}

TEST_P(ImpactBatchEdge, AToleranceBelowRoundingIsRaised) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto towards = Motion<3>::between(at(-2, 0, 0), at(1, 0, 0));
  const double host =
      ccd::time_of_impact(cube, cube, towards, rest, {.tolerance = 1e-30}).tolerance;
  for (const auto& impact : solve_pair(cube, cube, towards, rest, 1e-30)) {
    EXPECT_EQ(impact.status, Status::contact);
    EXPECT_GE(impact.tolerance, host);
    EXPECT_LT(impact.tolerance, GetParam() == Precision::f64 ? 2e-12 : 1e-3);
    EXPECT_LE(impact.toi, 1.0 / 3);
    // a closing speed of 3
    EXPECT_NEAR(impact.toi, 1.0 / 3, impact.tolerance / 3);
  }
  EXPECT_EQ(counts.on_host, 0);
}

TEST_P(ImpactBatchEdge, ACommonVelocityCostsTheRelativeBoundNothing) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto fast = Motion<3>::between(at(-2, 0, 0), at(1 + 300, 0, 0));
  const auto ahead = Motion<3>::between(at(0, 0, 0), at(300, 0, 0));
  for (const bool relative : {false, true}) {
    const Impact<3> impact =
        solve({cube}, {{0, 0, fast, ahead, {.tolerance = 1e-3, .relative = relative}}}).front();
    if (relative) {
      EXPECT_EQ(impact.status, Status::contact);
      EXPECT_EQ(impact.iterations, 1);
      EXPECT_EQ(counts.on_host, 0);
      // at a closing speed of 3
      EXPECT_LE(impact.toi, 1.0 / 3);
      EXPECT_NEAR(impact.toi, 1.0 / 3, impact.tolerance / 3);
    } else {
      EXPECT_GT(impact.iterations, 50);
    }
  }
}

TEST_P(ImpactBatchEdge, TheDirectionalBoundSeesThatNothingCloses) {
  const auto cube = box(0.5, 0.5, 0.5).body();
  const auto slide = Motion<3>::between(at(1.002, -1, 0), at(1.002, 1, 0));
  const Impact<3> impact =
      solve({cube}, {{0, 0, slide, rest, {.tolerance = 1e-3, .bound = Bound::directional}}})
          .front();
  EXPECT_EQ(impact.status, Status::separate);
  EXPECT_LE(impact.iterations, 10);
  EXPECT_EQ(counts.on_host, 0);
}

TEST_P(ImpactBatchEdge, WhatMakesNoSenseIsRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Mesh> bodies = {box(1, 1, 1).body()};
  EXPECT_THROW(solve(bodies, {{0, 1, rest, rest}}), Error);
  EXPECT_THROW(solve(bodies, {{-1, 0, rest, rest}}), Error);
  EXPECT_THROW(solve(bodies, {{0, 0, rest, rest, {.tolerance = -1}}}), Error);
  EXPECT_THROW(solve(bodies, {{0, 0, rest, rest, {.tolerance = nan}}}), Error);
  EXPECT_THROW(solve(bodies, {{0, 0, rest, rest, {.max_iterations = 0}}}), Error);
  EXPECT_THROW(solve(bodies, {}, {.threads = -1}), Error);
  EXPECT_THROW(solve(bodies, {}, {.looks = 0}), Error);
  EXPECT_THROW(solve(bodies, {}, {.coarsest = nan}), Error);
  EXPECT_THROW(solve(bodies, {}, {.coarsest = -1e-3}), Error);
  EXPECT_THROW(solve(bodies, {}, {.device = "abacus"}), Error);
}

INSTANTIATE_TEST_SUITE_P(Precisions, ImpactBatchEdge,
                         testing::Values(Precision::f32, Precision::f64), [](const auto& param) {
                           return std::string(param.param == Precision::f32 ? "f32" : "f64");
                         });

}  // namespace
}  // namespace swept::test
