// SPDX-License-Identifier: Apache-2.0
// The list of geom pairs that may collide, in the order of contacts: pairs of bodies ascending by
// (lower id, other id); for each pair of bodies the predefined pairs, then the geoms of the lower
// body (outer loop) against those of the other. Within an entry the geom of the smaller type comes
// first.
//
// A predefined pair skips all rules about who collides with whom, and replaces the dynamic one.
//
// Scenes with too many pairs for a list or for testing them all are swept (kernels/collide/sweep.h).
// What is swept: a moving body with all its geoms, or one geom of a body that does not move or has
// many geoms, which would fill the space between them. Planes are tested against all items.
#include "host/compile/candidates.h"

#include <swept/compile.h>

#include "host/compile/collision_rules.h"
#include "host/compile/passes.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace swept::compiler {
namespace {

/// Moving bodies with more geoms are swept geom by geom.
constexpr int most_geoms_of_item = 8;

/// Pairs of bodies and of geoms that are looked at for a list, about a second's work: a scene with
/// more of them is swept, also if few of them may collide.
constexpr std::int64_t most_looks = std::int64_t{1} << 28;

/// Does a body move against the world?
bool moves(const Model& m, int body) {
  return m.body_dofnum[at(m.body_weldid[at(body)])] > 0;
}

/// A geom pair with its predefined pair, as an order-free key for sets.
long long pair_key(int a, int b) {
  return (static_cast<long long>(std::min(a, b)) << 32) | std::max(a, b);
}

/// Makes the list, and gives up when it is too long.
class Candidates {
 public:
  Candidates(Model& model, std::size_t most) : m_(model), most_(most) {}

  /// True if all fit; else the list is empty.
  bool collect() {
    clear();
    std::vector<int> bodies, moving;
    for (int b = 0; b < m_.nbody; ++b) {
      if (m_.body_contype[at(b)] != 0 || m_.body_conaffinity[at(b)] != 0) {
        bodies.push_back(b);
        if (moves(m_, b)) {
          moving.push_back(b);
        }
      }
    }
    // the dynamic pairs of bodies in order, and before each the predefined pairs up to it; what
    // does not move meets only what does
    for (std::size_t i = 0; i < bodies.size() && !full_; ++i) {
      const std::vector<int>& others = moves(m_, bodies[i]) ? bodies : moving;
      auto other = std::upper_bound(others.begin(), others.end(), bodies[i]);
      look_at(others.end() - other);
      for (; other != others.end() && !full_; ++other) {
        if (bodies_collide(bodies[i], *other)) {
          add_predefined(bodies[i], *other);
          add_dynamic(bodies[i], *other);
        }
      }
    }
    while (pair_ < m_.npair && !full_) {
      add_next_predefined();
    }
    if (full_) {
      clear();
    }
    m_.ncandidate = static_cast<int>(m_.candidate_kind.size());
    return !full_;
  }

 private:
  void clear() {
    for (std::vector<int>* list :
         {&m_.candidate_geom1, &m_.candidate_geom2, &m_.candidate_pairid, &m_.candidate_kind}) {
      list->clear();
    }
  }

  /// Gives up when it is too much.
  void look_at(std::int64_t pairs) {
    looks_ += pairs;
    full_ = full_ || looks_ > most_looks;
  }

  void add_next_predefined() {
    const int g1 = m_.pair_geom1[at(pair_)];
    const int g2 = m_.pair_geom2[at(pair_)];
    predefined_.insert(pair_key(g1, g2));
    add(g1, g2, pair_);
    ++pair_;
  }

  /// The predefined pairs of all pairs of bodies up to this one, which stand in order of bodies.
  void add_predefined(int b1, int b2) {
    while (pair_ < m_.npair) {
      const int first = body_of(m_.pair_geom1[at(pair_)]);
      const int second = body_of(m_.pair_geom2[at(pair_)]);
      if (first > b1 || (first == b1 && second > b2)) {
        return;
      }
      add_next_predefined();
    }
  }

  void add_dynamic(int b1, int b2) {
    look_at(std::int64_t{m_.body_geomnum[at(b1)]} * m_.body_geomnum[at(b2)]);
    if (full_) {
      return;
    }
    for (int i = 0; i < m_.body_geomnum[at(b1)]; ++i) {
      for (int j = 0; j < m_.body_geomnum[at(b2)]; ++j) {
        const int g1 = m_.body_geomadr[at(b1)] + i;
        const int g2 = m_.body_geomadr[at(b2)] + j;
        if (geom_bits_match(m_, g1, g2) && !predefined_.contains(pair_key(g1, g2))) {
          add(g1, g2, -1);
        }
      }
    }
  }

  bool bodies_collide(int b1, int b2) const {
    return bits_match(m_.body_contype[at(b1)], m_.body_conaffinity[at(b1)], m_.body_contype[at(b2)],
                      m_.body_conaffinity[at(b2)]) &&
           bodies_may_collide(m_, b1, b2);
  }

  void add(int g1, int g2, int pair) {
    if (m_.geom_type[at(g1)] > m_.geom_type[at(g2)]) {
      std::swap(g1, g2);
    }
    const int kind = collider_of(m_, g1, g2);
    if (kind < 0) {
      return;
    }
    if (m_.candidate_kind.size() >= most_) {
      full_ = true;
      return;
    }
    m_.candidate_geom1.push_back(g1);
    m_.candidate_geom2.push_back(g2);
    m_.candidate_pairid.push_back(pair);
    m_.candidate_kind.push_back(kind);
  }

  int body_of(int geom) const { return m_.geom_bodyid[at(geom)]; }

  Model& m_;
  std::size_t most_;
  int pair_ = 0;       ///< first predefined pair that is not listed
  bool full_ = false;  ///< there are more than `most_`, or too many looks
  std::int64_t looks_ = 0;
  std::unordered_set<long long> predefined_;  ///< geom pairs of the listed predefined pairs
};

/// The items of the sweep, in the order of geoms.
void fill_sweep(Model& m) {
  for (int b = 0; b < m.nbody; ++b) {
    const bool body_collides = m.body_contype[at(b)] != 0 || m.body_conaffinity[at(b)] != 0;
    const bool whole = moves(m, b) && m.body_geomnum[at(b)] <= most_geoms_of_item;
    for (int i = 0; i < m.body_geomnum[at(b)]; ++i) {
      const int geom = m.body_geomadr[at(b)] + i;
      const bool collides = m.geom_contype[at(geom)] != 0 || m.geom_conaffinity[at(geom)] != 0;
      if (m.geom_type[at(geom)] == geom_plane) {
        if (collides) {
          m.sweep_planeid.push_back(geom);
        }
      } else if (whole && i == 0 && body_collides) {
        m.sweep_geomadr.push_back(geom);
        m.sweep_geomnum.push_back(m.body_geomnum[at(b)]);
      } else if (!whole && collides) {
        m.sweep_geomadr.push_back(geom);
        m.sweep_geomnum.push_back(1);
      }
    }
  }
  if (m.sweep_geomadr.empty()) {
    // a scene of predefined pairs alone: one item says that it is swept
    m.sweep_geomadr.push_back(0);
    m.sweep_geomnum.push_back(1);
  }
  m.nsweep = static_cast<int>(m.sweep_geomadr.size());
  m.nsweepplane = static_cast<int>(m.sweep_planeid.size());
}

}  // namespace

void list_candidates(Model& m, std::size_t most, std::size_t sweep_from) {
  m.sweep_geomadr.clear();
  m.sweep_geomnum.clear();
  m.sweep_planeid.clear();
  m.nsweep = m.nsweepplane = 0;
  const bool listed = Candidates(m, most).collect();
  if (!listed || m.candidate_kind.size() > sweep_from * static_cast<std::size_t>(m.ngeom)) {
    fill_sweep(m);
  }
}

void fill_candidates(Model& model) {
  if ((model.opt.disableflags & (disable_constraint | disable_contact)) == 0) {
    list_candidates(model, max_candidates);
  }
}

}  // namespace swept::compiler
