// SPDX-License-Identifier: Apache-2.0
// Look-up of a resident field: one row of the field tables after the other.
#include "kernels/engine/resident.h"

#include <type_traits>

namespace swept::SWEPT_NS {

namespace {

/// State and model fields with their shapes; the base class puts the sizes under the names that the
/// field tables use.
struct ResidentFields : Sizes {
  template <class State, class Int, class Real>
  void each(const StateView& state, const ModelView& model, const State& on_state,
            const Int& on_int, const Real& on_real) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) on_state(#name, state.name, rows, cols);
#include <swept/fields/state.def>
#undef SWEPT_STATE
#define SWEPT_MODEL_INT(name, rows, cols, meaning) on_int(#name, model.name, rows, cols);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) on_real(#name, model.name.p, rows, cols);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  }
};

}  // namespace

FieldInfo resident_field(std::string_view name, int nenv, const StateView& state,
                         const ModelView& model, const MeasuresView& measures) {
  constexpr Scalar real_scalar = sizeof(real) == 4 ? Scalar::f32 : Scalar::f64;
  const auto make = [nenv](auto* data, Scalar scalar, std::int64_t rows, std::int64_t cols,
                           bool shared) {
    FieldInfo info;
    using Element = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
    info.data = const_cast<Element*>(data);
    info.scalar = scalar;
    info.shape = {nenv, rows, cols};
    info.stride = {shared ? 0 : rows * cols, cols, 1};
    info.on_device = memory_on_device;
    return info;
  };
  FieldInfo found;
  const auto take = [&](const char* candidate, auto* data, Scalar scalar, int rows, int cols,
                        bool shared) {
    if (name == candidate) {
      found = make(data, scalar, rows, cols, shared);
    }
  };
  ResidentFields{model}.each(
      state, model,
      [&](const char* n, real* data, int rows, int cols) {
        take(n, data, real_scalar, rows, cols, false);
      },
      [&](const char* n, const int* data, int rows, int cols) {
        take(n, data, Scalar::i32, rows, cols, true);
      },
      [&](const char* n, const real* data, int rows, int cols) {
        take(n, data, real_scalar, rows, cols, true);
      });
  static_assert(sizeof(long long) == sizeof(std::int64_t), "counts of steps are 64-bit");
  take("status", state.status, Scalar::i32, 1, 1, false);
  take("status_step", state.status_step, Scalar::i64, 1, 1, false);
  take("steps", state.steps, Scalar::i64, 1, 1, false);
  take("resets", state.resets, Scalar::i64, 1, 1, false);
  take("reset_status", state.reset_status, Scalar::i32, 1, 1, false);
  take("ncon", measures.contacts, Scalar::i32, 1, 1, false);
  take("nefc", measures.rows, Scalar::i32, 1, 1, false);
  take("solver_niter", measures.iterations, Scalar::i32, 1, 1, false);
  take("speculative", measures.speculative, Scalar::i64, speculative_counters, 1, false);
  return found;
}

std::vector<std::string> resident_names() {
  std::vector<std::string> names = {"status", "status_step",  "steps",
                                    "resets", "reset_status", "ncon",
                                    "nefc",   "solver_niter", "speculative"};
  const auto take = [&](const char* name, const auto*, int, int) { names.emplace_back(name); };
  ResidentFields{}.each({}, {}, take, take, take);
  return names;
}

}  // namespace swept::SWEPT_NS
