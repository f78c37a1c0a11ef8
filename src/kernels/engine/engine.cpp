// SPDX-License-Identifier: Apache-2.0
// The engine of this configuration, and the factory that the backend exports.
#include "kernels/engine/engine.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "kernels/collide/stages.h"
#include "kernels/constrain/stages.h"
#include "kernels/engine/exports.h"
#include "kernels/engine/measures.h"
#include "kernels/engine/model_upload.h"
#include "kernels/engine/resident.h"
#include "kernels/engine/state.h"
#include "kernels/engine/transfer.h"
#include "kernels/engine/worker.h"
#include "kernels/integrate/stages.h"
#include "kernels/smooth/stages.h"
#include "kernels/solve/stages.h"

#define SWEPT_NAME_OF(x) #x
#define SWEPT_NAME(x) SWEPT_NAME_OF(x)

namespace swept::SWEPT_NS {

namespace {

/// Environments per tile: a whole number of blocks. On the CPU one pack, whose scratch stays in the
/// cache; on a GPU the batch.
int tile_size(const EngineOptions& options) {
  const int wanted = options.tile > 0 ? options.tile : (memory_on_device ? options.nenv : W);
  return (std::min(wanted, options.nenv) + W - 1) / W * W;
}

class KernelEngine final : public Engine {
 public:
  KernelEngine(const Model& model, const EngineOptions& options)
      : options_(options),
        sizes_(model),
        tile_(tile_size(options)),
        model_((select_device(options.device), upload_model(model))),
        layout_(make_layout(model)),
        state_(model, options.nenv),
        exports_(model, layout_, options.nenv),
        measures_(options.nenv),
        capacity_(estimate_capacity(model, options.capacity)) {
    // no more workers than tiles
    const int workers = std::max(1, std::min(options.workers, tiles()));
    for (int w = 0; w < workers; ++w) {
      workers_.push_back(std::make_unique<Worker>(model_, layout_, state_.view(), tile_ / W,
                                                  capacity_, options.stream));
    }
    reset({}, -1);
  }

  std::string name() const override { return SWEPT_NAME(SWEPT_NS); }
  int lanes() const override { return W; }
  int tiles() const override { return (options_.nenv + tile_ - 1) / tile_; }

  void open(int worker, int tile) override {
    select_device(options_.device);
    Worker& w = *workers_[static_cast<std::size_t>(worker)];
    w.reserve(capacity());
    w.point_at(tile * tile_, count_of(tile));
    state_.keep(w.context(), w.host().first, w.host().nenv);
    clear_halt(w.context(), w.table());
    load_state(w.context(), w.table(), w.nblocks());
    check_state(w.context(), w.table(), w.nblocks());
    set_aside(w.context(), w.table(), w.nblocks());
  }

  void run(int worker, const Call& call, int point) override {
    Worker& w = *workers_[static_cast<std::size_t>(worker)];
    const Context& ctx = w.context();
    const Tile* t = w.table();
    const int nblocks = w.nblocks();
    const int nenv = w.host().nenv;
    switch (call.stage) {
      case Stage::position:
        position(ctx, t, nblocks);
        break;
      case Stage::velocity:
        velocity(ctx, t, nblocks);
        break;
      case Stage::actuation:
        actuation(ctx, t, nblocks);
        break;
      case Stage::acceleration:
        acceleration(ctx, t, nblocks);
        break;
      case Stage::broadphase:
        mark_point(ctx, t, point);
        broadphase(ctx, t, nblocks);
        break;
      case Stage::narrowphase:
        mark_point(ctx, t, point);
        narrowphase(ctx, t, nblocks);
        break;
      case Stage::rows:
        mark_point(ctx, t, point);
        make_rows(ctx, t, nenv);
        break;
      case Stage::solve:
        load_solver(ctx, t, nblocks);
        solve(ctx, t, nenv);
        break;
      case Stage::euler:
        euler(ctx, t, nblocks);
        break;
      case Stage::rk4:
        rk4_stage(ctx, t, nblocks, call.argument);
        break;
      case Stage::count:
        count_step(ctx, t, nenv);
        break;
    }
  }

  bool halted(int worker, Halt* halt) override {
    // what follows a look at the halt may come from another thread than open() did
    select_device(options_.device);
    const Control control = workers_[static_cast<std::size_t>(worker)]->control();
    halt->point = control.point;
    halt->need = {control.need.pairs, control.need.contacts, control.need.rows,
                  control.need.nonzeros};
    return control.halt != 0;
  }

  void grow(int worker, const Capacity& need) override {
    // a quarter more than needed, so that a slow rise does not grow every step
    const auto roomier = [](int present, int needed) {
      return needed > present ? needed + needed / 4 : present;
    };
    Worker& w = *workers_[static_cast<std::size_t>(worker)];
    const Capacity present = w.capacity();
    const Capacity wanted{
        roomier(present.pairs, need.pairs), roomier(present.contacts, need.contacts),
        roomier(present.rows, need.rows), roomier(present.nonzeros, need.nonzeros)};
    w.reserve(wanted);
    clear_halt(w.context(), w.table());

    // later tiles start with what this one needed
    const std::lock_guard lock(mutex_);
    capacity_.pairs = std::max(capacity_.pairs, wanted.pairs);
    capacity_.contacts = std::max(capacity_.contacts, wanted.contacts);
    capacity_.rows = std::max(capacity_.rows, wanted.rows);
    capacity_.nonzeros = std::max(capacity_.nonzeros, wanted.nonzeros);
  }

  void close(int worker, bool store) override {
    Worker& w = *workers_[static_cast<std::size_t>(worker)];
    if (store) {
      store_state(w.context(), w.table(), w.nblocks());
    }
    measures_.take(w.context(), w.host(), w.table());
    if (!exports_.empty()) {
      exports_.run(w.context(), w.host(), w.table(), w.capacity());
    }
  }

  void restore(int tile) override {
    select_device(options_.device);
    state_.bring_back(workers_[0]->context(), tile * tile_, count_of(tile));
  }

  void reset(std::span<const std::uint8_t> mask, int keyframe) override {
    select_device(options_.device);
    const std::size_t n = static_cast<std::size_t>(options_.nenv);
    const std::vector<std::uint8_t> all(mask.empty() ? n : 0, 1);
    Buffer<unsigned char> wanted(n);
    wanted.upload(mask.empty() ? all.data() : mask.data(), n);
    Worker& w = *workers_[0];
    w.point_at(0, std::min(options_.nenv, tile_));
    reset_state(w.context(), w.table(), wanted.data(), keyframe, options_.nenv);
    wait(w.context());
  }

  void sync() override {
    for (const auto& w : workers_) {
      wait(w->context());
    }
  }

  FieldInfo field(std::string_view name) override {
    select_device(options_.device);
    const FieldInfo resident =
        resident_field(name, options_.nenv, state_.view(), model_.view, measures_.view());
    return resident.data != nullptr ? resident : exports_.bind(name, capacity());
  }

  std::vector<std::string> field_names() const override {
    std::vector<std::string> names = {"status", "status_step", "steps",
                                      "ncon",   "nefc",        "solver_niter"};
#define SWEPT_STATE(name, rows, cols, unit, meaning) names.push_back(#name);
#include <swept/fields/state.def>
#undef SWEPT_STATE
#define SWEPT_MODEL_INT(name, rows, cols, meaning) names.push_back(#name);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) names.push_back(#name);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
    const std::vector<std::string> bound = Exports::names();
    names.insert(names.end(), bound.begin(), bound.end());
    return names;
  }

  void copy_out(void* target, const void* source, std::size_t bytes) override {
    select_device(options_.device);
    copy_to_host(target, source, bytes);
  }
  void copy_in(void* target, const void* source, std::size_t bytes) override {
    select_device(options_.device);
    copy_to_device(target, source, bytes);
  }

  EngineReport report() override {
    select_device(options_.device);
    sync();
    EngineReport report = measures_.report();
    report.status.resize(static_cast<std::size_t>(options_.nenv));
    copy_to_host(report.status.data(), state_.view().status, report.status.size() * sizeof(int));
    return report;
  }

  Capacity capacity() const override {
    const std::lock_guard lock(mutex_);
    return capacity_;
  }
  std::size_t state_bytes() const override {
    return state_.bytes_per_env();
  }
  std::size_t scratch_bytes() const override {
    return scratch_bytes_per_env(sizes_, layout_, capacity());
  }
  std::size_t total_bytes() const override {
    std::size_t bytes = 2 * state_.bytes_per_env() * static_cast<std::size_t>(options_.nenv) +
                        exports_.bytes() + measures_.bytes() + model_.ints.bytes() +
                        model_.reals.bytes();
    for (const auto& w : workers_) {
      bytes += w->bytes();
    }
    return bytes;
  }

  void profile(bool on) override {
    for (const auto& w : workers_) {
      w->profile().clear();
      w->context().profile = on ? &w->profile() : nullptr;
    }
  }

  std::vector<ProfileEntry> profile_entries() const override {
    std::vector<ProfileEntry> entries;
    for (const auto& w : workers_) {
      for (const ProfileRow& row : w->profile()) {
        const auto same = std::find_if(entries.begin(), entries.end(),
                                       [&](const ProfileEntry& e) { return e.name == row.name; });
        ProfileEntry& entry =
            same != entries.end() ? *same : entries.emplace_back(ProfileEntry{row.name, 0, 0});
        entry.seconds += row.seconds;
        entry.launches += row.launches;
      }
    }
    return entries;
  }

 private:
  int count_of(int tile) const {
    return std::min(tile_, options_.nenv - tile * tile_);
  }

  EngineOptions options_;
  Sizes sizes_;
  int tile_;
  UploadedModel model_;
  Layout layout_;
  State state_;
  Exports exports_;
  Measures measures_;
  mutable std::mutex mutex_;  ///< guards capacity_
  Capacity capacity_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

/// Make an engine of this configuration.
Engine* make_engine(const Model& model, const EngineOptions& options) {
  return new KernelEngine(model, options);
}

}  // namespace swept::SWEPT_NS

#if SWEPT_F32
#define SWEPT_FACTORY swept_make_engine_f32
#else
#define SWEPT_FACTORY swept_make_engine_f64
#endif

extern "C" __attribute__((visibility("default"))) swept::Engine* SWEPT_FACTORY(
    const swept::Model& model, const swept::EngineOptions& options);
extern "C" swept::Engine* SWEPT_FACTORY(const swept::Model& model,
                                        const swept::EngineOptions& options) {
  return swept::SWEPT_NS::make_engine(model, options);
}
