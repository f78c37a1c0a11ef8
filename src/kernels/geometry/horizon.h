// SPDX-License-Identifier: Apache-2.0
// A polytope grows by a vertex: the faces that are seen from it, their border, the horizon, and the
// new faces on it.
//
// The faces seen are walked from one of them through neighbours. A walk by branches guesses wrong
// at every other face, so entries are written always and counted if they are wanted: a neighbour
// that is seen for the first time joins the list of faces, an edge to one that is not seen that of
// edges. What is seen is known before, from packs of planes.
//
// An edge is the bytes (v0, v1, outer, made): it runs from v0 to v1, `outer` lies across it, and
// `made` is the new face on it.
//
// F connected faces with a border of E edges, no vertex twice on it, in L loops, and I vertices
// inside have F = E + 2 I + 2 L - 4. So F = E - 2 means one loop and nothing inside; else the loop
// is walked.
#pragma once

#include "kernels/geometry/polytope.h"

namespace swept::SWEPT_NS {

/// The border of the faces seen: its edges, filled up to fours, and for each vertex on it the new
/// face whose edge starts and the one whose edge ends there.
struct Horizon {
  Bytes edge[polytope_faces + four_lanes];
  int count = 0;
  unsigned char starts[polytope_vertices], ends[polytope_vertices];
};

/// A set of faces below 64 * words.
template <int words>
struct FaceSet {
  std::uint64_t word[words] = {};

  SWEPT_FN static int place(int f) { return words == 1 ? 0 : f / 64; }
  SWEPT_FN std::uint64_t has(int f) const { return word[place(f)] >> f % 64 & 1u; }
  SWEPT_FN void add(int f, unsigned lanes) {
    word[place(f)] |= static_cast<std::uint64_t>(lanes) << f % 64;
  }
  SWEPT_FN void remove(int f) { word[place(f)] &= ~(std::uint64_t{1} << f % 64); }
};

/// What a walk finds when it looks at a face.
struct Look {
  int seen;   ///< 1: the face is seen
  int fresh;  ///< 1: it is seen, and was not looked at before
};

/// Faces seen from w, known before the walk.
template <int words>
struct PackSight {
  FaceSet<words> seen, fresh;
  pack rest = pack(no_key);  ///< smallest key in each lane of faces that are not seen

  SWEPT_FN PackSight(const Polytope& p, int first, Vec3<real> w, real margin) {
    const Vec3<pack> at = {pack(w.x), pack(w.y), pack(w.z)};
    for (int f = 0; f < p.nface; f += lanes_of<pack>) {
      const Vec3<pack> normal = {load<pack>(p.normal.x.at + f), load<pack>(p.normal.y.at + f),
                                 load<pack>(p.normal.z.at + f)};
      const pack height =
          fma(normal.x, at.x, fma(normal.y, at.y, normal.z * at.z)) - load<pack>(p.offset.at + f);
      const mask_t<pack> above = height > pack(margin);
      const pack key = choose(above, pack(no_key), load<pack>(p.key.at + f));
      rest = choose(key < rest, key, rest);
      seen.add(f, lanes_in(above));
    }
    seen.add(first, 1u);
    fresh = seen;
    fresh.remove(first);
  }
  [[gnu::always_inline]] SWEPT_FN Look look(int f) {
    const Look l = {static_cast<int>(seen.has(f)), static_cast<int>(fresh.has(f))};
    fresh.remove(f);
    return l;
  }
  /// After the walk: the nearest of the faces that stay; face -1: not known.
  [[gnu::always_inline]] SWEPT_FN KeyedFace nearest_left(const Polytope& p) const {
    if (words > 1 || fresh.word[0] != 0) {
      return {no_key, -1};
    }
    const real key = least_lane(rest);
    std::uint64_t found = 0;
    for (int f = 0; f < p.nface; f += lanes_of<pack>) {
      const std::uint64_t here = lanes_in(load<pack>(p.key.at + f) == pack(key));
      found |= here << f;
    }
    found &= ~seen.word[0];
    return {key, found != 0 ? first_bit(found) : -1};
  }
};

/// The same, where a pack is one face: only those that the walk meets.
struct LaneSight {
  const Polytope& p;
  Vec3<real> w;
  real margin;
  FaceSet<(polytope_faces + 63) / 64> met;

  SWEPT_FN LaneSight(const Polytope& polytope, int first, Vec3<real> from, real height)
      : p(polytope), w(from), margin(height) {
    met.add(first, 1u);
  }
  SWEPT_FN Look look(int f) {
    if (met.has(f) != 0) {
      return {1, 0};
    }
    const bool seen = fused_dot(p.normal[f], w) - p.offset[f] > margin;
    met.add(f, seen ? 1u : 0u);
    return {seen ? 1 : 0, seen ? 1 : 0};
  }
  SWEPT_FN KeyedFace nearest_left(const Polytope&) const { return {no_key, -1}; }
};

/// List the faces seen, from `first` on, and their border; returns the number of faces.
template <class Sight>
[[gnu::always_inline]] SWEPT_FN int find_horizon(const Polytope& p, int first, Sight* sight,
                                                 unsigned char* seen, Horizon* h) {
  int count = 1, edges = 0;
  seen[0] = static_cast<unsigned char>(first);
  for (int i = 0; i < count; ++i) {
    const Bytes corner = p.corner[seen[i]], neighbour = p.neighbour[seen[i]];
    for (int k = 0; k < 3; ++k) {
      const int other = neighbour[k];
      const Look l = sight->look(other);
      seen[count] = static_cast<unsigned char>(other);
      h->edge[edges] = bytes_of(corner[k], corner[k + 1], other, 0);
      count += l.fresh;
      edges += 1 - l.seen;
    }
  }
  h->count = edges;
  return count;
}

/// Whether the border is one loop without a vertex twice, found by walking it.
[[gnu::noinline]] SWEPT_FN bool is_loop(const Horizon& h) {
  unsigned char starts[polytope_vertices];
  for (int i = 0; i < h.count; ++i) {
    starts[h.edge[i][0]] = 255;
  }
  bool simple = h.count >= 3;
  for (int i = 0; i < h.count; ++i) {
    simple = simple && starts[h.edge[i][0]] == 255;
    starts[h.edge[i][0]] = static_cast<unsigned char>(i);
  }
  int length = 0;
  for (int i = 0; simple && (length == 0 || i != 0); i = starts[h.edge[i][1]]) {
    ++length;
    simple = length <= h.count;
  }
  return simple && length == h.count;
}

/// Number the faces to be made on the border of `nseen` faces: those seen stand on the stack of
/// unused faces, and from it come the new ones. Whether the border is one loop without a vertex
/// twice.
[[gnu::always_inline]] SWEPT_FN bool number_faces(Polytope* p, Horizon* h, int nseen) {
  const int w = p->nvertex;
  unsigned char* const top = p->free + free_base + p->nfree + nseen - 1;
  p->free[free_base - 1] = static_cast<unsigned char>(p->nface);
  p->free[free_base - 2] = static_cast<unsigned char>(p->nface + 1);
  for (int k = 0; k < four_lanes; ++k) {
    h->edge[h->count + k] = bytes_of(w, w, spare_face, spare_face);
  }
  std::uint64_t starts = 0;
  for (int i = 0; i < h->count; i += four_lanes) {
    for (int k = i; k < i + four_lanes; ++k) {
      const unsigned char made = k < h->count ? *(top - k) : static_cast<unsigned char>(spare_face);
      const int v0 = h->edge[k][0], v1 = h->edge[k][1];
      h->edge[k].at[3] = made;
      h->starts[v0] = h->ends[v1] = made;
      starts |= std::uint64_t{1} << v0 % 64;
    }
  }
  starts &= ~(std::uint64_t{1} << w % 64);
  const bool plain = w < 64 && nseen == h->count - 2 && bit_count(starts) == h->count;
  return (plain && h->count >= 3) || is_loop(*h);
}

/// Make the new faces from the edges to the newest vertex. The nearest of them and `nearest`.
[[gnu::always_inline]] SWEPT_FN KeyedFace join_horizon(Polytope* p, const Horizon& h, int nseen,
                                                       KeyedFace nearest) {
  const int w = p->nvertex, left = p->nfree + nseen - h.count;
  for (int i = p->nfree; i < left; ++i) {
    p->key[p->free[free_base + i]] = no_key;
    p->state[p->free[free_base + i]] = face_unused;
  }
  p->nfree = left > 0 ? left : 0;
  make_places(p, p->nface + (left < 0 ? -left : 0));
  const Vec3<real> top = p->vertex[w].w;
  const Vec3<four> c = {four(top.x), four(top.y), four(top.z)};
  for (int i = 0; i < h.count; i += four_lanes) {
    const Bytes* const edge = h.edge + i;
    for (int k = 0; k < four_lanes; ++k) {
      const int v0 = edge[k][0], v1 = edge[k][1], outer = edge[k][2], made = edge[k][3];
      // the edge of the outer face starts where this one ends
      const Bytes far = p->corner[outer];
      p->neighbour[outer].at[(far[1] == v1 ? 1 : 0) + (far[2] == v1 ? 2 : 0)] =
          static_cast<unsigned char>(made);
      p->corner[made] = bytes_of(v0, v1, w, v0);
      p->neighbour[made] = bytes_of(outer, h.starts[v1], h.ends[v0], 0);
    }
    const KeyedFace made = set_planes(
        p, [&](int l) { return edge[l][3]; },
        gather_vertices(*p, [&](int l) { return edge[l][0]; }),
        gather_vertices(*p, [&](int l) { return edge[l][1]; }), c);
    nearest = nearer_of(nearest, made);
  }
  return nearest;
}

/// Add the vertex that stands behind the last one, with the faces that it sees.
template <class Sight>
[[gnu::always_inline]] SWEPT_FN bool add_with(Polytope* p, int first, Sight sight) {
  Horizon h;
  const int nseen = find_horizon(*p, first, &sight, p->free + free_base + p->nfree, &h);
  if (!number_faces(p, &h, nseen)) {
    return false;
  }
  const KeyedFace left = sight.nearest_left(*p), nearest = join_horizon(p, h, nseen, left);
  p->nearest = left.face >= 0 && nearest.key < no_key ? nearest.face : -1;
  ++p->nvertex;
  return true;
}

/// Add the vertex that stands behind the last one and sees face `first`. False, and nothing
/// changes, if the border is no simple loop (rounding). Else the nearest face is known: keys may be
/// changed after it has been asked for.
SWEPT_FN bool add_vertex(Polytope* p, int first, real margin) {
  const Vec3<real> w = p->vertex[p->nvertex].w;
  if constexpr (lanes_of<pack> == 1) {
    return add_with(p, first, LaneSight(*p, first, w, margin));
  } else if (p->nface <= 64) {
    return add_with(p, first, PackSight<1>(*p, first, w, margin));
  } else {
    return add_with(p, first, PackSight<(polytope_faces + 63) / 64>(*p, first, w, margin));
  }
}

}  // namespace swept::SWEPT_NS
