// SPDX-License-Identifier: Apache-2.0
// The rules of collision for one pair at a time, against the list of candidates; and what an
// explanation says.
#include <swept/compile.h>
#include <swept/explain.h>
#include <swept/load.h>

#include "host/compile/collision_rules.h"
#include "host/compile/random_scene.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace swept {
namespace {

/// Names of bodies and geoms under a body.
void collect(const Body& body, std::vector<std::string>* bodies, std::vector<std::string>* geoms) {
  for (const Geom& geom : body.geoms) {
    geoms->push_back(geom.name);
  }
  for (const Body& child : body.bodies) {
    bodies->push_back(child.name);
    collect(child, bodies, geoms);
  }
}

void name_bodies(Body* body, int* count) {
  for (Body& child : body->bodies) {
    child.name = "body" + std::to_string((*count)++);
    name_bodies(&child, count);
  }
}

/// A random scene with mocap bodies, excludes, predefined pairs and flags.
Spec random_scene(test::SceneMaker* maker) {
  Spec spec = maker->scene(8);
  for (int i = maker->integer(0, 2); i > 0; --i) {
    Body mocap;
    mocap.mocap = true;
    mocap.geoms.push_back(maker->geom());
    spec.worldbody.bodies.push_back(mocap);
  }
  int count = 0;
  name_bodies(&spec.worldbody, &count);
  std::vector<std::string> bodies{"world"}, geoms;
  collect(spec.worldbody, &bodies, &geoms);
  const auto any = [&](const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(maker->integer(0, static_cast<int>(names.size()) - 1))];
  };
  for (int i = 0; i < 3 && geoms.size() > 1; ++i) {
    Exclude exclude;
    exclude.body1 = any(bodies);
    exclude.body2 = any(bodies);
    if (exclude.body1 != exclude.body2) {
      spec.excludes.push_back(exclude);
    }
    Pair pair;
    pair.geom1 = any(geoms);
    pair.geom2 = any(geoms);
    if (pair.geom1 != pair.geom2) {
      spec.pairs.push_back(pair);
    }
  }
  spec.option.disableflags = maker->integer(0, 2) == 0 ? disable_filterparent : 0;
  return spec;
}

TEST(CollisionRules, SayOfEachPairWhetherItIsListed) {
  test::SceneMaker maker(61);
  std::map<CollisionRule, int> decided;
  for (int trial = 0; trial < 300; ++trial) {
    const Model m = compile(random_scene(&maker));
    std::set<std::pair<int, int>> listed;
    for (std::size_t c = 0; c < m.candidate_geom1.size(); ++c) {
      listed.insert(std::minmax({m.candidate_geom1[c], m.candidate_geom2[c]}));
    }
    for (int g1 = 0; g1 < m.ngeom; ++g1) {
      for (int g2 = g1 + 1; g2 < m.ngeom; ++g2) {
        const compiler::Verdict verdict = compiler::judge(m, g1, g2);
        const bool collides = verdict.rule >= CollisionRule::predefined_pair;
        ASSERT_EQ(collides, listed.contains({g1, g2}))
            << "trial " << trial << " geoms " << g1 << " " << g2 << ": " << rule_name(verdict.rule);
        ASSERT_EQ(verdict.rule, compiler::judge(m, g2, g1).rule) << "the order matters";
        ++decided[verdict.rule];
      }
    }
  }
  // every rule but those of flags and types has been seen at work
  for (int rule = static_cast<int>(CollisionRule::same_body);
       rule <= static_cast<int>(CollisionRule::allowed); ++rule) {
    EXPECT_GT(decided[static_cast<CollisionRule>(rule)], 10)
        << rule_name(static_cast<CollisionRule>(rule));
  }
}

TEST(CollisionRules, EveryPairOfTypesHasAColliderButPlanesAndFieldsAmongThemselves) {
  for (int a = geom_plane; a <= geom_mesh; ++a) {
    for (int b = geom_plane; b <= geom_mesh; ++b) {
      const bool flat = a <= geom_hfield && b <= geom_hfield;
      EXPECT_EQ(compiler::collider_of(a, b) < 0, flat) << a << " " << b;
      EXPECT_EQ(compiler::collider_of(a, b), compiler::collider_of(b, a)) << a << " " << b;
    }
  }
}

TEST(CollisionRules, EveryRuleAndEveryColliderHasAnOwnName) {
  std::set<std::string_view> names;
  for (int rule = 0; rule <= static_cast<int>(CollisionRule::allowed); ++rule) {
    names.insert(rule_name(static_cast<CollisionRule>(rule)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(CollisionRule::allowed) + 1);
  names.clear();
  for (int kind = 0; kind < collider_kinds; ++kind) {
    names.insert(collider_name(kind));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(collider_kinds));
  EXPECT_THROW(collider_name(collider_kinds), std::out_of_range);
}

TEST(CollisionRules, AllBitsOfAnIntCount) {
  EXPECT_TRUE(compiler::bits_match(1 << 30, 0, 0, 1 << 30));
  EXPECT_TRUE(compiler::bits_match(0, -2147483647 - 1, -1, 0));
  EXPECT_FALSE(compiler::bits_match(-2147483647 - 1, 0, 0, 2147483647));
  EXPECT_FALSE(compiler::bits_match(-1, 0, -1, 0));
}

// ---- explanations -------------------------------------------------------------------------------

/// A scene from what stands in its worldbody and what comes after it.
Explanation explain(const std::string& world, const std::string& rest = "") {
  return explain_collision(
      load_string("<mujoco><worldbody>" + world + "</worldbody>" + rest + "</mujoco>", Format::xml),
      "a", "b");
}

const std::string two =
    "<body name='A'><freejoint/><geom name='a' size='.1'/></body>"
    "<body name='B'><freejoint/><geom name='b' size='.1'/></body>";

TEST(Explanation, NamesTheRuleThatDecides) {
  const struct {
    CollisionRule rule;
    std::string world, rest;
    const char* part;
  } cases[] = {
      {CollisionRule::allowed, two, "", "contype 1 & conaffinity 1 = 1"},
      {CollisionRule::constraint_disabled, two, "<option><flag constraint='disable'/></option>",
       "'constraint'"},
      {CollisionRule::contact_disabled, two, "<option><flag contact='disable'/></option>",
       "'contact'"},
      {CollisionRule::never_touch,
       "<geom name='a' type='plane' size='1 1 1'/><geom name='b' type='plane' size='1 1 1'/>", "",
       "a plane and a plane never touch"},
      {CollisionRule::same_body,
       "<body name='A'><freejoint/><geom name='a' size='.1'/><geom name='b' size='.1'/></body>", "",
       "body 'A'"},
      {CollisionRule::welded_together,
       "<body name='A'><freejoint/><geom name='a' size='.1'/><body name='B'><geom name='b' "
       "size='.1'/></body></body>",
       "", "'A' and 'B' are rigidly fixed to each other, both to 'A'"},
      {CollisionRule::both_static,
       "<geom name='a' size='.1'/><body name='M' mocap='true'><geom name='b' size='.1'/></body>",
       "", "'world' and 'M' can move"},
      {CollisionRule::parent_child,
       "<body name='A'><freejoint/><geom name='a' size='.1'/><body name='B'><joint/><geom name='b' "
       "size='.1'/></body></body>",
       "", "'filterparent'"},
      {CollisionRule::excluded, two, "<contact><exclude body1='B' body2='A'/></contact>",
       "contact/exclude names bodies 'A' and 'B'"},
      {CollisionRule::bits,
       "<geom name='a' size='.1' contype='6' conaffinity='8'/><body><freejoint/><geom name='b' "
       "size='.1' contype='4' conaffinity='1'/></body>",
       "", "contype 6 & conaffinity 1 = 0 and contype 4 & conaffinity 8 = 0: incompatible bits"},
      {CollisionRule::predefined_pair,
       "<body name='A'><geom name='a' size='.1' contype='0'/><geom name='b' size='.1'/></body>",
       "<contact><pair name='p' geom1='b' geom2='a'/></contact>", "contact/pair 'p' names them"},
  };
  for (const auto& [rule, world, rest, part] : cases) {
    const Explanation e = explain(world, rest);
    EXPECT_EQ(e.rule, rule) << rule_name(e.rule) << " for " << world << rest;
    EXPECT_EQ(e.collides, rule >= CollisionRule::predefined_pair);
    EXPECT_NE(e.why.find(part), std::string::npos) << e.why << "\nlacks " << part;
  }
}

TEST(Explanation, ListsFurtherRulesThatForbidThePair) {
  const Explanation e = explain(
      "<body name='A'><freejoint/><geom name='a' size='.1'/><body name='B'><joint/><geom name='b' "
      "size='.1' contype='2' conaffinity='2'/></body></body>",
      "<contact><exclude body1='A' body2='B'/></contact>");
  EXPECT_EQ(e.rule, CollisionRule::parent_child);
  EXPECT_EQ(e.also, (std::vector{CollisionRule::excluded, CollisionRule::bits}));
}

TEST(Explanation, MixesParametersOfEqualPriority) {
  const Explanation e = explain(
      "<geom name='a' type='plane' size='1 1 1' margin='.01' gap='.002' friction='.5 .1 .001' "
      "condim='4' solmix='3' solref='.04 1'/>"
      "<body><freejoint/><geom name='b' size='.1' margin='.02' friction='.7 .01 0' condim='3' "
      "solref='.02 2'/></body>");
  EXPECT_EQ(e.collider, collide_plane_sphere);
  EXPECT_DOUBLE_EQ(e.margin, 0.03);
  EXPECT_DOUBLE_EQ(e.gap, 0.002);
  EXPECT_EQ(e.condim, 4);
  EXPECT_EQ(e.friction, (std::array{0.7, 0.7, 0.1, 0.001, 0.001}));
  EXPECT_DOUBLE_EQ(e.solref[0], 0.75 * 0.04 + 0.25 * 0.02);
  EXPECT_DOUBLE_EQ(e.solref[1], 0.75 * 1 + 0.25 * 2);
  EXPECT_NE(e.decided_by.find("equal priority 0"), std::string::npos) << e.decided_by;
}

TEST(Explanation, TheHigherPriorityDecidesAlone) {
  const Explanation e = explain(
      "<geom name='a' type='plane' size='1 1 1' friction='2' condim='6'/>"
      "<body><freejoint/><geom name='b' size='.1' priority='1' friction='.3 0 0' condim='1' "
      "solref='-100 -10'/></body>");
  EXPECT_EQ(e.condim, 1);
  EXPECT_EQ(e.friction, (std::array{0.3, 0.3, 1e-5, 1e-5, 1e-5}));
  EXPECT_EQ(e.solref, (Solref{-100, -10}));
  EXPECT_EQ(e.decided_by, "geom 'b' alone: its priority 1 is above 0");
}

TEST(Explanation, APredefinedPairHasItsOwnParameters) {
  const Explanation e =
      explain(two,
              "<contact><pair geom1='a' geom2='b' condim='6' margin='.1' gap='.2' "
              "friction='1 2 3 4 5' solreffriction='.1 1'/></contact>");
  EXPECT_EQ(e.condim, 6);
  EXPECT_DOUBLE_EQ(e.margin, 0.1);
  EXPECT_DOUBLE_EQ(e.gap, 0.2);
  EXPECT_EQ(e.friction, (std::array{1.0, 2.0, 3.0, 4.0, 5.0}));
  EXPECT_EQ(e.solreffriction, (Solref{0.1, 1}));
  EXPECT_EQ(e.decided_by, "contact/pair itself");
}

TEST(Explanation, RefusesUnknownGeomsAndOneTwice) {
  const Spec spec = load_string("<mujoco><worldbody>" + two + "</worldbody></mujoco>", Format::xml);
  EXPECT_THROW(explain_collision(spec, "a", "nobody"), Error);
  EXPECT_THROW(explain_collision(spec, "a", "2"), Error);
  EXPECT_THROW(explain_collision(spec, "a", "-1"), Error);
  EXPECT_THROW(explain_collision(spec, "a", "0"), Error);
  EXPECT_EQ(explain_collision(spec, "0", "1").rule, CollisionRule::allowed);
}

}  // namespace
}  // namespace swept
