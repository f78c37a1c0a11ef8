// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields against the official compiler: inline scenes of our own, one for each
// attribute, builtin shape and fit, random meshes, and what both sides refuse.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/mesh_row.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <random>

namespace swept::test {
namespace {

/// Nearly flat clouds have inertias of a ratio of up to 1e6, which M's inverse loses digits to.
constexpr double random_tolerance = 1e-8;

struct MeshScene {
  const char* name;
  std::string head;  ///< compiler, default
  std::string assets;
  std::string world;
  std::string tail = {};

  std::string xml() const {
    return "<mujoco>" + head + "<asset>" + assets + "</asset><worldbody>" + world + "</worldbody>" +
           tail + "</mujoco>";
  }
};

void PrintTo(const MeshScene& scene, std::ostream* out) {
  *out << scene.name;
}

/// One body with a geom of mesh m that collides, and one with a geom that does not.
const std::string both = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/><geom type="mesh" mesh="m" pos=".1 .2 .3"
    euler="40 50 60"/></body>
  <body><joint/><geom type="mesh" mesh="m" contype="0" conaffinity="0" mass="3"/>
    <geom size=".1" pos="0 1 0"/></body>)";
const std::string only_looks = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/>
    <geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>)";

/// A flat shell alone would fulfil A + B >= C by rounding only, on either side.
const std::string flat = R"(
  <body pos="1 2 3" euler="10 20 30"><freejoint/><geom size=".01" pos=".1 .2 .3"/>
    <geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>)";

const std::string wedge_vertices =
    R"(vertex="0 0 0  2 0 0  2 1 0  0 1 0  0 0 .5  2 0 .7  .3 .2 .1  0 .9 .4" )";
const std::string prism =
    R"(vertex="0 0 0  1 0 0  0 1.5 0  0 0 2  1 0 2  0 1.5 2"
       face="0 2 1  3 4 5  0 1 4  0 4 3  1 2 5  1 5 4  2 0 3  2 3 5" )";
/// A box with a dent in its top.
const std::string dented =
    R"(vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0  -1 -1 1  1 -1 1  1 1 1  -1 1 1  .2 .1 .3"
       face="0 2 1  0 3 2  0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7
             4 5 8  5 6 8  6 7 8  7 4 8" )";

std::string mesh(const std::string& attributes) {
  return "<mesh name=\"m\" " + attributes + "/>";
}

std::string builtin(const std::string& shape, const std::string& params,
                    const std::string& more = {}) {
  return mesh("builtin=\"" + shape + "\" params=\"" + params + "\" " + more);
}

/// Geoms of every primitive type that is fitted to mesh m.
std::string fitted(const std::string& more = {}) {
  std::string text;
  for (const std::string type : {"sphere", "capsule", "cylinder", "ellipsoid", "box"}) {
    text += "<body pos=\"0 0 1\"><joint/><geom type=\"" + type +
            "\" mesh=\"m\" contype=\"0\" conaffinity=\"0\" pos=\".1 .2 .3\" euler=\"10 20 30\" " +
            more + "/></body>";
  }
  return text;
}

const std::string h3 = R"(<hfield name="h" nrow="3" ncol="4" size="2 3 .5 .2" )";
const std::string fields = R"(
  <geom type="hfield" hfield="h" pos="1 2 3" euler="10 20 30"/>
  <body pos="0 0 2"><joint/><geom type="hfield" hfield="h" group="1"/></body>
  <body pos="0 0 9"><joint/><geom type="hfield" hfield="h" shellinertia="true"/></body>)";

std::vector<MeshScene> mesh_scenes() {
  std::vector<MeshScene> scenes = {
      {"vertices_alone", "", mesh(wedge_vertices), both},
      {"vertices_and_faces", "", mesh(prism), both},
      {"looked_at_only", "", mesh(prism), only_looks},
      {"in_a_pair", "", mesh(prism), only_looks + R"(<geom name="g" type="mesh" mesh="m"
        contype="0" conaffinity="0"/><body><joint/><geom name="k" size=".1"/></body>)",
       R"(<contact><pair geom1="g" geom2="k"/></contact>)"},
      {"scale", "", mesh(prism + R"(scale=".1 2 3")"), both},
      {"mirrored", "", mesh(prism + R"(scale="-1 2 .5")"), both},
      {"mirrored_thrice", "", mesh(prism + R"(scale="-1 -2 -.5")"), both},
      {"reference_pose", "", mesh(dented + R"(refpos="1 2 3" refquat="1 .2 .3 .4")"), both},
      {"everything", "", mesh(dented + R"(refpos="1 2 3" refquat="1 .2 .3 .4" scale=".1 -.2 .3"
        inertia="exact" maxhullvert="6" smoothnormal="true")"),
       both},
      {"inertia_convex", "", mesh(dented + R"(inertia="convex")"), both},
      {"inertia_convex_looked_at", "", mesh(dented + R"(inertia="convex")"), only_looks},
      {"inertia_convex_mirrored", "", mesh(dented + R"(inertia="convex" scale="1 -1 1")"), both},
      {"inertia_exact", "", mesh(dented + R"(inertia="exact")"), both},
      {"inertia_legacy", "", mesh(dented + R"(inertia="legacy")"), both},
      {"inertia_shell", "", mesh(dented + R"(inertia="shell")"), both},
      {"an_open_surface", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1"
        face="0 2 1 0 1 3 0 3 2" )"),
       both},
      {"faces_inside_out", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1"
        face="0 1 2 0 3 1 0 2 3 1 3 2" )"),
       both},
      {"a_flat_shell", "", mesh(R"(vertex="0 0 0 1 0 0 0 2 0 1 2 0" face="0 1 2 1 3 2"
        inertia="shell" )"),
       flat},
      {"a_thin_needle", "", mesh(R"(vertex="0 0 0 1 0 0 0 1e-2 0 0 0 1e-2 1 1e-2 1e-2" )"), both},
      {"duplicate_vertices", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 .2 .2 .2" )"),
       both},
      {"unused_vertices", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1 5 5 5 .1 .1 .1"
        face="0 2 1 0 1 3 0 3 2 1 2 3" )"),
       both},
      {"degenerate_faces", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1"
        face="0 2 1 0 1 3 0 3 2 1 2 3 0 0 1 2 2 2" )"),
       both},
      {"normals_and_texture", "", mesh(R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1"
        normal="0 0 1 0 0 1 0 0 1 0 0 1" texcoord="0 0 0 1 1 0 1 1" )"),
       both},
      {"fits_by_inertia", "", mesh(dented), fitted()},
      {"fits_by_box", R"(<compiler fitaabb="true"/>)", mesh(dented), fitted()},
      {"fits_scaled", "", mesh(dented), fitted(R"(fitscale="1.5" mass="2")")},
      {"fits_by_box_scaled", R"(<compiler fitaabb="true"/>)", mesh(dented),
       fitted(R"(fitscale=".5" shellinertia="true")")},
      {"fits_to_a_shell", "", mesh(dented + R"(inertia="shell")"), fitted()},
      {"surface_velocity", "", mesh(dented), R"(<body><freejoint/><geom type="mesh" mesh="m"
        surfacevel="1 2 3 4 5 6" pos="1 2 3"/></body><body><freejoint/><geom type="box" mesh="m"
        contype="0" conaffinity="0" surfacevel="1 2 3 4 5 6"/></body>)"},
      {"class_defaults", R"(<default><mesh scale="2 2 2" inertia="convex"/><default class="q">
        <mesh scale="3 3 3" maxhullvert="8"/><geom type="mesh" mesh="m"/></default></default>)",
       R"(<mesh name="k" )" + prism + R"(/><mesh class="q" name="m" )" + dented + "/>",
       R"(<body><freejoint/><geom class="q"/></body>
        <body><freejoint/><geom type="mesh" mesh="k"/></body>)"},
      {"in_frames_and_replicas", "", mesh(prism), R"(<frame pos="1 2 3" euler="10 20 30">
        <geom type="mesh" mesh="m" pos="1 0 0"/></frame><replicate count="3" offset="1 0 0"
        euler="0 0 20"><body><freejoint/><geom type="mesh" mesh="m" pos="0 1 0"/></body>
        </replicate>)"},
      {"bodies_of_several_meshes", R"(<compiler inertiagrouprange="0 1"/>)",
       mesh(prism) + R"(<mesh name="k" )" + dented + "/>", R"(<body euler="10 0 0"><freejoint/>
        <geom type="mesh" mesh="m"/><geom type="mesh" mesh="k" pos="1 1 1" euler="10 20 30"
        group="1"/><geom type="mesh" mesh="k" group="2"/><geom type="box" mesh="k" group="3"/>
        </body>)"},
      {"visual_meshes_discarded", R"(<compiler discardvisual="true"/>)",
       mesh(prism) + R"(<mesh name="k" )" + dented + R"(/><mesh name="u" )" + prism + "/>" + h3 +
           "/>",
       R"(<geom type="mesh" mesh="u" contype="0" conaffinity="0"/><body><freejoint/>
        <geom type="mesh" mesh="m" contype="0" conaffinity="0"/><geom type="mesh" mesh="k"
        group="1"/></body><body><freejoint/><geom type="mesh" mesh="m" contype="0"
        conaffinity="0" density="100"/></body>)"},
      {"visual_fits_discarded", R"(<compiler discardvisual="true"/>)",
       mesh(prism) + R"(<mesh name="k" )" + dented + "/>",
       R"(<body><freejoint/><geom type="box" mesh="m" contype="0" conaffinity="0"/>
        <geom type="box" mesh="k"/></body>)"},
      {"visual_meshes_that_need_not_compile", R"(<compiler discardvisual="true"
        inertiagrouprange="0 2"/>)",
       mesh(R"(vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" )"),
       R"(<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body><body><joint/>
        <geom type="mesh" mesh="m" contype="0" conaffinity="0" group="5"/><geom size="1"/>
        </body>)"},
      {"static_bodies_fused", R"(<compiler fusestatic="true" inertiagrouprange="0 3"/>)",
       mesh(dented), R"(<body><freejoint/><geom type="mesh" mesh="m"/><body pos="1 2 3"
        euler="0 10 0"><geom type="mesh" mesh="m" pos="1 0 0"/></body></body>)"},
      {"a_flat_field", "", h3 + "/>", fields},
      {"a_field_with_elevations", "", h3 + R"(elevation="1 2 3 4 5 6 7 8 -1 .3 .1 2"/>)", fields},
      {"a_field_of_constants", "", h3 + R"(elevation="7 7 7 7 7 7 7 7 7 7 7 7"/>)", fields},
      {"a_deep_field", "", R"(<hfield name="h" nrow="2" ncol="2" size="1 1 .1 3"
        elevation="0 1 2 .3333"/>)",
       fields},
  };
  const std::pair<const char*, const char*> solids[] = {
      {"sphere", "0"},
      {"sphere", "1"},
      {"sphere", "3"},
      {"hemisphere", "0"},
      {"hemisphere", "1"},
      {"hemisphere", "5"},
      {"cone", "3 0"},
      {"cone", "7 .4"},
      {"cone", "24 1"},
      {"supersphere", "5 1 1"},
      {"supersphere", "12 .4 2"},
      {"supertorus", "6 .3 1 1"},
      {"supertorus", "15 .7 .4 2"},
      {"wedge", "3 3 20 30 .5"},
      {"wedge", "9 5 120 80 0"},
      {"grid", "3 4 5 .1 .2 .3"},
      {"grid", "2 2 2 1 1 1 3"},
      {"box", "2 2 2 1 1 1"},
      {"box", "3 4 5 .1 .2 .3"},
      {"cylinder", "4 5 3 .1 .1 .3"},
      {"ellipsoid", "4 5 6 .1 .2 .3"},
      {"box", "3 4 5 .1 .2 .3 2"},
      {"cylinder", "4 5 3 .1 .1 .3 2"},
      {"ellipsoid", "4 5 6 .1 .2 .3 2"},
  };
  static std::vector<std::string> names;
  names.reserve(64);
  const auto add = [&](const std::string& shape, const std::string& params, const std::string& more,
                       const std::string& world) {
    std::string name = "builtin_" + shape + "_" + params + "_" + more;
    for (char& c : name) {
      c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    names.push_back(name);
    scenes.push_back({names.back().c_str(), "", builtin(shape, params, more), world});
  };
  for (const auto& [shape, params] : solids) {
    add(shape, params, "", both);
    add(shape, params, "scale=\".3 .2 -.1\"", only_looks);
  }
  for (const auto& [shape, params] : {std::pair{"plate", "2 2"},
                                      {"plate", "3 5"},
                                      {"grid", "3 4 1 .1 .2 .3 2"},
                                      {"square", "3 4 1 .1 .2 .3"},
                                      {"disc", "5 5 1 .1 .1 .1"},
                                      {"disc", "4 6 1 .3 .1 .1"}}) {
    add(shape, params, "", flat);
  }
  return scenes;
}

class MeshCompile : public testing::TestWithParam<MeshScene> {};

TEST_P(MeshCompile, GivesTheArraysOfTheOfficialLibrary) {
  mju_user_warning = [](const char*) {};
  const std::string xml = GetParam().xml();
  const Model ours = compile(load_string(xml, Format::xml));
  Oracle oracle = Oracle::from_text(xml);
  const Comparison result = ModelComparer(ours, oracle.model()).run();
  const MeshComparison meshes = compare_meshes(ours, oracle.model());
  print_row(GetParam().name, result, meshes);
  EXPECT_LE(result.worst.size, mesh_tolerance) << result.worst.where;
  EXPECT_EQ(meshes.other_vertices, 0);
  EXPECT_EQ(meshes.other_faces, 0);
  EXPECT_EQ(meshes.other_polygons, 0);
  EXPECT_EQ(meshes.broken, 0);
  EXPECT_LE(meshes.worst_normal, mesh_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Scenes, MeshCompile, testing::ValuesIn(mesh_scenes()),
                         [](const auto& scene) { return std::string(scene.param.name); });

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

/// A random mesh: a cloud of points, some of them twice or in one plane, seldom nearly flat.
std::string random_vertices(std::mt19937* random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const int count = 4 + static_cast<int>(60 * uniform(*random) * uniform(*random));
  const double flatness = uniform(*random) < 0.1 ? 1e-3 : 1.0;
  const bool grid = uniform(*random) < 0.3;
  std::string text = "vertex=\"";
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      double x = 0.3 * normal(*random) * (k == 2 ? flatness : 1.0 + 0.3 * k);
      // many coplanar points
      x = grid ? std::round(10 * x) / 10 : x;
      text += std::to_string(x) + " ";
    }
  }
  return text + "\" ";
}

TEST(MeshRandom, CloudsOfPointsCompileAsInTheOfficialLibrary) {
  mju_user_warning = [](const char*) {};
  const int count = std::getenv("SWEPT_LONG") != nullptr ? 20000 : 400;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  MeshComparison sum;
  Difference worst;
  int refused = 0;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    std::string attributes = random_vertices(&random);
    const auto three = [&](const char* name) {
      attributes += std::string(name) + "=\"" + std::to_string(uniform(random)) + " " +
                    std::to_string(uniform(random)) + " " + std::to_string(uniform(random)) + "\" ";
    };
    if (i % 2 == 0) {
      three("scale");
    }
    if (i % 3 == 0) {
      three("refpos");
    }
    attributes += i % 5 == 0 ? "inertia=\"shell\"" : i % 5 == 1 ? "inertia=\"convex\"" : "";
    attributes += i % 7 == 0 ? " maxhullvert=\"8\"" : "";
    const std::string xml = MeshScene{"", "", mesh(attributes), both}.xml();
    SCOPED_TRACE(xml);
    std::unique_ptr<Oracle> oracle;
    try {
      oracle = std::make_unique<Oracle>(Oracle::from_text(xml));
    } catch (const std::runtime_error& refusal) {
      EXPECT_THROW(compile(load_string(xml, Format::xml)), Error) << refusal.what();
      ++refused;
      continue;
    }
    const Model ours = compile(load_string(xml, Format::xml));
    const Comparison result = ModelComparer(ours, oracle->model()).run();
    const MeshComparison meshes = compare_meshes(ours, oracle->model());
    worst.add(result.worst.size, result.worst.where);
    sum.add(meshes);
    EXPECT_LE(result.worst.size, random_tolerance) << result.worst.where;
    EXPECT_EQ(meshes.other_faces + meshes.other_polygons + meshes.broken, 0);
  }
  Comparison total;
  total.worst = worst;
  print_row(std::to_string(count) + " clouds, refused on both sides: " + std::to_string(refused),
            total, sum);
  EXPECT_EQ(sum.other_vertices, 0);
  EXPECT_LE(sum.worst_normal, mesh_tolerance);
  EXPECT_LT(refused, count / 10);
}

}  // namespace
}  // namespace swept::test
