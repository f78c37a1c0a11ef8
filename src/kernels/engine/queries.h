// SPDX-License-Identifier: Apache-2.0
// Queries: the question that a batch is asked about the places of its geoms, and the answers, in
// the device's memory. One question at a time; its memory is kept for the next one.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <swept/query.h>

#include "kernels/base/buffer.h"
#include "kernels/query/stages.h"

namespace swept::SWEPT_NS {

class Queries {
 public:
  explicit Queries(int nenv) : nenv_(nenv) {}

  /// Bytes that ask() will take.
  std::size_t bytes_to_ask(const RaySet& rays) const;
  std::size_t bytes_to_ask(std::size_t pairs) const;
  /// Take a question, whose shapes fit. Throws AllocationFailure when memory ends.
  void ask(const RaySet& rays, const RayOptions& options);
  void ask(std::span<const std::array<int, 2>> pairs, double maxdist);

  /// Answer for the environments of the tile at `t`, whose position stage is in the queue.
  void answer(const Context& ctx, const Tile* t, int nenv) const;

  /// The answers; the queue is empty.
  void collect(RayHits* hits) const;
  void collect(GeomDistances* distances) const;

  std::size_t bytes() const;

 private:
  /// What a question needs, in elements.
  struct Room {
    std::size_t input = 0, input_ints = 0, output = 0, output_ints = 0;
  };
  std::size_t bytes_to_reach(const Room& room) const;
  Room room_for(const RaySet& rays) const;
  Room room_for(std::size_t pairs) const;
  void reserve(const Room& room);

  int nenv_;
  bool rays_ = true;  ///< which of the two is asked
  RayJob ray_;
  DistanceJob distance_;
  Buffer<real> input_, output_;
  Buffer<int> input_ints_, output_ints_;
};

}  // namespace swept::SWEPT_NS
