// SPDX-License-Identifier: Apache-2.0
// Binding of fields, and what is read of contacts and motions, without the official library: it is
// the same as the lists hold, it obeys Newton, and what was not bound is refused.
#include <gtest/gtest.h>
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace swept::test {
namespace {

/// A ball of mass 2 that rests on a table, and a spinning bar above it.
Model table() {
  return compile(load_string(R"(<mujoco>
  <option timestep="0.002" cone="elliptic" solver="CG" tolerance="1e-12"/>
  <worldbody>
    <geom name="table" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 .1">
      <freejoint/>
      <geom name="ball" size=".1" mass="2" condim="3"/>
    </body>
    <body name="bar" pos="0 0 3">
      <joint name="spin" axis="0 0 1"/>
      <geom name="bar" type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/>
      <site name="end" pos="1 0 0"/>
    </body>
  </worldbody>
</mujoco>)",
                             Format::xml, "table"));
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Observe, BoundFieldsAreNamedAndFilledUntilTheyAreUnbound) {
  Batch batch(table(), {.nenv = 3, .precision = Precision::f64});
  EXPECT_TRUE(batch.bound().empty());
  batch.bind("xpos");
  batch.field<double>("qacc");
  EXPECT_EQ(batch.bound(), (std::vector<std::string>{"qacc", "xpos"}));
  batch.forward();
  EXPECT_EQ(batch.read("xpos")[3 + 2], 0.1);
  batch.unbind("qacc");
  EXPECT_EQ(batch.bound(), std::vector<std::string>{"xpos"});
  EXPECT_THROW(batch.unbind("qacc"), Error);
  EXPECT_THROW(batch.bind("colour"), Error);
  batch.bind("contacts");
  EXPECT_TRUE(holds(batch.bound(), "contact.frame"));
  EXPECT_TRUE(holds(batch.bound(), "efc_force"));
  batch.unbind("contacts");
  EXPECT_EQ(batch.bound(), std::vector<std::string>{"xpos"});
  // state and model fields are not bound: they are there
  batch.bind("qpos");
  EXPECT_EQ(batch.bound(), std::vector<std::string>{"xpos"});
}

TEST(Observe, WhatTheLastPassDidNotFillIsRefusedUntilTheNext) {
  Batch batch(table(), {.nenv = 2});
  batch.step(1);
  EXPECT_THROW(batch.contacts(0), Error);
  EXPECT_THROW(batch.object_velocity(0, Object::body, 1), Error);
  EXPECT_THROW(batch.object_acceleration(Object::site, 0), Error);
  batch.forward();
  EXPECT_EQ(batch.contacts(0).size(), 1u);
  EXPECT_NO_THROW(batch.object_velocity(0, Object::body, 1));
  EXPECT_NO_THROW(batch.object_acceleration(Object::site, 0));
  // unbound and bound again it is unfilled again
  batch.unbind("contacts");
  EXPECT_THROW(batch.contacts(), Error);
}

TEST(Observe, WrongIdsAreRefused) {
  Batch batch(table(), {.nenv = 2});
  for (const char* group : {"contacts", "object_velocity"}) {
    batch.bind(group);
  }
  batch.forward();
  EXPECT_THROW(batch.contacts(2), Error);
  EXPECT_THROW(batch.contacts(-1), Error);
  EXPECT_THROW(batch.object_velocity(0, Object::body, 3), Error);
  EXPECT_THROW(batch.object_velocity(0, Object::geom, -1), Error);
  EXPECT_THROW(batch.object_velocity(Object::site, 1), Error);
  EXPECT_THROW(batch.object_velocity(2, Object::body, 1), Error);
}

TEST(Observe, ARestingBallIsCarriedByItsContact) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    Batch batch(table(), {.nenv = 40, .precision = precision});
    // one in four is lifted off the table
    std::vector<double> qpos = batch.read("qpos");
    for (std::size_t env = 0; env < 40; env += 4) {
      qpos[8 * env + 2] += 1;
    }
    batch.write("qpos", qpos);
    batch.bind("contacts");
    batch.step(400);
    const Contacts all = batch.contacts();
    ASSERT_EQ(all.offsets.size(), 41u);
    EXPECT_EQ(all.offsets.back(), static_cast<std::int64_t>(all.list.size()));
    for (int env = 0; env < 40; ++env) {
      const std::vector<Contact> own = batch.contacts(env);
      ASSERT_EQ(own.size(), all[env].size());
      if (env % 4 == 0) {
        continue;  // these may still bounce
      }
      ASSERT_EQ(own.size(), 1u);
      const Contact& c = own[0];
      EXPECT_EQ(c.force, all[env][0].force);
      EXPECT_EQ(c.geom1, 0);
      EXPECT_EQ(c.geom2, 1);
      EXPECT_EQ(c.dim, 3);
      EXPECT_EQ(c.frame[2], 1) << "the normal of the table points up";
      EXPECT_LT(c.dist, 0);
      // at rest after 0.8 s to the precision of f32
      EXPECT_NEAR(c.force[0], 2 * 9.81, 1e-3);
      EXPECT_NEAR(c.force[1], 0, 1e-3);
    }
  }
}

TEST(Observe, TheEndOfASpinningBarFeelsItsCentripetalAcceleration) {
  Batch batch(table(), {.nenv = 1, .precision = Precision::f64});
  batch.bind("object_velocity");
  batch.bind("object_acceleration");
  const double speed = 3, angle = 0.7;
  batch.field<double>("qvel")(0, 6) = speed;
  batch.field<double>("qpos")(0, 7) = angle;
  batch.forward();

  const auto v = batch.object_velocity(0, Object::site, 0);
  const auto own = batch.object_velocity(0, Object::site, 0, Axes::local);
  const double rounding = 1e-12;
  EXPECT_NEAR(v[2], speed, rounding);
  EXPECT_NEAR(v[3], -speed * std::sin(angle), rounding);
  EXPECT_NEAR(v[4], speed * std::cos(angle), rounding);
  EXPECT_NEAR(own[4], speed, rounding);
  EXPECT_NEAR(own[3], 0, rounding);

  const auto a = batch.object_acceleration(0, Object::site, 0, Axes::local);
  EXPECT_NEAR(a[2], 0, rounding);
  EXPECT_NEAR(a[3], -speed * speed, rounding);  // towards the axis, 1 m away
  EXPECT_NEAR(a[4], 0, rounding);
  EXPECT_NEAR(a[5], 9.81, rounding);  // an accelerometer feels the bearing's push
}

}  // namespace
}  // namespace swept::test
