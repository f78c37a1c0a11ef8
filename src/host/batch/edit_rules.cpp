// SPDX-License-Identifier: Apache-2.0
// The table of rules, and the tests of numbers.
#include "host/batch/edit_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <swept/error.h>

#include "host/compile/frames.h"
#include "host/compile/setconst/set_constants.h"

namespace swept {

namespace {

/// Constants and what they are computed from.
struct Derived {
  std::string_view name, sources;
};
constexpr std::string_view of_inertia =
    "body_mass, body_inertia, body_ipos, body_iquat, the armatures and the pose at qpos0";
constexpr Derived derived_fields[] = {
    {"body_subtreemass", "body_mass"},
    {"body_invweight0", of_inertia},
    {"body_margin", "geom_margin and geom_gap"},
    {"dof_invweight0", of_inertia},
    {"dof_M0", of_inertia},
    {"dof_length", "geom_size and the pose at qpos0"},
    {"geom_aabb", "geom_size"},
    {"geom_rbound", "geom_size"},
    {"tendon_length0", "qpos0 and wrap_prm"},
    {"tendon_invweight0", of_inertia},
    {"actuator_acc0", of_inertia},
    {"actuator_length0", "qpos0, wrap_prm and actuator_gear"},
};

/// Fields that only compiling a scene gives, and what else follows from them there.
constexpr std::string_view of_mesh =
    "hulls, polygons, trees of faces, masses and places of its geoms follow from a mesh's vertices";
constexpr Derived fixed_fields[] = {
    {"mesh_vert", of_mesh},
    {"mesh_polynormal", of_mesh},
    {"mesh_hullvert", of_mesh},
    {"mesh_scale", of_mesh},
    {"mesh_pos", of_mesh},
    {"mesh_quat", of_mesh},
    {"meshbvh_aabb", of_mesh},
    {"hfield_size", "sizes and masses of its geoms follow from a height field's size"},
};

/// Fields from which no constant follows. Every other one counts as a source.
constexpr std::string_view plain_fields[] = {
    "body_gravcomp",
    "jnt_solref",
    "jnt_solimp",
    "jnt_stiffness",
    "jnt_stiffnesspoly",
    "jnt_range",
    "jnt_actfrcrange",
    "jnt_margin",
    "qpos_spring",
    "dof_solref",
    "dof_solimp",
    "dof_frictionloss",
    "dof_damping",
    "dof_dampingpoly",
    "geom_solmix",
    "geom_solref",
    "geom_solimp",
    "geom_friction",
    "site_size",
    "cam_pos",
    "cam_quat",
    "cam_fovy",
    "light_pos",
    "light_dir",
    "geom_surfacevel",
    "hfield_data",
    "pair_solref",
    "pair_solreffriction",
    "pair_solimp",
    "pair_margin",
    "pair_gap",
    "pair_friction",
    "tendon_solref_lim",
    "tendon_solimp_lim",
    "tendon_solref_fri",
    "tendon_solimp_fri",
    "tendon_range",
    "tendon_actfrcrange",
    "tendon_margin",
    "tendon_stiffness",
    "tendon_stiffnesspoly",
    "tendon_damping",
    "tendon_dampingpoly",
    "tendon_frictionloss",
    "tendon_lengthspring",
    "actuator_dynprm",
    "actuator_gainprm",
    "actuator_biasprm",
    "actuator_ctrlrange",
    "actuator_forcerange",
    "actuator_actrange",
    "actuator_cranklength",
    "actuator_lengthrange",
    "key_time",
    "key_qpos",
    "key_qvel",
    "key_act",
    "key_ctrl",
    "key_mpos",
    "key_mquat",
    "numeric_data",
    "opt_timestep",
    "opt_gravity",
    "opt_wind",
    "opt_density",
    "opt_viscosity",
    "opt_impratio",
};

EditRule rule_of(std::string_view name, std::vector<double> Model::*values) {
  for (const Derived& derived : derived_fields) {
    if (derived.name == name) {
      return {name, values, EditKind::derived, derived.sources};
    }
  }
  for (const Derived& fixed : fixed_fields) {
    if (fixed.name == name) {
      return {name, values, EditKind::fixed, fixed.sources};
    }
  }
  const bool plain =
      std::find(std::begin(plain_fields), std::end(plain_fields), name) != std::end(plain_fields);
  return {name, values, plain ? EditKind::plain : EditKind::source, {}};
}

/// Visit four or three numbers per row.
constexpr std::pair<std::string_view, std::vector<double> Model::*> quaternions[] = {
    {"body_quat", &Model::body_quat}, {"body_iquat", &Model::body_iquat},
    {"geom_quat", &Model::geom_quat}, {"site_quat", &Model::site_quat},
    {"cam_quat", &Model::cam_quat},
};
constexpr std::pair<std::string_view, std::vector<double> Model::*> not_negative[] = {
    {"body_mass", &Model::body_mass},
    {"body_inertia", &Model::body_inertia},
    {"dof_armature", &Model::dof_armature},
    {"tendon_armature", &Model::tendon_armature},
    {"actuator_armature", &Model::actuator_armature},
    {"opt_density", &Model::opt_density},
    {"opt_viscosity", &Model::opt_viscosity},
};
constexpr std::pair<std::string_view, std::vector<double> Model::*> positive[] = {
    {"opt_timestep", &Model::opt_timestep},
    {"opt_impratio", &Model::opt_impratio},
};

bool has_axis(const Model& m, int j) {
  const int type = m.jnt_type[static_cast<std::size_t>(j)];
  return type == joint_slide || type == joint_hinge;
}

std::string say(std::string_view name, std::size_t i, double value, std::string_view what) {
  return fmt::format("{}[{}] is {}, {}", name, i, value, what);
}

std::string find_not_finite(const Model& model, Precision precision) {
  const double largest = precision == Precision::f32 ? 3.4028234e38 : 1.7976931348623157e308;
  for (const EditRule& rule : edit_rules()) {
    if (rule.kind == EditKind::fixed) {
      continue;
    }
    const std::vector<double>& values = model.*rule.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!(std::abs(values[i]) <= largest)) {
        const bool computed = rule.kind == EditKind::derived;
        return say(rule.name, i, values[i],
                   computed ? fmt::format("computed from {}", rule.sources)
                            : std::string("it must be finite"));
      }
    }
  }
  return {};
}

std::string find_no_direction(const Model& m) {
  using namespace compiler;
  for (const auto& [name, values] : quaternions) {
    for (std::size_t i = 0; i + 4 <= (m.*values).size(); i += 4) {
      double sum = 0;
      for (std::size_t k = i; k < i + 4; ++k) {
        sum += (m.*values)[k] * (m.*values)[k];
      }
      if (!(sum > 1e-30)) {
        return fmt::format("row {} of {} is 0, a quaternion must have a length", i / 4, name);
      }
    }
  }
  for (int j = 0; j < m.njnt; ++j) {
    if (has_axis(m, j) && !(norm(get_row<3>(m.jnt_axis, j)) > 1e-7)) {
      return fmt::format("row {} of jnt_axis is 0, an axis must have a direction", j);
    }
  }
  return {};
}

}  // namespace

const std::vector<EditRule>& edit_rules() {
  static const std::vector<EditRule> rules = {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) rule_of(#name, &Model::name),
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  };
  return rules;
}

const EditRule* find_rule(std::string_view name) {
  const std::vector<EditRule>& rules = edit_rules();
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const EditRule& rule) { return rule.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

const EditRule& writable_rule(std::string_view name) {
  const EditRule* rule = find_rule(name);
  if (rule == nullptr) {
    throw Error(fmt::format("'{}' is no field of real numbers of the model", name),
                "model.def lists them");
  }
  if (rule->kind == EditKind::derived) {
    throw Error(
        fmt::format("field '{}' cannot be written: it is computed from {}", name, rule->sources),
        "write those; it follows before the next step");
  }
  if (rule->kind == EditKind::fixed) {
    throw Error(fmt::format("field '{}' cannot be written: {}", name, rule->sources),
                "change the asset and compile the scene anew");
  }
  return *rule;
}

void normalize_directions(Model* model) {
  using namespace compiler;
  for (const auto& [name, values] : quaternions) {
    std::vector<double>& all = model->*values;
    for (int row = 0; row < static_cast<int>(all.size() / 4); ++row) {
      set_row(all, row, normalized(get_row<4>(all, row)));
    }
  }
  for (int j = 0; j < model->njnt; ++j) {
    const Vec3 axis = get_row<3>(model->jnt_axis, j);
    const double length = norm(axis);
    if (has_axis(*model, j) && std::abs(length - 1) > 1e-14) {
      set_row(model->jnt_axis, j, axis * (1 / length));
    }
  }
}

std::string find_problem(const Model& model, Precision precision) {
  if (std::string problem = find_not_finite(model, precision); !problem.empty()) {
    return problem;
  }
  for (const auto& [name, values] : not_negative) {
    for (std::size_t i = 0; i < (model.*values).size(); ++i) {
      if ((model.*values)[i] < 0) {
        return say(name, i, (model.*values)[i], "it must not be negative");
      }
    }
  }
  for (const auto& [name, values] : positive) {
    if (!((model.*values)[0] > 0)) {
      return say(name, 0, (model.*values)[0], "it must be positive");
    }
  }
  for (std::size_t i = 0; i < model.hfield_data.size(); ++i) {
    if (model.hfield_data[i] < 0 || model.hfield_data[i] > 1) {
      return say("hfield_data", i, model.hfield_data[i],
                 "an elevation must be from 0 to 1; hfield_size scales it");
    }
  }
  for (int g = 0; g < model.ngeom; ++g) {
    if (!compiler::has_valid_size(model, g)) {
      return fmt::format("row {} of geom_size is not positive where the geom's type has a size", g);
    }
  }
  return find_no_direction(model);
}

}  // namespace swept
