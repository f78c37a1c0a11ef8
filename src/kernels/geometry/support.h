// SPDX-License-Identifier: Apache-2.0
// Support points: the point of a convex shape that lies furthest in a direction.
//
// Shapes are reduced to a core and a radius: a sphere is a ball around a point, a capsule one around
// a segment. All else has radius 0. The support of the whole shape is that of its core plus
// radius * direction, so whoever knows about radii never needs it.
//
// Meshes: of a hull with few vertices all are tried. On a larger one we walk along the edges of the
// hull to the neighbour that lies furthest until no neighbour lies further: a vertex of a convex
// polytope without better neighbours is the best. The walk starts from the vertex of the last query
// (directions of successive queries are alike); the first starts from the best of a small sample.
#pragma once

#include "kernels/geometry/shape.h"

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
enum class CoreKind {
  point,
  segment,
  ellipsoid,
  cylinder,
  box,
  all_vertices,
  hull_vertices,
  climb
};

/// A shape as support queries see it, in its own frame.
struct Core {
  CoreKind kind;
  Vec3<real> size;   ///< [m] segment and cylinder: (radius of the cylinder, any, half length)
  real radius;       ///< [m] of the ball that is added to the core
  const real* vert;  ///< [m] of the mesh, as MeshShape
  int vert_stride;
  int numvert;            ///< vertices of the hull, or all
  const int* edgeadr;     ///< hull: first neighbour of local vertex i
  const int* globalid;    ///< hull: vertex of the mesh
  const int* neighbours;  ///< hull: local vertices, each list ends with -1
  int warm;               ///< climb: where the next walk starts; -1: not known

  SWEPT_FN Vec3<real> vertex(int i) const {
    const real* const p = vert + 3 * i * vert_stride;
    return {element(p), element(p + vert_stride), element(p + 2 * vert_stride)};
  }
};

/// Hulls up to this number of vertices are searched one by one.
constexpr int exhaustive_vertices = 24;

/// Whether the shape has finitely many corners, so that corners with equal ids are equal.
SWEPT_FN bool is_polytope(const Core& core) {
  return core.kind != CoreKind::ellipsoid && core.kind != CoreKind::cylinder;
}

/// The core of a shape that is no plane and no height field.
SWEPT_FN Core core_of(const Shape& s) {
  Core core = {CoreKind::box, s.size,  0_r,     s.mesh.vert, s.mesh.vert_stride, 0,
               nullptr,       nullptr, nullptr, -1};
  switch (s.type) {
    case geom_sphere:
      core.kind = CoreKind::point;
      core.radius = s.size.x;
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
      if (s.mesh.graph == nullptr) {
        core.kind = CoreKind::all_vertices;
        core.numvert = s.mesh.vertnum;
        break;
      }
      // numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid
      core.numvert = element(s.mesh.graph);
      core.edgeadr = s.mesh.graph + 2;
      core.globalid = core.edgeadr + core.numvert;
      core.neighbours = core.globalid + core.numvert;
      core.kind = core.numvert <= exhaustive_vertices ? CoreKind::hull_vertices : CoreKind::climb;
      break;
  }
  return core;
}

/// The best of `count` vertices, every `step`-th from the first; hull vertices if `global`.
SWEPT_FN int best_vertex(const Core& core, const int* global, int count, int step, Vec3<real> dir) {
  int best = 0;
  real reach = dot(core.vertex(global == nullptr ? 0 : element(global)), dir);
  for (int i = step; i < count; i += step) {
    const real x = dot(core.vertex(global == nullptr ? i : element(global + i)), dir);
    best = x > reach ? i : best;
    reach = x > reach ? x : reach;
  }
  return best;
}

/// The local hull vertex furthest along `dir`, by walking from the last one found.
SWEPT_FN int climb(Core* core, Vec3<real> dir) {
  int at = core->warm;
  if (at < 0) {
    // s samples leave sqrt(n / s) steps: both are few for s about the cube root of n
    int samples = 16;
    while (samples * samples * samples < core->numvert) {
      samples *= 2;
    }
    at = best_vertex(*core, core->globalid, core->numvert, core->numvert / samples, dir);
  }
  real reach = dot(core->vertex(element(core->globalid + at)), dir);
  for (int from = -1; from != at;) {
    // the best of the neighbours; strictly further each time, so no vertex comes twice
    from = at;
    for (const int* next = core->neighbours + element(core->edgeadr + from); element(next) >= 0;
         ++next) {
      const real x = dot(core->vertex(element(core->globalid + element(next))), dir);
      at = x > reach ? element(next) : at;
      reach = x > reach ? x : reach;
    }
  }
  core->warm = at;
  return at;
}

/// The corner of a mesh furthest along `dir`.
SWEPT_FN Corner mesh_support(Core* core, Vec3<real> dir) {
  int vertex = 0;
  if (core->kind == CoreKind::all_vertices) {
    vertex = best_vertex(*core, nullptr, core->numvert, 1, dir);
  } else if (core->kind == CoreKind::hull_vertices) {
    vertex = element(core->globalid + best_vertex(*core, core->globalid, core->numvert, 1, dir));
  } else {
    vertex = element(core->globalid + climb(core, dir));
  }
  return {core->vertex(vertex), vertex};
}

/// The point of the core furthest along the unit vector `dir`, both in the frame of the shape.
SWEPT_FN Corner support(Core* core, Vec3<real> dir) {
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
      const real scale = length > 1e-15_r ? s.x / length : 0_r;
      return {{dir.x * scale, dir.y * scale, up != 0 ? s.z : -s.z}, up};
    }
    case CoreKind::box: {
      const int right = dir.x > 0_r ? 1 : 0, back = dir.y > 0_r ? 1 : 0;
      return {{right != 0 ? s.x : -s.x, back != 0 ? s.y : -s.y, up != 0 ? s.z : -s.z},
              right | back << 1 | up << 2};
    }
    default:
      return mesh_support(core, dir);
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
SWEPT_FN Mat3<real> transpose_mul(Mat3<real> a, Mat3<real> b) {
  const Vec3<real> x = transpose_mul(a, column_x(b)), y = transpose_mul(a, column_y(b)),
                   z = transpose_mul(a, column_z(b));
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

SWEPT_FN CorePair pair_of(const Shape& s1, const Shape& s2) {
  CorePair pair = {core_of(s1), core_of(s2), transpose_mul(s1.mat, s2.mat),
                   transpose_mul(s1.mat, s2.pos - s1.pos), false};
  pair.polytopes = is_polytope(pair.core1) && is_polytope(pair.core2);
  return pair;
}

/// The vertex of the difference furthest along the unit vector `dir`, written where it is to stand:
/// a copy of what has just been written costs more than the vertex.
SWEPT_FN void support(CorePair* pair, Vec3<real> dir, Vertex* out) {
  const Corner c1 = support(&pair->core1, dir);
  const Corner c2 = support(&pair->core2, -transpose_mul(pair->turn, dir));
  const Vec3<real> b = pair->turn * c2.point + pair->shift;
  out->w = c1.point - b;
  out->a = c1.point;
  out->id1 = c1.id;
  out->id2 = c2.id;
}
SWEPT_FN Vertex support(CorePair* pair, Vec3<real> dir) {
  Vertex v;
  support(pair, dir, &v);
  return v;
}

}  // namespace swept::SWEPT_NS
