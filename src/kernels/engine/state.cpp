// SPDX-License-Identifier: Apache-2.0
// Allocation of the state and its second copy.
#include "kernels/engine/state.h"

namespace swept::SWEPT_NS {

namespace {

/// Elements of each state field per environment, by the names that the field table uses for shapes.
struct Counts : Sizes {
  template <class Visit>
  void each(const Visit& visit) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  visit(&StateView::name, static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
#include <swept/fields/state.def>
#undef SWEPT_STATE
  }
};

}  // namespace

State::State(const Sizes& sizes, int nenv) : sizes_(sizes) {
  const std::size_t n = static_cast<std::size_t>(nenv);
  Counts{sizes}.each([this](real* StateView::*, std::size_t count) { reals_per_env_ += count; });
  reals_ = Buffer<real>(n * reals_per_env_);
  kept_reals_ = Buffer<real>(n * reals_per_env_);
  status_ = Buffer<int>(n);
  kept_status_ = Buffer<int>(n);
  steps_ = Buffer<long long>(2 * n);
  kept_steps_ = Buffer<long long>(2 * n);

  // point both views into their buffers
  const auto point = [&](StateView* view, const Buffer<real>& reals, const Buffer<int>& status,
                         const Buffer<long long>& steps) {
    real* next = reals.data();
    Counts{sizes}.each([&](real* StateView::*field, std::size_t count) {
      view->*field = next;
      next += n * count;
    });
    view->status = status.data();
    view->steps = steps.data();
    view->status_step = steps.data() + n;
  };
  point(&view_, reals_, status_, steps_);
  point(&kept_, kept_reals_, kept_status_, kept_steps_);
}

std::size_t State::bytes_per_env() const {
  return reals_per_env_ * sizeof(real) + sizeof(int) + 2 * sizeof(long long);
}

void State::keep(const Context& ctx, int first, int count) {
  copy(ctx, kept_, view_, first, count);
}

void State::bring_back(const Context& ctx, int first, int count) {
  copy(ctx, view_, kept_, first, count);
}

void State::copy(const Context& ctx, const StateView& target, const StateView& source, int first,
                 int count) const {
  const std::size_t at = static_cast<std::size_t>(first);
  const std::size_t n = static_cast<std::size_t>(count);
  Counts{sizes_}.each([&](real* StateView::*field, std::size_t width) {
    copy_elements(ctx, target.*field + at * width, source.*field + at * width, n * width);
  });
  copy_elements(ctx, target.status + at, source.status + at, n);
  copy_elements(ctx, target.steps + at, source.steps + at, n);
  copy_elements(ctx, target.status_step + at, source.status_step + at, n);
}

}  // namespace swept::SWEPT_NS
