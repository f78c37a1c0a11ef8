// SPDX-License-Identifier: Apache-2.0
// Pairs that use up their rounds on the device: the host follows them further, and the contacts are
// those of a device whose cap is not met.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "host/batch/bits.h"
#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

constexpr int shots = 64;  ///< of a scene, one per environment

class SpeculativeTail : public testing::TestWithParam<Precision> {};

constexpr std::array<const char*, 7> types = {"plane",    "sphere", "capsule", "ellipsoid",
                                              "cylinder", "box",    "mesh"};
constexpr std::size_t cylinder = 4;

/// A geom of a type, between flat and long.
std::string geom_of(std::size_t type, int number) {
  const auto size = [&](int i) { return 0.16 + 0.14 * noise(number, i, 11); };
  std::string text = std::string("type='") + types[type] + "' ";
  if (type == 6) {
    return text + "mesh='" + std::to_string(number % 2) + "'";
  }
  return text + "size='" + numbers({size(0), size(1), size(2)}) + "'";
}

/// Two geoms of these types, free unless they are planes. They turn about their centres.
std::string scene_of(std::size_t type1, std::size_t type2, int number, int cap,
                     const std::string& mode = "robust") {
  SpeculativeOptions o;
  o.timestep = "0.01";
  o.mode = mode;
  o.custom = "<numeric name='speculative_cap' data='" + std::to_string(cap) + "'/>";
  o.geom = number % 2 == 0 ? "margin='0'" : "margin='0.01'";
  const std::string one = geom_of(type1, 2 * number), two = geom_of(type2, 2 * number + 1);
  const std::string meshes =
      "<asset><mesh name='0' vertex='.2 0 0 0 .3 0 0 0 .2 -.1 -.1 -.1 .1 .1 -.2'/>"
      "<mesh name='1' vertex='.3 .02 0 -.3 .02 0 0 .02 .25 0 .02 -.25 .3 -.02 0 -.3 -.02 0 0 -.02 "
      ".25 "
      "0 -.02 -.25'/></asset>";
  std::string xml =
      speculative_scene(o, (type1 == 0 ? "<geom " + one + "/>" : free_body({0, 0, 0}, one)) +
                               free_body({0, 0, 2}, two));
  return xml.insert(xml.find("<worldbody>"), meshes);
}

/// A number from lo to hi.
double uniform(double lo, double hi, int env, int i, int salt) {
  return lo + (hi - lo) * 0.5 * (1 + noise(env, i, salt));
}

/// Throw geom 2 at geom 1: most shots hit, half of them spin fast.
void aim(Batch* batch, bool plane, int salt) {
  const double h = batch->model().opt_timestep[0];
  std::vector<double> qpos, qvel;
  for (int env = 0; env < batch->nenv(); ++env) {
    const auto draw = [&](int i, double scale) { return scale * noise(env, i, salt); };
    std::array<double, 3> from = {draw(0, 1), draw(1, 1), plane ? 1 + draw(2, 0.4) : draw(2, 1)};
    const double length = std::hypot(from[0], from[1], from[2]);
    const double distance = uniform(0.5, 1.5, env, 3, salt);
    for (double& x : from) {
      x *= distance / length;
    }
    const double speed = uniform(0.4, 2.5, env, 4, salt) / h;
    const double spin = (env % 2 == 0 ? 30 : 600);
    const auto body = [&](int b, bool flies) {
      for (int k = 0; k < 3; ++k) {
        qpos.push_back(flies ? from[static_cast<std::size_t>(k)] : 0);
      }
      for (int k = 0; k < 4; ++k) {
        qpos.push_back(draw(10 * b + 5 + k, 1) + (k == 0 ? 1.2 : 0));
      }
      for (int k = 0; k < 3; ++k) {
        qvel.push_back(flies ? -(from[static_cast<std::size_t>(k)] + draw(10 * b + 30 + k, 0.2)) *
                                   speed
                             : draw(10 * b + 30 + k, 5));
      }
      for (int k = 0; k < 3; ++k) {
        qvel.push_back(draw(10 * b + 60 + k, spin));
      }
    };
    if (!plane) {
      body(0, false);
    }
    body(1, true);
  }
  batch->write("qpos", qpos);
  batch->write("qvel", qvel);
}

/// The contacts of all environments before a step.
std::vector<std::vector<Contact>> foreseen(Batch* batch) {
  batch->bind("contacts");
  batch->forward();
  std::vector<std::vector<Contact>> all;
  for (int env = 0; env < batch->nenv(); ++env) {
    all.push_back(batch->contacts(env));
  }
  return all;
}

/// The distance of two places [m].
double apart(const Contact& a, const Contact& b) {
  return std::hypot(a.pos[0] - b.pos[0], a.pos[1] - b.pos[1], a.pos[2] - b.pos[2]);
}

/// What lists of contacts differ in: numbers of shots, and the worst of those whose points are the same.
struct Difference {
  int shots = 0, hits = 0;
  int decisions = 0;  ///< one has contacts to be and the other none
  int points = 0;     ///< other points: by number, or some is further away than `same_place`
  double toi = 0;     ///< [steps]
  double dist = 0;    ///< over the larger of it and 1 m
  double pos = 0;     ///< [m]
};

/// Points further from each other are others [m].
constexpr double same_place = 2e-3;

bool is_foreseen(const std::vector<Contact>& list) {
  return !list.empty() && list[0].speculative != 0;
}

/// Compare the contacts of a shot; their order follows from the corners at which a search ended.
void compare(const std::vector<Contact>& a, const std::vector<Contact>& b, Difference* d) {
  ++d->shots;
  d->decisions += is_foreseen(a) != is_foreseen(b) || a.empty() != b.empty() ? 1 : 0;
  if (!is_foreseen(a) || !is_foreseen(b)) {
    return;
  }
  ++d->hits;
  Difference here;
  here.points = a.size() != b.size() ? 1 : 0;
  for (const Contact& one : a) {
    const auto nearer = [&](const Contact& x, const Contact& y) {
      return apart(one, x) < apart(one, y);
    };
    const Contact& other = *std::min_element(b.begin(), b.end(), nearer);
    here.points |= apart(one, other) > same_place ? 1 : 0;
    here.pos = std::max(here.pos, apart(one, other));
    here.toi = std::max(here.toi, std::abs(one.toi - other.toi));
    here.dist =
        std::max(here.dist, std::abs(one.dist - other.dist) / std::max(1.0, std::abs(one.dist)));
  }
  d->points += here.points;
  if (here.points == 0) {
    d->toi = std::max(d->toi, here.toi);
    d->dist = std::max(d->dist, here.dist);
    d->pos = std::max(d->pos, here.pos);
  }
}

/// Shots of one scene with both caps; adds what the steps have counted.
void shoot_both(std::size_t type1, std::size_t type2, int number, Precision precision,
                Difference* d, SpeculativeCounts* capped, SpeculativeCounts* ample) {
  std::vector<std::vector<Contact>> contacts[2];
  for (const int cap : {1, 64}) {
    Batch batch = make_batch(scene_of(type1, type2, number, cap), shots, precision);
    aim(&batch, type1 == 0, number);
    contacts[cap == 1 ? 0 : 1] = foreseen(&batch);
    batch.reset();
    aim(&batch, type1 == 0, number);
    batch.step();
    const SpeculativeCounts counts = batch.report().speculative;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      (cap == 1 ? *capped : *ample)[k] += counts[k];
    }
  }
  for (std::size_t env = 0; env < shots; ++env) {
    compare(contacts[0][env], contacts[1][env], d);
  }
}

void print(const std::string& name, const Difference& d) {
  std::printf(
      "%-20s %d shots, %d hit; other decision %d, other points %d; toi %.1e, dist %.1e, pos %.1e\n",
      name.c_str(), d.shots, d.hits, d.decisions, d.points, d.toi, d.dist, d.pos);
}

void add(const Difference& d, Difference* to) {
  to->shots += d.shots;
  to->hits += d.hits;
  to->decisions += d.decisions;
  to->points += d.points;
  to->toi = std::max(to->toi, d.toi);
  to->dist = std::max(to->dist, d.dist);
  to->pos = std::max(to->pos, d.pos);
}

TEST_P(SpeculativeTail, GivesTheContactsOfADeviceWithMoreRounds) {
  Difference all;
  SpeculativeCounts capped{}, ample{};
  for (std::size_t type1 = 0; type1 < types.size(); ++type1) {
    for (std::size_t type2 = std::max<std::size_t>(type1, 1); type2 < types.size(); ++type2) {
      Difference d;
      for (int number = 0; number < 2; ++number) {
        shoot_both(type1, type2, number, GetParam(), &d, &capped, &ample);
      }
      print(std::string(types[type1]) + " " + types[type2], d);
      if (type1 == 0 && type2 == cylinder) {
        // four corners of a disk that stands for sixteen: which of them are the largest
        // quadrilateral, of four that are equal, is decided by rounding
        EXPECT_LE(d.points, GetParam() == Precision::f64 ? 0 : d.hits);
        d.points = 0;
      }
      add(d, &all);
    }
  }
  print("all", all);
  std::printf("hits %lld and %lld; at the cap %lld and %lld, of which the host ended %lld\n",
              static_cast<long long>(capped[speculative_hits]),
              static_cast<long long>(ample[speculative_hits]),
              static_cast<long long>(capped[speculative_capped]),
              static_cast<long long>(ample[speculative_capped]),
              static_cast<long long>(capped[speculative_tail]));
  EXPECT_GT(all.hits, all.shots / 2);
  EXPECT_GT(capped[speculative_capped], all.hits / 2);
  EXPECT_EQ(capped[speculative_tail], capped[speculative_capped]);
  EXPECT_EQ(capped[speculative_hits], ample[speculative_hits]);
  EXPECT_EQ(all.decisions, 0);
  // f64: a search on a round shape ends at a relative gap of 1e-10, and knows a nearest point to the
  // root of that; at 600 rad/s the speed of such a point, and with it the aim, follows. f32: the band
  // is no less than eight times what rounding may do to a clearance, some 1e-5 m of 2 m, and ends at
  // speeds from 0.1 m per step on; nearest points are known to the root of 1e-7.
  const bool f64 = GetParam() == Precision::f64;
  EXPECT_LE(all.toi, f64 ? 2e-9 : 3e-4);
  EXPECT_LE(all.dist, f64 ? 3e-6 : 6e-2);
  EXPECT_LE(all.pos, f64 ? 1e-6 : same_place);
  // features that match within rounding of the limit: 1 of 6,000 is seen
  EXPECT_LE(all.points, f64 ? 0 : all.hits / 500);
}

/// The mode parity keeps the official library's cap of 16 and its guess: the cap of the device is not
/// its own, and nothing goes to the host.
TEST_P(SpeculativeTail, IsNotOfTheModeParity) {
  for (std::size_t type = 1; type < types.size(); ++type) {
    std::vector<std::vector<Contact>> contacts[2];
    for (const int cap : {1, 64}) {
      Batch batch = make_batch(scene_of(type, cylinder, 0, cap, "parity"), shots, GetParam());
      aim(&batch, false, 0);
      contacts[cap == 1 ? 0 : 1] = foreseen(&batch);
      batch.step();
      EXPECT_EQ(batch.report().speculative[speculative_tail], 0);
      EXPECT_GT(batch.report().speculative[speculative_hits], 0);
    }
    Difference d;
    for (std::size_t env = 0; env < shots; ++env) {
      compare(contacts[0][env], contacts[1][env], &d);
    }
    EXPECT_GT(d.hits, 0);
    EXPECT_EQ(d.decisions + d.points, 0);
    EXPECT_EQ(d.toi + d.dist + d.pos, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeTail,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
