// SPDX-License-Identifier: Apache-2.0
// Actuator shortcuts in general form, and which record of a default class they start from.
#include "host/load/load_support.h"

#include <numbers>

namespace swept::test {
namespace {

/// The single actuator of a scene with a hinge 'j'.
Actuator actuator(const std::string& element, const std::string& defaults = {}) {
  return load_sections("<default>" + defaults +
                       "</default><worldbody><body><joint name='j'/></body></worldbody><actuator>" +
                       element + "</actuator>")
      .actuators.at(0);
}

void expect_prm(const std::array<double, 10>& prm, double a, double b, double c) {
  EXPECT_EQ(prm[0], a);
  EXPECT_EQ(prm[1], b);
  EXPECT_EQ(prm[2], c);
}

TEST(ActuatorShortcut, EachHasItsGeneralForm) {
  const Actuator motor = actuator("<motor joint='j'/>");
  EXPECT_EQ(motor.gaintype, GainType::fixed);
  EXPECT_EQ(motor.biastype, BiasType::none);
  EXPECT_EQ(motor.ctrlspec, 0);
  expect_prm(motor.gainprm, 1.0, 0.0, 0.0);

  const Actuator position = actuator("<position joint='j' kp='4' kv='3' timeconst='0.5'/>");
  EXPECT_EQ(position.biastype, BiasType::affine);
  EXPECT_EQ(position.dyntype, DynType::filterexact);
  EXPECT_EQ(position.ctrlspec, control_position);
  EXPECT_EQ(position.dynprm[0], 0.5);
  expect_prm(position.gainprm, 4.0, 0.0, 0.0);
  expect_prm(position.biasprm, 0.0, -4.0, -3.0);

  const Actuator velocity = actuator("<velocity joint='j' kv='3'/>");
  expect_prm(velocity.gainprm, 3.0, 0.0, 0.0);
  expect_prm(velocity.biasprm, 0.0, 0.0, -3.0);

  const Actuator integrating = actuator("<intvelocity joint='j' kp='2' actrange='-1 1'/>");
  EXPECT_EQ(integrating.dyntype, DynType::integrator);
  expect_prm(integrating.biasprm, 0.0, -2.0, 0.0);

  const Actuator damper = actuator("<damper joint='j' kv='3' ctrlrange='0 1'/>");
  EXPECT_EQ(damper.gaintype, GainType::affine);
  EXPECT_EQ(damper.ctrllimited, Tristate::yes);
  expect_prm(damper.gainprm, 0.0, 0.0, -3.0);

  const Actuator cylinder = actuator("<cylinder joint='j' diameter='2' bias='1 2 3'/>");
  EXPECT_EQ(cylinder.dyntype, DynType::filter);
  EXPECT_DOUBLE_EQ(cylinder.gainprm[0], std::numbers::pi);
  expect_prm(cylinder.biasprm, 1.0, 2.0, 3.0);
}

TEST(ActuatorShortcut, ADampingRatioIsAPositiveBias) {
  EXPECT_EQ(actuator("<position joint='j' kp='4' dampratio='0.7'/>").biasprm[2], 0.7);
  EXPECT_EQ(actuator("<position joint='j' kv='0'/>", "<position dampratio='3'/>").biasprm[2], 0.0);
}

TEST(ActuatorShortcut, MechanicsComeFromAnyRecordAndParametersFromItsOwnKind) {
  const Actuator motor =
      actuator("<motor joint='j'/>", "<position kp='7' gear='3' ctrlrange='-2 2'/>");
  expect_prm(motor.gainprm, 1.0, 0.0, 0.0);
  EXPECT_EQ(motor.biastype, BiasType::none);
  EXPECT_EQ(motor.gear[0], 3.0);
  EXPECT_EQ(motor.ctrlrange[1], 2.0);

  EXPECT_EQ(actuator("<position joint='j'/>", "<general gainprm='400'/>").gainprm[0], 400.0);
  EXPECT_EQ(
      actuator("<position joint='j'/>", "<general gainprm='400' gaintype='affine'/>").gainprm[0],
      1.0);
}

TEST(ActuatorShortcut, AncestorsAreSearchedForARecordOfItsKind) {
  const std::string nested =
      "<position kp='7' kv='2'/><default class='a'><velocity kv='3' gear='5'/></default>";
  const Actuator position = actuator("<position class='a' joint='j'/>", nested);
  expect_prm(position.biasprm, 0.0, -7.0, -2.0);
  EXPECT_EQ(position.gear[0], 5.0);
  EXPECT_EQ(actuator("<velocity class='a' joint='j'/>", nested).gainprm[0], 3.0);
  EXPECT_EQ(actuator("<velocity joint='j'/>", nested).gainprm[0], 1.0);
}

TEST(ActuatorShortcut, GeneralTakesTheRawNumbersOfAnyRecord) {
  const Actuator general =
      actuator("<general joint='j'/>", "<position kp='3' kv='4' timeconst='2'/>");
  expect_prm(general.gainprm, 3.0, 0.0, 0.0);
  expect_prm(general.biasprm, 0.0, -3.0, -4.0);
  EXPECT_EQ(general.dyntype, DynType::filterexact);
  EXPECT_EQ(general.ctrlspec, control_position);
  EXPECT_EQ(actuator("<general joint='j' gaintype='affine'/>", "<position/>").ctrlspec, 0);
}

TEST(ActuatorShortcut, ARangeAndAnInheritedRangeBeatEachOther) {
  EXPECT_EQ(actuator("<position joint='j' ctrlrange='0 1'/>", "<position inheritrange='1'/>")
                .inheritrange,
            0.0);
  EXPECT_EQ(actuator("<position joint='j' inheritrange='1'/>", "<position ctrlrange='0 1'/>")
                .inheritrange,
            1.0);
  EXPECT_EQ(actuator("<motor joint='j'/>", "<position inheritrange='1'/>").inheritrange, 0.0);
}

TEST(ActuatorTarget, IsAJointATendonOrASite) {
  const Spec spec = load_sections(
      "<worldbody><body><joint name='j'/><site name='s'/><site name='r'/></body></worldbody>"
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><motor joint='j'/><motor jointinparent='j'/><motor tendon='t'/><motor site='s'/>"
      "<position site='s' refsite='r'/></actuator>");
  const std::tuple<TransmissionType, const char*, const char*> expected[] = {
      {TransmissionType::joint, "j", ""},  {TransmissionType::jointinparent, "j", ""},
      {TransmissionType::tendon, "t", ""}, {TransmissionType::site, "s", ""},
      {TransmissionType::site, "s", "r"},
  };
  ASSERT_EQ(spec.actuators.size(), std::size(expected));
  for (std::size_t i = 0; i < spec.actuators.size(); ++i) {
    const Actuator& a = spec.actuators[i];
    EXPECT_EQ(std::tuple(a.trntype, a.target, a.refsite),
              std::tuple(std::get<0>(expected[i]), std::string(std::get<1>(expected[i])),
                         std::string(std::get<2>(expected[i]))))
        << i;
  }
}

TEST(ActuatorTarget, SitesFollowTheCopiesOfTheirBody) {
  const Spec spec = load_sections(
      "<worldbody><site name='w'/><replicate count='2' sep='_'><body><site name='s'/>"
      "<site name='r'/></body></replicate></worldbody>"
      "<actuator><motor name='A' site='s' refsite='r'/><motor name='B' site='s'/>"
      "<motor name='C' site='w' refsite='s'/></actuator>");
  ASSERT_EQ(spec.actuators.size(), 6U);
  const char* const expected[] = {"A_0s_0r_0", "B_0s_0", "C_0ws_0",
                                  "A_1s_1r_1", "B_1s_1", "C_1ws_1"};
  for (std::size_t i = 0; i < 6; ++i) {
    const Actuator& a = spec.actuators[i];
    EXPECT_EQ(a.name + a.target + a.refsite, expected[i]);
  }
}

TEST(ActuatorShortcut, ContradictionsAreRefused) {
  const std::string world = "<worldbody><body><joint name='j'/><site name='s'/></body></worldbody>";
  for (const char* const element : {
           "<position joint='j' kv='1' dampratio='1'/>",
           "<position joint='j' kv='-1'/>",
           "<position joint='j' dampratio='-1'/>",
           "<position joint='j' timeconst='-1'/>",
           "<position joint='j' ctrlrange='0 1' inheritrange='1'/>",
           "<intvelocity joint='j' actrange='0 1' inheritrange='1'/>",
           "<damper joint='j'/>",
           "<damper joint='j' ctrlrange='-1 1'/>",
           "<motor joint='j' ctrllimited='true'/>",
           "<motor joint='j' forcelimited='true' forcerange='1 0'/>",
           "<general joint='j' actrange='0 1'/>",
           "<general joint='j' actdim='1'/>",
           "<motor/>",
           "<motor joint='j' jointinparent='j'/>",
           "<motor joint='j' refsite='s'/>",
           "<motor site='j'/>",
           "<motor site='s' refsite='j'/>",
           "<motor jointinparent='s'/>",
       }) {
    error_of_sections(world + "<actuator>" + element + "</actuator>");
  }
}

}  // namespace
}  // namespace swept::test
