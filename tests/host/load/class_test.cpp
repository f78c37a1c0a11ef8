// SPDX-License-Identifier: Apache-2.0
// Default classes: which class acts, what is inherited, what beats what.
#include "host/load/load_support.h"

#include <cmath>

namespace swept::test {
namespace {

TEST(Classes, ANestedClassStartsFromItsParentWhereverItStands) {
  // the parent's own records count even if they come after the nested class
  const Spec spec = load_sections(
      "<default><default class='a'><geom contype='3'/></default><geom size='7' "
      "contype='5'/></default>"
      "<worldbody><geom/><geom class='a'/></worldbody>");
  EXPECT_EQ(spec.worldbody.geoms[0].contype, 5);
  EXPECT_EQ(spec.worldbody.geoms[1].contype, 3);
  EXPECT_EQ(spec.worldbody.geoms[1].size[0], 7.0);
}

TEST(Classes, SectionsActWhateverTheirOrderInTheFile) {
  const Spec spec = load_sections(
      "<worldbody><geom euler='1 0 0'/></worldbody><default><geom size='7'/></default>"
      "<compiler angle='radian'/>");
  EXPECT_EQ(spec.worldbody.geoms[0].size[0], 7.0);
  EXPECT_NEAR(spec.worldbody.geoms[0].quat[1], std::sin(0.5), 1e-15);  // one rounding
}

TEST(Classes, TheElementsClassBeatsChildclassAndChildclassReachesTheSubtree) {
  const Spec spec = load_sections(
      "<default><geom group='0'/><default class='a'><geom group='1'/></default>"
      "<default class='b'><geom group='2'/></default></default>"
      "<worldbody><geom/><body childclass='a'><geom/><geom class='b'/>"
      "<frame childclass='b'><geom/><body><geom/></body></frame>"
      "<body><geom/><geom class='main'/></body></body></worldbody>");
  const Body& body = spec.worldbody.bodies[0];
  EXPECT_EQ(spec.worldbody.geoms[0].group, 0);
  EXPECT_EQ(body.geoms[0].group, 1);
  EXPECT_EQ(body.geoms[1].group, 2);
  EXPECT_EQ(body.geoms[2].group, 2);
  EXPECT_EQ(body.bodies[0].geoms[0].group, 2);
  EXPECT_EQ(body.bodies[1].geoms[0].group, 1);
  EXPECT_EQ(body.bodies[1].geoms[1].group, 0);
}

TEST(Classes, ShortVectorsKeepTheTailOfTheClass) {
  const Spec spec = load_sections(
      "<default><geom friction='5 6 7'/><joint stiffness='1 2 3'/></default>"
      "<worldbody><geom friction='1'/><body><joint stiffness='9'/></body></worldbody>");
  EXPECT_EQ(spec.worldbody.geoms[0].friction, (Vec3{1.0, 6.0, 7.0}));
  EXPECT_EQ(spec.worldbody.bodies[0].joints[0].stiffness, (Polynomial{9.0, 2.0, 3.0}));
}

TEST(Classes, AFreejointIgnoresThemAndAFreeTypeDoesNot) {
  const Spec spec = load_sections(
      "<default><joint damping='3' armature='2' limited='true' range='0 1'/></default>"
      "<worldbody><body><freejoint/></body><body><joint type='free'/></body></worldbody>");
  const Joint& bare = spec.worldbody.bodies[0].joints[0];
  const Joint& full = spec.worldbody.bodies[1].joints[0];
  EXPECT_EQ(bare.type, JointType::free);
  EXPECT_EQ(bare.damping[0], 0.0);
  EXPECT_EQ(bare.armature, 0.0);
  EXPECT_EQ(full.damping[0], 3.0);
  EXPECT_EQ(full.armature, 2.0);
  EXPECT_EQ(full.limited, Tristate::no);
}

TEST(Classes, AnElementsOrientationBeatsEveryKindInTheClass) {
  const Spec spec = load_sections(
      "<default><geom euler='90 0 0'/></default>"
      "<worldbody><geom/><geom quat='0 1 0 0'/><geom zaxis='0 0 1'/></worldbody>");
  EXPECT_NEAR(spec.worldbody.geoms[0].quat[0], std::sqrt(0.5), 1e-15);  // one rounding
  EXPECT_EQ(spec.worldbody.geoms[1].quat, (Quat{0.0, 1.0, 0.0, 0.0}));
  EXPECT_EQ(spec.worldbody.geoms[2].quat, identity_quat);
}

TEST(Classes, PairsAndTendonsTakeTheirOwnRecords) {
  const Spec spec = load_sections(
      "<default><geom friction='3'/><pair friction='2 4' condim='6'/>"
      "<tendon springlength='1 2' stiffness='5'/></default>"
      "<worldbody><geom name='a'/><body name='b'><joint name='j'/><geom "
      "name='g'/></body></worldbody>"
      "<contact><pair geom1='a' geom2='g'/></contact>"
      "<tendon><fixed springlength='0.5'><joint joint='j' coef='2'/></fixed></tendon>");
  EXPECT_EQ(spec.pairs[0].friction, (std::array<double, 5>{2.0, 4.0, 0.005, 0.0001, 0.0001}));
  EXPECT_EQ(spec.pairs[0].condim, 6);
  EXPECT_EQ(spec.tendons[0].springlength, (Vec2{0.5, 0.5}));
  EXPECT_EQ(spec.tendons[0].stiffness[0], 5.0);
}

TEST(Classes, MistakesAreNamed) {
  EXPECT_NE(error_of_sections("<default class='foo'/>").problem().find("'main'"),
            std::string::npos);
  error_of_sections("<default><default/></default>");
  error_of_sections("<default><default class='a'/><default class='a'/></default>");
  error_of_sections("<default><geom/><geom/></default>");
  const Error unknown = error_of_sections(
      "<default><default class='leg'/></default><worldbody><geom class='lge'/></worldbody>");
  EXPECT_NE(unknown.problem().find("'lge'"), std::string::npos);
  EXPECT_NE(unknown.remedy().find("'leg'"), std::string::npos);
  error_of_sections("<worldbody><body childclass='nope'/></worldbody>");
}

}  // namespace
}  // namespace swept::test
