// SPDX-License-Identifier: Apache-2.0
// swept explain: the rule that decides, with names and places, for people and for programs.
#include "cli/command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace swept::test {
namespace {

using nlohmann::json;

const std::string lesson = "collision_lesson/collision_lesson.xml";

TEST(Explain, SaysNoWithTheRuleAndBothPlaces) {
  const Outcome done = run_swept({"explain", scene(lesson), "a1", "b_bits"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  for (const std::string& part :
       {std::string("collide       no"), std::string("rule          bits"),
        std::string("contype 1 & conaffinity 2 = 0 and contype 2 & conaffinity 1 = 0"),
        std::string("'a1' (geom 2), a sphere of body 'a', ") + scene(lesson) + ":14",
        scene(lesson) + ":23", std::string("sphere-sphere")}) {
    EXPECT_NE(done.out.find(part), std::string::npos) << part << " in\n" << done.out;
  }
}

TEST(Explain, NamesThePlaceOfAnExcludeAndOfAPair) {
  const Outcome excluded = run_swept({"explain", scene(lesson), "d_excluded", "a1"});
  EXPECT_NE(
      excluded.out.find("contact/exclude names bodies 'd' and 'a' (" + scene(lesson) + ":39)"),
      std::string::npos)
      << excluded.out;
  const Outcome pair = run_swept({"explain", scene(lesson), "a1", "e_ghost"});
  EXPECT_NE(pair.out.find("collide       yes"), std::string::npos) << pair.out;
  EXPECT_NE(pair.out.find("contact/pair names them (" + scene(lesson) + ":40)"), std::string::npos)
      << pair.out;
}

TEST(Explain, JsonHoldsTheSameAnswer) {
  const Outcome done = run_swept({"explain", scene(lesson), "a1", "child", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["collides"], false);
  EXPECT_EQ(answer["rule"], "parent_child");
  EXPECT_EQ(answer["also"], json::array());
  EXPECT_EQ(answer["geoms"][0]["name"], "a1");
  EXPECT_EQ(answer["geoms"][0]["line"], 14);
  EXPECT_EQ(answer["geoms"][1]["file"], scene(lesson));
  EXPECT_EQ(answer["collider"], "sphere-sphere");
  EXPECT_EQ(answer["contact"]["condim"], 3);
  EXPECT_EQ(answer["contact"]["friction"], (json{1.0, 1.0, 0.005, 0.0001, 0.0001}));
}

TEST(Explain, TakesIdsAndAddsMargins) {
  const Outcome done =
      run_swept({"explain", scene("collision_lesson/margin_gap.xml"), "0", "1", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["collides"], true);
  EXPECT_EQ(answer["rule"], "allowed");
  EXPECT_EQ(answer["collider"], "plane-sphere");
  EXPECT_EQ(answer["contact"]["margin"], 0.01);
  EXPECT_EQ(answer["contact"]["gap"], 0.005);
}

TEST(Explain, PlanesNeverTouch) {
  const std::string path =
      write_file("planes.xml",
                 "<mujoco><worldbody><geom name='a' type='plane' size='1 1 1'/><body mocap='true'>"
                 "<geom name='b' type='plane' size='1 1 1'/></body></worldbody></mujoco>");
  const Outcome done = run_swept({"explain", path, "a", "b", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["rule"], "never_touch");
  EXPECT_EQ(answer["also"], (json{"both_static"}));
  EXPECT_TRUE(answer["collider"].is_null());
  EXPECT_FALSE(answer.contains("contact"));
}

TEST(Explain, WrongNamesAreErrorsAndWrongUsageIsExitCodeTwo) {
  const Outcome done = run_swept({"explain", scene(lesson), "a1", "nobody"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("there is no geom 'nobody'"), std::string::npos) << done.err;
  EXPECT_EQ(run_swept({"explain", scene(lesson), "a1"}).code, 2);
  EXPECT_EQ(run_swept({"explain"}).code, 2);
}

}  // namespace
}  // namespace swept::test
