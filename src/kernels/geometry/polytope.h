// SPDX-License-Identifier: Apache-2.0
// The growing polytope of EPA: triangles that enclose the origin, in arrays of
// fixed size.
//
// A face is (v0, v1, v2), counter-clockwise seen from outside; edge k runs from
// v_k to v_(k+1) and neighbour k lies across it. A new vertex w sees a face if
// it lies above its plane. The faces seen are found from one of them through
// neighbours, so they are connected; they go, and their border, the horizon, is
// joined to w. A closed surface of V vertices has 2 V - 4 triangles, so the
// arrays cannot overflow while vertices fit.
//
// The margin of rounding decides about degenerate triangles: w sees a face only
// if it lies above it by more than the margin. A new triangle stands on an edge
// of a face that is seen, so its height is more than the margin as well and its
// normal is never 0 / 0.
#pragma once

#include "kernels/geometry/simplex.h"

namespace swept::SWEPT_NS {

constexpr int polytope_vertices = sizeof(real) == 4 ? 80 : 128;
constexpr int polytope_faces = 2 * polytope_vertices;
/// A key that is larger than any distance: the face is gone, or must not be
/// expanded.
constexpr real no_key = 3e38_r;

struct Polytope {
  Vertex vertex[polytope_vertices + 1];  ///< the last place is for one that is looked at
  Vec3<real> normal[polytope_faces];     ///< unit, outwards
  real offset[polytope_faces];           ///< distance of the plane from the origin
  real key[polytope_faces];              ///< offset; no_key: not to be expanded
  unsigned char corner[polytope_faces][3];
  unsigned char neighbour[polytope_faces][3];
  unsigned char state[polytope_faces];  ///< FaceState
  unsigned char free[polytope_faces];   ///< stack of unused faces below nface
  int nvertex = 0, nface = 0, nfree = 0;
};

enum FaceState : unsigned char { face_unused = 0, face_live, face_seen };

/// A border edge of the faces that are seen: it runs from v0 to v1 and belongs
/// to `outer` as seen from outside in the other direction.
struct HorizonEdge {
  unsigned char v0, v1, outer;
};

/// Set the plane of a face from its corners.
[[gnu::always_inline]] SWEPT_FN void set_plane(Polytope* p, int face) {
  const unsigned char* const c = p->corner[face];
  const Vec3<real> a = p->vertex[c[0]].w, b = p->vertex[c[1]].w, d = p->vertex[c[2]].w;
  // from the corner between the two shorter edges: fewest digits lost
  const Vec3<real> ab = b - a, bd = d - b, da = a - d;
  const real lab = fused_dot(ab, ab), lbd = fused_dot(bd, bd), lda = fused_dot(da, da);
  const Vec3<real> n = lab > lbd && lab > lda ? fused_cross(bd, da)
                       : lbd > lda            ? fused_cross(da, ab)
                                              : fused_cross(ab, bd);
  const real square = fused_dot(n, n);
  p->normal[face] = n * (square > 0_r ? 1_r / sqrt(square) : 0_r);
  p->offset[face] = fused_dot(p->normal[face], a);
  p->key[face] = square > 0_r ? p->offset[face] : no_key;
  p->state[face] = face_live;
}

/// A face out of the unused ones.
[[gnu::always_inline]] SWEPT_FN int new_face(Polytope* p, int c0, int c1, int c2) {
  const int face = p->nfree > 0 ? p->free[--p->nfree] : p->nface++;
  p->corner[face][0] = static_cast<unsigned char>(c0);
  p->corner[face][1] = static_cast<unsigned char>(c1);
  p->corner[face][2] = static_cast<unsigned char>(c2);
  set_plane(p, face);
  return face;
}

/// Make the polytope the tetrahedron of vertices 0 to 3; false if it has no
/// volume.
SWEPT_FN bool start_tetrahedron(Polytope* p) {
  const Vec3<real> a = p->vertex[0].w;
  const Vec3<real> n = fused_cross(p->vertex[1].w - a, p->vertex[2].w - a);
  const real volume = fused_dot(n, p->vertex[3].w - a);
  if (!(volume > 0_r) && !(volume < 0_r)) {
    return false;
  }
  // faces turn outwards if vertex 3 lies below (0, 1, 2)
  if (volume > 0_r) {
    const Vertex swap = p->vertex[1];
    p->vertex[1] = p->vertex[2];
    p->vertex[2] = swap;
  }
  constexpr unsigned char corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr unsigned char neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  p->nvertex = 4;
  p->nface = 0;
  p->nfree = 0;
  for (int f = 0; f < 4; ++f) {
    new_face(p, corners[f][0], corners[f][1], corners[f][2]);
    for (int k = 0; k < 3; ++k) {
      p->neighbour[f][k] = neighbours[f][k];
    }
  }
  return true;
}

/// Mark the faces seen from w, from `first` on, and list their border. The
/// number of its edges.
///   seen   receives the faces
SWEPT_FN int find_horizon(Polytope* p, int first, Vec3<real> w, real margin, unsigned char* seen,
                          int* nseen, HorizonEdge* horizon) {
  int count = 0, edges = 0;
  seen[count++] = static_cast<unsigned char>(first);
  p->state[first] = face_seen;
  for (int i = 0; i < count; ++i) {
    const int face = seen[i];
    for (int k = 0; k < 3; ++k) {
      const int other = p->neighbour[face][k];
      if (p->state[other] == face_seen) {
        continue;
      }
      if (fused_dot(p->normal[other], w) - p->offset[other] > margin) {
        p->state[other] = face_seen;
        seen[count++] = static_cast<unsigned char>(other);
      } else {
        horizon[edges++] = {p->corner[face][k], p->corner[face][k == 2 ? 0 : k + 1],
                            static_cast<unsigned char>(other)};
      }
    }
  }
  *nseen = count;
  return edges;
}

/// Whether the border is one loop without a vertex twice; starts[v] becomes the
/// edge from v.
SWEPT_FN bool is_loop(const HorizonEdge* horizon, int edges, unsigned char* starts) {
  for (int i = 0; i < edges; ++i) {
    starts[horizon[i].v0] = 255;
  }
  bool simple = edges >= 3;
  for (int i = 0; i < edges; ++i) {
    simple = simple && starts[horizon[i].v0] == 255;
    starts[horizon[i].v0] = static_cast<unsigned char>(i);
  }
  int length = 0;
  for (int i = 0; simple && (length == 0 || i != 0); i = starts[horizon[i].v1]) {
    ++length;
    simple = length <= edges;
  }
  return simple && length == edges;
}

/// Join the border to the newest vertex.
SWEPT_FN void join_horizon(Polytope* p, const HorizonEdge* horizon, int edges,
                           const unsigned char* starts) {
  unsigned char made[polytope_faces];
  const int w = p->nvertex - 1;
  for (int i = 0; i < edges; ++i) {
    const int outer = horizon[i].outer;
    const int face = new_face(p, horizon[i].v0, horizon[i].v1, w);
    made[i] = static_cast<unsigned char>(face);
    p->neighbour[face][0] = horizon[i].outer;
    for (int k = 0; k < 3; ++k) {
      if (p->corner[outer][k] == horizon[i].v1 &&
          p->corner[outer][k == 2 ? 0 : k + 1] == horizon[i].v0) {
        p->neighbour[outer][k] = made[i];
      }
    }
  }
  for (int i = 0; i < edges; ++i) {
    const int next = starts[horizon[i].v1];
    p->neighbour[made[i]][1] = made[next];
    p->neighbour[made[next]][2] = made[i];
  }
}

/// Add the vertex that stands behind the last one and sees face `first`. False,
/// and nothing changes, if the border is no simple loop (rounding).
SWEPT_FN bool add_vertex(Polytope* p, int first, real margin) {
  unsigned char seen[polytope_faces], starts[polytope_vertices];
  HorizonEdge horizon[polytope_faces];
  int nseen = 0;
  const int edges = find_horizon(p, first, p->vertex[p->nvertex].w, margin, seen, &nseen, horizon);
  const bool fits = is_loop(horizon, edges, starts);
  for (int i = 0; i < nseen; ++i) {
    const int face = seen[i];
    p->state[face] = fits ? face_unused : face_live;
    if (fits) {
      p->key[face] = no_key;
      p->free[p->nfree++] = seen[i];
    }
  }
  if (fits) {
    ++p->nvertex;
    join_horizon(p, horizon, edges, starts);
  }
  return fits;
}

/// The face with the smallest key; -1: none is left.
SWEPT_FN int nearest_face(const Polytope& p) {
  int best = 0;
  real least = p.key[0];
  for (int f = 1; f < p.nface; ++f) {
    best = p.key[f] < least ? f : best;
    least = p.key[f] < least ? p.key[f] : least;
  }
  return least < no_key ? best : -1;
}

/// The face with the largest key below `most`; -1: there is none.
SWEPT_FN int furthest_face(const Polytope& p, real most) {
  int best = -1;
  real largest = -no_key;
  for (int f = 0; f < p.nface; ++f) {
    const bool further = p.key[f] < most && p.key[f] > largest;
    best = further ? f : best;
    largest = further ? p.key[f] : largest;
  }
  return best;
}

/// Weights of the corners of a face in the projection of the origin on its
/// plane.
SWEPT_FN Vec3<real> projection_weights(const Polytope& p, int face) {
  const unsigned char* const c = p.corner[face];
  const Vec3<real> a = p.vertex[c[0]].w;
  const Vec3<real> e1 = p.vertex[c[1]].w - a, e2 = p.vertex[c[2]].w - a;
  const Vec3<real> n = fused_cross(e1, e2);
  const real square = fused_dot(n, n);
  const real inverse = square > 0_r ? 1_r / square : 0_r;
  const real wb = fused_dot(n, fused_cross(e2, a)) * inverse,
             wc = fused_dot(n, fused_cross(a, e1)) * inverse;
  return {1_r - wb - wc, wb, wc};
}

}  // namespace swept::SWEPT_NS
