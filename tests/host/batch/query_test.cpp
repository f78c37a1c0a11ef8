// SPDX-License-Identifier: Apache-2.0
// Rays and distances of a batch: the example of query.h, answers for the present state of every
// environment, the same bits whatever the threads and the tiling, and what is refused.
#include <gtest/gtest.h>
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "host/batch/scenes.h"

namespace swept::test {
namespace {

/// A robot, a round one, in a square room; a ball beside it.
Model room() {
  return compile(load_string(R"(<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <geom name="east" type="box" pos="2.1 0 1" size=".1 2.2 1"/>
    <geom name="west" type="box" pos="-2.1 0 1" size=".1 2.2 1"/>
    <geom name="north" type="box" pos="0 2.1 1" size="2.2 .1 1"/>
    <geom name="south" type="box" pos="0 -2.1 1" size="2.2 .1 1"/>
    <body name="robot" pos="0 0 .5">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
      <geom name="robot" type="cylinder" size=".2 .4"/>
    </body>
    <body name="ball" pos="1.5 0 .5">
      <joint type="slide" axis="0 0 1"/>
      <geom name="ball" size=".1"/>
    </body>
  </worldbody>
</mujoco>)",
                             Format::xml, "room"));
}

enum Geoms : int { plane = 0, east, west, north, south, robot, ball };

TEST(Query, TheExampleOfTheHeaderGivesWhatItSays) {
  Batch batch(room(), {.nenv = 3, .precision = Precision::f64});
  batch.write("qpos", std::vector<double>{0, 0, 0, 0.5, 0, 0, 0, 0, 1});

  // as in the header: a ring of 16 rays around the robot of every environment
  std::vector<double> origin, direction;
  for (int i = 0; i < 16; ++i) {
    const double angle = 2 * std::numbers::pi * i / 16;
    origin.insert(origin.end(), {0.0, 0.0, 0.5});
    direction.insert(direction.end(), {std::cos(angle), std::sin(angle), 0.0});
  }
  const RayHits hits = batch.ray({16, origin, direction}, {.exclude_body = 1});
  const std::array<int, 2> pairs[] = {{{robot, ball}}};
  const GeomDistances near = batch.geom_distance(pairs, 1.25);

  // east: the ball in two environments, the wall in the one where it is up
  EXPECT_EQ(hits.count, 16);
  EXPECT_NEAR(hits.distance[0], 1.4, 1e-14);
  EXPECT_EQ(hits.geom[0], ball);
  EXPECT_NEAR(hits.distance[32], 2.0, 1e-14);
  EXPECT_EQ(hits.geom[32], east);
  EXPECT_NEAR(hits.normal[3 * 32], -1.0, 1e-14);
  for (int env = 0; env < 3; ++env) {
    const auto at = static_cast<std::size_t>(16 * env);
    EXPECT_EQ(hits.geom[at + 4], north);
    EXPECT_EQ(hits.geom[at + 8], west);
    EXPECT_EQ(hits.geom[at + 12], south);
    EXPECT_NEAR(hits.distance[at + 2], 2.0 * std::numbers::sqrt2, 1e-14) << "a corner";
  }
  // the ball is 1.5 m away, less both radii; beside that, up a metre and out of reach
  EXPECT_NEAR(near.distance[0], 1.2, 1e-12);
  EXPECT_NEAR(near.distance[1], 0.7, 1e-12);
  EXPECT_EQ(near.distance[2], 1.25);
  EXPECT_NEAR(near.fromto[6], 0.7, 1e-12) << "the robot's side";
  EXPECT_NEAR(near.fromto[9], 1.4, 1e-12) << "the ball's";
  EXPECT_NEAR(near.normal[3], 1.0, 1e-12);
  EXPECT_EQ(near.fromto[12], 0.0);
}

/// Walkers in random states, and rays for them.
class Walkers {
 public:
  static constexpr int nenv = 37, count = 23;

  Walkers() {
    std::string text = walker_xml;
    text.replace(text.find("INTEGRATOR"), 10, "Euler");
    model_ = compile(load_string(text, Format::xml, "walker"));
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int env = 0; env < nenv; ++env) {
      for (int i = 0; i < model_.nq; ++i) {
        qpos.push_back(model_.qpos0[static_cast<std::size_t>(i)] + 0.3 * normal(random));
      }
      for (int i = 0; i < count; ++i) {
        origin.insert(origin.end(), {normal(random), normal(random), 1 + normal(random)});
        for (std::size_t k = 0; k < 3; ++k) {
          // about to where the walkers are
          const double aim = (k == 2 ? 0.7 : 0) + 0.2 * normal(random);
          direction.push_back(aim - origin[origin.size() - 3 + k]);
        }
      }
    }
    for (int g = 1; g < model_.ngeom; ++g) {
      pairs.push_back({g, g - 1});
    }
  }

  Batch batch(Precision precision, int threads, int tile) const {
    Batch batch(model_, {.nenv = nenv, .precision = precision, .threads = threads, .tile = tile});
    batch.write("qpos", qpos);
    return batch;
  }
  RaySet rays() const { return {count, origin, direction}; }

  std::vector<double> qpos, origin, direction;
  std::vector<std::array<int, 2>> pairs;

 private:
  Model model_;
};

void expect_equal(const RayHits& a, const RayHits& b) {
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(a.geom, b.geom);
  EXPECT_EQ(a.normal, b.normal);
}

void expect_equal(const GeomDistances& a, const GeomDistances& b) {
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(a.fromto, b.fromto);
  EXPECT_EQ(a.normal, b.normal);
}

TEST(Query, ThreadsAndTilesDoNotMatter) {
  const Walkers walkers;
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    Batch one = walkers.batch(precision, 1, 0);
    const RayHits hits = one.ray(walkers.rays());
    const GeomDistances distances = one.geom_distance(walkers.pairs, 10);
    int seen = 0;
    for (const int geom : hits.geom) {
      seen += geom > 0 ? 1 : 0;
    }
    EXPECT_GT(seen, 50);
    for (const int threads : {1, 3}) {
      for (const int tile : {1, 16, 40}) {
        Batch other = walkers.batch(precision, threads, tile);
        expect_equal(other.ray(walkers.rays()), hits);
        expect_equal(other.geom_distance(walkers.pairs, 10), distances);
        // asked again, and after another question
        expect_equal(other.ray(walkers.rays()), hits);
      }
    }
  }
}

TEST(Query, SharedRaysAreThoseOfEachEnvironment) {
  const Walkers walkers;
  Batch batch = walkers.batch(Precision::f64, 0, 0);
  const auto n = 3 * static_cast<std::size_t>(Walkers::count);
  const std::span<const double> origin(walkers.origin.data(), n);
  const std::span<const double> direction(walkers.direction.data(), n);
  std::vector<double> origins, directions;
  for (int env = 0; env < Walkers::nenv; ++env) {
    origins.insert(origins.end(), origin.begin(), origin.end());
    directions.insert(directions.end(), direction.begin(), direction.end());
  }
  const RayHits shared = batch.ray({Walkers::count, origin, direction});
  expect_equal(shared, batch.ray({Walkers::count, origins, direction}));
  expect_equal(shared, batch.ray({Walkers::count, origin, directions}));
  expect_equal(shared, batch.ray({Walkers::count, origins, directions}));
}

TEST(Query, AnswersAreForThePresentStateAndChangeNothing) {
  const Walkers walkers;
  Batch asked = walkers.batch(Precision::f32, 2, 0), quiet = walkers.batch(Precision::f32, 2, 0);
  for (Batch* batch : {&asked, &quiet}) {
    batch->bind("xpos");
    batch->bind("contacts");
    batch->step(3);
  }
  asked.ray(walkers.rays());
  asked.geom_distance(walkers.pairs, 1);
  // the fields and measures of the step are still there
  EXPECT_EQ(asked.read("xpos"), quiet.read("xpos"));
  EXPECT_EQ(asked.read("ncon"), quiet.read("ncon"));
  EXPECT_EQ(asked.report().contacts.mean, quiet.report().contacts.mean);
  EXPECT_EQ(asked.contacts(0).size(), quiet.contacts(0).size());
  asked.step(3);
  quiet.step(3);
  EXPECT_EQ(asked.read("qpos"), quiet.read("qpos"));
  EXPECT_EQ(asked.read("steps"), quiet.read("steps"));

  // what a step gave is where rays look, and what is written too
  Batch fresh = walkers.batch(Precision::f32, 1, 0);
  fresh.write("qpos", asked.read("qpos"));
  expect_equal(asked.ray(walkers.rays()), fresh.ray(walkers.rays()));
  fresh.write("qpos", walkers.qpos);
  expect_equal(walkers.batch(Precision::f32, 1, 0).ray(walkers.rays()), fresh.ray(walkers.rays()));
}

TEST(Query, EnvironmentsHaveTheirOwnSizes) {
  Batch batch(room(), {.nenv = 2, .precision = Precision::f64});
  std::vector<double> size = batch.read("geom_size");
  const auto n = size.size() / 2;
  std::vector<double> larger(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(n));
  larger[3 * ball] = 0.4;
  batch.write("geom_size", larger, 1);
  const std::vector<double> origin = {0, 0, 0.5}, direction = {1, 0, 0};
  const RayHits hits = batch.ray({1, origin, direction}, {.exclude_body = 1});
  EXPECT_NEAR(hits.distance[0], 1.4, 1e-14);
  EXPECT_NEAR(hits.distance[1], 1.1, 1e-14);
  const std::array<int, 2> pairs[] = {{{ball, robot}}};
  const GeomDistances near = batch.geom_distance(pairs, 5);
  EXPECT_NEAR(near.distance[0], 1.2, 1e-12);
  EXPECT_NEAR(near.distance[1], 0.9, 1e-12);
}

TEST(Query, AnEnvironmentThatStandsStillSeesNothing) {
  Batch batch(room(), {.nenv = 3, .precision = Precision::f64});
  std::vector<double> qpos(9, 0.0);
  qpos[3] = std::numeric_limits<double>::quiet_NaN();
  batch.write("qpos", qpos);
  const std::vector<double> origin = {0, 0, 0.5}, direction = {1, 0, 0};
  const std::array<int, 2> pairs[] = {{{ball, robot}}};
  for (int round = 0; round < 2; ++round) {
    const RayHits hits = batch.ray({1, origin, direction}, {.exclude_body = 1});
    EXPECT_EQ(hits.geom, (std::vector<int>{ball, -1, ball}));
    EXPECT_EQ(hits.distance[1], -1);
    EXPECT_EQ(hits.normal[3], 0);
    const GeomDistances near = batch.geom_distance(pairs, 5);
    EXPECT_EQ(near.distance[1], 5);
    EXPECT_NEAR(near.distance[2], 1.2, 1e-12);
    // a question sets no status; a step does
    EXPECT_EQ(batch.status(1), round == 0 ? Status::ok : Status::bad_qpos);
    batch.step(1);
    batch.write("qpos", std::vector<double>(3, 0.0), std::vector<int>{0, 2});
  }
}

/// The message of the Error that `work` throws.
std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Query, BadQuestionsAreRefusedWithAReason) {
  Batch batch(room(), {.nenv = 2});
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> point = {0, 0, 1}, zero = {0, 0, 0}, tiny = {1e-60, 0, 0},
                            endless = {infinity, 0, 0}, huge = {1e60, 0, 0}, four(12, 1.0), none;
  struct Ask {
    RaySet rays;
    RayOptions options;
    const char* reason;
  };
  const Ask asks[] = {
      {{0, none, none}, {}, "number of rays is 0"},
      {{-1, none, none}, {}, "number of rays is -1"},
      {{1, none, point}, {}, "origins of 1 rays have 0 numbers"},
      {{3, four, four}, {}, "origins of 3 rays have 12 numbers"},
      {{4, four, point}, {}, "directions of 4 rays have 3 numbers"},
      {{1, point, zero}, {}, "direction of ray 0 has length 0"},
      {{1, point, tiny}, {}, "direction of ray 0 has length 0"},
      {{1, point, huge}, {}, "longer than single precision can tell"},
      {{1, endless, point}, {}, "origin of ray 0 is not finite"},
      {{1, point, endless}, {}, "direction of ray 0 is not finite"},
      {{1, point, point}, {.exclude_body = 3}, "no such body"},
      {{1, point, point}, {.exclude_body = -2}, "no such body"},
      {{1, point, point}, {.cutoff = -1}, "must not be negative"},
      {{1, point, point}, {.cutoff = std::nan("")}, "must not be negative"},
  };
  for (const Ask& ask : asks) {
    const std::string message = refusal([&] { batch.ray(ask.rays, ask.options); });
    EXPECT_NE(message.find(ask.reason), std::string::npos) << message;
  }
  const auto measure = [&](std::vector<std::array<int, 2>> pairs, double maxdist) {
    return refusal([&] { batch.geom_distance(pairs, maxdist); });
  };
  EXPECT_NE(measure({}, 1).find("number of pairs of geoms is 0"), std::string::npos);
  EXPECT_NE(measure({{0, 7}}, 1).find("geom 7, and there is no such geom"), std::string::npos);
  EXPECT_NE(measure({{1, 2}, {-1, 0}}, 1).find("pair 1 names geom -1"), std::string::npos);
  EXPECT_NE(measure({{5, 5}}, 1).find("geom 5 and itself"), std::string::npos);
  EXPECT_NE(measure({{5, 6}}, std::nan("")).find("not a number"), std::string::npos);
  // nothing is broken by them
  EXPECT_EQ(batch.ray({1, point, point}).count, 1);

  Batch planes(compile(load_string(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <geom type="plane" size="1 1 1" pos="0 0 1"/></worldbody></mujoco>)",
                                   Format::xml, "planes")),
               {});
  const std::array<int, 2> pair[] = {{{0, 1}}};
  EXPECT_NE(refusal([&] { planes.geom_distance(pair, 1); }).find("no distance from each other"),
            std::string::npos);
}

}  // namespace
}  // namespace swept::test
