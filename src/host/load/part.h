// SPDX-License-Identifier: Apache-2.0
// Parts of a kinematic tree that is being built, and the frames in it. A frame is gone from the
// finished tree, its pose composed into what it holds; `attach` copies a frame, or a body without
// the frames around it, so every frame keeps what it holds as it was written. The pose of an element
// in frame f, which stands in frame p of the same body, is pose(p) ∘ pose(f) ∘ as written.
#pragma once

#include "host/load/names.h"
#include "host/load/pose.h"

#include <swept/spec.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace swept::load_detail {

/// Indices of children from a root down to a body; empty: the root.
using BodyPath = std::vector<std::size_t>;

/// The lists of a body whose elements may stand in a frame.
enum class Held { joint, geom, site, camera, light, body };

/// An element directly in a frame.
struct FrameMember {
  Held list = Held::geom;
  std::size_t index = 0;  ///< in that list of the frame's body
  Pose pose;              ///< in the frame; joints and lights have no quaternion
  Vec3 axis{};            ///< of a joint, direction of a light, in the frame
};

struct Frame : Item {
  int parent = -1;  ///< the frame around it in the same body
  Pose pose;        ///< in the parent, or in the body
  BodyPath body;    ///< from the root of the part
  std::vector<FrameMember> members;
  bool open = true;  ///< still being read
};

/// A piece of a tree: what is in the body `root`, and the frames, each after its parent.
struct Part {
  Body root;
  std::vector<Frame> frames;
};

/// Composes an outer pose into an element.
void place(const Pose& outer, Joint* joint);
void place(const Pose& outer, Light* light);

template <class T>
void place(const Pose& outer, T* element) {
  const Pose pose = compose(outer, {element->pos, element->quat});
  element->pos = pose.pos;
  element->quat = pose.quat;
}

/// Appends an element to a list of the body that `frame` stands in.
///   outer   pose of the frame in the body
///   frame   index into part->frames; -1: none
template <class T>
void append(const Pose& outer, int frame, T element, std::vector<T>* list, Part* part);

/// Appends a part to a body.
///   outer   pose of the part's root in the body
///   frame   that the part stands in, without a pose of its own; -1: none
void append(const Pose& outer, int frame, Part&& from, const BodyPath& path, Part* to);

Body& body_at(const BodyPath& path, Body* root);
const Body& body_at(const BodyPath& path, const Body& root);

/// Where a body of this name is, the root itself included.
std::optional<BodyPath> find_body(const Body& root, const std::string& name);

/// Index of a frame; -1: there is none of this name.
int find_frame(const Part& part, const std::string& name);

/// A copy of a body with its subtree, without the frames around it: the one body of the result.
Part copy_body(const Part& from, const BodyPath& path);

/// A copy of what a frame holds, placed by that frame and by none around it.
Part copy_frame(const Part& from, int frame);

/// Changes every name in a part, and targets that are among `names`.
void rename_part(const PartNames& names, const Affix& affix, Part* part);

}  // namespace swept::load_detail
