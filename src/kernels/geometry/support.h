// SPDX-License-Identifier: Apache-2.0
// Support points: the point of a convex shape that lies furthest in a direction.
//
// Shapes are reduced to a core and a radius: a sphere is a ball around a point, a capsule one
// around a segment. All else has radius 0. The support of the whole shape is that of its core plus
// radius * direction, so whoever knows about radii never needs it.
#pragma once

#include "kernels/geometry/hull.h"

namespace swept::SWEPT_NS {

/// a / |a| for a of any length; (1, 0, 0) if it is zero.
SWEPT_FN Vec3<real> unit(Vec3<real> a) {
  const real most = max(abs(a.x), max(abs(a.y), abs(a.z)));
  if (!(most > 0_r)) {
    return {1_r, 0_r, 0_r};
  }
  const Vec3<real> b = a * (1_r / most);
  return b * (1_r / norm(b));
}

/// A point of the surface, and which corner it is (Feature::id).
struct Corner {
  Vec3<real> point;
  int id;
};

/// What a support query does.
enum class CoreKind { point, segment, ellipsoid, cylinder, box, hull };

/// A shape as support queries see it, in its own frame.
struct Core {
  CoreKind kind;
  Vec3<real> size;  ///< [m] segment and cylinder: (radius of the cylinder, any,
                    ///< half length); hull: a factor of its coordinates
  real radius;      ///< [m] of the ball that is added to the core
  Hull hull;        ///< kind hull only
};

/// Whether the shape has finitely many corners, so that corners with equal ids are equal.
SWEPT_FN bool is_polytope(CoreKind kind) {
  return kind != CoreKind::ellipsoid && kind != CoreKind::cylinder;
}
SWEPT_FN bool is_polytope(const Core& core) {
  return is_polytope(core.kind);
}

/// The hull of a mesh, or of a few points.
SWEPT_FN Hull hull_of(const MeshShape& mesh) {
  Hull hull;
  hull.vert = mesh.vert;
  hull.vert_stride = mesh.vert_stride;
  hull.numvert = mesh.vertnum;
  hull.edgeadr = hull.globalid = hull.neighbours = nullptr;
  hull.seed = mesh.seed;
  hull.cell = mesh.cell;
  hull.seednum = mesh.seednum;
  hull.blocks = nullptr;
  hull.blockid = mesh.hullid;
  hull.polynum = mesh.polynum;
  hull.polynormal = mesh.polynormal;
  hull.polynormal_stride = mesh.polynormal_stride;
  hull.warm = -1;
  if (mesh.graph != nullptr) {
    // numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid
    hull.numvert = element(mesh.graph);
    hull.edgeadr = mesh.graph + 2;
    hull.globalid = hull.edgeadr + hull.numvert;
    hull.neighbours = hull.globalid + hull.numvert;
    if (mesh.hullnum > 0 || mesh.seednum > 0) {
      hull.blocks = mesh.hullvert;
    }
  }
  return hull;
}

/// The core of a shape that is no plane and no height field.
SWEPT_FN Core core_of(const Shape& s) {
  Core core;
  core.kind = CoreKind::box;
  core.size = s.size;
  core.radius = 0_r;
  core.hull.numvert = 0;
  switch (s.type) {
    case geom_sphere:
      core.kind = CoreKind::point;
      core.radius = s.size.x;
      core.size = {0_r, 0_r, 0_r};
      break;
    case geom_capsule:
      core.kind = CoreKind::segment;
      core.radius = s.size.x;
      core.size = {0_r, 0_r, s.size.y};
      break;
    case geom_ellipsoid:
      core.kind = CoreKind::ellipsoid;
      break;
    case geom_cylinder:
      core.kind = CoreKind::cylinder;
      core.size = {s.size.x, s.size.x, s.size.y};
      break;
    case geom_box:
      break;
    default:
      core.kind = CoreKind::hull;
      core.size = {1_r, 1_r, 1_r};
      core.hull = hull_of(s.mesh);
      break;
  }
  return core;
}

/// The point of the core furthest along `dir` [any length], both in the frame of the shape.
[[gnu::always_inline]] SWEPT_FN Corner support(Core* core, Vec3<real> dir) {
  const Vec3<real> s = core->size;
  const int up = dir.z > 0_r ? 1 : 0;
  switch (core->kind) {
    case CoreKind::point:
      return {{0_r, 0_r, 0_r}, 0};
    case CoreKind::segment:
      return {{0_r, 0_r, up != 0 ? s.z : -s.z}, up};
    case CoreKind::ellipsoid: {
      // the gradient of |S dir| is S S dir / |S dir|
      const Vec3<real> y = {s.x * dir.x, s.y * dir.y, s.z * dir.z};
      const real length = norm(y);
      const real scale = length > 0_r ? 1_r / length : 0_r;
      return {{s.x * y.x * scale, s.y * y.y * scale, s.z * y.z * scale}, 0};
    }
    case CoreKind::cylinder: {
      // along the axis the whole disk is furthest: its centre
      const real length = sqrt(dir.x * dir.x + dir.y * dir.y);
      const real scale = length > 1e-15_r * abs(dir.z) ? s.x / length : 0_r;
      return {{dir.x * scale, dir.y * scale, up != 0 ? s.z : -s.z}, up};
    }
    case CoreKind::box: {
      const int right = dir.x > 0_r ? 1 : 0, back = dir.y > 0_r ? 1 : 0;
      return {{right != 0 ? s.x : -s.x, back != 0 ? s.y : -s.y, up != 0 ? s.z : -s.z},
              right | back << 1 | up << 2};
    }
    default: {
      const HullVertex v = furthest(&core->hull, dir);
      return {s.x * v.point, v.id};
    }
  }
}

// ---- two shapes ---------------------------------------------------------------------------------

/// A point of the difference {a - b}, and the points it comes from.
struct Vertex {
  Vec3<real> w;  ///< a - b
  Vec3<real> a;  ///< in the frame of shape 1
  int id1, id2;
};

/// Two cores; everything stands in the frame of core 1, so positions far from the world's origin
/// cost no digits.
struct CorePair {
  Core core1, core2;
  Mat3<real> turn;   ///< columns: axes of core 2
  Vec3<real> shift;  ///< centre of core 2
  bool polytopes;    ///< both have finitely many corners
};

/// The matrix a^T b.
template <class V>
SWEPT_FN Mat3<V> transpose_mul(Mat3<V> a, Mat3<V> b) {
  const Vec3<V> x = transpose_mul(a, column_x(b)), y = transpose_mul(a, column_y(b)),
                z = transpose_mul(a, column_z(b));
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

SWEPT_FN CorePair pair_of(const Shape& s1, const Shape& s2) {
  CorePair pair = {core_of(s1), core_of(s2), transpose_mul(s1.mat, s2.mat),
                   transpose_mul(s1.mat, s2.pos - s1.pos), false};
  pair.polytopes = is_polytope(pair.core1) && is_polytope(pair.core2);
  return pair;
}

/// Sizes of pairs [m] between which a product of six coordinates is far from the ends of the range.
constexpr real least_size = sizeof(real) == 4 ? 4e-3_r : 1e-30_r;
constexpr real most_size = sizeof(real) == 4 ? 256_r : 1e30_r;

/// The largest coordinate of a hull.
SWEPT_FN real extent_of_hull(Core* core) {
  real most = 0_r;
  for (int i = 0; i < 6; ++i) {
    const real sign = i < 3 ? 1_r : -1_r;
    const Vec3<real> dir = {i % 3 == 0 ? sign : 0_r, i % 3 == 1 ? sign : 0_r,
                            i % 3 == 2 ? sign : 0_r};
    most = max(most, fused_dot(dir, support(core, dir).point));
  }
  return most;
}

/// The unit of length [m] in which the numbers of a pair are of usual size: a power of two, so
/// nothing rounds; 1 for almost all pairs.
SWEPT_FN real unit_of_length(CorePair* pair) {
  const Vec3<real> shift = pair->shift;
  real most = max(max(abs(shift.x), abs(shift.y)), abs(shift.z));
  Core* const cores[2] = {&pair->core1, &pair->core2};
  for (Core* const core : cores) {
    const Vec3<real> s = core->size;
    most = core->kind == CoreKind::hull ? most : max(most, max(max(s.x, s.y), s.z));
  }
  for (Core* const core : cores) {
    if (most < least_size && core->kind == CoreKind::hull) {
      most = max(most, extent_of_hull(core));
    }
  }
  real length = 1_r;
  while (most > 0_r && most < least_size * length && length > 1e-30_r) {
    length = 0.0625_r * length;
  }
  while (most > most_size * length && length < 1e30_r) {
    length = 16_r * length;
  }
  return length;
}

/// Measure a pair in another unit: multiply all its lengths.
SWEPT_FN void rescale(CorePair* pair, real factor) {
  pair->shift = factor * pair->shift;
  Core* const cores[2] = {&pair->core1, &pair->core2};
  for (Core* const core : cores) {
    core->size = factor * core->size;
    core->radius = factor * core->radius;
  }
}

/// The vertex of the difference furthest along `dir` [any length], written where it is to stand: a
/// copy of what has just been written costs more than the vertex.
[[gnu::always_inline]] SWEPT_FN void support(CorePair* pair, Vec3<real> dir, Vertex* out) {
  const Corner c1 = support(&pair->core1, dir);
  const Corner c2 = support(&pair->core2, -fused_transpose_mul(pair->turn, dir));
  const Vec3<real> b = fused_mul(pair->turn, c2.point, pair->shift);
  out->w = c1.point - b;
  out->a = c1.point;
  out->id1 = c1.id;
  out->id2 = c2.id;
}
/// The same, where time does not count: the code stands once.
[[gnu::noinline]] SWEPT_FN Vertex support(CorePair* pair, Vec3<real> dir) {
  Vertex v;
  support(pair, dir, &v);
  return v;
}

}  // namespace swept::SWEPT_NS
