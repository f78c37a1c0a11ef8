// SPDX-License-Identifier: Apache-2.0
// Pairing and comparing contacts.
#include "parity/contact_lists.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace swept::test {
namespace {

using GeomPair = std::pair<int, int>;
using Lists = std::map<GeomPair, std::vector<int>>;

std::string text_of(GeomPair pair) {
  return "geoms " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
}

Lists official_lists(const mjData& d) {
  Lists lists;
  for (int c = 0; c < d.ncon; ++c) {
    lists[{d.contact[c].geom[0], d.contact[c].geom[1]}].push_back(c);
  }
  return lists;
}

Lists swept_lists(const Readback& readback, std::size_t env) {
  Lists lists;
  for (int c = 0; c < readback.integer("ncon", env); ++c) {
    const std::size_t at = static_cast<std::size_t>(c);
    lists[{readback.integer("contact.geom1", env, at), readback.integer("contact.geom2", env, at)}]
        .push_back(c);
  }
  return lists;
}

/// Largest relative difference of numbers so far, and its description.
struct Largest {
  double size = 0;
  std::string where;

  void add(const std::string& what, double got, double want) {
    const double difference = residual(got, want);
    if (!(difference <= size)) {
      size = difference == difference ? difference : HUGE_VAL;
      where = what + ": " + std::to_string(got) + " for " + std::to_string(want);
    }
  }
  void add(const std::string& what, std::span<const double> got, const mjtNum* want) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      add(what + "[" + std::to_string(i) + "]", got[i], want[i]);
    }
  }
};

}  // namespace

const std::vector<std::string>& contact_fields() {
  static const std::vector<std::string> names = {"ncon",
                                                 "contact.dist",
                                                 "contact.pos",
                                                 "contact.frame",
                                                 "contact.geom1",
                                                 "contact.includemargin",
                                                 "contact.friction",
                                                 "contact.solref",
                                                 "contact.geom2",
                                                 "contact.solreffriction",
                                                 "contact.solimp",
                                                 "contact.dim",
                                                 "contact.exclude",
                                                 "contact.efc_address",
                                                 "contact.mu",
                                                 "contact.surfacevel"};
  return names;
}

ContactPairing pair_contacts(const Scene& scene, const Readback& readback, std::size_t env) {
  const mjData& d = scene.oracle.data();
  ContactPairing pairing;
  pairing.official.assign(static_cast<std::size_t>(readback.integer("ncon", env)), -1);
  Lists ours = swept_lists(readback, env);
  Lists theirs = official_lists(d);
  for (const auto& [pair, list] : ours) {
    theirs[pair];
  }
  for (const auto& [pair, list] : theirs) {
    const std::vector<int>& own = ours[pair];
    if (own.size() != list.size()) {
      pairing.problem = text_of(pair) + ": " + std::to_string(own.size()) + " contacts for " +
                        std::to_string(list.size());
      continue;
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::size_t c = static_cast<std::size_t>(own[k]);
      pairing.official[c] = list[k];
      // without dofs the official library does not come as far as to exclude contacts
      if (scene.model.nv > 0 &&
          readback.integer("contact.exclude", env, c) != d.contact[list[k]].exclude) {
        pairing.problem = text_of(pair) + ": exclude differs";
      }
    }
  }
  return pairing;
}

double contact_difference(const Scene& scene, const Readback& readback, std::size_t env,
                          const ContactPairing& pairing, std::string* where) {
  Largest largest;
  for (std::size_t c = 0; c < pairing.official.size(); ++c) {
    if (pairing.official[c] < 0) {
      continue;
    }
    const mjContact& want = scene.oracle.data().contact[pairing.official[c]];
    const std::string name = text_of({want.geom[0], want.geom[1]}) + " ";
    largest.add(name + "dist", readback.number("contact.dist", env, c), want.dist);
    largest.add(name + "dim", readback.number("contact.dim", env, c), want.dim);
    largest.add(name + "includemargin", readback.number("contact.includemargin", env, c),
                want.includemargin);
    largest.add(name + "pos", readback.row("contact.pos", env, c), want.pos);
    largest.add(name + "frame", readback.row("contact.frame", env, c), want.frame);
    largest.add(name + "friction", readback.row("contact.friction", env, c), want.friction);
    largest.add(name + "surfacevel", readback.row("contact.surfacevel", env, c), want.surfacevel);
    largest.add(name + "solref", readback.row("contact.solref", env, c), want.solref);
    largest.add(name + "solimp", readback.row("contact.solimp", env, c), want.solimp);
    largest.add(name + "solreffriction", readback.row("contact.solreffriction", env, c),
                want.solreffriction);
  }
  *where = largest.where;
  return largest.size;
}

}  // namespace swept::test
