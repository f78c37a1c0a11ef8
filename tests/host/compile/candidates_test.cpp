// SPDX-License-Identifier: Apache-2.0
#include <swept/compile.h>
#include <swept/load.h>

#include "host/compile/random_scene.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace swept {
namespace {

Model from_xml(const std::string& xml) {
  return compile(load_string(xml, Format::xml));
}

/// Bodies, then geoms, of a candidate: in the order in which the list must be sorted.
std::tuple<int, int> bodies_of(const Model& m, std::size_t c) {
  const int b1 = m.geom_bodyid[static_cast<std::size_t>(m.candidate_geom1[c])];
  const int b2 = m.geom_bodyid[static_cast<std::size_t>(m.candidate_geom2[c])];
  return std::minmax(b1, b2);
}

TEST(Candidates, AreAllPairsThatTheRulesAllow) {
  test::SceneMaker maker(6);
  int total = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Spec spec = maker.scene(8);
    const bool keep_parents = trial % 2 == 0;
    spec.option.disableflags = keep_parents ? 0 : disable_filterparent;
    const Model m = compile(spec);
    std::set<std::pair<int, int>> listed;
    for (std::size_t c = 0; c < m.candidate_geom1.size(); ++c) {
      listed.insert(std::minmax({m.candidate_geom1[c], m.candidate_geom2[c]}));
    }
    ASSERT_EQ(listed.size(), m.candidate_geom1.size()) << "a pair is listed twice";
    total += m.ncandidate;

    // the rules for one pair at a time, spelled out
    const auto i = [](const std::vector<int>& v, int k) { return v[static_cast<std::size_t>(k)]; };
    for (int g1 = 0; g1 < m.ngeom; ++g1) {
      for (int g2 = g1 + 1; g2 < m.ngeom; ++g2) {
        const int w1 = i(m.body_weldid, i(m.geom_bodyid, g1));
        const int w2 = i(m.body_weldid, i(m.geom_bodyid, g2));
        const auto moves = [&](int w) { return w != 0 && i(m.body_dofnum, w) > 0; };
        const auto carries = [&](int a, int b) {
          return i(m.body_weldid, i(m.body_parentid, b)) == a;
        };
        const bool bits = (i(m.geom_contype, g1) & i(m.geom_conaffinity, g2)) != 0 ||
                          (i(m.geom_contype, g2) & i(m.geom_conaffinity, g1)) != 0;
        const bool relatives =
            keep_parents && w1 != 0 && w2 != 0 && (carries(w1, w2) || carries(w2, w1));
        const bool expected = bits && w1 != w2 && (moves(w1) || moves(w2)) && !relatives;
        ASSERT_EQ(listed.contains({g1, g2}), expected)
            << "trial " << trial << " geoms " << g1 << " " << g2;
      }
    }
  }
  EXPECT_GT(total, 5000);
}

TEST(Candidates, StandInTheOrderOfContacts) {
  test::SceneMaker maker(7);
  for (int trial = 0; trial < 100; ++trial) {
    const Model m = compile(maker.scene(10));
    for (std::size_t c = 0; c < m.candidate_geom1.size(); ++c) {
      const std::size_t g1 = static_cast<std::size_t>(m.candidate_geom1[c]);
      const std::size_t g2 = static_cast<std::size_t>(m.candidate_geom2[c]);
      EXPECT_LE(m.geom_type[g1], m.geom_type[g2]);
      if (m.geom_type[g1] == m.geom_type[g2]) {
        EXPECT_LE(m.geom_bodyid[g1], m.geom_bodyid[g2]);
      }
      if (c > 0) {
        EXPECT_LE(bodies_of(m, c - 1), bodies_of(m, c));
      }
    }
  }
}

constexpr const char* two_bodies = R"(
  <body name="a"><joint/><geom name="a1" size=".1"/><geom name="a2" type="capsule" size=".1 .2"/>
    </body>
  <body name="b"><joint/><geom name="b1" type="capsule" size=".1 .2"/><geom name="b2" size=".1"/>
    </body>)";

TEST(Candidates, LoopOverTheLowerBodyOutsideAndSwapByType) {
  const Model m =
      from_xml(std::string("<mujoco><worldbody>") + two_bodies + "</worldbody></mujoco>");
  EXPECT_EQ(m.candidate_geom1, (std::vector{0, 0, 1, 3}));
  EXPECT_EQ(m.candidate_geom2, (std::vector{2, 3, 2, 1}));
  EXPECT_EQ(m.candidate_kind, (std::vector<int>{collide_sphere_capsule, collide_sphere_sphere,
                                                collide_capsule_capsule, collide_sphere_capsule}));
}

TEST(Candidates, PutPredefinedPairsFirstAndDropTheDynamicOnes) {
  const Model m = from_xml(std::string("<mujoco><worldbody>") + two_bodies +
                           R"(</worldbody><contact><pair geom1="b1" geom2="a2"/>
                              <pair geom1="a1" geom2="b2"/></contact></mujoco>)");
  EXPECT_EQ(m.candidate_pairid, (std::vector{0, 1, -1, -1}));
  EXPECT_EQ(m.candidate_geom1, (std::vector{1, 0, 0, 3}));
  EXPECT_EQ(m.candidate_geom2, (std::vector{2, 3, 2, 1}));
}

TEST(Candidates, AreNoneWhenContactsAreOff) {
  for (const char* flag : {"contact", "constraint"}) {
    const Model m =
        from_xml(std::string("<mujoco><option><flag ") + flag +
                 "=\"disable\"/></option><worldbody>" + two_bodies + "</worldbody></mujoco>");
    EXPECT_EQ(m.ncandidate, 0) << flag;
  }
}

/// The message of the error that compiling a scene gives.
std::string refusal(const std::string& xml) {
  try {
    from_xml(xml);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Candidates, RefuseAllPairsWithoutColliderAtOnce) {
  const std::string text = refusal(R"(<mujoco><worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body><joint/><geom name="can" type="cylinder" size=".1 .1"/></body>
    <body><joint/><geom type="ellipsoid" size=".1 .1 .1"/></body>
    </worldbody></mujoco>)");
  EXPECT_NE(text.find("3 pairs"), std::string::npos) << text;
  EXPECT_NE(text.find("plane 'floor' (scene:2) and cylinder 'can' (scene:3)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("plane 'floor' (scene:2) and ellipsoid 2 (scene:4)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ellipsoid 2 (scene:4) and cylinder 'can' (scene:3)"), std::string::npos)
      << text;
}

TEST(Candidates, NameTwentyRefusedPairsAndCountTheRest) {
  std::string xml = "<mujoco><worldbody>";
  for (int i = 0; i < 10; ++i) {
    xml += R"(<body><joint/><geom type="box" size=".1 .1 .1"/></body>)";
  }
  const std::string text = refusal(xml + "</worldbody></mujoco>");
  EXPECT_NE(text.find("45 pairs"), std::string::npos) << text;
  EXPECT_NE(text.find("and 25 more"), std::string::npos) << text;
}

TEST(Candidates, AcceptTypesWithoutColliderThatNeverCollide) {
  const Model m = from_xml(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body><joint/><geom type="cylinder" size=".1 .1" contype="0" conaffinity="0"/>
      <geom size=".1"/></body></worldbody></mujoco>)");
  EXPECT_EQ(m.ncandidate, 1);
}

TEST(Candidates, RefuseMoreThanFitsTheList) {
  std::string xml = "<mujoco><worldbody>";
  for (int i = 0; i < 1500; ++i) {
    xml += R"(<body><joint/><geom size=".1"/></body>)";
  }
  const std::string text = refusal(xml + "</worldbody></mujoco>");
  EXPECT_NE(text.find("more than 1048576 pairs"), std::string::npos) << text;
}

}  // namespace
}  // namespace swept
