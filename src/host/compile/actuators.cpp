// SPDX-License-Identifier: Apache-2.0
// Actuators: targets, limits, activations.
#include "host/compile/passes.h"

#include "host/compile/limits.h"

namespace swept::compiler {
namespace {

/// The joint, tendon or site that an actuator acts on.
int actuator_target(const Scene& scene, const Actuator& actuator) {
  switch (actuator.trntype) {
    case TransmissionType::joint:
    case TransmissionType::jointinparent:
      return scene.resolve(scene.joint_ids, "joint", actuator.target, "actuator", actuator);
    case TransmissionType::tendon:
      return scene.resolve(scene.tendon_ids, "tendon", actuator.target, "actuator", actuator);
    case TransmissionType::site:
      return scene.resolve(scene.site_ids, "site", actuator.target, "actuator", actuator);
    default:
      throw scene.error("actuator", actuator, "this transmission is not supported",
                        "act on a joint, a fixed tendon or a site");
  }
}

/// The site that the length is measured from, -1: none.
int actuator_reference(const Scene& scene, const Actuator& actuator) {
  if (actuator.refsite.empty()) {
    return -1;
  }
  if (actuator.trntype != TransmissionType::site) {
    throw scene.error("actuator", actuator, "it has a refsite and acts on no site",
                      "remove refsite, or act on a site");
  }
  return scene.resolve(scene.site_ids, "site", actuator.refsite, "actuator", actuator);
}

/// Damping and armature act along one coordinate, which a site has not.
void check_lending(const Scene& scene, const Actuator& actuator) {
  const Polynomial none{};
  if (actuator.trntype == TransmissionType::site &&
      (actuator.damping != none || actuator.armature != 0.0)) {
    throw scene.error("actuator", actuator, "it acts on a site and has damping or armature",
                      "give these to a joint, or to an actuator on a joint or tendon");
  }
}

/// Number of activations.
int activation_count(const Scene& scene, const Actuator& actuator) {
  const bool stateful = actuator.dyntype != DynType::none;
  const int count = actuator.actdim >= 0 ? actuator.actdim : stateful;
  if (count > 1) {
    throw scene.error("actuator", actuator, "actdim is " + std::to_string(count),
                      "at most one activation is supported");
  }
  if (count == 0 && stateful) {
    throw scene.error("actuator", actuator, "actdim is 0 but dyntype is not none",
                      "leave actdim out");
  }
  if (count > 0 && !stateful) {
    throw scene.error("actuator", actuator,
                      "actdim is " + std::to_string(count) + " but dyntype is none",
                      "leave actdim out");
  }
  return count;
}

/// inheritrange: the target's range, scaled about its middle.
Vec2 inherited_range(const Scene& scene, const Actuator& actuator, int target, const Model& model) {
  const bool on_joint = actuator.trntype == TransmissionType::joint;
  const int type = on_joint ? model.jnt_type[at(target)] : joint_hinge;
  if ((!on_joint && actuator.trntype != TransmissionType::tendon) ||
      (type != joint_slide && type != joint_hinge)) {
    throw scene.error("actuator", actuator,
                      "inheritrange is used but '" + actuator.target +
                          "' is no slide, hinge or tendon that is acted on in its own frame",
                      "write the range out");
  }
  const Vec2 range = get_row<2>(on_joint ? model.jnt_range : model.tendon_range, target);
  if (range[0] == range[1]) {
    throw scene.error("actuator", actuator,
                      "inheritrange is used but '" + actuator.target + "' has no range",
                      "give the target a range, or write the range out");
  }
  const double middle = 0.5 * (range[0] + range[1]);
  const double radius = 0.5 * (range[1] - range[0]) * actuator.inheritrange;
  return {middle - radius, middle + radius};
}

/// Limits and ranges of one actuator.
void fill_ranges(const Scene& scene, const Actuator& actuator, int a, Model& model) {
  Vec2 ctrlrange = actuator.ctrlrange;
  Vec2 actrange = actuator.actrange;
  if (actuator.inheritrange > 0.0) {
    Vec2& range = actuator.dyntype == DynType::integrator ? actrange : ctrlrange;
    range = inherited_range(scene, actuator, model.actuator_trnid[2 * at(a)], model);
  }
  model.actuator_ctrllimited[at(a)] = resolve_limit(
      scene, actuator, actuator.ctrllimited, ctrlrange, {"actuator", "ctrllimited", "ctrlrange"});
  model.actuator_forcelimited[at(a)] =
      resolve_limit(scene, actuator, actuator.forcelimited, actuator.forcerange,
                    {"actuator", "forcelimited", "forcerange"});
  model.actuator_actlimited[at(a)] = resolve_limit(scene, actuator, actuator.actlimited, actrange,
                                                   {"actuator", "actlimited", "actrange"});
  if (model.actuator_actlimited[at(a)] != 0 && actuator.dyntype == DynType::none) {
    throw scene.error("actuator", actuator, "actrange is given but dyntype is none",
                      "leave actrange out, or choose a dyntype with an activation");
  }
  set_row(model.actuator_ctrlrange, a, ctrlrange);
  set_row(model.actuator_forcerange, a, actuator.forcerange);
  set_row(model.actuator_actrange, a, actrange);
}

}  // namespace

void fill_actuators(const Scene& scene, Model& model) {
  int act = 0;
  for (int a = 0; a < model.nu; ++a) {
    const Actuator& actuator = scene.spec.actuators[at(a)];
    model.actuator_trntype[at(a)] = static_cast<int>(actuator.trntype);
    model.actuator_dyntype[at(a)] = static_cast<int>(actuator.dyntype);
    model.actuator_gaintype[at(a)] = static_cast<int>(actuator.gaintype);
    model.actuator_biastype[at(a)] = static_cast<int>(actuator.biastype);
    set_row(
        model.actuator_trnid, a,
        std::array<int, 2>{actuator_target(scene, actuator), actuator_reference(scene, actuator)});
    check_lending(scene, actuator);

    const int activations = activation_count(scene, actuator);
    model.actuator_actnum[at(a)] = activations;
    model.actuator_actadr[at(a)] = activations > 0 ? act : -1;
    act += activations;

    fill_ranges(scene, actuator, a, model);
    model.actuator_group[at(a)] = actuator.group;
    model.actuator_actearly[at(a)] = actuator.actearly;
    set_row(model.actuator_dynprm, a, actuator.dynprm);
    set_row(model.actuator_gainprm, a, actuator.gainprm);
    set_row(model.actuator_biasprm, a, actuator.biasprm);
    set_row(model.actuator_gear, a, actuator.gear);
    model.actuator_damping[at(a)] = actuator.damping[0];
    set_row(model.actuator_dampingpoly, a, Vec2{actuator.damping[1], actuator.damping[2]});
    model.actuator_armature[at(a)] = actuator.armature;
    model.actuator_cranklength[at(a)] = actuator.cranklength;
    set_row(model.actuator_lengthrange, a, actuator.lengthrange);
  }
}

}  // namespace swept::compiler
