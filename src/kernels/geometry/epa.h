// SPDX-License-Identifier: Apache-2.0
// EPA (van den Bergen 2001): how deep the origin lies in the difference D = {a - b} of two cores.
//
// A polytope inside D that holds the origin grows: the vertex w of D that is furthest along the
// normal n of its nearest face joins it. With `offset` the distance of that face,
//
//        offset  <=  depth  <=  n . w
//
// Every n gives an upper bound; the smallest and its face are remembered. It ends when
//   converged  the smallest upper bound is within the tolerance of the lower one
//   full       the bounds do not meet: rounding leaves no face to expand
// and either way gives the direction of the smallest upper bound: moving the shapes apart by that much
// along it separates them, always.
//
// On round shapes faces close in slowly. Once a face is near to D, Newton's method descends from its
// normal to a minimum of the upper bound, and if none better is known the face is taken to have this
// depth. That is no bound: D might dip between, by no more than the face was away from it. Where
// minima form a ring, a descent may creep along it; after many rounds it has time to arrive, and its
// end counts although it is no minimum to all digits. Depths along the axes of cylinders and boxes,
// where h has its sharpest minima, are looked at first. The gap of round shapes counts such faces as
// closed; that of polytopes is a proof.
//
// A polytope that is full drops what is settled (compact.h). So that little is open at a time, faces
// that are nearly settled come first after many rounds: all faces nearer than the depth have to be
// divided in any order. A face that cannot be divided, because nothing could be dropped or the new
// triangles would be thinner than rounding, is closed by a descent by nearest points (descend.h).
//
// A face whose nearest point is not inside it is never the nearest of a convex polytope; it is one
// whose plane is lost in rounding, and is not expanded.
#pragma once

#include "kernels/geometry/complete.h"
#include "kernels/geometry/depth_search.h"
#include "kernels/geometry/descend.h"

namespace swept::SWEPT_NS {

/// After every so many rounds coarse_gap doubles.
constexpr int coarse_rounds = 12;
/// The round in which a ring of equal minima around a cylinder is thought of.
constexpr int wall_rounds = 20;
/// The round from which descents are patient, and end in valleys.
constexpr int patient_rounds = 40;
/// What is a valley: where h changes by less than this a radian, over the depth.
constexpr real valley_slope = sizeof(real) == 4 ? 3e-5_r : 3e-6_r;
/// Minima this near, over the depth, count as the same.
constexpr real same_minimum = sizeof(real) == 4 ? 2e-6_r : 1e-6_r;

/// Store face `face` of the polytope as a simplex whose weights give the nearest point.
SWEPT_FN void face_simplex(const Polytope& p, int face, Vec3<real> weights, Simplex* s) {
  const real w[3] = {weights.x, weights.y, weights.z};
  s->count = 3;
  for (int i = 0; i < 3; ++i) {
    s->vertex[i] = p.vertex[p.corner[face][i]];
    s->weight[i] = w[i];
  }
}

/// Replace the simplex by one at the nearest points for a known depth along n: the point of D
/// nearest to a place beyond depth n, by GJK on D moved away.
SWEPT_FN void points_at_depth(CorePair* pair, Vec3<real> n, real depth, real size,
                              Simplex* simplex) {
  Simplex s;
  if (gjk_from(pair, n * (depth + max(depth, 0.01_r * size)), &s).end != GjkEnd::overlap) {
    *simplex = s;
  }
}

/// Round parts: descend to the local minimum below a face with support w, if the face is near
/// enough to D or cannot be divided. Whether it is done with.
SWEPT_FN bool close_by_newton(DepthSearch* d, Polytope* p, int face, const Vertex& w, real bound,
                              bool room) {
  const real size = d->size;
  if (room && !(bound - p->offset[face] < d->coarse * min(size, max(d->least(), d->smaller)))) {
    return false;
  }
  const Vertex corners[3] = {p->vertex[p->corner[face][0]], p->vertex[p->corner[face][1]],
                             p->vertex[p->corner[face][2]]};
  const Kink kink = kink_of(*d->pair, corners, 3);
  if (room && kink.edges > 1) {
    // where several edges meet, faces themselves converge fast
    return false;
  }
  const bool patient = d->r.rounds > patient_rounds;
  const Polished lowest = polish(d->pair, p->normal[face], w, kink, polish_residual * size,
                                 patient ? patient_steps : newton_steps);
  // any direction gives an upper bound; only a minimum has nearest points
  if (lowest.h < d->upper ||
      (lowest.good && d->rough && lowest.h <= d->upper + d->tolerance * size)) {
    d->lower({lowest.h, lowest.n}, !lowest.good);
    *d->simplex = lowest.simplex;
  }
  // a face that hides something better than its minimum is divided further
  const real least = d->least(), deep = min(size, max(least, 0.01_r * size));
  const bool best = lowest.h <= least + max(same_minimum * deep, 16_r * epsilon * size);
  const bool arrived = lowest.good || (patient && lowest.slope <= valley_slope * deep);
  if (best && arrived) {
    d->close(p, face, lowest.h);
  }
  return best && arrived;
}

/// Close a face that cannot be divided. `bound` is h along its normal.
SWEPT_FN void close_by_nearest_points(DepthSearch* d, Polytope* p, int face, real bound) {
  if (!(bound - p->offset[face] > d->margin())) {
    d->close(p, face, p->offset[face]);
    return;
  }
  const DepthAlong end =
      descend(d->pair, {bound, p->normal[face]}, d->size, d->tolerance * d->size);
  if (end.depth < d->upper) {
    d->lower(end, true);
  }
  d->close(p, face, end.depth);
}

/// All faces are slivers: the origin is inside, and that is all they say. The least end of descents
/// from them.
[[gnu::noinline]] SWEPT_FN void end_by_descents(DepthSearch* d, const Polytope& p) {
  for (int f = 0; f < p.nface; ++f) {
    const Vec3<real> n = unit(p.normal[f]);
    const DepthAlong end =
        descend(d->pair, {fused_dot(n, support(d->pair, n).w), n}, d->size, d->tolerance * d->size);
    if (end.depth < d->upper) {
      d->lower(end, true);
    }
  }
  d->end(max(d->upper, 0_r));
}

/// Divide faces until the bounds meet.
SWEPT_FN void expand(DepthSearch* d, Polytope* p) {
  CorePair* const pair = d->pair;
  EpaResult& r = d->r;
  while (true) {
    make_room(d, p);
    const auto [face, nearest] = next_face(*d, p);
    const real least = d->least();
    if (face < 0 && !(least < no_key)) {
      end_by_descents(d, *p);
      return;
    }
    if (face < 0 || (nearest && p->offset[face] >= d->upper - d->tolerance * d->size)) {
      d->end(least - min(face < 0 ? least : p->offset[face], d->floor));
      return;
    }
    // if the nearest point of its plane lies in it
    const Vec3<real> weights = projection_weights(*p, face);
    if (min(min(weights.x, weights.y), weights.z) < -1e-3_r) {
      p->key[face] = no_key;
      continue;
    }
    Vertex& w = p->vertex[p->nvertex];
    support(pair, p->normal[face], &w);
    const real bound = fused_dot(p->normal[face], w.w);
    // the more rounds it takes, the sooner a face is done with
    d->coarse = r.rounds % coarse_rounds == coarse_rounds - 1 ? 2_r * d->coarse : d->coarse;
    if (++r.rounds == wall_rounds && !pair->polytopes) {
      bool proven;
      const DepthAlong walls = depth_in_walls(pair, no_key, &proven);
      d->aside = proven || walls.depth < d->aside.depth ? walls : d->aside;
      if (proven) {
        d->end(0_r);
        return;
      }
    }
    d->size = max(d->size, max(max(abs(w.w.x), abs(w.w.y)), abs(w.w.z)));
    if (bound < d->upper) {
      d->lower({bound, p->normal[face]}, bound - p->offset[face] > d->tolerance * d->size);
      face_simplex(*p, face, weights, d->simplex);
    }
    const real gap = d->upper - min(p->offset[face], d->floor);
    if (nearest && gap <= d->tolerance * d->size) {
      d->end(gap);
      return;
    }
    const bool room = p->nvertex < polytope_vertices;
    if (!pair->polytopes && close_by_newton(d, p, face, w, bound, room)) {
      continue;
    }
    if (!room || !(bound - p->offset[face] > d->margin()) || !add_vertex(p, face, d->margin())) {
      close_by_nearest_points(d, p, face, bound);
    }
  }
}

/// Run EPA from the simplex in which GJK ended with an overlap.
///   simplex   receives the face at the nearest point, with weights
[[gnu::noinline]] SWEPT_FN EpaResult epa(CorePair* pair, real scale, Simplex* simplex) {
  Polytope p;
  DepthSearch d(pair, simplex, scale);
  if (!complete_simplex(pair, *simplex, scale, &p, &d.r.normal) || nearest_face(p) < 0) {
    for (int i = 0; simplex->count == 4 && i < 4; ++i) {
      simplex->weight[i] = 0.25_r;
    }
    d.r.end = EpaEnd::flat;
    return d.r;
  }
  expand(&d, &p);
  EpaResult& r = d.r;
  r.inside = r.depth > 0_r;
  for (int f = 0; r.inside && f < p.nface; ++f) {
    r.inside = p.state[f] != face_live || p.offset[f] > 0_r;
  }
  // what is known without the polytope; points that are good are not given up for rounding
  const auto take = [&](const DepthAlong& known) {
    if (known.depth < r.depth - (d.rough ? 0_r : d.tolerance * d.size)) {
      d.lower(known, true);
    }
  };
  if (!pair->polytopes) {
    take(d.aside);
    const real before = r.depth;
    if (r.rounds < wall_rounds) {
      bool proven;
      take(depth_in_walls(pair, r.depth, &proven));
    }
    r.gap = max(r.gap - (before - r.depth), 0_r);
  }
  if (d.rough) {
    points_at_depth(pair, r.normal, r.depth, d.size, simplex);
  }
  return r;
}

}  // namespace swept::SWEPT_NS
