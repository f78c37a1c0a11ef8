// SPDX-License-Identifier: Apache-2.0
// Default classes. A nested class starts as a copy of its parent after all elements of the parent
// were read, and then takes its own.
#include "host/load/build.h"

namespace swept::load_detail {

Classes::Classes() {
  DefaultClass main;
  main.name = "main";
  classes_.push_back(std::move(main));
  by_name_.emplace("main", 0);
}

void Classes::read(const Trail& section) {
  const std::string* const name = section.element.find("class");
  if (name != nullptr && *name != "main") {
    section.fail("the outermost default class is 'main' and cannot be named '" + *name + "'",
                 "nest a <default class=\"" + *name + "\"> in it");
  }
  read_into(section, 0);
}

int Classes::find(const Trail& element, std::string_view attribute, int otherwise) const {
  const std::string* const name = element.element.find(attribute);
  if (name == nullptr || name->empty()) {
    return otherwise;
  }
  const auto found = by_name_.find(*name);
  if (found == by_name_.end()) {
    std::vector<std::string_view> names;
    for (const DefaultClass& known : classes_) {
      names.push_back(known.name);
    }
    const std::string near = nearest(*name, names);
    element.fail("there is no default class '" + *name + "'",
                 near.empty() ? std::string() : "did you mean '" + near + "'?");
  }
  return found->second;
}

void Classes::read_into(const Trail& section, int index) {
  const ElementRule& rule = grammar().rule("default");
  // records of this class
  for (const Element& element : section.element.children) {
    if (element.tag == "default") {
      continue;
    }
    const Trail below = section.child(element);
    const ElementRule& record = *rule.child(element.tag)->rule;
    DefaultClass& target = classes_[static_cast<std::size_t>(index)];
    if (grammar().rule("actuator").child(element.tag) != nullptr) {
      ActuatorDraft draft = target.actuator;
      shape_actuator(below, record, *this, index, &draft);
      target.actuator = std::move(draft);
      continue;
    }
    const std::map<std::string_view, void*> records = {
        {"joint", &target.joint},   {"geom", &target.geom},         {"site", &target.site},
        {"camera", &target.camera}, {"light", &target.light},       {"pair", &target.pair},
        {"tendon", &target.tendon}, {"material", &target.material}, {"texture", &target.texture},
        {"mesh", &target.mesh},
    };
    if (const auto found = records.find(element.tag); found != records.end()) {
      store_attributes(element, record, found->second);
    }
  }

  // nested classes
  for (const Element& element : section.element.children) {
    if (element.tag != "default") {
      continue;
    }
    const Trail below = section.child(element);
    const std::string* const name = element.find("class");
    if (name == nullptr || name->empty()) {
      below.fail("a nested default has no class", "name it: <default class=\"…\">");
    }
    if (by_name_.count(*name) > 0) {
      below.fail("default class '" + *name + "' is there already", "class names are global");
    }
    DefaultClass nested = at(index);
    nested.name = *name;
    nested.parent = index;
    const int nested_index = static_cast<int>(classes_.size());
    by_name_.emplace(*name, nested_index);
    classes_.push_back(std::move(nested));
    read_into(below, nested_index);
  }
}

}  // namespace swept::load_detail
