// SPDX-License-Identifier: Apache-2.0
// Engine: the only seam between host and kernels. One engine holds the environments of one batch on
// one device in one precision.
//
// The host drives it by visits: one tile is taken through a program of stages several times over.
// Worker w has a queue of visits.
//
//   queue(w, visit)          put a visit at the end: load the tile's state into scratch, set aside
//                            what cannot be stepped, run the program, export what is bound and
//                            store the state
//   halted(w, &halt)         wait for the queue; true if a stage did not fit: halt says which visit
//                            and which call, and what it needs
//   grow(w, need)            make room
//   hand_over(w, visit)      or, where it has halted for pairs that the device has followed as far as
//   take_back(w, pairs)      it may: read them, and write what the host's tail makes of them (tail.h)
//   resume(w, visit, halt)   end the halt and queue the rest of that visit
//
// A stage that does not fit halts the worker: the rest of its visit and all visits behind it do
// nothing, their beginning included, so the state is the one before that visit and the stage's
// inputs have not moved. After resume() the host queues the visits behind it again.
//
// queue() never waits, but where the worker's buffers are smaller than another's have become. On
// the CPU there is a worker per thread, a queue of length zero, and a tile of a few packs; on CUDA
// one worker, a stream, and one tile that holds the batch, and a visit is one graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>
#include <swept/memory.h>
#include <swept/model.h>
#include <swept/query.h>

#include "kernels/engine/tail.h"

namespace swept {

/// The stages of a step, one or two kernels each.
enum class Stage {
  position,       ///< kinematics, centres of mass, inertia and its factor, lengths
  velocity,       ///< velocities, passive and bias forces
  actuation,      ///< controls to joint forces
  acceleration,   ///< all smooth forces and the unconstrained acceleration
  broadphase,     ///< candidate pairs that may touch
  list_fast,      ///< speculative contacts: the pairs that are fast;
  advance,        ///< their times of impact, for which the host may be needed
  narrowphase,    ///< contacts
  rows,           ///< constraint rows
  solve,          ///< acceleration with constraints
  euler,          ///< semi-implicit Euler step
  implicit,       ///< step of implicit or implicitfast
  rk4,            ///< end of a Runge-Kutta stage; argument: 0 .. 3
  next_velocity,  ///< the velocity after the step;
  guard,          ///< where it would lead geoms through each other; argument: how often
                  ///< this has been looked at; after the last time that is held back
  move,           ///< end of the step along that velocity
  count,          ///< count the step for the environments that took it
  revive,         ///< reset frozen environments; argument: keyframe, -1: the default state
};

/// One stage to run.
struct Call {
  Stage stage;
  int argument = 0;
  int from = -1;       ///< number of the call to go on from if this one does not fit, -1: this one
  bool again = false;  ///< only for environments that have to be solved again

  bool operator==(const Call&) const = default;
};

/// A tile taken through a program.
struct Visit {
  int number = 0;  ///< ascending in a queue; 0: first in an empty one, and a halt that was not
                   ///< answered is forgotten
  int tile = 0;
  const std::vector<Call>* program = nullptr;  ///< must outlive the visit
  int repeats = 1;                             ///< passes through the program
  bool store = true;                           ///< does the state move
};

/// Why and where a visit stopped.
struct Halt {
  int visit = 0;      ///< its number
  int substep = 0;    ///< passes through the program that were done
  int call = 0;       ///< number in the program of the call that did not fit
  Capacity need;      ///< per environment, for the whole tile
  bool tail = false;  ///< all fits, but pairs wait for the host's tail
};

/// How to make an engine.
struct EngineOptions {
  int nenv = 1;
  int workers = 1;         ///< tiles in work at the same time
  int tile = 0;            ///< environments per tile, 0: chosen
  int device = 0;          ///< CUDA device
  void* stream = nullptr;  ///< CUDA stream of the caller, null: own
  Capacity capacity;       ///< starting sizes, 0: estimated
  /// CPU: bytes that the process may still have; null: without limit. A GPU is asked itself.
  std::size_t (*memory_left)() = nullptr;
};

/// Memory ended, or would end: nothing was made, and everything is as before.
class OutOfMemory : public AllocationFailure {
 public:
  OutOfMemory(std::size_t asked, std::size_t left, int largest) noexcept
      : AllocationFailure(asked), left_(left), largest_(largest) {}
  std::size_t left() const noexcept { return left_; }  ///< bytes that there were
  int largest() const noexcept { return largest_; }    ///< environments that fit instead

 private:
  std::size_t left_;
  int largest_;
};

/// Measures of the last step, one entry per environment.
struct EngineReport {
  std::vector<int> contacts, rows, iterations, status;
  std::vector<double> residual, penetration;
  std::vector<long long> resets;
  std::vector<long long> speculative;  ///< [environments][speculative_counters]
};

/// What takes visits; see the top of this file.
class Visitor {
 public:
  virtual ~Visitor() = default;

  /// Throws OutOfMemory before anything is queued when memory ends, std::runtime_error when the
  /// device fails; grow() may throw the same.
  virtual void queue(int worker, const Visit& visit) = 0;
  virtual bool halted(int worker, Halt* halt) = 0;
  virtual void grow(int worker, const Capacity& need) = 0;
  /// The pairs for which the worker has halted in this visit. Both throw std::bad_alloc when memory
  /// ends, and nothing may be queued between them.
  virtual std::vector<TailPair> hand_over(int worker, const Visit& visit) = 0;
  virtual void take_back(int worker, std::span<const TailPair> pairs) = 0;
  virtual void resume(int worker, const Visit& visit, const Halt& from) = 0;
  /// Give every environment of a tile the state that it had when the last visit to it began.
  virtual void restore(int tile) = 0;
};

class Engine : public Visitor {
 public:
  virtual std::string name() const = 0;  ///< configuration, for example cpu_v4_f32
  virtual int lanes() const = 0;         ///< environments side by side
  virtual int tiles() const = 0;

  /// Throws as grow() does; so may field().
  virtual void reset(std::span<const std::uint8_t> mask, int keyframe) = 0;
  /// Environment to[i] becomes as from[i] was before the call; entries of `to` differ. Waits.
  virtual void copy_envs(std::span<const int> from, std::span<const int> to) = 0;
  virtual void sync() = 0;

  /// Give environment envs[k] the model models[k], which differs from `shared` (the one that the
  /// engine was made of) in real fields and what follows from them. bad[k] not 0: the user's model
  /// cannot be stepped; the environment freezes. Queues must be empty. Throws as grow() does; the
  /// environments in `envs` may then have either model.
  virtual void set_models(const Model& shared, std::span<const int> envs,
                          std::span<const Model* const> models,
                          std::span<const std::uint8_t> bad) = 0;
  /// Give every environment the model that the engine was made of.
  virtual void share_model() = 0;
  /// Numbers in use of a real model field, [nenv, n]; empty if all environments share them.
  virtual std::vector<double> own_values(std::string_view name) const = 0;
  /// A real model field as an environment-major array of these numbers, [nenv, n], in an array that
  /// stays where it is.
  virtual FieldInfo show(std::string_view name, std::span<const double> values) = 0;

  /// Ask all environments a question about where their geoms are; shapes and numbers are checked
  /// already. Then answer() every tile, with one worker for a tile at a time, sync(), and collect()
  /// the answers. Queues must be empty; nothing else of the batch changes. Throws as grow() does.
  virtual void ask(const RaySet& rays, const RayOptions& options) = 0;
  virtual void ask(std::span<const std::array<int, 2>> pairs, double maxdist) = 0;
  virtual void answer(int worker, int tile) = 0;
  virtual void collect(RayHits* hits) = 0;
  virtual void collect(GeomDistances* distances) = 0;

  /// A field by name, bound if it is derived; data is null if there is no such field.
  virtual FieldInfo field(std::string_view name) = 0;
  virtual std::vector<std::string> field_names() const = 0;
  /// Stop filling a bound field, whose array goes; false if it was not bound. Waits for the queue.
  virtual bool unbind(std::string_view name) = 0;
  virtual std::vector<std::string> bound() const = 0;
  /// Copy `bytes` from or to the device's memory.
  virtual void copy_out(void* target, const void* source, std::size_t bytes) = 0;
  virtual void copy_in(void* target, const void* source, std::size_t bytes) = 0;

  virtual EngineReport report() = 0;
  /// Kernels of one pass through the program that was queued last.
  virtual int program_kernels() const = 0;
  virtual Capacity capacity() const = 0;
  virtual std::size_t state_bytes() const = 0;    ///< per environment
  virtual std::size_t env_bytes() const = 0;      ///< per environment, in a tile or not
  virtual std::size_t fixed_bytes() const = 0;    ///< once
  virtual std::size_t worker_bytes() const = 0;   ///< scratch of one worker
  virtual std::size_t scratch_bytes() const = 0;  ///< per environment in a tile
  virtual std::size_t model_bytes() const = 0;    ///< models that differ, all environments
  virtual std::size_t total_bytes() const = 0;

  virtual void profile(bool on) = 0;
  virtual std::vector<ProfileEntry> profile_entries() const = 0;
};

/// What a backend exports: swept_make_engine_f32, swept_make_engine_f64. The caller owns the
/// result. Throws OutOfMemory before anything is made if the memory that is left is too small.
using MakeEngine = Engine* (*)(const Model&, const EngineOptions&);

}  // namespace swept
