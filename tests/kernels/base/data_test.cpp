// SPDX-License-Identifier: Apache-2.0
// Accessors of model fields and of scratch, seen from a pack and from each of its environments.
#include "kernels/base/data.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS::test {
namespace {

/// Aligned memory for packs, zeroed.
struct Memory {
  explicit Memory(std::size_t n) : packs(n / W + 1, pack(0)) {}
  real* data() { return reinterpret_cast<real*>(packs.data()); }
  std::vector<pack> packs;
};

TEST(Param, ASharedFieldIsBroadcast) {
  const real masses[] = {1, 2, 3};
  ModelView view;
  view.body_mass = {masses, 0};
  const ModelAt<pack> many{&view, 5, 0};
  const ModelAt<real> one{&view, 5, W - 1};
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(all_of(many.body_mass(i) == pack(masses[i])));
    EXPECT_EQ(one.body_mass(i), masses[i]);
  }
}

TEST(Param, AFieldPerEnvironmentIsLoadedLaneByLane) {
  constexpr int n = 3, blocks = 2;
  Memory memory(blocks * n * W);
  for (int i = 0; i < blocks * n * W; ++i) {
    memory.data()[i] = real(i);
  }
  ModelView view;
  view.body_mass = {memory.data(), n};
  for (int block = 0; block < blocks; ++block) {
    const ModelAt<pack> many{&view, block, 0};
    for (int i = 0; i < n; ++i) {
      const pack all = many.body_mass(i);
      for (int l = 0; l < W; ++l) {
        EXPECT_EQ(lane(all, l), real((block * n + i) * W + l));
        EXPECT_EQ((ModelAt<real>{&view, block, l}.body_mass(i)), lane(all, l));
      }
    }
  }
}

TEST(ModelAt, ShowsIntegersSizesAndOptions) {
  const int parents[] = {0, 0, 1};
  ModelView view;
  view.nbody = 3;
  view.opt.iterations = 17;
  view.body_parentid = parents;
  const ModelAt<pack> m{&view, 0, 0};
  EXPECT_EQ(m->nbody, 3);
  EXPECT_EQ(m->opt.iterations, 17);
  EXPECT_EQ(m.body_parentid(2), 1);
}

Sizes some_sizes() {
  Sizes sizes;
  sizes.nq = 7;
  sizes.nv = 6;
  sizes.nbody = 2;
  sizes.nu = 3;
  return sizes;
}

TEST(Layout, FieldsStandOneAfterTheOtherWithoutOverlap) {
  const Sizes sizes = some_sizes();
  const Layout at = make_layout(sizes);
  EXPECT_EQ(at.time, 0);
  EXPECT_EQ(at.qpos, 1);
  EXPECT_EQ(at.qvel, at.qpos + sizes.nq);
  EXPECT_EQ(at.act, at.qvel + sizes.nv);
  EXPECT_GT(at.size, at.xpos + 3 * sizes.nbody);
}

TEST(DataAt, APackAndItsLanesSeeTheSameMemory) {
  const Layout layout = make_layout(some_sizes());
  constexpr int blocks = 2;
  Memory memory(static_cast<std::size_t>(blocks * layout.size * W));
  Tile tile;
  tile.layout = layout;
  tile.scratch = memory.data();
  tile.nblocks = blocks;
  for (int block = 0; block < blocks; ++block) {
    for (int l = 0; l < W; ++l) {
      const DataAt<real> one = tile.data_at<real>(block, l);
      for (int i = 0; i < 6; ++i) {
        one.qvel(i) = real(1000 * block + 10 * i + l);
      }
    }
  }
  for (int block = 0; block < blocks; ++block) {
    const DataAt<pack> many = tile.data_at<pack>(block, 0);
    for (int i = 0; i < 6; ++i) {
      const pack v = many.qvel(i);
      for (int l = 0; l < W; ++l) {
        EXPECT_EQ(lane(v, l), real(1000 * block + 10 * i + l));
      }
      many.qvel(i) = v * real(2);
      EXPECT_EQ(tile.data_at<real>(block, W - 1).qvel(i), real(2) * lane(v, W - 1));
    }
  }
}

TEST(DataAt, NoFieldReachesIntoAnother) {
  const Sizes sizes = some_sizes();
  const Layout layout = make_layout(sizes);
  Memory memory(static_cast<std::size_t>(layout.size * W));
  const DataAt<pack> d{memory.data(), &layout};
  // every element of every field finds its place untouched, and after all no place is left over
  int written = 0;
  struct Walk : Sizes {
    void fields(const DataAt<pack>& at, int* count) const {
      const auto fill = [&](const char* name, const auto& field, int n) {
        for (int i = 0; i < n; ++i) {
          const Ref<pack> place = field(i);
          EXPECT_TRUE(all_of(place.get() == pack(0)))
              << name << " " << i << " belongs to another field too";
          place = pack(1);
          ++*count;
        }
      };
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  fill(                                              \
      #name, [&](int i) { return at.name(i); }, (rows) * (cols));
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) SWEPT_STATE(name, rows, cols, unit, meaning)
#define SWEPT_SCRATCH(name, rows, cols, meaning) SWEPT_STATE(name, rows, cols, "", meaning)
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
#include <swept/fields/state.def>
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
    }
  };
  Walk{sizes}.fields(d, &written);
  EXPECT_EQ(written, layout.size);
}

TEST(Ref, ReadsAndWritesLikeAValue) {
  Memory memory(2 * W);
  const Ref<pack> a(memory.data());
  const Ref<pack> b(memory.data() + W);
  a = pack(3);
  b = pack(4);
  EXPECT_TRUE(all_of(a + b == pack(7)));
  EXPECT_TRUE(all_of(a - b == pack(-1)));
  EXPECT_TRUE(all_of(a * b == pack(12)));
  EXPECT_TRUE(all_of(b / pack(2) == pack(2)));
  EXPECT_TRUE(all_of(pack(6) / a == pack(2)));
  EXPECT_TRUE(all_of(-a == pack(-3)));
  a += pack(1);
  EXPECT_TRUE(all_of(a.get() == pack(4)));
  a -= pack(2);
  EXPECT_TRUE(all_of(a.get() == pack(2)));
  a *= pack(5);
  EXPECT_TRUE(all_of(a.get() == pack(10)));
  // assignment between places copies the value
  Ref<pack> c(memory.data());
  c = b;
  EXPECT_TRUE(all_of(a.get() == pack(4)));
}

TEST(Tile, EnvironmentsBeyondTheFirstTileFindTheirParameters) {
  constexpr int n = 1, blocks = 4;
  Memory memory(blocks * n * W);
  for (int i = 0; i < blocks * W; ++i) {
    memory.data()[i] = real(i);
  }
  Tile tile;
  tile.model.opt_timestep = {memory.data(), n};
  tile.first = 2 * W;
  EXPECT_EQ(tile.model_at<real>(1, 1).opt_timestep(0), real(3 * W + 1));
}

TEST(Tile, ContactsOfAnEnvironmentAreThoseOfItsLane) {
  constexpr int capacity = 5, blocks = 2;
  std::vector<real> reals(blocks * capacity * ContactLayout::nreal * W);
  std::vector<int> ints(blocks * capacity * ContactLayout::nint * W);
  std::vector<int> ncon(blocks * W);
  Tile tile;
  tile.contacts = {reals.data(), ints.data(), ncon.data(), capacity};
  for (int env = 0; env < blocks * W; ++env) {
    const ContactsAt c = tile.contacts_at(env);
    *c.ncon = env;
    for (int k = 0; k < capacity; ++k) {
      for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(c.frame(k, i), 0);
        c.frame(k, i) = real(100 * env + 10 * k + i);
      }
      EXPECT_EQ(c.dist(k), 0);
      c.dist(k) = real(env);
      c.geom2(k) = 7 * env + k;
      EXPECT_EQ(c.geom1(k), 0);
    }
  }
  for (int env = 0; env < blocks * W; ++env) {
    const ContactsAt c = tile.contacts_at(env);
    EXPECT_EQ(*c.ncon, env);
    EXPECT_EQ(c.frame(capacity - 1, 8), real(100 * env + 10 * (capacity - 1) + 8));
    EXPECT_EQ(c.geom2(capacity - 1), 7 * env + capacity - 1);
    EXPECT_EQ(c.dist(0), real(env));
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
