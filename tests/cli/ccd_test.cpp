// SPDX-License-Identifier: Apache-2.0
// swept ccd: two files and a motion, in space and in the plane; labelled sets; what is wrong in
// files.
#include "cli/command.h"
#include "support/data.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace swept::test {
namespace {

using nlohmann::json;

// two components: a cube of quads in two objects, the second a triangle far above
const char* const cube =
    "o cube\n"
    "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv -0.5 0.5 -0.5\nv 0.5 0.5 -0.5\n"
    "v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv -0.5 0.5 0.5\nv 0.5 0.5 0.5\n"
    "f 1 3 4 2\nf 5/1 6/2 8/3 7/4\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    "o lid\nv 0 0 9\nv 1 0 9\nv 0 1 9\nf -3 -2 -1\n";
const char* const square = "v -0.5 -0.5\nv 0.5 -0.5\nv 0.5 0.5\nv -0.5 0.5\nl 1 2 3 4 1\n";

TEST(Ccd, SaysWhenTwoMeshesTouch) {
  const std::string mesh = write_file("cube.obj", cube);
  const std::string motion = write_file(
      "motion.json", R"({"a": {"from": {"position": [-2, 0, 0], "quaternion": [1, 0, 0, 0]},
                               "to": {"position": [1, 0, 0]}}})");
  const Outcome done = run_swept({"ccd", mesh, mesh, "--motion", motion, "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json impact = json::parse(done.out);
  EXPECT_EQ(impact["status"], "contact");
  EXPECT_NEAR(impact["toi"].get<double>(), 1.0 / 3, 1e-5);
  EXPECT_LE(impact["toi"].get<double>(), 1.0 / 3);
  EXPECT_GE(impact["lower_bound"], impact["toi"]);
  EXPECT_EQ(impact["iterations"], 1);
  // face 1 3 4 2 is triangles 0 and 1, and so on: the faces in x are 8 to 11; the lid is 12
  EXPECT_GE(impact["facet_a"], 8);
  const Outcome text = run_swept({"ccd", mesh, mesh, "--motion", motion, "--directional"});
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part : {"status        contact", "toi           0.33", "point a       triangle",
                           "certified     apart until 0.33", "work          1 iterations"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
  }
  const Outcome rest = run_swept({"ccd", mesh, mesh, "--json"});
  EXPECT_EQ(json::parse(rest.out)["status"], "initial contact") << rest.err;
}

TEST(Ccd, TakesPolylinesVelocitiesAndThickness) {
  const std::string line = write_file("square.obj", square);
  const std::string motion = write_file(
      "plane.json", R"({"a": {"from": {"position": [-2, 0], "angle": 0}, "velocity": [6, 0],
                              "duration": 0.5, "thickness": 0.1},
                        "b": {"from": {"rotation": [[1, 0], [0, 1]]}, "angular_velocity": 0}})");
  const Outcome done =
      run_swept({"ccd", line, line, "--motion", motion, "--2d", "--json", "--tolerance", "1e-8"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json impact = json::parse(done.out);
  EXPECT_EQ(impact["status"], "contact");
  EXPECT_NEAR(impact["toi"].get<double>(), 0.3, 1e-8);
  EXPECT_EQ(impact["tolerance"], 1e-8);
  EXPECT_EQ(impact["point_a"].size(), 2u);
}

TEST(Ccd, CountsMissesOfLabelledQueries) {
  // vertex (0, 0, 1) falls to z = -1 through a triangle, or beside it
  const auto query = [](int x, bool hit) {
    const std::string label = hit ? ",1\n" : ",0\n", at = std::to_string(x);
    const std::string triangle =
        "-1,1,-1,1,0,1" + label + "1,1,-1,1,0,1" + label + "0,1,1,1,0,1" + label;
    return at + ",1,0,1,1,1" + label + triangle + at + ",1,0,1,-1,1" + label + triangle;
  };
  const auto run = [](const std::string& content) {
    return run_swept({"ccd", "--queries", write_file("vertex-face.csv", content), "--json"});
  };
  const Outcome right = run(query(0, true) + query(5, false) + query(6, false));
  ASSERT_EQ(right.code, 0) << right.err;
  json set = json::parse(right.out);
  EXPECT_EQ(set["queries"], 3);
  EXPECT_EQ(set["collisions"], 1);
  for (const json& answer : set["answers"]) {
    EXPECT_EQ(answer["missed"], 0);
    EXPECT_EQ(answer["false_alarms"], 0);
    EXPECT_GT(answer["mean_ns"], 0.0);
  }
  // labels that say otherwise: a miss fails the command, a false alarm does not
  const Outcome missed = run(query(5, true));
  EXPECT_EQ(missed.code, 1);
  EXPECT_EQ(json::parse(missed.out)["answers"][1]["missed"], 1);
  const Outcome alarm = run(query(0, false));
  EXPECT_EQ(alarm.code, 0);
  EXPECT_EQ(json::parse(alarm.out)["answers"][0]["false_alarms"], 1);
}

TEST(Ccd, PublicQueriesHaveNoMiss) {
  const std::filesystem::path folder = test_data("ccd_queries");
  SWEPT_SKIP_WITHOUT(folder);
  const Outcome done = run_swept({"ccd", "--queries", folder.string(), "--separation", "1e-4"});
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_NE(done.out.find("false alarms"), std::string::npos) << done.out;
}

TEST(Ccd, SaysWhatIsWrongInFiles) {
  const std::string mesh = write_file("cube.obj", cube);
  const auto refuses = [](const std::vector<std::string>& arguments, const std::string& problem) {
    std::vector<std::string> all{"ccd"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome done = run_swept(all);
    EXPECT_EQ(done.code, 1) << done.out;
    EXPECT_NE(done.err.find(problem), std::string::npos) << done.err;
  };
  const auto motion = [&](const std::string& text) { return write_file("bad.json", text); };
  refuses({}, "no two bodies");
  refuses({mesh, "/nowhere.obj"}, "/nowhere.obj");
  refuses({mesh, write_file("empty.obj", "v 0 0 0\n")}, "has no faces");
  refuses({mesh, write_file("odd.obj", "v 0 0 0\nf 1 2 3\n")}, "odd.obj:2: no vertex '2'");
  refuses({mesh, write_file("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")}, "nan.obj");
  refuses({mesh, mesh, "--2d"}, "has no lines");
  refuses({mesh, mesh, "--motion", motion("{")}, "is not JSON");
  refuses({mesh, mesh, "--motion", motion(R"({"c": {}})")}, "has 'c'");
  refuses({mesh, mesh, "--motion", motion(R"({"a": {"from": {"position": [1, 2]}}})")},
          "a/from/position is not an array of 3 numbers");
  refuses({mesh, mesh, "--motion",
           motion(R"({"a": {"from": {"rotation": [[1,0,0],[0,1,0],[0,0,2]]}}})")},
          "not a rotation");
  refuses({mesh, mesh, "--motion", motion(R"({"a": {"to": {}, "velocity": [1, 0, 0]}})")},
          "'to' and a velocity");
  refuses({mesh, mesh, "--queries", mesh}, "at the same time");
  refuses({"--queries", write_file("edge-edge.csv", "1,2\n")}, "edge-edge.csv:1:");
}

}  // namespace
}  // namespace swept::test
