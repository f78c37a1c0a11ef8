// SPDX-License-Identifier: Apache-2.0
// The sweep finds exactly the pairs that testing all of them finds, in the same order, for any
// arrangement of geoms, any group of lanes, and environments that differ; contacts are equal bit for
// bit. SWEPT_LONG in the environment adds scenes of up to 20,000 geoms.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "kernels/collide/broadphase.h"
#include "kernels/collide/stages.h"
#include "kernels/collide/sweep_scene.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS {
namespace {

/// The list that holds the pairs of an environment, and the bit of its lane in the masks.
struct EnvPairs {
  PairsAt pairs;
  int bit;
};
EnvPairs pairs_of_env(const Tile& t, int env) {
  constexpr int lanes = lanes_of<pack>;
  constexpr bool shared = lanes > 1;
  return {pairs_at<pack>(t, env / W, shared ? 0 : env % W), shared ? env % W : 0};
}

constexpr int nenv = W + 2;  // the last block is not full

/// A tile with geoms at the positions of a scene, every environment its own; capsules along x.
std::unique_ptr<HostTile> tile_of(const ModelArrays& m, SweepScene* scene, HostCapacity room,
                                  int envs = nenv) {
  auto tile = std::make_unique<HostTile>(m, envs, room);
  std::vector<double> mat;
  for (int g = 0; g < m.ngeom; ++g) {
    const bool plane = m.geom_type[static_cast<std::size_t>(g)] == geom_plane;
    const double turned[] = {0, 0, 1, 0, 1, 0, -1, 0, 0}, straight[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mat.insert(mat.end(), plane ? straight : turned, (plane ? straight : turned) + 9);
  }
  for (int env = 0; env < envs; ++env) {
    tile->write(&Layout::geom_xpos, env, scene->positions(static_cast<unsigned>(env)).data());
    tile->write(&Layout::geom_xmat, env, mat.data());
  }
  return tile;
}

void collide_all(HostTile* tile) {
  if (tile->model().nsweep > 0) {
    sweep(Context{}, tile->get(), (*tile)->nenv);
  }
  broadphase(Context{}, tile->get(), (*tile)->nblocks);
  narrowphase(Context{}, tile->get(), (*tile)->nblocks);
}

/// A tile that has gone through all stages, with lists that have grown as an engine grows them.
template <class Prepare>
std::unique_ptr<HostTile> collided(const ModelArrays& m, SweepScene* scene, int envs,
                                   const Prepare& prepare) {
  for (HostCapacity room = {1, 1, 0, 0, 0};;) {
    auto tile = tile_of(m, scene, room, envs);
    prepare(tile.get());
    collide_all(tile.get());
    if ((*tile)->control->halt == 0) {
      return tile;
    }
    const Need& need = (*tile)->control->need;
    room.pairs = std::max(room.pairs, need.pairs);
    room.contacts = std::max(room.contacts, need.contacts);
  }
}

/// The listed pairs of one environment.
std::vector<Touching> listed(const HostTile& tile, int env) {
  const EnvPairs list = pairs_of_env(*tile.get(), env);
  std::vector<Touching> all;
  for (int i = 0; i < *list.pairs.count; ++i) {
    if ((list.pairs.mask[i] >> list.bit & 1u) != 0) {
      const GeomPair pair = list.pairs.at(i);
      all.push_back({pair.geom1, pair.geom2, pair.pairid});
    }
  }
  return all;
}

/// Everything about the contacts of an environment.
std::vector<real> contacts(const HostTile& tile, int env) {
  const ContactsAt c = tile->contacts_at(env);
  std::vector<real> all;
  for (int k = 0; k < *c.ncon; ++k) {
    for (int i = 0; i < ContactLayout::nreal; ++i) {
      all.push_back(c.reals[(k * ContactLayout::nreal + i) * W]);
    }
    for (int i = 0; i < ContactLayout::nint; ++i) {
      all.push_back(static_cast<real>(c.ints[(k * ContactLayout::nint + i) * W]));
    }
  }
  return all;
}

bool equal_bits(const std::vector<real>& a, const std::vector<real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(real)) == 0;
}

std::string name_of(int geoms, Spread spread) {
  return std::to_string(geoms) + " geoms, spread " + std::to_string(static_cast<int>(spread));
}

TEST(Sweep, FindsThePairsOfTestingThemAll) {
  std::size_t total = 0;
  for (const Spread spread : all_spreads) {
    for (const int geoms : {1, 2, 5, 10, 40, 150, 300}) {
      SCOPED_TRACE(name_of(geoms, spread));
      SweepScene scene(geoms, spread, static_cast<unsigned>(geoms));
      const auto freeze = [](HostTile* tile) { (*tile)->frozen[1] = status_bad_qpos; };
      const auto swept = collided(scene.arrays(), &scene, nenv, freeze);
      const auto tested = collided(scene.with_list(), &scene, nenv, freeze);
      for (int env = 0; env < nenv; ++env) {
        const std::vector<Touching> want = scene.touching(*tested, env);
        EXPECT_EQ(listed(*swept, env), env == 1 ? std::vector<Touching>{} : want) << env;
        EXPECT_EQ(listed(*tested, env), env == 1 ? std::vector<Touching>{} : want) << env;
        EXPECT_TRUE(equal_bits(contacts(*swept, env), contacts(*tested, env))) << env;
        total += want.size();
      }
      // one list for the pack, entry by entry
      for (int block = 0; block < (*swept)->nblocks; ++block) {
        const PairsAt a = pairs_at<pack>(*swept->get(), block, 0),
                      b = pairs_at<pack>(*tested->get(), block, 0);
        ASSERT_EQ(*a.count, *b.count);
        EXPECT_TRUE(std::equal(&a.mask[0], &a.mask[0] + *a.count, &b.mask[0]));
        EXPECT_TRUE(
            std::equal(&a.pair[0], &a.pair[0] + PairsView::entry_ints * *a.count, &b.pair[0]));
      }
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(total, 20000u);
}

TEST(Sweep, FindsThePairsOfLargeScenes) {
  const bool all = std::getenv("SWEPT_LONG") != nullptr;
  for (const int geoms : all ? std::vector<int>{2000, 5000, 20000} : std::vector<int>{2000}) {
    for (const Spread spread : all_spreads) {
      if (spread == Spread::coincident) {
        continue;  // its pairs are as many as geoms squared
      }
      SCOPED_TRACE(name_of(geoms, spread));
      SweepScene scene(geoms, spread, 3);
      const auto swept = collided(scene.arrays(), &scene, 1, [](HostTile*) {});
      EXPECT_EQ(listed(*swept, 0), scene.touching(*swept, 0));
    }
  }
}

TEST(Sweep, GivesTheSameListsForGroupsOfAnySize) {
  for (const int geoms : {3, 130}) {
    SweepScene scene(geoms, Spread::clustered, 5);
    const auto one = tile_of(scene.arrays(), &scene, {4000, 8000});
    sweep(Context{}, one->get(), nenv);
    for (const int lanes : {2, 4, 32}) {
      const auto many = tile_of(scene.arrays(), &scene, {4000, 8000});
      for (int env = 0; env < nenv; ++env) {
        test::run_lanes(lanes, [&](const test::ThreadGroup g) { sweep(g, *many->get(), env, Along::line); });
        const int count = (*one)->sweep.count[env];
        ASSERT_EQ((*many)->sweep.count[env], count);
        EXPECT_EQ(0, std::memcmp(found_at(*many->get(), env), found_at(*one->get(), env),
                                 static_cast<std::size_t>(count) * sizeof(Record)));
      }
    }
  }
}

TEST(Sweep, HaltsWhenPairsDoNotFitAndSaysHowManyThereAre) {
  SweepScene scene(150, Spread::uniform, 8);
  const auto ample = tile_of(scene.arrays(), &scene, {4000, 8000});
  collide_all(ample.get());
  const int most = (*ample)->control->need.pairs;  // of a pack together
  ASSERT_GT(most, 10);
  const auto small = tile_of(scene.arrays(), &scene, {1, 1});
  collide_all(small.get());
  EXPECT_EQ((*small)->control->halt, static_cast<int>(halt_pairs));
  const int largest =
      *std::max_element((*ample)->sweep.count, (*ample)->sweep.count + (*ample)->nenv);
  EXPECT_EQ((*small)->control->need.pairs, largest);
  const auto less = tile_of(scene.arrays(), &scene, {most - 1, 8000});
  collide_all(less.get());
  EXPECT_EQ((*less)->control->halt, static_cast<int>(halt_pairs));
  EXPECT_EQ((*less)->control->need.pairs, most);
  const auto exact = tile_of(scene.arrays(), &scene, {most, 8000});
  collide_all(exact.get());
  EXPECT_EQ((*exact)->control->halt, 0);
}

TEST(Sweep, IsNotDisturbedByWhatIsNotFinite) {
  for (const real bad : {std::numeric_limits<real>::quiet_NaN(), infinity, -infinity}) {
    SweepScene scene(150, Spread::uniform, 9);
    const auto spoil = [bad](HostTile* tile) {
      for (int env = 0; env < nenv; ++env) {
        const DataAt<real> d = tile->data_at(env);
        for (int g = env; g < 3 * env && g < 150; ++g) {
          d.geom_xpos(3 * g + env % 3) = bad;
        }
      }
    };
    const auto swept = collided(scene.arrays(), &scene, nenv, spoil);
    const auto tested = collided(scene.with_list(), &scene, nenv, spoil);
    std::size_t total = 0;
    for (int env = 0; env < nenv; ++env) {
      EXPECT_EQ(listed(*swept, env), listed(*tested, env)) << env;
      total += listed(*tested, env).size();
    }
    EXPECT_GT(total, 100u);
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS
