// SPDX-License-Identifier: Apache-2.0
// Settings of a whole scene that its author wrote down (option and its flags, size, and three of
// visual), and what `compiler conflict` makes of them when a model with settings of its own is
// attached:
//   warning  this scene's settings stay
//   error    a setting that both give, differently, is an error
//   merge    a setting that only the model gives is adopted; of two different ones the smaller is
//            taken (time step, tolerances), the larger (iterations, sizes), or both (flags, disabled
//            groups of actuators); for all others it is an error
// A setting that is written counts as given even where it equals the default.
#pragma once

#include "host/load/grammar.h"

#include <swept/spec.h>

#include <map>
#include <string>
#include <utility>

namespace swept::load_detail {

/// What becomes of settings that differ; in the order of the keywords.
enum class ConflictPolicy { warning, merge, error };

class AuthoredSettings {
 public:
  AuthoredSettings() = default;

  /// Those of a checked document, which must outlive them.
  explicit AuthoredSettings(const Document& document);

  /// Settles the settings of a model that `attach` names against these.
  ///   spec   of this scene; gets what is merged. Throws Error where settings cannot be settled
  void attach(const Trail& attach, const std::string& model, const AuthoredSettings& other,
              Spec* spec);

 private:
  struct Setting {
    const AttributeRule* rule = nullptr;
    Value value;
  };

  /// Element and attribute, such as ("option", "timestep").
  using Key = std::pair<std::string, std::string>;

  void read(const Element& element);

  std::map<Key, Setting> settings_;
  ConflictPolicy policy_ = ConflictPolicy::warning;
};

}  // namespace swept::load_detail
