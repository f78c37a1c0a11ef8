// SPDX-License-Identifier: Apache-2.0
// Contacts of two meshes that both collide as they are: face against face.
//
// For two faces within reach, u being the direction in which the one is to be pushed off the other
// (along their nearest points, or out of the least overlap), a contact needs that u may push at the
// other face and -u at the one, see may_push in surface.h. Faces that overlap though u may not push are
// pushed apart along the normal of one of them, if the furthest corner of the other that is behind it
// lies under it: the normal along which they overlap less. Which contacts stay says contact_set.h.
//
// Surfaces of which no faces are within reach may still be one inside the other: then that whose first
// corner lies inside the other is pushed out the shortest way that the corner has.
#pragma once

#include "kernels/geometry/surface_contact.h"

namespace swept::SWEPT_NS {

/// A face of a surface that stands in the frame of another.
struct PlacedFace {
  SurfaceFace own;   ///< in the frame of its mesh
  SurfaceFace here;  ///< in that of the other
};
SWEPT_FN PlacedFace placed_face(const SurfaceFace& own, const Shape& pose) {
  PlacedFace f = {own, own};
  for (Vec3<real>& corner : f.here.corner) {
    corner = pose.pos + pose.mat * corner;
  }
  f.here.normal = pose.mat * own.normal;
  return f;
}

/// The centre of a face.
SWEPT_FN Vec3<real> middle_of(const SurfaceFace& f) {
  return (f.corner[0] + f.corner[1] + f.corner[2]) * (1_r / 3_r);
}

/// The faces of two surfaces, and the contacts they have so far. All in the frame of mesh 2, but for
/// what mesh 1 is asked.
struct SurfacePair {
  const Surface& s1;
  const Surface& s2;
  Shape pose1;  ///< mesh 1 in the frame of mesh 2
  real detect;
  ContactCount wanted;
  ContactSet set;
  SpareContact spare;

  /// Whether face 1 may be pushed along u, and face 2 against it.
  SWEPT_FN bool may_part(const PlacedFace& one, const SurfaceFace& two, Vec3<real> u) const {
    const Vec3<real> back = -transpose_mul(pose1.mat, u);
    return may_push(s2, two, foremost(two, u), u) &&
           may_push(s1, one.own, foremost(one.own, back), back);
  }

  SWEPT_FN void add(const Shape& a, const Shape& b, const Nearest& nearest,
                    const Features& features) {
    Witness found[max_convex_contacts];
    int n = 1;
    if (wanted == ContactCount::several) {
      n = multi_contact(a, b, nearest, features, detect, found);
    } else {
      found[0] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal};
    }
    for (int i = 0; i < n; ++i) {
      set.add(found[i]);
    }
  }

  /// Two faces that overlap, along the normal of one of them.
  SWEPT_FN void add_overlap(const PlacedFace& one, const Shape& a, const SurfaceFace& two,
                            const Shape& b) {
    SurfaceBody body1(a), body2(b);
    const FaceOverlap behind2 = overlap_of(&body1, two, middle_of(one.here)),
                      behind1 = overlap_of(&body2, one.here, middle_of(two));
    const bool use2 = behind2.under && may_part(one, two, two.normal),
               use1 = behind1.under && may_part(one, two, -one.here.normal);
    const Witness w2 = {behind2.nearest.dist,
                        0.5_r * (behind2.nearest.point1 + behind2.nearest.point2), -two.normal},
                  w1 = {behind1.nearest.dist,
                        0.5_r * (behind1.nearest.point1 + behind1.nearest.point2), one.here.normal};
    const bool second = w2.dist >= w1.dist;
    if (use2 && (second || !use1)) {
      const Features facing = {feature_of(one.own, foremost(one.here, -two.normal)),
                               feature_of(two, foremost(two, two.normal))};
      add(a, b, behind2.nearest, facing);
    } else if (use1) {
      const Nearest nearest = {w1.dist, behind1.nearest.point2, behind1.nearest.point1, w1.normal};
      const Features facing = {feature_of(one.own, foremost(one.here, one.here.normal)),
                               feature_of(two, foremost(two, -one.here.normal))};
      add(a, b, nearest, facing);
    } else {
      spare.offer(second ? w2 : w1);
    }
  }

  /// The contacts of two faces.
  SWEPT_FN void add_faces(const PlacedFace& one, const Shape& a, SurfaceFace two) {
    if (!s2.closed && dot(two.normal, middle_of(one.here) - two.corner[0]) < 0_r) {
      two = turned_over(two);
    }
    const FaceShape points(two);
    const Shape b = points.at(zero3<real>(), identity3());
    Nearest nearest;
    Features features;
    if (!(convex_distance(a, b, detect, &nearest, &features) < detect)) {
      return;
    }
    if (may_part(one, two, -nearest.normal)) {
      add(a, b, nearest, features);
    } else if (!(nearest.dist > 0_r)) {
      add_overlap(one, a, two, b);
    }
  }

  /// The contacts of a face of mesh 1.
  SWEPT_FN void add_face(int i) {
    SurfaceFace own = s1.face(i);
    if (!(dot(own.normal, own.normal) > 0_r)) {
      return;
    }
    if (!s1.closed && dot(own.normal, transpose_mul(pose1.mat, -pose1.pos) - own.corner[0]) < 0_r) {
      own = turned_over(own);
    }
    const PlacedFace one = placed_face(own, pose1);
    const FaceShape points(own);
    const Shape a = points.at(pose1.pos, pose1.mat);
    const BoxExtent box = widened(extent_of(a), detect);
    visit_faces(
        s2, [&](const BoxExtent& node) { return boxes_meet(node, box); },
        [&](int k) {
          const SurfaceFace two = s2.face(k);
          if (dot(two.normal, two.normal) > 0_r) {
            add_faces(one, a, two);
          }
        });
  }
};

/// A box in a frame as a shape, seen from another.
///   pose   of the frame there
SWEPT_FN Shape box_shape(const BoxExtent& box, const Shape& pose) {
  const Vec3<real> centre = (box.low + box.high) * 0.5_r;
  return {geom_box, pose.pos + pose.mat * centre, pose.mat, (box.high - box.low) * 0.5_r};
}

/// One of two surfaces is inside the other.
///   a, b   both as hulls, in the frame of mesh 2
SWEPT_FN bool one_inside(const Shape& a, const Surface& s1, const Shape& b, const Surface& s2,
                         Witness* out) {
  SurfaceBody body1(a);
  if (push_out(s2, &body1, a.pos + a.mat * s1.face(0).corner[0], out)) {
    return true;
  }
  SurfaceBody body2(seen_from(a, b));
  if (!push_out(s1, &body2, body2.shape.pos + body2.shape.mat * s2.face(0).corner[0], out)) {
    return false;
  }
  *out = {out->dist, a.pos + a.mat * out->pos, -(a.mat * out->normal)};
  return true;
}

/// Contacts of two surfaces, no further apart than `detect` [m].
///   a, b   where the meshes stand
///   out    room for ContactSet::most; normals from surface 1 to surface 2
[[gnu::noinline]] SWEPT_FN int surface_surface(const Shape& a, const Surface& s1, const Shape& b,
                                               const Surface& s2, real detect, ContactCount wanted,
                                               Witness* out) {
  if (s1.m.meshbvh_num(s1.mesh) == 0 || s2.m.meshbvh_num(s2.mesh) == 0) {
    return 0;
  }
  const Shape one = seen_from(b, a), two = seen_from(a, b);
  const BoxExtent whole1 = s1.node_box(0), whole2 = s2.node_box(0);
  SurfacePair pair = {
      s1, s2, one, detect, wanted, ContactSet(one.pos, 0.5_r * norm(whole1.high - whole1.low)), {}};
  // the faces of mesh 1 that are near the box of mesh 2
  const BoxExtent box = widened(extent_of(box_shape(whole2, two)), detect);
  visit_faces(
      s1, [&](const BoxExtent& node) { return boxes_meet(node, box); },
      [&](int face) { pair.add_face(face); });
  if (pair.set.count == 0 && pair.spare.there) {
    pair.set.add(pair.spare.contact);
  }
  Witness only;
  Shape still = b;
  still.pos = zero3<real>();
  still.mat = identity3();
  if (pair.set.count == 0 && one_inside(one, s1, still, s2, &only)) {
    pair.set.add(only);
  }
  for (int i = 0; i < pair.set.count; ++i) {
    const Witness& w = pair.set.at[i];
    out[i] = {w.dist, b.pos + b.mat * w.pos, b.mat * w.normal};
  }
  return pair.set.count;
}

}  // namespace swept::SWEPT_NS
