// SPDX-License-Identifier: Apache-2.0
// Scenes with many geoms for tests of the sweep: bodies with a few geoms each, some of them fixed,
// welded or on others, with bits, margins, planes, predefined pairs and excludes; and the pairs of
// geoms that touch, from the rules spelled out and from testing all pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "kernels/collide/bounds.h"
#include "support/host_tile.h"

namespace swept::SWEPT_NS {

/// How the geoms lie.
enum class Spread { uniform, clustered, stacked, layer, line, coincident, sizes, outliers };
constexpr Spread all_spreads[] = {Spread::uniform, Spread::clustered, Spread::stacked,
                                  Spread::layer,   Spread::line,      Spread::coincident,
                                  Spread::sizes,   Spread::outliers};

/// A pair of geoms that touches.
struct Touching {
  int geom1, geom2, pairid;
  bool operator==(const Touching&) const = default;
};

class SweepScene {
 public:
  /// About so many geoms; the model has no list of candidates.
  SweepScene(int geoms, Spread spread, unsigned seed) : random_(seed), spread_(spread) {
    add_body(0, true);
    add_geom(geom_plane);
    add_geom(geom_plane);
    while (static_cast<int>(type_.size()) < geoms + 2) {
      const bool fixed = integer(0, 9) == 0;
      const int parent = integer(0, 3) == 0 ? integer(0, nbody() - 1) : 0;
      add_body(parent, fixed);
      for (int i = integer(1, 3); i > 0; --i) {
        add_geom(integer(0, 3) == 0 ? geom_capsule : geom_sphere);
      }
    }
    if (geoms > 60) {
      // many geoms on the world, and on one body that moves
      for (const bool fixed : {true, false}) {
        add_body(0, fixed);
        for (int i = 0; i < 12; ++i) {
          add_geom(geom_sphere);
        }
      }
    }
    fill();
  }

  const ModelArrays& arrays() const { return m_; }

  /// Positions of all geoms in an environment. The geoms of a moving body are near each other; those
  /// of one body in eight are not.
  std::vector<double> positions(unsigned env) {
    std::mt19937_64 random(env * 7919u + 13u);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    const double n = static_cast<double>(m_.ngeom);
    std::vector<double> x;
    std::array<double, 3> centre{};
    for (int g = 0; g < m_.ngeom; ++g) {
      std::array<double, 3> p{};
      const double side = 0.25 * std::cbrt(n);
      switch (spread_) {
        case Spread::clustered:
          if (g % 20 == 0) {
            centre = {20 * uniform(random), 20 * uniform(random), 20 * uniform(random)};
          }
          p = {centre[0] + 0.3 * normal(random), centre[1] + 0.3 * normal(random),
               centre[2] + 0.3 * normal(random)};
          break;
        case Spread::stacked:
          p = {0.02 * normal(random), 0.02 * normal(random), 0.15 * g};
          break;
        case Spread::layer:
          p = {0.2 * std::sqrt(n) * uniform(random), 0.2 * std::sqrt(n) * uniform(random),
               0.05 * uniform(random)};
          break;
        case Spread::line: {
          const double s = 0.1 * n * uniform(random);
          p = {s, 0.7 * s, -0.3 * s + 0.05 * normal(random)};
          break;
        }
        case Spread::coincident:
          p = {0.5 * static_cast<double>(g % 40), 0, 0};
          break;
        case Spread::outliers:
          p = {side * uniform(random), side * uniform(random), side * uniform(random)};
          if (g % 50 == 7) {
            const double far[] = {1e3, -1e6, 1e9, 3e-3};
            p[static_cast<std::size_t>(g % 3)] = far[g % 4];
          }
          break;
        default:
          p = {side * uniform(random), side * uniform(random), side * uniform(random)};
      }
      const int first = adr_[at(body_[at(g)])];
      if (dofs_[at(body_[at(g)])] > 0 && body_[at(g)] % 8 != 0 && first != g) {
        for (std::size_t k = 0; k < 3; ++k) {
          p[k] = x[3 * at(first) + k] + 0.05 * normal(random);
        }
      }
      x.insert(x.end(), p.begin(), p.end());
    }
    return x;
  }

  /// Give the model its list of candidates, by the rules one after the other, and no sweep.
  ModelArrays with_list() const {
    ModelArrays m = m_;
    for_pairs([&](int low, int high, int pairid) {
      const bool swap = type(low) > type(high);
      m.candidate_geom1.push_back(swap ? high : low);
      m.candidate_geom2.push_back(swap ? low : high);
      m.candidate_pairid.push_back(pairid);
      m.candidate_kind.push_back(kind(swap ? high : low, swap ? low : high));
    });
    m.ncandidate = static_cast<int>(m.candidate_kind.size());
    m.nsweep = m.nsweepplane = 0;
    m.sweep_geomadr.clear(), m.sweep_geomnum.clear(), m.sweep_planeid.clear();
    return m;
  }

  /// The touching pairs of an environment of a tile, in the order of contacts.
  std::vector<Touching> touching(const HostTile& tile, int env) const {
    std::vector<Touching> found;
    const ModelAt<real> m = tile.model_at(env);
    const DataAt<real> d = tile.data_at(env);
    for_pairs([&](int low, int high, int pairid) {
      const bool swap = type(low) > type(high);
      const GeomPair pair = {swap ? high : low, swap ? low : high, pairid,
                             kind(swap ? high : low, swap ? low : high)};
      if (bounds_touch(m, d, pair)) {
        found.push_back({pair.geom1, pair.geom2, pairid});
      }
    });
    return found;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int nbody() const { return static_cast<int>(parent_.size()); }
  int type(int geom) const { return type_[at(geom)]; }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  int kind(int geom1, int geom2) const {
    const bool capsule = type(geom2) == geom_capsule;
    switch (type(geom1)) {
      case geom_plane:
        return type(geom2) == geom_plane ? -1
                                         : (capsule ? collide_plane_capsule : collide_plane_sphere);
      case geom_sphere:
        return capsule ? collide_sphere_capsule : collide_sphere_sphere;
      default:
        return collide_capsule_capsule;
    }
  }

  /// visit(low, high, pairid) for all pairs that the rules allow, in the order of contacts.
  template <class Visit>
  void for_pairs(const Visit& visit) const {
    std::size_t next = 0;  // the first predefined pair of later bodies
    for (int b1 = 0; b1 < nbody(); ++b1) {
      for (int b2 = b1; b2 < nbody(); ++b2) {
        for (; next < pairs_.size() && body_[at(pairs_[next][0])] == b1 &&
               body_[at(pairs_[next][1])] == b2;
             ++next) {
          const auto [low, high] = pairs_[next];
          if (type(low) != geom_plane || type(high) != geom_plane) {
            visit(low, high, static_cast<int>(next));
          }
        }
        if (b1 == b2 || !bodies_collide(b1, b2)) {
          continue;
        }
        for (int g = adr_[at(b1)]; g < adr_[at(b1)] + num_[at(b1)]; ++g) {
          for (int h = adr_[at(b2)]; h < adr_[at(b2)] + num_[at(b2)]; ++h) {
            const bool bits = (contype_[at(g)] & conaffinity_[at(h)]) != 0 ||
                              (contype_[at(h)] & conaffinity_[at(g)]) != 0;
            if (bits && !predefined_.contains({g, h})) {
              visit(g, h, -1);
            }
          }
        }
      }
    }
  }

  bool bodies_collide(int b1, int b2) const {
    const int w1 = weld_[at(b1)], w2 = weld_[at(b2)];
    const auto above = [&](int w) { return weld_[at(parent_[at(w)])]; };
    return w1 != w2 && (dofs_[at(w1)] > 0 || dofs_[at(w2)] > 0) &&
           !(w1 != 0 && w2 != 0 && (above(w1) == w2 || above(w2) == w1)) &&
           !excluded_.contains({b1, b2});
  }

  void add_body(int parent, bool fixed) {
    const int id = nbody();
    parent_.push_back(parent);
    weld_.push_back(!fixed || id == 0 ? id : weld_[at(parent)]);
    dofs_.push_back(fixed ? 0 : 6);
    adr_.push_back(static_cast<int>(type_.size()));
    num_.push_back(0);
  }
  void add_geom(int type) {
    type_.push_back(type);
    body_.push_back(nbody() - 1);
    ++num_.back();
    contype_.push_back(type == geom_plane ? 1 : integer(0, 3));
    conaffinity_.push_back(type == geom_plane ? 1 : integer(0, 3));
    double size = uniform(0.05, 0.1);
    if (spread_ == Spread::sizes) {
      size = std::pow(10, uniform(-3, -0.3));
    }
    size_.insert(size_.end(), {type == geom_plane ? 1.0 : size, size, 0.0});
    rbound_.push_back(type == geom_plane ? 0 : (type == geom_sphere ? size : 2 * size));
    margin_.push_back(integer(0, 3) == 0 ? uniform(-0.01, 0.03) : 0);
    gap_.push_back(integer(0, 3) == 0 ? uniform(0, 0.02) : 0);
  }

  void fill() {
    ModelArrays& m = m_;
    m.nbody = nbody();
    m.ngeom = static_cast<int>(type_.size());
    choose_pairs();
    m.npair = static_cast<int>(pairs_.size());
    m.nexclude = static_cast<int>(excluded_.size());
    for (int b = 0; b < m.nbody; ++b) {
      const bool whole = dofs_[at(weld_[at(b)])] > 0 && num_[at(b)] <= 8;
      for (int i = 0; i < num_[at(b)]; ++i) {
        const int geom = adr_[at(b)] + i;
        if (type(geom) == geom_plane) {
          m.sweep_planeid.push_back(geom);
        } else if (!whole || i == 0) {
          m.sweep_geomadr.push_back(geom);
          m.sweep_geomnum.push_back(whole ? num_[at(b)] : 1);
        }
      }
    }
    m.nsweep = static_cast<int>(m.sweep_geomadr.size());
    m.nsweepplane = static_cast<int>(m.sweep_planeid.size());
    m.resize();
    m.body_parentid = parent_, m.body_weldid = weld_, m.body_dofnum = dofs_;
    m.body_geomadr = adr_, m.body_geomnum = num_;
    m.geom_type = type_, m.geom_bodyid = body_, m.geom_contype = contype_,
    m.geom_conaffinity = conaffinity_;
    m.geom_dataid.assign(type_.size(), -1);
    m.geom_condim.assign(type_.size(), 3);
    m.geom_size = size_, m.geom_rbound = rbound_, m.geom_margin = margin_, m.geom_gap = gap_;
    m.geom_solmix.assign(type_.size(), 1);
    int p = 0;
    for (const auto& [low, high] : pairs_) {
      m.pair_geom1[at(p)] = low, m.pair_geom2[at(p)] = high;
      m.pair_signature[at(p)] = (body_[at(low)] << 16) + body_[at(high)];
      m.pair_margin[at(p)] = 0.1;
      m.pair_dim[at(p)] = 3;
      ++p;
    }
    int e = 0;
    for (const auto& [low, high] : excluded_) {
      m.exclude_signature[at(e++)] = (low << 16) + high;
    }
  }

  /// Predefined pairs of any two geoms, sorted by bodies, and excluded bodies.
  void choose_pairs() {
    const int geoms = static_cast<int>(type_.size());
    for (int k = 0; k < geoms / 10; ++k) {
      int low = integer(0, geoms - 1), high = integer(0, geoms - 1);
      if (k % 2 == 0) {
        high = std::min(low + integer(1, 3), geoms - 1);
      }
      if (low != high) {
        pairs_.push_back({std::min(low, high), std::max(low, high)});
      }
    }
    predefined_.insert(pairs_.begin(), pairs_.end());
    std::stable_sort(pairs_.begin(), pairs_.end(), [&](const auto& a, const auto& b) {
      return std::tuple(body_[at(a[0])], body_[at(a[1])]) <
             std::tuple(body_[at(b[0])], body_[at(b[1])]);
    });
    for (int k = 0; k < nbody() / 3; ++k) {
      const int low = integer(0, nbody() - 1), high = std::min(low + integer(1, 4), nbody() - 1);
      if (low < high) {
        excluded_.insert({low, high});
      }
    }
  }

  std::mt19937_64 random_;
  Spread spread_;
  ModelArrays m_;
  std::vector<int> parent_, weld_, dofs_, adr_, num_;
  std::vector<int> type_, body_, contype_, conaffinity_;
  std::vector<double> size_, rbound_, margin_, gap_;
  std::vector<std::array<int, 2>> pairs_;
  std::set<std::array<int, 2>> predefined_, excluded_;
};

}  // namespace swept::SWEPT_NS
