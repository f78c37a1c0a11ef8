// SPDX-License-Identifier: Apache-2.0
// The tail, in the configuration host_f64: see cmake/SweptKernels.cmake.
#include "kernels/engine/tail.h"

#include <mutex>

#include "kernels/engine/model_upload.h"
#include "kernels/speculative/guard.h"

namespace swept::SWEPT_NS {

namespace {

Vec3<real> vector_of(const double* a) {
  return {a[0], a[1], a[2]};
}
void put_vector(Vec3<real> a, double* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

Shape shape_of(const ModelView& model, const TailGeom<double>& geom) {
  const double* const a = geom.mat;
  Shape shape = {geom.type,
                 vector_of(geom.pos),
                 {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]},
                 vector_of(geom.size)};
  if (geom.mesh >= 0) {
    shape.mesh = mesh_shape(ModelAt<real>{&model, 0, 0}, geom.mesh);
  }
  return shape;
}

StepMotion<real> motion_of(const TailGeom<double>& geom) {
  return {vector_of(geom.way), vector_of(geom.turn), geom.travel};
}

SweptPair pair_of(const ModelView& model, const TailPair& from) {
  return {shape_of(model, from.geom1),
          shape_of(model, from.geom2),
          motion_of(from.geom1),
          motion_of(from.geom2),
          from.geom1.bound,
          from.geom2.bound,
          from.thickness,
          zero3<real>()};
}

/// Where a pair goes on. The corners of the last look stay behind: in single precision those of round
/// shapes lie beside the surface, and the search finds new ones in a few rounds.
GuardState state_of(const TailState<double>& from) {
  GuardState s;
  s.rounds = from.rounds;
  s.slips = from.slips;
  s.t = from.t;
  s.seen = from.seen;
  s.first = from.first;
  s.distance = from.distance;
  s.normal = vector_of(from.normal);
  s.arm1 = vector_of(from.arm1);
  s.arm2 = vector_of(from.arm2);
  s.floor = from.floor;
  return s;
}

void put_state(const GuardState& s, double unit, TailState<double>* to) {
  to->end = static_cast<int>(s.end);
  to->rounds = s.rounds;
  to->slips = s.slips;
  to->t = s.t;
  to->seen = s.seen;
  to->first = s.first;
  to->distance = s.distance;
  to->floor = s.floor;
  put_vector(s.normal, to->normal);
  put_vector(s.arm1, to->arm1);
  put_vector(s.arm2, to->arm2);
  to->corners = s.warm.count;
  for (int i = 0; i < s.warm.count; ++i) {
    to->id1[i] = s.warm.id1[i];
    to->id2[i] = s.warm.id2[i];
    put_vector(s.warm.on1[i] * unit, to->corner1[i]);
    put_vector(s.warm.on2[i] * unit, to->corner2[i]);
  }
}

void follow_pair(const ModelView& model, int cap, TailPair* p) {
  const SweptPair pair = pair_of(model, *p);
  GuardState state = state_of(p->state);
  // rounds are counted on, so that the first look of the device stays the first
  const int most = state.rounds + cap;
  if (p->touches != 0) {
    guard_pair(pair, {p->margin, 0_r, most}, most + 1, &state);
  } else {
    AdvanceSettings settings;
    settings.cap = most;
    settings.margin = p->margin;
    advance_pair(pair, settings, most + 1, &state);
  }
  const bool ended = is_hit(state.end) || state.end == AdvanceEnd::none;
  if (ended && state.t >= p->state.t) {
    put_state(state, Looker(pair).length, &p->state);
  }
}

}  // namespace

}  // namespace swept::SWEPT_NS

namespace swept {

struct Tail::Impl {
  Impl(const Model& its_model, int its_cap) : model(its_model), cap(its_cap) {}

  const SWEPT_NS::ModelView& view() {
    std::call_once(made, [&] { uploaded = SWEPT_NS::upload_model(model); });
    return uploaded.view;
  }

  const Model& model;
  int cap;
  std::once_flag made;
  SWEPT_NS::UploadedModel uploaded;
};

Tail::Tail(const Model& model, int cap) : impl_(std::make_unique<Impl>(model, cap)) {}

Tail::~Tail() = default;

void Tail::follow(std::span<TailPair> pairs) const {
  for (TailPair& pair : pairs) {
    const bool hull = pair.geom1.mesh >= 0 || pair.geom2.mesh >= 0;
    SWEPT_NS::follow_pair(hull ? impl_->view() : impl_->uploaded.view, impl_->cap, &pair);
  }
}

}  // namespace swept
