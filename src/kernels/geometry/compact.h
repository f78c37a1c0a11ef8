// SPDX-License-Identifier: Apache-2.0
// Room in a full polytope of EPA.
//
// Faces that are settled (no nearer than the least upper bound, or not to be expanded) are needed
// only to close the surface. Let K be the vertices of the others, and of the tetrahedron that it
// began with. A face of the polytope whose corners are in K is a face of the hull of K as well,
// because the plane that supports the whole supports the part. So the hull of K has all unsettled
// faces, and its other faces stand exactly over the directions that were settled: they are settled
// too.
//
// The hull of K is built anew, vertex by vertex. Should rounding lose an unsettled face, all faces
// count as unsettled, which costs time and not the proof.
#pragma once

#include "kernels/geometry/horizon.h"

namespace swept::SWEPT_NS {

/// What a polytope may keep of its vertices for it to be worth the work.
constexpr int kept_vertices = polytope_vertices - 8;

/// Whether a face has these corners, in any order.
SWEPT_FN bool same_corners(Bytes a, Bytes b) {
  bool same = true;
  for (int i = 0; i < 3; ++i) {
    same = same && (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]);
  }
  return same;
}

/// Add the vertex that stands behind the last one, where it is seen best. It counts even if it is
/// not seen, so that the others keep their numbers.
SWEPT_FN void add_where_seen(Polytope* p, real margin) {
  const Vec3<real> w = p->vertex[p->nvertex].w;
  int best = -1;
  real most = margin;
  for (int f = 0; f < p->nface; ++f) {
    const real height = p->state[f] == face_live ? fused_dot(p->normal[f], w) - p->offset[f] : 0_r;
    best = height > most ? f : best;
    most = max(most, height);
  }
  if (best < 0 || !add_vertex(p, best, margin)) {
    ++p->nvertex;
  }
}

/// Drop the vertices that only settled faces have. False, and nothing changes, if too few would go.
///   upper    faces with a key of at least this are settled
///   margin   of rounding, as in add_vertex
[[gnu::noinline]] SWEPT_FN bool compact(Polytope* p, real upper, real margin) {
  // where the vertices go: 255 nowhere
  unsigned char place[polytope_vertices];
  Bytes open[polytope_faces];
  for (int i = 0; i < p->nvertex; ++i) {
    place[i] = i < 4 ? 0 : 255;
  }
  int nopen = 0;
  for (int f = 0; f < p->nface; ++f) {
    if (p->key[f] < upper) {
      open[nopen++] = p->corner[f];
      for (int k = 0; k < 3; ++k) {
        place[p->corner[f][k]] = 0;
      }
    }
  }
  int kept = 0;
  for (int i = 0; i < p->nvertex; ++i) {
    kept += place[i] == 0 ? 1 : 0;
  }
  if (kept > kept_vertices) {
    return false;
  }

  // move the vertices together, and build their hull
  kept = 0;
  for (int i = 0; i < p->nvertex; ++i) {
    if (place[i] == 0) {
      place[i] = static_cast<unsigned char>(kept);
      p->vertex[kept++] = p->vertex[i];
    }
  }
  start_tetrahedron(p);
  while (p->nvertex < kept) {
    add_where_seen(p, margin);
  }

  // which faces are still to be looked at
  int found = 0;
  for (int i = 0; i < nopen; ++i) {
    open[i] = bytes_of(place[open[i][0]], place[open[i][1]], place[open[i][2]], 0);
    for (int f = 0; f < p->nface; ++f) {
      found += p->state[f] == face_live && same_corners(p->corner[f], open[i]) ? 1 : 0;
    }
  }
  for (int f = 0; found == nopen && f < p->nface; ++f) {
    bool settled = true;
    for (int i = 0; settled && i < nopen; ++i) {
      settled = !same_corners(p->corner[f], open[i]);
    }
    p->key[f] = settled ? no_key : p->key[f];
  }
  p->nearest = -1;
  return true;
}

}  // namespace swept::SWEPT_NS
