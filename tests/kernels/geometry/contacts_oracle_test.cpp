// SPDX-License-Identifier: Apache-2.0
// Contacts of single pairs against the official library's: boxes, meshes on planes, faces and edges
// of meshes on each other, height fields. SWEPT_LONG takes ten times the poses.
//
// In f64 number, order, positions, normals and distances are equal. Where the library's own choice
// is free (which of several equal polygons, which end of an edge comes first) the test counts these
// cases, prints their share and bounds it. In f32 roundings choose more often.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/geometry/box_box.h"
#include "kernels/geometry/contact_shapes.h"
#include "kernels/geometry/convex.h"
#include "kernels/geometry/hfield.h"
#include "kernels/geometry/plane_mesh.h"
#include "kernels/geometry/poses.h"
#include "support/oracle_pair.h"

namespace swept::SWEPT_NS {
namespace {

using test::Couple;
using test::OraclePair;

constexpr bool single = sizeof(real) == 4;
// lengths of order 1, a few operations; in f32 corners of clipped polygons are ratios
constexpr double length_bar = single ? 2e-4 : 1e-9;
// with a margin the library's search on meshes ends at a gap, not at rounding
constexpr double mesh_bar = single ? 2e-4 : 2e-8;

int poses() {
  return case_count(1000, 10000);
}

/// How a list of contacts compares with the library's.
struct Tally {
  int pairs = 0, contacts = 0, equal = 0, reordered = 0, other = 0;

  void print(const char* name) const {
    std::printf("%-24s %6d pairs %6d contacts   equal %6d   in another order %5d   other %5d\n",
                name, pairs, contacts, equal, reordered, other);
  }
};

double difference(const Witness& ours, const mjContact& want) {
  const real got[] = {ours.dist,     ours.pos.x,    ours.pos.y,   ours.pos.z,
                      ours.normal.x, ours.normal.y, ours.normal.z};
  const double expected[] = {want.dist,     want.pos[0],   want.pos[1],  want.pos[2],
                             want.frame[0], want.frame[1], want.frame[2]};
  double worst = 0;
  for (int i = 0; i < 7; ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected[i]));
  }
  return worst;
}

/// Whether each contact has its equal among the library's, in order or in any.
bool matches(const Witness* ours, int n, std::span<const mjContact> want, double bar,
             bool ordered) {
  bool all = n == static_cast<int>(want.size());
  for (int k = 0; k < n && all; ++k) {
    bool found = ordered && difference(ours[k], want[static_cast<std::size_t>(k)]) < bar;
    for (std::size_t j = 0; !ordered && j < want.size(); ++j) {
      found = found || difference(ours[k], want[j]) < bar;
    }
    all = found;
  }
  return all;
}

void count(Tally* tally, const Witness* ours, int n, std::span<const mjContact> want, double bar) {
  if (n == 0 && want.empty()) {
    return;
  }
  ++tally->pairs;
  tally->contacts += static_cast<int>(want.size());
  if (matches(ours, n, want, bar, true)) {
    ++tally->equal;
  } else if (matches(ours, n, want, bar, false)) {
    ++tally->reordered;
  } else {
    ++tally->other;
  }
}

std::array<double, 9> product(const std::array<double, 9>& a, const std::array<double, 9>& b) {
  std::array<double, 9> c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
      }
    }
  }
  return c;
}

/// A rotation about a random axis by up to `degrees`, and before it any about x.
std::array<double, 9> nearly_flat(test::RandomShapes<real>* random, double degrees) {
  const double tilt = random->uniform(0, degrees) * 0.01745329251994329577;
  const double way = random->uniform(0, 6.28), turn = random->uniform(0, 6.28);
  const double y = std::cos(way), z = std::sin(way), c = std::cos(tilt), s = std::sin(tilt);
  // about (0, y, z): Rodrigues
  const std::array<double, 9> lean = {c,
                                      -z * s,
                                      y * s,
                                      z * s,
                                      c + y * y * (1 - c),
                                      y * z * (1 - c),
                                      -y * s,
                                      y * z * (1 - c),
                                      c + z * z * (1 - c)};
  return product(lean,
                 {1, 0, 0, 0, std::cos(turn), -std::sin(turn), 0, std::sin(turn), std::cos(turn)});
}

void round_to_real(test::Body* body) {
  for (double& x : body->pos) {
    x = static_cast<double>(static_cast<real>(x));
  }
  for (double& x : body->mat) {
    x = static_cast<double>(static_cast<real>(x));
  }
  for (double& x : body->size) {
    x = static_cast<double>(static_cast<real>(x));
  }
}

/// Put body b at (x, y, z) in the frame of body a, turned by `mat` against it.
void place(Couple* c, std::array<double, 3> at, const std::array<double, 9>& mat) {
  c->b.mat = product(c->a.mat, mat);
  for (std::size_t i = 0; i < 3; ++i) {
    c->b.pos[i] = c->a.pos[i];
    for (std::size_t k = 0; k < 3; ++k) {
      c->b.pos[i] += c->a.mat[3 * i + k] * at[k];
    }
  }
  round_to_real(&c->a);
  round_to_real(&c->b);
}

std::string mesh_text(const char* name, const std::string& vertices) {
  return std::string("<mesh name='") + name + "' vertex='" + vertices + "'/>";
}
std::string box_text(double x, double y, double z) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    for (const double half :
         {(i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z}) {
      text += std::to_string(half) + " ";
    }
  }
  return text;
}
/// A prism over an irregular polygon.
std::string prism_text(int corners, double radius, double half) {
  std::string text;
  for (int i = 0; i < 2 * corners; ++i) {
    const double angle =
        6.28318530717958647693 * i / corners + 0.15 * std::sin(7.0 * (i % corners));
    text += std::to_string(radius * std::cos(angle)) + " " +
            std::to_string(0.8 * radius * std::sin(angle)) + " " +
            std::to_string(i < corners ? -half : half) + " ";
  }
  return text;
}

TEST(BoxBox, AgreesWithTheLibrary) {
  for (const test::Draw draw :
       {test::Draw::general, test::Draw::degenerate, test::Draw::near_parallel}) {
    test::RandomShapes<real> random(1);
    OraclePair pair(geom_box, geom_box);
    Tally tally;
    for (int i = 0; i < 3 * poses(); ++i) {
      const Couple c = random.couple(collide_box_box, draw);
      double apart = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        apart += (c.b.pos[k] - c.a.pos[k]) * (c.b.pos[k] - c.a.pos[k]);
      }
      const double detect = c.margin + c.gap;
      if (std::sqrt(apart) > test::bound_of(c.a) + test::bound_of(c.b) + detect - 1e-6) {
        continue;  // the library's test of bounding spheres ends it
      }
      Witness w[8];
      const int n = box_box(to_shape(c.a), to_shape(c.b), static_cast<real>(detect), w);
      count(&tally, w, n, pair.collide(c), length_bar);
    }
    tally.print("box, box");
    EXPECT_GT(tally.contacts, poses() / 2);
    EXPECT_LE(tally.reordered + tally.other, single ? tally.pairs / 50 : 0);
  }
}

TEST(PlaneMesh, AgreesWithTheLibrary) {
  const std::string meshes[] = {box_text(.2, .3, .1), prism_text(5, .3, .1), prism_text(12, .3, .1),
                                points_text(9, .2, .3, .1, 1), points_text(200, .01, .01, .5, 3)};
  for (const std::string& vertices : meshes) {
    test::RandomShapes<real> random(2);
    OraclePair pair(geom_plane, geom_mesh, mesh_text("two", vertices));
    const MeshArrays arrays = mesh_arrays(pair.model(), 0);
    Tally tally;
    for (int i = 0; i < poses(); ++i) {
      Couple c;
      c.a.type = geom_plane;
      c.b.type = geom_mesh;
      c.a.mat = random.rotation();
      // half of them stand on a face along their x axis, the shortest of most of these meshes
      const std::array<double, 9> up = {0, 0, -1, 0, 1, 0, 1, 0, 0};
      place(&c, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.1, 0.35)},
            i % 2 == 0 ? random.rotation() : product(up, nearly_flat(&random, 5)));
      c.margin = static_cast<real>((i % 3) * 0.03);
      Shape b = to_shape(c.b);
      b.mesh = arrays.shape;
      Witness w[4];
      const int n = plane_mesh(to_shape(c.a), b, static_cast<real>(c.margin), w);
      count(&tally, w, n, pair.collide(c), length_bar);
    }
    tally.print("plane, mesh");
    EXPECT_GT(tally.contacts, poses() / 2);
    EXPECT_LE(tally.reordered + tally.other, single ? tally.pairs / 50 : 0);
  }
}

/// Contacts of a mesh (or box) with a mesh, three of four nearly face on face.
Tally compare_meshes(int type1, const std::string& one, const std::string& two, double margin) {
  test::RandomShapes<real> random(3);
  const std::string assets = type1 == geom_mesh ? mesh_text("one", one) : "";
  OraclePair pair(type1, geom_mesh, assets + mesh_text("two", two));
  // at its defaults the library differs from itself by up to 1e-3
  pair.model()->opt.ccd_tolerance = 1e-14;
  pair.model()->opt.ccd_iterations = 1000;
  const int nmesh = static_cast<int>(pair.model()->nmesh);
  const MeshArrays first = mesh_arrays(pair.model(), 0),
                   last = mesh_arrays(pair.model(), nmesh - 1);
  Tally tally;
  for (int i = 0; i < poses(); ++i) {
    Couple c;
    c.a.type = type1;
    c.a.size = {.1, .4, .5};
    c.b.type = geom_mesh;
    c.a.mat = random.rotation();
    place(&c, {random.uniform(-0.1, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)},
          i % 4 == 0 ? random.rotation() : nearly_flat(&random, 8));
    c.margin = static_cast<real>(margin);
    Shape a = to_shape(c.a), b = to_shape(c.b);
    a.mesh = type1 == geom_mesh ? first.shape : MeshShape{};
    b.mesh = last.shape;
    Witness w[4];
    const int n = convex_contacts(a, b, static_cast<real>(c.margin), w);
    count(&tally, w, n, pair.collide(c), margin > 0 ? mesh_bar : length_bar);
  }
  return tally;
}

TEST(MultiContact, OfMeshesAgreesWithTheLibrary) {
  const struct {
    int type1;
    std::string one, two;
  } couples[] = {{geom_mesh, box_text(.5, .4, .1), box_text(.2, .3, .1)},
                 {geom_mesh, box_text(.5, .4, .1), prism_text(7, .35, .1)},
                 {geom_mesh, prism_text(5, .3, .1), prism_text(7, .35, .1)},
                 {geom_mesh, points_text(30, .2, .3, .25, 2), points_text(30, .2, .3, .25, 3)},
                 {geom_box, "", points_text(30, .2, .3, .25, 3)},
                 {geom_box, "", box_text(.2, .3, .1)}};
  for (const auto& couple : couples) {
    for (const double margin : {0.0, 0.05}) {
      const Tally tally = compare_meshes(couple.type1, couple.one, couple.two, margin);
      tally.print(couple.type1 == geom_mesh ? "mesh, mesh" : "box, mesh");
      EXPECT_GT(tally.contacts, poses());
      // the ends of an edge come in the order in which the search met them
      EXPECT_LE(tally.reordered, tally.pairs / 5);
      // several polygons within 5 degrees, coincident corners
      EXPECT_LE(tally.other, tally.pairs / (single ? 10 : 50));
    }
  }
}

/// A rough field of 9 x 12 points.
std::string field_text() {
  test::RandomShapes<double> random(5);
  std::string text = "<hfield name='one' nrow='9' ncol='12' size='1.2 .9 .3 .2' elevation='";
  for (int i = 0; i < 9 * 12; ++i) {
    text += std::to_string(i % 7 == 3 ? 0.0 : random.uniform(0, 1)) + " ";
  }
  return text + "'/>";
}

struct FieldTally {
  int pairs = 0, contacts = 0, most = 0, other_number = 0, other_dist = 0;
};

/// Contacts of a height field and a shape: their number, and the distances in order.
FieldTally compare_on_field(int type, double margin) {
  test::RandomShapes<real> random(6);
  OraclePair pair(
      geom_hfield, type,
      field_text() +
          (type == geom_mesh ? mesh_text("two", points_text(20, .2, .3, .15, 3)) : std::string()));
  mjModel* const m = pair.model();
  // at its defaults the library differs from itself by up to 1e-3
  m->opt.ccd_tolerance = 1e-14;
  m->opt.ccd_iterations = 1000;
  const MeshArrays arrays = type == geom_mesh ? mesh_arrays(m, 0) : MeshArrays{};
  Field field = {9, 12, {}, {1.2_r, 0.9_r, 0.3_r}};
  field.data.assign(m->hfield_data, m->hfield_data + 9 * 12);

  FieldTally tally;
  for (int i = 0; i < poses() / 4; ++i) {
    Couple c;
    c.a.type = geom_hfield;
    c.a.mat = random.rotation();
    c.b.type = type;
    c.b.size = {random.uniform(.03, .3), random.uniform(.03, .3), random.uniform(.03, .3)};
    place(&c, {random.uniform(-1.5, 1.5), random.uniform(-1.2, 1.2), random.uniform(-.3, .6)},
          random.rotation());
    c.margin = static_cast<real>(margin);
    Shape b = to_shape(c.b);
    b.mesh = arrays.shape;
    Witness w[max_hfield_contacts];
    const Shape a = field.at(to_vec(c.a.pos), to_shape(c.a).mat);
    const int n = hfield_convex(a, b, static_cast<real>(margin), w);
    const std::span<const mjContact> want = pair.collide(c);
    tally.pairs += n > 0 || !want.empty() ? 1 : 0;
    tally.contacts += static_cast<int>(want.size());
    tally.most = std::max(tally.most, n);
    if (n != static_cast<int>(want.size())) {
      ++tally.other_number;
      continue;
    }
    for (int k = 0; k < n; ++k) {
      const double off = static_cast<double>(w[k].dist) - want[static_cast<std::size_t>(k)].dist;
      // searches on round shapes end at a gap of 1e-9; f32: roundings of coordinates up to 3
      tally.other_dist += std::abs(off) < (single ? 2e-5 : 1e-8) ? 0 : 1;
    }
  }
  std::printf(
      "height field, type %d, margin %.2f: %d pairs, %d contacts (most %d), other number %d, "
      "other distance %d\n",
      type, margin, tally.pairs, tally.contacts, tally.most, tally.other_number, tally.other_dist);
  return tally;
}

TEST(HeightField, AgreesWithTheLibrary) {
  for (const int type :
       {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder, geom_box, geom_mesh}) {
    const FieldTally tally = compare_on_field(type, 0.1);
    EXPECT_GT(tally.contacts, poses());
    EXPECT_LE(tally.other_number, single ? tally.pairs / 20 : 0);
    EXPECT_LE(tally.other_dist, single ? tally.contacts / 100 : 0);
  }
}

TEST(HeightField, AgreesWithoutAMarginWhereTheLibraryIsRight) {
  for (const int type : {geom_sphere, geom_capsule, geom_ellipsoid, geom_cylinder}) {
    const FieldTally tally = compare_on_field(type, 0);
    EXPECT_LE(tally.other_number, single ? tally.pairs / 20 : 0);
    EXPECT_LE(tally.other_dist, single ? tally.contacts / 100 : 0);
  }
  // with boxes and meshes its distances are not those along its own normals then; with a margin
  // of 1e-9 they are, and ours
  for (const int type : {geom_box, geom_mesh}) {
    EXPECT_LE(compare_on_field(type, 0).other_number, single ? 10 : 0);
    const FieldTally tally = compare_on_field(type, 1e-9);
    EXPECT_LE(tally.other_dist, tally.contacts / 100);
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
