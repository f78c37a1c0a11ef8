// SPDX-License-Identifier: Apache-2.0
// The hash of a compiled scene.
#include <swept/snapshot.h>

#include <bit>
#include <type_traits>

#include "host/batch/hash.h"

namespace swept {

namespace {

void add_number(Hasher* hasher, double x) {
  hasher->add(std::bit_cast<std::uint64_t>(x));
}
void add_number(Hasher* hasher, int x) {
  hasher->add(static_cast<std::uint32_t>(x));
}
void add_number(Hasher* hasher, const std::array<double, 3>& numbers) {
  for (const double x : numbers) {
    add_number(hasher, x);
  }
}

template <class... T>
void add_all(Hasher* hasher, const T&... numbers) {
  (add_number(hasher, numbers), ...);
}

/// Every member by name: a new one does not compile until it stands here.
void add_options(Hasher* hasher, const Option& option) {
  const auto& [tolerance, ls_tolerance, iterations, ls_iterations, integrator, cone, jacobian,
               solver, disableflags, enableflags, disableactuator, magnetic, ccd_tolerance,
               speculative_mode, speculative_cap, speculative_iterations] = option;
  add_all(hasher, tolerance, ls_tolerance, iterations, ls_iterations, integrator, cone, jacobian,
          solver, disableflags, enableflags, disableactuator, magnetic, ccd_tolerance,
          speculative_mode, speculative_cap, speculative_iterations);
}

void add_statistic(Hasher* hasher, const Statistic& statistic) {
  const auto& [meaninertia, meanmass, meansize, extent, center] = statistic;
  add_all(hasher, meaninertia, meanmass, meansize, extent, center);
}

}  // namespace

std::uint64_t model_hash(const Model& model) {
  Hasher hasher;
  const Sizes& sizes = model;
  static_assert(std::has_unique_object_representations_v<Sizes>, "sizes are hashed byte by byte");
  hasher.add_bytes(std::as_bytes(std::span(&sizes, 1)));
  add_options(&hasher, model.opt);
  add_statistic(&hasher, model.stat);
#define SWEPT_MODEL_INT(name, rows, cols, meaning) hasher.add_array(model.name);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) hasher.add_array(model.name);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  return hasher.value();
}

}  // namespace swept
