// SPDX-License-Identifier: Apache-2.0
// The judge of the tunnelling census: how deep two geoms get into each other along a motion, by the
// official library's kinematics and distances alone.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

namespace swept::census {

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// A scene in the official library.
struct Official {
  std::unique_ptr<mjModel, FreeModel> model;
  std::unique_ptr<mjData, FreeData> data;

  /// Throws std::runtime_error with the library's message if it does not compile.
  explicit Official(const std::string& text);
};

/// Where the geoms 0 and 1 of a scene stand to each other along a motion: all joints go at constant
/// rates, those of a tree for a part of the step. It goes on by the distance over a bound of the speed
/// at which any two points come closer, and where they are near by a quarter of the thinner one's half
/// size, so that nothing can pass between two looks.
class Judge {
 public:
  /// The scene has its boxes as meshes: the official distance of a capsule whose axis goes through a
  /// box is wrong.
  explicit Judge(const std::string& text);

  const mjModel& model() const { return *official_.model; }
  mjData* data() { return official_.data.get(); }
  /// [m] smallest half size of both geoms.
  double thickness() const { return thin_; }

  /// Signed distance [m].
  double distance(const double* qpos);
  /// The least distance from qpos along qvel [m], but for what is above 0: then a lower bound of it.
  ///   parts   of the step that each tree moves [ntree]
  ///   enough  [m] no need to look on once it is below
  double least(const double* qpos, const double* qvel, const std::vector<double>& parts,
               double enough);
  /// No two points of the geoms come closer faster than this at a velocity, from qpos on [m/s].
  double fastest(const double* qpos, const double* qvel);
  /// What part of the step each tree has moved, from where to where at which velocity [ntree].
  std::vector<double> parts_made(const double* from, const double* qvel, const double* to) const;

 private:
  double closing_speed(const double* qvel) const;
  double apart();

  Official official_;
  double thin_ = 1e9;
};

}  // namespace swept::census
