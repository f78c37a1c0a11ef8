// SPDX-License-Identifier: Apache-2.0
// Engine: the only seam between host and kernels. One engine holds the environments of one batch on
// one device in one precision.
//
// The host drives it tile by tile. Worker w works on one tile at a time:
//
//   open(w, tile)            load the tile's state into scratch; environments that cannot be
//                            stepped are set aside
//   run(w, call, point)      put one stage into the queue; `point` numbers the calls of this visit
//   halted(w, &halt)         wait for the queue; true if a stage did not fit: halt.point is its
//                            number and halt.need what it needs
//   grow(w, need)            make room; the host then goes on from halt.point
//   close(w, store)          queue the export of what is bound and the store of the state; a
//                            halted tile does neither
//
// On the CPU there is a worker per thread, a queue of length zero, and a tile of a few packs; on
// CUDA one worker, a stream, and one tile that holds the batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>
#include <swept/model.h>

namespace swept {

/// The stages of a step, one or two kernels each.
enum class Stage {
  position,      ///< kinematics, centres of mass, inertia and its factor, lengths
  velocity,      ///< velocities, passive and bias forces
  actuation,     ///< controls to joint forces
  acceleration,  ///< all smooth forces and the unconstrained acceleration
  broadphase,    ///< candidate pairs that may touch
  narrowphase,   ///< contacts
  rows,          ///< constraint rows
  solve,         ///< acceleration with constraints
  euler,         ///< semi-implicit Euler step
  rk4,           ///< end of a Runge-Kutta stage; argument: 0 .. 3
  count,         ///< count the step for the environments that took it
};

/// One stage to run.
struct Call {
  Stage stage;
  int argument = 0;
};

/// Why and where a visit stopped.
struct Halt {
  int point = 0;  ///< number of the call that did not fit
  Capacity need;  ///< per environment, for the whole tile
};

/// How to make an engine.
struct EngineOptions {
  int nenv = 1;
  int workers = 1;         ///< tiles in work at the same time
  int tile = 0;            ///< environments per tile, 0: chosen
  int device = 0;          ///< CUDA device
  void* stream = nullptr;  ///< CUDA stream of the caller, null: own
  Capacity capacity;       ///< starting sizes, 0: estimated
};

/// Measures of the last step, one entry per environment.
struct EngineReport {
  std::vector<int> contacts, rows, iterations, status;
  std::vector<double> residual, penetration;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string name() const = 0;  ///< configuration, for example cpu_v4_f32
  virtual int lanes() const = 0;         ///< environments side by side
  virtual int tiles() const = 0;

  virtual void open(int worker, int tile) = 0;
  virtual void run(int worker, const Call& call, int point) = 0;
  virtual bool halted(int worker, Halt* halt) = 0;
  /// Throws std::bad_alloc or std::runtime_error when memory ends.
  virtual void grow(int worker, const Capacity& need) = 0;
  virtual void close(int worker, bool store) = 0;
  /// Give every environment the state that it had when its tile was opened last.
  virtual void restore(int tile) = 0;

  virtual void reset(std::span<const std::uint8_t> mask, int keyframe) = 0;
  virtual void sync() = 0;

  /// A field by name, bound if it is derived; data is null if there is no such field.
  virtual FieldInfo field(std::string_view name) = 0;
  virtual std::vector<std::string> field_names() const = 0;
  /// Copy `bytes` from or to the device's memory.
  virtual void copy_out(void* target, const void* source, std::size_t bytes) = 0;
  virtual void copy_in(void* target, const void* source, std::size_t bytes) = 0;

  virtual EngineReport report() = 0;
  virtual Capacity capacity() const = 0;
  virtual std::size_t state_bytes() const = 0;    ///< per environment
  virtual std::size_t scratch_bytes() const = 0;  ///< per environment in a tile
  virtual std::size_t total_bytes() const = 0;

  virtual void profile(bool on) = 0;
  virtual std::vector<ProfileEntry> profile_entries() const = 0;
};

/// What a backend exports: swept_make_engine_f32, swept_make_engine_f64. The caller owns the
/// result.
using MakeEngine = Engine* (*)(const Model&, const EngineOptions&);

}  // namespace swept
