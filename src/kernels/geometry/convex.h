// SPDX-License-Identifier: Apache-2.0
// Contacts of two convex shapes: one at their nearest points, or several where faces, edges or axes
// lie along each other.
//
//   1   a sphere or an ellipsoid with anything, a capsule with an ellipsoid, prisms of height fields
//   2   a capsule with a cylinder or a mesh
//   4   cylinders, boxes and meshes with each other
//
// The distance is the true one with any margin; a contact counts if it is below.
#pragma once

#include "kernels/geometry/distance.h"
#include "kernels/geometry/multicontact.h"

namespace swept::SWEPT_NS {

/// Whether a pair of shapes gets one contact or as many as its features give.
enum class ContactCount { one, several };

/// Most contacts of convex_contacts.
constexpr int max_convex_contacts = 4;

/// Whether the shape has faces, edges or an axis that may lie along those of another.
SWEPT_FN bool has_features(int type) {
  return type == geom_capsule || type == geom_cylinder || type == geom_box || type == geom_mesh;
}

/// Contacts of two convex shapes.
///   detect   [m] only those nearer than this count
///   wanted   ContactCount::one: never more than one
///   out      room for max_convex_contacts
///   start    where the search goes on; null: it begins
/// Returns how many there are.
SWEPT_FN int convex_contacts(const Shape& a, const Shape& b, real detect, Witness* out,
                             ContactCount wanted = ContactCount::several,
                             const GjkStart* start = nullptr) {
  Nearest nearest;
  if (wanted == ContactCount::several && has_features(a.type) && has_features(b.type)) {
    Features features;
    if (!(convex_distance(a, b, detect, &nearest, &features, nullptr, start) < detect)) {
      return 0;
    }
    return multi_contact(a, b, nearest, features, detect, out);
  }
  if (!(convex_distance(a, b, detect, &nearest, nullptr, nullptr, start) < detect)) {
    return 0;
  }
  out[0] = {nearest.dist, 0.5_r * (nearest.point1 + nearest.point2), nearest.normal};
  return 1;
}

}  // namespace swept::SWEPT_NS
