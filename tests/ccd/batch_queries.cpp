// SPDX-License-Identifier: Apache-2.0
// Making random queries and comparing answers.
#include "ccd/batch_queries.h"

#include <swept/error.h>

#include <cmath>
#include <cstring>

namespace swept::test {

std::vector<ccd::Mesh> random_bodies(Random& random, int count) {
  std::vector<ccd::Mesh> bodies;
  for (int i = 0; i < count; ++i) {
    const double thickness = i % 4 == 3 ? uniform(random, 0, 0.2) : 0;
    bodies.push_back(random_shape(random, 40, i).body(thickness));
  }
  return bodies;
}

std::vector<ccd::ImpactQuery> random_queries(Random& random, int bodies, int count) {
  std::vector<ccd::ImpactQuery> queries;
  for (int i = 0; i < count; ++i) {
    ccd::ImpactQuery q;
    q.a = static_cast<int>(random() % static_cast<unsigned>(bodies));
    q.b = static_cast<int>(random() % static_cast<unsigned>(bodies));
    const auto direction = random_direction<3>(random), aside = random_direction<3>(random);
    const double start = uniform(random, 1, 4), way = uniform(random, 0, 6),
                 miss = uniform(random, 0, 2);
    ccd::Vector<3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = start * direction[k];
      to[k] = (start - way) * direction[k] + miss * aside[k];
    }
    const ccd::Pose<3> from_a = random_pose(random, from), from_b = random_pose(random, {0, 0, 0});
    ccd::Pose<3> to_a = random_pose(random, to), to_b = random_pose(random, {0, 0, 0});
    to_a.rotation = random() % 3 != 0 ? to_a.rotation : from_a.rotation;
    to_b.rotation = random() % 3 == 0 ? to_b.rotation : from_b.rotation;
    q.motion_a = ccd::Motion<3>::between(from_a, to_a);
    q.motion_b = ccd::Motion<3>::between(from_b, to_b);
    q.options.tolerance = random() % 2 ? 0 : std::pow(10, uniform(random, -9, -3));
    q.options.bound = random() % 2 ? ccd::Bound::plain : ccd::Bound::directional;
    q.options.relative = random() % 2 == 0;
    queries.push_back(q);
  }
  return queries;
}

std::unique_ptr<ccd::TimeOfImpactBatch> make_batch(std::span<const ccd::Mesh> bodies,
                                                   ccd::ImpactBatchOptions options) {
  try {
    return std::make_unique<ccd::TimeOfImpactBatch>(bodies, options);
  } catch (const Error& error) {
    if (error.problem().find("has no swept_make_impact_engine") != std::string::npos) {
      return nullptr;
    }
    throw;
  }
}

bool same_bits(const ccd::Impact<3>& a, const ccd::Impact<3>& b) {
  const auto same = [](double x, double y) { return std::memcmp(&x, &y, sizeof(x)) == 0; };
  bool all = a.status == b.status && same(a.toi, b.toi) && same(a.lower_bound, b.lower_bound) &&
             same(a.distance, b.distance) && same(a.tolerance, b.tolerance) &&
             same(a.speed, b.speed) && a.facet_a == b.facet_a && a.facet_b == b.facet_b &&
             a.iterations == b.iterations && a.pairs == b.pairs;
  for (std::size_t k = 0; k < 3; ++k) {
    all = all && same(a.point_a[k], b.point_a[k]) && same(a.point_b[k], b.point_b[k]);
  }
  return all;
}

double distance_at(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& q, double s) {
  return ccd::separation(bodies[q.a], bodies[q.b], q.motion_a.at(s), q.motion_b.at(s)).distance;
}

double thickness_of(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& q) {
  return bodies[q.a].thickness() + bodies[q.b].thickness();
}

ccd::Impact<3> host_impact(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& q,
                           double tolerance) {
  ccd::Options options = q.options;
  options.tolerance = tolerance;
  return ccd::time_of_impact(bodies[q.a], bodies[q.b], q.motion_a, q.motion_b, options);
}

}  // namespace swept::test
