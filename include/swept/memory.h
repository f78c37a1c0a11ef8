// SPDX-License-Identifier: Apache-2.0
// What is raised when memory ends: how much was asked for, how much is left, and what would fit.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

#include <swept/error.h>

namespace swept {

/// A batch, or a step of one, needs more memory than there is. The state is the one before the
/// call; the batch may be used on.
///
/// what() names the three numbers in words.
class MemoryError : public Error {
 public:
  MemoryError(std::string problem, std::string remedy, std::size_t asked, std::size_t left,
              int largest_nenv)
      : Error(std::move(problem), std::move(remedy)),
        asked_(asked),
        left_(left),
        largest_nenv_(largest_nenv) {}

  /// Bytes that were asked for, and bytes that the device, or this process, may still have.
  std::size_t asked() const noexcept { return asked_; }
  std::size_t left() const noexcept { return left_; }
  /// The largest number of environments that fits in place of this batch, with the same other
  /// options; 0: not even one does.
  int largest_nenv() const noexcept { return largest_nenv_; }

 private:
  std::size_t asked_;
  std::size_t left_;
  int largest_nenv_;
};

/// What a backend raises when its memory ends; the batch turns it into a MemoryError.
class AllocationFailure : public std::bad_alloc {
 public:
  explicit AllocationFailure(std::size_t bytes) noexcept : bytes_(bytes) {}
  const char* what() const noexcept override { return "memory ended"; }
  /// Bytes that were asked for.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_;
};

}  // namespace swept
