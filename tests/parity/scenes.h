// SPDX-License-Identifier: Apache-2.0
// The scenes of the parity tests, loaded on both sides: small ones of our own, gymnasium's robots,
// humanoids, and every scene of MuJoCo's own test data that needs only what swept has.
#pragma once

#include <swept/model.h>

#include "parity/oracle.h"

#include <filesystem>
#include <string>
#include <vector>

namespace swept::test {

/// One scene, compiled by swept and by the official library from the same file or text.
struct Scene {
  std::string name;  ///< such as "gymnasium/ant"
  Model model;
  Oracle oracle;
};

/// A scene that cannot be compared.
struct LeftOut {
  std::string name;
  std::string reason;  ///< the missing features, or why it is no valid scene
};

/// Scenes from one place.
struct SceneGroup {
  std::vector<Scene> scenes;
  std::vector<LeftOut> left_out;  ///< a feature is missing, or the official library refuses too
  std::vector<LeftOut> failed;    ///< swept refuses without a missing feature
};

/// The places, and a file without which each is absent.
enum class Origin { features, gymnasium, humanoids, test_folder };
std::filesystem::path needed_by(Origin origin);

/// Loads one file on both sides: a group of one scene, or of the reason why there is none.
SceneGroup load_scene(const std::string& name, const std::filesystem::path& path);

/// Loads all scenes of a place. Throws std::runtime_error if a scene of a fixed list does not load.
SceneGroup load_scenes(Origin origin);

/// How many scenes a place has at least.
int least_scenes(Origin origin);

/// Whether pairs of shapes may collide in the scene where the official library's contacts are found by
/// iteration, or chosen among equally good ones: hulls, cylinders, boxes on boxes and the like, all
/// but the first seven colliders, and scenes without a list of candidates.
bool contacts_are_chosen(const Scene& scene);

/// Sets the options of both sides for comparing solutions: the official library solves by Newton,
/// undivided by islands, both sides to the last digit. Swept's model takes the official order of the
/// polygons of hulls, which is free, and with it the order in which features are found.
void prepare_to_compare(Scene* scene);

}  // namespace swept::test
