// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields that neither side compiles.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/mesh_row.h"
#include "parity/mesh_snippets.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace swept::test {
namespace {

/// Something that neither side compiles.
struct Refusal {
  const char* name;
  std::string assets;
  std::string world;
  const char* part;  ///< of our message
};

TEST(MeshRefusal, BothSidesRefuseTheSameAndOursSaysWhy) {
  mju_user_warning = [](const char*) {};
  const std::string tetrahedron = R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1" )";
  const std::string square = R"(vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" )";
  const std::string collides = R"(<body><joint/><geom type="mesh" mesh="m"/></body>)";
  const std::string geom = "<body><joint/><geom ";
  const std::string good = mesh(tetrahedron);
  const Refusal refusals[] = {
      {"three vertices", mesh(R"(vertex="0 0 0 1 0 0 0 1 0" face="0 1 2")"), both, "at least 4"},
      {"no vertices", mesh(""), both, "no vertices"},
      {"not finite", mesh(R"(vertex="nan 0 0 1 0 0 0 1 0 0 0 1")"), both, "finite"},
      {"too large for single precision", mesh(R"(vertex="1e39 0 0 1 0 0 0 1 0 0 0 1")"), both,
       "not finite in single precision"},
      {"half a vertex", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1 5")"), both, "multiple of 3"},
      {"half a face", mesh(tetrahedron + R"(face="0 2")"), both, "multiple of 3"},
      {"a vertex that is not there", mesh(tetrahedron + R"(face="0 2 4")"), both, "has vertex 4"},
      {"a negative vertex", mesh(tetrahedron + R"(face="0 2 -1")"), both, "has vertex -1"},
      {"half a normal", mesh(tetrahedron + R"(normal="1 0 0 0")"), both, "normal"},
      {"texcoord for some vertices", mesh(tetrahedron + R"(texcoord="0 0 1 1")"), both, "texcoord"},
      {"one point", mesh(R"(vertex="1 1 1 1 1 1 1 1 1 1 1 1")"), both, "one point"},
      {"one line", mesh(R"(vertex="0 0 0 1 0 0 2 0 0 3 0 0")"), both, "one line"},
      {"one plane", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 1 1 0")"), both, "one plane"},
      {"a flat mesh that collides", mesh(square + R"(inertia="shell")"), collides, "one plane"},
      {"a flat mesh with volume", mesh(square), only_looks, "volume is 0"},
      {"one triangle of a solid", mesh(tetrahedron + R"(face="0 1 2")"), only_looks, "volume is 0"},
      {"no area", mesh(tetrahedron + R"(face="0 0 1 1 1 2")"), only_looks, "area"},
      {"scale of zero", mesh(tetrahedron + R"(scale="1 0 1")"), only_looks, "volume is 0"},
      {"refquat of zero", mesh(tetrahedron + R"(refquat="0 0 0 0")"), only_looks, "refquat"},
      {"inside out", mesh(tetrahedron + R"(face="0 1 2 0 3 1 0 2 3 1 3 2" inertia="exact")"),
       only_looks, "volume is negative"},
      {"inconsistent", mesh(tetrahedron + R"(face="0 1 2 0 1 3 0 3 2 1 2 3" inertia="exact")"),
       only_looks, "two of its faces run from vertex 0 to vertex 1"},
      {"hull of three", mesh(tetrahedron + R"(maxhullvert="3")"), both, "maxhullvert is 3"},
      {"two sources", mesh(tetrahedron + R"(builtin="sphere" params="1")"), both, "exclude"},
      {"a builtin without numbers", mesh(R"(builtin="sphere")"), both, "params"},
      {"no builtin", mesh(R"(builtin="none" params="1")"), both, "none"},
      {"an unknown builtin", mesh(R"(builtin="ball" params="1")"), both, "ball"},
      {"a fine sphere", builtin("sphere", "5"), both, "0 to 4"},
      {"a coarse sphere", builtin("sphere", "-1"), both, "0 to 4"},
      {"a fine hemisphere", builtin("hemisphere", "11"), both, "0 to 10"},
      {"a cone of two edges", builtin("cone", "2 0"), both, "at least 3"},
      {"a wide cone", builtin("cone", "5 1.5"), both, "0 to 1"},
      {"a coarse supersphere", builtin("supersphere", "2 1 1"), both, "at least 3"},
      {"a thick supertorus", builtin("supertorus", "5 1.5 1 1"), both, "minor radius"},
      {"a wide wedge", builtin("wedge", "3 3 200 30 0"), both, "180"},
      {"a plate of no cells", builtin("plate", "0 3"), both, "at least 1"},
      {"a plate that collides", builtin("plate", "3 3"), collides, "one plane"},
      {"a thin box", builtin("box", "1 2 2 1 1 1"), both, "counts"},
      {"a box of four dimensions", builtin("box", "2 2 2 1 1 1 4"), both, "dimensions"},
      {"a thick square", builtin("square", "3 3 2 1 1 1"), both, "third count"},
      {"a mesh without a name", "<mesh " + tetrahedron + "/>", "", "no name"},
      {"two meshes of one name", good + good, "", "given twice"},
      {"a missing file", R"(<mesh file="no_such_file.obj"/>)", "", "no_such_file"},
      {"no mesh", good, geom + R"(type="mesh"/></body>)", "names no mesh"},
      {"an unknown mesh", good, geom + R"(type="mesh" mesh="q"/></body>)", "there is no mesh 'q'"},
      {"no field", good, R"(<geom type="hfield"/>)", "names no hfield"},
      {"a field in a box", h3 + "/>", R"(<geom type="box" size="1 1 1" hfield="h"/>)",
       "another type names one"},
      {"a fitted plane", good, R"(<geom type="plane" size="1 1 1" mesh="m"/>)", "fitted"},
      {"a fitted field", good + h3 + "/>", R"(<geom type="hfield" hfield="h" mesh="m"/>)",
       "fitted"},
      {"a mesh from a point", good, R"(<geom type="capsule" size="1" fromto="0 0 0 1 1 1"
        mesh="m"/>)",
       "exclude"},
      {"shell of a geom", good, geom + R"(type="mesh" mesh="m" shellinertia="true"/></body>)",
       "shellinertia"},
      {"a capsule that is too flat", mesh(R"(vertex="0 0 0 9 0 0 0 9 0 0 0 .1")"),
       geom + R"(type="capsule" mesh="m" fitscale="0" mass="1"/><geom size="1"/></body>)",
       "must be positive"},
      {"a row", R"(<hfield name="h" nrow="1" ncol="4" size="1 1 1 1"/>)", "", "1 rows"},
      {"a field of nothing", R"(<hfield name="h" size="1 1 1 1"/>)", "", "0 rows"},
      {"too few elevations", h3 + R"(elevation="1 2 3"/>)", "", "elevation has 3"},
      {"a field without depth", R"(<hfield name="h" nrow="2" ncol="2" size="1 1 1 0"/>)", "",
       "not positive"},
      {"a field without a name", R"(<hfield nrow="2" ncol="2" size="1 1 1 1"/>)", "", "no name"},
      {"a field of a file and numbers",
       R"(<hfield file="h.png" nrow="2" ncol="2" size="1 1 1 1"/>)", "", "file"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.name);
    const std::string xml = MeshScene{"", "", refusal.assets, refusal.world}.xml();
    EXPECT_THROW(Oracle::from_text(xml), std::runtime_error);
    try {
      compile(load_string(xml, Format::xml));
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(refusal.part), std::string::npos) << error.what();
    }
  }
}

TEST(MeshRefusal, ElevationsThatAreNotFiniteAreRefused) {
  // the official library makes elevations of them that are not numbers
  const std::string xml =
      MeshScene{"", "", h3 + R"(elevation="1 2 3 4 5 6 7 8 9 10 11 1e39"/>)", ""}.xml();
  EXPECT_THROW(compile(load_string(xml, Format::xml)), Error);
}

}  // namespace
}  // namespace swept::test
