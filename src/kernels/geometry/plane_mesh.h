// SPDX-License-Identifier: Apache-2.0
// Contacts of a plane with a mesh's hull: its lowest vertex, and corners of the polygon it stands
// on.
//
// The first contact is the vertex furthest against the plane's normal n. Of the hull's polygons
// around it the one whose normal points most against n gives the others, in its order: all of its
// corners if it has up to four, else those of a large quadrilateral. A corner counts if it is within
// the margin and not above the mesh's centre, as with a box. A mesh without a hull has one contact.
#pragma once

#include "kernels/geometry/quadrilateral.h"
#include "kernels/geometry/support.h"

namespace swept::SWEPT_NS {

/// Of a mesh with fewer vertices all are searched, in their order, which decides among equal ones.
constexpr int few_vertices = 10;

/// The vertex of a mesh that is furthest along a direction in its frame.
SWEPT_FN int furthest_vertex(const Shape& s, Vec3<real> dir) {
  Hull hull = hull_of(s.mesh);
  if (s.mesh.vertnum < few_vertices) {
    hull.numvert = s.mesh.vertnum;
    hull.globalid = nullptr;
    hull.blocks = nullptr;
  }
  return furthest(&hull, dir).id;
}

/// The polygon around a vertex whose normal points most against n; -1: there is none.
SWEPT_FN int polygon_against(const MeshShape& mesh, int vertex, Vec3<real> n) {
  int best = -1;
  real least = 2_r;
  const int first = mesh.polynum > 0 ? element(mesh.polymapadr + vertex) : 0;
  const int count = mesh.polynum > 0 ? element(mesh.polymapnum + vertex) : 0;
  for (int i = 0; i < count; ++i) {
    const int polygon = element(mesh.polymap + first + i);
    const real along = dot(mesh.normal(polygon), n);
    best = along < least ? polygon : best;
    least = along < least ? along : least;
  }
  return best;
}

/// Contacts of a plane (shape a) and a mesh with a distance of at most `detect` [m].
///   out   room for 4
SWEPT_FN int plane_mesh(const Shape& a, const Shape& b, real detect, Witness* out) {
  const Vec3<real> normal = column_z(a.mat);
  const Vec3<real> n = transpose_mul(b.mat, normal);
  const real height = dot(b.pos - a.pos, normal);
  const MeshShape& mesh = b.mesh;
  int count = 0;
  const auto add = [&](Vec3<real> v) {
    const real dist = height + dot(v, n);
    out[count++] = {dist, b.pos + b.mat * v - normal * (0.5_r * dist), normal};
  };

  const int anchor = furthest_vertex(b, -n);
  const Vec3<real> lowest = mesh.vertex(anchor);
  if (!(height + dot(lowest, n) <= detect)) {
    return 0;
  }
  add(lowest);

  // the polygon it stands on
  const int polygon = polygon_against(mesh, anchor, n);
  if (polygon < 0) {
    return count;
  }
  const int first = element(mesh.polyvertadr + polygon);
  const int corners = element(mesh.polyvertnum + polygon);
  int start = 0;
  for (int i = 0; i < corners; ++i) {
    start = element(mesh.polyvert + first + i) == anchor ? i : start;
  }
  const auto corner = [&](int i) { return mesh.vertex(element(mesh.polyvert + first + i)); };
  Quadrilateral q = {{start, start + 1, start + 2, start + 3}, 0_r};
  if (corners > 4) {
    q = large_quadrilateral(corner, corners, start, start);
  }
  for (int i = 1; i < 4 && i < corners; ++i) {
    const Vec3<real> v = corner(q.at[i] < corners ? q.at[i] : q.at[i] - corners);
    const real over = dot(v, n);
    if (height + over <= detect && over <= 0_r) {
      add(v);
    }
  }
  return count;
}

}  // namespace swept::SWEPT_NS
