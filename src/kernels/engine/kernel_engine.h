// SPDX-License-Identifier: Apache-2.0
// KernelEngine: the engine of this configuration. It holds the parts that have a file of their own
// (state, models, measures, exports, queries, workers), and makes room before they grow.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/engine/allowance.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/exports.h"
#include "kernels/engine/footprint.h"
#include "kernels/engine/measures.h"
#include "kernels/engine/model_upload.h"
#include "kernels/engine/own_models.h"
#include "kernels/engine/queries.h"
#include "kernels/engine/state.h"
#include "kernels/engine/visit_runner.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS {

/// What each function does: see Engine.
class KernelEngine final : public Engine {
 public:
  KernelEngine(const Model& model, const EngineOptions& options);
  ~KernelEngine() override;

  std::string name() const override;
  int lanes() const override { return W; }
  int tiles() const override { return runner_.tiles(); }

  void queue(int worker, const Visit& visit) override;
  bool halted(int worker, Halt* halt) override;
  void grow(int worker, const Capacity& need) override;
  std::vector<TailPair> hand_over(int worker, const Visit& visit) override;
  void take_back(int worker, std::span<const TailPair> pairs) override;
  void resume(int worker, const Visit& visit, const Halt& from) override;
  void restore(int tile) override;

  void reset(std::span<const std::uint8_t> mask, int keyframe) override;
  void copy_envs(std::span<const int> from, std::span<const int> to) override;
  void sync() override;

  void set_models(const Model& shared, std::span<const int> envs,
                  std::span<const Model* const> models, std::span<const std::uint8_t> bad) override;
  void share_model() override;
  std::vector<double> own_values(std::string_view name) const override {
    return own_models_.values(name);
  }
  FieldInfo show(std::string_view name, std::span<const double> values) override;

  void ask(const RaySet& rays, const RayOptions& options) override;
  void ask(std::span<const std::array<int, 2>> pairs, double maxdist) override;
  void answer(int worker, int tile) override;
  void collect(RayHits* hits) override;
  void collect(GeomDistances* distances) override;

  FieldInfo field(std::string_view name) override;
  std::vector<std::string> field_names() const override;
  bool unbind(std::string_view name) override;
  std::vector<std::string> bound() const override { return exports_.bound(); }
  void copy_out(void* target, const void* source, std::size_t bytes) override;
  void copy_in(void* target, const void* source, std::size_t bytes) override;

  EngineReport report() override;
  int program_kernels() const override { return runner_.program_kernels(); }
  Capacity capacity() const override;
  std::size_t state_bytes() const override { return state_.bytes_per_env(); }
  std::size_t scratch_bytes() const override { return footprint_.scratch_bytes(capacity()); }
  std::size_t env_bytes() const override;
  std::size_t fixed_bytes() const override { return footprint_.fixed_bytes(); }
  std::size_t worker_bytes() const override { return workers_[0]->bytes(); }
  std::size_t model_bytes() const override { return own_models_.bytes(); }
  std::size_t total_bytes() const override;

  void profile(bool on) override;
  std::vector<ProfileEntry> profile_entries() const override;

 private:
  Worker& worker_at(int worker) const { return *workers_[static_cast<std::size_t>(worker)]; }
  void set_view(const ModelView& view);
  template <class Work>
  void make_room(std::size_t bytes, const Capacity& wanted, const Work& work) const;
  int largest_in(std::size_t left, const Capacity& wanted) const;
  void reserve(Worker* w, const Capacity& wanted);

  EngineOptions options_;
  Allowance allowance_;
  Footprint footprint_;
  UploadedModel model_;
  OwnModels own_models_;
  Layout layout_;
  State state_;
  Exports exports_;
  Queries queries_;
  Measures measures_;
  VisitRunner runner_;
  mutable std::mutex mutex_;  ///< guards capacity_
  Capacity capacity_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::size_t> scratch_held_ = 0;  ///< bytes of all workers
};

}  // namespace swept::SWEPT_NS
