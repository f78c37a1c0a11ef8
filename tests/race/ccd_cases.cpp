// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/ccd. The kernels come with their source.
#include "kernels/ccd/ccd.cpp"
#include "race/cases.h"

#include <array>

namespace swept::SWEPT_NS::test {

namespace {

constexpr int track_count = 100;

/// A triangle and its box.
BodyView triangle() {
  static const BoxNode node{{0_r, 0_r, 0_r}, {0.5_r, 0.5_r, 0_r}, -1};
  static const Facet3 facet{{{-0.5_r, -0.5_r, 0_r}, {0.5_r, -0.5_r, 0_r}, {0_r, 0.5_r, 0_r}}};
  return {&node, &facet};
}

/// Triangles that fall onto each other from heights that differ by environment.
QueryList falls(int nenv) {
  static const std::array<BodyView, 1> bodies = {triangle()};
  static std::array<QueryData, track_count> queries;
  static std::array<Track, track_count> tracks;
  const Twofold<real> zero{0_r, 0_r}, one{1_r, 0_r};
  for (int i = 0; i < nenv; ++i) {
    QueryData q{};
    q.turn_a = q.turn_b = {{one, zero, zero, zero}, {zero, zero, one}, zero, {0_r, 0_r, 1_r}};
    q.start = {zero, zero, {0.2_r + 0.05_r * static_cast<real>(i), 0_r}};
    q.way = {zero, zero, {-0.3_r, 0_r}};
    q.max_iterations = 100;
    q.scale_a = q.scale_b = 1_r;
    q.way_speed = 0.3_r;
    q.target = 0.005_r;
    q.limit = 0.01_r;
    queries[static_cast<std::size_t>(i)] = q;
    tracks[static_cast<std::size_t>(i)] = new_track();
  }
  return {bodies.data(), queries.data(), tracks.data()};
}

/// Every third of the tracks is active still.
const Track* some_active() {
  static const std::array<Track, track_count> tracks = [] {
    std::array<Track, track_count> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].state = i % 3 == 1 ? TrackState::active : TrackState::separate;
    }
    return all;
  }();
  return tracks.data();
}

/// The numbers of the tracks, from the last one down.
const int* numbers() {
  static const std::array<int, track_count> list = [] {
    std::array<int, track_count> all{};
    for (int i = 0; i < track_count; ++i) {
      all[static_cast<std::size_t>(i)] = track_count - 1 - i;
    }
    return all;
  }();
  return list.data();
}

void advance_one(const ThreadGroup g, Scene& s, int env) {
  static QueryList list;
  static std::array<int, track_count> active;
  if (g.lane() == 0) {
    list = falls(s.nenv());
    active[static_cast<std::size_t>(env)] = env;
  }
  g.sync();
  AdvanceQueries{list, active.data(), 4}(g, env);
  g.sync();
  if (g.lane() == 0) {
    const Track& t = list.tracks[env];
    s.exported_reals()[env] = t.s + t.distance;
    s.exported_ints()[env] = static_cast<int>(t.state);
  }
}

}  // namespace

std::vector<Case> ccd_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("ccd/AdvanceQueries", P::acceleration, advance_one),
      on_envs("ccd/KeepActive", P::acceleration,
              [](G g, Scene& s, int env) {
                int* const to = s.exported_ints() + env * (track_count + 1);
                KeepActive{{nullptr, nullptr, const_cast<Track*>(some_active())},
                           numbers(),
                           track_count - env,
                           to + 1,
                           to}(g, 0);
              }),
      on_envs("ccd/compact", P::acceleration,
              [](G g, Scene& s, int env) {
                int* const to = s.exported_ints() + env * (track_count + 1);
                compact(g, some_active(), numbers(), track_count - env, to + 1, to);
              }),
  };
}

}  // namespace swept::SWEPT_NS::test
