// SPDX-License-Identifier: Apache-2.0
// Sizes at which a careless loader crashes or hangs: deep nesting, many elements, large meshes. The
// largest run with SWEPT_LONG alone.
#include "host/load/mesh/mesh_files.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

namespace swept::test {
namespace {

using load_detail::read_msh;
using load_detail::read_obj;

bool long_run() {
  return std::getenv("SWEPT_LONG") != nullptr;
}

std::string repeat(const std::string& text, int times) {
  std::string all;
  all.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

/// True if it loads; an Error is the only other outcome.
bool loads(const std::string& text, Format format) {
  try {
    load_string(text, format);
    return true;
  } catch (const Error& error) {
    EXPECT_FALSE(error.problem().empty());
    return false;
  }
}

/// A strip of triangles above a line, with `nface` faces.
MeshData strip(int nface) {
  MeshData mesh;
  for (int v = 0; v < nface + 2; ++v) {
    mesh.vertex.insert(mesh.vertex.end(), {static_cast<float>(v / 2), static_cast<float>(v % 2),
                                           static_cast<float>(v % 7)});
  }
  for (int f = 0; f < nface; ++f) {
    mesh.face.insert(mesh.face.end(), {f, f + 1, f + 2});
  }
  return mesh;
}

TEST(Large, AMillionNestedElementsAreRefused) {
  constexpr int n = 1000000;
  for (const char* const tag : {"body", "frame", "replicate", "default", "geom", "x"}) {
    const std::string open = "<" + std::string(tag) + ">";
    const std::string close = "</" + std::string(tag) + ">";
    EXPECT_FALSE(
        loads("<mujoco><worldbody>" + repeat(open, n) + repeat(close, n) + "</worldbody></mujoco>",
              Format::xml));
    EXPECT_FALSE(loads(repeat(open, n), Format::xml));
  }
  EXPECT_FALSE(
      loads("{\"mujoco\":" + repeat("{\"body\":", n) + "{}" + repeat("}", n + 1), Format::json));
  EXPECT_FALSE(loads(repeat("[", n), Format::json));
  EXPECT_FALSE(loads(repeat("{\"mujoco\":", n), Format::json));
}

TEST(Large, ManyElementsBesideEachOtherLoadOrAreRefused) {
  EXPECT_TRUE(
      loads("<mujoco><worldbody>" + repeat("<geom size='1'/>", 100000) + "</worldbody></mujoco>",
            Format::xml));
  EXPECT_FALSE(loads("<mujoco><worldbody>" + repeat("<replicate count='1000'>", 20) +
                         "<geom size='1'/>" + repeat("</replicate>", 20) + "</worldbody></mujoco>",
                     Format::xml));
}

TEST(Large, AMeshOfManyFacesIsRead) {
  const int nface = long_run() ? 10000000 : 300000;
  const MeshData mesh = strip(nface);
  expect_equal(read_msh(msh_bytes(mesh), "test.file"), mesh);
  if (nface <= load_detail::max_obj_faces) {
    expect_equal(read_obj(obj_text(mesh), "test.file"), mesh);
  } else {
    error_from(read_obj, obj_text(mesh));
  }
}

TEST(Large, AMeshOfManyFacesIsCompiledInATimeThatGrowsWithThem) {
  // 10^7 faces: 25 s and 4 GB
  const MeshData data = strip(long_run() ? 10000000 : 300000);
  Spec spec;
  Mesh mesh;
  mesh.name = "strip";
  mesh.vertex = data.vertex;
  mesh.face = data.face;
  spec.meshes.push_back(std::move(mesh));
  Geom geom;
  geom.type = GeomType::mesh;
  geom.mesh = "strip";
  spec.worldbody.geoms.push_back(geom);
  const auto start = std::chrono::steady_clock::now();
  const Model model = compile(spec);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(model.mesh_face.size(), data.face.size());
  // what grows with the square takes hours
  EXPECT_LT(taken.count(), 600.0);
}

TEST(Large, ASphereOfManyFacesIsCompiledWithItsHull) {
  // 10^7 faces: 100 s of one core, and 6.5 GB, most of both qhull's
  const int rings = long_run() ? 1581 : 158;
  const int around = 2 * rings;
  Spec spec;
  Mesh mesh;
  mesh.name = "sphere";
  for (int i = 0; i <= rings; ++i) {
    const double polar = i * 3.14159265358979323846 / rings;
    const bool pole = i == 0 || i == rings;
    for (int k = 0; k < (pole ? 1 : around); ++k) {
      const double turn = k * 2.0 * 3.14159265358979323846 / around;
      for (const double x :
           {std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)}) {
        mesh.vertex.push_back(static_cast<float>(x));
      }
    }
  }
  const auto at = [&](int i, int k) {
    return i == 0 ? 0 : i == rings ? 1 + (rings - 1) * around : 1 + (i - 1) * around + k % around;
  };
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < around; ++k) {
      if (i > 0) {
        mesh.face.insert(mesh.face.end(), {at(i, k), at(i + 1, k), at(i, k + 1)});
      }
      if (i + 1 < rings) {
        mesh.face.insert(mesh.face.end(), {at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)});
      }
    }
  }
  const std::size_t faces = mesh.face.size();
  spec.meshes.push_back(std::move(mesh));
  Geom geom;
  geom.type = GeomType::mesh;
  geom.mesh = "sphere";
  Body body;
  body.geoms.push_back(geom);
  Joint joint;
  joint.type = JointType::free;
  body.joints.push_back(joint);
  spec.worldbody.bodies.push_back(body);
  const Model model = compile(spec);
  EXPECT_EQ(model.mesh_face.size(), faces);
  // single precision lets some corners sink into their neighbours' planes
  EXPECT_GT(model.mesh_graph[0], 0.9 * (rings - 1) * around);
  // 4 pi / 3 of 1000 kg / m^3, less what the chords cut off
  EXPECT_NEAR(model.body_mass[1], 4188.79, 4188.79 * 20.0 / (rings * rings));
}

TEST(Large, AnObjFileOfOneLongLineIsReadOrRefused) {
  const int n = long_run() ? 100000000 : 3000000;
  error_from(read_obj, "v " + std::string(static_cast<std::size_t>(n), '1'));
  error_from(read_obj, "f " + repeat("1 ", n / 2));
  error_from(read_obj, std::string(static_cast<std::size_t>(n), 'x'));
  error_from(read_obj, std::string(static_cast<std::size_t>(n), '\n'));
}

}  // namespace
}  // namespace swept::test
