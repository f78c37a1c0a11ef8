// SPDX-License-Identifier: Apache-2.0
// The faces and lines of a shape at its nearest point, for multiple contacts.
//
// A polytope (mesh, box, prism) has those that its feature belongs to: the polygons around a vertex
// or on both sides of an edge, or the one polygon; the edges at a vertex, or the one edge. A
// cylinder has the disk at the side of its corners, as a regular polygon of 16 corners, and, where
// it lies on its wall, the line on the wall there. A capsule has its axis, with balls around it.
#pragma once

#include "kernels/geometry/features.h"
#include "kernels/math/functions.h"

namespace swept::SWEPT_NS {

/// Corners of the polygon that stands for a disk.
constexpr int disk_corners = 16;
/// More corners of a polygon of a mesh are thinned out evenly.
constexpr int max_corners = 64;
/// A line lies along a face or a wall if |cos| of its angle to the normal is below.
constexpr real edge_along = 0.0888_r;

/// Corners of a polygon (clockwise seen from outside), or the two ends of a line.
struct Outline {
  enum class Kind { mesh, box, disk, line };

  Kind kind = Kind::line;
  const Shape* shape = nullptr;
  int face = 0;   ///< mesh: polygon; box: 2 axis + (1: positive side); disk: 1 at positive z
  int count = 0;  ///< corners
  Vec3<real> ends[2] = {};  ///< [m] line: in the world

  /// Corner i [m] in the world.
  SWEPT_FN Vec3<real> corner(int i) const;
};

/// Corner i of a box's face in units of its half sizes. They start where the official library's do,
/// so that contacts come in its order.
SWEPT_FN Vec3<real> box_corner(int face, int i) {
  constexpr int start[6] = {3, 3, 3, 1, 0, 2};
  const int at = (i + start[face]) % 4;
  const real side = face % 2 == 1 ? 1_r : -1_r;
  const real u = at == 0 || at == 3 ? 1_r : -1_r;
  const real v = (at < 2 ? -1_r : 1_r) * side;
  const int axis = face / 2;
  return axis == 0 ? Vec3<real>{side, u, v}
                   : (axis == 1 ? Vec3<real>{v, side, u} : Vec3<real>{u, v, side});
}

SWEPT_FN Vec3<real> Outline::corner(int i) const {
  const Shape& s = *shape;
  switch (kind) {
    case Kind::mesh: {
      const int all = element(s.mesh.polyvertnum + face);
      const int at = all == count ? i : static_cast<int>(static_cast<long long>(i) * all / count);
      const int vertex =
          element(s.mesh.polyvert + element(s.mesh.polyvertadr + face) + all - 1 - at);
      return s.pos + s.mat * s.mesh.vertex(vertex);
    }
    case Kind::box: {
      const Vec3<real> c = box_corner(face, i);
      return s.pos + s.mat * Vec3<real>{c.x * s.size.x, c.y * s.size.y, c.z * s.size.z};
    }
    case Kind::disk: {
      const real side = face == 1 ? 1_r : -1_r;
      real sine, cosine;
      sincos(-side * static_cast<real>(i) * (6.28318530717958647693_r / real(disk_corners)), &sine,
             &cosine);
      return s.pos + s.mat * Vec3<real>{s.size.x * cosine, s.size.x * sine, side * s.size.y};
    }
    default:
      return ends[i];
  }
}

/// A face, if `there`.
struct Face {
  bool there = false;
  Vec3<real> normal = {};  ///< out of the shape, unit
  Outline outline;
};

/// A line, if `there`.
struct Line {
  bool there = false;
  Vec3<real> direction = {};  ///< unit
  real radius = 0_r;          ///< [m] of the balls around it
  Outline outline;
};

/// Whether a shape is a hull with polygons.
SWEPT_FN bool has_polygons(const Shape& s) {
  return (s.type == geom_mesh || s.type == shape_points) && s.mesh.polynum > 0;
}

/// The number of face_at's faces to look at.
SWEPT_FN int face_count(const Shape& s, const Feature& f) {
  if (f.count == 0) {
    return 0;
  }
  if (has_polygons(s)) {
    return element(s.mesh.polymapnum + f.id[0]);
  }
  return s.type == geom_box ? 6 : (s.type == geom_cylinder ? 2 : 0);
}

/// Whether polygon p of a mesh has the vertex.
SWEPT_FN bool polygon_has(const MeshShape& mesh, int p, int vertex) {
  const int first = element(mesh.polyvertadr + p), count = element(mesh.polyvertnum + p);
  bool has = false;
  for (int i = 0; i < count && !has; ++i) {
    has = element(mesh.polyvert + first + i) == vertex;
  }
  return has;
}

/// Whether face number i at the feature is there: the feature is part of it.
SWEPT_FN bool face_is_there(const Shape& s, const Feature& f, int i) {
  if (has_polygons(s)) {
    const int p = element(s.mesh.polymap + element(s.mesh.polymapadr + f.id[0]) + i);
    bool there = true;
    for (int k = 1; k < f.count && there; ++k) {
      there = polygon_has(s.mesh, p, f.id[k]);
    }
    return there;
  }
  const bool box = s.type == geom_box;
  bool there = true;
  for (int k = 0; k < f.count; ++k) {
    there = there && (box ? ((f.id[k] >> (i / 2)) & 1) == i % 2 : f.id[k] == i);
  }
  return there;
}

/// Its normal in the world.
SWEPT_FN Vec3<real> face_normal(const Shape& s, const Feature& f, int i) {
  if (has_polygons(s)) {
    return s.mat *
           s.mesh.normal(element(s.mesh.polymap + element(s.mesh.polymapadr + f.id[0]) + i));
  }
  const real sign = i % 2 == 1 ? 1_r : -1_r;
  const int axis = s.type == geom_box ? i / 2 : 2;
  const Vec3<real> n =
      axis == 0 ? column_x(s.mat) : (axis == 1 ? column_y(s.mat) : column_z(s.mat));
  return n * sign;
}

/// Face number i at the feature, which is there.
SWEPT_FN Face face_at(const Shape& s, const Feature& f, int i) {
  Face face;
  face.outline.shape = &s;
  face.there = true;
  face.normal = face_normal(s, f, i);
  if (has_polygons(s)) {
    const int p = element(s.mesh.polymap + element(s.mesh.polymapadr + f.id[0]) + i);
    const int corners = element(s.mesh.polyvertnum + p);
    face.outline.kind = Outline::Kind::mesh;
    face.outline.face = p;
    face.outline.count = corners < max_corners ? corners : max_corners;
  } else {
    const bool box = s.type == geom_box;
    face.outline.kind = box ? Outline::Kind::box : Outline::Kind::disk;
    face.outline.face = i;
    face.outline.count = box ? 4 : disk_corners;
  }
  return face;
}

/// The faces at a feature: which are there, and their normals. They are looked at several times.
struct FaceList {
  static constexpr int room = 12;
  const Shape* shape = nullptr;
  const Feature* feature = nullptr;
  int total = 0;  ///< faces to look at
  int count = 0;  ///< that are there, of those before `rest`
  int rest = 0;   ///< faces from here on are not in the arrays
  int at[room];
  Vec3<real> normal[room];

  /// The first face that `wanted` takes by its normal; -1: none.
  SWEPT_FN int find(const auto& wanted) const {
    for (int i = 0; i < count; ++i) {
      if (wanted(normal[i])) {
        return at[i];
      }
    }
    for (int i = rest; i < total; ++i) {
      if (face_is_there(*shape, *feature, i) && wanted(face_normal(*shape, *feature, i))) {
        return i;
      }
    }
    return -1;
  }
};

SWEPT_FN void list_faces(const Shape& s, const Feature& f, FaceList* list) {
  list->shape = &s;
  list->feature = &f;
  list->total = face_count(s, f);
  int i = 0;
  for (; i < list->total && list->count < FaceList::room; ++i) {
    if (face_is_there(s, f, i)) {
      list->at[list->count] = i;
      list->normal[list->count++] = face_normal(s, f, i);
    }
  }
  list->rest = i;
}

/// The number of line_at's lines to look at.
SWEPT_FN int line_count(const Shape& s, const Feature& f) {
  if (s.type == geom_capsule || s.type == geom_cylinder || f.count == 2) {
    return s.type == geom_sphere || s.type == geom_ellipsoid ? 0 : 1;
  }
  if (f.count != 1) {
    return 0;
  }
  return s.type == geom_box ? 3 : (has_polygons(s) ? element(s.mesh.polymapnum + f.id[0]) : 0);
}

/// The end other than the feature's vertex of edge i at it, in the frame of the shape.
SWEPT_FN Vec3<real> edge_end(const Shape& s, const Feature& f, int i) {
  if (s.type == geom_box) {
    Vec3<real> p = f.point[0];
    p.x = i == 0 ? -p.x : p.x;
    p.y = i == 1 ? -p.y : p.y;
    p.z = i == 2 ? -p.z : p.z;
    return p;
  }
  // the corner before it in polygon i: each edge is that of one polygon
  const int p = element(s.mesh.polymap + element(s.mesh.polymapadr + f.id[0]) + i);
  const int first = element(s.mesh.polyvertadr + p), count = element(s.mesh.polyvertnum + p);
  int before = element(s.mesh.polyvert + first + count - 1);
  for (int k = 1; k < count; ++k) {
    if (element(s.mesh.polyvert + first + k) == f.id[0]) {
      before = element(s.mesh.polyvert + first + k - 1);
    }
  }
  return s.mesh.vertex(before);
}

/// Line number i at the feature.
///   toward   unit vector out of the shape to the other one: round shapes have their line there
SWEPT_FN Line line_at(const Shape& s, const Feature& f, int i, Vec3<real> toward) {
  Line line;
  line.outline.shape = &s;
  line.outline.count = 2;
  Vec3<real>* const ends = line.outline.ends;
  if (s.type == geom_capsule || s.type == geom_cylinder) {
    const Vec3<real> axis = column_z(s.mat);
    const bool wall = s.type == geom_cylinder;
    const Vec3<real> across = normalize(toward - axis * dot(axis, toward)) * s.size.x;
    const Vec3<real> middle = s.pos + (wall ? across : zero3<real>());
    ends[0] = middle - axis * s.size.y;
    ends[1] = middle + axis * s.size.y;
    line.direction = axis;
    line.radius = wall ? 0_r : s.size.x;
    // else the shape stands on its end, and the line is not where it touches
    line.there = s.size.y > 0_r && abs(dot(axis, toward)) < edge_along;
    return line;
  }
  ends[0] = s.pos + s.mat * f.point[0];
  ends[1] = s.pos + s.mat * (f.count == 2 ? f.point[1] : edge_end(s, f, i));
  const Vec3<real> e = ends[1] - ends[0];
  const real length = norm(e);
  line.there = length > 0_r;
  line.direction = e * (1_r / (line.there ? length : 1_r));
  return line;
}

}  // namespace swept::SWEPT_NS
