// SPDX-License-Identifier: Apache-2.0
// Setup: puts the values of combinations into the environments of a batch.
#pragma once

#include "tools/swept/sweep/fields.h"
#include "tools/swept/sweep/plan.h"

#include <swept/batch.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace swept::cli {

class Setup {
 public:
  /// Hold the parameters of a plan against a scene; both have to outlive this. Throws Error for a
  /// field that cannot be set, for numbers that do not exist, and where a parameter would undo what
  /// one before it did.
  Setup(const Plan& plan, const Model& model);

  /// The unit of a parameter's values.
  const std::string& unit(std::size_t parameter) const { return units_[parameter]; }
  /// The field that a parameter acts on first, and what that is.
  std::string meaning(std::size_t parameter) const;
  /// The fields of the model that differ between environments.
  std::vector<std::string> model_fields() const;

  /// Set the environments back to the keyframe, environment e as combinations[e] says: first the
  /// model, then the keyframe, then the state. The batch is new, so its models are the compiled one.
  void apply(Batch& batch, std::span<const std::int64_t> combinations) const;
  /// The seed of a combination's random controls.
  std::uint64_t control_seed(std::int64_t combination) const;

 private:
  struct Action {
    std::size_t parameter;
    Numbers numbers;
    Change change;
    std::array<double, 3> axis;
  };

  void add(std::size_t parameter, const Target& target);
  void check_seeds(const Parameter& parameter, const Target& target) const;
  void write_fields(Batch& batch, FieldKind kind,
                    const std::vector<std::vector<double>>& values) const;

  const Plan& plan_;
  const Model& model_;
  int keyframe_;
  std::vector<Action> actions_;
  std::vector<std::string> units_;
  std::vector<std::string> meanings_;
  int seed_parameter_ = -1;
};

}  // namespace swept::cli
