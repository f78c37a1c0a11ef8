// SPDX-License-Identifier: Apache-2.0
// The tables of scenes/collision_lesson, printed and checked to the digit: which pairs make
// contacts and which rule stops the others, margin and gap, contacts per pair at rest, cost,
// meshes as hulls. Only times are the machine's.
#include <gtest/gtest.h>

#include <swept/explain.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "physics/scene.h"

namespace swept::test {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(SWEPT_SOURCE_DIR) / "scenes/collision_lesson";

/// One environment of a scene.
Batch batch_of(const Model& model, Precision precision = Precision::f64) {
  return Batch(model, {.nenv = 1, .precision = precision, .threads = 1});
}

Model model_of(const std::string& file) {
  return compile(load(folder / file));
}

std::string text_of(const std::string& file) {
  std::ifstream stream(folder / file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

/// printf into a string.
template <class... T>
std::string line(const char* format, T... values) {
  char text[200];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

/// Print a table and compare it with the one that must come out.
void check_table(const char* title, const std::vector<std::string>& rows,
                 const std::vector<std::string>& expected) {
  std::printf("%s\n", title);
  for (const std::string& row : rows) {
    std::printf("  %s\n", row.c_str());
  }
  EXPECT_EQ(rows, expected) << title;
}

/// "a1 / child", in alphabetical order, for every pair that makes contacts.
std::set<std::string> touching(const Model& model) {
  Batch batch = batch_of(model);
  batch.bind("contacts");
  batch.forward();
  std::set<std::string> pairs;
  for (const Contact& c : batch.contacts(0)) {
    const auto name = [&](int geom) { return model.names.geom[static_cast<std::size_t>(geom)]; };
    const auto [first, second] = std::minmax({name(c.geom1), name(c.geom2)});
    pairs.insert(first + " / " + second);
  }
  return pairs;
}

TEST(CollisionLesson, FiltersLetSixPairsCollideAndStopFour) {
  const Spec spec = load(folder / "collision_lesson.xml");
  const std::set<std::string> pairs = touching(compile(spec));
  check_table("contacts between overlapping geoms", {pairs.begin(), pairs.end()},
              {"a1 / c_bits", "a1 / e_ghost", "a2 / c_bits", "b_bits / c_bits", "c_bits / child",
               "ground / world_child"});

  // every absence has a rule behind it, and it is the only one
  std::vector<std::string> absent;
  for (const char* other : {"a2", "child", "b_bits", "d_excluded"}) {
    const Explanation e = explain_collision(spec, "a1", other);
    EXPECT_FALSE(e.collides) << other;
    EXPECT_TRUE(e.also.empty()) << other;
    absent.push_back(line("a1 / %-12s%s", other, std::string(rule_name(e.rule)).c_str()));
    std::printf("  absent: a1 / %-12s%s\n", other, e.why.c_str());
  }
  check_table("absent", absent,
              {"a1 / a2          same_body", "a1 / child       parent_child",
               "a1 / b_bits      bits", "a1 / d_excluded  excluded"});
}

TEST(CollisionLesson, WithoutTheParentFilterTheChildCollides) {
  Spec spec = load(folder / "collision_lesson.xml");
  EXPECT_FALSE(touching(compile(spec)).contains("a1 / child"));
  spec.option.disableflags |= disable_filterparent;
  EXPECT_TRUE(touching(compile(spec)).contains("a1 / child"));
}

TEST(CollisionLesson, ContactsAreSeenBelowMarginPlusGapAndPushBelowMargin) {
  Batch batch = batch_of(model_of("margin_gap.xml"));
  batch.bind("contacts");
  std::vector<std::string> rows;
  for (const double distance : {0.020, 0.014, 0.012, 0.008, 0.002}) {
    batch.reset();
    batch.write("qpos", std::vector<double>{0, 0, 0.05 + distance, 1, 0, 0, 0});
    batch.write("qvel", std::vector<double>{0, 0, -0.5, 0, 0, 0});
    batch.forward();
    const std::vector<Contact> contacts = batch.contacts(0);
    const auto active = std::count_if(contacts.begin(), contacts.end(),
                                      [](const Contact& c) { return c.efc_address >= 0; });
    const double force = contacts.empty() ? 0.0 : contacts[0].force[0];
    rows.push_back(line("%14.1f%10d%13d%18.3f", 1000 * distance, static_cast<int>(contacts.size()),
                        static_cast<int>(active), force));
  }
  check_table(" distance (mm)  contacts  active rows  normal force (N)", rows,
              {"          20.0         0            0             0.000",
               "          14.0         1            0             0.000",
               "          12.0         1            0             0.000",
               "           8.0         1            1            55.000",
               "           2.0         1            1            70.000"});
}

TEST(CollisionLesson, AMarginShiftsTheHeightAtWhichABallRests) {
  std::vector<std::string> rows;
  for (const char* margin : {"0", "0.005", "0.01"}) {
    const std::string xml =
        replaced(replaced(text_of("margin_gap.xml"), R"(<option gravity="0 0 0"/>)", ""),
                 R"(margin="0.01" gap="0.005")", std::string("margin=\"") + margin + "\"");
    Batch batch = batch_of(compile(load_string(xml, Format::xml)));
    batch.step(2000);
    rows.push_back(line("margin %-6s%+.3f mm", margin, 1000 * (batch.read("qpos")[2] - 0.05)));
  }
  check_table("surface of the ball above the plane", rows,
              {"margin 0     -0.367 mm", "margin 0.005 +4.633 mm", "margin 0.01  +9.633 mm"});
}

TEST(CollisionLesson, FlatFacesRestOnSeveralContacts) {
  const std::pair<const char*, const char*> scenes[] = {
      {"sphere on plane", "rest_sphere.xml"},
      {"capsule lying on plane", "rest_capsule.xml"},
      {"cylinder upright on plane", "rest_cylinder.xml"},
      {"box on plane", "rest_box.xml"},
      {"box on box", "rest_box_on_box.xml"},
  };
  std::vector<std::string> rows;
  for (const auto& [name, file] : scenes) {
    Batch batch = batch_of(model_of(file));
    batch.bind("contacts");
    batch.step(1500);
    rows.push_back(
        line("%-27s %d contact(s) at rest", name, static_cast<int>(batch.contacts(0).size())));
  }
  check_table("contacts per pair at rest", rows,
              {"sphere on plane             1 contact(s) at rest",
               "capsule lying on plane      2 contact(s) at rest",
               "cylinder upright on plane   3 contact(s) at rest",
               "box on plane                4 contact(s) at rest",
               "box on box                  4 contact(s) at rest"});
}

/// Seconds of a forward pass of a batch, the least of some tries.
double forward_time(const std::string& xml, int nenv) {
  Batch batch(compile(load_string(xml, Format::xml)),
              {.nenv = nenv, .precision = Precision::f64, .threads = 1});
  double least = 1e9;
  for (int n = 0; n < 12; ++n) {
    const auto start = std::chrono::steady_clock::now();
    batch.forward();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    least = n < 2 ? least : std::min(least, seconds.count());
  }
  return least;
}

/// Time of collision detection alone, per environment [us]: balls in the gap of the plane, so that
/// contacts are listed and make no rows, against the same scene with contacts disabled.
double collision_time(const std::string& file) {
  constexpr int nenv = 16;
  const std::string hovering =
      replaced(replaced(text_of(file), R"(size="5 5 .1")", R"(size="5 5 .1" gap=".002")"),
               R"(pos="0 0 .05")", R"(pos="0 0 .051")");
  const std::string blind =
      replaced(hovering, "<worldbody>", "<option><flag contact=\"disable\"/></option><worldbody>");
  return 1e6 / nenv * (forward_time(hovering, nenv) - forward_time(blind, nenv));
}

TEST(CollisionLesson, CostGrowsWithTheBallsAndNotWithThePairs) {
  std::vector<std::string> rows;
  std::vector<double> per_ball;
  for (const int n : {10, 100, 400}) {
    const std::string file = "balls_" + std::to_string(n) + ".xml";
    Batch batch = batch_of(model_of(file));
    batch.bind("contacts");
    batch.forward();
    rows.push_back(line("%4d balls on a plane: %6d geom pairs in principle, %4d contacts", n,
                        n * (n + 1) / 2, static_cast<int>(batch.contacts(0).size())));
    const double us = collision_time(file);
    per_ball.push_back(us / n);
    std::printf("  %4d balls: collision %8.1f us, %.3f us per ball (this machine)\n", n, us,
                us / n);
  }
  check_table("cost of collision detection", rows,
              {"  10 balls on a plane:     55 geom pairs in principle,   10 contacts",
               " 100 balls on a plane:   5050 geom pairs in principle,  100 contacts",
               " 400 balls on a plane:  80200 geom pairs in principle,  400 contacts"});
  // four times the balls have sixteen times the pairs: linear is 1, quadratic 4, and a busy machine
  // may double a time
  EXPECT_LT(per_ball[2], 2.5 * per_ball[1]);
}

class LessonMeshes : public testing::TestWithParam<Precision> {};

TEST_P(LessonMeshes, ABallRestsOnTheHullOfABowl) {
  Batch batch = batch_of(model_of("bowl.xml"), GetParam());
  batch.step(1500);
  check_table("a ball dropped into the U", {line("z = %.3f m", batch.read("qpos")[2])},
              {"z = 0.180 m"});
}

TEST_P(LessonMeshes, ACupOfConvexPiecesHoldsTheBallAndItsMeshDoesNot) {
  std::vector<std::string> rows;
  for (const char* name : {"cup", "cup_mesh"}) {
    Batch batch = batch_of(model_of(std::string(name) + ".xml"), GetParam());
    batch.step(1500);
    const std::vector<double> qpos = batch.read("qpos");
    rows.push_back(line("%-8s ball at z = %.3f m", name, qpos[9]));
    // it still lies over the cup, which stands where it stood
    EXPECT_LT(std::max(std::abs(qpos[7]), std::abs(qpos[8])), 0.06) << name;
    EXPECT_LT(std::max({std::abs(qpos[0]), std::abs(qpos[1]), std::abs(qpos[2])}), 0.001) << name;
  }
  check_table("a cup and a ball", rows,
              {"cup      ball at z = 0.059 m", "cup_mesh ball at z = 0.160 m"});
}

TEST_P(LessonMeshes, ABallRestsOnTheFloorOfABowlThatCollidesAsItIs) {
  Batch batch = batch_of(model_of("bowl_surface.xml"), GetParam());
  batch.step(1500);
  check_table("a ball dropped into the U as it is", {line("z = %.3f m", batch.read("qpos")[2])},
              {"z = 0.050 m"});
}

INSTANTIATE_TEST_SUITE_P(Precisions, LessonMeshes, testing::Values(Precision::f64, Precision::f32),
                         [](const auto& p) { return p.param == Precision::f32 ? "f32" : "f64"; });

}  // namespace
}  // namespace swept::test
