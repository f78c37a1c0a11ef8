// SPDX-License-Identifier: Apache-2.0
// Geoms of meshes and height fields, and primitives that are fitted to meshes.
#include "host/compile/mesh/assets.h"

#include "host/compile/scene.h"

#include <utility>

namespace swept::compiler {
namespace {

class Placer {
 public:
  Placer(const Assets& assets, Spec* spec) : assets_(assets), spec_(*spec) {
    for (std::size_t i = 0; i < spec_.meshes.size(); ++i) {
      mesh_ids_.emplace(spec_.meshes[i].name, static_cast<int>(i));
    }
  }

  void body(Body& body) {
    for (Geom& geom : body.geoms) {
      place(geom);
    }
    for (Body& child : body.bodies) {
      this->body(child);
    }
  }

 private:
  [[noreturn]] void fail(const Geom& geom, const std::string& problem,
                         const std::string& remedy) const {
    throw spec_.error(geom.source, label("geom", geom), problem, remedy);
  }

  void place(Geom& geom) const {
    const bool field = geom.type == GeomType::hfield;
    if (field == geom.hfield.empty()) {
      fail(geom,
           field ? "a geom of type hfield names no hfield" : "a geom of another type names one",
           field ? "add hfield=\"…\", the name of an asset"
                 : "remove hfield, or set type=\"hfield\"");
    }
    if (geom.type == GeomType::mesh && geom.mesh.empty()) {
      fail(geom, "a geom of type mesh names no mesh", "add mesh=\"…\", the name of an asset");
    }
    if (field) {
      place_field(geom);
    }
    if (!geom.mesh.empty()) {
      place_mesh(geom);
    }
  }

  void place_field(Geom& geom) const {
    const int id = find_hfield(spec_, geom.hfield);
    if (id < 0) {
      fail(geom, "there is no hfield '" + geom.hfield + "'", "add it to the assets");
    }
    const auto& size = spec_.hfields[at(id)].size;
    geom.size = {size[0], size[1], 0.25 * size[2] + 0.5 * size[3]};
  }

  void place_mesh(Geom& geom) const {
    const auto found = mesh_ids_.find(geom.mesh);
    if (found == mesh_ids_.end()) {
      fail(geom, "there is no mesh '" + geom.mesh + "'", "add it to the assets");
    }
    const CompiledMesh& mesh = assets_.meshes[at(found->second)];
    Pose frame = mesh.frame;
    if (geom.type == GeomType::mesh) {
      if (geom.shellinertia) {
        fail(geom, "a geom of a mesh has shellinertia",
             "set inertia=\"shell\" in the mesh instead");
      }
      for (std::size_t k = 0; k < 3; ++k) {
        geom.size[k] = std::max(std::fabs(mesh.low[k]), std::fabs(mesh.high[k]));
      }
      if (geom.material.empty()) {
        geom.material = spec_.meshes[at(found->second)].material;
      }
    } else if (spec_.compiler.fitaabb) {
      frame.pos = frame.pos + rotate(frame.quat, (mesh.low + mesh.high) * 0.5);
      geom.size = fit_to_box(geom, (mesh.high - mesh.low) * 0.5);
    } else {
      geom.size = fit_to_inertia(geom, mesh.box);
    }
    const Pose pose = compose({geom.pos, normalized(geom.quat)}, frame);
    geom.pos = pose.pos;
    geom.quat = pose.quat;
    carry_surface(geom, frame);
  }

  /// The velocity of the surface in the new axes, about the new origin.
  static void carry_surface(Geom& geom, const Pose& frame) {
    auto& v = geom.surfacevel;
    const Vec3 angular{v[3], v[4], v[5]};
    const Vec3 linear = Vec3{v[0], v[1], v[2]} + cross(angular, frame.pos);
    const Vec3 new_linear = rotate(conjugate(frame.quat), linear);
    const Vec3 new_angular = rotate(conjugate(frame.quat), angular);
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] = new_linear[k];
      v[3 + k] = new_angular[k];
    }
  }

  [[noreturn]] void fail_fit(const Geom& geom) const {
    fail(geom, "a geom of this type cannot be fitted to a mesh",
         "use type mesh, or a sphere, capsule, cylinder, ellipsoid or box");
  }

  /// Sizes that give the inertia of the mesh, nearly.
  Vec3 fit_to_inertia(const Geom& geom, const Vec3& box) const {
    const double radius = (box[0] + box[1]) / 2;
    switch (geom.type) {
      case GeomType::sphere:
        return scaled(geom, {(box[0] + box[1] + box[2]) / 3, geom.size[1], geom.size[2]});
      case GeomType::capsule:
        return scaled(geom, {radius, std::max(0.0, box[2] - radius / 2), geom.size[2]});
      case GeomType::cylinder:
        return scaled(geom, {radius, box[2], geom.size[2]});
      case GeomType::ellipsoid:
      case GeomType::box:
        return scaled(geom, box);
      default:
        fail_fit(geom);
    }
  }

  /// The least sizes with which the geom's box holds the box of the mesh.
  Vec3 fit_to_box(const Geom& geom, const Vec3& half) const {
    const double radius = std::max(half[0], half[1]);
    switch (geom.type) {
      case GeomType::sphere:
        return scaled(geom, {std::max(radius, half[2]), geom.size[1], geom.size[2]});
      case GeomType::capsule:
        return scaled(geom, {radius, half[2] - radius, geom.size[2]});
      case GeomType::cylinder:
        return scaled(geom, {radius, half[2], geom.size[2]});
      case GeomType::ellipsoid:
      case GeomType::box:
        return scaled(geom, half);
      default:
        fail_fit(geom);
    }
  }

  static Vec3 scaled(const Geom& geom, const Vec3& size) { return size * geom.fitscale; }

  const Assets& assets_;
  const Spec& spec_;
  IdsByName mesh_ids_;
};

}  // namespace

void place_geoms(const Assets& assets, Spec* spec) {
  Placer(assets, spec).body(spec->worldbody);
}

}  // namespace swept::compiler
