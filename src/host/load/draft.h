// SPDX-License-Identifier: Apache-2.0
// What elements are read into before they become parts of a Spec: the Spec's structs, plus what
// has to be kept as written until the end (orientation alternatives, fromto), and the class
// defaults that elements start from.
#pragma once

#include "host/load/pose.h"

#include <swept/spec.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// Segment from the first point to the second.
using Segment = std::array<double, 6>;

struct GeomDraft : Geom {
  Orientation orientation;
  std::optional<Segment> fromto;
};

struct SiteDraft : Site {
  Orientation orientation;
  std::optional<Segment> fromto;
};

struct CameraDraft : Camera {
  Orientation orientation;
  Vec2 sensorsize{0.0, 0.0};  ///< [m]
  Vec2 focal{0.0, 0.0};       ///< [m]
  Vec2 focalpixel{0.0, 0.0};  ///< [pixel], beats focal
};

struct BodyDraft : Body {
  Orientation orientation;
};

struct InertialDraft : Inertial {
  Orientation orientation;
};

struct FrameDraft {
  Vec3 pos{0.0, 0.0, 0.0};
  Orientation orientation;
};

struct ReplicateDraft {
  int count = 1;
  std::string sep;
  Vec3 offset{0.0, 0.0, 0.0};
  Orientation orientation{Orientation::euler, {}};
};

/// Parameters of the actuator shortcuts as they were given.
struct ActuatorParameters {
  std::optional<double> kp;
  std::optional<double> kv;
  std::optional<double> dampratio;
  std::optional<double> timeconst;
  std::optional<double> area;
  std::optional<double> diameter;
  std::optional<Vec3> bias;
};

struct ActuatorDraft : Actuator {
  ActuatorParameters given;
  std::optional<double> given_inheritrange;
  std::optional<Vec2> given_ctrlrange;
  std::optional<Vec2> given_actrange;
  std::string joint;
  std::string jointinparent;
  std::string tendon;
  std::string site;
};

/// A default class: one record per kind of element.
struct DefaultClass {
  std::string name;
  int parent = -1;
  Joint joint;
  GeomDraft geom;
  SiteDraft site;
  CameraDraft camera;
  Light light;
  Pair pair;
  Tendon tendon;
  ActuatorDraft actuator;  ///< Actuator::tag says which element wrote it last; empty: none
  Mesh mesh;
  Material material;
  Texture texture;
};

}  // namespace swept::load_detail
