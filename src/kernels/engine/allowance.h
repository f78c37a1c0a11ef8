// SPDX-License-Identifier: Apache-2.0
// Allowance: the memory that an engine may still take, and what is said when it ends.
#pragma once

#include <cstddef>

#include "kernels/base/buffer.h"
#include "kernels/engine/engine.h"

namespace swept::SWEPT_NS {

class Allowance {
 public:
  explicit Allowance(const EngineOptions& options) : memory_left_(options.memory_left) {}

  /// Bytes that may still be had: a GPU is asked itself, on the CPU the user's function, if any.
  std::size_t left() const {
    return memory_on_device || memory_left_ == nullptr ? device_memory_left() : memory_left_();
  }

  /// Do what allocates `bytes`. Where memory ends, throws OutOfMemory with largest(left), the
  /// number of environments that would fit instead when `left` bytes are left. Looks at what is
  /// left first: a system that promises more memory than it has would end the program at the first
  /// use of it.
  template <class Work, class Largest>
  void make_room(std::size_t bytes, const Work& work, const Largest& largest) const {
    if (bytes > 0) {
      if (const std::size_t room = left(); bytes > room) {
        throw OutOfMemory(bytes, room, largest(room));
      }
    }
    try {
      work();
    } catch (const AllocationFailure& failure) {
      const std::size_t room = left();
      throw OutOfMemory(failure.bytes(), room, largest(room));
    }
  }

 private:
  std::size_t (*memory_left_)();
};

}  // namespace swept::SWEPT_NS
