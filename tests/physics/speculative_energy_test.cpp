// SPDX-License-Identifier: Apache-2.0
// What speculative rows do to energy and momentum: the work of a row, 1/2 lambda (v- + v+) with its
// velocities before and after, is never positive; the momentum of free bodies stays; who misses
// keeps what he has. Bodies are without friction.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "physics/speculative_scene.h"

namespace swept::test {
namespace {

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A vector with the axes of a body, in the world.
Vector turned(const double* q, const Vector& v) {
  const Vector u = {q[1], q[2], q[3]};
  const Vector t = cross(u, v), s = cross(u, t);
  Vector result;
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = v[i] + 2 * (q[0] * t[i] + s[i]);
  }
  return result;
}

/// Free bodies with a geom each: what moves, from qpos and qvel.
struct FreeBody {
  const double* qpos;
  const double* qvel;

  Vector point_velocity(const std::array<double, 3>& at) const {
    const Vector w = turned(qpos + 3, {qvel[3], qvel[4], qvel[5]});
    const Vector arm = {at[0] - qpos[0], at[1] - qpos[1], at[2] - qpos[2]};
    const Vector swing = cross(w, arm);
    return {qvel[0] + swing[0], qvel[1] + swing[1], qvel[2] + swing[2]};
  }
};

/// A geom of a random type and size.
std::string random_geom(std::mt19937* random) {
  std::uniform_real_distribution<double> size(0.02, 0.15);
  static const char* const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const char* const type = types[std::uniform_int_distribution<int>(0, 4)(*random)];
  return std::string("type='") + type + "' size='" +
         numbers({size(*random), size(*random), size(*random)}) + "'";
}

/// What rows have done in many shots.
struct Tally {
  long shots = 0, rows = 0, hits = 0;
  double work = -1;     ///< largest work of a row's force over the kinetic energy
  double sum = -1;      ///< the same of all rows of a step
  double momentum = 0;  ///< largest change over the momentum of both
  double turning = 0;   ///< the same of the angular momentum about the middle
};

class SpeculativeEnergy : public testing::TestWithParam<Precision> {};

/// Bodies shot at each other in many environments of one scene.
void shoot_bodies(Precision precision, int bodies, bool fixed, double spin, unsigned seed,
                  Tally* tally) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  SpeculativeOptions o;
  o.geom = "condim='1'";
  // the solver's own error is not what is asked for
  o.more = "tolerance='0' iterations='200'";
  std::string text = fixed ? "<geom " + random_geom(&random) + "/>" : "";
  for (int i = 0; i < bodies; ++i) {
    text += free_body({0, 0, 0}, random_geom(&random));
  }
  constexpr int nenv = 64;
  Batch batch = make_batch(speculative_scene(o, text), nenv, precision);
  const int nq = batch.model().nq, nv = batch.model().nv;
  std::vector<double> q, v;
  for (int env = 0; env < nenv; ++env) {
    for (int body = 0; body < bodies; ++body) {
      Vector at;
      double quat[4], length = 0;
      for (double& x : at) {
        x = 0.5 * normal(random);
      }
      for (double& x : quat) {
        x = normal(random);
        length += x * x;
      }
      q.insert(q.end(), at.begin(), at.end());
      for (const double x : quat) {
        q.push_back(x / std::sqrt(length));
      }
      // through the middle, more or less, by up to three times the way
      const double speed = 3 * std::abs(uniform(random)) / 0.002;
      for (std::size_t k = 0; k < 3; ++k) {
        v.push_back(speed * (0.05 * normal(random) - at[k]));
      }
      for (int k = 0; k < 3; ++k) {
        v.push_back(spin * uniform(random));
      }
    }
  }
  batch.write("qpos", q);
  batch.write("qvel", v);
  q = batch.read("qpos");
  v = batch.read("qvel");
  batch.bind("contacts");
  batch.step();
  const std::vector<double> v2 = batch.read("qvel");
  const Contacts contacts = batch.contacts();
  const Model& m = batch.model();
  for (int env = 0; env < nenv; ++env) {
    const auto body_at = [&](int body, const std::vector<double>& velocity) {
      const int k = body - 1;
      return FreeBody{q.data() + env * nq + 7 * k, velocity.data() + env * nv + 6 * k};
    };
    double energy = 0, momentum = 0, sum = 0;
    Vector change = {0, 0, 0};
    for (int body = 1; body <= bodies; ++body) {
      const auto b = static_cast<std::size_t>(body);
      const FreeBody before = body_at(body, v), after = body_at(body, v2);
      const double mass = m.body_mass[b];
      double speed = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        energy += 0.5 * mass * before.qvel[k] * before.qvel[k] +
                  0.5 * m.body_inertia[3 * b + k] * before.qvel[3 + k] * before.qvel[3 + k];
        speed += before.qvel[k] * before.qvel[k];
        change[k] += mass * (after.qvel[k] - before.qvel[k]);
      }
      momentum += mass * std::sqrt(speed);
    }
    bool meets = false;
    for (const Contact& c : contacts[env]) {
      if (c.exclude != 0 || c.speculative == 0) {
        // overlaps of the start are the business of discrete contacts
        sum = -1;
        meets = false;
        break;
      }
      meets = true;
      const int body1 = m.geom_bodyid[static_cast<std::size_t>(c.geom1)],
                body2 = m.geom_bodyid[static_cast<std::size_t>(c.geom2)];
      double both = 0;
      for (const std::vector<double>* velocity :
           std::array<const std::vector<double>*, 2>{&v, &v2}) {
        const Vector n = {c.frame[0], c.frame[1], c.frame[2]};
        const Vector u1 =
            body1 == 0 ? Vector{0, 0, 0} : body_at(body1, *velocity).point_velocity(c.pos);
        const Vector u2 =
            body2 == 0 ? Vector{0, 0, 0} : body_at(body2, *velocity).point_velocity(c.pos2);
        both += dot(n, u2) - dot(n, u1);
      }
      const double work = 0.5 * c.force[0] * 0.002 * both;
      tally->work = std::max(tally->work, work / energy);
      sum += work;
      ++tally->rows;
    }
    ++tally->shots;
    if (!meets) {
      continue;
    }
    ++tally->hits;
    tally->sum = std::max(tally->sum, sum / energy);
    if (!fixed) {
      tally->momentum = std::max(tally->momentum, std::sqrt(dot(change, change)) / momentum);
    }
  }
}

TEST_P(SpeculativeEnergy, RowsDoNoWork) {
  for (const bool fixed : {false, true}) {
    for (const int bodies : {fixed ? 1 : 2, 3, 6}) {
      for (const double spin : {0.0, 300.0, 1200.0}) {
        Tally tally;
        for (unsigned seed = 1; seed <= 12; ++seed) {
          shoot_bodies(GetParam(), bodies, fixed, spin, seed, &tally);
        }
        std::printf(
            "%d bodies%s, spin %.0f: %ld shots, %ld meet, %ld rows; largest work of a row %.2e, "
            "of a step %.2e of the energy; momentum %.2e\n",
            bodies, fixed ? " and a fixed one" : "", spin, tally.shots, tally.hits, tally.rows,
            tally.work, tally.sum, tally.momentum);
        // f32: rounding of the velocities, squared by nothing
        const bool f64 = GetParam() == Precision::f64;
        EXPECT_LE(tally.sum, f64 ? 1e-9 : 1e-5);
        EXPECT_LE(tally.momentum, f64 ? 1e-10 : 1e-5);
      }
    }
  }
}

TEST_P(SpeculativeEnergy, WhoMissesKeepsHisMomentum) {
  // 1000 m/s past each other, at a distance of 1 % of the size, and 10 %
  struct Pass {
    const char* name;
    std::string geom;
    double reach;  ///< half of the size across
  };
  const Pass passes[] = {{"balls", "type='sphere' size='.1'", 0.1},
                         {"boxes", "type='box' size='.1 .1 .1'", 0.1},
                         {"cylinders", "type='cylinder' size='.1 .1'", 0.1},
                         {"capsules", "type='capsule' size='.1 .2'", 0.1},
                         {"ellipsoids", "type='ellipsoid' size='.2 .1 .15'", 0.1},
                         {"turned boxes", "type='box' size='.1 .1 .1' euler='0 0 .785398163397448'",
                          0.1 * std::sqrt(2.0)}};
  double worst = 0;
  for (const Pass& pass : passes) {
    for (const bool fixed : {false, true}) {
      for (const char* const rest : {"condim='1'", "condim='3'"}) {
        for (const double part : {0.01, 0.05}) {
          for (const double travel : {2.0, 0.5, 10.0}) {
            const double offset = 2 * pass.reach * (1 + part);
            SpeculativeOptions o;
            o.geom = rest;
            const std::string other =
                fixed ? "<geom " + pass.geom + "/>" : free_body({0, 0, 0}, pass.geom);
            const std::string xml =
                speculative_scene(o, other + free_body({-travel / 2, offset, 0}, pass.geom));
            std::vector<double> v(fixed ? 0 : 6, 0.0);
            v.insert(v.end(), {travel / 0.002, 0, 0, 0, 0, 0});
            const Shot shot = shoot(xml, GetParam(), v);
            double lost = 0;
            for (std::size_t k = 0; k < 3; ++k) {
              const std::size_t i = v.size() - 6 + k;
              lost += std::pow(shot.qvel[i] - v[i], 2);
            }
            lost = std::sqrt(lost) / (travel / 0.002);
            worst = std::max(worst, lost);
            EXPECT_LT(lost, 0.01) << pass.name << (fixed ? " fixed " : " free ") << rest
                                  << " misses by " << part << " travel " << travel << " contacts "
                                  << shot.contacts.size();
          }
        }
      }
    }
  }
  std::printf("ghosts: at most %.2e of the momentum\n", worst);
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpeculativeEnergy,
                         testing::Values(Precision::f64, Precision::f32), [](const auto& what) {
                           return what.param == Precision::f64 ? "f64" : "f32";
                         });

}  // namespace
}  // namespace swept::test
