// SPDX-License-Identifier: Apache-2.0
// Small scenes for what robots seldom use: every contact dimension and cone, mixing and predefined
// pairs, joints and tendons with all their forces and limits, every kind of actuator, and flags.
#pragma once

#include <string>
#include <vector>

namespace swept::test {

/// A scene as MJCF text.
struct FeatureScene {
  std::string name;
  std::string xml;
};

std::vector<FeatureScene> feature_scenes();

}  // namespace swept::test
