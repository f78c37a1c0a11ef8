// SPDX-License-Identifier: Apache-2.0
// The rules, one function each; see the header.
#include "host/compile/collision_rules.h"

#include "host/compile/scene.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace swept {

std::string_view rule_name(CollisionRule rule) {
  constexpr std::array<std::string_view, 11> names = {
      "constraint_disabled", "contact_disabled", "never_touch",
      "same_body",           "welded_together",  "both_static",
      "parent_child",        "excluded",         "bits",
      "predefined_pair",     "allowed"};
  return names.at(static_cast<std::size_t>(rule));
}

std::string_view collider_name(int kind) {
  constexpr std::array<std::string_view, collider_kinds> names = {
      "plane-sphere",   "plane-capsule",   "plane-box",       "sphere-sphere",
      "sphere-capsule", "sphere-box",      "capsule-capsule", "plane-ellipsoid",
      "plane-cylinder", "sphere-cylinder", "capsule-box",     "plane-mesh",
      "box-box",        "convex",          "height field",    "surface"};
  return names.at(static_cast<std::size_t>(kind));
}

namespace compiler {

int collider_of(int type1, int type2) {
  constexpr struct {
    int type1, type2, kind;
  } table[] = {
      {geom_plane, geom_sphere, collide_plane_sphere},
      {geom_plane, geom_capsule, collide_plane_capsule},
      {geom_plane, geom_ellipsoid, collide_plane_ellipsoid},
      {geom_plane, geom_cylinder, collide_plane_cylinder},
      {geom_plane, geom_box, collide_plane_box},
      {geom_plane, geom_mesh, collide_plane_mesh},
      {geom_sphere, geom_sphere, collide_sphere_sphere},
      {geom_sphere, geom_capsule, collide_sphere_capsule},
      {geom_sphere, geom_cylinder, collide_sphere_cylinder},
      {geom_sphere, geom_box, collide_sphere_box},
      {geom_capsule, geom_capsule, collide_capsule_capsule},
      {geom_capsule, geom_box, collide_capsule_box},
      {geom_box, geom_box, collide_box_box},
  };
  const auto [low, high] = std::minmax(type1, type2);
  for (const auto& row : table) {
    if (row.type1 == low && row.type2 == high) {
      return row.kind;
    }
  }
  // nothing else touches a plane, and fields do not touch each other
  if (low == geom_plane || high <= geom_hfield) {
    return -1;
  }
  return low == geom_hfield ? collide_hfield : collide_convex;
}

int collider_of(const Model& m, int geom1, int geom2) {
  const int kind = collider_of(m.geom_type[at(geom1)], m.geom_type[at(geom2)]);
  const bool surface = m.geom_surface[at(geom1)] != 0 || m.geom_surface[at(geom2)] != 0;
  return surface && kind == collide_convex ? collide_surface : kind;
}

bool geom_bits_match(const Model& m, int geom1, int geom2) {
  return bits_match(m.geom_contype[at(geom1)], m.geom_conaffinity[at(geom1)],
                    m.geom_contype[at(geom2)], m.geom_conaffinity[at(geom2)]);
}

bool same_weld(const Model& m, int body1, int body2) {
  return m.body_weldid[at(body1)] == m.body_weldid[at(body2)];
}

bool both_static(const Model& m, int body1, int body2) {
  const auto still = [&](int body) { return m.body_dofnum[at(m.body_weldid[at(body)])] == 0; };
  return still(body1) && still(body2);
}

bool parent_and_child(const Model& m, int body1, int body2) {
  if ((m.opt.disableflags & disable_filterparent) != 0) {
    return false;
  }
  const int weld1 = m.body_weldid[at(body1)];
  const int weld2 = m.body_weldid[at(body2)];
  const auto carrier = [&](int weld) { return m.body_weldid[at(m.body_parentid[at(weld)])]; };
  return weld1 != 0 && weld2 != 0 && (weld1 == carrier(weld2) || weld2 == carrier(weld1));
}

bool is_excluded(const Model& m, int body1, int body2) {
  const auto [low, high] = std::minmax(body1, body2);
  return std::binary_search(m.exclude_signature.begin(), m.exclude_signature.end(),
                            (low << 16) + high);
}

bool bodies_may_collide(const Model& m, int body1, int body2) {
  return !same_weld(m, body1, body2) && !both_static(m, body1, body2) &&
         !parent_and_child(m, body1, body2) && !is_excluded(m, body1, body2);
}

int predefined_pair(const Model& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[at(p)];
    const int b = m.pair_geom2[at(p)];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) {
      return p;
    }
  }
  return -1;
}

Verdict judge(const Model& m, int geom1, int geom2) {
  const int body1 = m.geom_bodyid[at(geom1)];
  const int body2 = m.geom_bodyid[at(geom2)];
  Verdict verdict;
  std::vector<CollisionRule> against;
  const auto ask = [&](bool forbids, CollisionRule rule) {
    if (forbids) {
      against.push_back(rule);
    }
  };

  // what stops every pair
  ask((m.opt.disableflags & disable_constraint) != 0, CollisionRule::constraint_disabled);
  ask((m.opt.disableflags & disable_contact) != 0, CollisionRule::contact_disabled);
  ask(collider_of(m, geom1, geom2) < 0, CollisionRule::never_touch);

  // what stops a pair that is not predefined
  verdict.pair = predefined_pair(m, geom1, geom2);
  if (verdict.pair < 0) {
    ask(body1 == body2, CollisionRule::same_body);
    ask(body1 != body2 && same_weld(m, body1, body2), CollisionRule::welded_together);
    ask(!same_weld(m, body1, body2) && both_static(m, body1, body2), CollisionRule::both_static);
    ask(parent_and_child(m, body1, body2), CollisionRule::parent_child);
    ask(is_excluded(m, body1, body2), CollisionRule::excluded);
    ask(!geom_bits_match(m, geom1, geom2), CollisionRule::bits);
  }
  if (against.empty()) {
    verdict.rule = verdict.pair >= 0 ? CollisionRule::predefined_pair : CollisionRule::allowed;
  } else {
    verdict.rule = against.front();
    verdict.also.assign(against.begin() + 1, against.end());
  }
  return verdict;
}

}  // namespace compiler

}  // namespace swept
