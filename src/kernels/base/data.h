// SPDX-License-Identifier: Apache-2.0
// Accessors of the model and of a tile's scratch, for one pack of environments (V = pack) or one
// environment (V = real).
//
// Scratch in pack layout: the environments of a tile stand in blocks of W. A block is one run of
// memory, state first, then derived fields, then temporaries:
//
//   block b:  | qpos[0] of W environments | qpos[1] of W environments | ... | xpos[0] of W ... |
//
// so element i of a field stands at
//
//   scratch + (b * layout.size + layout.field + i) * W + lane
//
// A block has less than 2^31 numbers (make_layout), so places inside one are ints; the place of a
// block is 64-bit arithmetic. `Layout` is fixed by the model. Model fields are shared ([n]) or per environment ([block][n][W]);
// every access goes through ModelAt, which broadcasts the one and loads the other.
#pragma once

#include <swept/options.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/base/pack.h"

namespace swept::SWEPT_NS {

/// A place of one element of a field; reads and writes like a V.
template <class V>
struct Ref {
  real* p;

  SWEPT_FN operator V() const { return load<V>(p); }
  SWEPT_FN V get() const { return load<V>(p); }
  SWEPT_FN const Ref& operator=(V x) const {
    store(p, x);
    return *this;
  }
  SWEPT_FN Ref& operator=(const Ref& other) {
    store(p, other.get());
    return *this;
  }
  Ref(const Ref&) = default;
  SWEPT_FN explicit Ref(real* place) : p(place) {}
  SWEPT_FN const Ref& operator+=(V x) const { return *this = V(get() + x); }
  SWEPT_FN const Ref& operator-=(V x) const { return *this = V(get() - x); }
  SWEPT_FN const Ref& operator*=(V x) const { return *this = V(get() * x); }

  friend SWEPT_FN V operator+(Ref a, Ref b) { return a.get() + b.get(); }
  friend SWEPT_FN V operator-(Ref a, Ref b) { return a.get() - b.get(); }
  friend SWEPT_FN V operator*(Ref a, Ref b) { return a.get() * b.get(); }
  friend SWEPT_FN V operator/(Ref a, Ref b) { return a.get() / b.get(); }
  friend SWEPT_FN V operator+(Ref a, V b) { return a.get() + b; }
  friend SWEPT_FN V operator-(Ref a, V b) { return a.get() - b; }
  friend SWEPT_FN V operator*(Ref a, V b) { return a.get() * b; }
  friend SWEPT_FN V operator/(Ref a, V b) { return a.get() / b; }
  friend SWEPT_FN V operator+(V a, Ref b) { return a + b.get(); }
  friend SWEPT_FN V operator-(V a, Ref b) { return a - b.get(); }
  friend SWEPT_FN V operator*(V a, Ref b) { return a * b.get(); }
  friend SWEPT_FN V operator/(V a, Ref b) { return a / b.get(); }
  friend SWEPT_FN V operator-(Ref a) { return -a.get(); }
};

// ---- model --------------------------------------------------------------------------------------

/// A real field of the model on the device.
struct Param {
  const real* p = nullptr;
  int n = 0;  ///< 0: shared, [count]; otherwise per environment, [block][n][W]
};

/// Options in the precision of the configuration. timestep, gravity and impratio are Params.
struct OptionView {
  real tolerance = 0;
  real ls_tolerance = 0;
  int iterations = 0;
  int ls_iterations = 0;
  int integrator = 0;
  int cone = 0;
  int disableflags = 0;
  int enableflags = 0;
  int disableactuator = 0;
  int implicit_damping = 0;  ///< Euler solves with M + h diag(b)
  int surface_velocity = 0;  ///< the surface of some geom moves; see moving_surfaces()
  int speculative_mode = 0;  ///< SpeculativeMode
  int speculative_cap = 0;   ///< rounds of a pair
  int speculative_iterations = 0;  ///< solves of a step beyond the first
  real ccd_tolerance = 0;    ///< [m]
};

/// The model on the device: sizes, options, a pointer per field.
struct ModelView : Sizes {
  OptionView opt;

  // Integers that follow from real fields, for models that differ between environments: numbers of
  // the shared integer of the same name (without `own_`), per environment. Null: the shared integers
  // hold in all environments.
  Param own_body_sameframe;        ///< [nbody]
  Param own_geom_sameframe;        ///< [ngeom]
  Param own_site_sameframe;        ///< [nsite]
  Param own_dof_simplenum;         ///< [nv]
  Param own_implicit_damping;      ///< [1]
  const int* bad_model = nullptr;  ///< [environment of the batch] not 0: the model that was written
                                   ///< cannot be stepped; null: all can

#define SWEPT_MODEL_INT(name, rows, cols, meaning) const int* name = nullptr;
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) Param name;
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
};

/// The model as the environments of one value V see it. m.body_mass(i) is element i of the flat
/// array, as V; m.jnt_type(i) an int; sizes and options by m->nv, m->opt.
template <class V>
struct ModelAt {
  const ModelView* view;
  int block;
  int lane;

  SWEPT_FN const ModelView* operator->() const { return view; }

  SWEPT_FN V at(Param f, int i) const {
    if (f.n == 0) {
      return V(element(f.p + i));
    }
    return load<V>(f.p + (static_cast<long long>(block) * f.n + i) * W + lane);
  }

#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  SWEPT_FN int name(int i) const {                 \
    return element(view->name + i);                \
  }
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  SWEPT_FN V name(int i) const {                          \
    return at(view->name, i);                             \
  }
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
};

// ---- scratch ------------------------------------------------------------------------------------

/// Where each field starts in a block of scratch, in elements; filled by make_layout() from the
/// model's sizes.
struct Layout {
#define SWEPT_STATE(name, rows, cols, unit, meaning) int name = 0;
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) int name = 0;
#define SWEPT_SCRATCH(name, rows, cols, meaning) int name = 0;
// clang-format off
#include <swept/fields/state.def>
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
// clang-format on
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
  int size = 0;  ///< elements of a block
};

/// Scratch as the environments of one value V see it. d.xpos(3 * body + k) is a Ref<V>.
template <class V>
struct DataAt {
  real* base;  ///< element 0 of the block, at the lane
  const Layout* at;

#define SWEPT_FIELD(name)                     \
  SWEPT_FN Ref<V> name(int i) const {         \
    return Ref<V>(base + (at->name + i) * W); \
  }
#define SWEPT_STATE(name, rows, cols, unit, meaning) SWEPT_FIELD(name)
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) SWEPT_FIELD(name)
#define SWEPT_SCRATCH(name, rows, cols, meaning) SWEPT_FIELD(name)
// clang-format off
#include <swept/fields/state.def>
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
// clang-format on
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
#undef SWEPT_FIELD
};

/// The layout of a model's scratch. Throws std::length_error where a block of W environments would
/// have 2^31 numbers or more.
inline Layout make_layout(const Sizes& sizes) {
  struct Maker : Sizes {
    static int checked(long long size) {
      if (size * W > std::numeric_limits<int>::max()) {
        throw std::length_error("an environment of this model has " + std::to_string(size) +
                                " numbers of scratch, more than the kernels can address");
      }
      return static_cast<int>(size);
    }
    Layout make() const {
      Layout at;
      long long size = 0;
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  at.name = checked(size);                           \
  size += static_cast<long long>(rows) * (cols);
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) SWEPT_STATE(name, rows, cols, unit, meaning)
#define SWEPT_SCRATCH(name, rows, cols, meaning) SWEPT_STATE(name, rows, cols, "", meaning)
// clang-format off
#include <swept/fields/state.def>
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
// clang-format on
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
      at.size = checked(size);
      return at;
    }
  };
  return Maker{sizes}.make();
}

}  // namespace swept::SWEPT_NS
