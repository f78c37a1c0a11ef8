// SPDX-License-Identifier: Apache-2.0
// A pair of geoms explained: the verdict of the rules in words, and the parameters of a contact,
// mixed as kernels/collide/parameters.h mixes them.
#include <swept/explain.h>

#include <swept/compile.h>

#include "host/compile/collision_rules.h"
#include "host/compile/passes.h"
#include "host/compile/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace swept {

namespace {

using namespace compiler;

std::string quoted(const std::string& name, int id) {
  return name.empty() ? std::to_string(id) : "'" + name + "'";
}

class Explainer {
 public:
  explicit Explainer(const Spec& spec) : model_(compile(spec)), scene_(rewritten(spec)) {}

  Explanation explain(std::string_view text1, std::string_view text2) const {
    const int g1 = find(text1);
    const int g2 = find(text2);
    if (g1 == g2) {
      throw Error("geom " + geom_label(g1) + " is named twice", "name two geoms");
    }
    Explanation e;
    e.geoms = {describe(g1), describe(g2)};
    const Verdict verdict = judge(model_, g1, g2);
    e.rule = verdict.rule;
    e.also = verdict.also;
    e.collides = e.rule == CollisionRule::predefined_pair || e.rule == CollisionRule::allowed;
    e.why = reason(verdict, g1, g2);
    e.collider = collider_of(model_, g1, g2);
    if (verdict.pair >= 0) {
      take_pair(verdict.pair, &e);
    } else {
      mix(g1, g2, &e);
    }
    for (double& friction : e.friction) {
      constexpr double least = 1e-5;
      friction = std::max(friction, least);
    }
    return e;
  }

 private:
  static Spec rewritten(Spec spec) {
    rewrite(&spec);
    return spec;
  }

  /// The geom of a name, or of a number that is an id.
  int find(std::string_view text) const {
    const auto named = scene_.geom_ids.find(std::string(text));
    if (named != scene_.geom_ids.end()) {
      return named->second;
    }
    int id = -1;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (code == std::errc() && end == text.data() + text.size() && id >= 0 && id < model_.ngeom) {
      return id;
    }
    throw Error(fmt::format("there is no geom '{}'", text),
                fmt::format("give the name of a geom, or its id from 0 to {}", model_.ngeom - 1));
  }

  Place place_of(Source source) const {
    const auto& files = scene_.spec.files;
    const bool known = source.file >= 0 && at(source.file) < files.size();
    return {known ? files[at(source.file)] : std::string(), source.line, {}};
  }

  /// " (file:line)", or nothing where it is not known.
  std::string standing(Source source) const {
    const Place place = place_of(source);
    return place.file.empty() ? std::string() : fmt::format(" ({}:{})", place.file, place.line);
  }

  std::string geom_label(int g) const { return quoted(model_.names.geom[at(g)], g); }
  std::string body_label(int b) const { return quoted(model_.names.body[at(b)], b); }

  ExplainedGeom describe(int g) const {
    const Geom& geom = *scene_.geoms[at(g)].item;
    const int body = model_.geom_bodyid[at(g)];
    ExplainedGeom e;
    e.id = g;
    e.name = geom.name;
    e.type = type_name(geom.type);
    const std::string& body_name = model_.names.body[at(body)];
    e.body = body_name.empty() ? std::to_string(body) : body_name;
    e.place = place_of(geom.source);
    e.contype = model_.geom_contype[at(g)];
    e.conaffinity = model_.geom_conaffinity[at(g)];
    e.priority = model_.geom_priority[at(g)];
    return e;
  }

  std::string reason(const Verdict& verdict, int g1, int g2) const {
    const int b1 = model_.geom_bodyid[at(g1)];
    const int b2 = model_.geom_bodyid[at(g2)];
    const std::string bodies = body_label(b1) + " and " + body_label(b2);
    switch (verdict.rule) {
      case CollisionRule::constraint_disabled:
        return "the flag 'constraint' is disabled: nothing collides";
      case CollisionRule::contact_disabled:
        return "the flag 'contact' is disabled: nothing collides";
      case CollisionRule::never_touch:
        return fmt::format("a {} and a {} never touch: there is no collider for them",
                           describe(g1).type, describe(g2).type);
      case CollisionRule::same_body:
        return fmt::format("both belong to body {}: geoms of one body are never checked",
                           body_label(b1));
      case CollisionRule::welded_together:
        return fmt::format("bodies {} are rigidly fixed to each other, both to {}", bodies,
                           body_label(model_.body_weldid[at(b1)]));
      case CollisionRule::both_static:
        return fmt::format("neither of the bodies {} can move", bodies);
      case CollisionRule::parent_child:
        return fmt::format("bodies {} are parent and child, and the flag 'filterparent' is enabled",
                           bodies);
      case CollisionRule::excluded:
        return fmt::format("contact/exclude names bodies {}{}", bodies, exclude_place(b1, b2));
      case CollisionRule::bits:
        return bits_text(g1, g2) + ": incompatible bits";
      case CollisionRule::predefined_pair:
        return fmt::format("contact/pair{} names them{}, whatever bodies and bits they have",
                           pair_name(verdict.pair), pair_place(g1, g2));
      case CollisionRule::allowed:
        break;
    }
    return bits_text(g1, g2) + ": bits match, and no filter applies";
  }

  /// Both halves of the test of bits, with the numbers.
  std::string bits_text(int g1, int g2) const {
    const auto half = [&](int a, int b) {
      const int contype = model_.geom_contype[at(a)];
      const int conaffinity = model_.geom_conaffinity[at(b)];
      return fmt::format("contype {} & conaffinity {} = {}", contype, conaffinity,
                         contype & conaffinity);
    };
    return half(g1, g2) + " and " + half(g2, g1);
  }

  std::string exclude_place(int b1, int b2) const {
    for (const Exclude& exclude : scene_.spec.excludes) {
      const int e1 = scene_.body_ids.at(exclude.body1);
      const int e2 = scene_.body_ids.at(exclude.body2);
      if (std::minmax(e1, e2) == std::minmax(b1, b2)) {
        return standing(exclude.source);
      }
    }
    return {};
  }

  std::string pair_place(int g1, int g2) const {
    for (const Pair& pair : scene_.spec.pairs) {
      const int p1 = scene_.geom_ids.at(pair.geom1);
      const int p2 = scene_.geom_ids.at(pair.geom2);
      if (std::minmax(p1, p2) == std::minmax(g1, g2)) {
        return standing(pair.source);
      }
    }
    return {};
  }

  std::string pair_name(int pair) const {
    const std::string& name = model_.names.pair[at(pair)];
    return name.empty() ? std::string() : " '" + name + "'";
  }

  void take_pair(int pair, Explanation* e) const {
    e->margin = model_.pair_margin[at(pair)];
    e->gap = model_.pair_gap[at(pair)];
    e->condim = model_.pair_dim[at(pair)];
    e->friction = get_row<5>(model_.pair_friction, pair);
    e->solref = get_row<2>(model_.pair_solref, pair);
    e->solreffriction = get_row<2>(model_.pair_solreffriction, pair);
    e->solimp = get_row<5>(model_.pair_solimp, pair);
    e->decided_by = "contact/pair" + pair_name(pair) + " itself";
  }

  std::array<double, 5> friction_of(int g) const {
    const Vec3 f = get_row<3>(model_.geom_friction, g);
    return {f[0], f[0], f[1], f[2], f[2]};
  }

  void mix(int g1, int g2, Explanation* e) const {
    const Model& m = model_;
    e->margin = m.geom_margin[at(g1)] + m.geom_margin[at(g2)];
    e->gap = m.geom_gap[at(g1)] + m.geom_gap[at(g2)];
    const int priority1 = m.geom_priority[at(g1)];
    const int priority2 = m.geom_priority[at(g2)];
    if (priority1 != priority2) {
      const int g = priority1 > priority2 ? g1 : g2;
      e->condim = m.geom_condim[at(g)];
      e->friction = friction_of(g);
      e->solref = get_row<2>(m.geom_solref, g);
      e->solimp = get_row<5>(m.geom_solimp, g);
      e->decided_by = fmt::format("geom {} alone: its priority {} is above {}", geom_label(g),
                                  std::max(priority1, priority2), std::min(priority1, priority2));
      return;
    }

    // the larger condim and friction, weighted means of the rest
    e->condim = std::max(m.geom_condim[at(g1)], m.geom_condim[at(g2)]);
    const auto f1 = friction_of(g1);
    const auto f2 = friction_of(g2);
    std::transform(f1.begin(), f1.end(), f2.begin(), e->friction.begin(),
                   [](double a, double b) { return std::max(a, b); });
    const double w = weight(m.geom_solmix[at(g1)], m.geom_solmix[at(g2)]);
    const Vec2 r1 = get_row<2>(m.geom_solref, g1);
    const Vec2 r2 = get_row<2>(m.geom_solref, g2);
    const auto i1 = get_row<5>(m.geom_solimp, g1);
    const auto i2 = get_row<5>(m.geom_solimp, g2);
    const bool standard = r1[0] > 0.0 && r2[0] > 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      e->solref[k] = standard ? w * r1[k] + (1.0 - w) * r2[k] : std::min(r1[k], r2[k]);
    }
    for (std::size_t k = 0; k < 5; ++k) {
      e->solimp[k] = w * i1[k] + (1.0 - w) * i2[k];
    }
    e->decided_by = fmt::format(
        "both, with equal priority {}: the larger condim and friction, solref and solimp mixed "
        "{:.6g} to {:.6g}",
        priority1, w, 1.0 - w);
  }

  /// Share of the first geom in a mean of the two.
  static double weight(double solmix1, double solmix2) {
    constexpr double tiny = 1e-15;
    if (solmix1 < tiny) {
      return solmix2 < tiny ? 0.5 : 0.0;
    }
    return solmix2 < tiny ? 1.0 : solmix1 / (solmix1 + solmix2);
  }

  Model model_;
  Scene scene_;
};

}  // namespace

Explanation explain_collision(const Spec& spec, std::string_view geom1, std::string_view geom2) {
  return Explainer(spec).explain(geom1, geom2);
}

}  // namespace swept
