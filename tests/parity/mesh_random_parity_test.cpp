// SPDX-License-Identifier: Apache-2.0
// Random meshes against the official compiler, and what both sides refuse of them.
#include <swept/compile.h>
#include <swept/load.h>

#include "parity/mesh_row.h"
#include "parity/mesh_snippets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

namespace swept::test {
namespace {

/// Nearly flat clouds have inertias of a ratio of up to 1e6, which M's inverse loses digits to.
constexpr double random_tolerance = 1e-8;

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
