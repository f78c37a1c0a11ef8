// SPDX-License-Identifier: Apache-2.0
// ThreadGroup: a Group of one thread per lane, to find on the CPU what would go wrong on a GPU.
//
//   run_lanes(8, [&](const ThreadGroup g) { kinematics(g, m, d); });
//
// Under ThreadSanitizer a missing sync() is a data race with file and line. Two other mistakes are
// exceptions, thrown to the caller of run_lanes(): lanes that call different collectives, and a
// lane that returns while others wait for it. Sums have the bits of a GPU's tile of the same size.
#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernels/base/group.h"

namespace swept::SWEPT_NS::test {

/// The most lanes of a group.
constexpr int max_lanes = 32;

/// What the lanes of a group share: a barrier and a slot per lane.
///
/// The barrier is a mutex and a condition variable, which ThreadSanitizer knows by heart: passing
/// it orders everything before it, in all lanes, before everything after it, and nothing else.
class LaneBarrier {
 public:
  explicit LaneBarrier(int size) : size_(size) {}

  int size() const { return size_; }

  /// Wait for all lanes. `what` names the collective; all lanes have to name the same.
  void wait(int lane, const char* what) {
    std::unique_lock lock(mutex_);
    fail_if_broken();
    what_[static_cast<std::size_t>(lane)] = what;
    if (++arrived_ == size_) {
      check_agreement();
      arrived_ = 0;
      ++phase_;
      changed_.notify_all();
      return;
    }
    if (left_ > 0) {
      break_with("a lane returned while lane " + std::to_string(lane) + " waits in " + what);
    }
    const long phase = phase_;
    changed_.wait(lock, [&] { return phase_ != phase || !broken_.empty(); });
    if (phase_ == phase) {
      fail_if_broken();
    }
  }

  /// The lane has returned; it must not be waited for.
  void leave() {
    const std::lock_guard lock(mutex_);
    ++left_;
    if (arrived_ > 0 && broken_.empty()) {
      broken_ = "a lane returned while others wait in " + waiting_in();
      changed_.notify_all();
    }
  }

  real& real_slot(int lane) { return reals_[static_cast<std::size_t>(lane)].value; }
  int& int_slot(int lane) { return ints_[static_cast<std::size_t>(lane)].value; }

 private:
  /// A place of its own cache line.
  template <class T>
  struct alignas(64) Slot {
    T value{};
  };

  void fail_if_broken() const {
    if (!broken_.empty()) {
      throw std::logic_error(broken_);
    }
  }
  [[noreturn]] void break_with(const std::string& reason) {
    broken_ = reason;
    changed_.notify_all();
    throw std::logic_error(reason);
  }
  std::string waiting_in() const {
    for (const char* what : what_) {
      if (what != nullptr) {
        return what;
      }
    }
    return "a collective";
  }
  void check_agreement() {
    const std::string first = what_[0];
    for (int lane = 0; lane < size_; ++lane) {
      const char*& mine = what_[static_cast<std::size_t>(lane)];
      if (first != mine) {
        break_with("lane 0 is in " + first + ", lane " + std::to_string(lane) + " in " + mine);
      }
      mine = nullptr;
    }
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int left_ = 0;
  long phase_ = 0;
  std::string broken_;
  std::array<const char*, max_lanes> what_{};
  std::array<Slot<real>, max_lanes> reals_;
  std::array<Slot<int>, max_lanes> ints_;
};

/// One lane of a group of threads.
class ThreadGroup {
 public:
  ThreadGroup(LaneBarrier* shared, int lane) : shared_(shared), lane_(lane) {}

  int lane() const { return lane_; }
  int size() const { return shared_->size(); }
  void sync() const { shared_->wait(lane_, "sync()"); }

  real sum(real x) const {
    return reduce(&LaneBarrier::real_slot, x, "sum(real)", [](real a, real b) { return a + b; });
  }
  int sum(int n) const {
    return reduce(&LaneBarrier::int_slot, n, "sum(int)", [](int a, int b) { return a + b; });
  }
  int max(int n) const {
    return reduce(&LaneBarrier::int_slot, n, "max(int)",
                  [](int a, int b) { return a < b ? b : a; });
  }
  bool any(bool p) const {
    return reduce(&LaneBarrier::int_slot, p ? 1 : 0, "any(bool)",
                  [](int a, int b) { return a | b; }) != 0;
  }
  int exclusive_scan(int n) const {
    const std::array<int, max_lanes> all = gather(&LaneBarrier::int_slot, n, "exclusive_scan(int)");
    int before = 0;
    for (int lane = 0; lane < lane_; ++lane) {
      before += all[static_cast<std::size_t>(lane)];
    }
    return before;
  }

 private:
  /// The values of all lanes, in all lanes.
  template <class T>
  std::array<T, max_lanes> gather(T& (LaneBarrier::*slot)(int), T mine, const char* what) const {
    (shared_->*slot)(lane_) = mine;
    shared_->wait(lane_, what);
    std::array<T, max_lanes> all{};
    for (int lane = 0; lane < size(); ++lane) {
      all[static_cast<std::size_t>(lane)] = (shared_->*slot)(lane);
    }
    // nobody may write the next value before all have read this one
    shared_->wait(lane_, what);
    return all;
  }

  /// In the order of a warp's butterfly.
  template <class T, class Op>
  T reduce(T& (LaneBarrier::*slot)(int), T mine, const char* what, Op op) const {
    std::array<T, max_lanes> all = gather(slot, mine, what);
    for (int step = size() / 2; step > 0; step /= 2) {
      const std::array<T, max_lanes> before = all;
      for (int lane = 0; lane < size(); ++lane) {
        const std::size_t at = static_cast<std::size_t>(lane);
        all[at] = op(before[at], before[at ^ static_cast<std::size_t>(step)]);
      }
    }
    return all[static_cast<std::size_t>(lane_)];
  }

  LaneBarrier* shared_;
  int lane_;
};

static_assert(Group<ThreadGroup>);

/// Run f(group) on `lanes` threads, a power of two up to 32. Throws what a lane threw.
template <class F>
void run_lanes(int lanes, const F& f) {
  if (lanes < 1 || lanes > max_lanes || (lanes & (lanes - 1)) != 0) {
    throw std::invalid_argument("run_lanes: " + std::to_string(lanes) +
                                " lanes; a power of two up to 32 is needed");
  }
  LaneBarrier shared(lanes);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(lanes));
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(lanes));
  for (int lane = 0; lane < lanes; ++lane) {
    threads.emplace_back([&shared, &thrown, &f, lane] {
      try {
        f(ThreadGroup(&shared, lane));
      } catch (...) {
        thrown[static_cast<std::size_t>(lane)] = std::current_exception();
      }
      shared.leave();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::exception_ptr& each : thrown) {
    if (each) {
      std::rethrow_exception(each);
    }
  }
}

}  // namespace swept::SWEPT_NS::test
