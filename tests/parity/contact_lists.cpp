// SPDX-License-Identifier: Apache-2.0
// Pairing and comparing contacts.
#include "parity/contact_lists.h"

#include "parity/separation.h"

#include <swept/types.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace swept::test {
namespace {

using GeomPair = std::pair<int, int>;

/// Contacts of a pair: their numbers in either list.
struct Lists {
  std::vector<std::size_t> ours;
  std::vector<int> theirs;
};

/// Two sets closer than this are the same.
struct Slack {
  Tolerance distance;  ///< [m]
  Tolerance place;     ///< [m] of points, and of normals
};

/// Flat shapes: exact but for rounding. f32: of a coordinate of a metre, amplified by the angles of a
/// simplex.
constexpr Slack flat = {{1e-9, 1e-4}, {1e-9, 2e-3}};

/// Curved shapes: where iterations end; points and normals go with the square root of that, times a
/// radius.
constexpr Slack curved = {{1e-8, 1e-4}, {1e-5, 2e-2}};

Slack slack_of(int type1, int type2) {
  const auto round = [](int type) { return type == mjGEOM_CYLINDER || type == mjGEOM_ELLIPSOID; };
  return round(type1) || round(type2) ? curved : flat;
}

std::string text_of(GeomPair pair) {
  return "geoms " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
}

std::string numbers(double got, double want) {
  char text[80];
  std::snprintf(text, sizeof text, ": %.9g for %.9g", got, want);
  return text;
}

/// Whether a pair's contacts are the only right ones, found without a search.
bool is_unique(int type1, int type2) {
  const auto simple = [](int type) {
    return type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE;
  };
  const bool box = (type1 == mjGEOM_PLANE || type1 == mjGEOM_SPHERE) && type2 == mjGEOM_BOX;
  return box || (simple(type1) && simple(type2));
}

ContactPoint point_of(double dist, const double* pos, const double* normal) {
  ContactPoint p = {dist, {}, {}};
  std::copy_n(pos, 3, p.pos.begin());
  std::copy_n(normal, 3, p.normal.begin());
  return p;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

class Comparer {
 public:
  Comparer(const Scene& scene, const Readback& readback, std::size_t env, Bar precision)
      : scene_(scene), readback_(readback), env_(env), precision_(precision) {}

  ContactComparison run() {
    std::map<GeomPair, Lists> pairs;
    const mjData& d = scene_.oracle.data();
    for (int c = 0; c < d.ncon; ++c) {
      pairs[{d.contact[c].geom[0], d.contact[c].geom[1]}].theirs.push_back(c);
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(readback_.integer("ncon", env_)); ++c) {
      pairs[{readback_.integer("contact.geom1", env_, c),
             readback_.integer("contact.geom2", env_, c)}]
          .ours.push_back(c);
    }
    const mjModel& m = scene_.oracle.model();
    for (auto& [pair, lists] : pairs) {
      if (is_unique(m.geom_type[pair.first], m.geom_type[pair.second])) {
        compare_unique(pair, lists);
      } else {
        compare_searched(pair, lists);
      }
    }
    return std::move(result_);
  }

 private:
  double number(const char* name, std::size_t c) const { return readback_.number(name, env_, c); }
  std::span<const double> row(const char* name, std::size_t c) const {
    return readback_.row(name, env_, c);
  }

  void add(const std::string& what, double got, double want) {
    result_.unique.add(residual(got, want), what + numbers(got, want));
  }
  void add(const std::string& what, std::span<const double> got, const mjtNum* want) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      add(what + "[" + std::to_string(i) + "]", got[i], want[i]);
    }
  }

  void compare_unique(GeomPair pair, const Lists& lists) {
    const std::string name = text_of(pair);
    if (lists.ours.size() != lists.theirs.size()) {
      result_.problem = name + ": " + std::to_string(lists.ours.size()) + " contacts for " +
                        std::to_string(lists.theirs.size());
      return;
    }
    for (std::size_t k = 0; k < lists.ours.size(); ++k) {
      const std::size_t c = lists.ours[k];
      const mjContact& want = scene_.oracle.data().contact[lists.theirs[k]];
      add(name + " dist", number("contact.dist", c), want.dist);
      add(name + " pos", row("contact.pos", c), want.pos);
      add(name + " frame", row("contact.frame", c), want.frame);
      add(name + " surfacevel", row("contact.surfacevel", c), want.surfacevel);
      compare_parameters(name, c, want);
      // without dofs the official library does not come as far as to exclude contacts
      if (scene_.model.nv > 0 && readback_.integer("contact.exclude", env_, c) != want.exclude) {
        result_.problem = name + ": exclude differs";
      }
    }
  }

  void compare_parameters(const std::string& name, std::size_t c, const mjContact& want) {
    add(name + " dim", number("contact.dim", c), want.dim);
    add(name + " includemargin", number("contact.includemargin", c), want.includemargin);
    add(name + " friction", row("contact.friction", c), want.friction);
    add(name + " solref", row("contact.solref", c), want.solref);
    add(name + " solimp", row("contact.solimp", c), want.solimp);
    add(name + " solreffriction", row("contact.solreffriction", c), want.solreffriction);
  }

  /// Tangents follow from the normal: the first is the y axis or, beside it, the z axis, made
  /// orthogonal; so they need not be compared where normals differ.
  void compare_tangents(const std::string& name, std::size_t c) {
    const std::span<const double> frame = row("contact.frame", c);
    const double* const n = frame.data();
    double t[6] = {0, 0, 0};
    t[std::fabs(n[1]) < 0.5 ? 1 : 2] = 1;
    mju_addToScl3(t, n, -mju_dot3(t, n));
    mju_normalize3(t);
    mju_cross(t + 3, n, t);
    add(name + " tangents", frame.subspan(3), t);
  }

  void compare_searched(GeomPair pair, Lists& lists) {
    const std::string name = text_of(pair);
    const mjData& d = scene_.oracle.data();
    ++result_.searched;
    ContactSets sets = {pair.first, pair.second, {}, {}};
    for (const std::size_t c : lists.ours) {
      sets.ours.push_back(point_of(number("contact.dist", c), row("contact.pos", c).data(),
                                   row("contact.frame", c).data()));
      compare_tangents(name, c);
      if (!lists.theirs.empty()) {
        compare_parameters(name, c, d.contact[lists.theirs[0]]);
      }
      const bool within = sets.ours.back().dist < number("contact.includemargin", c);
      if (scene_.model.nv > 0 &&
          readback_.integer("contact.exclude", env_, c) == (within ? 1 : 0)) {
        result_.problem = name + ": exclude is wrong";
      }
    }
    for (const int c : lists.theirs) {
      sets.theirs.push_back(point_of(d.contact[c].dist, d.contact[c].pos, d.contact[c].frame));
    }
    const Choice choice = compare_sets(name, sets);
    ++result_.choices[static_cast<std::size_t>(choice)];
    if (choice == Choice::ours) {
      result_.faults += name + " ";
    }
  }

  /// Compares points by their places; if that is too far, finds out why.
  Choice compare_sets(const std::string& name, const ContactSets& sets) {
    const mjModel& m = scene_.oracle.model();
    const Slack bars = slack_of(m.geom_type[sets.geom1], m.geom_type[sets.geom2]);
    const double slack = bars.distance.bar(precision_);
    if (sets.ours.empty() || sets.theirs.empty()) {
      return explain_missing(sets, slack);
    }
    Worst dist, place;
    std::vector<ContactPoint> left = sets.theirs;
    for (const ContactPoint& mine : sets.ours) {
      if (left.empty() || sets.ours.size() != sets.theirs.size()) {
        break;
      }
      const auto nearest = std::min_element(
          left.begin(), left.end(), [&](const ContactPoint& a, const ContactPoint& b) {
            return distance(a.pos, mine.pos) < distance(b.pos, mine.pos);
          });
      dist.add(std::fabs(mine.dist - nearest->dist),
               name + " dist" + numbers(mine.dist, nearest->dist));
      const double off =
          std::max(distance(mine.pos, nearest->pos), distance(mine.normal, nearest->normal));
      place.add(off, name + " pos or normal by " + std::to_string(off));
      left.erase(nearest);
    }
    if (!left.empty() || dist.size > slack || place.size > bars.place.bar(precision_)) {
      return explain(scene_.oracle, sets, slack);
    }
    result_.distance.add(dist.size, dist.where);
    result_.place.add(place.size, place.where);
    return Choice::none;
  }

  /// Only one side has contacts: whether the other one is right.
  Choice explain_missing(const ContactSets& sets, double slack) const {
    const mjModel& m = scene_.oracle.model();
    const std::vector<ContactPoint>& list = sets.ours.empty() ? sets.theirs : sets.ours;
    if (!Separation::knows(m.geom_type[sets.geom1]) ||
        !Separation::knows(m.geom_type[sets.geom2])) {
      return Choice::ours;
    }
    const Separation separation(scene_.oracle, sets.geom1, sets.geom2);
    const double largest = separation.peaks({list[0].normal})[0].height;
    double least = HUGE_VAL;
    for (const ContactPoint& c : list) {
      least = std::min(least, c.dist);
    }
    const bool exact = std::fabs(least - largest) <= slack;
    return exact == sets.ours.empty() ? Choice::ours : Choice::official;
  }

  const Scene& scene_;
  const Readback& readback_;
  const std::size_t env_;
  const Bar precision_;
  ContactComparison result_;
};

}  // namespace

void Worst::add(double difference, const std::string& what) {
  if (!(difference <= size)) {
    size = difference == difference ? difference : HUGE_VAL;
    where = what;
  }
}

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

ContactComparison compare_contacts(const Scene& scene, const Readback& readback, std::size_t env,
                                   Bar precision) {
  return Comparer(scene, readback, env, precision).run();
}

}  // namespace swept::test
