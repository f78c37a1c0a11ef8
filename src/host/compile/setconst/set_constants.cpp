// SPDX-License-Identifier: Apache-2.0
// The order in which a model's dependent arrays are filled; see the header.
#include "host/compile/setconst/set_constants.h"

#include "host/compile/passes.h"
#include "host/compile/setconst/constants.h"
#include "host/compile/setconst/virtual_mass.h"
#include "host/compile/shape.h"

namespace swept::compiler {
namespace {

void fill_subtree_masses(Model& m) {
  m.body_subtreemass = m.body_mass;
  for (int b = m.nbody - 1; b > 0; --b) {
    m.body_subtreemass[at(m.body_parentid[at(b)])] += m.body_subtreemass[at(b)];
  }
}

/// Which single actuator gives each joint and tendon damping or armature: -1 none, -2 several.
void fill_lenders(Model& m) {
  std::fill(m.jnt_actuatorid.begin(), m.jnt_actuatorid.end(), -1);
  std::fill(m.tendon_actuatorid.begin(), m.tendon_actuatorid.end(), -1);
  for (int a = 0; a < m.nu; ++a) {
    const Vec2 poly = get_row<2>(m.actuator_dampingpoly, a);
    if (m.actuator_damping[at(a)] == 0.0 && m.actuator_armature[at(a)] == 0.0 && poly[0] == 0.0 &&
        poly[1] == 0.0) {
      continue;
    }
    const int type = m.actuator_trntype[at(a)];
    if (type == transmission_site) {
      continue;
    }
    const std::size_t target = at(m.actuator_trnid[2 * at(a)]);
    int& lender =
        type == transmission_tendon ? m.tendon_actuatorid[target] : m.jnt_actuatorid[target];
    lender = lender == -1 ? a : -2;
  }
}

/// How far a box reaches from the origin along each axis.
Vec3 farthest(const std::array<double, 6>& box) {
  Vec3 reach{};
  for (std::size_t k = 0; k < 3; ++k) {
    reach[k] = std::fabs(box[k]) + box[3 + k];
  }
  return reach;
}

/// A height field reaches from the bottom of its base to its highest point.
void bound_hfield(Model& m, int g) {
  const auto [x, y, top, base] = get_row<4>(m.hfield_size, m.geom_dataid[at(g)]);
  const double z = std::max(top, base);
  m.geom_rbound[at(g)] = norm(Vec3{x, y, z});
  set_row(m.geom_aabb, g, std::array{0.0, 0.0, 0.5 * (top - base), x, y, 0.5 * (top + base)});
}

/// Bounding spheres and boxes, and the largest margin on each body.
void fill_bounds(Model& m) {
  std::fill(m.body_margin.begin(), m.body_margin.end(), 0.0);
  for (int g = 0; g < m.ngeom; ++g) {
    const auto type = static_cast<GeomType>(m.geom_type[at(g)]);
    const Vec3 size = get_row<3>(m.geom_size, g);
    if (type == GeomType::mesh) {
      // the box is the mesh's, which stays as it was compiled
      m.geom_rbound[at(g)] = norm(farthest(get_row<6>(m.geom_aabb, g)));
    } else if (type == GeomType::hfield) {
      bound_hfield(m, g);
    } else {
      m.geom_rbound[at(g)] = bounding_radius(type, size);
      set_row(m.geom_aabb, g, bounding_box(type, size));
    }
    double& margin = m.body_margin[at(m.geom_bodyid[at(g)])];
    margin = std::max(margin, m.geom_margin[at(g)] + m.geom_gap[at(g)]);
  }
}

}  // namespace

void set_constants(Model& model) {
  fill_same_frames(model);
  fill_simple(model);
  fill_subtree_masses(model);
  fill_lenders(model);
  fill_bounds(model);
  fill_virtual_masses(model);
  fill_constants(RestState(model), model);
}

bool has_valid_size(const Model& model, int geom) {
  const Vec3 size = get_row<3>(model.geom_size, geom);
  const int n = positive_sizes(static_cast<GeomType>(model.geom_type[at(geom)]));
  for (std::size_t k = 0; k < at(n); ++k) {
    if (!(size[k] > 0.0)) {
      return false;
    }
  }
  return true;
}

}  // namespace swept::compiler
