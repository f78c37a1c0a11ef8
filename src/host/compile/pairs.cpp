// SPDX-License-Identifier: Apache-2.0
// Predefined contact pairs and excluded body pairs. Both are sorted by signature, in document order
// where signatures are equal.
#include "host/compile/passes.h"

#include <algorithm>
#include <numeric>

namespace swept::compiler {
namespace {

/// Bodies fit into half of the signature's bits.
constexpr int signature_bits = 16;

int signature(int body1, int body2) {
  return (body1 << signature_bits) + body2;
}

/// The order that sorts `keys`, stable.
std::vector<std::size_t> sorted_order(const std::vector<int>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

/// A pair whose references are resolved.
struct Resolved {
  int first;
  int second;
};

void fill_predefined(const Scene& scene, Model& model) {
  const auto& pairs = scene.spec.pairs;
  std::vector<Resolved> geoms;
  std::vector<int> keys;
  for (const Pair& pair : pairs) {
    int g1 = scene.resolve(scene.geom_ids, "geom", pair.geom1, "pair", pair);
    int g2 = scene.resolve(scene.geom_ids, "geom", pair.geom2, "pair", pair);
    if (scene.geoms[at(g1)].body > scene.geoms[at(g2)].body) {
      std::swap(g1, g2);
    }
    if (pair.condim != 1 && pair.condim != 3 && pair.condim != 4 && pair.condim != 6) {
      throw scene.error("pair", pair, "condim is " + std::to_string(pair.condim),
                        "it must be 1, 3, 4 or 6");
    }
    geoms.push_back({g1, g2});
    keys.push_back(signature(scene.geoms[at(g1)].body, scene.geoms[at(g2)].body));
  }
  int p = 0;
  for (const std::size_t from : sorted_order(keys)) {
    const Pair& pair = pairs[from];
    model.names.pair.push_back(pair.name);
    model.pair_dim[at(p)] = pair.condim;
    model.pair_geom1[at(p)] = geoms[from].first;
    model.pair_geom2[at(p)] = geoms[from].second;
    model.pair_signature[at(p)] = keys[from];
    set_row(model.pair_solref, p, pair.solref);
    set_row(model.pair_solreffriction, p, pair.solreffriction);
    set_row(model.pair_solimp, p, pair.solimp);
    model.pair_margin[at(p)] = pair.margin;
    model.pair_gap[at(p)] = pair.gap;
    set_row(model.pair_friction, p, pair.friction);
    ++p;
  }
}

void fill_excludes(const Scene& scene, Model& model) {
  const auto& excludes = scene.spec.excludes;
  std::vector<int> keys;
  for (const Exclude& exclude : excludes) {
    int b1 = scene.resolve(scene.body_ids, "body", exclude.body1, "exclude", exclude);
    int b2 = scene.resolve(scene.body_ids, "body", exclude.body2, "exclude", exclude);
    if (b1 > b2) {
      std::swap(b1, b2);
    }
    keys.push_back(signature(b1, b2));
  }
  int e = 0;
  for (const std::size_t from : sorted_order(keys)) {
    model.names.exclude.push_back(excludes[from].name);
    model.exclude_signature[at(e++)] = keys[from];
  }
}

}  // namespace

void fill_pairs(const Scene& scene, Model& model) {
  if ((model.npair > 0 || model.nexclude > 0) && model.nbody >= (1 << (signature_bits - 1))) {
    throw Error(
        "a scene with contact pairs or excludes has " + std::to_string(model.nbody) + " bodies",
        "at most 32767 are supported");
  }
  fill_predefined(scene, model);
  fill_excludes(scene, model);
}

}  // namespace swept::compiler
