// SPDX-License-Identifier: Apache-2.0
// Contacts of a convex body with a mesh that collides as it is.
//
// The faces whose boxes the body's box meets, margin included, are looked at one by one, each as a
// convex shape of three points. With u the direction from the face's nearest point to the body's, or
// that of the least overlap,
//
//   u may push       the contacts are those of the two convex shapes, see multicontact.h
//   else, apart      none: another face is nearer
//   else, overlap    the body is pushed along the face's normal, if its furthest point behind the face
//                    lies under it; else none: another face has that point under it
//
// (may_push in surface.h.) No push may lead past the body's centre: whose centre is in front of a thin
// wall is pushed back, however far it reaches through. Where nothing is left though faces are within
// reach, the one of the least overlap pushes along its normal, or that of the least distance along u.
// Of all these contacts a few stay, see contact_set.h.
//
// A body whose centre lies inside a closed surface has one contact: it is pushed out the shortest way
// that its centre has, until all of it is outside of the plane there. So a sphere is exact: its least
// distance is the signed distance of its centre less its radius.
#pragma once

#include "kernels/geometry/contact_set.h"
#include "kernels/geometry/convex.h"
#include "kernels/geometry/face_shape.h"
#include "kernels/geometry/surface_point.h"

namespace swept::SWEPT_NS {

/// A convex body in the frame of a mesh.
struct SurfaceBody {
  Shape shape;
  Core core;
  BoxExtent box;

  SWEPT_FN explicit SurfaceBody(const Shape& s) : shape(s), core(core_of(s)), box(extent_of(s)) {}

  /// The body's point furthest along a unit vector, as a corner of its core.
  SWEPT_FN Corner corner(Vec3<real> u) { return support(&core, transpose_mul(shape.mat, u)); }
  /// The same as a point of the body [m].
  SWEPT_FN Vec3<real> furthest(Vec3<real> u) {
    return shape.pos + shape.mat * corner(u).point + u * core.radius;
  }
  /// Half the diagonal of the body's box [m].
  SWEPT_FN real radius() const { return 0.5_r * norm(box.high - box.low); }
};

/// A geom as seen from the frame of another.
SWEPT_FN Shape seen_from(const Shape& frame, Shape s) {
  s.pos = transpose_mul(frame.mat, s.pos - frame.pos);
  s.mat = transpose_mul(frame.mat, s.mat);
  return s;
}

SWEPT_FN Mat3<real> identity3() {
  return {1_r, 0_r, 0_r, 0_r, 1_r, 0_r, 0_r, 0_r, 1_r};
}

/// A contact of last resort: what is taken where no face has one.
struct SpareContact {
  bool there = false;
  Witness contact = {};

  /// Keep the one of the greatest distance among overlaps, of the least among those apart; an overlap
  /// comes first.
  SWEPT_FN void offer(const Witness& w) {
    const bool over = w.dist <= 0_r, had = contact.dist <= 0_r;
    const bool better = over == had ? (over ? w.dist > contact.dist : w.dist < contact.dist) : over;
    if (!there || better) {
      there = true;
      contact = w;
    }
  }
};

/// The overlap of a body with a face along the face's normal: the body's furthest point behind it.
///   centre   of the body [m]
struct FaceOverlap {
  Nearest nearest;
  Corner corner;
  bool under;  ///< that point lies under the face, and the body's centre in front of it
};
SWEPT_FN FaceOverlap overlap_of(SurfaceBody* body, const SurfaceFace& face, Vec3<real> centre) {
  const Vec3<real> n = face.normal;
  const Vec3<real> deepest = body->furthest(-n);
  const real dist = dot(n, deepest - face.corner[0]);
  FaceOverlap o = {{dist, deepest, deepest - n * dist, -n}, body->corner(-n), true};
  for (int k = 0; k < 3; ++k) {
    const Vec3<real> at = face.corner[k], edge = face.corner[k < 2 ? k + 1 : 0] - at;
    o.under = o.under && dot(cross(n, edge), deepest - at) >= -push_slack * dot(edge, edge);
  }
  o.under = o.under && dot(n, centre - face.corner[0]) > 0_r;
  return o;
}

/// The corners of a face that are foremost along a push, as a feature of it.
SWEPT_FN Feature feature_of(const SurfaceFace& face, const Foremost& at) {
  Feature f;
  for (; f.count < at.count; ++f.count) {
    f.id[f.count] = at.at[f.count];
    f.point[f.count] = face.corner[at.at[f.count]];
  }
  return f;
}

/// Collects the contacts of a body with faces.
struct SurfaceContacts {
  SurfaceBody* body;
  real detect;          ///< [m] only contacts nearer than this count
  ContactCount wanted;  ///< of each face
  ContactSet set;
  SpareContact spare;

  SWEPT_FN SurfaceContacts(SurfaceBody* b, real reach, ContactCount count)
      : body(b), detect(reach), wanted(count), set(b->shape.pos, b->radius()) {}

  /// Those of two convex shapes whose nearest points are known.
  SWEPT_FN void add(const Shape& face, const Nearest& nearest, const Features& features) {
    Witness found[max_convex_contacts];
    int n = 1;
    const int type = body->shape.type;
    if (wanted == ContactCount::several && (has_features(type) || type == shape_points)) {
      n = multi_contact(body->shape, face, nearest, features, detect, found);
    } else {
      found[0] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal};
    }
    for (int i = 0; i < n; ++i) {
      set.add(found[i]);
    }
  }

  /// Those with face number i of a surface.
  SWEPT_FN void add_face(const Surface& s, int i) {
    SurfaceFace face = s.face(i);
    if (!(dot(face.normal, face.normal) > 0_r)) {
      return;
    }
    if (!s.closed && dot(face.normal, body->shape.pos - face.corner[0]) < 0_r) {
      face = turned_over(face);
    }
    const FaceShape points(face);
    const Shape triangle = points.at(zero3<real>(), identity3());
    Nearest nearest;
    Features features;
    if (!(convex_distance(body->shape, triangle, detect, &nearest, &features) < detect)) {
      return;
    }
    const Vec3<real> u = -nearest.normal;
    const Foremost at = foremost(face, u);
    if (may_push(s, face, at, u) && dot(u, body->shape.pos) > at.height) {
      add(triangle, nearest, features);
      return;
    }
    if (nearest.dist > 0_r) {
      if (dot(u, face.normal) > 0_r) {
        spare.offer({nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal});
      }
      return;
    }
    const FaceOverlap over = overlap_of(body, face, body->shape.pos);
    if (over.under && over.nearest.dist < detect) {
      const Features facing = {{1, {over.corner.id, 0, 0}, {over.corner.point}},
                               feature_of(face, foremost(face, face.normal))};
      add(triangle, over.nearest, facing);
    } else {
      spare.offer({over.nearest.dist, 0.5_r * (over.nearest.point1 + over.nearest.point2),
                   over.nearest.normal});
    }
  }
};

/// Whether a point lies in a box.
SWEPT_FN bool is_in(const BoxExtent& box, Vec3<real> p) {
  return boxes_meet(box, {p, p});
}

/// The one contact of a body of which a point lies inside a closed surface.
///   c     the point, of a body that is not convex one of its surface [m]
///   out   receives it, in the frame of the mesh
SWEPT_FN bool push_out(const Surface& s, SurfaceBody* body, Vec3<real> c, Witness* out) {
  if (!s.closed || s.m.meshbvh_num(s.mesh) == 0 || !is_in(s.node_box(0), c)) {
    return false;
  }
  const SurfacePoint nearest = nearest_on_surface(s, c);
  if (!nearest.inside) {
    return false;
  }
  const Vec3<real> way = nearest.point - c;
  // in the surface to rounding, the way has no direction
  const Vec3<real> u =
      norm(way) > 16_r * epsilon * (norm(c) + body->radius()) ? unit(way) : nearest.normal;
  const real low = dot(u, body->furthest(-u)), high = dot(u, nearest.point);
  *out = {low - high, c + u * (0.5_r * (low + high) - dot(u, c)), -u};
  return true;
}

/// Contacts of a convex body (shape a) and a surface, no further apart than `detect` [m].
///   b     where the mesh stands
///   out   room for ContactSet::most; normals from the body to the surface
[[gnu::noinline]] SWEPT_FN int surface_convex(const Shape& a, const Shape& b, const Surface& s,
                                              real detect, ContactCount wanted, Witness* out) {
  SurfaceBody body(seen_from(b, a));
  SurfaceContacts contacts(&body, detect, wanted);
  Witness only;
  if (push_out(s, &body, body.shape.pos, &only)) {
    contacts.set.add(only);
  } else {
    const BoxExtent box = widened(body.box, detect);
    visit_faces(
        s, [&](const BoxExtent& node) { return boxes_meet(node, box); },
        [&](int face) { contacts.add_face(s, face); });
    if (contacts.set.count == 0 && contacts.spare.there) {
      contacts.set.add(contacts.spare.contact);
    }
  }
  for (int i = 0; i < contacts.set.count; ++i) {
    const Witness& w = contacts.set.at[i];
    out[i] = {w.dist, b.pos + b.mat * w.pos, b.mat * w.normal};
  }
  return contacts.set.count;
}

}  // namespace swept::SWEPT_NS
