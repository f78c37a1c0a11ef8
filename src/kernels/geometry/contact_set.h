// SPDX-License-Identifier: Apache-2.0
// The few contacts that stay of the many that a body has with the faces of a surface.
//
// A contact acts as a unit wrench: its normal n, and the torque (p - c) x n about the body's centre c,
// over the body's radius. What a set of contacts can do to the body depends on their wrenches alone.
//
//   the same     two wrenches that differ by less than 1e-3: the deeper one stays
//   too many     more than four of one direction (as one direction counts what faces against each other
//                count as, within 5.1 degrees), or more than eight in all: of the two among them whose
//                wrenches are closest the one of the smaller worth goes. The worth is the lever |p - c|
//                less 100 times the distance: a millimetre of depth is worth ten centimetres of lever.
//                The deepest of all never goes
//
// The rule is applied whenever a contact comes, so the order in which they come may matter; it is that
// of the surface's tree.
#pragma once

#include "kernels/geometry/multicontact.h"

namespace swept::SWEPT_NS {

struct ContactSet {
  static constexpr int most = 8, most_of_direction = 4;
  static constexpr real same_wrench = 1e-3_r, worth_of_depth = 100_r;

  Vec3<real> centre;  ///< [m] of the body
  real radius;        ///< [m] of the body
  int count = 0;
  Witness at[most + 1];

  SWEPT_FN ContactSet(Vec3<real> c, real r) : centre(c), radius(max(r, 1e-30_r)) {}

  /// The square of how far two wrenches are from each other.
  SWEPT_FN real apart(const Witness& a, const Witness& b) const {
    const Vec3<real> turn =
        (cross(a.pos - centre, a.normal) - cross(b.pos - centre, b.normal)) * (1_r / radius);
    const Vec3<real> push = a.normal - b.normal;
    return dot(push, push) + dot(turn, turn);
  }
  SWEPT_FN real worth(const Witness& w) const {
    return norm(w.pos - centre) - worth_of_depth * w.dist;
  }
  SWEPT_FN int deepest() const {
    int k = 0;
    for (int i = 1; i < count; ++i) {
      k = at[i].dist < at[k].dist ? i : k;
    }
    return k;
  }

  SWEPT_FN void add(const Witness& w) {
    for (int i = 0; i < count; ++i) {
      if (apart(at[i], w) < same_wrench * same_wrench) {
        at[i] = w.dist < at[i].dist ? w : at[i];
        return;
      }
    }
    at[count++] = w;
    const auto along = [&](int i) { return dot(at[i].normal, w.normal) > -face_against; };
    int beside = 0;
    for (int i = 0; i < count; ++i) {
      beside += along(i) ? 1 : 0;
    }
    if (beside > most_of_direction) {
      thin_out(along);
    } else if (count > most) {
      thin_out([](int) { return true; });
    }
  }

 private:
  /// Take out one of the two that are closest, among those that `counts` takes.
  SWEPT_FN void thin_out(const auto& counts) {
    int first = -1, second = -1;
    real least = 3e38_r;
    for (int i = 0; i < count; ++i) {
      for (int k = i + 1; k < count && counts(i); ++k) {
        const real d = apart(at[i], at[k]);
        if (counts(k) && d < least) {
          least = d;
          first = i;
          second = k;
        }
      }
    }
    if (first < 0) {
      // nothing is a number; the set must not get longer than it may be
      --count;
      return;
    }
    const int kept = deepest();
    const bool second_goes =
        first == kept || (second != kept && !(worth(at[second]) > worth(at[first])));
    for (int i = second_goes ? second : first; i + 1 < count; ++i) {
      at[i] = at[i + 1];
    }
    --count;
  }
};

}  // namespace swept::SWEPT_NS
