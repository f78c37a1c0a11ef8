// SPDX-License-Identifier: Apache-2.0
// A pair of which one geom, or both, are meshes that collide as they are, on its way through a step:
// face by face, each a convex shape of three points that moves with its mesh.
//
// Every face that may be met (surface_reach.h) is followed with the certificate of guard.h: no deeper
// than a floor before the time that is returned. The pair's time is the earliest of its faces'. The
// thickness e is the smallest half size of the convex geom.
//
//   floor of a face    the margin, if the geom is apart from it; else -e / 2, or where it is, as for any
//                      pair: never below -3/4 e
//
// A face that is reached where it may not push (surface.h: at the seam to a neighbour that lies in its
// plane, or from behind) is not met there: it is followed on, to the floor -e / 2. What is met of it
// then makes contacts only where no other face does: the neighbour has been met before.
//
// So no face is deeper in the geom than 3/4 e before the pair's time. A geom that holds a ball of radius
// e around its centre (sphere, capsule, ellipsoid, cylinder, box) then has its centre on no face, since a
// face through the centre is e deep: its centre does not get through the surface. Nor does it in a step
// that is not followed, in which it travels less than e / 4 (pair_thickness). Hulls of meshes may have
// less than e around their centre; for them this is a bound of depth and no more.
//
// A geom whose centre lies inside a closed surface is not followed, so that nothing stops it on the way
// out. Two surfaces have no thickness: faces that are apart are followed to the margin, those that
// overlap already are left to the discrete contacts.
#pragma once

#include "kernels/speculative/fast_pair.h"
#include "kernels/speculative/surface_impact.h"
#include "kernels/speculative/surface_reach.h"

namespace swept::SWEPT_NS {

/// A pair with a face in the place of one of its geoms.
///   second   in that of geom 2
template <class Pair>
SWEPT_FN Pair with_face(const Pair& pair, bool second, const SurfaceFace& face,
                        const FaceShape& points) {
  Pair other = pair;
  Shape& shape = second ? other.shape2 : other.shape1;
  shape = points.at(shape.pos, shape.mat);
  const Vec3<real>* const c = face.corner;
  (second ? other.bound2 : other.bound1) = max(norm(c[0]), max(norm(c[1]), norm(c[2])));
  return other;
}

/// One of the two geoms of a pair, of which it is known whether it is a surface.
struct PairSide {
  bool is_surface = false;
  Surface surface;
  SurfaceFace face;  ///< that is in work, if it is a surface

  /// Whether the face may push what it has met.
  ///   second   this is geom 2
  SWEPT_FN bool may_push_at(const Placing& at, Vec3<real> normal, bool second) const {
    if (!is_surface) {
      return true;
    }
    const Vec3<real> u = second ? -transpose_mul(at.mat2, normal) : transpose_mul(at.mat1, normal);
    return may_push(surface, face, foremost(face, u), u);
  }
};

/// A pair while its faces are followed.
template <class Pair>
struct SurfaceFollow {
  const Pair& whole;
  GuardSettings settings;
  ContactCount wanted;
  PairSide one, two;
  GuardState earliest;   ///< of all faces; its rounds are those of all
  bool touches = false;  ///< some face is touched from the beginning
  ImpactSet impact;      ///< of faces that may push
  ImpactSet seams;       ///< of the others

  /// Follow a pair of convex shapes that stand for the two geoms.
  [[gnu::noinline]] SWEPT_FN void follow(const Pair& pair) {
    GuardState s = guard_to_end(pair, settings);
    ImpactSet* met = &impact;
    touches = touches || (s.end != AdvanceEnd::invalid && s.floor < settings.margin);
    if (is_hit(s.end) && !(s.floor < settings.margin)) {
      const Placing at = place_pair(pair, s.seen);
      if (!one.may_push_at(at, s.normal, false) || !two.may_push_at(at, s.normal, true)) {
        const int rounds = s.rounds;
        if (!(pair.thickness > 0_r)) {
          earliest.rounds += rounds;
          return;
        }
        // as if they touched
        s = guard_to_end(pair, {no_thickness, settings.ease, settings.cap});
        s.rounds += rounds;
        met = &seams;
      }
    }
    take(pair, s, met);
  }

  SWEPT_FN void take(const Pair& pair, const GuardState& s, ImpactSet* met) {
    const int rounds = earliest.rounds + s.rounds;
    const bool was_hit = is_hit(earliest.end);
    if (s.end == AdvanceEnd::invalid) {
      earliest = s;
    } else if (is_hit(s.end)) {
      Impact points;
      robust_impact(pair, s.floor, s, wanted, &points);
      for (int i = 0; i < points.count; ++i) {
        met->add(points.point[i]);
      }
      if (earliest.end != AdvanceEnd::invalid && (!was_hit || s.t < earliest.t)) {
        earliest = s;
      }
    }
    earliest.rounds = rounds;
  }

  /// Follow what stands for geom 1 along all faces of geom 2, or itself.
  SWEPT_FN void follow_second(const Pair& pair) {
    if (!two.is_surface) {
      follow(pair);
      return;
    }
    const BoxExtent box =
        faces_in_reach(pair, true, extent_of(seen_from(pair.shape2, pair.shape1)), settings.margin);
    visit_faces(
        two.surface, [&](const BoxExtent& node) { return boxes_meet(node, box); },
        [&](int i) {
          two.face = two.surface.face(i);
          const FaceShape points(two.face);
          follow(with_face(pair, true, two.face, points));
        });
  }

  /// Follow all that stands for geom 1.
  SWEPT_FN void follow_all() {
    earliest.end = AdvanceEnd::none;
    follow_first();
    if (impact.count == 0) {
      impact = seams;
    }
  }
  SWEPT_FN void follow_first() {
    if (!one.is_surface) {
      follow_second(whole);
      return;
    }
    const BoxExtent box = faces_in_reach(
        whole, false, extent_of(seen_from(whole.shape1, whole.shape2)), settings.margin);
    visit_faces(
        one.surface, [&](const BoxExtent& node) { return boxes_meet(node, box); },
        [&](int i) {
          one.face = one.surface.face(i);
          const FaceShape points(one.face);
          follow_second(with_face(whole, false, one.face, points));
        });
  }
};

/// Whether the centre of one of two geoms lies inside the other, a closed surface.
///   surface   geom 2 of shape `at`
SWEPT_FN bool centre_inside(const Surface& surface, const Shape& at, const Shape& other) {
  const Vec3<real> c = transpose_mul(at.mat, other.pos - at.pos);
  return surface.closed && surface.m.meshbvh_num(surface.mesh) > 0 &&
         is_in(surface.node_box(0), c) && nearest_on_surface(surface, c).inside;
}

/// Follow a pair to its end: state, touches and impact of `p`.
///   whole   the pair on its way
template <class Pair>
[[gnu::noinline]] SWEPT_FN void follow_surface(const ModelAt<real>& m, Pair whole,
                                               const GuardSettings& settings, FastPair* p) {
  const int g1 = p->pair.geom1, g2 = p->pair.geom2;
  PairSide one = {}, two = {};
  one.is_surface = m.geom_surface(g1) != 0;
  two.is_surface = m.geom_surface(g2) != 0;
  const bool both = one.is_surface && two.is_surface;
  if (one.is_surface) {
    one.surface = surface_of(m, g1);
  }
  if (two.is_surface) {
    two.surface = surface_of(m, g2);
  }
  p->impact = {};
  p->state = {};
  if ((!both && one.is_surface && centre_inside(one.surface, whole.shape1, whole.shape2)) ||
      (!both && two.is_surface && centre_inside(two.surface, whole.shape2, whole.shape1))) {
    p->state.end = AdvanceEnd::overlap;
    p->touches = 1;
    return;
  }
  const int convex = one.is_surface ? g2 : g1;
  whole.thickness = both ? 0_r : pair_thickness(m, convex, convex);
  const ImpactSet points(whole.origin, min(whole.bound1, whole.bound2));
  SurfaceFollow<Pair> all = {whole,  settings, wanted_contacts(m), one, two, {}, false,
                             points, points};
  all.follow_all();
  p->state = all.earliest;
  p->touches = all.touches ? 1 : 0;
  p->impact.count = all.impact.count;
  for (int i = 0; i < all.impact.count; ++i) {
    p->impact.point[i] = all.impact.at[i];
  }
}

}  // namespace swept::SWEPT_NS
