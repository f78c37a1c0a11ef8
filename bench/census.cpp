// SPDX-License-Identifier: Apache-2.0
// Scene by scene: draw, shoot, judge.
#include "bench/census.h"

#include "bench/census_judge.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace swept::census {

namespace {

using Clock = std::chrono::steady_clock;

/// Parts of the thinner half size: what counts as a crossing, of slow geoms as well, and how far apart
/// shots begin.
constexpr double crossing_depth = 0.5, slow_depth = 1, least_gap = 0.01;

/// The shots of a scene, and where they begin.
struct Volley {
  std::vector<CensusShot> shots;
  std::vector<double> qpos, qvel;  ///< [shots, nq], [shots, nv]
};

Volley draw(const CensusScene& scene, Judge* judge, int wanted) {
  std::mt19937_64 random(scene.number + 1);
  Volley volley;
  // geoms that are in each other before the step are drawn again
  for (int tries = 0; static_cast<int>(volley.shots.size()) < wanted && tries < 8 * wanted;
       ++tries) {
    CensusShot shot = random_shot(scene, judge->model(), judge->data(), &random);
    if (judge->distance(shot.qpos.data()) > least_gap * judge->thickness()) {
      volley.qpos.insert(volley.qpos.end(), shot.qpos.begin(), shot.qpos.end());
      volley.qvel.insert(volley.qvel.end(), shot.qvel.begin(), shot.qvel.end());
      volley.shots.push_back(std::move(shot));
    }
  }
  return volley;
}

/// One step of the engine.
struct Stepped {
  std::vector<double> from, qvel, to;
  std::vector<bool> resolved;
};
Stepped step(const std::string& text, const Volley& volley, Precision precision) {
  BatchOptions options;
  options.nenv = static_cast<int>(volley.shots.size());
  options.precision = precision;
  options.threads = 1;
  Batch batch(compile(load_string(text, Format::xml)), options);
  batch.write("qpos", volley.qpos);
  batch.write("qvel", volley.qvel);
  // as rounded to the batch's precision
  Stepped made = {batch.read("qpos"), {}, {}, {}};
  batch.step();
  made.qvel = batch.read("qvel");
  made.to = batch.read("qpos");
  const View<std::int64_t> counters = batch.field<std::int64_t>("speculative");
  for (int env = 0; env < options.nenv; ++env) {
    made.resolved.push_back(counters(env, speculative_resolved) > 0);
  }
  return made;
}

/// The depth that is no crossing yet along a motion [m].
double allowed_depth(Judge* judge, const double* from, const double* qvel) {
  const bool slow = timestep * judge->fastest(from, qvel) < judge->thickness();
  return (slow ? slow_depth : crossing_depth) * judge->thickness();
}

/// Whether a step that is made in full crosses.
bool crosses(Judge* judge, const double* from, const double* qvel,
             const std::vector<double>& whole) {
  const double bar = allowed_depth(judge, from, qvel);
  return judge->least(from, qvel, whole, -bar) < -bar;
}

/// Whether the official library lets a shot through.
bool crosses_officially(Official* engine, Judge* judge, const CensusShot& shot,
                        const std::vector<double>& whole) {
  const mjModel& m = *engine->model;
  mjData& d = *engine->data;
  mj_resetData(&m, &d);
  std::copy(shot.qpos.begin(), shot.qpos.end(), d.qpos);
  std::copy(shot.qvel.begin(), shot.qvel.end(), d.qvel);
  mj_step(&m, &d);
  return crosses(judge, shot.qpos.data(), d.qvel, whole);
}

std::string describe(const CensusScene& scene, const mjModel& m) {
  const char* const names[] = {"plane",     "hfield",   "sphere", "capsule",
                               "ellipsoid", "cylinder", "box",    "mesh"};
  return fmt::format("{} {}, {} rad/s", name_of(scene.arrangement),
                     fmt::format("{} and {}", names[m.geom_type[0]], names[m.geom_type[1]]),
                     scene.spin);
}

/// All shots of a scene.
void shoot(std::uint64_t number, const CensusOptions& options, CensusCount* count,
           std::vector<Crossing>* crossings) {
  const CensusScene scene = census_scene(number);
  Judge judge(scene.judged);
  Official official(scene.text);
  const mjModel& m = judge.model();
  const Volley volley = draw(scene, &judge, options.shots);
  if (volley.shots.empty()) {
    return;
  }
  const Stepped robust = step(scene.text, volley, options.precision);
  Stepped once;
  if (options.others) {
    once = step(census_scene(number, 0).text, volley, options.precision);
  }
  const std::vector<double> whole(static_cast<std::size_t>(m.ntree), 1.0);
  for (std::size_t i = 0; i < volley.shots.size(); ++i) {
    const CensusShot& shot = volley.shots[i];
    const double* const from = robust.from.data() + i * static_cast<std::size_t>(m.nq);
    const double* const qvel = robust.qvel.data() + i * static_cast<std::size_t>(m.nv);
    const double* const to = robust.to.data() + i * static_cast<std::size_t>(m.nq);
    ++count->shots;
    if (judge.least(from, shot.qvel.data(), whole, 0) > 0) {
      continue;
    }
    ++count->meet;
    const std::vector<double> parts = judge.parts_made(from, qvel, to);
    const double part = *std::min_element(parts.begin(), parts.end());
    count->held += part < 0.9999 ? 1 : 0;
    count->lost += 1 - part;
    count->resolved += robust.resolved[i] ? 1 : 0;
    const double least = judge.least(from, qvel, parts, -1e9);
    const double bar = allowed_depth(&judge, from, qvel);
    count->touched += least < 0 ? 1 : 0;
    if (bar < judge.thickness()) {
      count->deepest = std::max(count->deepest, -least / judge.thickness());
    }
    if (least < -bar) {
      ++count->crossed;
      crossings->push_back({number, static_cast<int>(i), -least, judge.thickness(),
                            describe(scene, *official.model)});
    }
    if (options.others) {
      const double* const v = once.qvel.data() + i * static_cast<std::size_t>(m.nv);
      count->one_pass += crosses(&judge, from, v, whole) ? 1 : 0;
      count->official += crosses_officially(&official, &judge, shot, whole) ? 1 : 0;
    }
  }
}

}  // namespace

void CensusCount::add(const CensusCount& other) {
  shots += other.shots;
  meet += other.meet;
  crossed += other.crossed;
  touched += other.touched;
  resolved += other.resolved;
  held += other.held;
  lost += other.lost;
  one_pass += other.one_pass;
  official += other.official;
  deepest = std::max(deepest, other.deepest);
}

CensusCount CensusResult::all() const {
  CensusCount sum;
  for (const CensusCount& count : by) {
    sum.add(count);
  }
  return sum;
}

std::string CensusResult::to_text() const {
  std::string text = fmt::format(
      "{:<10} {:>9} {:>9} {:>8} {:>8} {:>9} {:>8} {:>9} {:>9} {:>9} {:>8}\n", "", "shots", "meet",
      "crossed", "touched", "re-solved", "held", "lost", "one pass", "official", "deepest");
  const auto line = [&](const char* name, const CensusCount& c) {
    text +=
        fmt::format("{:<10} {:>9} {:>9} {:>8} {:>8} {:>9} {:>8} {:>9.1f} {:>9} {:>9} {:>8.3f}\n",
                    name, c.shots, c.meet, c.crossed, c.touched, c.resolved, c.held, c.lost,
                    c.one_pass, c.official, c.deepest);
  };
  for (std::size_t i = 0; i < by.size(); ++i) {
    line(name_of(static_cast<Arrangement>(i)), by[i]);
  }
  line("all", all());
  text += fmt::format(
      "{} scenes in {:.0f} s; lost: steps, by what was held back; one pass, official: "
      "crossings; deepest: in thinner half sizes\n",
      scenes, seconds);
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(crossings.size(), most); ++i) {
    const Crossing& c = crossings[i];
    text += fmt::format("  crossed: scene {}, shot {}: {:.2e} m deep, half size {:.2e} m, {}\n",
                        c.scene, c.shot, c.depth, c.thickness, c.what);
  }
  return text;
}

CensusResult take_census(const CensusOptions& options) {
  CensusResult result;
  std::mutex mutex;
  std::atomic<std::int64_t> next{0};
  const Clock::time_point start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto work = [&] {
    for (std::int64_t i = next++; i < options.scenes; i = next++) {
      if (options.seconds > 0 && spent() > options.seconds) {
        return;
      }
      const std::uint64_t number = options.first + static_cast<std::uint64_t>(i);
      CensusCount count;
      std::vector<Crossing> crossings;
      shoot(number, options, &count, &crossings);
      const std::lock_guard lock(mutex);
      result.by[static_cast<std::size_t>(census_scene(number).arrangement)].add(count);
      result.crossings.insert(result.crossings.end(), crossings.begin(), crossings.end());
      ++result.scenes;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.threads; ++i) {
    threads.emplace_back(work);
  }
  work();
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::sort(result.crossings.begin(), result.crossings.end(), [](const auto& a, const auto& b) {
    return a.scene != b.scene ? a.scene < b.scene : a.shot < b.shot;
  });
  result.seconds = spent();
  return result;
}

}  // namespace swept::census
