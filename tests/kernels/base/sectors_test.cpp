// SPDX-License-Identifier: Apache-2.0
// The line that is held: how many 32-byte sectors 32 neighbouring lanes touch with one access, by
// stage and field. Lanes are neighbouring environments, one lane each. The kernels come with their
// sources, so that this build compiles them.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "kernels/base/sectors.h"
#include "kernels/collide/collide.cpp"
#include "kernels/constrain/make_rows.cpp"
#include "kernels/integrate/integrate.cpp"
#include "kernels/smooth/acceleration.cpp"
#include "kernels/smooth/position.cpp"
#include "kernels/smooth/random_tree.h"
#include "kernels/smooth/velocity.cpp"

namespace swept::SWEPT_NS::test {
namespace {

static_assert(W == 8 && lanes_of<pack> == 1, "this test compiles the kernels as CUDA does");

constexpr int warp = 32;

/// The collider of two types of geoms, the smaller type first; -1: none.
int collider_of(int a, int b) {
  constexpr std::array<std::array<int, 3>, 7> kinds = {{
      {geom_plane, geom_sphere, collide_plane_sphere},
      {geom_plane, geom_capsule, collide_plane_capsule},
      {geom_plane, geom_box, collide_plane_box},
      {geom_sphere, geom_sphere, collide_sphere_sphere},
      {geom_sphere, geom_capsule, collide_sphere_capsule},
      {geom_sphere, geom_box, collide_sphere_box},
      {geom_capsule, geom_capsule, collide_capsule_capsule},
  }};
  for (const auto& [first, second, kind] : kinds) {
    if (first == a && second == b) {
      return kind;
    }
  }
  return -1;
}

/// Geoms of all types that reach into each other.
void add_collisions(ModelArrays* m) {
  constexpr int types[] = {geom_sphere, geom_capsule, geom_box, geom_capsule};
  for (int g = 0; g < m->ngeom; ++g) {
    const std::size_t i = static_cast<std::size_t>(g);
    m->geom_type[i] = g == 0 ? static_cast<int>(geom_plane) : types[g % 4];
    m->geom_condim[i] = g % 3 == 0 ? 4 : 3;
    m->geom_priority[i] = g % 5 == 0 ? 1 : 0;
    m->geom_rbound[i] = g == 0 ? 0 : 1;
    m->geom_solmix[i] = 1;
    m->geom_margin[i] = 0.5;
    for (std::size_t k = 0; k < 3; ++k) {
      m->geom_size[3 * i + k] = 0.2 + 0.05 * static_cast<double>(k);
      m->geom_friction[3 * i + k] = 0.8;
    }
  }
  std::vector<int> kinds;
  for (int g = 0; g < m->ngeom; ++g) {
    for (int h = 0; h < m->ngeom; ++h) {
      const auto body = [m](int geom) { return m->geom_bodyid[static_cast<std::size_t>(geom)]; };
      const auto type = [m](int geom) { return m->geom_type[static_cast<std::size_t>(geom)]; };
      const int kind = body(g) == body(h) ? -1 : collider_of(type(g), type(h));
      if (kind >= 0 && (type(g) != type(h) || g < h)) {
        m->candidate_geom1.push_back(g);
        m->candidate_geom2.push_back(h);
        m->candidate_kind.push_back(kind);
        m->candidate_pairid.push_back(-1);
      }
    }
  }
  m->ncandidate = static_cast<int>(m->candidate_kind.size());
}

/// Limits that are met, friction loss everywhere, and parameters of the solver.
void add_constraints(ModelArrays* m) {
  for (std::vector<int>* limited : {&m->jnt_limited, &m->tendon_limited}) {
    limited->assign(limited->size(), 1);
  }
  for (std::vector<double>* list :
       {&m->jnt_margin, &m->tendon_margin, &m->dof_frictionloss, &m->tendon_frictionloss,
        &m->dof_invweight0, &m->tendon_invweight0, &m->body_invweight0}) {
    list->assign(list->size(), 1.0);
  }
  for (std::vector<double>* solref : {&m->jnt_solref, &m->dof_solref, &m->tendon_solref_lim,
                                      &m->tendon_solref_fri, &m->geom_solref}) {
    for (std::size_t i = 0; i < solref->size(); ++i) {
      (*solref)[i] = i % 2 == 0 ? 0.02 : 1;
    }
  }
  constexpr double solimp[] = {0.9, 0.95, 0.001, 0.5, 2};
  for (std::vector<double>* list : {&m->jnt_solimp, &m->dof_solimp, &m->tendon_solimp_lim,
                                    &m->tendon_solimp_fri, &m->geom_solimp}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      (*list)[i] = solimp[i % 5];
    }
  }
}

/// A tree of bodies that meets everything there is, in 32 environments.
class Warp {
 public:
  /// The same state in all environments. `own`: every real field of the model is given per
  /// environment.
  explicit Warp(unsigned seed, bool own) : scene_(make_scene(seed)), tile_(scene_, warp, room) {
    for (int env = 0; env < warp; ++env) {
      fill_state(&tile_, scene_, env, seed);
    }
    if (own) {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) vary(&ModelView::name, scene_.name);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
    }
    map_ = std::make_unique<Map>(scene_, tile_);
  }

  /// Make the environments differ in all that may differ: their states, which of them are frozen or
  /// bad, and what follows from models of their own.
  void part(unsigned seed) {
    for (int env = 0; env < warp; ++env) {
      fill_state(&tile_, scene_, env, seed + static_cast<unsigned>(env) % 5, env % 3 == 0 ? 0 : 1);
      tile_->frozen[env] = env % 7 == 3 ? static_cast<int>(status_bad_qvel) : 0;
      if (env % 11 == 2) {
        const std::vector<double> nan(static_cast<std::size_t>(scene_.nv), NAN);
        tile_.write(&Layout::qvel, env, nan.data());
      }
    }
    for (const auto& [field, count] : {std::pair(&ModelView::own_body_sameframe, scene_.nbody),
                                       {&ModelView::own_geom_sameframe, scene_.ngeom},
                                       {&ModelView::own_site_sameframe, scene_.nsite},
                                       {&ModelView::own_dof_simplenum, scene_.nv},
                                       {&ModelView::own_implicit_damping, 1}}) {
      tile_.vary(field, count, [](int env, int i) { return (env + i) % 2; });
    }
  }

  /// Run a kernel for all lanes and add up what it costs.
  template <class Run>
  void run(const char* stage, const Run& lane_of) {
    std::vector<std::vector<Touch>> lanes(warp);
    for (int env = 0; env < warp; ++env) {
      touches = &lanes[static_cast<std::size_t>(env)];
      lane_of(tile_.get(), env);
    }
    touches = nullptr;
    for (const std::vector<Touch>& lane : lanes) {
      ASSERT_EQ(lane.size(), lanes[0].size()) << stage << ": lanes of the same state part";
    }
    ASSERT_GT(lanes[0].size(), 0u) << stage << " touches nothing";
    for (std::size_t n = 0; n < lanes[0].size(); ++n) {
      const auto [name, lie] = map_->find(lanes[0][n].place);
      if (name.empty()) {
        // a lane's own variables
        const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(&lanes);
        ASSERT_LT(stack > lanes[0][n].place ? stack - lanes[0][n].place : lanes[0][n].place - stack,
                  std::uintptr_t{1} << 20)
            << stage << " touches memory that is not the tile's";
        continue;
      }
      Cost& cost = costs_[stage][name];
      cost.lie = lie;
      cost.bytes = lanes[0][n].bytes;
      ++cost.accesses;
      cost.sectors = std::max(cost.sectors, sectors_of(lanes, n));
    }
  }

  /// All stages of a step by Euler's method, then the ends of the stages of Runge and Kutta's, as
  /// run_packs(name, kernel) and, for the rows, run_envs.
  template <class Packs, class Envs>
  void for_stages(const Packs& run_packs, const Envs& run_envs) {
    const Tile* t = tile_.get();
    run_packs("check_state", CheckState{t});
    run_packs("kinematics", Kinematics{t});
    run_packs("com_pos", ComPos{t});
    run_packs("transmission", Transmission{t});
    run_packs("make_m", MakeM{t});
    run_packs("factor_m", FactorM{t});
    run_packs("rne", Rne{t});
    run_packs("passive", Passive{t});
    run_packs("actuation", Actuation{t});
    run_packs("acceleration", Acceleration{t});
    run_packs("broadphase", BroadphaseKernel{t});
    run_packs("narrowphase", NarrowphaseKernel{t});
    run_envs("make_rows", MakeRows{t});
    ASSERT_EQ(t->control->halt, 0) << "the lists of this test are too small";
    ASSERT_GT(t->contacts.ncon[0], 5);
    ASSERT_GT(t->rows.nefc[0], 20);
    for (int stage = 0; stage < 4; ++stage) {
      run_packs("rk4_stage", Rk4Stage{t, stage});
    }
    run_packs("euler", Euler{t});
    run_packs("revive", Revive{t, -1});
  }

  /// Count the sectors of all stages.
  void run_all() {
    for_stages(
        [this](const char* stage, const auto& kernel) {
          // the last stage works on frozen environments
          for (int env = 0; env < warp && std::string(stage) == "revive"; ++env) {
            tile_->frozen[env] = status_bad_ctrl;
          }
          run(stage, [&](const Tile*, int env) { kernel(Serial{}, env / W, env % W); });
        },
        [this](const char* stage, const auto& kernel) {
          run(stage, [&](const Tile*, int env) { kernel(Serial{}, env); });
        });
  }

  const std::map<std::string, std::map<std::string, Cost>>& costs() const {
    return costs_;
  }

 private:
  static constexpr HostCapacity room = {250, 500, 2500, 60000};

  static ModelArrays make_scene(unsigned seed) {
    TreeOptions options;
    options.nbody = 9;
    ModelArrays m = RandomTree(seed, options).scene();
    add_collisions(&m);
    add_constraints(&m);
    return m;
  }

  void vary(Param ModelView::*field, const std::vector<double>& values) {
    if (!values.empty()) {
      tile_.vary(field, static_cast<int>(values.size()),
                 [&](int, int i) { return values[static_cast<std::size_t>(i)]; });
    }
  }

  ModelArrays scene_;
  HostTile tile_;
  std::unique_ptr<Map> map_;
  std::map<std::string, std::map<std::string, Cost>> costs_;
};

/// The most sectors that an access may touch: a number that all share is one; neighbours are as
/// many as their bytes; a list per environment is one sector for each lane, the exception that
/// kernels with a group per environment make, whose lanes stand along the list.
int bar_of(const Cost& cost) {
  switch (cost.lie) {
    case Lie::shared:
      return 1;
    case Lie::packed:
      return warp * cost.bytes / 32;
    case Lie::own_list:
      return warp;
  }
  return 0;
}

void print(const Warp& all, const char* title) {
  constexpr const char* lies[] = {"shared", "packed", "own list"};
  std::printf("%s\n%-14s%-24s%-10s%9s%9s%5s\n", title, "stage", "field", "", "accesses", "sectors",
              "bar");
  for (const auto& [stage, fields] : all.costs()) {
    for (const auto& [field, cost] : fields) {
      std::printf("%-14s%-24s%-10s%9d%9d%5d\n", stage.c_str(), field.c_str(),
                  lies[static_cast<int>(cost.lie)], cost.accesses, cost.sectors, bar_of(cost));
    }
  }
}

class Sectors : public testing::TestWithParam<bool> {};

TEST_P(Sectors, OfNeighbouringLanesStayBelowTheBars) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Warp all(seed, GetParam());
    ASSERT_NO_FATAL_FAILURE(all.run_all()) << "seed " << seed;
    if (seed == 1) {
      print(all, GetParam() ? "model per environment" : "model shared");
    }
    for (const auto& [stage, fields] : all.costs()) {
      for (const auto& [field, cost] : fields) {
        EXPECT_LE(cost.sectors, bar_of(cost)) << stage << " " << field << ", seed " << seed;
      }
    }
  }
}

TEST_P(Sectors, OnlyListsOfAnEnvironmentLieApart) {
  Warp all(1, GetParam());
  ASSERT_NO_FATAL_FAILURE(all.run_all());
  for (const auto& [stage, fields] : all.costs()) {
    for (const auto& [field, cost] : fields) {
      const bool list = field.starts_with("efc_") || field.starts_with("pairs.");
      EXPECT_TRUE(list || cost.lie != Lie::own_list) << field;
      // pack kernels read and write no such list, but for the pairs
      if (cost.lie == Lie::own_list) {
        EXPECT_TRUE(stage == "make_rows" || field.starts_with("pairs.")) << stage << " " << field;
      }
    }
  }
}

TEST_P(Sectors, OfAWrongStrideAreSeen) {
  Warp all(1, GetParam());
  // scratch as it would be with an environment's numbers one after the other
  ASSERT_NO_FATAL_FAILURE(all.run("planted", [](const Tile* t, int env) {
    element(t->scratch + static_cast<long long>(env) * t->layout.size + t->layout.qpos) = 0_r;
  }));
  // and a shared number that every lane reads from a place of its own
  ASSERT_NO_FATAL_FAILURE(all.run("planted", [](const Tile* t, int env) {
    EXPECT_GE(element(t->model.body_parentid + env % t->model.nbody), 0);
  }));
  int above = 0;
  for (const auto& [field, cost] : all.costs().at("planted")) {
    above += cost.sectors > bar_of(cost) ? 1 : 0;
  }
  EXPECT_EQ(above, 2);
}

/// One lane that counts how often it waits for others.
struct CountingGroup {
  int* waits;
  int lane() const { return 0; }
  int size() const { return 1; }
  void sync() const { ++*waits; }
  real sum(real x) const { return counted(x); }
  int sum(int n) const { return counted(n); }
  int max(int n) const { return counted(n); }
  bool any(bool p) const { return counted(p); }
  int exclusive_scan(int) const { return counted(0); }

 private:
  template <class T>
  T counted(T x) const {
    ++*waits;
    return x;
  }
};

// the groups of neighbouring environments share a warp there, and wait for each other
TEST(PackKernels, WaitEquallyOftenInAllEnvironments) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Warp all(seed, seed % 2 == 0);
    all.part(seed);
    int waits_of_all = 0;
    all.for_stages(
        [&](const char* stage, const auto& kernel) {
          std::vector<int> waits(warp, 0);
          for (int env = 0; env < warp; ++env) {
            kernel(CountingGroup{&waits[static_cast<std::size_t>(env)]}, env / W, env % W);
          }
          EXPECT_EQ(waits, std::vector<int>(warp, waits[0])) << stage << ", seed " << seed;
          waits_of_all += waits[0];
        },
        [](const char*, const auto& kernel) {
          for (int env = 0; env < warp; ++env) {
            kernel(Serial{}, env);
          }
        });
    EXPECT_GT(waits_of_all, 50);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Sectors, testing::Bool(), [](const auto& which) {
  return std::string(which.param ? "PerEnvironment" : "Shared");
});

}  // namespace
}  // namespace swept::SWEPT_NS::test
