// SPDX-License-Identifier: Apache-2.0
// Buffer: an array in the memory of this configuration's device. It owns; views are plain pointers.
// Only the host allocates.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <swept/memory.h>

#include "kernels/base/context.h"

namespace swept::SWEPT_NS {

#ifdef __CUDACC__
/// Wait for the default stream. A fill, or a copy to the device, may return before the memory is
/// written, and the queue's own stream does not wait for it.
inline void finish_copies() {
  check(cudaStreamSynchronize(cudaStreamLegacy));
}
#endif

/// `count` elements, zeroed, aligned to 64 bytes. Move-only. Throws AllocationFailure when memory
/// ends.
template <class T>
class Buffer {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");

  Buffer() = default;
  explicit Buffer(std::size_t count) : count_(count) {
    if (count == 0) {
      return;
    }
#ifdef __CUDACC__
    void* p = nullptr;
    const cudaError_t status = cudaMalloc(&p, bytes());
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // the failure is handled: it must not be reported again by the next
                           // check
      throw AllocationFailure(bytes());
    }
    check(status);
    data_ = static_cast<T*>(p);
    check(cudaMemset(data_, 0, bytes()));
    finish_copies();
#else
    data_ = static_cast<T*>(
        ::operator new (bytes(), std::align_val_t{alignment}, std::nothrow));
    if (data_ == nullptr) {
      throw AllocationFailure(bytes());
    }
    std::memset(static_cast<void*>(data_), 0, bytes());
#endif
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() {
    if (data_ == nullptr) {
      return;
    }
#ifdef __CUDACC__
    cudaFree(data_);
#else
    ::operator delete (static_cast<void*>(data_), std::align_val_t{alignment});
#endif
  }

  T* data() const {
    return data_;
  }
  std::size_t size() const {
    return count_;
  }
  std::size_t bytes() const {
    return count_ * sizeof(T);
  }

  /// Copy from or to the host's memory; waits until it is done.
  void upload(const T* source, std::size_t count, std::size_t offset = 0) {
    if (count == 0) {
      return;
    }
#ifdef __CUDACC__
    check(cudaMemcpy(data_ + offset, source, count * sizeof(T), cudaMemcpyHostToDevice));
    finish_copies();
#else
    std::memcpy(static_cast<void*>(data_ + offset), source, count * sizeof(T));
#endif
  }
  void download(T* target, std::size_t count, std::size_t offset = 0) const {
    if (count == 0) {
      return;
    }
#ifdef __CUDACC__
    check(cudaMemcpy(target, data_ + offset, count * sizeof(T), cudaMemcpyDeviceToHost));
#else
    std::memcpy(static_cast<void*>(target), data_ + offset, count * sizeof(T));
#endif
  }

 private:
  static constexpr std::size_t alignment = 64;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Copy `count` elements inside the device's memory, in the queue.
template <class T>
void copy_elements([[maybe_unused]] const Context& ctx, T* target, const T* source,
                   std::size_t count) {
  if (count == 0) {
    return;
  }
#ifdef __CUDACC__
  check(cudaMemcpyAsync(target, source, count * sizeof(T), cudaMemcpyDeviceToDevice, ctx.stream));
#else
  std::memcpy(target, source, count * sizeof(T));
#endif
}

/// Copy `rows` runs of `width` elements, which start `to` elements apart at the target and `from`
/// apart at the source, inside the device's memory; waits until it is done.
template <class T>
void copy_runs(T* target, std::size_t to, const T* source, std::size_t from, std::size_t width,
               std::size_t rows) {
  if (width == 0 || rows == 0) {
    return;
  }
#ifdef __CUDACC__
  check(cudaMemcpy2D(target, to * sizeof(T), source, from * sizeof(T), width * sizeof(T), rows,
                     cudaMemcpyDeviceToDevice));
  finish_copies();
#else
  for (std::size_t row = 0; row < rows; ++row) {
    std::memcpy(target + row * to, source + row * from, width * sizeof(T));
  }
#endif
}

/// Wait until everything in the queue is done.
inline void wait([[maybe_unused]] const Context& ctx) {
#ifdef __CUDACC__
  check(cudaStreamSynchronize(ctx.stream));
#endif
}

/// Copy bytes between the host and the device.
inline void copy_to_host(void* target, const void* source, std::size_t bytes) {
#ifdef __CUDACC__
  check(cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToHost));
#else
  std::memcpy(target, source, bytes);
#endif
}
inline void copy_to_device(void* target, const void* source, std::size_t bytes) {
#ifdef __CUDACC__
  check(cudaMemcpy(target, source, bytes, cudaMemcpyHostToDevice));
  finish_copies();
#else
  std::memcpy(target, source, bytes);
#endif
}

/// Bytes that the device can still give. On the CPU the host knows better: no limit here.
inline std::size_t device_memory_left() {
#ifdef __CUDACC__
  std::size_t left = 0, total = 0;
  check(cudaMemGetInfo(&left, &total));
  return left;
#else
  return ~std::size_t{0};
#endif
}

/// Does a pointer of a Buffer belong to a device's memory, out of reach of the host.
#ifdef __CUDACC__
constexpr bool memory_on_device = true;
#else
constexpr bool memory_on_device = false;
#endif

}  // namespace swept::SWEPT_NS
