// SPDX-License-Identifier: Apache-2.0
// The mode `robust` on random shots, against dense samples of the way with the official library's
// distances: nothing meets before the time of impact, or at all if there is none, and at that time
// the geoms are as near as is said. SWEPT_LONG in the environment takes 40,000 shots.
#include <gtest/gtest.h>

#include "kernels/speculative/advance.h"
#include "kernels/speculative/sampled.h"

namespace swept::SWEPT_NS {
namespace {

/// Distances of the library and places on the way in single precision [m].
constexpr double length_bar = single ? 4e-6 : 1e-8;

struct Tally {
  int shots = 0, hits = 0, none = 0, overlap = 0, capped = 0, slips = 0, missed = 0, late = 0,
      early = 0;
  double worst_early = 0, worst_late = 0;
  std::vector<int> rounds;
};

void check(const Shot& shot, int samples, Tally* tally) {
  OfficialShot official(shot);
  const SweptPair pair = official.pair();
  AdvanceSettings settings;
  settings.margin = static_cast<real>(shot.margin);
  const AdvanceState s = advance_to_end(pair, settings);
  ++tally->shots;
  SampledWay way(&official);
  const double start = way.at(0);
  if (s.end == AdvanceEnd::overlap) {
    ++tally->overlap;
    EXPECT_LT(start, shot.margin + length_bar);
    return;
  }
  EXPECT_GT(start, shot.margin - length_bar) << "shot " << tally->shots;
  tally->rounds.push_back(s.rounds);
  tally->slips += s.slips > 0 ? 1 : 0;
  if (s.end == AdvanceEnd::none) {
    ++tally->none;
    const double least = way.least(0, 1, samples);
    const double slack = s.slips > 0 ? 1e-3 * static_cast<double>(pair.thickness) : 0;
    tally->missed += least < shot.margin - length_bar - slack ? 1 : 0;
    tally->worst_late = std::max(tally->worst_late, shot.margin - slack - least);
    return;
  }
  ASSERT_TRUE(is_hit(s.end)) << static_cast<int>(s.end);
  ++tally->hits;
  tally->capped += s.end == AdvanceEnd::capped ? 1 : 0;
  const double t = static_cast<double>(s.t);
  const double least = way.least(0, t, samples);
  tally->late += least < shot.margin - length_bar ? 1 : 0;
  tally->worst_late = std::max(tally->worst_late, shot.margin - least);
  // as near as is said: within the band when last looked at, and the last step only comes nearer
  if (s.end == AdvanceEnd::hit) {
    const double band = std::max(
        {0.005 * (start - shot.margin), 1e-4 * static_cast<double>(pair.thickness), length_bar});
    const double off = way.at(static_cast<double>(s.seen)) - shot.margin;
    tally->early += off > 1.001 * band + length_bar ? 1 : 0;
    tally->worst_early = std::max(tally->worst_early, off / band);
    EXPECT_GE(s.t, s.seen);
  }
}

Tally check_all(unsigned seed, int count, double spin, int samples, bool thin) {
  RandomShots random(seed);
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const int type1 = thin ? static_cast<int>(geom_capsule) : shot_types[random.integer(0, 6)];
    const int type2 = thin ? static_cast<int>(geom_capsule) : shot_types[random.integer(1, 6)];
    Shot shot = random.shot(type1, type2, spin, 1.5);
    shot.margin = i % 2 == 0 ? 0 : static_cast<real>(0.01);
    if (thin) {
      shot.one.size = shot.two.size = {static_cast<real>(0.005), static_cast<real>(0.4), 0};
    }
    check(shot, samples, &tally);
  }
  std::sort(tally.rounds.begin(), tally.rounds.end());
  double mean = 0;
  for (const int r : tally.rounds) {
    mean += static_cast<double>(r) / static_cast<double>(tally.rounds.size());
  }
  const auto percentile = [&](double p) {
    return tally.rounds[static_cast<std::size_t>(p * static_cast<double>(tally.rounds.size() - 1))];
  };
  std::printf("spins to %4g: %d overlap, %d hits (%d at the cap, %d slipped), %d without\n", spin,
              tally.overlap, tally.hits, tally.capped, tally.slips, tally.none);
  std::printf(
      "   late %d, missed %d (by %.1e m at most), early %d (%.2f bands at most); rounds mean "
      "%.2f, p95 %d, p99 %d, most %d\n",
      tally.late, tally.missed, tally.worst_late, tally.early, tally.worst_early, mean,
      percentile(0.95), percentile(0.99), tally.rounds.back());
  EXPECT_EQ(tally.late, 0);
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.early, 0);

  EXPECT_EQ(tally.capped, 0);
  return tally;
}

TEST(RobustAdvancement, IsNeverLateAndNeverEarlyOnRandomShots) {
  for (const double spin : {0.0, 300.0, 1200.0}) {
    const Tally tally = check_all(2, case_count(800, 40000), spin, 300, false);
    EXPECT_GT(tally.hits, tally.shots / 3);
  }
}

TEST(RobustAdvancement, OfThinRodsIsNeverLateAndNeverEarly) {
  for (const double spin : {0.0, 100.0, 1200.0}) {
    // a rod of 1 cm at a way of up to 2 m: a sample every 2 mm
    check_all(3, case_count(800, 40000), spin, 1500, true);
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
