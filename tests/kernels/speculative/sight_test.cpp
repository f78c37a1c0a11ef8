// SPDX-License-Identifier: Apache-2.0
// Lines of sight, and the way of geoms from the velocities of dofs, against the official library: a
// body that flies at one geom while a third may stand between them.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "kernels/geometry/exact.h"
#include "kernels/speculative/shots.h"
#include "kernels/speculative/sight.h"

namespace swept::SWEPT_NS {
namespace {

/// A scene of the official library with its flag on, and a tile where its geoms and velocities are.
class Scene {
 public:
  Scene(const std::string& world, const std::vector<double>& qvel, const std::string& more = "")
      : scene_(OracleModel::from_text(
            "<mujoco><option timestep='.002'><flag speculative='enable' gravity='disable'/>"
            "</option><worldbody>" +
            world + "</worldbody>" + more + "</mujoco>")) {
    mjModel* const m = scene_.model;
    mjData* const d = scene_.data;
    std::copy(qvel.begin(), qvel.end(), d->qvel);
    forward();
    tile_ = std::make_unique<OracleTile>(m, 1);
    fill();
  }
  explicit Scene(const std::filesystem::path& path, unsigned seed) : scene_(path) {
    random_state(scene_.model, scene_.data, seed, 5.0);
    forward();
    tile_ = std::make_unique<OracleTile>(scene_.model, 1);
    fill();
  }

  int id(const char* geom) const { return mj_name2id(scene_.model, mjOBJ_GEOM, geom); }
  mjModel* model() { return scene_.model; }
  mjData* data() { return scene_.data; }
  ModelAt<real> m() const { return tile_->model_at(0); }
  DataAt<real> d() const { return tile_->data_at(0); }

  /// Contacts of two geoms in the library.
  int official(int g1, int g2) const {
    int n = 0;
    for (int i = 0; i < scene_.data->ncon; ++i) {
      const mjContact& c = scene_.data->contact[i];
      n += (c.geom[0] == g1 && c.geom[1] == g2) || (c.geom[0] == g2 && c.geom[1] == g1) ? 1 : 0;
    }
    return n;
  }

  /// Points of two geoms, in the mode `parity`, and how many of them are not occluded.
  struct Points {
    int all, seen;
  };
  Points points(int g1, int g2) const {
    const SweptPair pair = swept_pair_of(m(), d(), g1, g2);
    AdvanceSettings settings;
    settings.mode = SpeculativeMode::parity;
    const AdvanceState s = advance_to_end(pair, settings);
    Points n = {0, 0};
    if (is_hit(s.end)) {
      Impact impact;
      impact_of(pair, settings, s, ContactCount::several, &impact);
      n.all = impact.count;
      for (int i = 0; i < impact.count; ++i) {
        const auto all = [](int) { return true; };
        const Occluders occluders(m(), all);
        n.seen += is_occluded(m(), d(), g1, g2, pair, impact.point[i], occluders, all) ? 0 : 1;
      }
    }
    return n;
  }

 private:
  void forward() {
    mj_kinematics(scene_.model, scene_.data);
    mj_comPos(scene_.model, scene_.data);
    mj_comVel(scene_.model, scene_.data);
    mj_collision(scene_.model, scene_.data);
  }
  void fill() {
    const mjData* const d = scene_.data;
    tile_->write(&Layout::geom_xpos, 0, d->geom_xpos);
    tile_->write(&Layout::geom_xmat, 0, d->geom_xmat);
    tile_->write(&Layout::subtree_com, 0, d->subtree_com);
    tile_->write(&Layout::cdof, 0, d->cdof);
    tile_->write(&Layout::qvel, 0, d->qvel);
  }

  OracleModel scene_;
  std::unique_ptr<OracleTile> tile_;
};

const std::string ball = "<body pos='0 0 1'><freejoint/><geom name='ball' size='.05'/></body>";
const std::string ground = "<geom name='ground' type='plane' size='5 5 1'/>";
const std::vector<double> down = {0, 0, -600, 0, 0, 0};

TEST(LineOfSight, OfATableOverTheGround) {
  const struct {
    std::string table, more;
  } cases[] = {
      {"<geom type='box' size='1 1 .005' pos='0 0 .5'/>", ""},
      {"<geom type='box' size='1 1 .005' pos='0 0 .5' contype='0' conaffinity='0'/>", ""},
      {"<geom type='box' size='1 1 .005' pos='1.2 0 .5'/>", ""},
      {"<geom type='sphere' size='.2' pos='.1 0 .5'/>", ""},
      {"<geom type='capsule' size='.02 .2' pos='.01 0 .5'/>", ""},
      {"<geom type='cylinder' size='.02 .2' pos='.03 0 .5'/>", ""},
      {"<geom type='ellipsoid' size='.02 .2 .1' pos='.01 0 .5'/>", ""},
      // the ball lies on it already
      {"<geom type='box' size='1 1 .005' pos='0 0 .945'/>", ""},
      {"<body name='t'><geom type='box' size='1 1 .005' pos='0 0 .5'/></body>", ""},
      {"<body name='t' mocap='true'><geom type='box' size='1 1 .005' pos='0 0 .5'/></body>", ""},
      {"<body name='t'><freejoint/><geom type='box' size='1 1 .005' pos='0 0 .5'/></body>", ""},
  };
  int hidden = 0;
  for (const auto& c : cases) {
    const Scene scene(ground + ball + c.table, down, c.more);
    const int below = scene.id("ground"), above = scene.id("ball");
    const Scene::Points ours = scene.points(below, above);
    EXPECT_EQ(ours.all, 1) << c.table;
    EXPECT_EQ(ours.seen, scene.official(below, above)) << c.table;
    hidden += ours.seen == 0 ? 1 : 0;
  }
  EXPECT_EQ(hidden, 7);
}

TEST(LineOfSight, IgnoresExcludedAndWeldedGeoms) {
  const std::string table = "<body name='t'><geom type='box' size='1 1 .005' pos='0 0 .5'/></body>";
  const std::string named =
      "<body name='b' pos='0 0 1'><freejoint/><geom name='ball' size='.05'/></body>";
  const Scene excluded(ground + named + table, down,
                       "<contact><exclude body1='b' body2='t'/></contact>");
  const int below = excluded.id("ground"), above = excluded.id("ball");
  EXPECT_EQ(excluded.points(below, above).seen, excluded.official(below, above));
  EXPECT_EQ(excluded.points(below, above).seen, 1);
  // both on one free body, and one of them behind the other
  const std::string pile =
      "<body><freejoint/><geom type='box' size='1 1 .005' pos='0 0 .5'/>"
      "<geom type='box' size='1 1 .1' pos='0 0 .1'/></body>";
  std::vector<double> qvel = down;
  qvel.resize(12, 0);
  const Scene welded(ball + pile, qvel);
  for (const int box : {1, 2}) {
    EXPECT_EQ(welded.points(0, box).seen, welded.official(0, box)) << box;
    EXPECT_EQ(welded.points(0, box).seen, 1);
  }
}

TEST(LineOfSight, SegmentsEndWhereThePointsMeet) {
  SpeculativePoint p{};
  p.way1 = {{0_r, 0_r, 0_r}, {1_r, 0_r, 0_r}};
  p.way2 = {{5_r, 0_r, 0_r}, {2_r, 0_r, 0_r}};
  const auto ends = [&](int i, real travel1, real travel2) {
    const SightSegment s = sight_segment(i, p, 7, 8, travel1, travel2);
    return std::array<int, 4>{static_cast<int>(s.from.x), static_cast<int>(s.to.x), s.geom,
                              s.partner};
  };
  EXPECT_EQ(ends(0, 1_r, 2_r), (std::array<int, 4>{0, 1, 7, 8}));
  EXPECT_EQ(ends(1, 1_r, 2_r), (std::array<int, 4>{5, 2, 8, 7}));
  // from the geom that travels further; of equal ones the first
  EXPECT_EQ(ends(2, 1_r, 2_r), (std::array<int, 4>{2, 1, 8, 7}));
  EXPECT_EQ(ends(2, 2_r, 1_r), (std::array<int, 4>{1, 2, 7, 8}));
  EXPECT_EQ(ends(2, 1_r, 1_r), (std::array<int, 4>{1, 2, 7, 8}));

  const Scene scene(ground + ball + "<geom name='o' type='box' size='.1 .1 .1' pos='1 0 .5'/>",
                    down);
  const auto meets = [&](double from, double to) {
    return segment_meets(scene.m(), scene.d(), scene.id("o"), {static_cast<real>(from), 0_r, 0.5_r},
                         {static_cast<real>(to), 0_r, 0.5_r});
  };
  EXPECT_TRUE(meets(0, 2));
  EXPECT_TRUE(meets(0, 0.901));
  EXPECT_FALSE(meets(0, 0.899));
  EXPECT_FALSE(meets(1.101, 2));
  EXPECT_FALSE(meets(0, -2));
  EXPECT_FALSE(meets(0.5, 0.5));
  // what lies at an end does not count
  EXPECT_FALSE(meets(0, 0.9));
}

// a ball at a box, and a third geom at a random place near the way
TEST(LineOfSight, AgreesWithTheOfficialLibraryOnRandomScenes) {
  RandomShots random(11);
  const char* const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  int hidden = 0, seen = 0, other = 0;
  const int count = case_count(600, 10000);
  for (int i = 0; i < count; ++i) {
    const std::array<double, 3> size = {random.uniform(0.03, 0.2), random.uniform(0.03, 0.2),
                                        random.uniform(0.03, 0.2)};
    const double at[3] = {random.uniform(0.1, 1.7), random.uniform(-0.2, 0.2),
                          random.uniform(-0.2, 0.2)};
    const std::array<double, 4> quat = random.rotation(), tilt = random.rotation();
    const std::string third = std::string("<geom type='") + types[random.integer(0, 4)] +
                              "' size='" + numbers(size.data(), 3) + "' pos='" + numbers(at, 3) +
                              "' quat='" + numbers(quat.data(), 4) + "'/>";
    const std::string target =
        "<geom type='box' size='.1 .15 .2' pos='1.2 0 0' quat='" + numbers(tilt.data(), 4) + "'/>";
    const double v[6] = {
        random.uniform(500, 900), random.uniform(-30, 30), random.uniform(-30, 30), 0, 0, 0};
    const Scene scene(target + "<body><freejoint/><geom size='.03'/></body>" + third,
                      std::vector<double>(v, v + 6));
    // the third geom and the box are the world's: they come first
    const Scene::Points ours = scene.points(2, 0);
    if (ours.all == 0) {
      continue;
    }
    hidden += ours.seen == 0 ? 1 : 0;
    seen += ours.seen;
    other += ours.seen != scene.official(2, 0) ? 1 : 0;
  }
  std::printf("%d hidden, %d seen, %d decided otherwise by the library\n", hidden, seen, other);
  EXPECT_GT(hidden, count / 6);
  EXPECT_GT(seen, count / 6);
  // f32: rays that graze
  EXPECT_LE(other, single ? count / 200 : 0);
}

TEST(StepMotion, OfGeomsOnChainsOfJointsIsThatOfTheOfficialLibrary) {
  const std::string arm =
      "<body pos='.1 0 .3' mocap='true'><geom type='box' size='.1 .1 .1'/>"
      "</body><body pos='0 .2 1'><freejoint/><geom type='box' size='.1 .2 .3'/><body pos='.3 0 0'>"
      "<joint type='ball'/><geom type='capsule' size='.05 .2' pos='.1 .1 0' euler='20 30 40'/>"
      "<body pos='0 .3 0'><joint axis='1 1 0' pos='.1 0 0'/><joint type='slide' axis='0 1 1'/>"
      "<geom type='ellipsoid' size='.1 .2 .3'/><geom size='.1' pos='.3 0 0'/></body></body></body>"
      "<geom type='plane' size='1 1 1'/>";
  RandomShots random(12);
  for (int i = 0; i < 50; ++i) {
    std::vector<double> qvel;
    for (int k = 0; k < 11; ++k) {
      qvel.push_back(random.uniform(-20, 20));
    }
    Scene scene(arm, qvel);
    mjModel* const m = scene.model();
    ASSERT_EQ(m->nv, 11);
    for (int g = 0; g < m->ngeom; ++g) {
      mjtNum v[6];
      mj_objectVelocity(m, scene.data(), mjOBJ_GEOM, g, v, 0);
      const StepMotion<real> got = geom_motion(scene.m(), scene.d(), g);
      const bool round = m->geom_type[g] == mjGEOM_SPHERE;
      const Point dx = point_of(got.dx), domega = point_of(got.domega);
      double travel = 0, turn = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        // sums of some ten products of order 1
        EXPECT_NEAR(dx[k], 0.002 * v[3 + k], single ? 3e-6 : 1e-14) << g;
        EXPECT_NEAR(domega[k], round ? 0 : 0.002 * v[k], single ? 3e-7 : 1e-15) << g;
        travel += dx[k] * dx[k];
        turn += domega[k] * domega[k];
      }
      EXPECT_NEAR(static_cast<double>(got.travel),
                  std::sqrt(travel) + std::sqrt(turn) * m->geom_rbound[g], single ? 1e-6 : 1e-14);
      if (m->body_weldid[m->geom_bodyid[g]] == 0) {
        EXPECT_EQ(got.travel, 0_r);
      }
    }
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
