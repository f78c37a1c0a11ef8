// SPDX-License-Identifier: Apache-2.0
// Geoms, and what bodies inherit from them.
#include "host/compile/passes.h"

#include <algorithm>

#include "host/compile/shape.h"

namespace swept::compiler {
namespace {

/// Types, sizes and places that cannot be.
void check_geom(const Scene& scene, const Geom& geom, bool is_static) {
  if (geom.type == GeomType::sdf) {
    throw scene.error("geom", geom,
                      "geoms of type " + std::string(type_name(geom.type)) + " are not supported",
                      "use other types");
  }
  for (int k = 0; k < positive_sizes(geom.type); ++k) {
    if (!(geom.size[at(k)] > 0.0)) {
      throw scene.error("geom", geom,
                        "size " + std::to_string(k + 1) + " of a " +
                            std::string(type_name(geom.type)) + " must be positive",
                        "a " + std::string(type_name(geom.type)) + " needs " +
                            std::to_string(positive_sizes(geom.type)) + " sizes");
    }
  }
  if (geom.type == GeomType::plane) {
    if (!(geom.size[2] > 0.0)) {
      throw scene.error("geom", geom, "size 3 of a plane, the grid spacing, must be positive",
                        "for example size=\"0 0 1\"");
    }
    if (!is_static) {
      throw scene.error("geom", geom, "a plane can only stand on a body that does not move",
                        "use a box, or put the plane into the world");
    }
  }
  if (geom.mass.value_or(0.0) < 0.0 || geom.density < 0.0) {
    throw scene.error("geom", geom, "mass and density must not be negative");
  }
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    throw scene.error("geom", geom, "condim is " + std::to_string(geom.condim),
                      "it must be 1, 3, 4 or 6");
  }
}

/// The box of a mesh as geom_aabb has it.
std::array<double, 6> box_of(const CompiledMesh& mesh) {
  const Vec3 centre = (mesh.low + mesh.high) * 0.5;
  const Vec3 half = (mesh.high - mesh.low) * 0.5;
  return {centre[0], centre[1], centre[2], half[0], half[1], half[2]};
}

/// Do rays pass through a geom: its material decides, or its own colour where it has none. Alpha is
/// single precision in the official library; what rounds to 0 there is 0.
bool is_transparent(const Scene& scene, const Geom& geom) {
  double alpha = geom.rgba[3];
  for (const Material& material : scene.spec.materials) {
    if (!geom.material.empty() && material.name == geom.material) {
      alpha = material.rgba[3];
    }
  }
  return static_cast<float>(alpha) == 0.0f;
}

/// The mesh or height field that gives a geom its shape; -1 if none does.
int asset_of(const Spec& spec, const Geom& geom) {
  switch (geom.type) {
    case GeomType::mesh:
      return find_mesh(spec, geom.mesh);
    case GeomType::hfield:
      return find_hfield(spec, geom.hfield);
    default:
      return -1;
  }
}

}  // namespace

void fill_geoms(const Scene& scene, Model& model) {
  for (int& adr : model.body_geomadr) {
    adr = -1;
  }
  for (int g = 0; g < model.ngeom; ++g) {
    const Geom& geom = *scene.geoms[at(g)].item;
    const int body = scene.geoms[at(g)].body;
    check_geom(scene, geom, model.body_lastdof[at(body)] < 0);

    // the body
    if (model.body_geomnum[at(body)]++ == 0) {
      model.body_geomadr[at(body)] = g;
    }
    model.body_contype[at(body)] |= geom.contype;
    model.body_conaffinity[at(body)] |= geom.conaffinity;

    // the geom itself
    model.geom_type[at(g)] = static_cast<int>(geom.type);
    model.geom_contype[at(g)] = geom.contype;
    model.geom_conaffinity[at(g)] = geom.conaffinity;
    model.geom_condim[at(g)] = geom.condim;
    model.geom_bodyid[at(g)] = body;
    model.geom_dataid[at(g)] = asset_of(scene.spec, geom);
    model.geom_group[at(g)] = geom.group;
    model.geom_priority[at(g)] = geom.priority;
    model.geom_transparent[at(g)] = is_transparent(scene, geom) ? 1 : 0;
    model.geom_solmix[at(g)] = geom.solmix;
    set_row(model.geom_solref, g, geom.solref);
    set_row(model.geom_solimp, g, geom.solimp);
    set_row(model.geom_size, g, geom.size);
    set_row(model.geom_pos, g, geom.pos);
    set_row(model.geom_quat, g, normalized(geom.quat));
    set_row(model.geom_friction, g, geom.friction);
    if (geom.type == GeomType::mesh) {
      set_row(model.geom_aabb, g, box_of(scene.assets.meshes[at(model.geom_dataid[at(g)])]));
    }
    model.geom_margin[at(g)] = geom.margin;
    model.geom_gap[at(g)] = geom.gap;
    set_row(model.geom_surfacevel, g, geom.surfacevel);
    if (geom.fluid_ellipsoid) {
      double* const fluid = &model.geom_fluid[12 * at(g)];
      fluid[0] = 1.0;
      std::copy(geom.fluidcoef.begin(), geom.fluidcoef.end(), fluid + 1);
    }
  }
}

void fill_sites(const Scene& scene, Model& model) {
  for (int s = 0; s < model.nsite; ++s) {
    const Site& site = *scene.sites[at(s)].item;
    model.site_type[at(s)] = static_cast<int>(site.type);
    model.site_bodyid[at(s)] = scene.sites[at(s)].body;
    model.site_group[at(s)] = site.group;
    set_row(model.site_size, s, site.size);
    set_row(model.site_pos, s, site.pos);
    set_row(model.site_quat, s, normalized(site.quat));
  }
  for (int c = 0; c < model.ncam; ++c) {
    const Camera& camera = *scene.cameras[at(c)].item;
    model.cam_bodyid[at(c)] = scene.cameras[at(c)].body;
    set_row(model.cam_pos, c, camera.pos);
    set_row(model.cam_quat, c, normalized(camera.quat));
    model.cam_fovy[at(c)] = camera.fovy;
  }
  for (int l = 0; l < model.nlight; ++l) {
    const Light& light = *scene.lights[at(l)].item;
    model.light_bodyid[at(l)] = scene.lights[at(l)].body;
    set_row(model.light_pos, l, light.pos);
    const double length = norm(light.dir);
    set_row(model.light_dir, l, length > 1e-7 ? light.dir * (1.0 / length) : light.dir);
  }
}

}  // namespace swept::compiler
