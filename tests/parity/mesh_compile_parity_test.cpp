// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields against the official compiler: inline scenes of our own, one for each
// attribute, builtin shape and fit.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/mesh_row.h"
#include "parity/mesh_snippets.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace swept::test {
namespace {

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

}  // namespace
}  // namespace swept::test
