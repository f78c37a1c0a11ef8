// SPDX-License-Identifier: Apache-2.0
// Laws of contact: forces push and stay inside the friction cone, action equals reaction, weight is
// carried, nothing depends on where the scene stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "physics/scene.h"
#include "support/near.h"

namespace swept::test {
namespace {

constexpr int nenv = 24;

class ContactLaws : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  Precision precision() const { return std::get<0>(GetParam()); }
  Bar bar() const { return precision() == Precision::f32 ? Bar::f32 : Bar::f64; }

  /// Five spheres and capsules thrown onto a plane.
  Batch heap(const std::string& gravity = "0 0 -9.81") const {
    std::string xml = R"(<mujoco><option timestep="0.002" tolerance="1e-10" gravity=")" + gravity +
                      R"(" cone=")" + std::get<1>(GetParam()) + R"("/>
      <worldbody><geom type="plane" size="5 5 1" friction="0.6 0.01 0.001"/>)";
    for (int i = 0; i < 5; ++i) {
      xml +=
          i % 2 == 0
              ? R"(<body><freejoint/><geom type="sphere" size="0.1" condim="4" friction="0.6 0.01 0.001"/></body>)"
              : R"(<body><freejoint/><geom type="capsule" size="0.06 0.1" friction="0.5 0.01 0.001"/></body>)";
    }
    Batch batch = make_batch(xml + "</worldbody></mujoco>", nenv, precision());
    fill(&batch, "qpos", [](int env, int i) {
      const int body = i / 7, k = i % 7;
      return k < 2 ? 0.12 * noise(env, i)
                   : (k == 2 ? 0.2 + 0.17 * body : (k == 3 ? 1.0 : 0.3 * noise(env, i)));
    });
    fill(&batch, "qvel", [](int env, int i) { return noise(env, i, 1); });
    return batch;
  }
};

TEST_P(ContactLaws, ForcesPushAndStayInsideTheCone) {
  Batch batch = heap();
  const bool elliptic = std::string(std::get<1>(GetParam())) == "elliptic";
  int checked = 0;
  for (int round = 0; round < 12; ++round) {
    batch.step(25);
    batch.field_info("efc_force");
    batch.field_info("efc_dim");
    batch.field_info("contact.friction");
    batch.field_info("efc_id");
    batch.forward();
    const auto count = batch.read("nefc");
    const FieldInfo rows = batch.field_info("efc_force"),
                    contacts = batch.field_info("contact.friction");
    const auto force = batch.read("efc_force"), dim = batch.read("efc_dim"),
               id = batch.read("efc_id"), friction = batch.read("contact.friction");
    for (std::size_t env = 0; env < nenv; ++env) {
      for (std::size_t r = 0; r < static_cast<std::size_t>(count[env]); ++r) {
        const std::size_t at = env * static_cast<std::size_t>(rows.shape[1]) + r;
        const int size = static_cast<int>(dim[at]);
        if (size < 3) {
          continue;
        }
        const std::size_t contact =
            (env * static_cast<std::size_t>(contacts.shape[1]) + static_cast<std::size_t>(id[at])) *
            5;
        double inside = 0;
        for (int k = 1; k < size; ++k) {
          const double ratio = force[at + static_cast<std::size_t>(k)] /
                               friction[contact + static_cast<std::size_t>(k) - 1];
          inside = elliptic ? std::hypot(inside, ratio) : inside + std::abs(ratio);
        }
        // the cone, up to the rounding of a force of some hundred newtons
        const double slack = (precision() == Precision::f32 ? 1e-4 : 1e-9) * (1 + force[at]);
        EXPECT_GE(force[at], -slack);
        EXPECT_LE(inside, force[at] + slack) << "dimension " << size;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 500);
}

TEST_P(ContactLaws, ContactsBetweenBodiesConserveMomentum) {
  // no gravity and no plane nearby: contact forces between free bodies are internal
  Batch batch = heap("0 0 0");
  fill(&batch, "qpos", [](int env, int i) {
    const int body = i / 7, k = i % 7;
    return k == 2 ? 50 + 0.19 * body
                  : (k < 2 ? 0.02 * noise(env, i) : (k == 3 ? 1.0 : 0.3 * noise(env, i)));
  });
  fill(&batch, "qvel",
       [](int env, int i) { return i % 6 == 2 ? -0.3 * (i / 6) : 0.1 * noise(env, i, 1); });
  double largest = 0, contacts = 0;
  for (int round = 0; round < 15; ++round) {
    batch.step(4);
    batch.field_info("qfrc_constraint");
    batch.forward();
    const auto force = batch.read("qfrc_constraint"), ncon = batch.read("ncon");
    for (std::size_t env = 0; env < nenv; ++env) {
      contacts += ncon[env];
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0, scale = 1;
        for (std::size_t body = 0; body < 5; ++body) {
          const double f = force[env * 30 + body * 6 + k];
          sum += f;
          scale = std::max(scale, std::abs(f));
        }
        // the forces of a pair are products of the same numbers with opposite signs: only the sum
        // rounds
        EXPECT_NEAR(sum, 0, (precision() == Precision::f32 ? 1e-5 : 1e-13) * scale);
        largest = std::max(largest, scale);
      }
    }
  }
  EXPECT_GT(contacts, nenv);
  EXPECT_GT(largest, 10);
}

TEST_P(ContactLaws, TheGroundCarriesTheWeight) {
  Batch batch = make_batch(R"(<mujoco><option timestep="0.002" tolerance="1e-14" cone=")" +
                               std::string(std::get<1>(GetParam())) +
                               R"("/><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="2.5"/></body></worldbody></mujoco>)",
                           8, precision());
  batch.step(3000);
  batch.field_info("qfrc_constraint");
  batch.forward();
  const auto force = batch.read("qfrc_constraint"), velocity = batch.read("qvel");
  for (std::size_t env = 0; env < 8; ++env) {
    // at rest after six seconds: the force is the weight; f32 keeps a residual velocity of rounding
    EXPECT_TRUE(near(force[env * 6 + 2], 2.5 * 9.81, {1e-8, 1e-3}, bar()));
    EXPECT_NEAR(velocity[env * 6 + 2], 0, precision() == Precision::f32 ? 1e-5 : 1e-9);
  }
}

TEST_P(ContactLaws, TurningAndMovingTheSceneTurnsAndMovesTheMotion) {
  // environment 2 e + 1 is environment 2 e turned by 0.7 about the vertical and moved sideways
  Batch batch = heap();
  const double c = std::cos(0.7), s = std::sin(0.7), half_c = std::cos(0.35),
               half_s = std::sin(0.35);
  auto qpos = batch.read("qpos"), qvel = batch.read("qvel");
  const auto turned = [&](const std::vector<double>& q, std::size_t env, std::size_t body) {
    const double* p = &q[env * 35 + body * 7];
    return std::array<double, 7>{
        c * p[0] - s * p[1] + 0.5,     s * p[0] + c * p[1] - 0.25,    p[2],
        half_c * p[3] - half_s * p[6], half_c * p[4] - half_s * p[5], half_c * p[5] + half_s * p[4],
        half_c * p[6] + half_s * p[3]};
  };
  for (std::size_t env = 0; env < nenv; env += 2) {
    for (std::size_t body = 0; body < 5; ++body) {
      const auto q = turned(qpos, env, body);
      for (std::size_t k = 0; k < 7; ++k) {
        qpos[(env + 1) * 35 + body * 7 + k] = q[k];
      }
      const double* v = &qvel[env * 30 + body * 6];
      double* w = &qvel[(env + 1) * 30 + body * 6];
      w[0] = c * v[0] - s * v[1];
      w[1] = s * v[0] + c * v[1];
      for (std::size_t k = 2; k < 6; ++k) {
        w[k] = v[k];  // the vertical, and the rotation, which is in the body's own frame
      }
    }
  }
  batch.write("qpos", qpos);
  batch.write("qvel", qvel);
  batch.step(1);
  qpos = batch.read("qpos");
  // tangents of contacts are chosen from the normal, so a pyramid turns with the scene only where
  // the motion needs no sliding friction: compare what no friction touches
  const bool isotropic = std::string(std::get<1>(GetParam())) == "elliptic";
  for (std::size_t env = 0; env < nenv; env += 2) {
    for (std::size_t body = 0; body < 5; ++body) {
      const auto q = turned(qpos, env, body);
      for (std::size_t k = 0; k < 7; ++k) {
        const double bar = precision() == Precision::f32 ? 1e-5 : 1e-9;
        EXPECT_NEAR(qpos[(env + 1) * 35 + body * 7 + k], q[k], isotropic ? bar : 2e-3)
            << "body " << body << ", coordinate " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PrecisionsAndCones, ContactLaws,
                         testing::Combine(testing::Values(Precision::f64, Precision::f32),
                                          testing::Values("pyramidal", "elliptic")),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param) == Precision::f32
                                                  ? "f32_"
                                                  : "f64_") +
                                  std::get<1>(instance.param);
                         });

}  // namespace
}  // namespace swept::test
