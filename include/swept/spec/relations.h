// SPDX-License-Identifier: Apache-2.0
// Spec: what names elements of the tree: contact pairs and excludes, tendons, actuators.
#pragma once

#include <swept/spec/item.h>

#include <array>
#include <string>
#include <vector>

namespace swept {

/// `contact/pair`. Values that are not given are the pair's own defaults, not those of the geoms.
struct Pair : Item {
  std::string geom1;
  std::string geom2;
  int condim = 3;
  std::array<double, 5> friction{1.0, 1.0, 0.005, 0.0001, 0.0001};  ///< tan tan spin roll roll
  Solref solref = default_solref;
  Solref solreffriction{0.0, 0.0};  ///< 0 0: solref is used
  Solimp solimp = default_solimp;
  double margin = 0.0;
  double gap = 0.0;
};

/// `contact/exclude`.
struct Exclude : Item {
  std::string body1;
  std::string body2;
};

/// One `joint` of a fixed tendon.
struct TendonJoint {
  std::string joint;
  double coef = 0.0;
  Source source;
};

/// `tendon/fixed`: length = sum of coef * joint position.
struct Tendon : Item {
  int group = 0;
  Tristate limited = Tristate::automatic;
  Vec2 range{0.0, 0.0};
  Tristate actuatorfrclimited = Tristate::automatic;
  Vec2 actuatorfrcrange{0.0, 0.0};
  double margin = 0.0;
  Polynomial stiffness{0.0, 0.0, 0.0};
  Polynomial damping{0.0, 0.0, 0.0};
  double armature = 0.0;
  double frictionloss = 0.0;
  Vec2 springlength{-1.0, -1.0};  ///< -1 -1: the length at qpos0
  Solref solreflimit = default_solref;
  Solimp solimplimit = default_solimp;
  Solref solreffriction = default_solref;
  Solimp solimpfriction = default_solimp;
  std::vector<TendonJoint> joints;
  std::vector<double> user;
};

/// Any actuator, in general form.
struct Actuator : Item {
  std::string tag;  ///< the element it came from: general, motor, position …
  int group = 0;
  TransmissionType trntype = TransmissionType::joint;
  std::string target;   ///< name of the joint, tendon or site
  std::string refsite;  ///< site that the length is measured from; empty: none (site only)
  Tristate ctrllimited = Tristate::automatic;
  Tristate forcelimited = Tristate::automatic;
  Tristate actlimited = Tristate::automatic;
  Vec2 ctrlrange{0.0, 0.0};
  Vec2 forcerange{0.0, 0.0};
  Vec2 actrange{0.0, 0.0};
  Vec2 lengthrange{0.0, 0.0};
  std::array<double, 6> gear{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  double cranklength = 0.0;
  DynType dyntype = DynType::none;
  GainType gaintype = GainType::fixed;
  BiasType biastype = BiasType::none;
  std::array<double, 10> dynprm{1.0};
  std::array<double, 10> gainprm{1.0};
  /// A positive biasprm[2] of a position-like actuator (gainprm[0] == -biasprm[1]) is a damping
  /// ratio, which the compiler turns into -kv.
  std::array<double, 10> biasprm{};
  int actdim = -1;  ///< -1: 1 if dyntype is not none, else 0
  bool actearly = false;
  /// If positive and the actuator is position-like, ctrlrange (actrange with an integrator) comes
  /// from the target's range, whatever it holds.
  double inheritrange = 0.0;
  int ctrlspec = 0;  ///< ControlBit
  Polynomial damping{0.0, 0.0, 0.0};
  double armature = 0.0;
  std::vector<double> user;
};

}  // namespace swept
