// SPDX-License-Identifier: Apache-2.0
// The engine for times of impact: uploads queries, runs them in rounds of a few looks, with the
// list of the active ones compacted between, and reads the tracks.
#include "kernels/engine/impact_engine.h"

#include "kernels/base/buffer.h"
#include "kernels/ccd/stages.h"
#include "kernels/engine/impact_bodies.h"
#include "kernels/engine/impact_query.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#define SWEPT_NAME_OF(x) #x
#define SWEPT_NAME(x) SWEPT_NAME_OF(x)

namespace swept::SWEPT_NS {

namespace {

/// Looks of a round. After it, lanes whose query is finished go to others.
constexpr int round_looks = 8;

/// What one worker needs for its queries.
struct ImpactWorker {
  Context ctx;
  bool own_queue = false;
  std::vector<PreparedQuery> prepared;
  std::vector<QueryData> queries;
  std::vector<Track> tracks;
  std::vector<int> numbers;  // of the queries that the device takes
  Buffer<QueryData> device_queries;
  Buffer<Track> device_tracks;
  Buffer<int> list, next_list, count;

  ImpactWorker() : own_queue(open_queue(&ctx, nullptr)), count(1) {}
  ImpactWorker(const ImpactWorker&) = delete;
  ImpactWorker& operator=(const ImpactWorker&) = delete;
  ~ImpactWorker() {
    if (own_queue) {
      close_queue(&ctx);
    }
  }

  void reserve(std::size_t n) {
    if (device_queries.size() < n) {
      device_queries = Buffer<QueryData>(n);
      device_tracks = Buffer<Track>(n);
      list = Buffer<int>(n);
      next_list = Buffer<int>(n);
    }
  }
};

class KernelImpactEngine : public ccd::ImpactEngine {
 public:
  KernelImpactEngine(std::span<const ccd::ImpactTree> trees, int device, int workers)
      : device_(device), bodies_(trees) {
    for (int i = 0; i < workers; ++i) {
      workers_.push_back(std::make_unique<ImpactWorker>());
    }
  }
  ~KernelImpactEngine() override {
    const OnDevice device(device_);
    workers_.clear();
  }

  std::string name() const override { return SWEPT_NAME(SWEPT_NS); }

  int portion() const override { return memory_on_device ? 1 << 14 : 64; }

  void answer(int worker, std::span<const ccd::ImpactJob> jobs, int looks,
              std::span<ccd::ImpactAnswer> answers) override {
    const OnDevice device(device_);
    ImpactWorker& w = *workers_[static_cast<std::size_t>(worker)];
    take(jobs, &w);
    run(looks, &w);
    w.device_tracks.download(w.tracks.data(), w.tracks.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      answers[i] = answer_of(jobs[i], w.prepared[i], w.tracks[i]);
      if (w.prepared[i].declined) {
        answers[i].impact.tolerance = jobs[i].tolerance;
      }
    }
  }

 private:
  void take(std::span<const ccd::ImpactJob> jobs, ImpactWorker* w) const {
    const std::size_t n = jobs.size();
    w->reserve(n);
    w->prepared.clear();
    w->queries.clear();
    w->numbers.clear();
    for (std::size_t i = 0; i < n; ++i) {
      w->prepared.push_back(prepare(jobs[i], bodies_));
      w->queries.push_back(w->prepared.back().data);
      if (!w->prepared.back().declined) {
        w->numbers.push_back(static_cast<int>(i));
      }
    }
    w->tracks.assign(n, new_track());
    w->device_queries.upload(w->queries.data(), n);
    w->device_tracks.upload(w->tracks.data(), n);
    w->list.upload(w->numbers.data(), w->numbers.size());
  }

  void run(int looks, ImpactWorker* w) const {
    const QueryList queries{bodies_.views(), w->device_queries.data(), w->device_tracks.data()};
    int active = static_cast<int>(w->numbers.size());
    for (int done = 0; done < looks && active > 0; done += round_looks) {
      advance_queries(w->ctx, queries, w->list.data(), active, std::min(round_looks, looks - done));
      if (done + round_looks < looks) {
        keep_active(w->ctx, queries, w->list.data(), active, w->next_list.data(), w->count.data());
        wait(w->ctx);
        w->count.download(&active, 1);
        std::swap(w->list, w->next_list);
      }
    }
    wait(w->ctx);
  }

  int device_;
  ImpactBodies bodies_;
  std::vector<std::unique_ptr<ImpactWorker>> workers_;
};

}  // namespace

/// Make an engine of this configuration.
ccd::ImpactEngine* make_impact_engine(std::span<const ccd::ImpactTree> trees, int device,
                                      int workers) {
  const OnDevice chosen(device);
  return new KernelImpactEngine(trees, device, workers);
}

}  // namespace swept::SWEPT_NS

#if SWEPT_F32
#define SWEPT_IMPACT_FACTORY swept_make_impact_engine_f32
#else
#define SWEPT_IMPACT_FACTORY swept_make_impact_engine_f64
#endif

extern "C" __attribute__((visibility("default"))) swept::ccd::ImpactEngine* SWEPT_IMPACT_FACTORY(
    std::span<const swept::ccd::ImpactTree> trees, int device, int workers);
extern "C" swept::ccd::ImpactEngine* SWEPT_IMPACT_FACTORY(
    std::span<const swept::ccd::ImpactTree> trees, int device, int workers) {
  return swept::SWEPT_NS::make_impact_engine(trees, device, workers);
}
