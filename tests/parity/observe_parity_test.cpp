// SPDX-License-Identifier: Apache-2.0
// What a user reads off a batch against the official library, at 100 states of the own scenes and
// of gymnasium's ant, with both cones and both precisions: forces of contacts (mj_contactForce),
// velocities and accelerations of all bodies, geoms and sites in world and in own axes
// (mj_objectVelocity, mj_objectAcceleration), of one environment and of all at once.
#include "parity/knife_edges.h"
#include "parity/readback.h"
#include "parity/scenes.h"
#include "parity/table.h"

#include <swept/compile.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

constexpr int states_per_scene = 100;

/// A kind of object on both sides.
struct Kind {
  const char* name;
  Object object;
  int official;
};

/// All that moves, and the world.
std::vector<std::pair<Kind, int>> objects_of(const mjModel& m) {
  std::vector<std::pair<Kind, int>> objects;
  const auto add = [&](const char* name, Object object, int official, int count) {
    for (int id = 0; id < count; ++id) {
      objects.push_back({{name, object, official}, id});
    }
  };
  add("body", Object::body, mjOBJ_BODY, static_cast<int>(m.nbody));
  add("xbody", Object::xbody, mjOBJ_XBODY, static_cast<int>(m.nbody));
  add("geom", Object::geom, mjOBJ_GEOM, static_cast<int>(m.ngeom));
  add("site", Object::site, mjOBJ_SITE, static_cast<int>(m.nsite));
  return objects;
}

Table new_table() {
  return Table("observation", {
                                  // sums along the chain and one cross product with an arm
                                  {"velocity", {1e-13, 1e-5}},
                                  // as uncertain as the forces that act: see the stages' parity
                                  {"acceleration", {1e-9, 1e-3}},
                                  {"contact force", {1e-9, 2e-3}},
                              });
}

/// Largest |got - want| over the largest number of `want` (at least `small`).
double difference(std::span<const double> got, std::span<const double> want, double small) {
  double gap = 0, size = small;
  for (std::size_t i = 0; i < got.size(); ++i) {
    gap = std::max(gap, std::abs(got[i] - want[i]));
    size = std::max(size, std::abs(want[i]));
  }
  return gap / size;
}

/// One scene with one cone in one precision.
class Observation {
 public:
  Observation(Scene* scene, const std::string& name, Bar precision,
              const std::vector<State>& states, Table* table)
      : scene_(*scene),
        name_(name),
        precision_(precision),
        states_(states),
        table_(*table),
        batch_(make_batch(scene->model, precision, states)) {
    for (const char* group : {"contacts", "object_velocity", "object_acceleration"}) {
      batch_.bind(group);
    }
    batch_.forward();
  }

  /// Returns how many contacts were compared.
  int run() {
    mjModel& m = scene_.oracle.model();
    mjData& d = scene_.oracle.data();
    const Contacts all = batch_.contacts();
    for (std::size_t env = 0; env < states_.size(); ++env) {
      set_state(&scene_.oracle, states_[env]);
      mj_fwdPosition(&m, &d);
      if (contacts_on_edge(&scene_, precision_)) {
        table_.excuse_edge(name_, precision_);
        continue;
      }
      set_state(&scene_.oracle, states_[env]);
      mj_forward(&m, &d);
      if (precision_ == Bar::f32 && rows_are_rigid(scene_)) {
        table_.excuse_rigid(name_, precision_);
        continue;
      }
      mj_rnePostConstraint(&m, &d);
      compare_contacts(env, all[static_cast<std::int64_t>(env)]);
      compare_motion(static_cast<int>(env));
    }
    compare_whole_batch();
    return contacts_;
  }

 private:
  void compare_contacts(std::size_t env, std::span<const Contact> list) {
    const mjModel& m = scene_.oracle.model();
    const mjData& d = scene_.oracle.data();
    const std::vector<Contact> own = batch_.contacts(static_cast<int>(env));
    ASSERT_EQ(own.size(), list.size());
    ASSERT_EQ(list.size(), static_cast<std::size_t>(d.ncon)) << name_ << " state " << env;
    double largest = 1;
    for (int c = 0; c < d.ncon; ++c) {
      mjtNum force[6];
      mj_contactForce(&m, &d, c, force);
      largest = std::max(largest, std::abs(force[0]));
    }
    std::vector<bool> taken(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Contact& contact = list[k];
      EXPECT_EQ(contact.force, own[k].force);
      EXPECT_EQ(contact.pos, own[k].pos);

      // the contacts of two geoms are in the same order on both sides
      int c = 0;
      while (c < d.ncon &&
             (taken[static_cast<std::size_t>(c)] || d.contact[c].geom[0] != contact.geom1 ||
              d.contact[c].geom[1] != contact.geom2)) {
        ++c;
      }
      ASSERT_LT(c, d.ncon) << name_ << " state " << env;
      taken[static_cast<std::size_t>(c)] = true;
      EXPECT_EQ(contact.dim, d.contact[c].dim);
      mjtNum force[6];
      mj_contactForce(&m, &d, c, force);
      table_.add(
          name_, "contact force", precision_, difference(contact.force, force, largest),
          [&] { return "contact " + std::to_string(k) + " of state " + std::to_string(env); });
      ++contacts_;
    }
  }

  void compare_motion(int env) {
    mjModel& m = scene_.oracle.model();
    mjData& d = scene_.oracle.data();
    // a body that hardly moves is compared with the fastest
    const auto official = [&](bool acceleration, const Kind& kind, int id, Axes axes) {
      std::array<mjtNum, 6> motion{};
      (acceleration ? mj_objectAcceleration : mj_objectVelocity)(
          &m, &d, kind.official, id, motion.data(), axes == Axes::local ? 1 : 0);
      return motion;
    };
    const auto objects = objects_of(m);
    double fastest = 1, hardest = 10;
    for (const auto& [kind, id] : objects) {
      for (const double x : official(false, kind, id, Axes::world)) {
        fastest = std::max(fastest, std::abs(x));
      }
      for (const double x : official(true, kind, id, Axes::world)) {
        hardest = std::max(hardest, std::abs(x));
      }
    }
    for (const auto& [kind, id] : objects) {
      for (const Axes axes : {Axes::world, Axes::local}) {
        const auto where = [&, &kind = kind, &id = id] {
          return std::string(kind.name) + " " + std::to_string(id) + " in state " +
                 std::to_string(env);
        };
        table_.add(name_, "velocity", precision_,
                   difference(batch_.object_velocity(env, kind.object, id, axes),
                              official(false, kind, id, axes), fastest),
                   where);
        table_.add(name_, "acceleration", precision_,
                   difference(batch_.object_acceleration(env, kind.object, id, axes),
                              official(true, kind, id, axes), hardest),
                   where);
      }
    }
  }

  /// All environments at once give the numbers of each.
  void compare_whole_batch() {
    const int id = batch_.model().nbody - 1;
    for (const Axes axes : {Axes::world, Axes::local}) {
      const std::vector<double> velocity = batch_.object_velocity(Object::body, id, axes);
      const std::vector<double> acceleration = batch_.object_acceleration(Object::body, id, axes);
      ASSERT_EQ(velocity.size(), 6 * states_.size());
      for (int env = 0; env < batch_.nenv(); ++env) {
        const auto v = batch_.object_velocity(env, Object::body, id, axes);
        const auto a = batch_.object_acceleration(env, Object::body, id, axes);
        EXPECT_TRUE(std::equal(v.begin(), v.end(), velocity.begin() + 6 * env));
        EXPECT_TRUE(std::equal(a.begin(), a.end(), acceleration.begin() + 6 * env));
      }
    }
  }

  Scene& scene_;
  std::string name_;
  Bar precision_;
  const std::vector<State>& states_;
  Table& table_;
  Batch batch_;
  int contacts_ = 0;
};

std::vector<Scene> scenes() {
  std::vector<Scene> scenes;
  for (const char* name : {"humanoid", "balls", "tendon", "pendulum"}) {
    const fs::path path =
        fs::path(SWEPT_SOURCE_DIR) / "scenes" / name / (std::string(name) + ".xml");
    scenes.push_back({name, compile(load(path)), Oracle(path)});
  }
  if (fs::exists(needed_by(Origin::gymnasium))) {
    for (Scene& scene : load_scenes(Origin::gymnasium).scenes) {
      if (scene.name == "gymnasium/ant") {
        scenes.push_back(std::move(scene));
      }
    }
  }
  return scenes;
}

TEST(ObserveParity, ForcesAndMotionsAreTheOfficialOnes) {
  Table table = new_table();
  int contacts = 0;
  for (Scene& scene : scenes()) {
    prepare_to_compare(&scene);
    for (const int cone : {cone_pyramidal, cone_elliptic}) {
      scene.model.opt.cone = cone;
      scene.oracle.model().opt.cone = cone;
      const std::string name = scene.name + (cone == cone_elliptic ? " elliptic" : " pyramidal");
      const std::vector<State> states = StateMaker(&scene.oracle, 5).states(states_per_scene);
      for (const Bar precision : {Bar::f64, Bar::f32}) {
        contacts += Observation(&scene, name, precision, states, &table).run();
      }
    }
  }
  table.print();
  table.expect_below_bars();
  // 1500 seen and more: the comparison is not an empty one
  EXPECT_GT(contacts, 1000);
}

}  // namespace
}  // namespace swept::test
