// SPDX-License-Identifier: Apache-2.0
// Input that is no scene: an error with its place, never a crash, never a hang.
#include "host/load/load_support.h"

#include <random>

namespace swept::test {
namespace {

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

TEST(Malformed, TextThatIsNoXmlIsRefused) {
  for (const char* const text :
       {"", "  \n", "junk", "<", "<mujoco", "<mujoco>", "<mujoco></mujo>", "<mujoco/><mujoco/>",
        "<mujoco a=1/>", "<mujoco model='a' model='b'/>", "<!-- only a comment -->", "<robot/>",
        "<mujocoinclude/>"}) {
    error_of(text);
  }
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
  }
  error_of(bytes);
  error_of(bytes, Format::json);
}

TEST(Malformed, TheErrorHasFileLinePathProblemAndRemedy) {
  try {
    load_string(
        "<mujoco>\n<worldbody>\n<body name='torso'>\n<geom siz='1'/></body></worldbody></mujoco>",
        Format::xml, "dir/robot.xml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), "dir/robot.xml");
    EXPECT_EQ(error.line(), 4);
    EXPECT_EQ(error.element(), "mujoco/worldbody/body[torso]/geom");
    EXPECT_EQ(error.problem(), "unknown attribute 'siz'");
    EXPECT_EQ(error.remedy(), "did you mean 'size'?");
    EXPECT_STREQ(error.what(),
                 "dir/robot.xml:4: mujoco/worldbody/body[torso]/geom: unknown attribute 'siz'; did "
                 "you mean 'size'?");
  }
}

TEST(Malformed, UnknownNamesGetTheNearestValidOne) {
  EXPECT_EQ(error_of_sections("<worldbdy/>").remedy(), "did you mean 'worldbody'?");
  EXPECT_EQ(error_of_sections("<option solver='newton'/>").remedy(), "did you mean 'Newton'?");
  EXPECT_EQ(error_of_sections("<worldbody><goem/></worldbody>").remedy(), "did you mean 'geom'?");
}

TEST(Malformed, WrongValuesAreRefused) {
  for (const char* const sections : {
           "<option timestep='fast'/>",
           "<option timestep='1 2'/>",
           "<option gravity='0 0'/>",
           "<option gravity='0 0 nan'/>",
           "<option iterations='1.5'/>",
           "<option iterations='99999999999'/>",
           "<option actuatorgroupdisable='31'/>",
           "<option actuatorgroupdisable='-1'/>",
           "<option><flag/><flag/></option>",
           "<compiler eulerseq='abc'/>",
           "<compiler eulerseq='xy'/>",
           "<custom><numeric name='n'/></custom>",
           "<custom><numeric data='1'/></custom>",
           "<custom><numeric name='n' size='1' data='1 2'/></custom>",
           "<custom><numeric name='n' size='2000000000'/></custom>",
           "<custom><text name='t'/></custom>",
           "<custom><tuple name='t'/></custom>",
           "<size memory='lots'/>",
           "<worldbody pos='1 0 0'/>",
           "<composite/>",
       }) {
    error_of_sections(sections);
  }
}

TEST(Malformed, DeepNestingIsRefused) {
  error_of("<mujoco><worldbody>" + repeat("<body>", 200000) + repeat("</body>", 200000) +
           "</worldbody></mujoco>");
  error_of("<mujoco>" + repeat("<body>", 200000));
  error_of(repeat("{\"mujoco\":", 200000) + "1" + repeat("}", 200000), Format::json);
  error_of("{\"mujoco\":{\"a\":" + repeat("[", 200000) + repeat("]", 200000) + "}}", Format::json);
  // what the official reader takes is taken
  load_string("<mujoco><worldbody>" + repeat("<body>", 490) + repeat("</body>", 490) +
                  "</worldbody></mujoco>",
              Format::xml);
}

TEST(Malformed, HugeNamesAndCountsAreRefused) {
  error_of("<mujoco><" + std::string(1000000, 'a') + "/></mujoco>");
  std::string attributes;
  for (int i = 0; i < 50000; ++i) {
    attributes += " a" + std::to_string(i) + "='1'";
  }
  error_of("<mujoco" + attributes + "/>");
}

TEST(Malformed, DamagedScenesGiveAnErrorOrLoad) {
  const std::string xml =
      "<mujoco model='m'><default><geom size='1'/><default class='c'><motor gear='2'/></default>"
      "</default><worldbody><body name='b' pos='0 0 1'><joint name='j' range='-1 1'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 1'/><replicate count='3' offset='1 0 0'>"
      "<geom name='g'/></replicate></body></worldbody><actuator><motor class='c' joint='j'/>"
      "</actuator><keyframe><key qpos='1'/></keyframe></mujoco>";
  const std::string json = to_json(xml, Format::xml);
  std::mt19937_64 random(17);
  int loaded = 0;
  for (int i = 0; i < 20000; ++i) {
    const bool is_json = i % 2 == 1;
    std::string text = is_json ? json : xml;
    const int damages = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < damages; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 12));
          break;
        default:
          text.resize(at + 1);
          break;
      }
    }
    try {
      load_string(text, is_json ? Format::json : Format::xml);
      ++loaded;
    } catch (const Error&) {
    }
  }
  // most damage is found, some hits a name or a digit
  EXPECT_GT(loaded, 100);
  EXPECT_LT(loaded, 10000);
}

}  // namespace
}  // namespace swept::test
