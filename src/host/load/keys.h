// SPDX-License-Identifier: Apache-2.0
// Keyframes that come with an attached model. They speak of that model's joints, actuators and
// mocap bodies only; what they say of each is kept by name until the whole scene is there, then
// spread over the scene's own vectors, everything else at its reference.
#pragma once

#include "host/load/names.h"

#include <swept/spec.h>

#include <string>
#include <vector>

namespace swept::load_detail {

/// Part of a keyframe: what it says of one joint, actuator or mocap body.
struct KeyPart {
  std::string name;
  std::vector<double> position;  ///< qpos, ctrl or mpos; empty: not given
  std::vector<double> rate;      ///< qvel, act or mquat; empty: not given
};

struct PartialKey {
  Key key;  ///< name, time and source; the vectors say by being empty what was not given
  std::vector<KeyPart> joints;
  std::vector<KeyPart> actuators;
  std::vector<KeyPart> mocaps;
};

/// Gives names to the joints, actuators and mocap bodies of a scene that have none, so that parts of
/// keyframes can refer to them. remove_temporary_names takes them away.
void add_temporary_names(Spec* spec);
void remove_temporary_names(Spec* spec);

/// Takes a scene's keyframes apart. Throws Error for a vector of the wrong length.
std::vector<PartialKey> split_keys(const Spec& spec);

/// Changes names in keyframes as rename_tree does.
void rename_keys(const PartNames& names, const Affix& affix, std::vector<PartialKey>* keys);

/// Lets keyframes say of copies of joints what they say of the joints.
void copy_joint_keys(const NameSet& joints, const Affix& affix, std::vector<PartialKey>* keys);

/// Appends the keyframes to the scene's own, with vectors of the scene's length.
void join_keys(const std::vector<PartialKey>& keys, Spec* spec);

}  // namespace swept::load_detail
