// SPDX-License-Identifier: Apache-2.0
// The list of geom pairs that may collide, in the order of contacts: pairs of bodies ascending by
// (lower id, other id); for each pair of bodies the predefined pairs, then the geoms of the lower
// body (outer loop) against those of the other. Within an entry the geom of the smaller type comes
// first.
//
// Two bodies do not collide if they are welded together, if neither moves, if one hangs directly on
// the other (unless that filter is off, or the upper one is fixed to the world), if an exclude
// names them, or if no bits match. A predefined pair skips all of these tests and replaces the
// dynamic one.
#include <swept/compile.h>

#include "host/compile/passes.h"
#include "host/compile/shape.h"

#include <algorithm>
#include <unordered_set>

namespace swept::compiler {
namespace {

constexpr int no_collider = -1;
constexpr std::size_t listed_refusals = 20;  ///< how many pairs an error names

/// The collider of two types, the smaller one first.
int collider(int type1, int type2) {
  constexpr struct {
    int type1, type2, kind;
  } table[] = {
      {geom_plane, geom_sphere, collide_plane_sphere},
      {geom_plane, geom_capsule, collide_plane_capsule},
      {geom_plane, geom_box, collide_plane_box},
      {geom_sphere, geom_sphere, collide_sphere_sphere},
      {geom_sphere, geom_capsule, collide_sphere_capsule},
      {geom_sphere, geom_box, collide_sphere_box},
      {geom_capsule, geom_capsule, collide_capsule_capsule},
  };
  for (const auto& row : table) {
    if (row.type1 == type1 && row.type2 == type2) {
      return row.kind;
    }
  }
  return no_collider;
}

bool bits_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
}

/// A geom pair with its predefined pair, as an order-free key for sets.
long long pair_key(int a, int b) {
  return (static_cast<long long>(std::min(a, b)) << 32) | std::max(a, b);
}

class Candidates {
 public:
  Candidates(const Scene& scene, Model& model) : scene_(scene), m_(model) {}

  void collect() {
    int pair = 0;
    for (int b1 = 0; b1 < m_.nbody; ++b1) {
      for (int b2 = b1; b2 < m_.nbody; ++b2) {
        pair = collect_predefined(b1, b2, pair);
        if (b1 != b2 && bodies_collide(b1, b2)) {
          collect_dynamic(b1, b2);
        }
      }
    }
    refuse();
    m_.ncandidate = static_cast<int>(m_.candidate_kind.size());
  }

 private:
  /// Predefined pairs of two bodies, from `pair` on; returns the first pair of later bodies.
  int collect_predefined(int b1, int b2, int pair) {
    predefined_.clear();
    while (pair < m_.npair && body_of(m_.pair_geom1[at(pair)]) == b1 &&
           body_of(m_.pair_geom2[at(pair)]) == b2) {
      const int g1 = m_.pair_geom1[at(pair)];
      const int g2 = m_.pair_geom2[at(pair)];
      predefined_.insert(pair_key(g1, g2));
      add(g1, g2, pair);
      ++pair;
    }
    return pair;
  }

  void collect_dynamic(int b1, int b2) {
    for (int i = 0; i < m_.body_geomnum[at(b1)]; ++i) {
      for (int j = 0; j < m_.body_geomnum[at(b2)]; ++j) {
        const int g1 = m_.body_geomadr[at(b1)] + i;
        const int g2 = m_.body_geomadr[at(b2)] + j;
        if (bits_match(m_.geom_contype[at(g1)], m_.geom_conaffinity[at(g1)],
                       m_.geom_contype[at(g2)], m_.geom_conaffinity[at(g2)]) &&
            !predefined_.contains(pair_key(g1, g2))) {
          add(g1, g2, -1);
        }
      }
    }
  }

  bool bodies_collide(int b1, int b2) const {
    if (!bits_match(m_.body_contype[at(b1)], m_.body_conaffinity[at(b1)], m_.body_contype[at(b2)],
                    m_.body_conaffinity[at(b2)])) {
      return false;
    }
    const int weld1 = m_.body_weldid[at(b1)];
    const int weld2 = m_.body_weldid[at(b2)];
    if (weld1 == weld2 || (m_.body_dofnum[at(weld1)] == 0 && m_.body_dofnum[at(weld2)] == 0)) {
      return false;
    }
    const bool filter_parent = (m_.opt.disableflags & disable_filterparent) == 0;
    const int parent1 = m_.body_weldid[at(m_.body_parentid[at(weld1)])];
    const int parent2 = m_.body_weldid[at(m_.body_parentid[at(weld2)])];
    if (filter_parent && weld1 != 0 && weld2 != 0 && (weld1 == parent2 || weld2 == parent1)) {
      return false;
    }
    return !std::binary_search(m_.exclude_signature.begin(), m_.exclude_signature.end(),
                               (b1 << 16) + b2);
  }

  void add(int g1, int g2, int pair) {
    if (m_.geom_type[at(g1)] > m_.geom_type[at(g2)]) {
      std::swap(g1, g2);
    }
    const int type1 = m_.geom_type[at(g1)];
    const int type2 = m_.geom_type[at(g2)];
    // two planes never touch
    if (type2 == geom_plane) {
      return;
    }
    const int kind = collider(type1, type2);
    if (kind == no_collider) {
      refused_.push_back({g1, g2});
      return;
    }
    if (m_.candidate_kind.size() >= max_candidates) {
      throw Error(
          "the scene has more than " + std::to_string(max_candidates) +
              " pairs of geoms that may collide",
          "switch pairs off by contype and conaffinity, by excludes, or name the pairs that "
          "matter with contact/pair");
    }
    m_.candidate_geom1.push_back(g1);
    m_.candidate_geom2.push_back(g2);
    m_.candidate_pairid.push_back(pair);
    m_.candidate_kind.push_back(kind);
  }

  /// One error for all pairs that have no collider.
  void refuse() const {
    if (refused_.empty()) {
      return;
    }
    std::string list;
    for (std::size_t i = 0; i < std::min(refused_.size(), listed_refusals); ++i) {
      list += "\n  " + describe(refused_[i].first) + " and " + describe(refused_[i].second);
    }
    if (refused_.size() > listed_refusals) {
      list += "\n  and " + std::to_string(refused_.size() - listed_refusals) + " more";
    }
    const Geom& first = *scene_.geoms[at(refused_[0].first)].item;
    throw scene_.error("geom", first,
                       std::to_string(refused_.size()) +
                           (refused_.size() == 1 ? " pair" : " pairs") +
                           " of geoms may collide whose types have no collider",
                       "use other types, or switch them off by contype and conaffinity or by "
                       "contact/exclude:" +
                           list);
  }

  /// "capsule 'name' (file:line)", or with the id if it has no name.
  std::string describe(int g) const {
    const Geom& geom = *scene_.geoms[at(g)].item;
    std::string text(type_name(geom.type));
    text += geom.name.empty() ? " " + std::to_string(g) : " '" + geom.name + "'";
    const Source& source = geom.source;
    if (source.file >= 0 && at(source.file) < scene_.spec.files.size()) {
      text += " (" + scene_.spec.files[at(source.file)] + ":" + std::to_string(source.line) + ")";
    }
    return text;
  }

  int body_of(int geom) const { return m_.geom_bodyid[at(geom)]; }

  struct Refused {
    int first;
    int second;
  };

  const Scene& scene_;
  Model& m_;
  std::unordered_set<long long> predefined_;  ///< geom pairs of the current bodies
  std::vector<Refused> refused_;
};

}  // namespace

void fill_candidates(const Scene& scene, Model& model) {
  if ((model.opt.disableflags & (disable_constraint | disable_contact)) != 0) {
    return;
  }
  Candidates(scene, model).collect();
}

}  // namespace swept::compiler
