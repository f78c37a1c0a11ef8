// SPDX-License-Identifier: Apache-2.0
// What the contacts of a pair of geoms cost, per pair of types, beside the official library's
// colliders on the same poses.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct CollidersOptions {
  int poses = 128;   ///< of every pair; few, so that a turn is short and seldom interrupted
  int turns = 31;    ///< of every side; the medians count
  std::string only;  ///< pairs whose name has this text
  std::function<void(const std::string&)> progress;  ///< told which pair is being measured
};

/// What a pair takes on each side [s].
struct CollidersTimes {
  double f64 = 0, f32 = 0, official = 0;
};

/// One pair of types.
struct CollidersRow {
  std::string name;
  bool packed = false;           ///< swept works on environments side by side
  double touching = 0;           ///< part of the poses with a contact
  CollidersTimes alone;          ///< the collider; packed: 0 for swept, it is part of the stage
  CollidersTimes stage;          ///< from poses to the list of contacts
  double contacts = 0;           ///< swept in f64, per pose
  double official_contacts = 0;  ///< the official collider's, per pose
};

struct CollidersResult {
  std::vector<CollidersRow> rows;
  std::string to_json() const;  ///< one object
  std::string to_text() const;  ///< a table
};

/// Measure on one thread. Poses are random and near: the signed distance of the two geoms is uniform
/// within a tenth of the size of the smaller one, so about half of the pairs touch.
///   alone   swept: its stage `convex`, where the pair is worked on there; official: the function of
///           its table of colliders
///   stage   swept: its stages `broadphase`, `convex` and `narrowphase`; official: mj_collision. Both
///           end with the list of contacts and their parameters
/// The official times have the copy of a pose in them. All are processor time of the thread. Throws
/// Error if the official library cannot be opened.
CollidersResult colliders(const CollidersOptions& options);

}  // namespace swept::bench
