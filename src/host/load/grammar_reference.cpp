// SPDX-License-Identifier: Apache-2.0
// Grammar: what refers to the tree without being in it: contact pairs and excludes, fixed tendons,
// actuators, and the defaults of these.
#include "host/load/grammar.h"
#include "host/load/setters.h"

namespace swept::load_detail {
namespace {

constexpr std::string_view auto_truth = "false|true|auto";

constexpr Row pair_rows[] = {
    {"condim", "i1", put<Pair, &Pair::condim>},
    {"friction", "r<5", put<Pair, &Pair::friction>},
    {"solref", "r<2", put<Pair, &Pair::solref>},
    {"solreffriction", "r<2", put<Pair, &Pair::solreffriction>},
    {"solimp", "r<5", put<Pair, &Pair::solimp>},
    {"margin", "r1", put<Pair, &Pair::margin>},
    {"gap", "r1", put<Pair, &Pair::gap>},
    {"adhesion", "r1", nullptr, "0"},
};

constexpr Row pair_name_rows[] = {
    {"name", "s", put<Pair, &Pair::name>},
    {"class", "s"},
    {"geom1", "s!", put<Pair, &Pair::geom1>},
    {"geom2", "s!", put<Pair, &Pair::geom2>},
};

constexpr Row exclude_rows[] = {
    {"name", "s", put<Exclude, &Exclude::name>},
    {"body1", "s!", put<Exclude, &Exclude::body1>},
    {"body2", "s!", put<Exclude, &Exclude::body2>},
};

/// One number stands for both ends.
void put_springlength(void* target, const Value& value) {
  Vec2& springlength = static_cast<Tendon*>(target)->springlength;
  springlength = {value.numbers.front(), value.numbers.back()};
}

constexpr Row tendon_rows[] = {
    {"group", "i1", put<Tendon, &Tendon::group>},
    {"limited", auto_truth, put<Tendon, &Tendon::limited>},
    {"actuatorfrclimited", auto_truth, put<Tendon, &Tendon::actuatorfrclimited>},
    {"range", "r2", put<Tendon, &Tendon::range>},
    {"actuatorfrcrange", "r2", put<Tendon, &Tendon::actuatorfrcrange>},
    {"solreflimit", "r<2", put<Tendon, &Tendon::solreflimit>},
    {"solimplimit", "r<5", put<Tendon, &Tendon::solimplimit>},
    {"solreffriction", "r<2", put<Tendon, &Tendon::solreffriction>},
    {"solimpfriction", "r<5", put<Tendon, &Tendon::solimpfriction>},
    {"frictionloss", "r1", put<Tendon, &Tendon::frictionloss>},
    {"springlength", "r<2", put_springlength},
    {"springyield", "r1", nullptr, "0"},
    {"margin", "r1", put<Tendon, &Tendon::margin>},
    {"stiffness", "r<3", put<Tendon, &Tendon::stiffness>},
    {"damping", "r<3", put<Tendon, &Tendon::damping>},
    {"armature", "r1", put<Tendon, &Tendon::armature>},
    {"user", "r*", put<Tendon, &Tendon::user>},
};

constexpr Row tendon_name_rows[] = {
    {"name", "s", put<Tendon, &Tendon::name>},
    {"class", "s"},
};

constexpr Row tendon_joint_rows[] = {
    {"joint", "s!", put<TendonJoint, &TendonJoint::joint>},
    {"coef", "r1!", put<TendonJoint, &TendonJoint::coef>},
};

/// Mechanical attributes: every actuator and every actuator default has them.
constexpr Row common_rows[] = {
    {"group", "i1", put<ActuatorDraft, &ActuatorDraft::group>},
    {"nsample", "i1", nullptr, "0"},
    {"interp", "zoh|linear|cubic"},
    {"delay", "r1", nullptr, "0"},
    {"forcelimited", auto_truth, put<ActuatorDraft, &ActuatorDraft::forcelimited>},
    {"ctrlrange", "r2", put<ActuatorDraft, &ActuatorDraft::given_ctrlrange>},
    {"forcerange", "r2", put<ActuatorDraft, &ActuatorDraft::forcerange>},
    {"gear", "r<6", put<ActuatorDraft, &ActuatorDraft::gear>},
    {"damping", "r<3", put<ActuatorDraft, &ActuatorDraft::damping>},
    {"armature", "r1", put<ActuatorDraft, &ActuatorDraft::armature>},
    {"cranklength", "r1", put<ActuatorDraft, &ActuatorDraft::cranklength>},
    {"user", "r*", put<ActuatorDraft, &ActuatorDraft::user>},
};

constexpr Row ctrllimited_row[] = {
    {"ctrllimited", auto_truth, put<ActuatorDraft, &ActuatorDraft::ctrllimited>},
};

/// Names and transmissions: not in defaults.
constexpr Row target_rows[] = {
    {"name", "s", put<ActuatorDraft, &ActuatorDraft::name>},
    {"class", "s"},
    {"lengthrange", "r2", put<ActuatorDraft, &ActuatorDraft::lengthrange>},
    {"joint", "s", put<ActuatorDraft, &ActuatorDraft::joint>},
    {"tendon", "s", put<ActuatorDraft, &ActuatorDraft::tendon>},
    {"jointinparent", "s", put<ActuatorDraft, &ActuatorDraft::jointinparent>},
    {"site", "s", put<ActuatorDraft, &ActuatorDraft::site>},
    {"refsite", "s", put<ActuatorDraft, &ActuatorDraft::refsite>},
    {"cranksite", "s", nullptr, "-"},
    {"slidersite", "s", nullptr, "-"},
};

constexpr Row activation_rows[] = {
    {"actlimited", auto_truth, put<ActuatorDraft, &ActuatorDraft::actlimited>},
    {"actrange", "r2", put<ActuatorDraft, &ActuatorDraft::given_actrange>},
};

constexpr Row inheritrange_row[] = {
    {"inheritrange", "r1", put<ActuatorDraft, &ActuatorDraft::given_inheritrange>},
};

constexpr Row body_row[] = {{"body", "s", nullptr, "-"}};

constexpr Row general_rows[] = {
    {"dyntype", "none|integrator|filter|filterexact|muscle|dcmotor|pid|user",
     put<ActuatorDraft, &ActuatorDraft::dyntype>, "none|integrator|filter|filterexact"},
    {"gaintype", "fixed|affine|muscle|dcmotor|so3|pid|user",
     put<ActuatorDraft, &ActuatorDraft::gaintype>, "fixed|affine"},
    {"biastype", "none|affine|muscle|dcmotor|so3|user",
     put<ActuatorDraft, &ActuatorDraft::biastype>, "none|affine"},
    {"dynprm", "r<10", put<ActuatorDraft, &ActuatorDraft::dynprm>},
    {"gainprm", "r<10", put<ActuatorDraft, &ActuatorDraft::gainprm>},
    {"biasprm", "r<10", put<ActuatorDraft, &ActuatorDraft::biasprm>},
    {"actdim", "i1", put<ActuatorDraft, &ActuatorDraft::actdim>, "-1|0|1"},
    {"actearly", "false|true", put<ActuatorDraft, &ActuatorDraft::actearly>},
    {"input", "s", nullptr, "-"},
    {"velrange", "r2", nullptr, "0"},
    {"ffrange", "r2", nullptr, "0"},
};

template <auto member>
void put_parameter(void* target, const Value& value) {
  assign(&(static_cast<ActuatorDraft*>(target)->given.*member), value);
}

constexpr Row position_rows[] = {
    {"kp", "r1", put_parameter<&ActuatorParameters::kp>},
    {"kv", "r1", put_parameter<&ActuatorParameters::kv>},
    {"dampratio", "r1", put_parameter<&ActuatorParameters::dampratio>},
};

constexpr Row timeconst_row[] = {
    {"timeconst", "r1", put_parameter<&ActuatorParameters::timeconst>}};

constexpr Row kv_row[] = {{"kv", "r1", put_parameter<&ActuatorParameters::kv>}};

constexpr Row cylinder_rows[] = {
    {"timeconst", "r1", put_parameter<&ActuatorParameters::timeconst>},
    {"area", "r1", put_parameter<&ActuatorParameters::area>},
    {"diameter", "r1", put_parameter<&ActuatorParameters::diameter>},
    {"bias", "r3", put_parameter<&ActuatorParameters::bias>},
};

using Groups = std::initializer_list<std::span<const Row>>;

/// Adds the element and its default record.
void add_pair(Grammar* grammar, std::string_view id, std::string_view default_id, Groups element,
              Groups record) {
  grammar->add(id, Support::yes, "", element);
  grammar->add(default_id, Support::yes, "", record);
  for (const std::string_view each : {id, default_id}) {
    if (grammar->rule(each).attribute("dampratio") != nullptr) {
      grammar->exclusive(each, "kv dampratio");
    }
  }
}

}  // namespace

void add_reference_rules(Grammar* grammar) {
  grammar->add("contact", Support::yes, "pair exclude", {});
  grammar->add("pair", Support::yes, "", {pair_name_rows, pair_rows});
  grammar->add("exclude", Support::yes, "", {exclude_rows});
  grammar->add("tendon", Support::yes, "spatial fixed", {});
  grammar->add("fixed", Support::yes, "joint=fixed/joint", {tendon_name_rows, tendon_rows});
  grammar->add("fixed/joint", Support::yes, "", {tendon_joint_rows});
  grammar->add("default/pair", Support::yes, "", {pair_rows});
  // width, material and colour are those of spatial tendons
  grammar->add("default/tendon", Support::yes, "", {tendon_rows}, "width:r1 material:s rgba:r4");
}

void add_actuator_rules(Grammar* grammar) {
  grammar->add("actuator", Support::yes,
               "general motor position velocity intvelocity orientation pid damper cylinder muscle "
               "adhesion dcmotor plugin=actuator/plugin",
               {});
  add_pair(grammar, "general", "default/general",
           {target_rows, body_row, common_rows, ctrllimited_row, activation_rows, general_rows,
            inheritrange_row},
           {common_rows, ctrllimited_row, activation_rows, general_rows, inheritrange_row});
  add_pair(grammar, "motor", "default/motor", {target_rows, common_rows, ctrllimited_row},
           {common_rows, ctrllimited_row});
  add_pair(
      grammar, "position", "default/position",
      {target_rows, common_rows, ctrllimited_row, position_rows, timeconst_row, inheritrange_row},
      {common_rows, ctrllimited_row, position_rows, timeconst_row, inheritrange_row});
  add_pair(grammar, "velocity", "default/velocity",
           {target_rows, common_rows, ctrllimited_row, kv_row},
           {common_rows, ctrllimited_row, kv_row});
  add_pair(
      grammar, "intvelocity", "default/intvelocity",
      {target_rows, common_rows, ctrllimited_row, activation_rows, position_rows, inheritrange_row},
      {common_rows, ctrllimited_row, activation_rows, position_rows, inheritrange_row});
  add_pair(grammar, "damper", "default/damper", {target_rows, common_rows, kv_row},
           {common_rows, kv_row});
  add_pair(grammar, "cylinder", "default/cylinder",
           {target_rows, common_rows, ctrllimited_row, cylinder_rows},
           {common_rows, ctrllimited_row, cylinder_rows});
}

}  // namespace swept::load_detail
