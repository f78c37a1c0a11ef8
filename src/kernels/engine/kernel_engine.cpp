// SPDX-License-Identifier: Apache-2.0
// The engine's functions: each turns to the device, makes room where something grows, and hands the
// work to the part that does it.
#include "kernels/engine/kernel_engine.h"

#include <algorithm>

#include "kernels/collide/capacity.h"
#include "kernels/engine/resident.h"
#include "kernels/engine/tail_exchange.h"
#include "kernels/engine/transfer.h"

#define SWEPT_NAME_OF(x) #x
#define SWEPT_NAME(x) SWEPT_NAME_OF(x)

namespace swept::SWEPT_NS {

/// Do what allocates `bytes`, for lists of `wanted`; where memory ends, say what would fit instead.
template <class Work>
void KernelEngine::make_room(std::size_t bytes, const Capacity& wanted, const Work& work) const {
  allowance_.make_room(bytes, work, [&](std::size_t left) { return largest_in(left, wanted); });
}

/// Environments that fit if this batch goes and `left` bytes are left beside it.
int KernelEngine::largest_in(std::size_t left, const Capacity& wanted) const {
  const std::size_t room = left > ~total_bytes() ? left : left + total_bytes();
  const std::size_t own = own_models_.bytes() / static_cast<std::size_t>(options_.nenv);
  const Capacity all = footprint_.foreseen(wanted);
  return footprint_.largest(room, all, exports_.bytes_per_env(all) + own, options_.nenv);
}

/// Make a worker's lists, and the bound ones, long enough for what a tile may hold.
void KernelEngine::reserve(Worker* w, const Capacity& wanted) {
  make_room(w->bytes_to_reach(wanted), wanted, [&] {
    const std::size_t before = w->bytes();
    w->reserve(wanted);
    scratch_held_ += w->bytes() - before;
  });
  if (!exports_.empty()) {
    const Capacity room = w->capacity();
    make_room(exports_.bytes_to_reach(room), room, [&] { exports_.make_room(room); });
  }
}

KernelEngine::KernelEngine(const Model& model, const EngineOptions& options)
    : options_(options),
      allowance_(options),
      footprint_(model, options),
      model_(upload_model(model)),
      own_models_(model_, options.nenv),
      layout_(make_layout(scratch_sizes(model))),
      state_(model, options.nenv),
      exports_(model, layout_, options.nenv),
      queries_(options.nenv),
      measures_(options.nenv),
      runner_(options.nenv, tile_size(options, options.nenv), &state_, &exports_, &measures_),
      capacity_(estimate_capacity(model, options.capacity)) {
  // no more workers than tiles
  const int workers = std::max(1, std::min(options.workers, tiles()));
  for (int w = 0; w < workers; ++w) {
    workers_.push_back(std::make_unique<Worker>(model_, layout_, state_.view(),
                                                tile_size(options, options.nenv) / W, capacity_,
                                                options.stream));
    scratch_held_ += workers_.back()->bytes();
  }
  reset({}, -1);
}

KernelEngine::~KernelEngine() {
  // what is queued still uses the buffers
  try {
    sync();
  } catch (...) {
    // a device that failed runs nothing any more
  }
}

std::string KernelEngine::name() const {
  return SWEPT_NAME(SWEPT_NS);
}

void KernelEngine::queue(int worker, const Visit& visit) {
  const OnDevice device(options_.device);
  Worker& w = worker_at(worker);
  // memory may end here only: later the state may have moved
  reserve(&w, capacity());
  runner_.start(&w, visit);
}

bool KernelEngine::halted(int worker, Halt* halt) {
  const OnDevice device(options_.device);
  const Control control = worker_at(worker).control();
  *halt = {control.visit,
           control.substep,
           control.call,
           {control.need.pairs, control.need.contacts, control.need.rows, control.need.nonzeros,
            control.need.slots, control.need.fast},
           control.halt == halt_tail};
  return control.halt != 0;
}

void KernelEngine::grow(int worker, const Capacity& need) {
  // a quarter more than needed, so that a slow rise does not grow every step
  const auto roomier = [](int present, int needed) {
    return needed > present ? needed + needed / 4 : present;
  };
  const OnDevice device(options_.device);
  Worker& w = worker_at(worker);
  const Capacity present = w.capacity();
  const Capacity wanted{
      roomier(present.pairs, need.pairs), roomier(present.contacts, need.contacts),
      roomier(present.rows, need.rows),   roomier(present.nonzeros, need.nonzeros),
      roomier(present.slots, need.slots), roomier(present.fast, need.fast)};
  reserve(&w, wanted);

  // later tiles start with what this one needed
  const std::lock_guard lock(mutex_);
  capacity_.pairs = std::max(capacity_.pairs, wanted.pairs);
  capacity_.contacts = std::max(capacity_.contacts, wanted.contacts);
  capacity_.rows = std::max(capacity_.rows, wanted.rows);
  capacity_.nonzeros = std::max(capacity_.nonzeros, wanted.nonzeros);
  capacity_.slots = std::max(capacity_.slots, wanted.slots);
  capacity_.fast = std::max(capacity_.fast, wanted.fast);
}

std::vector<TailPair> KernelEngine::hand_over(int worker, const Visit& visit) {
  const OnDevice device(options_.device);
  Worker& w = worker_at(worker);
  // the host's copy of the table may stand at a later tile
  runner_.turn_to(&w, visit);
  return SWEPT_NS::hand_over(w);
}

void KernelEngine::take_back(int worker, std::span<const TailPair> pairs) {
  const OnDevice device(options_.device);
  SWEPT_NS::take_back(worker_at(worker), pairs);
}

void KernelEngine::resume(int worker, const Visit& visit, const Halt& from) {
  const OnDevice device(options_.device);
  runner_.resume(&worker_at(worker), visit, from);
}

void KernelEngine::restore(int tile) {
  const OnDevice device(options_.device);
  state_.bring_back(workers_[0]->context(), runner_.first_of(tile), runner_.count_of(tile));
}

void KernelEngine::reset(std::span<const std::uint8_t> mask, int keyframe) {
  const OnDevice device(options_.device);
  const std::size_t n = static_cast<std::size_t>(options_.nenv);
  const std::vector<std::uint8_t> all(mask.empty() ? n : 0, 1);
  Buffer<unsigned char> wanted(n);
  wanted.upload(mask.empty() ? all.data() : mask.data(), n);
  Worker& w = *workers_[0];
  begin_visit(w.context(), w.device_table(), runner_.turn_to(&w, Visit{}), true);
  reset_state(w.context(), w.table(), wanted.data(), keyframe, options_.nenv);
  wait(w.context());
}

void KernelEngine::copy_envs(std::span<const int> from, std::span<const int> to) {
  const OnDevice device(options_.device);
  state_.copy_envs(workers_[0]->context(), from, to);
}

void KernelEngine::sync() {
  const OnDevice device(options_.device);
  for (const auto& w : workers_) {
    wait(w->context());
  }
}

void KernelEngine::set_view(const ModelView& view) {
  for (const auto& w : workers_) {
    w->set_model(view);
  }
}

void KernelEngine::set_models(const Model& shared, std::span<const int> envs,
                              std::span<const Model* const> models,
                              std::span<const std::uint8_t> bad) {
  const OnDevice device(options_.device);
  make_room(own_models_.bytes_to_set(shared, models), capacity(),
            [&] { own_models_.set(shared, envs, models, bad); });
  set_view(own_models_.view());
}

void KernelEngine::share_model() {
  const OnDevice device(options_.device);
  own_models_.clear(model_);
  set_view(own_models_.view());
}

FieldInfo KernelEngine::show(std::string_view name, std::span<const double> values) {
  FieldInfo info = field(name);
  const OnDevice device(options_.device);
  info.data = const_cast<real*>(own_models_.show(name, values));
  info.stride[0] = info.shape[1] * info.shape[2];
  return info;
}

void KernelEngine::ask(const RaySet& rays, const RayOptions& options) {
  const OnDevice device(options_.device);
  make_room(queries_.bytes_to_ask(rays), capacity(), [&] { queries_.ask(rays, options); });
}

void KernelEngine::ask(std::span<const std::array<int, 2>> pairs, double maxdist) {
  const OnDevice device(options_.device);
  make_room(queries_.bytes_to_ask(pairs.size()), capacity(), [&] { queries_.ask(pairs, maxdist); });
}

void KernelEngine::answer(int worker, int tile) {
  const OnDevice device(options_.device);
  Worker& w = worker_at(worker);
  begin_visit(w.context(), w.device_table(), runner_.turn_to(&w, {0, tile}), true);
  place_geoms(w.context(), w);
  queries_.answer(w.context(), w.table(), w.host().nenv);
}

void KernelEngine::collect(RayHits* hits) {
  const OnDevice device(options_.device);
  queries_.collect(hits);
}

void KernelEngine::collect(GeomDistances* distances) {
  const OnDevice device(options_.device);
  queries_.collect(distances);
}

FieldInfo KernelEngine::field(std::string_view name) {
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

std::vector<std::string> KernelEngine::field_names() const {
  std::vector<std::string> names = resident_names();
  const std::vector<std::string> bindable = Exports::names();
  names.insert(names.end(), bindable.begin(), bindable.end());
  return names;
}

bool KernelEngine::unbind(std::string_view name) {
  sync();
  return exports_.unbind(name);
}

void KernelEngine::copy_out(void* target, const void* source, std::size_t bytes) {
  const OnDevice device(options_.device);
  copy_to_host(target, source, bytes);
}

void KernelEngine::copy_in(void* target, const void* source, std::size_t bytes) {
  const OnDevice device(options_.device);
  copy_to_device(target, source, bytes);
}

EngineReport KernelEngine::report() {
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

Capacity KernelEngine::capacity() const {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

std::size_t KernelEngine::env_bytes() const {
  return footprint_.env_bytes() + exports_.bytes_per_env(capacity());
}

std::size_t KernelEngine::total_bytes() const {
  std::size_t bytes = 2 * state_.bytes_per_env() * static_cast<std::size_t>(options_.nenv) +
                      exports_.bytes() + queries_.bytes() + measures_.bytes() +
                      model_.ints.bytes() + model_.reals.bytes() + own_models_.bytes();
  return bytes + scratch_held_;
}

void KernelEngine::profile(bool on) {
  for (const auto& w : workers_) {
    w->profile().clear();
    w->context().profile = on ? &w->profile() : nullptr;
  }
}

std::vector<ProfileEntry> KernelEngine::profile_entries() const {
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

}  // namespace swept::SWEPT_NS
