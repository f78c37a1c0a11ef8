// SPDX-License-Identifier: Apache-2.0
// What the commands share about scenes.
#pragma once

#include <swept/model.h>

#include <cstdint>
#include <string>

namespace swept {
class Batch;
}

namespace swept::cli {

/// Load and compile a scene. Throws Error.
Model open_scene(const std::string& path);

/// The id of a keyframe given by id or by name; -1 for an empty text. Throws Error, naming those
/// there are.
int find_keyframe(const Model& model, const std::string& text);

/// A number that differs when any bit of qpos, qvel or act of any environment differs: FNV-1a of
/// their values in double precision, in the order of the environments.
std::uint64_t state_hash(Batch& batch);

}  // namespace swept::cli
