// SPDX-License-Identifier: Apache-2.0
// Settings of speculative contacts. The flag is MuJoCo's; what is swept's own stands in custom
// elements, so that the scene stays one that others read:
//
//   <option><flag speculative="enable"/></option>
//   <custom>
//     <text name="speculative_mode" data="parity"/>         robust (default) or parity
//     <numeric name="speculative_cap" data="64"/>           rounds of a pair on the device
//     <numeric name="speculative_iterations" data="4"/>     how often a step is solved again at most
//   </custom>
#include <algorithm>
#include <cmath>
#include <string>

#include <swept/error.h>

#include "host/compile/passes.h"
#include "host/compile/scene.h"

namespace swept::compiler {

namespace {

int mode_of(const Scene& scene, const Text& text) {
  if (text.data == "robust") {
    return speculative_robust;
  }
  if (text.data == "parity") {
    return speculative_parity;
  }
  throw scene.error("text", text, "speculative_mode is \"" + text.data + "\"",
                    "it is \"robust\" or \"parity\"");
}

/// A whole number from `least` up.
int number_of(const Scene& scene, const Numeric& numeric, int least) {
  const double x = numeric.data.empty() ? 0.0 : numeric.data[0];
  if (numeric.data.size() != 1 || x != std::floor(x) || x < least || x > 1e6) {
    throw scene.error("numeric", numeric, numeric.name + " is not a number that it can be",
                      "give one whole number from " + std::to_string(least) + " to 1000000");
  }
  return static_cast<int>(x);
}

}  // namespace

void fill_speculative(const Scene& scene, Model& model) {
  const OptionSettings& from = scene.spec.option;
  Option& to = model.opt;
  to.ccd_tolerance = from.ccd_tolerance;
  for (const Text& text : scene.spec.texts) {
    if (text.name == "speculative_mode") {
      to.speculative_mode = mode_of(scene, text);
    }
  }
  for (const Numeric& numeric : scene.spec.numerics) {
    if (numeric.name == "speculative_cap") {
      to.speculative_cap = number_of(scene, numeric, 1);
    } else if (numeric.name == "speculative_iterations") {
      to.speculative_iterations = number_of(scene, numeric, 0);
    }
  }
  if ((to.enableflags & enable_speculative) == 0) {
    return;
  }
  const bool fields = std::any_of(scene.geoms.begin(), scene.geoms.end(),
                                  [](const auto& geom) { return !geom.item->hfield.empty(); });
  if (fields && to.speculative_mode == speculative_parity) {
    model.notices.push_back(
        "height fields take no part in speculative contacts in the mode parity: what is fast may "
        "pass "
        "through them");
  }
  if (to.integrator == integrator_rk4) {
    throw Error(
        "speculative contacts do not go with the integrator RK4: its four stages move along "
        "velocities of their own, and a contact would take away half of what it must",
        "use Euler, implicit or implicitfast, or disable the flag speculative");
  }
}

}  // namespace swept::compiler
