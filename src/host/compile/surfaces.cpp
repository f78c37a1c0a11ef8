// SPDX-License-Identifier: Apache-2.0
// Meshes that collide as they are and not as their hull. The scene says so in a custom element, so
// that it stays one that others read (they take the hull):
//
//   <custom><tuple name="nonconvex"><element objtype="geom" objname="cup"/></tuple></custom>
//
// It may have more elements, all of them geoms of type mesh. Every tuple whose name has "nonconvex" in
// it counts: attach and replicate give tuples and what they name their prefixes and suffixes.
//
// Vertices that stand at one place are one corner of the surface. Where every edge is run through as
// often one way as the other, the faces enclose an inside; else they are a sheet with two sides.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/compile/collision_rules.h"
#include "host/compile/passes.h"

namespace swept::compiler {
namespace {

/// A mesh of the model as a surface.
class SurfaceMesh {
 public:
  SurfaceMesh(const Model& model, int mesh)
      : model_(model),
        vertex_(model.mesh_vertadr[at(mesh)]),
        face_(model.mesh_faceadr[at(mesh)]),
        nface_(model.mesh_facenum[at(mesh)]) {
    std::map<std::array<double, 3>, int> places;
    for (int v = 0; v < model.mesh_vertnum[at(mesh)]; ++v) {
      corner_.push_back(places.try_emplace(point(v), v).first->second);
    }
  }

  int vertnum() const { return static_cast<int>(corner_.size()); }
  /// The first vertex at the place of vertex v.
  int corner(int v) const { return corner_[at(v)]; }
  /// Corner k of face f.
  int corner(int f, int k) const { return corner(model_.mesh_face[3 * at(face_ + f) + at(k)]); }

  /// Faces around each corner, each once; nothing for vertices that stand where an earlier one does.
  std::vector<std::vector<int>> faces_around() const {
    std::vector<std::vector<int>> around(corner_.size());
    for (int f = 0; f < nface_; ++f) {
      for (int k = 0; k < 3; ++k) {
        std::vector<int>& list = around[at(corner(f, k))];
        if (list.empty() || list.back() != f) {
          list.push_back(f);
        }
      }
    }
    return around;
  }

  /// Whether every edge is run through as often one way as the other.
  bool is_closed() const {
    std::map<std::pair<int, int>, int> balance;
    for (int f = 0; f < nface_; ++f) {
      for (int k = 0; k < 3; ++k) {
        const int a = corner(f, k), b = corner(f, (k + 1) % 3);
        balance[std::minmax(a, b)] += a < b ? 1 : (a > b ? -1 : 0);
      }
    }
    return nface_ > 0 && std::all_of(balance.begin(), balance.end(),
                                     [](const auto& edge) { return edge.second == 0; });
  }

  /// The enclosed volume [m^3]; negative: the faces are inside out.
  double volume() const {
    double sum = 0.0;
    for (int f = 0; f < nface_; ++f) {
      sum += dot(point(corner(f, 0)), cross(point(corner(f, 1)), point(corner(f, 2)))) / 6.0;
    }
    return sum;
  }

 private:
  Vec3 point(int v) const { return get_row<3>(model_.mesh_vert, vertex_ + v); }

  const Model& model_;
  int vertex_, face_, nface_;
  std::vector<int> corner_;
};

/// The geoms that a tuple names.
std::vector<int> named_geoms(const Scene& scene, const Tuple& tuple, const Model& model) {
  std::vector<int> geoms;
  for (const Tuple::Entry& entry : tuple.entries) {
    if (entry.objtype != "geom") {
      throw scene.error("tuple", tuple,
                        "it says which geoms collide as they are, and names the " + entry.objtype +
                            " '" + entry.objname + "'",
                        "name geoms of type mesh, or take \"nonconvex\" out of its name");
    }
    const int geom = scene.resolve(scene.geom_ids, "geom", entry.objname, "tuple", tuple);
    if (model.geom_type[at(geom)] != geom_mesh) {
      throw scene.error("tuple", tuple, "geom '" + entry.objname + "' is no mesh",
                        "only geoms of type mesh have a hull that is not what they are; remove "
                        "the element");
    }
    geoms.push_back(geom);
  }
  return geoms;
}

/// What is known of a mesh that some geom takes as it is.
void fill_mesh(const Scene& scene, int geom, Model* model) {
  Model& m = *model;
  const int mesh = m.geom_dataid[at(geom)];
  const Geom& item = *scene.geoms[at(geom)].item;
  if (m.mesh_facenum[at(mesh)] == 0) {
    throw scene.error("geom", item, "its mesh has no faces, so it has no surface",
                      "give the mesh faces, or take the geom out of the tuple nonconvex");
  }
  const SurfaceMesh surface(m, mesh);
  const bool closed = surface.is_closed();
  if (closed && !(surface.volume() > 0.0)) {
    throw scene.error("geom", item, "the faces of its mesh are inside out",
                      "turn them, so that they run counterclockwise seen from outside");
  }
  m.mesh_closed[at(mesh)] = closed ? 1 : 0;
  const std::vector<std::vector<int>> around = surface.faces_around();
  const int first = m.mesh_vertadr[at(mesh)];
  for (int v = 0; v < surface.vertnum(); ++v) {
    const std::vector<int>& faces = around[at(surface.corner(v))];
    if (surface.corner(v) == v) {
      m.mesh_facemapadr[at(first + v)] = static_cast<int>(m.mesh_facemap.size());
      m.mesh_facemap.insert(m.mesh_facemap.end(), faces.begin(), faces.end());
    } else {
      m.mesh_facemapadr[at(first + v)] = m.mesh_facemapadr[at(first + surface.corner(v))];
    }
    m.mesh_facemapnum[at(first + v)] = static_cast<int>(faces.size());
  }
  m.nmeshfacemap = static_cast<int>(m.mesh_facemap.size());
  if (!closed) {
    m.notices.push_back(label("geom", item) +
                        " collides as a sheet with two sides: its mesh is not closed");
  }
}

/// Height fields do not meet surfaces.
void refuse_fields(const Scene& scene, int surface, const Model& m) {
  for (int field = 0; field < m.ngeom; ++field) {
    if (m.geom_type[at(field)] != geom_hfield) {
      continue;
    }
    const bool meet = predefined_pair(m, field, surface) >= 0 ||
                      (geom_bits_match(m, field, surface) &&
                       bodies_may_collide(m, m.geom_bodyid[at(field)], m.geom_bodyid[at(surface)]));
    if (meet) {
      throw scene.error("geom", *scene.geoms[at(surface)].item,
                        "it may meet " + label("geom", *scene.geoms[at(field)].item) +
                            ", a height field, which collides with hulls only",
                        "take the geom out of the tuple nonconvex, let the bits of contype and "
                        "conaffinity keep them apart, or make the field a mesh");
    }
  }
}

}  // namespace

void fill_surfaces(const Scene& scene, Model& model) {
  std::set<int> meshes;
  for (const Tuple& tuple : scene.spec.tuples) {
    if (tuple.name.find("nonconvex") == std::string::npos) {
      continue;
    }
    for (const int geom : named_geoms(scene, tuple, model)) {
      model.geom_surface[at(geom)] = 1;
      refuse_fields(scene, geom, model);
      if (meshes.insert(model.geom_dataid[at(geom)]).second) {
        fill_mesh(scene, geom, &model);
      }
    }
  }
  if (!meshes.empty() && (model.opt.enableflags & enable_speculative) != 0 &&
      model.opt.speculative_mode == speculative_parity) {
    throw Error(
        "meshes that collide as they are (tuple nonconvex) do not go with speculative_mode "
        "\"parity\": it does what the official library does, which takes their hulls",
        "use the mode \"robust\", or remove the tuple nonconvex");
  }
}

}  // namespace swept::compiler
