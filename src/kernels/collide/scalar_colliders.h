// SPDX-License-Identifier: Apache-2.0
// The colliders that take one pair at a time, by kind. Each gives the number of contacts that are no
// further apart than `detect`.
#pragma once

#include "kernels/geometry/box_box.h"
#include "kernels/geometry/convex.h"
#include "kernels/geometry/hfield.h"
#include "kernels/geometry/plane_mesh.h"
#include "kernels/geometry/shape.h"

namespace swept::SWEPT_NS {

/// Most contacts of a pair that is worked on alone.
constexpr int most_witnesses = 50;

/// Contacts of two shapes by the collider of a kind.
///   detect   [m] margin + gap
///   wanted   of pairs that convex_contacts takes
///   out      room for most_witnesses
SWEPT_FN int collide_shapes(int kind, const Shape& a, const Shape& b, real detect, Witness* out,
                            ContactCount wanted) {
  switch (kind) {
    case collide_plane_mesh:
      return plane_mesh(a, b, detect, out);
    case collide_box_box:
      return box_box(a, b, detect, out);
    case collide_convex:
      return convex_contacts(a, b, detect, out, wanted);
    case collide_hfield:
      return hfield_convex(a, b, detect, out);
    default:
      return 0;
  }
}

}  // namespace swept::SWEPT_NS
