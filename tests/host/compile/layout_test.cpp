// SPDX-License-Identifier: Apache-2.0
// Laws of the arrays that lay out the tree, on random scenes.
#include <swept/compile.h>
#include <swept/load.h>

#include "host/compile/random_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace swept {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Models of random trees.
std::vector<Model> random_models() {
  test::SceneMaker maker(8);
  std::vector<Model> models;
  for (int trial = 0; trial < 200; ++trial) {
    models.push_back(compile(maker.scene(1 + trial % 20)));
  }
  return models;
}

/// The list holds each of 0 .. n-1 once.
bool is_permutation_of_ids(std::vector<int> list) {
  std::sort(list.begin(), list.end());
  std::vector<int> ids(list.size());
  std::iota(ids.begin(), ids.end(), 0);
  return list == ids;
}

TEST(Layout, LevelsHoldEveryBodyAfterItsParent) {
  for (const Model& m : random_models()) {
    EXPECT_TRUE(is_permutation_of_ids(m.level_bodyid));
    EXPECT_EQ(m.level_bodyadr.front(), 0);
    EXPECT_EQ(m.level_bodyadr.back(), m.nbody);
    std::vector<int> level(at(m.nbody));
    for (int l = 0; l + 1 < m.nlevelp1; ++l) {
      for (int k = m.level_bodyadr[at(l)]; k < m.level_bodyadr[at(l) + 1]; ++k) {
        level[at(m.level_bodyid[at(k)])] = l;
      }
    }
    for (int b = 1; b < m.nbody; ++b) {
      EXPECT_EQ(level[at(b)], level[at(m.body_parentid[at(b)])] + 1);
    }
    EXPECT_EQ(level[0], 0);
  }
}

TEST(Layout, LevelsHoldEveryDofAfterItsParent) {
  for (const Model& m : random_models()) {
    EXPECT_TRUE(is_permutation_of_ids(m.level_dofid));
    EXPECT_EQ(m.level_dofadr.back(), m.nv);
    for (int l = 0; l + 1 < m.ndoflevelp1; ++l) {
      for (int k = m.level_dofadr[at(l)]; k < m.level_dofadr[at(l) + 1]; ++k) {
        EXPECT_EQ(m.dof_depth[at(m.level_dofid[at(k)])], l);
      }
    }
    for (int i = 0; i < m.nv; ++i) {
      const int parent = m.dof_parentid[at(i)];
      EXPECT_EQ(m.dof_depth[at(i)], parent < 0 ? 0 : m.dof_depth[at(parent)] + 1);
    }
  }
}

TEST(Layout, SubtreesAreRangesOfIds) {
  for (const Model& m : random_models()) {
    for (int b = 0; b < m.nbody; ++b) {
      for (int other = b; other < m.nbody; ++other) {
        int up = other;
        while (up > b) {
          up = m.body_parentid[at(up)];
        }
        EXPECT_EQ(up == b, other < b + m.body_subtreenum[at(b)]);
      }
    }
    for (int i = 0; i < m.nv; ++i) {
      for (int other = i; other < m.nv; ++other) {
        int up = other;
        while (up > i) {
          up = m.dof_parentid[at(up)];
        }
        EXPECT_EQ(up == i, other < i + m.dof_subtreenum[at(i)]);
      }
    }
  }
}

TEST(Layout, ChildrenAreListedUnderTheirParents) {
  for (const Model& m : random_models()) {
    int listed = 0;
    for (int b = 0; b < m.nbody; ++b) {
      for (int k = 0; k < m.body_childnum[at(b)]; ++k) {
        const int child = m.body_childid[at(m.body_childadr[at(b)] + k)];
        EXPECT_EQ(m.body_parentid[at(child)], b);
        EXPECT_TRUE(k == 0 || child > m.body_childid[at(m.body_childadr[at(b)] + k - 1)]);
        ++listed;
      }
    }
    EXPECT_EQ(listed, m.nbody - 1);
  }
}

TEST(Layout, RowsOfMAreTheChainsOfAncestors) {
  for (const Model& m : random_models()) {
    int entries = 0;
    for (int i = 0; i < m.nv; ++i) {
      EXPECT_EQ(m.M_rowadr[at(i)], entries);
      entries += m.M_rownnz[at(i)];
      int k = entries - 1;
      for (int up = i; up >= 0; up = m.dof_parentid[at(up)]) {
        EXPECT_EQ(m.M_colind[at(k--)], up);
      }
      EXPECT_EQ(k, m.M_rowadr[at(i)] - 1);
    }
    EXPECT_EQ(entries, m.nM);
  }
}

TEST(Layout, TheLastDofOfABodyEndsItsChain) {
  for (const Model& m : random_models()) {
    for (int b = 0; b < m.nbody; ++b) {
      int up = b;
      while (up > 0 && m.body_dofnum[at(up)] == 0) {
        up = m.body_parentid[at(up)];
      }
      const int last =
          m.body_dofnum[at(up)] == 0 ? -1 : m.body_dofadr[at(up)] + m.body_dofnum[at(up)] - 1;
      EXPECT_EQ(m.body_lastdof[at(b)], last);
    }
  }
}

}  // namespace
}  // namespace swept
