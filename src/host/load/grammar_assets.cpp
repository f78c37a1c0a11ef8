// SPDX-License-Identifier: Apache-2.0
// Grammar: the assets that geoms take their shape from, meshes and height fields, and the defaults
// of meshes.
#include "host/load/grammar.h"
#include "host/load/setters.h"

namespace swept::load_detail {
namespace {

constexpr Row mesh_rows[] = {
    {"scale", "r3", put<Mesh, &Mesh::scale>},
    {"inertia", "convex|exact|legacy|shell", put<Mesh, &Mesh::inertia>},
    {"maxhullvert", "i1", put<Mesh, &Mesh::maxhullvert>},
};

constexpr Row mesh_content_rows[] = {
    {"name", "s", put<Mesh, &Mesh::name>},
    {"class", "s"},
    {"content_type", "s", put<Mesh, &Mesh::content_type>},
    {"file", "s", put<Mesh, &Mesh::file>},
    {"smoothnormal", "false|true", put<Mesh, &Mesh::smoothnormal>},
    {"vertex", "r*", put<Mesh, &Mesh::vertex>},
    {"normal", "r*", put<Mesh, &Mesh::normal>},
    {"texcoord", "r*", put<Mesh, &Mesh::texcoord>},
    {"face", "i*", put<Mesh, &Mesh::face>},
    {"refpos", "r3", put<Mesh, &Mesh::refpos>},
    {"refquat", "r4", put<Mesh, &Mesh::refquat>},
    // keywords in the order of MeshBuiltin
    {"builtin",
     "none|sphere|hemisphere|cone|supersphere|supertorus|wedge|plate|grid|box|cylinder|ellipsoid|"
     "square|disc",
     put<Mesh, &Mesh::builtin>},
    {"params", "r*", put<Mesh, &Mesh::params>},
    {"material", "s", put<Mesh, &Mesh::material>},
};

constexpr Row hfield_rows[] = {
    {"name", "s", put<HField, &HField::name>},
    {"content_type", "s", put<HField, &HField::content_type>},
    {"file", "s", put<HField, &HField::file>},
    {"nrow", "i1", put<HField, &HField::nrow>},
    {"ncol", "i1", put<HField, &HField::ncol>},
    {"elevation", "r*", put<HField, &HField::elevation>},
    {"size", "r4!", put<HField, &HField::size>},
};

}  // namespace

void add_geometry_rules(Grammar* grammar) {
  grammar->add("mesh", Support::yes, "plugin=plugin-use", {mesh_content_rows, mesh_rows});
  grammar->add("default/mesh", Support::yes, "", {mesh_rows});
  grammar->add("hfield", Support::yes, "", {hfield_rows});
  grammar->exclusive("mesh", "file builtin vertex");
}

}  // namespace swept::load_detail
