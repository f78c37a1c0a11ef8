// SPDX-License-Identifier: Apache-2.0
// Walks a document beside the grammar table: what is not MJCF is an error, what is MJCF and not
// supported is listed.
#include "host/load/grammar.h"

#include <map>
#include <set>

namespace swept::load_detail {
namespace {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? std::string() : "did you mean '" + near + "'?";
}

/// JSON numbers and booleans fit some types only; strings fit all.
bool form_fits(Form form, const ValueType& type) {
  switch (form) {
    case Form::text:
      return true;
    case Form::number:
      return type.kind == ValueType::real || type.kind == ValueType::integer ||
             type.kind == ValueType::memory;
    case Form::boolean:
      return type.kind == ValueType::keyword && type.words.size() >= 2 &&
             type.words[0] == "false" && type.words[1] == "true";
  }
  return false;
}

void check_attribute(const Trail& trail, const ElementRule& rule, const Attribute& attribute) {
  const AttributeRule* const known = rule.attribute(attribute.name);
  if (known == nullptr) {
    std::vector<std::string_view> names;
    for (const AttributeRule& candidate : rule.attributes) {
      names.push_back(candidate.name);
    }
    trail.fail("unknown attribute '" + attribute.name + "'", did_you_mean(attribute.name, names));
  }
  if (!form_fits(attribute.form, known->type)) {
    trail.fail("attribute '" + attribute.name + "' is a " +
                   (attribute.form == Form::number ? "number" : "boolean") + ", expected " +
                   known->type.describe(),
               "write it as a string");
  }
  Value value;
  if (const std::string wrong = read_value(attribute.text, known->type, &value); !wrong.empty()) {
    trail.fail("attribute '" + attribute.name + "': " + wrong,
               known->type.kind == ValueType::keyword ? did_you_mean(value.text, known->type.words)
                                                      : std::string());
  }
  if (known->type.required && !value.given) {
    trail.fail("attribute '" + attribute.name + "' is empty", "it is required");
  }
}

void check_attributes(const Trail& trail, const ElementRule& rule) {
  const Element& element = trail.element;
  for (const Attribute& attribute : element.attributes) {
    check_attribute(trail, rule, attribute);
  }
  for (const AttributeRule& known : rule.attributes) {
    if (known.type.required && element.find(known.name) == nullptr) {
      trail.fail("attribute '" + std::string(known.name) + "' is missing", "it is required");
    }
  }
  for (const std::vector<std::string_view>& group : rule.exclusive) {
    std::string_view first;
    for (const std::string_view name : group) {
      if (element.find(name) == nullptr) {
        continue;
      }
      if (!first.empty()) {
        trail.fail("attributes '" + std::string(first) + "' and '" + std::string(name) +
                       "' exclude each other",
                   "give one of them");
      }
      first = name;
    }
  }
}

void check_element(const Trail& trail, const ElementRule& rule) {
  check_attributes(trail, rule);
  std::set<std::string_view> seen;
  for (const Element& element : trail.element.children) {
    const Trail below = trail.child(element);
    const ChildRule* const child = rule.child(element.tag);
    if (child == nullptr) {
      std::vector<std::string_view> tags;
      for (const ChildRule& candidate : rule.children) {
        tags.push_back(candidate.tag);
      }
      below.fail("unknown element '" + element.tag + "' in '" + trail.element.tag + "'",
                 did_you_mean(element.tag, tags));
    }
    if (child->once && !seen.insert(child->tag).second) {
      below.fail("a second element '" + element.tag + "' in '" + trail.element.tag + "'",
                 "there may be one");
    }
    check_element(below, *child->rule);
  }
}

class UnsupportedFinder {
 public:
  explicit UnsupportedFinder(std::vector<Unsupported>* found) : found_(found) {}

  void visit(const Trail& trail, const ElementRule& rule) {
    if (rule.support == Support::no) {
      found_->push_back({trail.place(), "element '" + std::string(rule.id) + "'"});
      return;
    }
    for (const Attribute& attribute : trail.element.attributes) {
      const AttributeRule& known = *rule.attribute(attribute.name);
      Value value;
      read_value(attribute.text, known.type, &value);
      if (!known.supports(value)) {
        found_->push_back(
            {trail.place(), "attribute " + attribute.name + "=\"" + attribute.text + "\""});
      }
    }
    for (const Element& element : trail.element.children) {
      visit(trail.child(element), *rule.child(element.tag)->rule);
    }
  }

 private:
  std::vector<Unsupported>* found_;
};

}  // namespace

void check_grammar(const Document& document) {
  const Trail trail{document, document.root};
  if (document.root.tag != "mujoco") {
    trail.fail("the root element is '" + document.root.tag + "'",
               document.root.tag == "robot" ? "URDF is not supported; convert it to MJCF"
                                            : "a scene has the root element 'mujoco'");
  }
  check_element(trail, grammar().root());
  for (const Document& model : document.models) {
    check_grammar(model);
  }
}

std::vector<Unsupported> find_unsupported(const Document& document) {
  std::vector<Unsupported> found;
  UnsupportedFinder(&found).visit(Trail{document, document.root}, grammar().root());
  for (const Document& model : document.models) {
    const std::vector<Unsupported> inner = find_unsupported(model);
    found.insert(found.end(), inner.begin(), inner.end());
  }
  return found;
}

void store_attributes(const Element& element, const ElementRule& rule, void* target) {
  for (const Attribute& attribute : element.attributes) {
    const AttributeRule* const known = rule.attribute(attribute.name);
    if (known == nullptr || known->set == nullptr) {
      continue;
    }
    Value value;
    if (read_value(attribute.text, known->type, &value).empty() && value.given) {
      known->set(target, value);
    }
  }
}

}  // namespace swept::load_detail
