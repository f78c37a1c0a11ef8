// SPDX-License-Identifier: Apache-2.0
// The compiled scene: flat arrays under MuJoCo's names, double precision, on the host. Made by
// compile(), immutable from then on; a Batch uploads it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <swept/options.h>
#include <swept/types.h>

namespace swept {

/// Averages over the scene; the solver's scale and visualisation use them.
struct Statistic {
  double meaninertia = 0;          ///< mean diagonal of M at qpos0
  double meanmass = 0;             ///< [kg]
  double meansize = 0;             ///< [m]
  double extent = 0;               ///< [m]
  std::array<double, 3> center{};  ///< [m]
};

/// Names of elements by kind, in the order of their ids; an unnamed one is empty.
struct Names {
  std::string model;
  std::vector<std::string> body, joint, geom, site, camera, light, mesh, hfield, pair, exclude,
      tendon, actuator, key, numeric, text, tuple;
};

/// Custom text.
struct CustomText {
  std::string name, data;
};

/// A compiled scene.
struct Model : Sizes {
  Option opt;
  Statistic stat;
  Names names;
  std::vector<CustomText> text;
  std::vector<std::string> notices;  ///< one line each: what was accepted but is done in another
                                     ///< way (for example the solver)

#define SWEPT_MODEL_INT(name, rows, cols, meaning) std::vector<int> name;
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) std::vector<double> name;
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
};

}  // namespace swept
