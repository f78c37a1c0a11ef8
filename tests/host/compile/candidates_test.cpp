// SPDX-License-Identifier: Apache-2.0
#include <swept/compile.h>
#include <swept/load.h>

#include "host/compile/candidates.h"
#include "host/compile/random_scene.h"

#include <gtest/gtest.h>

#include <map>
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

TEST(Candidates, AreOfAllTypesButPlanesAndHeightFieldsAmongThemselves) {
  const Model m = from_xml(R"(<mujoco><worldbody>
    <geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1"/>
    <body><joint/><geom size=".1"/></body>
    <body><joint/><geom type="capsule" size=".1 .1"/></body>
    <body><joint/><geom type="ellipsoid" size=".1 .2 .1"/></body>
    <body><joint/><geom type="cylinder" size=".1 .1"/></body>
    <body><joint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>)");
  std::map<int, int> kinds;
  for (const int kind : m.candidate_kind) {
    ++kinds[kind];
  }
  const std::map<int, int> expected = {{collide_plane_sphere, 2},    {collide_plane_capsule, 2},
                                       {collide_plane_ellipsoid, 2}, {collide_plane_cylinder, 2},
                                       {collide_plane_box, 2},       {collide_sphere_capsule, 1},
                                       {collide_sphere_cylinder, 1}, {collide_sphere_box, 1},
                                       {collide_capsule_box, 1},     {collide_convex, 6}};
  EXPECT_EQ(kinds, expected);
}

/// A world with so many balls, each free, and a plane.
std::string balls(int count) {
  std::string xml = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>";
  for (int i = 0; i < count; ++i) {
    xml += "<body><joint/><geom size='.1'/></body>";
  }
  return xml + "</worldbody></mujoco>";
}

TEST(Candidates, AreNotListedWhereTheyAreTooMany) {
  Model m = from_xml(balls(20));
  ASSERT_EQ(m.ncandidate, 20 * 19 / 2 + 20);
  EXPECT_EQ(m.nsweep, 0);
  compiler::list_candidates(m, 210);
  EXPECT_EQ(m.ncandidate, 210);
  EXPECT_EQ(m.nsweep, 0);
  compiler::list_candidates(m, 209);
  EXPECT_EQ(m.ncandidate, 0);
  EXPECT_TRUE(m.candidate_kind.empty());
  EXPECT_EQ(m.nsweep, 20);
  EXPECT_EQ(m.nsweepplane, 1);
  // or because testing them all takes longer
  compiler::list_candidates(m, 210, 9);
  EXPECT_EQ(m.ncandidate, 210);
  EXPECT_EQ(m.nsweep, 20);
}

TEST(Candidates, OfAnyNumberAreAccepted) {
  const Model m = from_xml(balls(1500));
  EXPECT_EQ(m.ncandidate, 0);
  EXPECT_EQ(m.nsweep, 1500);
  EXPECT_EQ(m.sweep_geomadr.size(), 1500u);
}

TEST(Candidates, AreSweptBodyByBodyOrGeomByGeom) {
  std::string many;
  for (int i = 0; i < 9; ++i) {
    many += "<geom size='.1'/>";
  }
  Model m = from_xml(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.1'/>"
      "<geom size='.1' contype='0' conaffinity='0'/>"
      "<body><joint/><geom size='.1'/><geom size='.2'/><body><geom size='.1'/></body>"
      "</body><body><joint/>" +
      many +
      "</body><body mocap='true'>"
      "<geom size='.1'/><geom size='.1'/></body><body><joint/>"
      "<geom size='.1' contype='0' conaffinity='0'/></body></worldbody></mujoco>");
  compiler::list_candidates(m, 0);
  // a geom of the world; two of a body; one of the body on it; nine alone; two that only mocap moves
  EXPECT_EQ(m.sweep_geomadr, (std::vector{1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(m.sweep_geomnum, (std::vector{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(m.sweep_planeid, (std::vector{0}));
}

}  // namespace
}  // namespace swept
