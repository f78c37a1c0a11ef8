// SPDX-License-Identifier: Apache-2.0
// Sizes that follow from counting, names, options and custom data.
#include "host/compile/passes.h"

#include <algorithm>
#include <cstdint>

namespace swept::compiler {
namespace {

/// Numbers of a mass matrix: half a gigabyte.
constexpr std::int64_t most_mass_entries = std::int64_t{1} << 26;

/// Positions and dofs of a joint type.
struct Widths {
  int nq;
  int nv;
};

Widths widths(JointType type) {
  switch (type) {
    case JointType::free:
      return {7, 6};
    case JointType::ball:
      return {4, 3};
    default:
      return {1, 1};
  }
}

/// The names of items in a list.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& item : list) {
    names.push_back(item.name);
  }
  return names;
}

/// The names of elements that belong to bodies.
template <class T>
std::vector<std::string> names_of(const std::vector<Entry<T>>& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const Entry<T>& entry : list) {
    names.push_back(entry.item->name);
  }
  return names;
}

int count(std::size_t n) {
  return static_cast<int>(n);
}

/// Sizes that joints decide: nq, nv, levels of dofs, entries of M.
void count_dofs(const Scene& scene, Model& model) {
  // dofs above and on each body
  std::vector<int> dofs(scene.bodies.size(), 0);
  for (const auto& entry : scene.joints) {
    const Widths w = widths(entry.item->type);
    model.nq += w.nq;
    model.nv += w.nv;
    dofs[at(entry.body)] += w.nv;
  }
  int deepest = 0;
  std::int64_t entries = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const int above = b == 0 ? 0 : dofs[at(scene.bodies[b].parent)];
    for (int k = 1; k <= dofs[b]; ++k) {
      entries += above + k;
    }
    if (entries > most_mass_entries) {
      throw scene.error("body", *scene.bodies[b].body,
                        "the mass matrix has more than " + std::to_string(most_mass_entries) +
                            " numbers up to this body, one for each pair of a dof and a dof that "
                            "carries it",
                        "use fewer joints, or shorter chains of them");
    }
    dofs[b] += above;
    deepest = std::max(deepest, dofs[b]);
  }
  model.nM = static_cast<int>(entries);
  model.ndoflevelp1 = deepest + 1;
}

}  // namespace

void fill_sizes(const Scene& scene, Model& model) {
  const Spec& spec = scene.spec;
  model.nbody = count(scene.bodies.size());
  model.njnt = count(scene.joints.size());
  model.ngeom = count(scene.geoms.size());
  model.nsite = count(scene.sites.size());
  model.ncam = count(scene.cameras.size());
  model.nlight = count(scene.lights.size());
  model.ntendon = count(spec.tendons.size());
  model.npair = count(spec.pairs.size());
  model.nexclude = count(spec.excludes.size());
  model.nu = count(spec.actuators.size());
  model.nkey = std::max(count(spec.keys.size()), spec.size.nkey);
  model.nnumeric = count(spec.numerics.size());
  for (const Tendon& tendon : spec.tendons) {
    model.nwrap += count(tendon.joints.size());
  }
  for (const Actuator& actuator : spec.actuators) {
    model.na += actuator.actdim >= 0 ? actuator.actdim : actuator.dyntype != DynType::none;
  }
  for (const Numeric& numeric : spec.numerics) {
    model.nnumericdata += std::max(numeric.size, count(numeric.data.size()));
  }
  count_assets(scene.assets, &model);
  count_dofs(scene, model);
  int deepest = 0;
  for (const BodyEntry& entry : scene.bodies) {
    deepest = std::max(deepest, entry.depth);
    model.nmocap += entry.body->mocap;
  }
  model.nlevelp1 = deepest + 2;
  model.nv4 = 4 * model.nv;
  model.na4 = 4 * model.na;
}

void fill_names(const Scene& scene, Model& model) {
  const Spec& spec = scene.spec;
  Names& names = model.names;
  names.model = spec.modelname;
  for (const BodyEntry& entry : scene.bodies) {
    names.body.push_back(entry.body->name);
  }
  names.body[0] = "world";
  names.joint = names_of(scene.joints);
  names.geom = names_of(scene.geoms);
  names.site = names_of(scene.sites);
  names.camera = names_of(scene.cameras);
  names.light = names_of(scene.lights);
  names.mesh = names_of(spec.meshes);
  names.hfield = names_of(spec.hfields);
  names.tendon = names_of(spec.tendons);
  names.actuator = names_of(spec.actuators);
  names.key = names_of(spec.keys);
  names.key.resize(at(model.nkey));
  names.numeric = names_of(spec.numerics);
  names.text = names_of(spec.texts);
  names.tuple = names_of(spec.tuples);
}

void fill_options(const Scene& scene, Model& model) {
  const OptionSettings& from = scene.spec.option;
  if (from.density < 0.0 || from.viscosity < 0.0) {
    throw Error("density and viscosity of the medium must not be negative",
                "0, the default, is no medium");
  }
  Option& to = model.opt;
  to.tolerance = from.tolerance;
  to.ls_tolerance = from.ls_tolerance;
  to.iterations = from.iterations;
  to.ls_iterations = from.ls_iterations;
  to.integrator = static_cast<int>(from.integrator);
  to.cone = static_cast<int>(from.cone);
  to.jacobian = static_cast<int>(from.jacobian);
  to.solver = static_cast<int>(from.solver);
  to.disableflags = from.disableflags;
  to.enableflags = from.enableflags;
  to.disableactuator = from.disableactuator;
  to.magnetic = from.magnetic;
  model.opt_timestep[0] = from.timestep;
  std::copy(from.gravity.begin(), from.gravity.end(), model.opt_gravity.begin());
  std::copy(from.wind.begin(), from.wind.end(), model.opt_wind.begin());
  model.opt_density[0] = from.density;
  model.opt_viscosity[0] = from.viscosity;
  model.opt_impratio[0] = from.impratio;

  // what is done in another way is said once
  if (from.solver != SolverType::cg) {
    const std::string asked = from.solver == SolverType::newton ? "Newton" : "PGS";
    model.notices.push_back("the scene asks for the " + asked +
                            " solver; swept reaches the same optimum of the same convex problem by "
                            "its own Newton methods");
  }
}

void fill_custom(const Scene& scene, Model& model) {
  int adr = 0;
  for (int i = 0; i < model.nnumeric; ++i) {
    const Numeric& numeric = scene.spec.numerics[at(i)];
    model.numeric_adr[at(i)] = adr;
    model.numeric_size[at(i)] = std::max(numeric.size, count(numeric.data.size()));
    std::copy(numeric.data.begin(), numeric.data.end(), model.numeric_data.begin() + adr);
    adr += model.numeric_size[at(i)];
  }
  for (const Text& text : scene.spec.texts) {
    model.text.push_back({text.name, text.data});
  }
}

}  // namespace swept::compiler
