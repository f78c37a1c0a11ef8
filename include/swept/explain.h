// SPDX-License-Identifier: Apache-2.0
// Why two geoms can collide, or why they cannot.
//
//   const swept::Explanation e = swept::explain_collision(spec, "palm", "cube");
//   if (!e.collides) { puts(e.why.c_str()); }
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <swept/error.h>
#include <swept/spec.h>

namespace swept {

/// What decides whether two geoms can collide, in the order in which the rules are asked. A
/// predefined pair is stopped by the flags and by a missing collider only.
enum class CollisionRule {
  // they cannot
  constraint_disabled,  ///< the flag `constraint` is off
  contact_disabled,     ///< the flag `contact` is off
  never_touch,          ///< nothing collides two geoms of these types (plane and plane …)
  same_body,            ///< both belong to one body
  welded_together,      ///< their bodies are rigidly fixed to each other
  both_static,          ///< neither of their bodies can move
  parent_child,         ///< one body hangs directly on the other, and `filterparent` is on
  excluded,             ///< contact/exclude names their bodies
  bits,                 ///< contype and conaffinity share no bit, either way
  // they can
  predefined_pair,  ///< contact/pair names them
  allowed,          ///< bits match and no filter applies
};

/// The name of a rule, as in "parent_child".
std::string_view rule_name(CollisionRule rule);

/// The name of a ColliderKind, as in "plane-sphere". Throws std::out_of_range for another number.
std::string_view collider_name(int kind);

/// One of the two geoms.
struct ExplainedGeom {
  int id = -1;
  std::string name;  ///< may be empty
  std::string type;  ///< as MJCF writes it
  std::string body;  ///< name of its body, or its number if it has none
  Place place;       ///< file and line
  int contype = 0;
  int conaffinity = 0;
  int priority = 0;
};

/// What is known about two geoms before anything moves.
struct Explanation {
  std::array<ExplainedGeom, 2> geoms;
  bool collides = false;
  CollisionRule rule = CollisionRule::allowed;  ///< the one that decides
  std::string why;                              ///< it in a sentence, with names and numbers
  std::vector<CollisionRule> also;  ///< further rules that forbid the pair, were this one not there

  // what a contact of theirs has; meant even if a rule forbids it, but not for never_touch
  int collider = -1;                 ///< ColliderKind, -1: none
  double margin = 0;                 ///< [m] contacts push below it
  double gap = 0;                    ///< [m] contacts are listed below margin + gap
  int condim = 0;                    ///< 1, 3, 4 or 6
  std::array<double, 5> friction{};  ///< two tangents [1], spin, two rolls [m]
  Solref solref{};
  Solref solreffriction{};
  Solimp solimp{};
  std::string decided_by;  ///< who gives condim, friction, solref and solimp
};

/// Explain a pair of geoms.
///   spec    a scene that compiles
///   geom1, geom2   their names, or their ids in the compiled scene
/// Throws Error if the scene does not compile, or if there is no such geom.
Explanation explain_collision(const Spec& spec, std::string_view geom1, std::string_view geom2);

}  // namespace swept
