// SPDX-License-Identifier: Apache-2.0
// Building the grammar table from its rows.
#include "host/load/grammar.h"

#include <algorithm>
#include <stdexcept>

namespace swept::load_detail {
namespace {

AttributeRule make_rule(const Row& row) {
  AttributeRule rule;
  rule.name = row.name;
  rule.type = ValueType::parse(row.type);
  rule.set = row.set;
  if (!row.only.empty()) {
    rule.only = split(row.only, '|');
  }
  return rule;
}

}  // namespace

bool AttributeRule::supports(const Value& value) const {
  if (only.empty() || !value.given) {
    return true;
  }
  if (type.kind == ValueType::real || type.kind == ValueType::integer) {
    // every number must be one of the supported ones
    return std::all_of(value.numbers.begin(), value.numbers.end(), [this](double number) {
      return std::find(only.begin(), only.end(), shortest(number == 0.0 ? 0.0 : number)) !=
             only.end();
    });
  }
  return std::find(only.begin(), only.end(), value.text) != only.end();
}

const AttributeRule* ElementRule::attribute(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [name](const AttributeRule& rule) { return rule.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

const ChildRule* ElementRule::child(std::string_view tag) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [tag](const ChildRule& rule) { return rule.tag == tag; });
  return found == children.end() ? nullptr : &*found;
}

Grammar::Grammar() {
  add_settings_rules(this);
  add_default_rules(this);
  add_tree_rules(this);
  add_geometry_rules(this);
  add_reference_rules(this);
  add_actuator_rules(this);
  add_unsupported_rules(this);
  resolve();
}

const ElementRule& Grammar::rule(std::string_view id) const {
  const auto found = rules_.find(id);
  if (found == rules_.end()) {
    throw std::logic_error("no rule '" + std::string(id) + "' in the grammar");
  }
  return found->second;
}

void Grammar::add(std::string_view id, Support support, std::string_view children,
                  std::initializer_list<std::span<const Row>> rows, std::string_view plain) {
  ElementRule rule;
  rule.id = id;
  rule.support = support;
  for (const std::span<const Row> group : rows) {
    for (const Row& row : group) {
      rule.attributes.push_back(make_rule(row));
    }
  }
  for (const std::string_view entry : split(plain)) {
    const std::size_t colon = entry.find(':');
    rule.attributes.push_back(make_rule({entry.substr(0, colon), entry.substr(colon + 1)}));
  }
  if (!rules_.emplace(id, std::move(rule)).second) {
    throw std::logic_error("two rules '" + std::string(id) + "' in the grammar");
  }
  children_.emplace(id, children);
}

void Grammar::exclusive(std::string_view id, std::string_view attributes) {
  rules_.at(id).exclusive.push_back(split(attributes));
}

void Grammar::resolve() {
  for (auto& [id, rule] : rules_) {
    for (std::string_view entry : split(children_.at(id))) {
      ChildRule child;
      child.once = entry.ends_with('?');
      entry.remove_suffix(child.once ? 1 : 0);
      const std::size_t equals = entry.find('=');
      child.tag = entry.substr(0, equals);
      child.rule = &this->rule(equals == entry.npos ? entry : entry.substr(equals + 1));
      rule.children.push_back(child);
    }
  }
}

const Grammar& grammar() {
  static const Grammar table;
  return table;
}

}  // namespace swept::load_detail
