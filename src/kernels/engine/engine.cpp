// SPDX-License-Identifier: Apache-2.0
// The engine of this configuration, and the factory that the backend exports.
#include "kernels/engine/engine.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "kernels/cuda/visit_graph.h"
#include "kernels/engine/exports.h"
#include "kernels/engine/footprint.h"
#include "kernels/engine/measures.h"
#include "kernels/engine/model_upload.h"
#include "kernels/engine/own_models.h"
#include "kernels/engine/progress.h"
#include "kernels/engine/queries.h"
#include "kernels/engine/resident.h"
#include "kernels/engine/state.h"
#include "kernels/engine/transfer.h"
#include "kernels/engine/visit.h"
#include "kernels/engine/worker.h"

#define SWEPT_NAME_OF(x) #x
#define SWEPT_NAME(x) SWEPT_NAME_OF(x)

namespace swept::SWEPT_NS {

namespace {

class KernelEngine final : public Engine {
 public:
  KernelEngine(const Model& model, const EngineOptions& options)
      : options_(options),
        footprint_(model, options),
        tile_(tile_size(options, options.nenv)),
        model_(upload_model(model)),
        own_models_(model_, options.nenv),
        layout_(make_layout(scratch_sizes(model))),
        state_(model, options.nenv),
        exports_(model, layout_, options.nenv),
        queries_(options.nenv),
        measures_(options.nenv),
        capacity_(estimate_capacity(model, options.capacity)) {
    // no more workers than tiles
    const int workers = std::max(1, std::min(options.workers, tiles()));
    for (int w = 0; w < workers; ++w) {
      workers_.push_back(std::make_unique<Worker>(model_, layout_, state_.view(), tile_ / W,
                                                  capacity_, options.stream));
      scratch_held_ += workers_.back()->bytes();
    }
    reset({}, -1);
  }

  std::string name() const override { return SWEPT_NAME(SWEPT_NS); }
  int lanes() const override { return W; }
  int tiles() const override { return (options_.nenv + tile_ - 1) / tile_; }

  ~KernelEngine() override {
    // what is queued still uses the buffers
    try {
      sync();
    } catch (...) {
      // a device that failed runs nothing any more
    }
  }

  void queue(int worker, const Visit& visit) override {
    const OnDevice device(options_.device);
    Worker& w = worker_at(worker);
    // memory may end here only: later the state may have moved
    reserve(&w, capacity());
    reserve_exports(w.capacity());
    begin_visit(w.context(), w.device_table(), turn_to(&w, visit), visit.number == 0);
    finish_visit(&w, visit, true, 0);
  }

  bool halted(int worker, Halt* halt) override {
    const OnDevice device(options_.device);
    const Control control = worker_at(worker).control();
    *halt = {control.visit,
             control.substep,
             control.call,
             {control.need.pairs, control.need.contacts, control.need.rows, control.need.nonzeros,
              control.need.slots}};
    return control.halt != 0;
  }

  void grow(int worker, const Capacity& need) override {
    // a quarter more than needed, so that a slow rise does not grow every step
    const auto roomier = [](int present, int needed) {
      return needed > present ? needed + needed / 4 : present;
    };
    const OnDevice device(options_.device);
    Worker& w = worker_at(worker);
    const Capacity present = w.capacity();
    const Capacity wanted{
        roomier(present.pairs, need.pairs), roomier(present.contacts, need.contacts),
        roomier(present.rows, need.rows), roomier(present.nonzeros, need.nonzeros),
        roomier(present.slots, need.slots)};
    reserve(&w, wanted);
    reserve_exports(w.capacity());

    // later tiles start with what this one needed
    const std::lock_guard lock(mutex_);
    capacity_.pairs = std::max(capacity_.pairs, wanted.pairs);
    capacity_.contacts = std::max(capacity_.contacts, wanted.contacts);
    capacity_.rows = std::max(capacity_.rows, wanted.rows);
    capacity_.nonzeros = std::max(capacity_.nonzeros, wanted.nonzeros);
    capacity_.slots = std::max(capacity_.slots, wanted.slots);
  }

  void resume(int worker, const Visit& visit, const Halt& from) override {
    const OnDevice device(options_.device);
    Worker& w = worker_at(worker);
    resume_visit(w.context(), w.device_table(), turn_to(&w, visit), from.substep);
    // the pass that halted to its end, then the others
    run_program(w.context(), w, *visit.program, from.call);
    finish_visit(&w, visit, false, from.substep + 1);
  }

  void restore(int tile) override {
    const OnDevice device(options_.device);
    state_.bring_back(workers_[0]->context(), tile * tile_, count_of(tile));
  }

  void reset(std::span<const std::uint8_t> mask, int keyframe) override {
    const OnDevice device(options_.device);
    const std::size_t n = static_cast<std::size_t>(options_.nenv);
    const std::vector<std::uint8_t> all(mask.empty() ? n : 0, 1);
    Buffer<unsigned char> wanted(n);
    wanted.upload(mask.empty() ? all.data() : mask.data(), n);
    Worker& w = *workers_[0];
    begin_visit(w.context(), w.device_table(), turn_to(&w, Visit{}), true);
    reset_state(w.context(), w.table(), wanted.data(), keyframe, options_.nenv);
    wait(w.context());
  }

  void copy_envs(std::span<const int> from, std::span<const int> to) override {
    const OnDevice device(options_.device);
    state_.copy_envs(workers_[0]->context(), from, to);
  }

  void set_models(const Model& shared, std::span<const int> envs,
                  std::span<const Model* const> models,
                  std::span<const std::uint8_t> bad) override {
    const OnDevice device(options_.device);
    make_room(own_models_.bytes_to_set(shared, models), capacity(),
              [&] { own_models_.set(shared, envs, models, bad); });
    for (const auto& w : workers_) {
      w->set_model(own_models_.view());
    }
  }
  void share_model() override {
    const OnDevice device(options_.device);
    own_models_.clear(model_);
    for (const auto& w : workers_) {
      w->set_model(own_models_.view());
    }
  }
  std::vector<double> own_values(std::string_view name) const override {
    return own_models_.values(name);
  }
  FieldInfo show(std::string_view name, std::span<const double> values) override {
    FieldInfo info = field(name);
    const OnDevice device(options_.device);
    info.data = const_cast<real*>(own_models_.show(name, values));
    info.stride[0] = info.shape[1] * info.shape[2];
    return info;
  }

  void ask(const RaySet& rays, const RayOptions& options) override {
    const OnDevice device(options_.device);
    make_room(queries_.bytes_to_ask(rays), capacity(), [&] { queries_.ask(rays, options); });
  }
  void ask(std::span<const std::array<int, 2>> pairs, double maxdist) override {
    const OnDevice device(options_.device);
    make_room(queries_.bytes_to_ask(pairs.size()), capacity(),
              [&] { queries_.ask(pairs, maxdist); });
  }
  void answer(int worker, int tile) override {
    const OnDevice device(options_.device);
    Worker& w = worker_at(worker);
    begin_visit(w.context(), w.device_table(), turn_to(&w, {0, tile}), true);
    place_geoms(w.context(), w);
    queries_.answer(w.context(), w.table(), w.host().nenv);
  }
  void collect(RayHits* hits) override {
    const OnDevice device(options_.device);
    queries_.collect(hits);
  }
  void collect(GeomDistances* distances) override {
    const OnDevice device(options_.device);
    queries_.collect(distances);
  }

  void sync() override {
    const OnDevice device(options_.device);
    for (const auto& w : workers_) {
      wait(w->context());
    }
  }

  bool unbind(std::string_view name) override {
    sync();
    return exports_.unbind(name);
  }
  std::vector<std::string> bound() const override { return exports_.bound(); }

  FieldInfo field(std::string_view name) override {
    const OnDevice device(options_.device);
    const FieldInfo resident =
        resident_field(name, options_.nenv, state_.view(), model_.view, measures_.view());
    if (resident.data != nullptr) {
      return resident;
    }
    FieldInfo info;
    make_room(exports_.bytes_to_bind(name, capacity()), capacity(),
              [&] { info = exports_.bind(name, capacity()); });
    return info;
  }

  std::vector<std::string> field_names() const override {
    std::vector<std::string> names = {"status",       "status_step", "steps", "resets",
                                      "reset_status", "ncon",        "nefc",  "solver_niter"};
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
    const OnDevice device(options_.device);
    copy_to_host(target, source, bytes);
  }
  void copy_in(void* target, const void* source, std::size_t bytes) override {
    const OnDevice device(options_.device);
    copy_to_device(target, source, bytes);
  }

  EngineReport report() override {
    const OnDevice device(options_.device);
    sync();
    EngineReport report = measures_.report();
    report.status.resize(static_cast<std::size_t>(options_.nenv));
    copy_to_host(report.status.data(), state_.view().status, report.status.size() * sizeof(int));
    report.resets.resize(static_cast<std::size_t>(options_.nenv));
    copy_to_host(report.resets.data(), state_.view().resets,
                 report.resets.size() * sizeof(long long));
    return report;
  }

  Capacity capacity() const override {
    const std::lock_guard lock(mutex_);
    return capacity_;
  }
  int program_kernels() const override {
    return kernels_;
  }
  std::size_t state_bytes() const override {
    return state_.bytes_per_env();
  }
  std::size_t scratch_bytes() const override {
    return footprint_.scratch_bytes(capacity());
  }
  std::size_t env_bytes() const override {
    return footprint_.env_bytes() + exports_.bytes_per_env(capacity());
  }
  std::size_t fixed_bytes() const override {
    return footprint_.fixed_bytes();
  }
  std::size_t worker_bytes() const override {
    return workers_[0]->bytes();
  }
  std::size_t model_bytes() const override {
    return own_models_.bytes();
  }
  std::size_t total_bytes() const override {
    std::size_t bytes = 2 * state_.bytes_per_env() * static_cast<std::size_t>(options_.nenv) +
                        exports_.bytes() + queries_.bytes() + measures_.bytes() +
                        model_.ints.bytes() + model_.reals.bytes() + own_models_.bytes();
    return bytes + scratch_held_;
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
  Worker& worker_at(int worker) const {
    return *workers_[static_cast<std::size_t>(worker)];
  }

  /// Point a worker at the tile of a visit; what the device must be told.
  VisitStart turn_to(Worker* w, const Visit& visit) const {
    const int first = visit.tile * tile_, nenv = count_of(visit.tile);
    w->point_at(first, nenv);
    return {visit.number, visit.repeats, first, nenv};
  }

  /// Queue what is left of a visit after `done` passes, by its graph where there is one.
  void finish_visit(Worker* w, const Visit& visit, bool fresh, int done) {
    const Context& ctx = w->context();
    if (const VisitGraph* graph = graph_of(w, visit); graph != nullptr) {
      graph->launch(ctx);
    } else {
      if (fresh) {
        open_visit(ctx, *w, &state_);
      }
      for (int pass = done; pass < visit.repeats && !w->known_halted(); ++pass) {
        run_program(ctx, *w, *visit.program, 0);
      }
      close_visit(ctx, *w, &measures_, visit.store);
    }
    if (!exports_.empty()) {
      exports_.run(ctx, w->host(), w->table());
    }
  }

  /// Queue the calls of a program from one of them on, as the end of a pass.
  void run_program(Context ctx, const Worker& w, const std::vector<Call>& program, int from) {
    long long launches = 0;
    ctx.launches = &launches;
    for (int call = from; call < static_cast<int>(program.size()); ++call) {
      run_call(ctx, w, program[static_cast<std::size_t>(call)], call);
    }
    next_substep(ctx, w.table());
    if (from == 0 && kernels_ != launches) {
      kernels_ = static_cast<int>(launches);
    }
  }

  /// The graph of visits like this one, recorded at the first of them; null: there is none.
  const VisitGraph* graph_of(Worker* w, const Visit& visit) {
    if (!memory_on_device || w->context().profile != nullptr) {
      return nullptr;
    }
    for (const Recorded& r : graphs_) {
      if (r.worker == w && r.nenv == w->host().nenv && r.store == visit.store &&
          r.program == *visit.program) {
        return r.graph.get();
      }
    }
    const std::vector<Call>& program = *visit.program;
    const bool store = visit.store;
    VisitParts parts;
    parts.open = [&](const Context& ctx) { open_visit(ctx, *w, &state_); };
    parts.program = [&](const Context& ctx) { run_program(ctx, *w, program, 0); };
    parts.close = [&](const Context& ctx) { close_visit(ctx, *w, &measures_, store); };
    graphs_.push_back({w, w->host().nenv, store, program, VisitGraph::record(w->table(), parts)});
    return graphs_.back().graph.get();
  }

  /// Make the bound lists long enough for what a tile may hold.
  void reserve_exports(const Capacity& room) {
    if (!exports_.empty()) {
      make_room(exports_.bytes_to_reach(room), room, [&] { exports_.make_room(room); });
    }
  }

  /// Bytes that may still be had.
  std::size_t memory_left() const {
    if (!memory_on_device && options_.memory_left != nullptr) {
      return options_.memory_left();
    }
    return device_memory_left();
  }

  /// Do what allocates `bytes`, for lists of `wanted`; where memory ends, say what would fit
  /// instead. Looks at what is left first: a system that promises more memory than it has would end
  /// the program at the first use of it.
  template <class Work>
  void make_room(std::size_t bytes, const Capacity& wanted, const Work& work) const {
    if (bytes > 0) {
      if (const std::size_t left = memory_left(); bytes > left) {
        throw OutOfMemory(bytes, left, largest_in(left, wanted));
      }
    }
    try {
      work();
    } catch (const AllocationFailure& failure) {
      const std::size_t left = memory_left();
      throw OutOfMemory(failure.bytes(), left, largest_in(left, wanted));
    }
  }

  /// Environments that fit if this batch goes and `left` bytes are left beside it.
  int largest_in(std::size_t left, const Capacity& wanted) const {
    const std::size_t room = left > ~total_bytes() ? left : left + total_bytes();
    const std::size_t own = own_models_.bytes() / static_cast<std::size_t>(options_.nenv);
    const Capacity all = footprint_.foreseen(wanted);
    return footprint_.largest(room, all, exports_.bytes_per_env(all) + own, options_.nenv);
  }

  void reserve(Worker* w, const Capacity& wanted) {
    make_room(w->bytes_to_reach(wanted), wanted, [&] {
      const std::size_t before = w->bytes();
      w->reserve(wanted);
      scratch_held_ += w->bytes() - before;
    });
  }

  int count_of(int tile) const {
    return std::min(tile_, options_.nenv - tile * tile_);
  }

  EngineOptions options_;
  Footprint footprint_;
  int tile_;
  UploadedModel model_;
  OwnModels own_models_;
  Layout layout_;
  State state_;
  Exports exports_;
  Queries queries_;
  Measures measures_;
  mutable std::mutex mutex_;  ///< guards capacity_
  Capacity capacity_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::size_t> scratch_held_ = 0;  ///< bytes of all workers
  std::atomic<int> kernels_ = 0;               ///< of one pass through the last program

  struct Recorded {
    const Worker* worker;
    int nenv;
    bool store;
    std::vector<Call> program;
    std::unique_ptr<VisitGraph> graph;  ///< null: kernels are launched one by one
  };
  std::vector<Recorded> graphs_;
};

}  // namespace

/// Make an engine of this configuration.
Engine* make_engine(const Model& model, const EngineOptions& options) {
  const OnDevice device(options.device);
  const Footprint footprint(model, options);
  const Capacity start = estimate_capacity(model, options.capacity);
  const std::size_t asked = footprint.held(options.nenv, start, 0);
  const std::size_t left = memory_on_device || options.memory_left == nullptr
                               ? device_memory_left()
                               : options.memory_left();
  const auto refuse = [&](std::size_t bytes) {
    throw OutOfMemory(bytes, left, footprint.largest(left, start, 0, options.nenv - 1));
  };
  if (asked > left) {
    refuse(asked);
  }
  try {
    return new KernelEngine(model, options);
  } catch (const AllocationFailure&) {
    refuse(asked);
  }
  return nullptr;
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
