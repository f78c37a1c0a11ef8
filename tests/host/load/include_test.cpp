// SPDX-License-Identifier: Apache-2.0
// Files and includes, in a folder that each test makes and removes.
#include "host/load/load_support.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

class Include : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "swept_load_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directories(folder_ / "sub");
  }

  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static Error error(const fs::path& path) {
    try {
      load(path);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no error for " << path;
    return Error("none");
  }

  fs::path folder_;
};

const char* const geom = "<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>";

TEST_F(Include, ContentStandsWhereTheIncludeStood) {
  write("mid.xml", "<any><geom name='b' size='1'/><geom name='c' size='1'/></any>");
  const Spec spec =
      load(write("main.xml",
                 "<mujoco><worldbody><geom name='a' size='1'/>\n<include file='mid.xml'/>"
                 "<geom name='d' size='1'/></worldbody></mujoco>"));
  std::string names;
  for (const Geom& each : spec.worldbody.geoms) {
    names += each.name;
  }
  EXPECT_EQ(names, "abcd");
  ASSERT_EQ(spec.files.size(), 2U);
  EXPECT_EQ(spec.worldbody.geoms[1].source.file, 1);
}

TEST_F(Include, TheMainFoldersFileComesFirstThenTheIncludingFiles) {
  write("sub/a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  write("sub/b.xml", "<mujoco><worldbody><geom name='sub' size='1'/></worldbody></mujoco>");
  const fs::path main = write("main.xml", "<mujoco><include file='sub/a.xml'/></mujoco>");
  EXPECT_EQ(load(main).worldbody.geoms[0].name, "sub");
  write("b.xml", geom);
  EXPECT_EQ(load(main).worldbody.geoms[0].name, "g");
}

TEST_F(Include, SpellingsMix) {
  write("part.json", R"({"mujoco": {"worldbody": {"geom": {"name": "j", "size": 1}}}})");
  EXPECT_EQ(load(write("main.xml", "<mujoco><include file='part.json'/></mujoco>"))
                .worldbody.geoms[0]
                .name,
            "j");
  write("part.xml", geom);
  EXPECT_EQ(load(write("main.json", R"({"mujoco": {"include": {"file": "part.xml"}}})"))
                .worldbody.geoms[0]
                .name,
            "g");
  // other suffixes by content
  EXPECT_EQ(load(write("main.txt", R"(  {"mujoco": {"include": {"file": "part.xml"}}})"))
                .worldbody.geoms[0]
                .name,
            "g");
}

TEST_F(Include, AFileTwiceIsRefusedUnderAnyPathSoCyclesAre) {
  write("b.xml", geom);
  EXPECT_NE(error(write("main.xml",
                        "<mujoco><include file='b.xml'/>\n<include file='sub/../b.xml'/></mujoco>"))
                .problem()
                .find("second time"),
            std::string::npos);
  error(write("self.xml", "<mujoco><include file='self.xml'/></mujoco>"));
  write("x.xml", "<mujoco><include file='y.xml'/></mujoco>");
  error(write("y.xml", "<mujoco><include file='x.xml'/></mujoco>"));
}

TEST_F(Include, MistakesNameTheFileAndLine) {
  write("empty.xml", "<mujoco/>");
  write("bad.xml", "<mujoco>\n<worldbody>\n<gem/></worldbody></mujoco>");
  const Error error_inside = error(write("main.xml", "<mujoco><include file='bad.xml'/></mujoco>"));
  EXPECT_EQ(error_inside.file(), (folder_ / "bad.xml").string());
  EXPECT_EQ(error_inside.line(), 3);
  for (const char* const include :
       {"<include/>", "<include file=''/>", "<include file='none.xml'/>",
        "<include file='empty.xml'/>", "<include file='sub'/>", "<include file='bad.xml' x='1'/>",
        "<include file='bad.xml'><geom/></include>"}) {
    const fs::path main = write("main.xml", "<mujoco>\n" + std::string(include) + "</mujoco>");
    const Error each = error(main);
    EXPECT_FALSE(each.file().empty()) << include;
  }
  error(write("root.xml", "<include file='bad.xml'/>"));
}

TEST_F(Include, WhatIsNoReadableFileIsRefused) {
  EXPECT_NE(error(folder_ / "none.xml").problem().find("no such file"), std::string::npos);
  EXPECT_NE(error(folder_ / "sub").problem().find("folder"), std::string::npos);
  EXPECT_NE(error("/dev/zero").problem().find("regular"), std::string::npos);
  error(write("empty.xml", ""));
  error(write("empty.json", ""));
}

}  // namespace
}  // namespace swept::test
