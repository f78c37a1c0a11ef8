// SPDX-License-Identifier: Apache-2.0
// Times of impact of meshes, of crowds and of batches that the bench makes.
#include "bench/ccd.h"

#include "bench/ccd_shapes.h"

#include <swept/batch.h>
#include <swept/ccd.h>
#include <swept/ccd/batch.h>
#include <swept/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

namespace swept::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What this thread has computed for [s]: others on the machine do not count.
double busy_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + numbers.size() / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

CcdMeshRow measure_meshes(int facets, int queries) {
  Random random(1);
  CcdMeshRow row;
  const double before = busy_seconds();
  const ccd::Mesh a = bumpy_sphere(facets, random);
  row.build = busy_seconds() - before;
  const ccd::Mesh b = bumpy_sphere(facets, random);
  row.facets = a.facets();
  std::vector<double> plain, directional, distance;
  for (int i = 0; i < queries; ++i) {
    const ccd::Pose<3> from = random_pose(random, {-3, 0, 0});
    const auto one = ccd::Motion<3>::between(
        from, random_pose(random, {1, uniform(random, -1, 1), uniform(random, -1, 1)}));
    const auto two = ccd::Motion<3>::between(random_pose(random, {}), random_pose(random, {}));
    double start = busy_seconds();
    row.plain_steps += ccd::time_of_impact(a, b, one, two).iterations;
    plain.push_back(busy_seconds() - start);
    start = busy_seconds();
    row.directional_steps +=
        ccd::time_of_impact(a, b, one, two, {.bound = ccd::Bound::directional}).iterations;
    directional.push_back(busy_seconds() - start);
    start = busy_seconds();
    ccd::separation(a, b, from, two.at(0));
    distance.push_back(busy_seconds() - start);
  }
  row.plain = median(plain);
  row.directional = median(directional);
  row.distance = median(distance);
  row.plain_steps /= queries;
  row.directional_steps /= queries;
  return row;
}

CcdCrowdRow measure_crowd(int count) {
  Random random(2);
  const ccd::Mesh ball = noisy_sphere(200, random);
  const double side = 5 * std::cbrt(static_cast<double>(count));
  const std::vector<ccd::Mesh> bodies(static_cast<std::size_t>(count), ball);
  std::vector<ccd::Motion<3>> motions;
  const int line = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(count))));
  for (int i = 0; i < count; ++i) {
    // on a grid with room between, so that nothing touches at the start
    const int cell[3] = {i % line, i / line % line, i / line / line};
    ccd::Vector<3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = side / line * (cell[k] + uniform(random, -0.2, 0.2));
      to[k] = from[k] + uniform(random, -2, 2);
    }
    motions.push_back(ccd::Motion<3>::between(random_pose(random, from), random_pose(random, to)));
  }
  CcdCrowdRow row;
  row.bodies = count;
  std::vector<double> seconds;
  for (int turn = 0; turn < 3; ++turn) {
    const auto start = Clock::now();
    const auto first = ccd::first_impact<3>(bodies, motions);
    seconds.push_back(seconds_since(start));
    row.candidates = static_cast<double>(first.candidates) / count;
    row.tested = static_cast<double>(first.tested);
  }
  row.seconds = median(seconds);
  return row;
}

/// Bodies on their ways past each other or into each other, as in measure_meshes().
std::vector<ccd::ImpactQuery> passing_bodies(int count, int bodies, bool directional,
                                             Random& random) {
  std::vector<ccd::ImpactQuery> queries;
  for (int i = 0; i < count; ++i) {
    ccd::ImpactQuery q;
    q.a = i % bodies;
    q.b = (i / bodies + i) % bodies;
    const ccd::Pose<3> from = random_pose(random, {-3, 0, 0});
    q.motion_a = ccd::Motion<3>::between(
        from, random_pose(random, {1, uniform(random, -2, 2), uniform(random, -2, 2)}));
    q.motion_b = ccd::Motion<3>::between(random_pose(random, {}), random_pose(random, {}));
    q.options.bound = directional ? ccd::Bound::directional : ccd::Bound::plain;
    queries.push_back(q);
  }
  return queries;
}

/// One size of bodies on one device. Turns of both sides alternate.
CcdBatchRow measure_batch(const std::string& device, Precision precision, int facets,
                          bool directional, const CcdOptions& options) {
  Random random(3);
  std::vector<ccd::Mesh> bodies;
  for (int i = 0; i < 16; ++i) {
    bodies.push_back(noisy_sphere(facets, random));
  }
  const int count = std::max(device == "cpu" ? options.batch / 20 : options.batch, 1);
  const auto queries = passing_bodies(count, 16, directional, random);
  ccd::TimeOfImpactBatch batch(
      bodies, {.device = device, .precision = precision, .threads = options.batch_threads});
  // the host takes some of them: its speed does not depend on their number
  const std::size_t part = std::min<std::size_t>(queries.size(), 200);
  std::vector<double> host, together;
  for (int turn = 0; turn < 3; ++turn) {
    auto start = Clock::now();
    for (std::size_t i = 0; i < part; ++i) {
      const ccd::ImpactQuery& q = queries[i * (queries.size() / part)];
      ccd::time_of_impact(bodies[static_cast<std::size_t>(q.a)],
                          bodies[static_cast<std::size_t>(q.b)], q.motion_a, q.motion_b, q.options);
    }
    host.push_back(static_cast<double>(part) / seconds_since(start));
    start = Clock::now();
    batch.time_of_impact(queries);
    together.push_back(static_cast<double>(queries.size()) / seconds_since(start));
  }
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return {batch.backend(),
          options.batch_threads > 0 ? options.batch_threads : machine,
          bodies.front().facets(),
          directional,
          median(host),
          median(together),
          static_cast<double>(batch.counts().on_host) / static_cast<double>(queries.size())};
}

std::vector<CcdBatchRow> measure_batches(const CcdOptions& options) {
  std::vector<CcdBatchRow> rows;
  std::vector<std::string> devices = {"cpu"};
  const auto backends = available_backends();
  if (std::find(backends.begin(), backends.end(), "cuda") != backends.end()) {
    devices.emplace_back("cuda");
  }
  for (const std::string& device : devices) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const int facets : {20, 200}) {
        for (const bool directional : {false, true}) {
          try {
            rows.push_back(measure_batch(device, precision, facets, directional, options));
          } catch (const Error& error) {
            // a driver without a GPU, or a precision that was not built
            if (options.progress) {
              options.progress(error.what());
            }
          }
        }
      }
    }
  }
  return rows;
}

}  // namespace

std::string CcdResult::to_json() const {
  nlohmann::ordered_json json = {{"meshes", nlohmann::ordered_json::array()},
                                 {"crowds", nlohmann::ordered_json::array()},
                                 {"batches", nlohmann::ordered_json::array()}};
  for (const CcdMeshRow& row : meshes) {
    json["meshes"].push_back({{"facets", row.facets},
                              {"build_seconds", row.build},
                              {"distance_seconds", row.distance},
                              {"plain_seconds", row.plain},
                              {"plain_steps", row.plain_steps},
                              {"directional_seconds", row.directional},
                              {"directional_steps", row.directional_steps}});
  }
  for (const CcdCrowdRow& row : crowds) {
    json["crowds"].push_back({{"bodies", row.bodies},
                              {"seconds", row.seconds},
                              {"candidates_per_body", row.candidates},
                              {"tested", row.tested}});
  }
  for (const CcdBatchRow& row : batches) {
    json["batches"].push_back({{"backend", row.backend},
                               {"threads", row.threads},
                               {"facets", row.facets},
                               {"bound", row.directional ? "directional" : "plain"},
                               {"host_queries_per_second", row.host},
                               {"batch_queries_per_second", row.batch},
                               {"on_host", row.on_host}});
  }
  return nlohmann::ordered_json({{"ccd", json}}).dump(2);
}

std::string CcdResult::to_text() const {
  std::string text =
      fmt::format("{:>9} {:>10} {:>12} {:>10} {:>7} {:>15} {:>7}\n", "facets", "build ms",
                  "distance ms", "plain ms", "steps", "directional ms", "steps");
  for (const CcdMeshRow& row : meshes) {
    text += fmt::format("{:>9} {:>10.3f} {:>12.4f} {:>10.3f} {:>7.1f} {:>15.3f} {:>7.1f}\n",
                        row.facets, 1e3 * row.build, 1e3 * row.distance, 1e3 * row.plain,
                        row.plain_steps, 1e3 * row.directional, row.directional_steps);
  }
  if (meshes.size() > 1) {
    // t ~ n^p from the first row to the last
    const CcdMeshRow &few = meshes.front(), &many = meshes.back();
    const auto power = [&](double small, double large) {
      return std::log(large / small) / std::log(static_cast<double>(many.facets) / few.facets);
    };
    text += fmt::format("{:>9} {:>10.2f} {:>12.2f} {:>10.2f} {:>7} {:>15.2f}\n", "power",
                        power(few.build, many.build), power(few.distance, many.distance),
                        power(few.plain, many.plain), "", power(few.directional, many.directional));
  }
  text += fmt::format("\n{:>9} {:>10} {:>11} {:>16} {:>8}\n", "bodies", "ms", "us per body",
                      "candidates/body", "tested");
  for (const CcdCrowdRow& row : crowds) {
    text +=
        fmt::format("{:>9} {:>10.3f} {:>11.3f} {:>16.2f} {:>8.0f}\n", row.bodies, 1e3 * row.seconds,
                    1e6 * row.seconds / row.bodies, row.candidates, row.tested);
  }
  text += fmt::format("\n{:>11} {:>7} {:>7} {:>12} {:>15} {:>13} {:>6} {:>9}\n", "batch", "threads",
                      "facets", "bound", "one thread q/s", "batch q/s", "ratio", "on host");
  for (const CcdBatchRow& row : batches) {
    text +=
        fmt::format("{:>11} {:>7} {:>7} {:>12} {:>15.0f} {:>13.0f} {:>6.2f} {:>8.1f}%\n",
                    row.backend, row.threads, row.facets, row.directional ? "directional" : "plain",
                    row.host, row.batch, row.batch / row.host, 100 * row.on_host);
  }
  return text;
}

CcdResult measure_ccd(const CcdOptions& options) {
  CcdResult result;
  const auto say = [&options](const std::string& what) {
    if (options.progress) {
      options.progress(what);
    }
  };
  for (const int facets : options.facets) {
    say(fmt::format("two meshes of {} facets", facets));
    result.meshes.push_back(measure_meshes(facets, options.queries));
  }
  for (const int bodies : options.bodies) {
    say(fmt::format("{} bodies", bodies));
    result.crowds.push_back(measure_crowd(bodies));
  }
  if (options.batch > 0) {
    say(fmt::format("batches of {} queries", options.batch));
    result.batches = measure_batches(options);
  }
  return result;
}

}  // namespace swept::bench
