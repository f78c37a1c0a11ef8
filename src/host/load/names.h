// SPDX-License-Identifier: Apache-2.0
// Names of parts of a scene that are copied: `replicate` appends to them, `attach` prepends to
// them, and references from outside the tree follow.
#pragma once

#include <swept/spec.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

using NameSet = std::set<std::string, std::less<>>;

/// The names in a part of a scene, by kind.
struct PartNames {
  NameSet bodies;
  NameSet joints;
  NameSet geoms;
  NameSet sites;
  NameSet cameras;
  NameSet lights;
  NameSet tendons;
  NameSet actuators;
  NameSet others;  ///< assets and custom fields, of any kind

  /// The set of a kind as `tuple` spells it, or null.
  const NameSet* of(std::string_view kind) const {
    const std::map<std::string_view, const NameSet*> kinds = {
        {"body", &bodies},  {"xbody", &bodies},   {"joint", &joints},
        {"geom", &geoms},   {"site", &sites},     {"camera", &cameras},
        {"light", &lights}, {"tendon", &tendons}, {"actuator", &actuators}};
    const auto found = kinds.find(kind);
    return found == kinds.end() ? nullptr : found->second;
  }
};

/// What is put before and after a name.
struct Affix {
  std::string prefix;
  std::string suffix;

  /// Changes a name; no name stays none.
  void apply(std::string* name) const {
    if (!name->empty()) {
      *name = prefix + *name + suffix;
    }
  }
};

/// Adds the names in a subtree, without that of `body` itself.
void collect_names(const Body& body, PartNames* names);

/// Changes every name in a subtree (without that of `body` itself), and targets that are in
/// `names`.
void rename_tree(const PartNames& names, const Affix& affix, Body* body);

// visit_references calls visit(set of names of the right kind, reference) for each reference that
// an element makes

template <class PairType, class Visit>
requires std::is_same_v<std::remove_const_t<PairType>, Pair>
void visit_references(const PartNames& names, PairType& pair, const Visit& visit) {
  visit(names.geoms, pair.geom1);
  visit(names.geoms, pair.geom2);
}

template <class ExcludeType, class Visit>
requires std::is_same_v<std::remove_const_t<ExcludeType>, Exclude>
void visit_references(const PartNames& names, ExcludeType& exclude, const Visit& visit) {
  visit(names.bodies, exclude.body1);
  visit(names.bodies, exclude.body2);
}

template <class TendonType, class Visit>
requires std::is_same_v<std::remove_const_t<TendonType>, Tendon>
void visit_references(const PartNames& names, TendonType& tendon, const Visit& visit) {
  for (auto& part : tendon.joints) {
    visit(names.joints, part.joint);
  }
}

template <class ActuatorType, class Visit>
requires std::is_same_v<std::remove_const_t<ActuatorType>, Actuator>
void visit_references(const PartNames& names, ActuatorType& actuator, const Visit& visit) {
  visit(actuator.trntype == TransmissionType::tendon ? names.tendons
        : actuator.trntype == TransmissionType::site ? names.sites
                                                     : names.joints,
        actuator.target);
  if (!actuator.refsite.empty()) {
    visit(names.sites, actuator.refsite);
  }
}

template <class TupleType, class Visit>
requires std::is_same_v<std::remove_const_t<TupleType>, Tuple>
void visit_references(const PartNames& names, TupleType& tuple, const Visit& visit) {
  for (auto& entry : tuple.entries) {
    const NameSet* const kind = names.of(entry.objtype);
    visit(kind == nullptr ? names.others : *kind, entry.objname);
  }
}

/// True if an element refers to any of the names.
template <class T>
bool refers_into(const PartNames& names, const T& element) {
  bool any = false;
  visit_references(names, element, [&any](const NameSet& set, const std::string& reference) {
    any = any || set.count(reference) > 0;
  });
  return any;
}

/// True if all that an element refers to is among the names, or the world, or in no tree.
template <class T>
bool refers_only_into(const PartNames& names, const T& element) {
  bool all = true;
  visit_references(names, element, [&](const NameSet& set, const std::string& reference) {
    all = all && (set.count(reference) > 0 || reference == "world" || &set == &names.others);
  });
  return all;
}

/// Changes an element's name, and its references that are among the names.
template <class T>
void rename_element(const PartNames& names, const Affix& affix, T* element) {
  affix.apply(&element->name);
  visit_references(names, *element, [&affix](const NameSet& set, std::string& reference) {
    if (set.count(reference) > 0) {
      affix.apply(&reference);
    }
  });
}

/// Adds the names of elements that satisfy `belongs`.
template <class T, class Belongs>
void collect_if(const std::vector<T>& elements, const Belongs& belongs, NameSet* names) {
  for (const T& element : elements) {
    if (!element.name.empty() && belongs(element)) {
      names->insert(element.name);
    }
  }
}

}  // namespace swept::load_detail
