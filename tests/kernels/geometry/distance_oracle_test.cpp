// SPDX-License-Identifier: Apache-2.0
// Distances against the official library's, run to convergence, for every pair of kinds. Where the
// two differ, what is known without an algorithm decides: along the normal of the smaller depth the
// shapes must not reach further into each other than it says. SWEPT_LONG in the environment takes
// 10,000 poses per pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "kernels/geometry/convex.h"
#include "kernels/geometry/exact.h"
#include "kernels/geometry/poses.h"

namespace swept::SWEPT_NS {
namespace {

constexpr bool single = sizeof(real) == 4;

/// Allowed difference [m] to the converged library; sizes are of order 1.
double bar_of(int type1, int type2) {
  const bool round = type1 == geom_ellipsoid || type1 == geom_cylinder || type2 == geom_ellipsoid ||
                     type2 == geom_cylinder;
  return single ? (round ? 3e-5 : 1e-5) : (round ? 1e-5 : 1e-9);
}

/// The official distance, and the normal of its nearest points from 1 to 2.
struct Official {
  double dist;
  Point normal;
};
Official official(Poses* poses, int k1, int k2, const Shape& a, const Shape& b) {
  poses->to_oracle(k1, k2, a, b);
  mjtNum ends[6];
  Official o;
  o.dist = mj_geomDistance(poses->scene.model, poses->scene.data, 2 * k1, 2 * k2 + 1, 1e6, ends);
  const Point apart = {ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]};
  const double size = length(apart);
  o.normal = size > 0 ? times(apart, (o.dist < 0 ? -1 : 1) / size) : Point{1, 0, 0};
  return o;
}

// The signed distance is at least -overlap along any direction. So the library is wrong where it
// gives less than that along its own normal, and where ours, proven by its own normal, is more.
TEST(DistanceAgainstTheOfficialLibrary, AgreesWhereTheLibraryIsRight) {
  Poses poses(9);
  poses.scene.model->opt.ccd_tolerance = 1e-14;
  poses.scene.model->opt.ccd_iterations = 2000;
  std::printf("%-24s  max difference   library wrong\n", "");
  for (int k1 = 0; k1 < nkind; ++k1) {
    for (int k2 = k1; k2 < nkind; ++k2) {
      const std::string name = std::string(kinds[k1].name) + " " + kinds[k2].name;
      const double bar = bar_of(kinds[k1].type, kinds[k2].type);
      double worst = 0;
      int wrong = 0, missed = 0;
      const int count = case_count(300, 10000);
      for (int i = 0; i < count; ++i) {
        Shape a, b;
        poses.couple(k1, k2, i % 2 == 0 ? Draw::general : Draw::deep, &a, &b);
        Nearest n = {};
        const double ours = static_cast<double>(convex_distance(a, b, 1e6_r, &n));
        const Official theirs = official(&poses, k1, k2, a, b);
        const double difference = ours - theirs.dist;
        if (std::abs(difference) <= bar) {
          worst = std::max(worst, std::abs(difference));
          continue;
        }
        const double proven = -overlap(a, b, point_of(n.normal));
        const double claimed = -overlap(a, b, theirs.normal);
        if (std::abs(proven - ours) > bar || claimed > ours + bar) {
          ++missed;
          ADD_FAILURE() << name << ", pose " << i << ": ours " << ours << ", proven to be at least "
                        << proven << ", theirs " << theirs.dist << " and at least " << claimed;
        }
        ++wrong;
      }
      std::printf("%-24s  %14.1e   %4d of %d\n", name.c_str(), worst, wrong, count);
      EXPECT_EQ(missed, 0) << name;
      EXPECT_LE(wrong, count / 4) << name;
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
