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


/// Distance below which the official library lists contacts of two geoms.
double detection_distance(const mjModel& m, GeomPair pair) {
  for (int p = 0; p < m.npair; ++p) {
    if (std::minmax(m.pair_geom1[p], m.pair_geom2[p]) == std::minmax(pair.first, pair.second)) {
      return m.pair_margin[p] + m.pair_gap[p];
    }
  }
  return m.geom_margin[pair.first] + m.geom_margin[pair.second] + m.geom_gap[pair.first] +
         m.geom_gap[pair.second];
}


/// Pairs two lists of different length: each contact of the shorter one with the nearest of the other.
class UnequalLists {
 public:
  UnequalLists(const Scene& scene, const Readback& readback, std::size_t env)
      : scene_(scene), readback_(readback), env_(env) {}

  /// The contacts of the longer list that remain lie at the edge of detection.
  bool excused(GeomPair pair, const std::vector<int>& ours, const std::vector<int>& theirs,
               double width) const {
    const double edge = detection_distance(scene_.oracle.model(), pair);
    std::vector<double> more, fewer;
    for (const int c : ours) {
      (ours.size() > theirs.size() ? more : fewer).push_back(
          readback_.number("contact.dist", env_, static_cast<std::size_t>(c)));
    }
    for (const int c : theirs) {
      (ours.size() > theirs.size() ? fewer : more).push_back(
          scene_.oracle.data().contact[c].dist);
    }
    for (const double dist : fewer) {
      const auto nearest = std::min_element(more.begin(), more.end(), [&](double a, double b) {
        return std::fabs(a - dist) < std::fabs(b - dist);
      });
      more.erase(nearest);
    }
    return std::all_of(more.begin(), more.end(),
                       [&](double dist) { return std::fabs(dist - edge) < width; });
  }

 private:
  const Scene& scene_;
  const Readback& readback_;
  std::size_t env_;
};


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
  static const std::vector<std::string> names = {
      "ncon",           "contact.dist",           "contact.pos",    "contact.frame",
      "contact.geom1",  "contact.includemargin",  "contact.friction", "contact.solref",
      "contact.geom2",  "contact.solreffriction", "contact.solimp", "contact.dim",
      "contact.exclude", "contact.efc_address",   "contact.mu"};
  return names;
}


ContactPairing pair_contacts(const Scene& scene, const Readback& readback, std::size_t env,
                             double width) {
  const mjData& d = scene.oracle.data();
  ContactPairing pairing;
  const int ncon = readback.integer("ncon", env);
  pairing.official.assign(static_cast<std::size_t>(ncon), -1);
  Lists ours = swept_lists(readback, env);
  Lists theirs = official_lists(d);
  for (const auto& [pair, list] : ours) {
    theirs[pair];
  }

  // in order where both have as many
  pairing.complete = true;
  for (const auto& [pair, list] : theirs) {
    const std::vector<int>& own = ours[pair];
    for (std::size_t k = 0; own.size() == list.size() && k < own.size(); ++k) {
      const std::size_t c = static_cast<std::size_t>(own[k]);
      pairing.official[c] = list[k];
      const mjContact& contact = d.contact[list[k]];
      if (readback.integer("contact.exclude", env, c) != contact.exclude) {
        pairing.complete = false;
        if (std::fabs(contact.dist - contact.includemargin) < width) {
          pairing.excused = true;
        } else {
          pairing.problem = text_of(pair) + ": exclude differs";
        }
      }
    }
    if (own.size() != list.size()) {
      pairing.complete = false;
      if (UnequalLists(scene, readback, env).excused(pair, own, list, width)) {
        pairing.excused = true;
      } else {
        pairing.problem = text_of(pair) + ": " + std::to_string(own.size()) + " contacts for " +
                          std::to_string(list.size());
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
    largest.add(name + "solref", readback.row("contact.solref", env, c), want.solref);
    largest.add(name + "solimp", readback.row("contact.solimp", env, c), want.solimp);
    largest.add(name + "solreffriction", readback.row("contact.solreffriction", env, c),
                want.solreffriction);
  }
  *where = largest.where;
  return largest.size;
}

}  // namespace swept::test
