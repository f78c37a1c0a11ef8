// SPDX-License-Identifier: Apache-2.0
// Reading a scene: MJCF (XML) or its JSON spelling becomes a Spec.
//
// Both spellings share one grammar, MuJoCo 4.0's. The JSON spelling of an element is an object:
//
//   - an attribute is a member with a string, a number, a boolean or an array of numbers (or
//     strings): "pos": [0, 0, 1], "type": "box", "limited": true, "size": 0.1
//   - children are members named after their tag: one object, or an array of objects:
//     "option": {"timestep": 0.005}, "geom": [{"size": 0.1}, {"size": 0.2}]
//   - where children of different tags take turns and their order matters, the member "children"
//     is an array of objects with one member each: "children": [{"geom": {…}}, {"frame": {…}}]
//
// The document is an object with the single member "mujoco". Members are taken in the order in
// which they stand. A string is always accepted in MJCF's own spelling: "pos": "0 0 1".
//
//   {"mujoco": {
//     "model": "ball",
//     "option": {"timestep": 0.005},
//     "worldbody": {
//       "geom": {"type": "plane", "size": [1, 1, 0.1]},
//       "body": {"pos": [0, 0, 1], "freejoint": {}, "geom": {"size": 0.1}}}}}
//
// `include` works in both, across spellings: {"include": {"file": "robot.xml"}}. A file is looked
// for relative to the main file's folder, then relative to the including file's.
//
// `attach` takes a body, or all of the world, from a model that an asset names; that model's own
// options, sizes and statistics have no effect.
#pragma once

#include <swept/error.h>
#include <swept/spec.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace swept {

/// How a scene is spelled.
enum class Format { xml, json };

/// Something that is valid MJCF and that swept does not support.
struct Unsupported {
  Place place;       ///< file, line and element path
  std::string what;  ///< such as "element 'sensor/gyro'" or "attribute integrator=\"implicit\""
};

/// Reads a scene from a file.
///   path   .xml or .json by its suffix; any other suffix: by the first character of the content
/// Throws Error for what cannot be opened, is not MJCF, or is not supported; one Error lists all
/// places that are not supported.
Spec load(const std::filesystem::path& path);

/// Reads a scene from text.
///   name   stands for the file in messages; included files are looked for in its folder
/// Throws Error as load() does.
Spec load_string(std::string_view text, Format format, const std::string& name = "scene");

/// Everything in a scene that is valid but not supported, in document order, includes expanded.
/// Empty for a scene that load() accepts. Throws Error for what is not MJCF at all.
std::vector<Unsupported> unsupported(const std::filesystem::path& path);

/// The scene in its JSON spelling, includes expanded; loads to the same Spec (apart from source
/// positions), bit for bit. Works for scenes with unsupported elements too. Files of meshes and
/// height fields are named by absolute paths. Throws Error for what is not MJCF.
std::string to_json(const std::filesystem::path& path);

/// The same from text.
std::string to_json(std::string_view text, Format format, const std::string& name = "scene");

}  // namespace swept
