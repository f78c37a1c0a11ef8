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

  /// Turn to the environments [first, first + nenv) of the batch.
  void point_at(int first, int nenv);
  /// Make every buffer at least as large as `capacity`. Contents of buffers that move are lost.
  /// Throws when memory ends; the worker is then as before.
  void reserve(const Capacity& capacity);

  const Context& context() const { return ctx_; }
  Context& context() { return ctx_; }
  std::vector<ProfileRow>& profile() { return profile_; }
  const std::vector<ProfileRow>& profile() const { return profile_; }

  const Tile& host() const { return tile_; }           ///< the table; pointers are the device's
  const Tile* table() const { return table_.data(); }  ///< the device's copy
  int nblocks() const { return tile_.nblocks; }
  const Capacity& capacity() const { return capacity_; }

  /// The device's flags; waits for the queue.
  Control control() const;
  std::size_t bytes() const;

 private:
  void upload();

  Context ctx_;
  bool own_stream_ = false;
  std::vector<ProfileRow> profile_;
  int room_ = 0;  ///< blocks
  Capacity capacity_;
  Tile tile_;
  Buffer<Tile> table_;
  Buffer<Control> control_;
  Buffer<real> scratch_;
  Buffer<int> flags_;  ///< frozen, aside, steps, ncon, nefc, nnz, niter
  Buffer<real> residual_;
  Buffer<int> pair_, pair_count_;
  Buffer<unsigned> pair_mask_;
  Buffer<real> contact_reals_;
  Buffer<int> contact_ints_;
  Buffer<real> row_reals_, nonzeros_, row_vectors_, jac_;
  Buffer<int> row_ints_, solver_ints_, colind_, strips_;
  Buffer<real> vectors_, matrices_;
};

}  // namespace swept::SWEPT_NS
