// SPDX-License-Identifier: Apache-2.0
// The motion that a step really makes, against the official library: poses are those of its
// mj_integratePos and mj_kinematics, velocities and bounds those of dense samples of them.
#include <gtest/gtest.h>

#include "kernels/speculative/arcs.h"

namespace swept::SWEPT_NS {
namespace {

using Mat = std::array<double, 9>;

Point point_at(const mjtNum* x) {
  return {x[0], x[1], x[2]};
}
Mat mat_of(const Mat3<real>& m) {
  const auto to = [](real x) { return static_cast<double>(x); };
  return {to(m.xx), to(m.xy), to(m.xz), to(m.yx), to(m.yy), to(m.yz), to(m.zx), to(m.zy), to(m.zz)};
}
double off(const Point& a, const Point& b) {
  return length(minus(a, b));
}

TEST(Arcs, EqualTheKinematicsOfTheMovedPositions) {
  RandomChains random(1);
  double worst_pos = 0, worst_mat = 0;
  int joints = 0, geoms = 0;
  for (int i = 0; i < case_count(600, 20000); ++i) {
    ArcWorld world(random.scene(random.integer(0, 4)));
    random.state(&world, i % 4 == 0 ? 20 : 1.5);
    const mjModel* const m = world.scene.model;
    const mjData* const d = world.scene.data;
    joints += static_cast<int>(m->njnt);
    const ArcScene<GivenVelocity> arcs = world.arcs();
    const Point first = point_at(d->geom_xpos);
    const Vec3<real> origin = vec3(arcs.d.geom_xpos(0));
    for (const double t : {0.0, 0.3, 1.0}) {
      world.go_to(t);
      for (int g = 0; g < m->ngeom; ++g, ++geoms) {
        const ArcPose pose =
            arc_pose(arcs, arc_chain(arcs.m, g), origin, vec3(arcs.d.geom_xpos(3 * g)) - origin,
                     mat3(arcs.d.geom_xmat(9 * g)), static_cast<real>(t));
        const Point want = minus(point_at(d->geom_xpos + 3 * g), first);
        worst_pos = std::max(worst_pos, off(point_of(pose.pos), want) / (1 + length(want)));
        const Mat mat = mat_of(pose.mat);
        for (std::size_t k = 0; k < 9; ++k) {
          worst_mat = std::max(
              worst_mat, std::abs(mat[k] - d->geom_xmat[9 * static_cast<std::size_t>(g) + k]));
        }
        if (t <= 0) {
          EXPECT_EQ(pose.mat.xy, mat3(arcs.d.geom_xmat(9 * g)).xy);
        }
      }
    }
  }
  std::printf("%d joints, %d poses: off by %.1e of 1 m, axes by %.1e\n", joints, geoms, worst_pos,
              worst_mat);
  EXPECT_GT(joints, 1000);
  // up to 15 turnings one after another, by angles up to 35 rad that have rounded
  EXPECT_LT(worst_pos, single ? 1e-4 : 2e-13);
  EXPECT_LT(worst_mat, single ? 1e-4 : 2e-13);
}

TEST(Arcs, OfTwoGeomsAreSeenFromTheLastBodyThatBothHangOn) {
  RandomChains random(2);
  double worst = 0;
  int shared = 0;
  for (int i = 0; i < case_count(400, 10000); ++i) {
    ArcWorld world(random.scene(4));
    random.state(&world, 1.5);
    const mjModel* const m = world.scene.model;
    const mjData* const d = world.scene.data;
    const int g1 = random.integer(0, static_cast<int>(m->ngeom) - 2),
              g2 = random.integer(g1 + 1, static_cast<int>(m->ngeom) - 1);
    const ArcPair<GivenVelocity> pair = world.pair(g1, g2);
    shared += pair.chain1.stop >= 0 ? 1 : 0;
    const real t = static_cast<real>(random.uniform(0, 1));
    const Placing at = place_pair(pair, t);
    world.go_to(static_cast<double>(t));
    // pos2 and axes of 2 in the frame of geom 1
    const mjtNum *const r1 = d->geom_xmat + 9 * g1, *const r2 = d->geom_xmat + 9 * g2;
    mjtNum apart[3], local[3], turn[9];
    mju_sub3(apart, d->geom_xpos + 3 * g2, d->geom_xpos + 3 * g1);
    mju_mulMatTVec3(local, r1, apart);
    mju_mulMatTMat(turn, r1, r2, 3, 3, 3);
    if (m->geom_type[g1] == mjGEOM_SPHERE || m->geom_type[g2] == mjGEOM_SPHERE) {
      // the turning of a ball is left out
      worst = std::max(worst, std::abs(length(point_of(at.pos2)) - mju_norm3(apart)));
      continue;
    }
    worst = std::max(worst, off(point_of(transpose_mul(at.mat1, at.pos2)), point_at(local)));
    const Mat mat = mat_of(transpose_mul(at.mat1, at.mat2));
    for (std::size_t k = 0; k < 9; ++k) {
      worst = std::max(worst, std::abs(mat[k] - turn[k]));
    }
  }
  std::printf("%d pairs share a joint; off by %.1e\n", shared, worst);
  EXPECT_GT(shared, 50);
  EXPECT_LT(worst, single ? 2e-5 : 5e-14);
}

// differences of the library's places, as far as the library's digits allow
TEST(Arcs, MoveAsDifferencesOfPlacesSay) {
  RandomChains random(5);
  double worst = 0, worst_turn = 0;
  for (int i = 0; i < case_count(300, 5000); ++i) {
    ArcWorld world(random.scene(3));
    random.state(&world, 1.5);
    const mjModel* const m = world.scene.model;
    const mjData* const d = world.scene.data;
    const ArcScene<GivenVelocity> arcs = world.arcs();
    const int g = random.integer(0, static_cast<int>(m->ngeom) - 1);
    const Vec3<real> origin = vec3(arcs.d.geom_xpos(3 * g));
    const double t = static_cast<real>(random.uniform(0, 1)), step = 1e-5;
    const ArcPose pose = arc_pose(arcs, arc_chain(arcs.m, g), origin, zero3<real>(),
                                  mat3(arcs.d.geom_xmat(9 * g)), static_cast<real>(t));
    Point x[2];
    mjtNum q[2][4];
    for (int k = 0; k < 2; ++k) {
      world.go_to(k == 0 ? t - step : t + step);
      x[k] = point_at(d->geom_xpos + 3 * g);
      mju_mat2Quat(q[k], d->geom_xmat + 9 * g);
    }
    mjtNum turned[3], turning[3];
    mju_subQuat(turned, q[1], q[0]);
    mju_rotVecQuat(turning, turned, q[0]);
    const Point v = times(minus(x[1], x[0]), 0.5 / step),
                omega = times(point_at(turning), 0.5 / step);
    worst = std::max(worst, off(point_of(pose.velocity), v) / (1 + length(v)));
    worst_turn = std::max(worst_turn, off(point_of(pose.omega), omega) / (1 + length(omega)));
  }
  std::printf("velocities off by %.1e, %.1e\n", worst, worst_turn);
  // third derivatives of order 10 times 1e-10, and rounding of places over 1e-5
  EXPECT_LT(worst, single ? 5e-6 : 2e-9);
  EXPECT_LT(worst_turn, single ? 5e-6 : 2e-9);
}

/// Points of the core of a geom, in its frame.
std::vector<Point> core_points(const Shape& s, const mjModel* m, int geom) {
  std::vector<Point> points;
  const Point size = point_of(s.size);
  switch (s.type) {
    case geom_sphere:
      return {{0, 0, 0}};
    case geom_capsule:
      return {{0, 0, size[1]}, {0, 0, -size[1]}};
    case geom_mesh: {
      const int mesh = m->geom_dataid[geom], adr = m->mesh_vertadr[mesh];
      for (int i = 0; i < m->mesh_vertnum[mesh]; ++i) {
        const float* const v = m->mesh_vert + 3 * (adr + i);
        points.push_back({v[0], v[1], v[2]});
      }
      return points;
    }
    default:
      break;
  }
  for (int i = 0; i < 24; ++i) {
    const double a = 2 * 3.14159265358979 * i / 24, z = i % 2 == 0 ? 1 : -1;
    if (s.type == geom_box) {
      points.push_back({(i & 1) != 0 ? size[0] : -size[0], (i & 2) != 0 ? size[1] : -size[1],
                        (i & 4) != 0 ? size[2] : -size[2]});
    } else if (s.type == geom_cylinder) {
      points.push_back({size[0] * std::cos(a), size[0] * std::sin(a), z * size[1]});
    } else {
      points.push_back(
          {size[0] * std::cos(a), 0.6 * size[1] * std::sin(a), 0.8 * size[2] * std::sin(a)});
    }
  }
  return points;
}

struct Ratios {
  std::vector<double> travel, speed, growth, along_speed, along_growth;
  static double median(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    return x.empty() ? 0 : x[x.size() / 2];
  }
  void print(const char* what) const {
    std::printf(
        "%s (%zu): bound over the most seen, median: travel %.2f, speed %.2f, acceleration "
        "%.2f, along n speed %.2f, acceleration %.2f\n",
        what, travel.size(), median(travel), median(speed), median(growth), median(along_speed),
        median(along_growth));
  }
};

/// The bounds of a geom against samples of the library's kinematics.
void check_bounds(ArcWorld* world, int geom, const Point& n, int samples, Ratios* out) {
  const mjModel* const m = world->scene.model;
  const mjData* const d = world->scene.data;
  const ArcScene<GivenVelocity> arcs = world->arcs();
  const Vec3<real> origin = vec3(arcs.d.geom_xpos(3 * geom));
  const ArcChain chain = arc_chain(arcs.m, geom);
  const ArcGeom seen = arc_geom(arcs.m, arcs.d, origin, geom);
  const ArcBounds bounds = arc_bounds(arcs, chain, origin, seen);
  const Vec3<real> n_real = {static_cast<real>(n[0]), static_cast<real>(n[1]),
                             static_cast<real>(n[2])};
  const AlongLimits along = arc_limits_along(arcs, chain, origin, seen, bounds, n_real);
  const std::vector<Point> points = core_points(shape_of(arcs.m, arcs.d, geom), m, geom);
  const double step = 1.0 / samples;
  std::vector<std::array<Point, 3>> places(points.size());
  double travel = 0, speed = 0, growth = 0, along_speed = -1e30, along_growth = -1e30;
  for (int k = 0; k <= samples; ++k) {
    world->go_to(k * step);
    const mjtNum *const x = d->geom_xpos + 3 * geom, *const r = d->geom_xmat + 9 * geom;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& p = points[i];
      std::array<Point, 3>& w = places[i];
      w[0] = w[1];
      w[1] = w[2];
      for (std::size_t c = 0; c < 3; ++c) {
        w[2][c] = x[c] + r[3 * c] * p[0] + r[3 * c + 1] * p[1] + r[3 * c + 2] * p[2];
      }
      if (k > 0) {
        // a mean speed is no more than the most, a second difference than the most acceleration
        const Point v = times(minus(w[2], w[1]), samples);
        speed = std::max(speed, length(v));
        along_speed = std::max(along_speed, product(n, v));
      }
      if (k > 1) {
        const Point a = times(minus(minus(w[2], w[1]), minus(w[1], w[0])), 1.0 * samples * samples);
        growth = std::max(growth, length(a));
        along_growth = std::max(along_growth, product(n, a));
      }
    }
  }
  std::vector<Point> first(points.size());
  for (int k = 0; k <= samples; k += 4) {
    world->go_to(k * step);
    const mjtNum *const x = d->geom_xpos + 3 * geom, *const r = d->geom_xmat + 9 * geom;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Point w;
      for (std::size_t c = 0; c < 3; ++c) {
        w[c] = x[c] + r[3 * c] * points[i][0] + r[3 * c + 1] * points[i][1] +
               r[3 * c + 2] * points[i][2];
      }
      first[i] = k == 0 ? w : first[i];
      travel = std::max(travel, off(w, first[i]));
    }
  }
  // rounding of places, differenced twice
  const double slack =
      1e-13 * samples * samples + (single ? 1e-5 : 1e-12) * (1 + bounds.speed + bounds.growth);
  EXPECT_EQ(arc_travel(arcs, geom), bounds.travel);
  const auto check = [&](real bound, double most, std::vector<double>* ratio, const char* what) {
    EXPECT_LE(most, static_cast<double>(bound) + slack) << what;
    if (most > 1e-6) {
      ratio->push_back(static_cast<double>(bound) / most);
    }
  };
  check(bounds.travel, travel, &out->travel, "travel");
  check(bounds.speed, speed, &out->speed, "speed");
  check(bounds.growth, growth, &out->growth, "growth");
  check(along.any_time, along_speed, &out->along_speed, "speed along n");
  check(along.growth, along_growth, &out->along_growth, "growth along n");
}

TEST(ArcBounds, HoldOnRandomChains) {
  RandomChains random(3);
  for (const double most : {0.2, 1.5, 20.0}) {
    for (const int depth : {0, 4}) {
      Ratios ratios;
      for (int i = 0; i < case_count(150, 4000); ++i) {
        ArcWorld world(random.scene(depth));
        random.state(&world, most);
        const int geom = random.integer(0, static_cast<int>(world.scene.model->ngeom) - 1);
        check_bounds(&world, geom, random.direction(1), most > 2 ? 2000 : 200, &ratios);
      }
      std::printf("up to %g per joint and step, ", most);
      ratios.print(depth == 0 ? "one body" : "chains");
      EXPECT_LT(Ratios::median(ratios.travel), depth == 0 || most < 2 ? 3 : 20);
    }
  }
}

// where the axes of now say nothing: n along what only later turns, or is turned, out of the way
TEST(ArcBounds, HoldAlongTheAxesOfUprightChains) {
  RandomChains random(6);
  const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
  Ratios ratios;
  for (int i = 0; i < 300; ++i) {
    const auto joint = [&] {
      return std::string("<joint type='") + (random.integer(0, 2) == 0 ? "slide" : "hinge") +
             "' axis='" + axes[random.integer(0, 2)] + "'/>";
    };
    ArcWorld world(
        RandomChains::scene_of("<body>" + joint() + "<geom size='.1'/><body>" + joint() +
                               "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.01'/></body>"
                               "</body>"),
        {random.uniform(0.2, 1.2), random.uniform(0.2, 1.2)});
    Point n = {0, 0, 0};
    n[static_cast<std::size_t>(random.integer(0, 2))] = random.integer(0, 1) == 0 ? 1 : -1;
    check_bounds(&world, 1, n, 200, &ratios);
  }
  ratios.print("upright");
}

// what is known exactly: a geom on one hinge
TEST(ArcBounds, OfAHingeAreExact) {
  RandomChains random(4);
  Ratios ratios;
  for (int i = 0; i < 200; ++i) {
    ArcWorld world(RandomChains::scene_of(
        "<body><joint type='hinge' axis='0 0 1'/><geom type='capsule' fromto='0 0 0 1 0 0' "
        "size='.01'/></body>"));
    world.scene.data->qvel[0] = random.uniform(0.1, 1) / 0.002;
    world.now();
    check_bounds(&world, 0, {0, 1, 0}, 200, &ratios);
    const double theta = world.scene.data->qvel[0] * 0.002;
    const ArcScene<GivenVelocity> arcs = world.arcs();
    const ArcGeom geom = arc_geom(arcs.m, arcs.d, zero3<real>(), 0);
    const ArcBounds b = arc_bounds(arcs, arc_chain(arcs.m, 0), zero3<real>(), geom);
    // the end of the core is at 1 m
    EXPECT_NEAR(static_cast<double>(b.travel), theta, 2e-6);
    EXPECT_NEAR(static_cast<double>(b.growth), theta * theta, 2e-6);
    // across the axis alone it moves
    const AlongLimits up =
        arc_limits_along(arcs, arc_chain(arcs.m, 0), zero3<real>(), geom, b, {0_r, 0_r, 1_r});
    EXPECT_NEAR(static_cast<double>(up.growth), 0, 1e-7);
    EXPECT_NEAR(static_cast<double>(up.any_time), 0, 1e-7);
  }
  ratios.print("rod on a hinge");
  EXPECT_LT(Ratios::median(ratios.speed), 1.001);
  EXPECT_LT(Ratios::median(ratios.growth), 1.001);
}

}  // namespace
}  // namespace swept::SWEPT_NS
