// SPDX-License-Identifier: Apache-2.0
// The grammar of MJCF 4.0 as one table: for every element its attributes (type, where the value
// goes, what is supported), its children, and whether swept supports it. The readers of both
// spellings, the checker, the builder and the JSON writer work from it.
#pragma once

#include "host/load/element.h"
#include "host/load/value.h"

#include <swept/load.h>

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// Stores a value into the struct that an element fills.
using Setter = void (*)(void* target, const Value& value);

/// One line of the table: an attribute.
struct Row {
  std::string_view name;
  std::string_view type;       ///< short spelling, see ValueType
  Setter set = nullptr;        ///< null: read by the builder, or without effect
  std::string_view only = {};  ///< values that are supported, split by '|'; empty: all; "-": none
};

struct AttributeRule {
  std::string_view name;
  ValueType type;
  Setter set = nullptr;
  std::vector<std::string_view> only;

  /// True if a value of this attribute is one that swept honours.
  bool supports(const Value& value) const;
};

enum class Support { yes, no };

struct ElementRule;

struct ChildRule {
  std::string_view tag;
  const ElementRule* rule = nullptr;
  bool once = false;  ///< at most one within its parent
};

struct ElementRule {
  std::string_view id;
  Support support = Support::yes;
  std::vector<AttributeRule> attributes;
  std::vector<ChildRule> children;
  std::vector<std::vector<std::string_view>> exclusive;  ///< at most one of each group may be given

  const AttributeRule* attribute(std::string_view name) const;
  const ChildRule* child(std::string_view tag) const;
};

/// All element rules. Rules are named by their tag, or "parent/tag" where a tag has several.
class Grammar {
 public:
  Grammar();

  const ElementRule& root() const { return rule("mujoco"); }
  const ElementRule& rule(std::string_view id) const;

  /// Adds an element.
  ///   children     "tag tag? tag=rule tag=rule?", '?': at most once; rules may be added later
  ///   rows         attributes that are stored
  ///   plain        attributes that are not stored: "name:type name:type"
  void add(std::string_view id, Support support, std::string_view children,
           std::initializer_list<std::span<const Row>> rows, std::string_view plain = {});

  /// Adds a group of attributes of which at most one may be given: "quat axisangle euler".
  void exclusive(std::string_view id, std::string_view attributes);

 private:
  void resolve();

  std::map<std::string_view, ElementRule> rules_;
  std::map<std::string_view, std::string_view> children_;
};

/// The table, built at first use.
const Grammar& grammar();

// the parts of the table, one file each
void add_settings_rules(Grammar* grammar);
void add_default_rules(Grammar* grammar);
void add_tree_rules(Grammar* grammar);
void add_geometry_rules(Grammar* grammar);
void add_reference_rules(Grammar* grammar);
void add_actuator_rules(Grammar* grammar);
void add_unsupported_rules(Grammar* grammar);

/// Throws Error for the first thing in a document that is not MJCF: unknown elements and
/// attributes, wrong types and counts, missing and repeated parts.
void check_grammar(const Document& document);

/// What is valid and not supported, in document order; to be called after check_grammar.
std::vector<Unsupported> find_unsupported(const Document& document);

/// Stores every attribute of an element that has a setter into the element's struct.
void store_attributes(const Element& element, const ElementRule& rule, void* target);

/// The JSON spelling of a checked document.
std::string write_json(const Document& document);

}  // namespace swept::load_detail
