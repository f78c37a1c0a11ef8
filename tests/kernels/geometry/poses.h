// SPDX-License-Identifier: Apache-2.0
// Random pairs of convex shapes in random poses, for the tests of distances: the geoms of one model
// of the official library, whose compiler also makes the hulls of the meshes.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "kernels/geometry/shape.h"
#include "support/oracle_tile.h"

namespace swept::SWEPT_NS {

/// Number of cases: many if SWEPT_LONG is set; that number of them if it is one above 1.
inline int case_count(int few, int many) {
  const char* const text = std::getenv("SWEPT_LONG");
  if (text == nullptr) {
    return few;
  }
  const int wanted = std::atoi(text);
  return wanted > 1 ? wanted : many;
}

/// A geom that tests draw: its type, and the mesh if it is one.
struct Kind {
  const char* name;
  int type;
  const char* mesh;
};
inline constexpr Kind kinds[] = {
    {"sphere", geom_sphere, ""},
    {"capsule", geom_capsule, ""},
    {"ellipsoid", geom_ellipsoid, ""},
    {"cylinder", geom_cylinder, ""},
    {"box", geom_box, ""},
    {"tetrahedron", geom_mesh, "tetrahedron"},
    {"pebble", geom_mesh, "pebble"},
    {"ball", geom_mesh, "ball"},
    {"needle", geom_mesh, "needle"},
    {"plate", geom_mesh, "plate"},
};
inline constexpr int nkind = static_cast<int>(std::size(kinds));

/// Points of a mesh on an ellipsoid, as the text of the attribute `vertex`.
inline std::string points_text(int count, double x, double y, double z, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::string text;
  for (int i = 0; i < count; ++i) {
    double p[3] = {normal(random), normal(random), normal(random)};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    text += std::to_string(p[0] / length * x) + " " + std::to_string(p[1] / length * y) + " " +
            std::to_string(p[2] / length * z) + " ";
  }
  return text;
}

/// A model with two free geoms of each kind: geoms 2 k and 2 k + 1 are of kind k.
inline OracleModel all_kinds() {
  const std::string meshes =
      "<mesh name='tetrahedron' vertex='.2 0 0 0 .3 0 0 0 .2 -.1 -.1 -.1'/>"
      "<mesh name='pebble' vertex='" +
      points_text(12, 0.2, 0.3, 0.25, 1) +
      "'/>"
      "<mesh name='ball' vertex='" +
      points_text(80, 0.25, 0.25, 0.25, 2) +
      "'/>"
      "<mesh name='needle' vertex='" +
      points_text(40, 0.02, 0.02, 0.5, 3) +
      "'/>"
      "<mesh name='plate' vertex='" +
      points_text(40, 0.4, 0.3, 0.01, 4) + "'/>";
  std::string bodies;
  for (const Kind& kind : kinds) {
    const char* const type = kind.type == geom_mesh ? "mesh" : kind.name;
    const std::string geom =
        std::string("<body><freejoint/><geom type='") + type + "' size='.1 .1 .1'" +
        (kind.type == geom_mesh ? std::string(" mesh='") + kind.mesh + "'" : std::string()) +
        "/></body>";
    bodies += geom + geom;
  }
  return OracleModel::from_text("<mujoco><asset>" + meshes + "</asset><worldbody>" + bodies +
                                "</worldbody></mujoco>");
}

/// Arrays of a mesh of the official model in the precision of this configuration.
struct MeshArrays {
  std::vector<real> vert, polynormal, hullvert;
  std::vector<int> hullid, seed;
  MeshShape shape;
};

/// The blocks of a small hull, or the cells of a large one.
inline void add_blocks(MeshArrays* a) {
  MeshShape& s = a->shape;
  if (s.graph == nullptr) {
    return;
  }
  const int numvert = s.graph[0];
  const int* const globalid = s.graph + 2 + numvert;
  for (int b = 0; b < hull_blocks(numvert); ++b) {
    for (int k = 0; k < 3 * hull_block; ++k) {
      const int i = b * hull_block + k % hull_block;
      const int vertex = globalid[i < numvert ? i : 0];
      const Vec3<real> v = s.vertex(vertex);
      a->hullvert.push_back(k < hull_block ? v.x : k < 2 * hull_block ? v.y : v.z);
      if (k < hull_block) {
        a->hullid.push_back(vertex);
      }
    }
  }
  s.hullnum = hull_blocks(numvert) > 0 ? numvert : 0;
  s.hullid = a->hullid.data();
  s.hullvert = a->hullvert.data();
}

inline MeshArrays mesh_arrays(const mjModel* m, int mesh) {
  MeshArrays a;
  const int vertadr = m->mesh_vertadr[mesh], polyadr = m->mesh_polyadr[mesh];
  a.vert.assign(m->mesh_vert + 3 * vertadr, m->mesh_vert + 3 * (vertadr + m->mesh_vertnum[mesh]));
  for (int i = 3 * polyadr; i < 3 * (polyadr + m->mesh_polynum[mesh]); ++i) {
    a.polynormal.push_back(static_cast<real>(m->mesh_polynormal[i]));
  }
  MeshShape& s = a.shape;
  s.vert = a.vert.data();
  s.vertnum = m->mesh_vertnum[mesh];
  s.graph = m->mesh_graphadr[mesh] < 0 ? nullptr : m->mesh_graph + m->mesh_graphadr[mesh];
  add_blocks(&a);
  s.polynum = m->mesh_polynum[mesh];
  s.polyvertadr = m->mesh_polyvertadr + polyadr;
  s.polyvertnum = m->mesh_polyvertnum + polyadr;
  s.polyvert = m->mesh_polyvert;
  s.polynormal = a.polynormal.data();
  s.polymapadr = m->mesh_polymapadr + vertadr;
  s.polymapnum = m->mesh_polymapnum + vertadr;
  s.polymap = m->mesh_polymap;
  return a;
}

/// How a pair is drawn: anywhere near each other, deep in each other, with faces and axes that are
/// parallel and touch in numbers that are exact, almost so, with sizes from 1e-6 to 1e6, or
/// with such sizes in one shape.
enum class Draw { general, deep, aligned, near_aligned, sizes, wild };
inline constexpr Draw draws[] = {Draw::general, Draw::deep, Draw::aligned, Draw::near_aligned,
                                 Draw::sizes};

/// Draws shapes and poses.
class Poses {
 public:
  explicit Poses(unsigned seed) : scene(all_kinds()), random_(seed) {
    for (int i = 0; i < scene.model->nmesh; ++i) {
      meshes_.push_back(mesh_arrays(scene.model, i));
    }
  }

  OracleModel scene;

  /// Go on with the random numbers of this number, whatever was drawn before.
  void restart(std::uint64_t number) { random_.seed(number); }

  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }
  Vec3<real> direction() {
    const double z = uniform(-1, 1), t = uniform(0, 6.283185307179586), r = std::sqrt(1 - z * z);
    return {static_cast<real>(r * std::cos(t)), static_cast<real>(r * std::sin(t)),
            static_cast<real>(z)};
  }
  Mat3<real> rotation() {
    std::normal_distribution<double> normal;
    double q[4], length = 0;
    for (double& x : q) {
      x = normal(random_);
      length += x * x;
    }
    for (double& x : q) {
      x /= std::sqrt(length);
    }
    const Quat<real> rounded = {static_cast<real>(q[0]), static_cast<real>(q[1]),
                                static_cast<real>(q[2]), static_cast<real>(q[3])};
    return matrix(normalize(rounded));
  }

  /// A shape of kind k at the origin.
  Shape shape(int k) {
    Shape s = {kinds[k].type, zero3<real>(), rotation(), zero3<real>()};
    if (s.type == geom_mesh) {
      const int geom = 2 * k;
      s.mesh = meshes_[static_cast<std::size_t>(scene.model->geom_dataid[geom])].shape;
      // the geom's size is the half size of its box
      const mjtNum* const half = scene.model->geom_aabb + 6 * geom + 3;
      s.size = {static_cast<real>(half[0]), static_cast<real>(half[1]), static_cast<real>(half[2])};
      return s;
    }
    s.size = {size(), size(), size()};
    return s;
  }
  real size() { return static_cast<real>(uniform(0.05, 0.4)); }

  /// Radius of a ball around the shape.
  static real bound(const Shape& s) {
    switch (s.type) {
      case geom_sphere:
        return s.size.x;
      case geom_capsule:
        return s.size.x + s.size.y;
      case geom_ellipsoid:
        return max(s.size.x, max(s.size.y, s.size.z));
      case geom_cylinder:
        return sqrt(s.size.x * s.size.x + s.size.y * s.size.y);
      default:
        return norm(s.size);
    }
  }

  /// Two shapes around a random place; `spread` times the sum of their bounds is the largest
  /// distance of the centres.
  void couple(int k1, int k2, double spread, Shape* a, Shape* b) {
    *a = shape(k1);
    *b = shape(k2);
    a->pos = {static_cast<real>(uniform(-1, 1)), static_cast<real>(uniform(-1, 1)),
              static_cast<real>(uniform(-1, 1))};
    const real apart =
        static_cast<real>(spread * std::cbrt(uniform(0, 1))) * (bound(*a) + bound(*b));
    b->pos = a->pos + apart * direction();
  }

  /// Two shapes drawn in one of the ways.
  void couple(int k1, int k2, Draw draw, Shape* a, Shape* b) {
    couple(k1, k2, draw == Draw::deep ? 0.4 : 1.0, a, b);
    if (draw == Draw::sizes || draw == Draw::wild) {
      resize(a, draw == Draw::wild);
      resize(b, draw == Draw::wild);
      const real apart = static_cast<real>(uniform(0, 1)) * (bound(*a) + bound(*b));
      b->pos = a->pos + (integer(0, 3) == 0 ? 0_r : apart) * direction();
    }
    if (draw == Draw::aligned || draw == Draw::near_aligned) {
      for (Shape* const s : {a, b}) {
        s->mat = right_angles();
        if (s->type != geom_mesh) {
          s->size = {eighths(1, 4), eighths(1, 4), eighths(1, 4)};
        }
        s->pos = {eighths(-3, 3), eighths(-3, 3), eighths(-3, 3)};
      }
      if (integer(0, 4) == 0) {
        b->pos = a->pos;
      }
      if (integer(0, 4) == 0) {
        b->size = b->type == a->type ? a->size : b->size;
      }
    }
    if (draw == Draw::near_aligned) {
      const double angle = std::pow(10.0, uniform(sizeof(real) == 4 ? -6 : -12, -1));
      const Vec3<real> axis = direction();
      const real s = static_cast<real>(std::sin(angle / 2));
      const Quat<real> tilt = {static_cast<real>(std::cos(angle / 2)), s * axis.x, s * axis.y,
                               s * axis.z};
      b->mat = product(matrix(normalize(tilt)), b->mat);
      b->pos = b->pos + static_cast<real>(angle) * direction();
    }
  }

  /// One of the 24 rotations by right angles.
  Mat3<real> right_angles() {
    const int which = integer(0, 5);
    const real sx = integer(0, 1) == 0 ? 1_r : -1_r, sy = integer(0, 1) == 0 ? 1_r : -1_r;
    const real sz = (which < 3 ? 1_r : -1_r) * sx * sy;
    const int rows[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    real m[9] = {};
    m[3 * rows[which][0]] = sx;
    m[3 * rows[which][1] + 1] = sy;
    m[3 * rows[which][2] + 2] = sz;
    return {m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]};
  }

  static Mat3<real> product(Mat3<real> a, Mat3<real> b) {
    const Vec3<real> x = a * column_x(b), y = a * column_y(b), z = a * column_z(b);
    return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  }

  /// Put a pair into the official model; its geoms are 2 k1 and 2 k2 + 1.
  void to_oracle(int k1, int k2, const Shape& a, const Shape& b) {
    put_geom(2 * k1, a);
    put_geom(2 * k2 + 1, b);
  }

 private:
  real eighths(int lo, int hi) { return static_cast<real>(integer(lo, hi)) / 8_r; }

  // sizes from 1e-6 to 1e6; those of one shape differ by up to 30, or by orders if it is `wild`; a
  // sphere's or capsule's radius may be 0
  void resize(Shape* s, bool wild) {
    if (s->type == geom_mesh) {
      return;
    }
    constexpr double orders[] = {1e-6, 1e-3, 1, 1, 1e3, 1e6};
    double order = orders[integer(0, 5)];
    const auto draw = [&]() {
      order = wild ? orders[integer(0, 5)] : order;
      return static_cast<real>(order * std::pow(10.0, uniform(-1.5, 0)));
    };
    const bool round = s->type == geom_sphere || s->type == geom_capsule;
    const bool zero = round && integer(0, 3) == 0;
    s->size = {draw(), draw(), draw()};
    s->size.x = zero ? 0_r : s->size.x;
  }

  void put_geom(int geom, const Shape& s) {
    mjModel* const m = scene.model;
    mjData* const d = scene.data;
    const real pos[3] = {s.pos.x, s.pos.y, s.pos.z};
    const real mat[9] = {s.mat.xx, s.mat.xy, s.mat.xz, s.mat.yx, s.mat.yy,
                         s.mat.yz, s.mat.zx, s.mat.zy, s.mat.zz};
    std::copy(pos, pos + 3, d->geom_xpos + 3 * geom);
    std::copy(mat, mat + 9, d->geom_xmat + 9 * geom);
    if (s.type != geom_mesh) {
      const real size[3] = {s.size.x, s.size.y, s.size.z};
      std::copy(size, size + 3, m->geom_size + 3 * geom);
      m->geom_rbound[geom] = static_cast<double>(bound(s));
    }
  }

  std::vector<MeshArrays> meshes_;
  std::mt19937_64 random_;
};

}  // namespace swept::SWEPT_NS
