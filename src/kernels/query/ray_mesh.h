// SPDX-License-Identifier: Apache-2.0
// Where a ray meets a mesh: its faces as they are in the file, not those of its hull, from either
// side, found through the mesh's tree of boxes (meshbvh_*). The nearer box of two is opened first;
// a box is not opened if it begins behind the nearest hit so far.
#pragma once

#include "kernels/query/ray_triangle.h"

namespace swept::SWEPT_NS {

/// Nodes that may wait while a tree is walked: more than the depth of any. The compiler of scenes
/// halves the faces at every node, so a tree of all 2^31 faces that an int can count is no deeper.
constexpr int mesh_stack = 64;

/// The mesh of a geom as rays see it.
struct RayMesh {
  const ModelAt<real>& m;
  int mesh;
  real pad;  ///< [m] boxes are taken larger by this, against rounding

  SWEPT_FN Interval box_of(int node, const Ray& ray) const {
    const int at = 6 * (m.meshbvh_adr(mesh) + node);
    const auto part = [&](int k, real p, real u) {
      return slab(p - m.meshbvh_aabb(at + k), u, m.meshbvh_aabb(at + 3 + k) + pad);
    };
    const Interval x = part(0, ray.p.x, ray.u.x), y = part(1, ray.p.y, ray.u.y),
                   z = part(2, ray.p.z, ray.u.z);
    return is_empty(x) || is_empty(y) || is_empty(z) ? no_part()
                                                     : common_part(x, common_part(y, z));
  }

  SWEPT_FN Vec3<real> vertex(int i) const {
    const int at = 3 * (m.mesh_vertadr(mesh) + i);
    return {m.mesh_vert(at), m.mesh_vert(at + 1), m.mesh_vert(at + 2)};
  }

  SWEPT_FN Triangle face(int i) const {
    const int at = 3 * (m.mesh_faceadr(mesh) + i);
    return {vertex(m.mesh_face(at)), vertex(m.mesh_face(at + 1)), vertex(m.mesh_face(at + 2))};
  }
};

/// Does a ray that has hit something at `nearest` still have to look into a box.
SWEPT_FN bool is_open(Interval box, const Ray& ray, real nearest) {
  return !is_empty(box) && box.out >= ray.first && box.in <= nearest;
}

/// Make `hit` the mesh's where the ray meets it nearer than there, strictly.
///   ray   in the frame of the geom
SWEPT_FN void meet_mesh(RayHit* hit, const RayMesh& mesh, const Ray& ray) {
  if (mesh.m.meshbvh_num(mesh.mesh) == 0) {
    return;
  }
  const RayFrame across = frame_across(ray.u);
  const int first = mesh.m.meshbvh_adr(mesh.mesh);
  int waiting[mesh_stack];
  int count = 1;
  waiting[0] = 0;
  while (count > 0) {
    const int node = waiting[--count];
    if (!is_open(mesh.box_of(node, ray), ray, hit->at)) {
      continue;
    }
    const int face = mesh.m.meshbvh_face(first + node);
    if (face >= 0) {
      meet_triangle(hit, ray, across, mesh.face(face));
      continue;
    }
    // the nearer child on top
    const int a = mesh.m.meshbvh_child(2 * (first + node));
    const int b = mesh.m.meshbvh_child(2 * (first + node) + 1);
    const bool a_first = mesh.box_of(a, ray).in <= mesh.box_of(b, ray).in;
    waiting[count++] = a_first ? b : a;
    waiting[count++] = a_first ? a : b;
  }
}

}  // namespace swept::SWEPT_NS
