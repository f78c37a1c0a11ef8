// SPDX-License-Identifier: Apache-2.0
// Context: where kernels run (a CUDA stream; on the CPU the calling thread) and, when asked for,
// how long each took.
#pragma once

#include <chrono>
#include <cstring>
#include <vector>

#include "kernels/base/real.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>
#endif

namespace swept::SWEPT_NS {

#ifdef __CUDACC__
/// Throw if a CUDA call failed.
inline void check(cudaError_t status,
                  const std::source_location where = std::source_location::current()) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                             ": CUDA: " + cudaGetErrorString(status));
  }
}
#endif

/// Time spent in one kernel, summed over launches.
struct ProfileRow {
  const char* name = nullptr;
  double seconds = 0;
  long long launches = 0;
};

/// The queue that kernels are put into. On the CPU there is one per worker thread and a launch
/// returns when the kernel has run.
struct Context {
#ifdef __CUDACC__
  cudaStream_t stream = nullptr;
#endif
  std::vector<ProfileRow>* profile = nullptr;  ///< null: kernels are not timed
  long long* launches = nullptr;               ///< kernels launched are counted here; null: not
};

/// Set up the queue of a worker: the caller's stream, or a new one (then the result is true and
/// close_queue() must follow). Nothing to do on the CPU.
inline bool open_queue([[maybe_unused]] Context* ctx, [[maybe_unused]] void* stream) {
#ifdef __CUDACC__
  if (stream != nullptr) {
    ctx->stream = static_cast<cudaStream_t>(stream);
    return false;
  }
  check(cudaStreamCreateWithFlags(&ctx->stream, cudaStreamNonBlocking));
  return true;
#else
  return false;
#endif
}

/// End a queue that open_queue() made.
inline void close_queue([[maybe_unused]] Context* ctx) {
#ifdef __CUDACC__
  cudaStreamDestroy(ctx->stream);
#endif
}


/// Makes a GPU the calling thread's own while it lives; then the one before is again. Throws if
/// there is no GPU of that number.
class OnDevice {
 public:
  explicit OnDevice([[maybe_unused]] int device) {
#ifdef __CUDACC__
    check(cudaGetDevice(&before_));
    device_ = device;
    if (device_ != before_) {
      check(cudaSetDevice(device_));
    }
#endif
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
#ifdef __CUDACC__
    if (device_ != before_) {
      cudaSetDevice(before_);
    }
#endif
  }

 private:
#ifdef __CUDACC__
  int before_ = 0;
  int device_ = 0;
#endif
};

/// Counts a launch, and times it into the context's profile until the end of its scope.
class Timed {
 public:
  using clock = std::chrono::steady_clock;

  Timed(const Context& ctx, const char* name) : ctx_(ctx), name_(name) {
    if (ctx_.launches != nullptr) {
      ++*ctx_.launches;
    }
    if (ctx_.profile != nullptr) {
      start_ = clock::now();
    }
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

  ~Timed() {
    if (ctx_.profile == nullptr) {
      return;
    }
#ifdef __CUDACC__
    // a profile run waits for every kernel; an ordinary run never does
    cudaStreamSynchronize(ctx_.stream);
#endif
    const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
    for (ProfileRow& row : *ctx_.profile) {
      if (std::strcmp(row.name, name_) == 0) {
        row.seconds += seconds;
        ++row.launches;
        return;
      }
    }
    ctx_.profile->push_back({name_, seconds, 1});
  }

 private:
  const Context& ctx_;
  const char* name_;
  clock::time_point start_{};
};

}  // namespace swept::SWEPT_NS
