// SPDX-License-Identifier: Apache-2.0
// Rays and distances: the checks of a question, and the visit of all tiles that answers it.
#include <swept/query.h>

#include <oneapi/tbb/parallel_for.h>

#include <cmath>
#include <functional>
#include <string>

#include <swept/error.h>
#include <swept/memory.h>
#include <swept/types.h>

#include "host/batch/impl.h"
#include "host/batch/memory.h"

namespace swept {

namespace {

/// Questions have at most so many rays or pairs, so that kernels can count their numbers.
constexpr int most = 1 << 24;

std::string text(std::size_t n) {
  return std::to_string(n);
}

/// Are there `count` points for all environments together or for each.
void check_points(const char* what, std::span<const double> points, int count, int nenv) {
  const std::size_t shared = 3 * static_cast<std::size_t>(count);
  const std::size_t own = shared * static_cast<std::size_t>(nenv);
  if (points.size() != shared && points.size() != own) {
    throw Error(std::string("the ") + what + "s of " + std::to_string(count) + " rays have " +
                    text(points.size()) + " numbers",
                "give [" + std::to_string(count) + ", 3], " + text(shared) +
                    " numbers that all environments share, or [" + std::to_string(nenv) + ", " +
                    std::to_string(count) + ", 3], " + text(own));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i])) {
      throw Error(std::string("the ") + what + " of ray " +
                      text(i / 3 % static_cast<std::size_t>(count)) + " is not finite",
                  "rays start somewhere and go somewhere");
    }
  }
}

/// Is a direction of length 0, or one whose numbers the batch's precision rounds to that.
void check_directions(std::span<const double> directions, int count, Precision precision) {
  for (std::size_t i = 0; i < directions.size(); i += 3) {
    bool zero = true;
    for (std::size_t k = i; k < i + 3; ++k) {
      zero = zero && (precision == Precision::f32 ? static_cast<float>(directions[k]) == 0.0f
                                                  : directions[k] == 0.0);
      if (precision == Precision::f32 && !std::isfinite(static_cast<float>(directions[k]))) {
        throw Error("the direction of ray " + text(i / 3 % static_cast<std::size_t>(count)) +
                        " is longer than single precision can tell",
                    "give directions of length 1");
      }
    }
    if (zero) {
      throw Error(
          "the direction of ray " + text(i / 3 % static_cast<std::size_t>(count)) + " has length 0",
          "give any vector but 0; distances come in its length");
    }
  }
}

void check_rays(const RaySet& rays, const RayOptions& options, const Model& model, int nenv,
                Precision precision) {
  if (rays.count < 1 || rays.count > most) {
    throw Error("the number of rays is " + std::to_string(rays.count),
                "cast 1 to " + std::to_string(most) + " per environment");
  }
  check_points("origin", rays.origin, rays.count, nenv);
  check_points("direction", rays.direction, rays.count, nenv);
  check_directions(rays.direction, rays.count, precision);
  if (options.exclude_body < -1 || options.exclude_body >= model.nbody) {
    throw Error(
        "exclude_body is " + std::to_string(options.exclude_body) + ", and there is no such body",
        "use 0 to " + std::to_string(model.nbody - 1) + ", or -1 to exclude none");
  }
  if (!(options.cutoff >= 0)) {
    throw Error("the cutoff of rays is " + std::to_string(options.cutoff),
                "it must not be negative; infinity, the default, sees everything");
  }
}

bool is_unbounded(const Model& model, int geom) {
  const int type = model.geom_type[static_cast<std::size_t>(geom)];
  return type == geom_plane || type == geom_hfield;
}

void check_pairs(std::span<const std::array<int, 2>> pairs, double maxdist, const Model& model) {
  if (pairs.empty() || pairs.size() > static_cast<std::size_t>(most)) {
    throw Error("the number of pairs of geoms is " + text(pairs.size()),
                "measure 1 to " + std::to_string(most));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [first, second] = pairs[i];
    for (const int geom : pairs[i]) {
      if (geom < 0 || geom >= model.ngeom) {
        throw Error("pair " + text(i) + " names geom " + std::to_string(geom) +
                        ", and there is no such geom",
                    model.ngeom == 0 ? "the model has none"
                                     : "use 0 to " + std::to_string(model.ngeom - 1));
      }
    }
    if (first == second) {
      throw Error("pair " + text(i) + " is geom " + std::to_string(first) + " and itself",
                  "name two geoms");
    }
    if (is_unbounded(model, first) && is_unbounded(model, second)) {
      throw Error("pair " + text(i) + ", geoms " + std::to_string(first) + " and " +
                      std::to_string(second) +
                      ", are planes or height fields, which have no distance from each other",
                  "one of the two must be another shape");
    }
  }
  if (std::isnan(maxdist)) {
    throw Error("maxdist is not a number", "give the largest distance of interest, in metres");
  }
}

/// The error for a question that did not fit.
[[noreturn]] void refuse_query(const OutOfMemory& shortage) {
  throw MemoryError("the question and its answers take " + memory_text(shortage.bytes()) +
                        ", and " + memory_text(shortage.left()) + " are left",
                    "ask about fewer rays or pairs at a time", shortage.bytes(), shortage.left(),
                    shortage.largest());
}

}  // namespace

void Batch::Impl::answer(const std::function<void()>& ask) {
  finish();
  apply_edits();
  try {
    ask();
  } catch (const OutOfMemory& shortage) {
    refuse_query(shortage);
  }
  if (queue_ != nullptr) {
    for (int tile = 0; tile < engine->tiles(); ++tile) {
      engine->answer(0, tile);
    }
  } else {
    arena_->execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int>(0, engine->tiles(), 1),
          [&](const tbb::blocked_range<int>& range) {
            for (int tile = range.begin(); tile < range.end(); ++tile) {
              engine->answer(tbb::this_task_arena::current_thread_index(), tile);
            }
          },
          tbb::simple_partitioner{});
    });
  }
  engine->sync();
}

RayHits Batch::ray(const RaySet& rays, const RayOptions& options) {
  check_rays(rays, options, impl_->model, nenv(), impl_->options.precision);
  impl_->answer([&] { impl_->engine->ask(rays, options); });
  RayHits hits;
  impl_->engine->collect(&hits);
  return hits;
}

GeomDistances Batch::geom_distance(std::span<const std::array<int, 2>> pairs, double maxdist) {
  check_pairs(pairs, maxdist, impl_->model);
  impl_->answer([&] { impl_->engine->ask(pairs, maxdist); });
  GeomDistances distances;
  impl_->engine->collect(&distances);
  return distances;
}

}  // namespace swept
