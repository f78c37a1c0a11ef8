// SPDX-License-Identifier: Apache-2.0
// The first rounds of GJK in packs, and the axis of two boxes in packs: every lane has the bits of
// one environment alone, whatever the others are; what they say is true; and a search that goes on
// from where they ended finds the distance of one that began by itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "kernels/geometry/box_axis.h"
#include "kernels/geometry/distance.h"
#include "kernels/geometry/pack_gjk.h"
#include "kernels/geometry/poses.h"
#include "kernels/geometry/statistics.h"

namespace swept::SWEPT_NS {
namespace {

constexpr bool single = sizeof(real) == 4;
constexpr int nkind = static_cast<int>(std::size(kinds));

/// A number of each lane, from memory.
template <class V, class F>
V gather(const F& of_lane) {
  alignas(64) real value[lanes_of<V>];
  for (int l = 0; l < lanes_of<V>; ++l) {
    value[l] = of_lane(l);
  }
  return load<V>(value);
}
template <class V, class F>
Vec3<V> gather3(const F& of_lane) {
  return {gather<V>([&](int l) { return of_lane(l).x; }),
          gather<V>([&](int l) { return of_lane(l).y; }),
          gather<V>([&](int l) { return of_lane(l).z; })};
}

/// Pairs of one kind, side by side; the first of them stands in lane 0 of V.
struct Couples {
  std::vector<Shape> a, b;
  std::vector<real> cutoff;
};

/// One core of shapes of one kind.
template <class V>
void pack_core(const Shape* shapes, PackCore<V>* core) {
  const Core first = core_of(shapes[0]);
  core->kind = first.kind;
  core->size = gather3<V>([&](int l) { return core_of(shapes[l]).size; });
  core->radius = gather<V>([&](int l) { return core_of(shapes[l]).radius; });
  core->hull = first.hull;
  for (int& warm : core->warm) {
    warm = -1;
  }
}

/// The first rounds from couple `at` on.
template <class V>
struct Rounds {
  PackPair<V> pair;
  PackSimplex<V> simplex;
  PackEnd<V> end;

  Rounds(const Couples& c, int at, mask_t<V> active) {
    const Shape* const a = c.a.data() + at;
    const Shape* const b = c.b.data() + at;
    pack_core<V>(a, &pair.core1);
    pack_core<V>(b, &pair.core2);
    std::vector<CorePair> both;
    for (int l = 0; l < lanes_of<V>; ++l) {
      both.push_back(pair_of(a[l], b[l]));
    }
    const auto of = [&](int l) { return both[static_cast<std::size_t>(l)]; };
    const Vec3<V> x = gather3<V>([&](int l) { return column_x(of(l).turn); }),
                  y = gather3<V>([&](int l) { return column_y(of(l).turn); }),
                  z = gather3<V>([&](int l) { return column_z(of(l).turn); });
    pair.turn = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    pair.shift = gather3<V>([&](int l) { return of(l).shift; });
    pair.polytopes = both[0].polytopes;
    const V cutoff = gather<V>([&](int l) { return c.cutoff[static_cast<std::size_t>(at + l)]; });
    end = pack_gjk(&pair, V(cutoff + pair.core1.radius + pair.core2.radius), active, &simplex);
  }

  /// What a lane says: how it ended and all numbers of its simplex that mean something.
  std::vector<real> says(int l) const {
    std::vector<real> all = {lane(end.far, l) ? 1_r : 0_r, lane(end.overlap, l) ? 1_r : 0_r};
    if (lane(end.far, l)) {
      return all;
    }
    const real count = lane(simplex.count, l);
    all.insert(all.end(), {count, lane(simplex.square, l), lane(simplex.scale2, l)});
    const auto add = [&](const PackVertex<V>& v, bool there) {
      for (const V& x : {v.w.x, v.w.y, v.w.z, v.a.x, v.a.y, v.a.z, v.id1, v.id2}) {
        all.push_back(there ? lane(x, l) : 0_r);
      }
    };
    add(simplex.oldest, count > 2_r);
    add(simplex.middle, count > 1_r);
    add(simplex.newest, count > 0_r);
    add(simplex.apex, lane(end.overlap, l));
    return all;
  }

  GjkStart start(int l) const {
    GjkStart s;
    s.overlap = lane(end.overlap, l);
    s.rounds = pack_rounds;
    s.scale2 = lane(simplex.scale2, l);
    s.simplex.count = 0;
    const auto add = [&](const PackVertex<V>& v, bool there) {
      if (there) {
        s.simplex.vertex[s.simplex.count++] = {{lane(v.w.x, l), lane(v.w.y, l), lane(v.w.z, l)},
                                               {lane(v.a.x, l), lane(v.a.y, l), lane(v.a.z, l)},
                                               static_cast<int>(lane(v.id1, l)),
                                               static_cast<int>(lane(v.id2, l))};
      }
    };
    const real count = lane(simplex.count, l);
    add(simplex.oldest, count > 2_r);
    add(simplex.middle, count > 1_r);
    add(simplex.newest, count > 0_r);
    add(simplex.apex, s.overlap);
    return s;
  }
};

Couples draw(Poses* poses, int k1, int k2, Draw how, int n) {
  Couples c;
  for (int i = 0; i < n; ++i) {
    Shape a, b;
    poses->couple(k1, k2, how, &a, &b);
    c.a.push_back(a);
    c.b.push_back(b);
    // most touch their cutoff nearly, so that the search is long
    Nearest n0 = {};
    const real x = convex_distance(a, b, 1e9_r, &n0);
    c.cutoff.push_back(x < 0_r ? 0_r : x * static_cast<real>(poses->uniform(0.5, 1.5)));
  }
  return c;
}

template <class F>
void for_all_pairs(const F& f) {
  for (int k1 = 0; k1 < nkind; ++k1) {
    for (int k2 = k1; k2 < nkind; ++k2) {
      f(k1, k2);
    }
  }
}

TEST(PackGjk, GivesEveryLaneTheBitsOfOneAlone) {
  Poses poses(11);
  int open = 0, ended = 0;
  for_all_pairs([&](int k1, int k2) {
    for (const Draw how : draws) {
      for (int turn = 0; turn < case_count(2, 40); ++turn) {
        const Couples c = draw(&poses, k1, k2, how, lanes_of<pack>);
        const real some = static_cast<real>(turn % 2);
        // in odd turns every third lane is left out, and the others must not see it
        const auto taken = [&](int l) { return some == 0_r || l % 3 != 0; };
        const Rounds<pack> all(
            c, 0, gather<pack>([&](int l) { return taken(l) ? 1_r : 0_r; }) > pack(0.5_r));
        for (int l = 0; l < lanes_of<pack>; ++l) {
          if (!taken(l)) {
            EXPECT_FALSE(lane(all.end.far, l) || lane(all.end.overlap, l));
            continue;
          }
          const Rounds<real> one(c, l, true);
          ASSERT_EQ(all.says(l), one.says(0)) << kinds[k1].name << " " << kinds[k2].name;
          ++(one.end.far || one.end.overlap ? ended : open);
        }
      }
    }
  });
  std::printf("%d lanes ended in packs, %d were left open\n", ended, open);
  EXPECT_GT(ended, 0);
  EXPECT_GT(open, 0);
}

TEST(PackGjk, SaysWhatIsTrueAndLeavesAStartThatFindsTheSameDistance) {
  Poses poses(12);
  // distances of round shapes end at a gap; f32 numbers of order 1
  const double bar = single ? 2e-5 : 4e-9;
  double worst = 0;
  int far = 0, overlap = 0, open = 0;
  for_all_pairs([&](int k1, int k2) {
    for (const Draw how : {Draw::general, Draw::deep}) {
      const Couples c = draw(&poses, k1, k2, how, case_count(100, 5000));
      for (int i = 0; i < static_cast<int>(c.a.size()); ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        const Shape &a = c.a[at], &b = c.b[at];
        const Rounds<real> r(c, i, true);
        Nearest alone = {}, after = {};
        const double x = static_cast<double>(convex_distance(a, b, 1e9_r, &alone));
        const double scale = static_cast<double>(Poses::bound(a) + Poses::bound(b));
        const std::string name = std::string(kinds[k1].name) + " " + kinds[k2].name;
        if (r.end.far) {
          ++far;
          EXPECT_GE(x, static_cast<double>(c.cutoff[at]) - bar * scale) << name;
          continue;
        }
        const double radii = static_cast<double>(r.pair.core1.radius + r.pair.core2.radius);
        ++(r.end.overlap ? overlap : open);
        if (r.end.overlap) {
          EXPECT_LE(x + radii, bar * scale) << name;
        }
        const GjkStart start = r.start(0);
        const double y =
            static_cast<double>(convex_distance(a, b, 1e9_r, &after, nullptr, nullptr, &start));
        worst = std::max(worst, std::abs(x - y) / scale);
        EXPECT_NEAR(x, y, bar * scale) << name;
      }
    }
  });
  std::printf("%d far, %d overlap, %d open; distances differ by %.1e\n", far, overlap, open, worst);
  EXPECT_GT(std::min(far, overlap), 1000);
  // those apart and within the cutoff are always open; most of the others are decided
  EXPECT_LT(open, far + overlap);
}

// The origin then lies in the plane of a triangle of the difference, and the nearest point of that
// triangle may be the origin itself.
TEST(PackGjk, LeavesAGoodStartWhereAllLiesInOnePlane) {
  Poses poses(14);
  const double bar = single ? 5e-5 : 4e-9;
  int touching = 0;
  for_all_pairs([&](int k1, int k2) {
    if (kinds[k1].type == geom_mesh || kinds[k2].type == geom_mesh) {
      return;
    }
    Couples c = draw(&poses, k1, k2, Draw::general, case_count(200, 5000));
    for (std::size_t i = 0; i < c.a.size(); ++i) {
      for (Shape* const s : {&c.a[i], &c.b[i]}) {
        const real t = static_cast<real>(poses.uniform(-3, 3));
        const real cosine = std::cos(t), sine = std::sin(t);
        s->pos.z = 0_r;
        s->mat = {cosine, -sine, 0_r, sine, cosine, 0_r, 0_r, 0_r, 1_r};
      }
      c.cutoff[i] = 0.1_r;
      const Rounds<real> r(c, static_cast<int>(i), true);
      Nearest alone = {}, after = {};
      const double x = static_cast<double>(convex_distance(c.a[i], c.b[i], 1e9_r, &alone));
      touching += x < 0 ? 1 : 0;
      if (!r.end.far) {
        const GjkStart start = r.start(0);
        const double y = static_cast<double>(
            convex_distance(c.a[i], c.b[i], 1e9_r, &after, nullptr, nullptr, &start));
        const double scale = static_cast<double>(Poses::bound(c.a[i]) + Poses::bound(c.b[i]));
        EXPECT_NEAR(x, y, bar * scale) << kinds[k1].name << " " << kinds[k2].name;
      }
    }
  });
  EXPECT_GT(touching, 500);
}

TEST(BoxAxis, GivesEveryLaneTheBitsOfOneAlone) {
  Poses poses(13);
  int box = 0;
  while (kinds[box].type != geom_box) {
    ++box;
  }
  int apart = 0, faces = 0, edges = 0;
  for (int turn = 0; turn < case_count(1000, 20000); ++turn) {
    const Couples c = draw(&poses, box, box, draws[turn % 4], lanes_of<pack>);
    const auto axis = [&]<class V>(V, int at) {
      const auto of = [&](const std::vector<Shape>& s, int l) {
        return s[static_cast<std::size_t>(at + l)];
      };
      const auto place = [&](const std::vector<Shape>& s) {
        return gather3<V>([&](int l) { return of(s, l).pos; });
      };
      const auto size = [&](const std::vector<Shape>& s) {
        return gather3<V>([&](int l) { return of(s, l).size; });
      };
      const auto turned = [&](const std::vector<Shape>& s) {
        const Vec3<V> x = gather3<V>([&](int l) { return column_x(of(s, l).mat); }),
                      y = gather3<V>([&](int l) { return column_y(of(s, l).mat); }),
                      z = gather3<V>([&](int l) { return column_z(of(s, l).mat); });
        return Mat3<V>{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
      };
      return box_axis(
          box_pair(place(c.a), turned(c.a), size(c.a), place(c.b), turned(c.b), size(c.b)),
          V(0.01_r));
    };
    const BoxAxis<pack> all = axis(pack(0_r), 0);
    for (int l = 0; l < lanes_of<pack>; ++l) {
      const BoxAxis<real> one = axis(0_r, l);
      ASSERT_EQ(lane(all.apart, l), one.apart);
      if (!one.apart) {
        ASSERT_EQ(lane(all.i, l), one.i);
        ASSERT_EQ(lane(all.j, l), one.j);
      }
      ++(one.apart ? apart : (one.j < 0_r ? faces : edges));
    }
  }
  EXPECT_GT(std::min(apart, std::min(faces, edges)), 100);
}

}  // namespace
}  // namespace swept::SWEPT_NS
