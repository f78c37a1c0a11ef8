// SPDX-License-Identifier: Apache-2.0
// A height field and a convex geom on their way, prism by prism.
//
// A pair (pair.h) whose geom 1 is a field is made into pairs of the geom with one prism each
// (geometry/prisms.h). They stand in a frame of their own that is fixed in the field, with its centre
// in the middle of the prism's top: no prism's numbers are larger than the prism and the geom are.
//
// Which prisms a geom can come to in a part of the step: the points of the geom, seen from the field,
// go by no more than a straight way and, around it, a distance (FieldWay). If the field stands, the
// way is that of the geom's centre; of a field that moves only speeds are known.
#pragma once

#include "kernels/geometry/ground.h"
#include "kernels/speculative/arc_pair.h"

namespace swept::SWEPT_NS {

/// A prism in its own frame.
struct FieldPrism {
  PrismTop top;   ///< its middle is the centre of the frame
  real bound;     ///< [m] radius of a ball about the centre that holds it
  real vert[18];  ///< [m] vertices
};
SWEPT_FN FieldPrism field_prism(const Prism& from) {
  FieldPrism prism;
  prism.top = top_of(from);
  prism.bound = 0_r;
  for (int i = 0; i < 6; ++i) {
    const Vec3<real> corner = from.at[i] - prism.top.middle;
    prism.vert[3 * i] = corner.x;
    prism.vert[3 * i + 1] = corner.y;
    prism.vert[3 * i + 2] = corner.z;
    prism.bound = max(prism.bound, norm(corner));
  }
  return prism;
}

/// The motion of what is fixed in the field at `arm` from its centre.
SWEPT_FN void move_with_field(SweptPair* pair, Vec3<real> arm, real bound) {
  StepMotion<real>& motion = pair->motion1;
  motion.dx = motion.dx + cross(motion.domega, arm);
  motion.travel = norm(motion.dx) + norm(motion.domega) * bound;
}
template <class Velocity>
SWEPT_FN void move_with_field(ArcPair<Velocity>*, Vec3<real>, real) {}

/// The pair of one prism and the geom.
///   prism   must last as long as the pair
template <class Pair>
SWEPT_FN Pair prism_pair(const Pair& field, const FieldPrism& prism) {
  Pair pair = field;
  const Vec3<real> arm = field.shape1.mat * prism.top.middle;
  pair.shape1 = {shape_points, zero3<real>(), field.shape1.mat, zero3<real>()};
  pair.shape1.mesh.vert = prism.vert;
  pair.shape1.mesh.vertnum = 6;
  pair.shape2.pos = field.shape2.pos - arm;
  pair.origin = field.origin + arm;
  pair.bound1 = prism.bound;
  move_with_field(&pair, arm, prism.bound);
  return pair;
}

// ---- ways -------------------------------------------------------------------------------------------

/// How far points of the geom go in a part of the step, seen from the field.
struct FieldWay {
  Vec3<real> along;  ///< [m] all go a part of this, in the frame of the field
  real around;       ///< [m] and no further than this besides
};

/// The way from the time of a placing on, for `dt` of a step.
SWEPT_FN FieldWay field_way(const SweptPair& pair, const SpinRadii&, const Placing& at, real dt) {
  const StepMotion<real>&one = pair.motion1, &two = pair.motion2;
  if (one.travel > 0_r) {
    // what is fixed in the field reaches out from its bounding sphere by a prism at most
    return {zero3<real>(), dt * (2_r * one.travel + two.travel)};
  }
  return {transpose_mul(at.mat1, two.dx) * dt, dt * norm(two.domega) * pair.bound2};
}
template <class Velocity>
SWEPT_FN FieldWay field_way(const ArcPair<Velocity>&, const ArcPairLimits& limits,
                            const Placing& at, real dt) {
  if (limits.one.speed > 0_r) {
    return {zero3<real>(), dt * (2_r * limits.one.speed + limits.two.speed)};
  }
  const real turning = norm(at.rates.omega2) * limits.geom2.radius();
  return {transpose_mul(at.mat1, at.rates.way) * dt,
          dt * (turning + 0.5_r * dt * limits.two.growth)};
}

/// The same for the whole step, as one length [m].
SWEPT_FN real whole_way(const SweptPair& pair, const SpinRadii&) {
  return travel_of(pair);
}
template <class Velocity>
SWEPT_FN real whole_way(const ArcPair<Velocity>&, const ArcPairLimits& limits) {
  return limits.one.speed + limits.two.speed;
}

// ---- visits -----------------------------------------------------------------------------------------

/// The geom in the frame of the field.
template <class Pair>
SWEPT_FN Shape seen_from_field(const Pair& pair, const Placing& at) {
  Shape seen = pair.shape2;
  seen.pos = transpose_mul(at.mat1, at.pos2);
  seen.mat = transpose_mul(at.mat1, at.mat2);
  return seen;
}

/// A box that goes along a way.
SWEPT_FN BoxExtent box_on_way(const BoxExtent& box, const FieldWay& way, real reach) {
  const Vec3<real> a = way.along;
  const Vec3<real> back = {min(a.x, 0_r), min(a.y, 0_r), min(a.z, 0_r)};
  return widened({box.low + back, box.high + (a - back)}, way.around + reach);
}

/// Call visit(prism, number) for the prisms that the geom may come nearer to than `reach` [m; less
/// than 0: deeper] on its way, until it returns false. Left out are those which the geom stays above:
/// over the height of the highest point, or over the plane of the top.
///   at   where the geoms are at the beginning of the way
template <class Pair, class Visit>
SWEPT_FN void visit_reached(const Pair& pair, const Placing& at, const FieldWay& way, real reach,
                            const Visit& visit) {
  const Shape seen = seen_from_field(pair, at);
  Core core = core_of(seen);
  const BoxExtent box = box_on_way(extent_of(seen), way, reach);
  visit_prisms(pair.shape1.hfield, box, [&](const Prism& corners, int number) {
    const FieldPrism prism = field_prism(corners);
    const Vec3<real> n = prism.top.normal;
    const Vec3<real> lowest = support(&core, -transpose_mul(seen.mat, n)).point;
    const real over = dot(n, seen.pos - prism.top.middle) + dot(n, seen.mat * lowest) - core.radius;
    const real down = max(-dot(n, way.along), 0_r) + way.around;
    return over - down > reach || visit(prism, number);
  });
}

}  // namespace swept::SWEPT_NS
