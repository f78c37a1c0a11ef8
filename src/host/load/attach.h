// SPDX-License-Identifier: Apache-2.0
// `attach`: a body of another model, or all of its world, becomes part of this scene. Every name in
// it gets the prefix, and what refers to attached elements only comes along: pairs, excludes,
// tendons, actuators, tuples, keyframes; so do all assets and custom fields. The other model's
// options, sizes and statistics do not.
#pragma once

#include "host/load/element.h"
#include "host/load/keys.h"

#include <swept/spec.h>

#include <map>
#include <string>
#include <vector>

namespace swept::load_detail {

class Attacher {
 public:
  Attacher(const Document& document, Spec* spec) : document_(document), spec_(*spec) {}

  /// Copies what an `attach` element names. References are added to the scene; the result holds
  /// the elements that go where the `attach` stands, poses relative to it.
  Body attach(const Trail& element);

  /// Keyframes of attached models, until the scene is complete.
  std::vector<PartialKey>& keys() { return keys_; }

 private:
  const Spec& model(const Trail& element, const std::string& name);

  const Document& document_;
  Spec& spec_;
  std::map<std::string, Spec> models_;
  std::vector<PartialKey> keys_;
};

}  // namespace swept::load_detail
