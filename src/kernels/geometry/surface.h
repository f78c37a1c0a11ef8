// SPDX-License-Identifier: Apache-2.0
// A mesh that collides as it is: its faces, the tree of boxes over them, and which directions of push
// its faces, edges and corners allow. Everything stands in the frame of the mesh.
//
// A closed surface has an inside, and what touches it is pushed out of that. An open one is a sheet
// with two sides; which of them faces a body is the side that the body's centre is on.
//
// Something that touches the surface can only be pushed along a unit vector u if the surface around
// the point that is touched lies below the plane across u through it, and if u leads out:
//
//   a face     along its normal
//   an edge    the faces on both sides lie below the plane, and u . (sum of their normals) > 0
//   a corner   all faces around it lie below the plane, and u . (sum of their normals, each by the
//              angle of its face at the corner) > 0
//
// So an edge between faces that lie in one plane allows nothing but their normal, and one in a groove
// nothing at all. The sums are the pseudo-normals of Baerentzen and Aanaes (2005), which tell on which
// side of a closed surface a point is.
#pragma once

#include "kernels/geometry/extent.h"
#include "kernels/math/functions.h"

namespace swept::SWEPT_NS {

/// The corners of a face, counterclockwise seen from outside, and its unit normal.
struct SurfaceFace {
  int vertex[3];  ///< numbered from the mesh's first
  Vec3<real> corner[3];
  Vec3<real> normal;  ///< zero: the face has no area
};

/// The normal of a triangle; zero if it has no area.
SWEPT_FN Vec3<real> normal_of(Vec3<real> a, Vec3<real> b, Vec3<real> c) {
  const Vec3<real> n = cross(b - a, c - a);
  const real length = norm(n);
  return length > 0_r ? n * (1_r / length) : zero3<real>();
}

/// A mesh of the model as a surface.
struct Surface {
  ModelAt<real> m;
  int mesh;
  bool closed;

  SWEPT_FN Vec3<real> vertex(int i) const {
    const int at = 3 * (m.mesh_vertadr(mesh) + i);
    return {m.mesh_vert(at), m.mesh_vert(at + 1), m.mesh_vert(at + 2)};
  }
  SWEPT_FN int vertex_of(int face, int corner) const {
    return m.mesh_face(3 * (m.mesh_faceadr(mesh) + face) + corner);
  }
  SWEPT_FN SurfaceFace face(int i) const {
    SurfaceFace f;
    for (int k = 0; k < 3; ++k) {
      f.vertex[k] = vertex_of(i, k);
      f.corner[k] = vertex(f.vertex[k]);
    }
    f.normal = normal_of(f.corner[0], f.corner[1], f.corner[2]);
    return f;
  }

  /// What place a vertex stands at: equal numbers are equal places.
  SWEPT_FN int place(int v) const { return m.mesh_facemapadr(m.mesh_vertadr(mesh) + v); }
  /// The number of faces around vertex v, and the i-th of them.
  SWEPT_FN int faces_at(int v) const { return m.mesh_facemapnum(m.mesh_vertadr(mesh) + v); }
  SWEPT_FN int face_at(int v, int i) const { return m.mesh_facemap(place(v) + i); }

  SWEPT_FN BoxExtent node_box(int node) const {
    const int at = 6 * (m.meshbvh_adr(mesh) + node);
    const Vec3<real> c = {m.meshbvh_aabb(at), m.meshbvh_aabb(at + 1), m.meshbvh_aabb(at + 2)};
    const Vec3<real> h = {m.meshbvh_aabb(at + 3), m.meshbvh_aabb(at + 4), m.meshbvh_aabb(at + 5)};
    return {c - h, c + h};
  }
};

/// The surface of a geom.
SWEPT_FN Surface surface_of(const ModelAt<real>& m, int geom) {
  const int mesh = m.geom_dataid(geom);
  return {m, mesh, m.mesh_closed(mesh) != 0};
}

/// Whether two boxes have a point in common.
SWEPT_FN bool boxes_meet(const BoxExtent& a, const BoxExtent& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// Call visit(face) for the faces whose boxes in the tree `opens` lets through, in the order of the
/// tree.
///   opens   opens(box) of a node: whether faces below it are wanted; asked again at every node, so
///           that it may get stricter on the way
template <class Opens, class Visit>
SWEPT_FN void visit_faces(const Surface& s, const Opens& opens, const Visit& visit) {
  const int first = s.m.meshbvh_adr(s.mesh), count = s.m.meshbvh_num(s.mesh);
  for (int node = 0; node < count;) {
    const int face = s.m.meshbvh_face(first + node);
    const bool open = opens(s.node_box(node));
    if (open && face >= 0) {
      visit(face);
    }
    node = open && face < 0 ? node + 1 : s.m.meshbvh_next(first + node);
  }
}

// ---- where a push may act ---------------------------------------------------------------------------

/// Sine of the angle by which a face may rise above the plane of a push, and an edge lean against it:
/// what rounding the vertices does to faces that lie in one plane.
constexpr real push_slack = 1e-3_r;

/// The corners of a face that are furthest along a direction.
struct Foremost {
  int count = 0;
  int at[3];    ///< their numbers in the face
  real height;  ///< [m] along the direction
};
SWEPT_FN Foremost foremost(const SurfaceFace& face, Vec3<real> u) {
  const real h[3] = {dot(u, face.corner[0]), dot(u, face.corner[1]), dot(u, face.corner[2])};
  int most = h[1] > h[0] ? 1 : 0;
  most = h[2] > h[most] ? 2 : most;
  Foremost found;
  found.height = h[most];
  for (int k = 0; k < 3; ++k) {
    // itself too if nothing here is a number
    if (k == most || h[most] - h[k] <= push_slack * norm(face.corner[k] - face.corner[most])) {
      found.at[found.count++] = k;
    }
  }
  return found;
}

/// The faces around a corner or an edge: whether they lie below the plane of a push, and the sum of
/// their normals.
struct Around {
  bool below = true;
  Vec3<real> normal = {};

  SWEPT_FN void add(const SurfaceFace& face, Vec3<real> at, Vec3<real> u, real weight) {
    for (int k = 0; k < 3; ++k) {
      const Vec3<real> off = face.corner[k] - at;
      below = below && dot(u, off) <= push_slack * norm(off);
    }
    normal = normal + face.normal * weight;
  }
};

/// The angle [rad] of a face at its corner k.
SWEPT_FN real angle_at(const SurfaceFace& face, int k) {
  const Vec3<real> a = face.corner[k > 1 ? k - 2 : k + 1] - face.corner[k],
                   b = face.corner[k > 0 ? k - 1 : 2] - face.corner[k];
  const real size = norm(a) * norm(b);
  return size > 0_r ? acos(clamp(dot(a, b) / size, -1_r, 1_r)) : 0_r;
}

/// The faces around a vertex.
///   u   the push that they are asked about; zero: any
SWEPT_FN Around around_corner(const Surface& s, int vertex, Vec3<real> u) {
  Around all;
  const Vec3<real> at = s.vertex(vertex);
  for (int i = 0, n = s.faces_at(vertex); i < n; ++i) {
    const SurfaceFace face = s.face(s.face_at(vertex, i));
    for (int k = 0; k < 3; ++k) {
      if (s.place(face.vertex[k]) == s.place(vertex)) {
        all.add(face, at, u, angle_at(face, k));
      }
    }
  }
  return all;
}

/// The faces on both sides of an edge.
SWEPT_FN Around around_edge(const Surface& s, int a, int b, Vec3<real> u) {
  Around all;
  const Vec3<real> at = s.vertex(a);
  for (int i = 0, n = s.faces_at(a); i < n; ++i) {
    const SurfaceFace face = s.face(s.face_at(a, i));
    bool has = false;
    for (int k = 0; k < 3; ++k) {
      has = has || s.place(face.vertex[k]) == s.place(b);
    }
    if (has) {
      all.add(face, at, u, 1_r);
    }
  }
  return all;
}

/// Whether something that touches a face may be pushed along u.
///   at   foremost(face, u)
[[gnu::noinline]] SWEPT_FN bool may_push(const Surface& s, const SurfaceFace& face,
                                         const Foremost& at, Vec3<real> u) {
  if (at.count == 3) {
    return !s.closed || dot(u, face.normal) > 0_r;
  }
  const int a = face.vertex[at.at[0]];
  const Around around =
      at.count == 2 ? around_edge(s, a, face.vertex[at.at[1]], u) : around_corner(s, a, u);
  return around.below && (!s.closed || dot(u, around.normal) > 0_r);
}

}  // namespace swept::SWEPT_NS
