// SPDX-License-Identifier: Apache-2.0
// What the README shows exists and runs.
#include "cli/command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

namespace swept::test {
namespace {

const std::string readme = read_file(SWEPT_SOURCE_DIR "/README.md");

TEST(Readme, ShowsTheExampleAsItIsCompiled) {
  const std::string open = "```cpp\n";
  const std::size_t begin = readme.find(open);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("```", begin + open.size());
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(readme.substr(begin + open.size(), end - begin - open.size()),
            read_file(SWEPT_SOURCE_DIR "/examples/minimal.cpp"));
}

TEST(Readme, TheExampleRuns) {
  const Outcome done = run_program(SWEPT_EXAMPLE, {scene("humanoid/humanoid.xml")});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(std::regex_search(done.out, std::regex("pelvis of environment 0 at 0\\.\\d{3} m")))
      << done.out;
  EXPECT_TRUE(std::regex_search(done.out, std::regex("\\d\\.\\d\\d contacts per environment\n")))
      << done.out;
}

TEST(Readme, TheExampleSaysWhatIsWrongWithAScene) {
  const Outcome done = run_program(SWEPT_EXAMPLE, {"/nowhere/scene.xml"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.err.find("/nowhere/scene.xml"), std::string::npos) << done.err;
}

TEST(Readme, EveryLinkedOrNamedPathExists) {
  // [text](path) without a scheme, and `folder/...` in code
  const std::regex paths(
      R"(\]\(([^):#]+)\)|`((?:src|include|tests|bench|scenes|tools|examples|cmake)/[\w./-]*)`)");
  int count = 0;
  for (auto match = std::sregex_iterator(readme.begin(), readme.end(), paths);
       match != std::sregex_iterator(); ++match) {
    const std::string path = (*match)[1].matched ? (*match)[1].str() : (*match)[2].str();
    EXPECT_TRUE(std::filesystem::exists(SWEPT_SOURCE_DIR "/" + path)) << path;
    ++count;
  }
  EXPECT_GE(count, 5);
}

TEST(Readme, EveryOptionItNamesIsKnownToTheCommand) {
  const std::string help = run_swept({"info", "--help"}).out + run_swept({"run", "--help"}).out +
                           run_swept({"bench", "--help"}).out + run_swept({"sweep", "--help"}).out;
  const std::regex commands(R"(swept (?:info|run|bench|sweep) [^\n`]*)");
  for (auto command = std::sregex_iterator(readme.begin(), readme.end(), commands);
       command != std::sregex_iterator(); ++command) {
    const std::string text = command->str();
    const std::regex options(R"(--[a-z-]+)");
    for (auto option = std::sregex_iterator(text.begin(), text.end(), options);
         option != std::sregex_iterator(); ++option) {
      EXPECT_NE(help.find(option->str()), std::string::npos) << option->str();
    }
  }
}

TEST(Readme, ItsSweepRuns) {
  const std::string open = "```json\n";
  const std::size_t begin = readme.find(open);
  ASSERT_NE(begin, std::string::npos);
  std::string sweep = readme.substr(begin + open.size(),
                                    readme.find("```", begin + open.size()) - begin - open.size());
  const std::string name = "sliding_block.xml";
  sweep.replace(sweep.find(name), name.size(), scene("sweeps/sliding_block/sliding_block.xml"));
  const std::string table = write_file("readme.csv", "");
  std::filesystem::remove(table);
  const Outcome done = run_swept({"sweep", write_file("readme.json", sweep), "--out", table});
  EXPECT_EQ(done.code, 0) << done.err;
  const auto rows = read_csv(table);
  ASSERT_EQ(rows.size(), 382u);
  EXPECT_EQ(rows[1][3], "distance [m]");
}

}  // namespace
}  // namespace swept::test
