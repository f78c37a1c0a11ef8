// SPDX-License-Identifier: Apache-2.0
// A small scene with a bit of everything, and a tile of its environments that can be brought to any
// point of a step: what the race test runs cooperative functions on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/engine/copy_state.h"
#include "kernels/engine/model_upload.h"
#include "kernels/engine/state.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS::test {

/// How far a step has come; each is the state of the memory after the stage of that name.
enum class Point {
  fresh,  ///< the state of the batch is set, nothing is loaded
  load_state,
  check_state,
  kinematics,
  com_pos,
  transmission,
  make_m,
  factor_m,
  rne,
  passive,
  actuation,
  acceleration,
  motion,
  sweep,
  broadphase,
  list_fast,
  advance,
  narrowphase,
  make_rows,
  load_solver,
  solve,
  next_velocity,
  open_guard,
  list_guarded,
  guard,
  count_,
};

/// A named piece of memory that functions write.
struct Region {
  std::string name;
  void* data;
  std::size_t bytes;
  bool reals;   ///< holds reals, else integers
  bool result;  ///< something that another stage or a user reads, not the solver's inner work
};

/// What all regions hold.
using Memory = std::vector<std::vector<std::byte>>;

class Scene {
 public:
  /// Seven environments in random states near contact, one of them with a NaN; the last block is
  /// not full.
  ///   elliptic   the friction cone
  explicit Scene(bool elliptic);

  const Tile& tile() const { return worker_->host(); }
  /// The copy of the table that kernels which turn to another tile write.
  Tile* device_tile() { return worker_->device_table(); }
  /// Room for a copy of the state of all environments.
  const StateView& kept_state() const { return kept_->view(); }
  int nblocks() const { return tile().nblocks; }
  int nenv() const { return tile().nenv; }
  ModelAt<pack> model(int block) const { return tile().model_at<pack>(block, 0); }
  DataAt<pack> data(int block) const { return tile().data_at<pack>(block, 0); }
  /// The status of the environments of a block.
  int* frozen(int block) const { return tile().frozen + block * W; }
  const Layout& layout() const { return tile().layout; }

  /// Room for values that a function returns: 32 numbers per environment.
  real* returned(int env) { return returned_.data() + 32 * env; }
  /// Room for an exported field.
  real* exported_reals() { return exported_reals_.data(); }
  int* exported_ints() { return exported_ints_.data(); }
  static constexpr int exported_capacity = 1024;  ///< numbers per environment
  const unsigned char* reset_mask() const { return reset_mask_.data(); }
  /// All environments, each staged in its own place.
  const StagedStates& staged() const { return staged_; }

  const std::vector<Region>& regions() const { return regions_; }
  Memory memory() const;
  /// Bring all memory to a point of the step.
  void go_to(Point point);

 private:
  void set_states();
  void list_regions();
  void run(Point stage);

  UploadedModel model_;
  Layout layout_;
  std::unique_ptr<State> state_;
  std::unique_ptr<State> kept_;
  std::unique_ptr<Worker> worker_;
  std::vector<real> returned_, exported_reals_;
  std::vector<int> exported_ints_;
  std::vector<unsigned char> reset_mask_;
  std::vector<int> staged_envs_, staged_ints_;
  std::vector<real> staged_reals_;
  std::vector<long long> staged_longs_;
  StagedStates staged_;
  std::vector<Region> regions_;
  std::vector<Memory> points_;
};

}  // namespace swept::SWEPT_NS::test
