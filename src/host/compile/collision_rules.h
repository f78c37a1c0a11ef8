// SPDX-License-Identifier: Apache-2.0
// The rules that say which geoms may collide, for one pair at a time; the list of candidates and
// the explanation of a pair ask the same functions.
#pragma once

#include <swept/explain.h>
#include <swept/model.h>

#include <vector>

namespace swept::compiler {

/// The ColliderKind of two types in either order, -1: these never touch.
int collider_of(int type1, int type2);

/// That of two geoms, of which a mesh may collide as it is.
int collider_of(const Model& model, int geom1, int geom2);

/// Whether what one is meets what the other collides with, either way.
constexpr bool bits_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
}

/// bits_match of two geoms.
bool geom_bits_match(const Model& model, int geom1, int geom2);

/// Rules that forbid each contact between two bodies, whatever their geoms.
bool same_weld(const Model& model, int body1, int body2);
bool both_static(const Model& model, int body1, int body2);
bool parent_and_child(const Model& model, int body1, int body2);  ///< and the filter is on
bool is_excluded(const Model& model, int body1, int body2);

/// None of these four forbids it.
bool bodies_may_collide(const Model& model, int body1, int body2);

/// The first predefined pair of two geoms, -1: none.
int predefined_pair(const Model& model, int geom1, int geom2);

/// What the rules say about two geoms.
struct Verdict {
  CollisionRule rule = CollisionRule::allowed;  ///< the one that decides
  std::vector<CollisionRule> also;              ///< further ones that forbid it
  int pair = -1;                                ///< predefined pair, -1: none
};
Verdict judge(const Model& model, int geom1, int geom2);

}  // namespace swept::compiler
