// SPDX-License-Identifier: Apache-2.0
// Scenes of very many elements: what they cost grows with their size, not with its square, and what
// would not fit into memory is refused.
#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <chrono>

namespace swept {
namespace {

/// An XML document with `count` copies of a content in a place.
std::string copies(const std::string& before, int count, const std::string& content,
                   const std::string& after) {
  return "<mujoco><worldbody>" + before + "<replicate count='" + std::to_string(count) +
         "' offset='1 0 0'>" + content + "</replicate>" + after + "</worldbody></mujoco>";
}

/// Compiles it, and expects that this takes no longer than a careful compiler takes under a
/// sanitizer on a busy machine; one whose cost grows with the square takes some minutes.
Model compiled(const std::string& xml) {
  const auto start = std::chrono::steady_clock::now();
  const Model model = compile(load_string(xml, Format::xml));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 60.0) << xml.substr(0, 200);
  return model;
}

constexpr int many = 50000;
const std::string ball = "<geom size='.1'/>";

TEST(LargeScene, FreeBodiesCompile) {
  const Model m = compiled(copies("", many, "<body><freejoint/>" + ball + "</body>", ""));
  EXPECT_EQ(m.nv, 6 * many);
  EXPECT_EQ(m.nsweep, many);
  for (int b = 1; b <= many; b += many - 1) {
    EXPECT_NEAR(m.body_invweight0[2 * static_cast<std::size_t>(b)],
                1 / m.body_mass[static_cast<std::size_t>(b)], 1e-9);
  }
}

TEST(LargeScene, BodiesThatNeverMeetCompile) {
  // by their bits, by a common body that carries them, and because they stand still
  const std::string lonely = "<body><freejoint/><geom size='.1' conaffinity='0'/></body>";
  EXPECT_EQ(compiled(copies("", many, lonely, "")).ncandidate, 0);
  const std::string fixed = "<body>" + ball + "</body>";
  EXPECT_EQ(compiled(copies("<body><freejoint/>" + ball, many, fixed, "</body>")).ncandidate, 0);
  const Model still = compiled(copies("", many, fixed, "<body><freejoint/>" + ball + "</body>"));
  EXPECT_EQ(still.ncandidate, many);
  EXPECT_EQ(compiled(copies("<body><freejoint/><geom size='.1' conaffinity='0'/></body>", many,
                            "<geom size='.1' conaffinity='0'/>", ""))
                .ncandidate,
            0);
}

TEST(LargeScene, JointsOnOneBodyAndTheirActuatorsCompile) {
  std::string xml =
      copies("<body>" + ball, many, "<body><joint name='j'/>" + ball + "</body>", "</body>");
  const std::size_t digits = std::to_string(many).size();
  std::string actuators = "<actuator>";
  for (int i = 0; i < many; ++i) {
    const std::string number = std::to_string(i);
    actuators +=
        "<motor armature='1' joint='j" + std::string(digits - number.size(), '0') + number + "'/>";
  }
  xml.insert(xml.rfind("</mujoco>"), actuators + "</actuator>");
  const Model m = compiled(xml);
  EXPECT_EQ(m.nu, many);
  EXPECT_NEAR(m.actuator_acc0.back(), m.dof_invweight0.back(), 1e-12);
}

TEST(LargeScene, AMassMatrixThatWouldFillTheMemoryIsRefused) {
  std::string before, after;
  for (int i = 0; i < 400; ++i) {
    before += "<body><freejoint/>" + ball;
    before.replace(before.rfind("<freejoint/>"), 12,
                   i == 0 ? "<freejoint/>" : "<joint type='ball'/><joint type='slide'/>");
    after += "</body>";
  }
  try {
    compile(
        load_string(copies(before, many, "<body><joint/>" + ball + "</body>", after), Format::xml));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("mass matrix"), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

}  // namespace
}  // namespace swept
