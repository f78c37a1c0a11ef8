// SPDX-License-Identifier: Apache-2.0
// Worker: the scratch of one tile at a time, its queue, and its table of views. A CPU thread has
// one; a GPU has one for the whole batch.
#pragma once

#include <swept/batch.h>
#include <swept/model.h>

#include <vector>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"
#include "kernels/engine/model_upload.h"

namespace swept::SWEPT_NS {

/// Starting sizes for a model; entries of `wanted` that are not 0 are taken as they are.
Capacity estimate_capacity(const Model& model, const Capacity& wanted);

/// Bytes of scratch per environment at a capacity.
std::size_t scratch_bytes_per_env(const Sizes& sizes, const Layout& layout,
                                  const Capacity& capacity);

class Worker {
 public:
  /// Room for `nblocks` blocks of W environments. `stream` is used on CUDA only.
  Worker(const UploadedModel& model, const Layout& layout, const StateView& state, int nblocks,
         const Capacity& capacity, void* stream);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Use another model of the same sizes. Waits for the queue.
  void set_model(const ModelView& model);
  /// Keep environments with more rows from Newton's methods, 0: all. Waits for the queue.
  void limit_newton(int rows);
  /// Turn to the environments [first, first + nenv) of the batch: the host's copy of the table does;
  /// the device's follows in the queue, by begin_visit() or resume_visit().
  void point_at(int first, int nenv);
  /// Make every buffer at least as large as `capacity`. Contents of buffers that move are lost.
  /// Waits for the queue if a buffer grows, and only then. Throws when memory ends; buffers that
  /// have grown before stay so.
  void reserve(const Capacity& capacity);
  /// Bytes that reserve() takes at the most, while old and new buffers stand side by side.
  std::size_t bytes_to_reach(const Capacity& wanted) const;

  const Context& context() const { return ctx_; }
  Context& context() { return ctx_; }
  std::vector<ProfileRow>& profile() { return profile_; }
  const std::vector<ProfileRow>& profile() const { return profile_; }

  const Tile& host() const { return tile_; }           ///< the table; pointers are the device's
  const Tile* table() const { return table_.data(); }  ///< the device's copy
  Tile* device_table() { return table_.data(); }
  int nblocks() const { return tile_.nblocks; }
  const Capacity& capacity() const { return capacity_; }

  /// The device's flags; waits for the queue.
  Control control() const;
  /// Whether the tile is known to be halted: always known on the CPU, never on CUDA.
  bool known_halted() const { return !memory_on_device && control_.data()->halt != 0; }
  /// Whether it is known here that no environment has to be solved again.
  bool known_settled() const { return !memory_on_device && control_.data()->again == 0; }
  std::size_t bytes() const;

 private:
  void upload();
  void grow(const Capacity& wanted);
  void grow_solver(const Capacity& wanted);

  Context ctx_;
  bool own_stream_ = false;
  std::vector<ProfileRow> profile_;
  int room_ = 0;  ///< blocks
  Capacity capacity_;
  Tile tile_;
  Buffer<Tile> table_;
  Buffer<Control> control_;
  Buffer<real> scratch_;
  Buffer<int> flags_;  ///< frozen, aside, steps, resets, ... (see Worker::Worker)
  Buffer<real> residual_;
  Buffer<int> pair_, pair_single_, pair_count_;  ///< pair_count_: of both lists
  Buffer<unsigned> pair_mask_;
  Buffer<real> sweep_box_, hits_;
  Buffer<int> sweep_item_, sweep_found_;
  Buffer<unsigned char> fast_;
  Buffer<int> fast_active_, fast_counts_;
  Buffer<real> contact_reals_;
  Buffer<int> contact_ints_;
  Buffer<real> row_reals_, nonzeros_;
  Buffer<int> row_ints_, solver_ints_, colind_, strips_;
  Buffer<real> solver_reals_;  ///< of both solvers, one after the other
};

}  // namespace swept::SWEPT_NS
