// SPDX-License-Identifier: Apache-2.0
// The growing polytope of EPA: triangles that enclose the origin, in arrays of fixed size.
//
// A face is (v0, v1, v2), counter-clockwise seen from outside; edge k runs from v_k to v_(k+1) and
// neighbour k lies across it. A new vertex w sees a face if it lies above its plane. The faces seen
// are found from one of them through neighbours, so they are connected (horizon.h); they go, and
// their border, the horizon, is joined to w. A closed surface of V vertices has 2 V - 4 triangles,
// so the arrays cannot overflow while vertices fit, and their last face is spare.
//
// A branch that is guessed wrong costs as much as twenty operations. So planes are looked at in
// packs whose lanes are faces, and made in fours. Lists of new faces are filled up to fours with
// triangles (w, w, w) of the spare face, which come out as those without area. (On CUDA there is
// one lane, and nothing is filled up.)
//
// The margin of rounding decides about degenerate triangles: w sees a face only if it lies above it
// by more than the margin. A new triangle stands on an edge of a face that is seen, so its height
// is more than the margin as well and its normal is never 0 / 0.
#pragma once

#include "kernels/geometry/lanes.h"
#include "kernels/geometry/simplex.h"

namespace swept::SWEPT_NS {

constexpr int polytope_vertices = sizeof(real) == 4 ? 80 : 128;
constexpr int polytope_faces = 2 * polytope_vertices;
/// The face that lists are filled up with.
constexpr int spare_face = polytope_faces - 1;
/// A key that is larger than any distance: the face is gone, or must not be expanded.
constexpr real no_key = 3e38_r;
/// First place of the stack of unused faces.
constexpr int free_base = 2 + four_lanes;

/// Four numbers below 256.
struct alignas(4) Bytes {
  unsigned char at[4];

  SWEPT_FN int operator[](int k) const { return at[k]; }
};
SWEPT_FN Bytes bytes_of(int a, int b, int c, int d) {
  return {static_cast<unsigned char>(a), static_cast<unsigned char>(b),
          static_cast<unsigned char>(c), static_cast<unsigned char>(d)};
}

/// Numbers of faces, in whole packs.
struct FaceNumbers {
  alignas(sizeof(pack)) real at[polytope_faces];

  SWEPT_FN real& operator[](int f) { return at[f]; }
  SWEPT_FN real operator[](int f) const { return at[f]; }
};
struct FaceVectors {
  FaceNumbers x, y, z;

  SWEPT_FN Vec3<real> operator[](int f) const { return {x[f], y[f], z[f]}; }
};

enum FaceState : unsigned char { face_unused = 0, face_live };

/// Lanes of the last pack beyond nface have no_key.
struct Polytope {
  Vertex vertex[polytope_vertices + 1];  ///< the last place is for one that is looked at
  FaceVectors normal;                    ///< unit, outwards
  FaceNumbers offset;                    ///< distance of the plane from the origin
  FaceNumbers key;                       ///< offset; no_key: not to be expanded
  Bytes corner[polytope_faces];          ///< v0, v1, v2, and v0 again
  Bytes neighbour[polytope_faces];
  unsigned char state[polytope_faces];  ///< FaceState
  /// Stack of unused faces below nface, from `free_base` on. The next two faces stand below it
  /// while faces are made; the last place is for one looked at.
  unsigned char free[free_base + polytope_faces + 1];
  int nvertex = 0, nface = 0, nfree = 0;
  int nearest = -1;  ///< the face with the smallest key; -1: to be looked for
};

/// A face and its key; of equal keys the smaller number counts.
struct KeyedFace {
  real key;
  int face;
};
[[gnu::always_inline]] SWEPT_FN KeyedFace nearer_of(KeyedFace a, KeyedFace b) {
  return b.key < a.key || (b.key == a.key && b.face < a.face) ? b : a;
}

/// Products as fused_dot and fused_cross, in lanes.
[[gnu::always_inline]] SWEPT_FN four dot_of(Vec3<four> a, Vec3<four> b) {
  return fused(a.x, b.x, fused(a.y, b.y, a.z * b.z));
}
[[gnu::always_inline]] SWEPT_FN Vec3<four> cross_of(Vec3<four> a, Vec3<four> b) {
  return {fused(a.y, b.z, -(a.z * b.y)), fused(a.z, b.x, -(a.x * b.z)),
          fused(a.x, b.y, -(a.y * b.x))};
}
template <class M>
[[gnu::always_inline]] SWEPT_FN Vec3<four> choose(M m, Vec3<four> a, Vec3<four> b) {
  return {choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z)};
}

/// The vertices number(0), number(1), ...
template <class Number>
[[gnu::always_inline]] SWEPT_FN Vec3<four> gather_vertices(const Polytope& p,
                                                           const Number& number) {
  return {gather([&](int l) { return p.vertex[number(l)].w.x; }),
          gather([&](int l) { return p.vertex[number(l)].w.y; }),
          gather([&](int l) { return p.vertex[number(l)].w.z; })};
}

/// Set the planes of the faces face(0), face(1), ... from their corners, and return the nearest of
/// them.
template <class Face>
[[gnu::always_inline]] SWEPT_FN KeyedFace set_planes(Polytope* p, const Face& face, Vec3<four> a,
                                                     Vec3<four> b, Vec3<four> c) {
  // from the corner between the two shorter edges: fewest digits lost
  const Vec3<four> ab = b - a, bc = c - b, ca = a - c;
  const four lab = dot_of(ab, ab), lbc = dot_of(bc, bc), lca = dot_of(ca, ca);
  const Vec3<four> n = choose(lab > lbc && lab > lca, cross_of(bc, ca),
                              choose(lbc > lca, cross_of(ca, ab), cross_of(ab, bc)));
  const four square = dot_of(n, n);
  const auto solid = square > four(0_r);
  const Vec3<four> normal = n * choose(solid, four(1_r) / root(square), four(0_r));
  const four offset = dot_of(normal, a), key = choose(solid, offset, four(no_key));
  for (int l = 0; l < four_lanes; ++l) {
    const int f = face(l);
    p->normal.x[f] = part(normal.x, l);
    p->normal.y[f] = part(normal.y, l);
    p->normal.z[f] = part(normal.z, l);
    p->offset[f] = part(offset, l);
    p->key[f] = part(key, l);
    p->state[f] = face_live;
  }
  const real least = least_lane(key);
  unsigned lanes = lanes_in(key == four(least));
  KeyedFace nearest = {least, face(first_bit(lanes | 1u << four_lanes) % four_lanes)};
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    nearest = nearer_of(nearest, {least, face(first_bit(lanes))});
  }
  return nearest;
}

/// Let the polytope have `nface` places for faces.
SWEPT_FN void make_places(Polytope* p, int nface) {
  constexpr int step = lanes_of<pack>;
  for (int f = (p->nface + step - 1) / step * step; f < nface; f += step) {
    store(p->normal.x.at + f, pack(0_r));
    store(p->normal.y.at + f, pack(0_r));
    store(p->normal.z.at + f, pack(0_r));
    store(p->offset.at + f, pack(0_r));
    store(p->key.at + f, pack(no_key));
  }
  p->nface = nface;
}

/// Make the polytope the tetrahedron of vertices 0 to 3; false if it has no volume.
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
  p->nvertex = 4;
  p->nface = 0;
  p->nfree = 0;
  p->nearest = -1;
  make_places(p, 4);
  constexpr int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr int neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; ++f) {
    p->corner[f] = bytes_of(corners[f][0], corners[f][1], corners[f][2], corners[f][0]);
    p->neighbour[f] = bytes_of(neighbours[f][0], neighbours[f][1], neighbours[f][2], 0);
  }
  p->corner[spare_face] = p->neighbour[spare_face] = bytes_of(0, 0, 0, 0);
  for (int f = 0; f < 4; f += four_lanes) {
    const auto corner = [&](int k) {
      return gather_vertices(*p, [&](int l) { return corners[f + l][k]; });
    };
    set_planes(
        p, [&](int l) { return f + l; }, corner(0), corner(1), corner(2));
  }
  return true;
}

/// The face with the smallest key, of equals the first; -1: none is left.
SWEPT_FN int nearest_face(Polytope& p) {
  if (p.nearest >= 0) {
    const int known = p.nearest;
    p.nearest = -1;
    return known;
  }
  KeyedFace nearest = {no_key, -1};
  for (int f = 0; f < p.nface; ++f) {
    nearest.face = p.key[f] < nearest.key ? f : nearest.face;
    nearest.key = p.key[f] < nearest.key ? p.key[f] : nearest.key;
  }
  return nearest.face;
}

/// The face with the largest key below `most`; -1: there is none.
SWEPT_FN int furthest_face(Polytope& p, real most) {
  p.nearest = -1;  // it may be this one, whose key is about to change
  int best = -1;
  real largest = -no_key;
  for (int f = 0; f < p.nface; ++f) {
    const bool further = p.key[f] < most && p.key[f] > largest;
    best = further ? f : best;
    largest = further ? p.key[f] : largest;
  }
  return best;
}

/// Weights of the corners of a face in the projection of the origin on its plane.
SWEPT_FN Vec3<real> projection_weights(const Polytope& p, int face) {
  const Bytes c = p.corner[face];
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
