// SPDX-License-Identifier: Apache-2.0
// The kernels of rays and distances on small scenes: which geoms are seen, ties, cutoffs, precision
// far away, frozen environments; distances against closed forms and as laws.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/query/distance.h"
#include "kernels/query/ray.h"
#include "kernels/query/rays.h"
#include "kernels/query/stages.h"
#include "support/host_tile.h"
#include "support/near.h"

namespace swept::SWEPT_NS {
namespace {

using swept::test::near;
using test::RandomRays;

// a few roundings of lengths of order 1
constexpr swept::test::Tolerance length_bar = {1e-13, 1e-6};

/// A geom, in the world.
struct Body {
  int type = geom_sphere;
  Vec3<real> pos = {0, 0, 0};
  Vec3<real> size = {1_r, 1_r, 1_r};
  Mat3<real> mat = {1_r, 0, 0, 0, 1_r, 0, 0, 0, 1_r};
};

/// A tile of `nenv` equal environments with these geoms, each on a body of its own.
class Scene {
 public:
  explicit Scene(const std::vector<Body>& geoms, int nenv = 1) {
    const auto n = static_cast<int>(geoms.size());
    arrays_.nbody = n + 1;
    arrays_.ngeom = n;
    arrays_.resize();
    finish_tree(&arrays_);
    std::vector<double> pos, mat;
    for (std::size_t g = 0; g < geoms.size(); ++g) {
      const Body& b = geoms[g];
      arrays_.geom_type[g] = b.type;
      arrays_.geom_bodyid[g] = static_cast<int>(g) + 1;
      arrays_.body_weldid[g + 1] = static_cast<int>(g) + 1;
      arrays_.geom_dataid[g] = -1;
      for (const real x : {b.size.x, b.size.y, b.size.z}) {
        arrays_.geom_size.push_back(static_cast<double>(x));
      }
      arrays_.geom_rbound[g] =
          b.type == geom_plane ? 0 : static_cast<double>(b.size.x + b.size.y + b.size.z);
      for (const real x : {b.pos.x, b.pos.y, b.pos.z}) {
        pos.push_back(static_cast<double>(x));
      }
      const Mat3<real>& r = b.mat;
      for (const real x : {r.xx, r.xy, r.xz, r.yx, r.yy, r.yz, r.zx, r.zy, r.zz}) {
        mat.push_back(static_cast<double>(x));
      }
    }
    arrays_.geom_size.erase(arrays_.geom_size.begin(),
                            arrays_.geom_size.begin() + static_cast<std::ptrdiff_t>(3 * n));
    tile_ = std::make_unique<HostTile>(arrays_, nenv);
    for (int env = 0; env < nenv; ++env) {
      tile_->write(&Layout::geom_xpos, env, pos.data());
      tile_->write(&Layout::geom_xmat, env, mat.data());
    }
  }

  HostTile& tile() { return *tile_; }
  int* ints(const int* field) { return const_cast<int*>(field); }

  RayResult cast(Vec3<real> from, Vec3<real> u, const RayFilter& filter = {}) const {
    return cast_ray(tile_->model_at(0), tile_->data_at(0), filter, from, u);
  }
  GeomDistance measure(int g1, int g2, real maxdist) const {
    return geom_distance(tile_->model_at(0), tile_->data_at(0), g1, g2, maxdist);
  }

 private:
  ModelArrays arrays_;
  std::unique_ptr<HostTile> tile_;
};

constexpr Vec3<real> origin = {0, 0, 0}, along = {1_r, 0, 0};

/// Three unit balls at x = 3, 6, 9.
Scene balls() {
  return Scene(
      {{geom_sphere, {3_r, 0, 0}}, {geom_sphere, {6_r, 0, 0}}, {geom_sphere, {9_r, 0, 0}}});
}

TEST(CastRays, TheNearestGeomIsHitWhateverItsNumber) {
  const Scene scene = balls();
  EXPECT_EQ(scene.cast(origin, along).geom, 0);
  EXPECT_EQ(scene.cast(origin, along).distance, 2_r);
  EXPECT_EQ(scene.cast(origin, along).normal.x, -1_r);
  EXPECT_EQ(scene.cast({20_r, 0, 0}, {-1_r, 0, 0}).geom, 2);
  const RayResult miss = scene.cast(origin, {0, 1_r, 0});
  EXPECT_EQ(miss.geom, -1);
  EXPECT_EQ(miss.distance, -1_r);
  EXPECT_EQ(norm(miss.normal), 0_r);
  // from inside
  EXPECT_EQ(scene.cast({6_r, 0, 0}, along).geom, 1);
  EXPECT_EQ(scene.cast({6_r, 0, 0}, along).distance, 1_r);
  EXPECT_EQ(scene.cast({6_r, 0, 0}, along).normal.x, 1_r);
}

TEST(CastRays, DistancesComeInLengthsOfTheDirectionHoweverLongItIs) {
  const Scene scene = balls();
  for (const real length : {0.5_r, 4_r, 1e-20_r, 1e20_r}) {
    EXPECT_TRUE(near(static_cast<double>(scene.cast(origin, along * length).distance * length), 2,
                     length_bar))
        << length;
    // the cutoff too, and what lies at it counts
    RayFilter filter;
    filter.cutoff = 2.001_r / length;
    EXPECT_EQ(scene.cast(origin, along * length, filter).geom, 0);
    filter.cutoff = 1.999_r / length;
    EXPECT_EQ(scene.cast(origin, along * length, filter).geom, -1);
  }
  RayFilter filter;
  filter.cutoff = 2_r;
  EXPECT_EQ(scene.cast(origin, along, filter).geom, 0);
}

TEST(CastRays, DirectionsThatAreNoneHitNothing) {
  const Scene scene = balls();
  const real nan = std::numeric_limits<real>::quiet_NaN();
  const real infinity = std::numeric_limits<real>::infinity();
  for (const real x : {0_r, nan, infinity}) {
    EXPECT_EQ(scene.cast(origin, {x, 0, 0}).geom, -1) << x;
    EXPECT_EQ(scene.cast(origin, {x, 0, 0}).distance, -1_r) << x;
  }
  EXPECT_EQ(scene.cast({nan, 0, 0}, along).geom, -1);
  EXPECT_EQ(scene.cast({infinity, 0, 0}, along).geom, -1);
}

TEST(CastRays, FiltersHideGeoms) {
  Scene scene = balls();
  const ModelView& m = scene.tile().model();
  RayFilter filter;
  filter.exclude_body = 1;
  EXPECT_EQ(scene.cast(origin, along, filter).geom, 1);
  // transparent
  scene.ints(m.geom_transparent)[1] = 1;
  EXPECT_EQ(scene.cast(origin, along, filter).geom, 2);
  scene.ints(m.geom_transparent)[1] = 0;
  // static: welded to the world
  scene.ints(m.body_weldid)[2] = 0;
  EXPECT_EQ(scene.cast(origin, along, filter).geom, 1);
  filter.include_static = 0;
  EXPECT_EQ(scene.cast(origin, along, filter).geom, 2);
  // groups, the ends of the range included
  const int groups[3] = {-3, 2, 9};
  for (int g = 0; g < 3; ++g) {
    scene.ints(m.geom_group)[g] = groups[g];
  }
  const int seen_by_bit[6] = {0, -1, 1, -1, -1, 2};
  for (int bit = 0; bit < 6; ++bit) {
    RayFilter one;
    one.groups = 1 << bit;
    EXPECT_EQ(scene.cast(origin, along, one).geom, seen_by_bit[bit]) << bit;
  }
}

TEST(CastRays, OfEqualDistancesTheSmallerGeomWins) {
  const Scene scene({{geom_box, {5_r, 0, 0}}, {geom_sphere, {5_r, 0, 0}}, {geom_box, {5_r, 0, 0}}});
  EXPECT_EQ(scene.cast(origin, along).geom, 0);
  const Scene other({{geom_sphere, {5_r, 0, 0}}, {geom_box, {5_r, 0, 0}}});
  EXPECT_EQ(other.cast(origin, along).geom, 0);
}

TEST(CastRays, FarRaysLoseNoMoreThanTheRoundingOfTheirOwnPlace) {
  // a ray that passes a ball at 3/5 of its radius, from 10 km away
  const Scene scene({{geom_sphere, {0, 0, 0}, {0.1_r, 0, 0}}});
  const RayResult hit = scene.cast({-1e4_r, 0.06_r, 0}, along);
  ASSERT_EQ(hit.geom, 0);
  // one rounding of 1e4
  EXPECT_NEAR(static_cast<double>(hit.distance), 1e4 - 0.08, sizeof(real) == 4 ? 1e-3 : 2e-12);
  EXPECT_TRUE(near(static_cast<double>(hit.normal.y), 0.6, length_bar));
}

TEST(CastRays, EveryRayOfEveryEnvironmentHasItsPlace) {
  constexpr int nenv = W + 3, count = 5;
  Scene scene({{geom_plane, {0, 0, 0}, {0, 0, 1_r}}}, nenv);
  // the plane of environment e at height e / 8
  for (int env = 0; env < nenv; ++env) {
    const double pos[3] = {0, 0, env / 8.0};
    scene.tile().write(&Layout::geom_xpos, env, pos);
  }
  scene.tile()->frozen[2] = status_bad_qpos;
  std::vector<real> from, u, distance(nenv * count), normal(3 * nenv * count);
  std::vector<int> geom(nenv * count);
  for (int env = 0; env < nenv; ++env) {
    for (int i = 0; i < count; ++i) {
      from.insert(from.end(), {0, 0, 2_r + static_cast<real>(env + i)});
    }
  }
  for (int i = 0; i < count; ++i) {
    u.insert(u.end(), {0, 0, i == 4 ? 1_r : -1_r});
  }
  RayJob job;
  job.count = count;
  job.origin = from.data();
  job.direction = u.data();
  job.origin_stride = 3 * count;
  job.cutoff = ray_miss;
  job.distance = distance.data();
  job.normal = normal.data();
  job.geom = geom.data();
  cast_rays({}, scene.tile().get(), nenv, job);
  for (int env = 0; env < nenv; ++env) {
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(env * count + i);
      const bool seen = i != 4 && env != 2;
      EXPECT_EQ(geom[at], seen ? 0 : -1) << env << " " << i;
      EXPECT_EQ(distance[at],
                seen ? 2_r + static_cast<real>(env + i) - static_cast<real>(env) / 8_r : -1_r);
      EXPECT_EQ(normal[3 * at + 2], seen ? 1_r : 0_r);
    }
  }
}

/// A random rotation.
Mat3<real> random_turn(RandomRays* random) {
  return matrix(normalize(Quat<real>{random->uniform(-1, 1), random->uniform(-1, 1),
                                     random->uniform(-1, 1), random->uniform(-1, 1)}));
}

TEST(Distances, OfBallsAndPlanesAreTheClosedForms) {
  RandomRays random(1);
  for (int i = 0; i < 500; ++i) {
    const Body a = {geom_sphere, random.in_box(2), {random.uniform(0.1, 1), 0, 0}};
    const Body b = {geom_sphere, random.in_box(2), {random.uniform(0.1, 1), 0, 0}};
    const Body p = {geom_plane, random.in_box(1), {0, 0, 1_r}, random_turn(&random)};
    const Scene scene({a, b, p});
    const real apart = norm(b.pos - a.pos) - a.size.x - b.size.x;
    EXPECT_TRUE(near(static_cast<double>(scene.measure(0, 1, 20_r).distance),
                     static_cast<double>(apart), length_bar));
    const real over = dot(a.pos - p.pos, column_z(p.mat)) - a.size.x;
    EXPECT_TRUE(near(static_cast<double>(scene.measure(2, 0, 20_r).distance),
                     static_cast<double>(over), length_bar));
  }
}

TEST(Distances, AreLawful) {
  RandomRays random(2);
  const int types[] = {geom_plane,     geom_sphere,   geom_capsule,
                       geom_ellipsoid, geom_cylinder, geom_box};
  int overlaps = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto body = [&](int first) {
      return Body{types[first + random.integer(6 - first)],
                  random.in_box(1),
                  {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)},
                  random_turn(&random)};
    };
    const Body a = body(0), b = body(1);
    const Scene scene({a, b});
    const GeomDistance d = scene.measure(0, 1, 100_r), back = scene.measure(1, 0, 100_r);
    overlaps += d.distance < 0 ? 1 : 0;

    // a pair and its reverse: the same bits
    ASSERT_EQ(d.distance, back.distance);
    ASSERT_EQ(norm(d.from - back.to) + norm(d.to - back.from) + norm(d.normal + back.normal), 0_r);
    // witness points lie that far apart along a unit normal
    ASSERT_TRUE(near(static_cast<double>(norm(d.normal)), 1, length_bar));
    ASSERT_TRUE(
        near(static_cast<double>(norm(d.to - d.from - d.normal * d.distance)), 0, {1e-12, 1e-5}));
    // beyond maxdist there is nothing, and before it the same bits
    if (d.distance > 0.01_r) {
      const GeomDistance none = scene.measure(0, 1, d.distance * 0.99_r);
      ASSERT_EQ(none.distance, d.distance * 0.99_r);
      ASSERT_EQ(norm(none.from) + norm(none.to) + norm(none.normal), 0_r);
    }
    // shapes moved apart along the normal stand as much farther apart, at least
    if (a.type != geom_plane || b.type != geom_plane) {
      Body moved = b;
      moved.pos = b.pos + d.normal * 0.3_r;
      const real farther = Scene({a, moved}).measure(0, 1, 100_r).distance;
      ASSERT_GE(static_cast<double>(farther), static_cast<double>(d.distance) - 1e-4);
      ASSERT_LE(static_cast<double>(farther), static_cast<double>(d.distance) + 0.3 + 1e-4);
    }
  }
  EXPECT_GT(overlaps, 1000);
}

}  // namespace
}  // namespace swept::SWEPT_NS
