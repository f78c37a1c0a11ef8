// SPDX-License-Identifier: Apache-2.0
// Fixed tendons.
#include "host/compile/passes.h"

#include "host/compile/limits.h"

#include <algorithm>

namespace swept::compiler {
namespace {

/// The joints of one tendon; `wrap` is the first free entry of the list of all.
void fill_wraps(const Scene& scene, const Tendon& tendon, int wrap, Model& model) {
  std::vector<int> seen;
  for (const TendonJoint& part : tendon.joints) {
    const int joint = scene.resolve(scene.joint_ids, "joint", part.joint, "tendon", tendon);
    const int type = model.jnt_type[at(joint)];
    if (type != joint_slide && type != joint_hinge) {
      throw scene.error("tendon", tendon, "joint '" + part.joint + "' is not a slide or a hinge",
                        "a fixed tendon needs joints with one coordinate");
    }
    if (std::find(seen.begin(), seen.end(), joint) != seen.end()) {
      throw scene.error("tendon", tendon, "joint '" + part.joint + "' appears twice",
                        "add its coefficients");
    }
    seen.push_back(joint);
    model.wrap_type[at(wrap)] = wrap_joint;
    model.wrap_objid[at(wrap)] = joint;
    model.wrap_prm[at(wrap)] = part.coef;
    ++wrap;
  }
}

/// Numbers that cannot be.
void check_tendon(const Scene& scene, const Tendon& tendon) {
  if (tendon.joints.empty()) {
    throw scene.error("tendon", tendon, "has no joints", "a fixed tendon needs at least one");
  }
  if (tendon.armature < 0.0) {
    throw scene.error("tendon", tendon, "armature must not be negative");
  }
  if (tendon.springlength[0] > tendon.springlength[1]) {
    throw scene.error("tendon", tendon, "springlength is descending",
                      "the first number must not be the larger one");
  }
}

}  // namespace

void fill_tendons(const Scene& scene, Model& model) {
  int wrap = 0;
  for (int t = 0; t < model.ntendon; ++t) {
    const Tendon& tendon = scene.spec.tendons[at(t)];
    check_tendon(scene, tendon);
    model.tendon_adr[at(t)] = wrap;
    model.tendon_num[at(t)] = static_cast<int>(tendon.joints.size());
    fill_wraps(scene, tendon, wrap, model);
    wrap += model.tendon_num[at(t)];

    model.tendon_group[at(t)] = tendon.group;
    model.tendon_limited[at(t)] =
        resolve_limit(scene, tendon, tendon.limited, tendon.range, {"tendon", "limited", "range"});
    model.tendon_actfrclimited[at(t)] =
        resolve_limit(scene, tendon, tendon.actuatorfrclimited, tendon.actuatorfrcrange,
                      {"tendon", "actuatorfrclimited", "actuatorfrcrange"});
    set_row(model.tendon_solref_lim, t, tendon.solreflimit);
    set_row(model.tendon_solimp_lim, t, tendon.solimplimit);
    set_row(model.tendon_solref_fri, t, tendon.solreffriction);
    set_row(model.tendon_solimp_fri, t, tendon.solimpfriction);
    set_row(model.tendon_range, t, tendon.range);
    set_row(model.tendon_actfrcrange, t, tendon.actuatorfrcrange);
    model.tendon_margin[at(t)] = tendon.margin;
    model.tendon_stiffness[at(t)] = tendon.stiffness[0];
    set_row(model.tendon_stiffnesspoly, t, Vec2{tendon.stiffness[1], tendon.stiffness[2]});
    model.tendon_damping[at(t)] = tendon.damping[0];
    set_row(model.tendon_dampingpoly, t, Vec2{tendon.damping[1], tendon.damping[2]});
    model.tendon_armature[at(t)] = tendon.armature;
    model.tendon_frictionloss[at(t)] = tendon.frictionloss;
    set_row(model.tendon_lengthspring, t, tendon.springlength);
  }
}

}  // namespace swept::compiler
