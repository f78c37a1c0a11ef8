// SPDX-License-Identifier: Apache-2.0
// Batch: options, worker threads, and the calls of the public interface.
#include <swept/batch.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>

#include <swept/error.h>

#include "host/batch/backend.h"
#include "host/batch/report.h"
#include "host/step/program.h"
#include "host/step/visit.h"

namespace swept {

namespace {

BatchOptions checked(const BatchOptions& options) {
  if (options.nenv < 1) {
    throw Error("nenv is " + std::to_string(options.nenv), "a batch needs at least one environment");
  }
  if (options.nenv > 1 << 24) {
    throw Error("nenv is " + std::to_string(options.nenv), "a batch holds at most 16777216 environments; make several");
  }
  if (options.threads < 0 || options.tile < 0) {
    throw Error("threads and tile must not be negative", "0 lets the batch choose");
  }
  for (const int size : {options.capacity.pairs, options.capacity.contacts, options.capacity.rows, options.capacity.nonzeros}) {
    if (size < 0) {
      throw Error("a capacity is " + std::to_string(size), "0 lets the batch estimate it");
    }
  }
  return options;
}

int worker_count(const BatchOptions& options, const Device& device) {
  if (device.kind != "cpu") {
    return 1;
  }
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return options.threads > 0 ? options.threads : machine;
}

const char* scalar_name(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return "float";
    case Scalar::f64:
      return "double";
    case Scalar::i32:
      return "int";
    case Scalar::i64:
      return "std::int64_t";
  }
  return "?";
}

}  // namespace

/// The batch behind its public face.
class Batch::Impl {
 public:
  Impl(const Model& model, const BatchOptions& options)
      : model_(model), options_(checked(options)), device_(parse_device(options.device)), workers_(worker_count(options, device_)) {
    step_ = step_program(model_);
    EngineOptions wanted;
    wanted.nenv = options_.nenv;
    wanted.workers = workers_;
    wanted.tile = options_.tile;
    wanted.device = device_.index;
    wanted.stream = options_.stream;
    wanted.capacity = options_.capacity;
    engine_ = make_engine(model_, device_, options_.precision, wanted);
    // the engine has no more workers than tiles, and a slot of the arena is a worker's number
    workers_ = std::clamp(engine_->tiles(), 1, workers_);
    if (workers_ > tbb::this_task_arena::max_concurrency()) {
      // more threads than processors: oneTBB warns and refuses unless it is told
      allowed_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                       static_cast<std::size_t>(workers_));
    }
    arena_ = std::make_unique<tbb::task_arena>(workers_, 1);
  }

  /// Take all tiles through a program. On a GPU the batch is one tile and this returns with the work queued; finish() waits for it.
  void run(const std::vector<Call>& program, int repeats, bool store) {
    finish();
    opened_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(engine_->tiles()));
    guarded([&] {
      if (device_.kind != "cpu" && engine_->tiles() == 1) {
        pending_ = std::make_unique<Visit>(engine_.get(), 0, program, repeats, store, &growths_);
        opened_[0] = true;
        pending_->start(0);
        return;
      }
      arena_->execute([&] { visit_all(program, repeats, store); });
    });
  }

  /// Wait for the queued visit, if there is one.
  void finish() {
    if (pending_ != nullptr) {
      guarded([&] { pending_->finish(); });
      pending_.reset();
    }
    engine_->sync();
  }

 private:
  /// Tiles are given to the workers of the arena one at a time.
  void visit_all(const std::vector<Call>& program, int repeats, bool store) {
    tbb::parallel_for(
        tbb::blocked_range<int>(0, engine_->tiles(), 1),
        [&](const tbb::blocked_range<int>& range) {
          for (int tile = range.begin(); tile < range.end(); ++tile) {
            Visit visit(engine_.get(), tbb::this_task_arena::current_thread_index(), program, repeats, store, &growths_);
            opened_[static_cast<std::size_t>(tile)] = true;
            visit.start(tile);
            visit.finish();
          }
        },
        tbb::simple_partitioner{});
  }

  /// Run `work`; if it fails, the state of every tile that was opened comes back and an Error says what to do.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const std::exception& failure) {
      pending_.reset();
      if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) {
        for (int tile = 0; tile < engine_->tiles(); ++tile) {
          if (opened_[static_cast<std::size_t>(tile)]) {
            engine_->restore(tile);
          }
        }
        engine_->sync();
        throw Error("memory ended while a buffer had to grow; the state is the one before the call",
                    "use fewer environments, fewer threads, or a smaller tile");
      }
      throw Error(std::string("the device failed (") + failure.what() + ")", "the state is lost; make a new batch");
    }
  }

  std::vector<std::atomic<bool>> opened_;  ///< tiles whose state may have moved
  std::unique_ptr<Visit> pending_;         ///< queued and not yet waited for

 public:
  Model model_;
  BatchOptions options_;
  Device device_;
  int workers_;
  std::vector<Call> step_;
  const std::vector<Call> forward_ = forward_program();
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<tbb::global_control> allowed_;
  std::unique_ptr<tbb::task_arena> arena_;
  std::atomic<std::int64_t> growths_{0};
  int steps_done_ = 0;
};

Batch::Batch(const Model& model, const BatchOptions& options) : impl_(std::make_unique<Impl>(model, options)) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::nenv() const { return impl_->options_.nenv; }
const Model& Batch::model() const { return impl_->model_; }
const BatchOptions& Batch::options() const { return impl_->options_; }
std::string Batch::backend() const { return impl_->engine_->name(); }
int Batch::lanes() const { return impl_->engine_->lanes(); }
int Batch::steps_done() const { return impl_->steps_done_; }

void Batch::step(int n) {
  if (n < 0) {
    throw Error("step(" + std::to_string(n) + ")", "the number of steps must not be negative");
  }
  constexpr int most = 1 << 24;
  impl_->steps_done_ = 0;
  for (int done = 0; done < n; done += most) {
    impl_->run(impl_->step_, std::min(most, n - done), true);
    impl_->steps_done_ += std::min(most, n - done);
  }
}

void Batch::forward() { impl_->run(impl_->forward_, 1, false); }

void Batch::sync() { impl_->finish(); }

void Batch::reset(int keyframe) { reset({}, keyframe); }

void Batch::reset(std::span<const std::uint8_t> mask, int keyframe) {
  if (!mask.empty() && mask.size() != static_cast<std::size_t>(nenv())) {
    throw Error("the mask of reset has " + std::to_string(mask.size()) + " entries", "give one per environment, " + std::to_string(nenv()));
  }
  if (keyframe < -1 || keyframe >= impl_->model_.nkey) {
    throw Error("keyframe " + std::to_string(keyframe) + " does not exist",
                impl_->model_.nkey == 0 ? "the model has none" : "use 0 to " + std::to_string(impl_->model_.nkey - 1) + ", or -1 for the default state");
  }
  impl_->finish();
  impl_->engine_->reset(mask, keyframe);
}

FieldInfo Batch::field_info(std::string_view name) {
  // queued work may still make the lists longer, which moves them
  if (name.starts_with("contact.") || name.starts_with("efc_")) {
    impl_->finish();
  }
  const FieldInfo info = impl_->engine_->field(name);
  if (info.data == nullptr && info.shape[0] == 0) {
    throw Error("there is no field '" + std::string(name) + "'", "field_names() lists them; names are MuJoCo's");
  }
  return info;
}

std::vector<std::string> Batch::field_names() const { return impl_->engine_->field_names(); }

void Batch::check_type(std::string_view name, const FieldInfo& info, Scalar wanted) {
  if (info.scalar != wanted) {
    throw Error("field '" + std::string(name) + "' holds " + scalar_name(info.scalar) + ", not " + scalar_name(wanted),
                std::string("ask for field<") + scalar_name(info.scalar) + ">");
  }
}

Status Batch::status(int env) { return static_cast<Status>(static_cast<int>(read("status")[static_cast<std::size_t>(env)])); }

std::int64_t Batch::status_step(int env) { return static_cast<std::int64_t>(read("status_step")[static_cast<std::size_t>(env)]); }

Report Batch::report() {
  impl_->finish();
  Report report = summarize(impl_->engine_->report());
  report.growths = impl_->growths_;
  report.capacity = impl_->engine_->capacity();
  report.state_bytes = impl_->engine_->state_bytes();
  report.scratch_bytes = impl_->engine_->scratch_bytes();
  report.total_bytes = impl_->engine_->total_bytes();
  return report;
}

MemoryEstimate estimate_memory(const Model& model, Precision precision) {
  // an engine of one environment knows
  const std::unique_ptr<Engine> engine = make_engine(model, Device{"cpu", 0}, precision, EngineOptions{});
  return {engine->state_bytes(), engine->scratch_bytes()};
}

void Batch::profile(bool on) { impl_->engine_->profile(on); }

std::vector<ProfileEntry> Batch::profile_entries() const { return impl_->engine_->profile_entries(); }

namespace {

/// Bytes of an element.
std::size_t bytes_of(Scalar scalar) { return scalar == Scalar::f32 || scalar == Scalar::i32 ? 4 : 8; }

double element(const std::byte* p, Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return *reinterpret_cast<const float*>(p);
    case Scalar::f64:
      return *reinterpret_cast<const double*>(p);
    case Scalar::i32:
      return *reinterpret_cast<const int*>(p);
    case Scalar::i64:
      return static_cast<double>(*reinterpret_cast<const std::int64_t*>(p));
  }
  return 0;
}

void set_element(std::byte* p, Scalar scalar, double value) {
  switch (scalar) {
    case Scalar::f32:
      *reinterpret_cast<float*>(p) = static_cast<float>(value);
      break;
    case Scalar::f64:
      *reinterpret_cast<double*>(p) = value;
      break;
    case Scalar::i32:
      *reinterpret_cast<int*>(p) = static_cast<int>(value);
      break;
    case Scalar::i64:
      *reinterpret_cast<std::int64_t*>(p) = static_cast<std::int64_t>(value);
      break;
  }
}

}  // namespace

std::vector<double> Batch::read(std::string_view name) {
  const FieldInfo info = field_info(name);
  sync();
  const std::size_t width = static_cast<std::size_t>(info.shape[1] * info.shape[2]);
  const std::size_t bytes = bytes_of(info.scalar);
  const std::size_t stored = info.stride[0] == 0 ? 1 : static_cast<std::size_t>(info.shape[0]);
  std::vector<std::byte> raw(stored * width * bytes);
  if (!raw.empty()) {
    impl_->engine_->copy_out(raw.data(), info.data, raw.size());
  }

  // shared fields are repeated for every environment
  const std::size_t total = static_cast<std::size_t>(info.shape[0]) * width;
  std::vector<double> values(total);
  for (std::size_t i = 0; i < total; ++i) {
    values[i] = element(raw.data() + (stored == 1 ? i % width : i) * bytes, info.scalar);
  }
  return values;
}

void Batch::write(std::string_view name, std::span<const double> values) {
  const FieldInfo info = field_info(name);
  const std::size_t total = static_cast<std::size_t>(info.shape[0] * info.shape[1] * info.shape[2]);
  if (info.stride[0] == 0 || name.substr(0, 6) == "status" || name == "steps") {
    throw Error("field '" + std::string(name) + "' cannot be written", "write state fields only: qpos, qvel, act, ctrl, applied forces, time");
  }
  if (values.size() != total) {
    throw Error("field '" + std::string(name) + "' has " + std::to_string(total) + " numbers, " + std::to_string(values.size()) + " were given",
                "give [nenv, rows, columns] without gaps");
  }
  sync();
  const std::size_t bytes = bytes_of(info.scalar);
  std::vector<std::byte> raw(total * bytes);
  for (std::size_t i = 0; i < total; ++i) {
    set_element(raw.data() + i * bytes, info.scalar, values[i]);
  }
  if (!raw.empty()) {
    impl_->engine_->copy_in(info.data, raw.data(), raw.size());
  }
}

}  // namespace swept
