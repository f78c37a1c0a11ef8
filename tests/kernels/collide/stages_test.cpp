// SPDX-License-Identifier: Apache-2.0
// Laws of the broad and narrow phase on heaps of random geoms: order, capacity, isolation of
// environments, equal bits for packs, single environments and groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/collide/broadphase.h"
#include "kernels/collide/convex.h"
#include "kernels/collide/narrowphase.h"
#include "kernels/collide/scene.h"
#include "kernels/collide/stages.h"
#include "support/near.h"
#include "support/thread_group.h"

namespace swept::SWEPT_NS {
namespace {

constexpr int nenv = 2 * W + 3;  // the last block is not full
const std::vector<int> heap = {geom_plane,   geom_sphere,  geom_capsule, geom_box,    geom_capsule,
                               geom_sphere,  geom_capsule, geom_capsule, geom_sphere, geom_box,
                               geom_capsule, geom_sphere,  geom_capsule};
constexpr Room ample = {200, 200};

void collide_all(const HeapScene& scene) {
  broadphase(Context{}, scene.get(), scene->nblocks);
  convex(Context{}, scene.get(), scene->nblocks);
  narrowphase(Context{}, scene.get(), scene->nblocks);
}

std::vector<std::vector<real>> all_contacts(const HeapScene& scene) {
  std::vector<std::vector<real>> all;
  for (int env = 0; env < nenv; ++env) {
    all.push_back(scene.contacts(env));
  }
  return all;
}

bool equal_bits(const std::vector<real>& a, const std::vector<real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(real)) == 0;
}

TEST(Stages, ListContactsInTheOrderOfCandidatesAndOfTheirIndex) {
  const HeapScene scene(heap, nenv, ample);
  collide_all(scene);
  ASSERT_EQ(scene->control->halt, 0);
  int total = 0;
  for (int env = 0; env < nenv; ++env) {
    const ContactsAt c = scene->contacts_at(env);
    for (int k = 0; k < *c.ncon; ++k, ++total) {
      const auto number = [&](int contact) {
        return scene.candidate_of(c.geom1(contact), c.geom2(contact));
      };
      ASSERT_GE(number(k), 0);
      const bool same_pair = k > 0 && number(k) == number(k - 1);
      EXPECT_TRUE(k == 0 || number(k) >= number(k - 1));
      EXPECT_EQ(c.index(k), same_pair ? c.index(k - 1) + 1 : 0);
      EXPECT_EQ(c.pairid(k), -1);
      EXPECT_EQ(c.exclude(k), c.dist(k) >= c.includemargin(k) ? 1 : 0);
      EXPECT_EQ(c.dim(k), 3);
      EXPECT_EQ(c.efc_address(k), -1);
    }
  }
  EXPECT_GT(total, 10 * nenv);
}

TEST(Stages, MissNoPairThatTouches) {
  const HeapScene scene(heap, nenv, ample);
  collide_all(scene);
  for (int env = 0; env < nenv; ++env) {
    // the narrow phase on every candidate of this environment
    const ModelAt<real> m = scene->model_at<real>(env / W, env % W);
    const DataAt<real> d = scene->data_at<real>(env / W, env % W);
    const HeapScene other(heap, nenv, ample);
    ContactList<real> list(*other.get(), env / W, env % W);
    for (int candidate = 0; candidate < scene->model.ncandidate; ++candidate) {
      const GeomPair pair = candidate_pair(m, candidate);
      list.first = list.ncon;
      if (is_single(pair.kind)) {
        collide_pair<real>(*other.get(), env / W, env % W, pair, 0, 1);
        append_slots(&list, m, hits_at<real>(*other.get(), env / W, env % W), pair, 0, true);
      } else {
        collide(&list, m, d, pair, true);
      }
    }
    *other->contacts_at(env).ncon = static_cast<int>(list.ncon);
    EXPECT_TRUE(equal_bits(other.contacts(env), scene.contacts(env)));
  }
}

TEST(Stages, GiveEqualBitsOnPacksAndOnSingleEnvironments) {
  std::vector<int> all = heap;
  all.insert(all.end(), {geom_cylinder, geom_ellipsoid, geom_box, geom_cylinder});
  constexpr Room room = {200, 400, 1000};
  const HeapScene packs(all, nenv, room), single(all, nenv, room);
  collide_all(packs);
  for (int env = 0; env < nenv; ++env) {
    broadphase<real>(Serial{}, *single.get(), env / W, env % W);
    // a list per environment, as on CUDA; where a pack has one list that is list 0 of the block
    convex<real>(Serial{}, *single.get(), env / W, env % W);
    narrowphase<real>(Serial{}, *single.get(), env / W, env % W);
    EXPECT_TRUE(equal_bits(packs.contacts(env), single.contacts(env))) << env;
  }
}

TEST(Stages, GiveTheSameListsForGroupsOfAnySize) {
  const HeapScene one(heap, nenv, ample);
  broadphase(Context{}, one.get(), one->nblocks);
  for (const int lanes : {2, 4, 8}) {
    const HeapScene scene(heap, nenv, ample);
    for (int block = 0; block < scene->nblocks; ++block) {
      test::run_lanes(
          lanes, [&](const test::ThreadGroup g) { broadphase<pack>(g, *scene.get(), block, 0); });
      ASSERT_EQ(scene->pairs.count[block], one->pairs.count[block]);
      for (int i = 0; i < scene->pairs.count[block]; ++i) {
        const int entry = block * scene->pairs.capacity + i;
        for (int k = PairsView::entry_ints * entry; k < PairsView::entry_ints * (entry + 1); ++k) {
          EXPECT_EQ(scene->pairs.pair[k], one->pairs.pair[k]);
        }
        EXPECT_EQ(scene->pairs.mask[entry], one->pairs.mask[entry]);
      }
      ASSERT_EQ(scene->pairs.singles[block], one->pairs.singles[block]);
      for (int i = 0; i < scene->pairs.singles[block]; ++i) {
        const int entry = block * scene->pairs.capacity + i;
        EXPECT_EQ(scene->pairs.single[entry], one->pairs.single[entry]);
      }
    }
  }
}

TEST(Stages, HaltWhenPairsDoNotFitAndSayHowManyThereAre) {
  HeapScene scene(heap, nenv, ample);
  collide_all(scene);
  const int most = *std::max_element(scene->pairs.count, scene->pairs.count + scene->nblocks);
  EXPECT_EQ(scene->control->need.pairs, most);
  const std::vector<std::vector<real>> want = all_contacts(scene);

  scene.make_room({1, 200});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_pairs);
  EXPECT_EQ(scene->control->need.pairs, most);
  EXPECT_EQ(scene->control->need.contacts, 0);  // the next stage has done nothing

  // what was asked for is enough, and one less is not
  scene.make_room({most - 1, 200});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_pairs);
  scene.make_room({most, 200});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_none);
  EXPECT_EQ(all_contacts(scene), want);
}

TEST(Stages, HaltWhenContactsDoNotFitAndSayHowManyThereAre) {
  HeapScene scene(heap, nenv, ample);
  collide_all(scene);
  const int most = *std::max_element(scene->contacts.ncon, scene->contacts.ncon + nenv);
  EXPECT_EQ(scene->control->need.contacts, most);
  const std::vector<std::vector<real>> want = all_contacts(scene);

  scene.make_room({200, 1});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_contacts);
  EXPECT_EQ(scene->control->need.contacts, most);
  for (int env = 0; env < nenv; ++env) {
    EXPECT_LE(scene->contacts.ncon[env], 1);
  }
  scene.make_room({200, most - 1});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_contacts);
  scene.make_room({200, most});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, halt_none);
  EXPECT_EQ(all_contacts(scene), want);
}

TEST(Stages, HaltWhenSlotsDoNotFitAndSayHowManyThereAre) {
  const std::vector<int> boxes = {geom_plane,    geom_box, geom_box, geom_cylinder, geom_sphere,
                                  geom_cylinder, geom_box, geom_box, geom_ellipsoid};
  HeapScene scene(boxes, nenv, {200, 400, 1000});
  collide_all(scene);
  ASSERT_EQ(scene->control->halt, 0);
  const int most = scene->control->need.slots;
  ASSERT_GT(most, 20);
  const std::vector<std::vector<real>> want = all_contacts(scene);
  std::size_t total = 0;
  for (const std::vector<real>& contacts : want) {
    total += contacts.size();
  }
  ASSERT_GT(total, 0u);

  for (const int slots : {1, most - 1}) {
    scene.make_room({200, 400, slots});
    collide_all(scene);
    EXPECT_EQ(scene->control->halt, halt_slots);
    EXPECT_EQ(scene->control->need.slots, most);
    EXPECT_EQ(scene->control->need.contacts, 0);  // the next stages have done nothing
  }
  // pairs and slots that both do not fit are both told
  scene.make_room({1, 400, 1});
  collide_all(scene);
  EXPECT_NE(scene->control->halt, 0);
  EXPECT_EQ(scene->control->need.slots, most);
  EXPECT_GT(scene->control->need.pairs, 1);
  scene.make_room({200, 400, most});
  collide_all(scene);
  EXPECT_EQ(scene->control->halt, 0);
  EXPECT_EQ(all_contacts(scene), want);
}

TEST(Stages, GiveTheSameSlotsForGroupsOfAnySize) {
  const std::vector<int> boxes = {geom_box, geom_ellipsoid, geom_cylinder, geom_box, geom_box};
  const HeapScene one(boxes, nenv, {200, 400, 1000}), many(boxes, nenv, {200, 400, 1000});
  collide_all(one);
  broadphase(Context{}, many.get(), many->nblocks);
  for (int block = 0; block < many->nblocks; ++block) {
    test::run_lanes(4, [&](const test::ThreadGroup g) { convex<pack>(g, *many.get(), block, 0); });
  }
  narrowphase(Context{}, many.get(), many->nblocks);
  EXPECT_EQ(all_contacts(many), all_contacts(one));
}

TEST(Stages, LeaveATileAloneThatAnotherStageHalted) {
  const HeapScene scene(heap, nenv, ample);
  scene->control->halt = 1000;
  scene->pairs.count[0] = 77;
  scene->contacts.ncon[0] = 77;
  collide_all(scene);
  EXPECT_EQ(scene->pairs.count[0], 77);
  EXPECT_EQ(scene->contacts.ncon[0], 77);
}

TEST(Stages, GiveFrozenAndInertEnvironmentsNoContacts) {
  const HeapScene scene(heap, nenv, ample, true), well(heap, nenv, ample, true);
  scene->frozen[1] = status_bad_qvel;
  std::fill(scene->contacts.ncon, scene->contacts.ncon + scene->nblocks * W, 77);
  collide_all(scene);
  collide_all(well);
  EXPECT_EQ(scene->contacts.ncon[1], 0);
  for (int env = nenv; env < scene->nblocks * W; ++env) {
    EXPECT_EQ(scene->contacts.ncon[env], 0);
  }
  EXPECT_GT(well->contacts.ncon[1], 0);
  EXPECT_TRUE(equal_bits(scene.contacts(0), well.contacts(1)));
}

TEST(Stages, KeepEnvironmentsApart) {
  // the same environment in every lane, alone among others, and beside one that is not a number
  const HeapScene same(heap, nenv, ample, true), mixed(heap, nenv, ample);
  for (int g = 0; g < same->model.ngeom; ++g) {
    mixed.number(mixed->layout.geom_xpos + 3 * g, 1) = std::numeric_limits<real>::quiet_NaN();
  }
  collide_all(same);
  collide_all(mixed);
  EXPECT_FALSE(same.contacts(0).empty());
  for (int env = 1; env < nenv; ++env) {
    EXPECT_TRUE(equal_bits(same.contacts(env), same.contacts(0)));
  }
  EXPECT_TRUE(equal_bits(mixed.contacts(0), same.contacts(0)));
  EXPECT_EQ(mixed->contacts.ncon[1], 0);
}

TEST(Stages, FindNothingWhereContactsAreDisabled) {
  for (const int flag : {static_cast<int>(disable_contact), static_cast<int>(disable_constraint)}) {
    const HeapScene scene(heap, nenv, ample);
    scene->model.opt.disableflags = flag;
    collide_all(scene);
    for (int env = 0; env < nenv; ++env) {
      EXPECT_EQ(scene->contacts.ncon[env], 0);
    }
  }
}

/// Model values of two geoms for the parameters of their contact.
struct TwoGeoms {
  HeapScene scene{{geom_sphere, geom_sphere}, 1, {1, 1}};

  void set(Param ModelView::*field, const std::vector<double>& values) {
    real* const p = scene.keep<real>(values.size());
    std::transform(values.begin(), values.end(), p, [](double x) { return static_cast<real>(x); });
    scene->model.*field = Param{p, 0};
  }
  void set(const int* ModelView::*field, const std::vector<int>& values) {
    int* const p = scene.keep<int>(values.size());
    std::copy(values.begin(), values.end(), p);
    scene->model.*field = p;
  }
  ContactParameters<real> mix() const {
    return contact_parameters(scene->model_at<real>(0, 0), 0, 1, -1);
  }
};

TEST(Parameters, TakeTheLargerFrictionAndDimensionAndTheWeightedMeanOfTheRest) {
  TwoGeoms two;
  two.set(&ModelView::geom_friction, {0.5, 0.01, 0, 0.75, 0.001, 0});
  two.set(&ModelView::geom_condim, {1, 4});
  two.set(&ModelView::geom_solmix, {3, 1});
  two.set(&ModelView::geom_solref, {0.02, 1, 0.06, 2});
  const ContactParameters<real> p = two.mix();
  EXPECT_EQ(p.friction[0], real(0.75));
  EXPECT_EQ(p.friction[1], real(0.75));
  EXPECT_EQ(p.friction[2], real(0.01));
  EXPECT_EQ(p.friction[3], real(1e-5));  // never below
  EXPECT_EQ(p.dim, 4);
  EXPECT_TRUE(swept::test::near(p.solref[0], 0.03, {1e-16, 1e-8}));  // one rounding
  EXPECT_TRUE(swept::test::near(p.solref[1], 1.25, {0, 0}));         // exact
  EXPECT_EQ(p.solreffriction[0], 0);
}

TEST(Parameters, TakeTheSmallerReferenceIfOneIsStiffnessAndDamping) {
  TwoGeoms two;
  two.set(&ModelView::geom_solref, {0.02, 1, -100, 2});
  const ContactParameters<real> p = two.mix();
  EXPECT_EQ(p.solref[0], -100);
  EXPECT_EQ(p.solref[1], 1);
}

TEST(Parameters, FollowTheHigherPriority) {
  TwoGeoms two;
  two.set(&ModelView::geom_priority, {0, 1});
  two.set(&ModelView::geom_friction, {1, 0.01, 0.01, 0.25, 0.001, 0.002});
  two.set(&ModelView::geom_condim, {6, 1});
  two.set(&ModelView::geom_solref, {0.02, 1, 0.5, 2});
  const ContactParameters<real> p = two.mix();
  EXPECT_EQ(p.friction[0], real(0.25));
  EXPECT_EQ(p.friction[2], real(0.001));
  EXPECT_EQ(p.friction[4], real(0.002));
  EXPECT_EQ(p.solref[0], real(0.5));
  EXPECT_EQ(p.dim, 1);
}

TEST(Parameters, WeighGeomsWithoutWeightByRule) {
  EXPECT_EQ(solver_mix<real>(0, 0), real(0.5));
  EXPECT_EQ(solver_mix<real>(0, 1), 0);
  EXPECT_EQ(solver_mix<real>(1, 0), 1);
  EXPECT_EQ(solver_mix<real>(1, 3), real(0.25));
}

}  // namespace
}  // namespace swept::SWEPT_NS
