// SPDX-License-Identifier: Apache-2.0
// Spec: the scene as a tree of plain structs, after reading and before compilation.
//
// What the loader has already done when a Spec exists:
//  - default classes are resolved: every element carries its final attribute values
//  - angles are radians and orientations are unit quaternions (w x y z); `fromto` has become pos,
//    quat and size
//  - `frame` and `replicate` are gone: poses are composed into their children, copies are made
//  - actuator shortcuts have the general form (gain, bias, dynamics)
//  - attributes are in range as far as one element can tell (numbers finite, counts right, keywords
//    valid), names are unique within a kind
// What is left to compile(): everything that needs more than one element (references, inertia from
// geoms, sizes by type, dampratio, inheritrange, statistics) and all derived arrays.
//
// The elements are in swept/spec/: settings, tree, relations, assets, data.
//
// Names, units and defaults are MuJoCo's: metre, kilogram, second, radian.
#pragma once

#include <swept/error.h>
#include <swept/spec/assets.h>
#include <swept/spec/data.h>
#include <swept/spec/relations.h>
#include <swept/spec/settings.h>
#include <swept/spec/tree.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace swept {

/// A whole scene.
struct Spec {
  std::string modelname = "MuJoCo Model";
  std::vector<std::string> files;  ///< the main file first, then included and attached ones
  CompilerSettings compiler;
  OptionSettings option;
  SizeSettings size;
  StatisticSettings statistic;
  Body worldbody;                 ///< named "world"
  std::vector<Pair> pairs;        ///< in document order; the compiler sorts
  std::vector<Exclude> excludes;  ///< in document order; the compiler sorts
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Key> keys;
  std::vector<Numeric> numerics;
  std::vector<Text> texts;
  std::vector<Tuple> tuples;
  std::vector<Mesh> meshes;
  std::vector<HField> hfields;
  std::vector<Texture> textures;
  std::vector<Material> materials;

  /// The error to throw about an element of this scene.
  ///   source    Item::source of the element
  ///   element   what to call it, such as "joint 'hip'"
  ///   problem   what is wrong; remedy: what to do about it
  Error error(Source source, std::string element, std::string problem,
              std::string remedy = {}) const {
    const bool known = source.file >= 0 && static_cast<std::size_t>(source.file) < files.size();
    return Error(Place{known ? files[static_cast<std::size_t>(source.file)] : std::string(),
                       source.line, std::move(element)},
                 std::move(problem), std::move(remedy));
  }
};

}  // namespace swept
