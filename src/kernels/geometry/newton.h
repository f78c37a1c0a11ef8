// SPDX-License-Identifier: Apache-2.0
// Newton's method for the distance of shapes with round parts.
//
// With h(n) = max of n . w over the difference D, the signed distance of two cores is the negative
// of the least h over unit vectors n: the depth if the origin lies in D, the distance if not. On
// round parts h has second derivatives, and GJK or EPA, which halve their error a few times per
// vertex, can be overtaken. In tangents t1, t2 across n
//
//     gradient  g_i = w . t_i        Hessian  A_ij = t_i . H t_j - h d_ij        A step = -g
//
// where H is the curvature of the support functions of both cores:
//
//     ellipsoid   (S S - p p^T) / |S n|   with the half sizes S and the support point p
//     cylinder    r / rho c c^T           with rho = |n_xy| and c across n_xy and the axis
//     the others  0
//
// Across an edge h has a kink. Along the arc of directions that see the edge as one, the method goes
// on in one dimension; the nearest point then lies between the two ends of the edge.
//
// The guess which edge it is may be wrong. An end that is better than the edge drops it; two vertices
// that take turns make one. Steps are taken only while h falls, and the result is checked as any
// other: it holds if the nearest point v of what was found is h n within the tolerance.
#pragma once

#include "kernels/geometry/simplex.h"

namespace swept::SWEPT_NS {

/// Second derivatives of h in two tangents.
struct Curvature {
  real tt, ts, ss;
};

/// Those of one core's support function, all in its frame.
SWEPT_FN Curvature curvature_of(const Core& core, Vec3<real> n, Vec3<real> t, Vec3<real> s) {
  const Vec3<real> size = core.size;
  if (core.kind == CoreKind::ellipsoid) {
    const Vec3<real> y = {size.x * n.x, size.y * n.y, size.z * n.z};
    const Vec3<real> yt = {size.x * t.x, size.y * t.y, size.z * t.z};
    const Vec3<real> ys = {size.x * s.x, size.y * s.y, size.z * s.z};
    const real square = dot(y, y);
    if (square > 0_r) {
      const real inverse = 1_r / sqrt(square);
      const real pt = dot(y, yt) * inverse, ps = dot(y, ys) * inverse;
      return {(dot(yt, yt) - pt * pt) * inverse, (dot(yt, ys) - pt * ps) * inverse,
              (dot(ys, ys) - ps * ps) * inverse};
    }
  }
  if (core.kind == CoreKind::cylinder) {
    const real square = n.x * n.x + n.y * n.y;
    if (square > 1e-12_r) {
      const real factor = size.x / (square * sqrt(square));
      const real ct = n.x * t.y - n.y * t.x, cs = n.x * s.y - n.y * s.x;
      return {factor * ct * ct, factor * ct * cs, factor * cs * cs};
    }
  }
  return {0_r, 0_r, 0_r};
}

/// The edges that some vertices of D lie on.
struct Kink {
  int edges;        ///< 0: none, 1: one, 2: several
  Vec3<real> axis;  ///< one edge: its direction
};

/// Add the edge between the points of one core, if there are several.
///   id, point   of the vertices on this core, in the frame of core 1
///   axis        of the core if it is a cylinder
SWEPT_FN void add_edge(Kink* kink, const Core& core, const int* id, const Vec3<real>* point,
                       int count, Vec3<real> axis) {
  if (core.kind == CoreKind::ellipsoid || core.kind == CoreKind::point) {
    return;
  }
  int other = 0;
  for (int i = 1; i < count; ++i) {
    other = id[i] != id[0] ? i : other;
  }
  if (other == 0) {
    return;
  }
  const bool face = count == 3 && core.kind != CoreKind::cylinder && id[1] != id[0] &&
                    id[2] != id[0] && id[2] != id[1];
  const Vec3<real> e = core.kind == CoreKind::cylinder ? axis : unit(point[other] - point[0]);
  const Vec3<real> across = cross(kink->axis, e);
  const bool parallel = kink->edges == 0 || dot(across, across) < 1e-6_r;
  *kink = {face || !parallel ? 2 : 1, e};
}

/// The kink at the direction that up to three vertices of D span.
SWEPT_FN Kink kink_of(const CorePair& pair, const Vertex* v, int count) {
  Kink kink = {0, {0_r, 0_r, 0_r}};
  int id1[3], id2[3];
  Vec3<real> p1[3], p2[3];
  for (int i = 0; i < count; ++i) {
    id1[i] = v[i].id1;
    id2[i] = v[i].id2;
    p1[i] = v[i].a;
    p2[i] = v[i].a - v[i].w;
  }
  add_edge(&kink, pair.core1, id1, p1, count, {0_r, 0_r, 1_r});
  add_edge(&kink, pair.core2, id2, p2, count, column_z(pair.turn));
  return kink;
}

/// Eigenvalues of the Hessian below this, over the curvatures, are zero. They belong to rings of equal
/// minima: a cylinder around a sphere.
constexpr real newton_least = sizeof(real) == 4 ? 1e-4_r : 1e-7_r;

/// One step from the unit vector n.
struct NewtonStep {
  bool good;        ///< the Hessian has no negative eigenvalue
  real length;      ///< [rad] of the step
  real gain;        ///< [m] by which h is to fall
  Vec3<real> next;  ///< unit
};

/// Newton's step from n with support w, on the arc across the edge of `kink` if there is one (not
/// several), no longer than `most` [rad].
SWEPT_FN NewtonStep newton_step(const CorePair& pair, Vec3<real> n, Vec3<real> w, const Kink& kink,
                                real most) {
  // on an arc: t along it, and n moves onto it
  Vec3<real> base = n;
  Vec3<real> t;
  if (kink.edges == 1) {
    base = normalize(n - dot(n, kink.axis) * kink.axis);
    t = cross(kink.axis, base);
  } else {
    const real x = abs(n.x), y = abs(n.y);
    t = normalize(x < y ? Vec3<real>{0_r, n.z, -n.y} : Vec3<real>{n.z, 0_r, -n.x});
  }
  const Vec3<real> s = cross(base, t);
  const real h = dot(base, w);
  const Vec3<real> n2 = -transpose_mul(pair.turn, base);
  const Curvature c1 = curvature_of(pair.core1, base, t, s);
  const Curvature c2 =
      curvature_of(pair.core2, n2, transpose_mul(pair.turn, t), transpose_mul(pair.turn, s));
  const real att = c1.tt + c2.tt - h, gt = dot(w, t);
  const real curved = abs(h) + c1.tt + c2.tt + c1.ss + c2.ss, least = newton_least * curved;
  real dt, ds = 0_r, gs = 0_r, lowest = att;
  if (kink.edges == 1) {
    dt = -gt / max(att, least);
  } else {
    // where the smaller eigenvalue is not positive, raise both
    const real ats = c1.ts + c2.ts, ass = c1.ss + c2.ss - h;
    gs = dot(w, s);
    const real half = 0.5_r * (att - ass);
    lowest = 0.5_r * (att + ass) - sqrt(half * half + ats * ats);
    const real raise = lowest < least ? least - lowest : 0_r;
    const real a = att + raise, d = ass + raise;
    const real det = a * d - ats * ats;
    dt = (ats * gs - d * gt) / det;
    ds = (ats * gt - a * gs) / det;
  }
  if (!(curved > 0_r)) {
    return {false, 0_r, 0_r, n};
  }
  const real length = sqrt(dt * dt + ds * ds);
  const real shorten = length > most ? most / length : 1_r;
  return {lowest > -least, length, -0.5_r * (gt * dt + gs * ds),
          normalize(base + (dt * shorten) * t + (ds * shorten) * s)};
}

/// A local minimum of h.
struct Polished {
  bool good;        ///< v = h n within the tolerance
  real h;           ///< [m]
  real gap;         ///< [m] |v| less |h|
  real slope;       ///< [m] of h a radian: |v - h n|
  Vec3<real> n;     ///< unit
  Simplex simplex;  ///< whose nearest point is v
};

/// Steps of one descent.
constexpr int newton_steps = 10;
/// Steps of one descent that is to arrive whatever it takes; its steps may be shortened.
constexpr int patient_steps = 60;
/// A step [rad] after which the next would not change h.
constexpr real newton_short = sizeof(real) == 4 ? 2e-4_r : 1e-7_r;
/// What part of the tolerance of v - h n may stand across the plane: the distance errs by as much.
constexpr real plane_part = 0.01_r;
/// Turn [rad] that tells the ends of an edge apart.
constexpr real edge_turn = sizeof(real) == 4 ? 3e-4_r : 1e-7_r;

/// Whether two vertices differ in a corner of a core with corners.
SWEPT_FN bool other_corner(const Vertex& v, const Vertex& w) {
  return v.id1 != w.id1 || v.id2 != w.id2;
}

/// Set the simplex of a polished direction: the vertex, or the ends of the edge. Whether v lies
/// between the ends.
SWEPT_FN bool polished_simplex(CorePair* pair, const Kink& kink, const Vertex& w, Polished* p) {
  Simplex& s = p->simplex;
  s.count = 1;
  s.vertex[0] = w;
  s.weight[0] = 1_r;
  if (kink.edges == 0) {
    return true;
  }
  s.vertex[0] = support(pair, normalize(p->n - edge_turn * kink.axis));
  s.vertex[1] = support(pair, normalize(p->n + edge_turn * kink.axis));
  s.count = 2;
  const Vec3<real> e = s.vertex[1].w - s.vertex[0].w;
  const real square = dot(e, e), along = -dot(s.vertex[0].w, e);
  if (!(along > 0_r && along < square)) {
    s.vertex[0] = along > 0_r ? s.vertex[1] : s.vertex[0];
    s.count = 1;
    return false;
  }
  s.weight[1] = along / square;
  s.weight[0] = 1_r - s.weight[1];
  return true;
}

/// Descend from the direction n with support w.
///   kink        at n
///   tolerance   [m] of |v - h n|
///   steps       newton_steps; more are taken patiently: those that overshoot are shortened
SWEPT_FN Polished polish(CorePair* pair, Vec3<real> n, Vertex w, Kink kink, real tolerance,
                         int steps = newton_steps) {
  Polished p;
  p.good = false;
  p.n = n;
  p.h = dot(n, w.w);
  // more edges are known only roughly: begin without
  kink.edges = kink.edges > 1 ? 0 : kink.edges;
  bool minimum = false, dropped = false, between = false;
  real most = 1_r;
  for (int i = 0; i < steps && !between; ++i) {
    const NewtonStep step = newton_step(*pair, p.n, w.w, kink, most);
    minimum = step.good;
    const bool small =
        step.length < newton_short || step.gain <= 4_r * epsilon * (abs(p.h) + norm(w.w));
    const Vertex next = support(pair, step.next);
    const real h = dot(step.next, next.w);
    const bool fell = h < p.h;
    if (!fell && !small && kink.edges == 0 && other_corner(w, next)) {
      // two vertices that take turns: the edge between them
      const Vertex ends[2] = {w, next};
      kink = kink_of(*pair, ends, 2);
      if (kink.edges > 1) {
        break;
      }
      continue;
    }
    if (!fell && !small && i + 1 < steps && steps > newton_steps) {
      most = 0.25_r * min(step.length, most);
      continue;
    }
    if (fell || small) {
      p.n = step.next;
      p.h = h;
      w = next;
    }
    if (fell && !small && i + 1 < steps) {
      continue;
    }
    between = polished_simplex(pair, kink, w, &p);
    if (!between && dropped) {
      break;
    }
    if (!between) {
      // the edge ends before v: its end alone
      dropped = true;
      kink.edges = 0;
      w = p.simplex.vertex[0];
      p.h = dot(p.n, w.w);
    }
  }
  Vec3<real> v = -(p.h * p.n);
  for (int i = 0; i < p.simplex.count; ++i) {
    v = v + p.simplex.weight[i] * p.simplex.vertex[i].w;
  }
  // |v|^2 - h^2 = (v - h n) . (v + h n); the ends of an edge that is none lie off the plane of n
  const real off = dot(v, v), lift = dot(v, p.n);
  p.slope = sqrt(off);
  p.good =
      between && minimum && off <= tolerance * tolerance && abs(lift) <= plane_part * tolerance;
  p.gap = (off + 2_r * p.h * lift) / (2_r * abs(p.h) + p.slope + 1e-30_r);
  return p;
}

}  // namespace swept::SWEPT_NS
