// SPDX-License-Identifier: Apache-2.0
// Opening scenes and finding keyframes.
#include "tools/swept/scene.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace swept::cli {

Model open_scene(const std::string& path) {
  return compile(load(path));
}

int find_keyframe(const Model& model, const std::string& text) {
  if (text.empty()) {
    return -1;
  }
  // a name first: a keyframe may be called "2"
  for (int i = 0; i < model.nkey; ++i) {
    if (model.names.key[i] == text) {
      return i;
    }
  }
  int id = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc{} && end == text.data() + text.size() && id >= 0 && id < model.nkey) {
    return id;
  }
  if (model.nkey == 0) {
    throw Error(fmt::format("there is no keyframe '{}': the scene has none", text),
                "leave --keyframe out");
  }
  std::string names;
  for (const std::string& name : model.names.key) {
    names += name.empty() ? "" : fmt::format(", {}", name);
  }
  throw Error(fmt::format("there is no keyframe '{}'", text),
              fmt::format("give an id from 0 to {} or a name{}", model.nkey - 1, names));
}

std::uint64_t state_hash(Batch& batch) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char* name : {"qpos", "qvel", "act"}) {
    for (const double number : batch.read(name)) {
      const auto bits = std::bit_cast<std::uint64_t>(number);
      for (int shift = 0; shift < 64; shift += 8) {
        hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
      }
    }
  }
  return hash;
}

}  // namespace swept::cli
