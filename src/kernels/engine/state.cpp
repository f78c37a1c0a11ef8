// SPDX-License-Identifier: Apache-2.0
// Allocation of the state and its second copy.
#include "kernels/engine/state.h"

#include "kernels/engine/copy_state.h"
#include "kernels/engine/progress.h"

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
  status_ = Buffer<int>(2 * n);
  kept_status_ = Buffer<int>(2 * n);
  steps_ = Buffer<long long>(3 * n);
  kept_steps_ = Buffer<long long>(3 * n);

  // point both views into their buffers
  const auto point = [&](StateView* view, const Buffer<real>& reals, const Buffer<int>& status,
                         const Buffer<long long>& steps) {
    real* next = reals.data();
    Counts{sizes}.each([&](real* StateView::*field, std::size_t count) {
      view->*field = next;
      next += n * count;
    });
    view->status = status.data();
    view->reset_status = status.data() + n;
    view->steps = steps.data();
    view->status_step = steps.data() + n;
    view->resets = steps.data() + 2 * n;
  };
  point(&view_, reals_, status_, steps_);
  point(&kept_, kept_reals_, kept_status_, kept_steps_);
}

std::size_t state_bytes_per_env(const Sizes& sizes) {
  std::size_t reals = 0;
  Counts{sizes}.each([&reals](real* StateView::*, std::size_t count) { reals += count; });
  return reals * sizeof(real) + 2 * sizeof(int) + 3 * sizeof(long long);
}

std::size_t State::bytes_per_env() const {
  return state_bytes_per_env(sizes_);
}

void State::keep(const Context& ctx, const Tile* t, int first, int count) {
  if constexpr (memory_on_device) {
    // visits behind a halted one are in the queue already, and must not keep
    keep_state(ctx, t, kept_, count);
  } else {
    // on the CPU nothing is queued behind a halt
    copy(ctx, kept_, view_, first, count);
  }
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
  copy_elements(ctx, target.reset_status + at, source.reset_status + at, n);
  copy_elements(ctx, target.steps + at, source.steps + at, n);
  copy_elements(ctx, target.status_step + at, source.status_step + at, n);
  copy_elements(ctx, target.resets + at, source.resets + at, n);
}

void State::copy_envs(const Context& ctx, std::span<const int> from, std::span<const int> to) {
  const std::size_t n = from.size();
  Buffer<int> envs(2 * n), ints(2 * n);
  Buffer<real> reals(n * reals_per_env_);
  Buffer<long long> longs(3 * n);
  envs.upload(from.data(), n);
  envs.upload(to.data(), n, n);
  StagedStates staged{view_,       sizes_,       envs.data(),
                      reals.data(), ints.data(), longs.data(),
                      static_cast<int>(reals_per_env_)};
  stage_states(ctx, staged, static_cast<int>(n));
  staged.env = envs.data() + n;
  write_states(ctx, staged, static_cast<int>(n));
  // the staging memory goes
  wait(ctx);
}

}  // namespace swept::SWEPT_NS
