// SPDX-License-Identifier: Apache-2.0
// `attach`: a body or a frame of another model, or all of its world, becomes part of this scene.
// Every name in it gets the prefix, and what refers to attached elements only comes along: pairs,
// excludes, tendons, actuators, tuples, keyframes; so do all assets and custom fields. The other
// model's statistics do not; its options and sizes do as `compiler conflict` says.
//
// Without a model a scene attaches a part of itself, as far as it is read: copies share the assets,
// and pairs, excludes and tendons that refer to the part and to something else are copied too.
#pragma once

#include "host/load/authored.h"
#include "host/load/build.h"
#include "host/load/element.h"
#include "host/load/keys.h"
#include "host/load/part.h"

#include <swept/spec.h>

#include <map>
#include <string>
#include <vector>

namespace swept::load_detail {

/// A part that is being read, and the body in it that is.
struct OpenPart {
  Part* part = nullptr;
  BodyPath path;
};

class Attacher {
 public:
  Attacher(const Document& document, AuthoredSettings* settings, Spec* spec)
      : document_(document), settings_(*settings), spec_(*spec) {}

  /// Copies what an `attach` element names. References are added to the scene; the result holds
  /// the elements that go where the `attach` stands, poses relative to it.
  ///   open   this scene's world, and the contents of the replicates around the element
  Part attach(const Trail& element, const std::vector<OpenPart>& open);

  /// Keyframes of attached models, until the scene is complete.
  std::vector<PartialKey>& keys() { return keys_; }

 private:
  /// Another model's scene, its world as a part.
  struct Model {
    Spec spec;
    Part world;
    AuthoredSettings settings;
  };

  const Model& model(const Trail& element, const std::string& name);
  Part attach_model(const Trail& element, const std::string& name, const Affix& affix);
  Part attach_self(const Trail& element, const std::vector<OpenPart>& open, const Affix& affix);
  void copy_assets(const Spec& from, const Affix& affix);

  const Document& document_;
  AuthoredSettings& settings_;
  Spec& spec_;
  std::map<std::string, Model> models_;
  std::vector<PartialKey> keys_;
};

}  // namespace swept::load_detail
