// SPDX-License-Identifier: Apache-2.0
// TimeOfImpactBatch: the trees for the engine, queries shared among threads, and the host's loop
// for those that the device leaves.
#include <swept/ccd/batch.h>
#include <swept/error.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <thread>

#include "ccd/advance.h"
#include "ccd/rounding.h"
#include "ccd/tree.h"
#include "ccd/vec.h"
#include "host/batch/backend.h"

namespace swept::ccd {

using namespace detail;

namespace {

ImpactBatchOptions checked(const ImpactBatchOptions& options) {
  if (options.threads < 0) {
    throw Error("threads is " + std::to_string(options.threads), "give 0 for all of the machine's");
  }
  if (options.looks < 1) {
    throw Error("the device's looks are " + std::to_string(options.looks), "give at least 1");
  }
  if (!(options.coarsest >= 0 && std::isfinite(options.coarsest))) {
    throw Error("the coarsest tolerance is " + std::to_string(options.coarsest),
                "give a share of the larger body's diagonal, at least 0");
  }
  return options;
}

/// At least what time_of_impact() has for the same query.
double tolerance_of(const Mesh& a, const Mesh& b, const ImpactQuery& query) {
  const Motion<3>&one = query.motion_a, &two = query.motion_b;
  const double size =
      a.radius() + b.radius() + norm(one.start() - two.start()) + norm(one.way() - two.way());
  // mu at its largest, a bit up
  const double speed =
      (norm(one.way()) + norm(two.way()) + one.angle() * a.radius() + two.angle() * b.radius()) *
      (1 + 1e-12);
  const double error = pair_error(size, one.angle() + two.angle(), speed) +
                       unit_roundoff * (a.thickness() + b.thickness());
  return std::max(wanted_tolerance(a, b, query.options), least_tolerance(error));
}

}  // namespace

struct TimeOfImpactBatch::Impl {
  Impl(std::span<const Mesh> wanted_bodies, const ImpactBatchOptions& wanted)
      : options(checked(wanted)), bodies(wanted_bodies.begin(), wanted_bodies.end()) {
    const Device device = parse_device(options.device);
    const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int threads = options.threads > 0 ? options.threads : machine;
    engine = make_impact_engine(trees(), device, options.precision, threads);
    seconds.clear();
    if (threads > tbb::this_task_arena::max_concurrency()) {
      // more threads than processors: oneTBB warns and refuses unless it is told
      allowed = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                      static_cast<std::size_t>(threads));
    }
    arena = std::make_unique<tbb::task_arena>(threads, 1);
  }

  /// One for each body; copies of a body have the same.
  std::vector<ImpactTree> trees() {
    std::vector<ImpactTree> all;
    std::map<const Tree<3>*, int> known;
    for (const Mesh& body : bodies) {
      const Tree<3>& tree = body.tree();
      const auto [place, is_new] = known.try_emplace(&tree, static_cast<int>(all.size()));
      tree_of.push_back(place->second);
      if (!is_new) {
        continue;
      }
      seconds.emplace_back();
      for (const Node<3>& node : tree.nodes) {
        seconds.back().push_back(node.second);
      }
      all.push_back(
          {{tree.corners.front().front().data(), 9 * tree.corners.size()}, {}, body.radius()});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].second = seconds[i];
    }
    return all;
  }

  void check(std::span<const ImpactQuery> queries) const {
    const int count = static_cast<int>(bodies.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const int body : {queries[i].a, queries[i].b}) {
        if (body < 0 || body >= count) {
          throw Error("query " + std::to_string(i) + " names body " + std::to_string(body) +
                          " of " + std::to_string(count),
                      "numbers start at 0");
        }
      }
      check_options(queries[i].options);
    }
  }

  const Mesh& body(int number) const { return bodies[static_cast<std::size_t>(number)]; }

  ImpactJob job_of(const ImpactQuery& q) const {
    const Mesh &a = body(q.a), &b = body(q.b);
    ImpactJob job;
    job.a = tree_of[static_cast<std::size_t>(q.a)];
    job.b = tree_of[static_cast<std::size_t>(q.b)];
    job.motion_a = &q.motion_a;
    job.motion_b = &q.motion_b;
    job.thickness = a.thickness() + b.thickness();
    job.tolerance = tolerance_of(a, b, q);
    job.coarsest = options.coarsest * std::max(a.diagonal(), b.diagonal());
    job.max_iterations = q.options.max_iterations;
    job.directional = q.options.bound == Bound::directional;
    job.relative = q.options.relative;
    return job;
  }

  /// Queries [first, first + n) on the device.
  void ask(int worker, std::span<const ImpactQuery> queries,
           std::span<ImpactAnswer> answers) const {
    std::vector<ImpactJob> jobs;
    jobs.reserve(queries.size());
    for (const ImpactQuery& query : queries) {
      jobs.push_back(job_of(query));
    }
    engine->answer(worker, jobs, options.looks, answers);
  }

  /// The host's loop, from where the device left it.
  Impact<3> go_on(const ImpactQuery& q, const ImpactAnswer& from) const {
    const Mesh &a = body(q.a), &b = body(q.b);
    Options chosen = q.options;
    chosen.tolerance = from.impact.tolerance;
    chosen.bound = Bound::directional;
    const double speed = closing_bound(q.motion_a, q.motion_b, motion_bound(a, q.motion_a),
                                       motion_bound(b, q.motion_b), chosen);
    Advancement<3> advancement(MovingPair<3>(a, b, q.motion_a, q.motion_b, speed), chosen);
    advancement.resume(from.impact.toi, from.slot_a, from.slot_b, from.impact.iterations,
                       from.impact.pairs);
    while (!advancement.look()) {
    }
    return advancement.result();
  }

  std::vector<Impact<3>> run(std::span<const ImpactQuery> queries) {
    check(queries);
    std::vector<ImpactAnswer> answers(queries.size());
    const auto portion = static_cast<std::size_t>(engine->portion());
    const std::size_t portions = (queries.size() + portion - 1) / portion;
    arena->execute([&] {
      tbb::parallel_for(std::size_t{0}, portions, [&](std::size_t k) {
        const std::size_t first = k * portion, n = std::min(portion, queries.size() - first);
        ask(tbb::this_task_arena::current_thread_index(), queries.subspan(first, n),
            std::span(answers).subspan(first, n));
      });
    });
    return finish(queries, answers);
  }

  std::vector<Impact<3>> finish(std::span<const ImpactQuery> queries,
                                std::span<const ImpactAnswer> answers) {
    std::vector<Impact<3>> impacts(queries.size());
    std::vector<std::size_t> left;
    counts = {static_cast<std::int64_t>(queries.size()), 0, 0};
    for (std::size_t i = 0; i < queries.size(); ++i) {
      impacts[i] = answers[i].impact;
      if (!answers[i].finished) {
        left.push_back(i);
        counts.declined += answers[i].impact.pairs == 0;
        continue;
      }
      impacts[i].facet_a = facet_of(queries[i].a, answers[i].slot_a);
      impacts[i].facet_b = facet_of(queries[i].b, answers[i].slot_b);
    }
    counts.on_host = static_cast<std::int64_t>(left.size());
    arena->execute([&] {
      tbb::parallel_for(std::size_t{0}, left.size(), [&](std::size_t k) {
        impacts[left[k]] = go_on(queries[left[k]], answers[left[k]]);
      });
    });
    return impacts;
  }

  int facet_of(int number, int slot) const {
    return body(number).tree().facet[static_cast<std::size_t>(slot)];
  }

  ImpactBatchOptions options;
  std::vector<Mesh> bodies;
  std::vector<int> tree_of;               // of a body
  std::vector<std::vector<int>> seconds;  // what the trees' spans look at until they are uploaded
  std::unique_ptr<tbb::global_control> allowed;
  std::unique_ptr<tbb::task_arena> arena;
  std::unique_ptr<ImpactEngine> engine;
  ImpactCounts counts;
};

TimeOfImpactBatch::TimeOfImpactBatch(std::span<const Mesh> bodies,
                                     const ImpactBatchOptions& options)
    : impl_(std::make_unique<Impl>(bodies, options)) {}

TimeOfImpactBatch::~TimeOfImpactBatch() = default;
TimeOfImpactBatch::TimeOfImpactBatch(TimeOfImpactBatch&&) noexcept = default;
TimeOfImpactBatch& TimeOfImpactBatch::operator=(TimeOfImpactBatch&&) noexcept = default;

std::vector<Impact<3>> TimeOfImpactBatch::time_of_impact(std::span<const ImpactQuery> queries) {
  return impl_->run(queries);
}

ImpactCounts TimeOfImpactBatch::counts() const {
  return impl_->counts;
}

std::string TimeOfImpactBatch::backend() const {
  return impl_->engine->name();
}

}  // namespace swept::ccd
