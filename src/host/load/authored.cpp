// SPDX-License-Identifier: Apache-2.0
#include "host/load/authored.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace swept::load_detail {
namespace {

/// How two different values are merged.
enum class Merge { smaller, larger, both, refuse };

struct MergeRule {
  std::string_view element;
  std::string_view attribute;  ///< empty: all of the element
  Merge merge;
};

constexpr MergeRule merge_rules[] = {
    {"option", "timestep", Merge::smaller},
    {"option", "tolerance", Merge::smaller},
    {"option", "ls_tolerance", Merge::smaller},
    {"option", "noslip_tolerance", Merge::smaller},
    {"option", "ccd_tolerance", Merge::smaller},
    {"option", "sleep_tolerance", Merge::smaller},
    {"map", "znear", Merge::smaller},
    {"global", "realtime", Merge::smaller},
    {"option", "iterations", Merge::larger},
    {"option", "ls_iterations", Merge::larger},
    {"option", "noslip_iterations", Merge::larger},
    {"option", "ccd_iterations", Merge::larger},
    {"option", "sdf_iterations", Merge::larger},
    {"option", "sdf_initpoints", Merge::larger},
    {"map", "zfar", Merge::larger},
    {"option", "actuatorgroupdisable", Merge::both},
    {"option", "", Merge::refuse},
    {"flag", "", Merge::both},
    {"size", "memory", Merge::larger},
    {"size", "nuserdata", Merge::larger},
    {"size", "nkey", Merge::larger},
    {"size", "nuser_body", Merge::larger},
    {"size", "nuser_jnt", Merge::larger},
    {"size", "nuser_geom", Merge::larger},
    {"size", "nuser_site", Merge::larger},
    {"size", "nuser_cam", Merge::larger},
    {"size", "nuser_tendon", Merge::larger},
    {"size", "nuser_actuator", Merge::larger},
    {"size", "nuser_sensor", Merge::larger},
};

/// The rule of a setting, or null: it says nothing that attaching minds.
const MergeRule* find_rule(std::string_view element, std::string_view attribute) {
  const auto* const found =
      std::find_if(std::begin(merge_rules), std::end(merge_rules), [&](const MergeRule& rule) {
        return rule.element == element && (rule.attribute.empty() || rule.attribute == attribute);
      });
  return found == std::end(merge_rules) ? nullptr : found;
}

/// Bytes of an amount of memory such as 16M.
double bytes(std::string_view text) {
  constexpr std::string_view suffixes = "KMGTPE";
  const std::string number(text);
  const std::size_t suffix =
      suffixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(number.back()))));
  const double factor = suffix == suffixes.npos ? 0.0 : static_cast<double>(suffix + 1);
  return std::strtod(number.c_str(), nullptr) * std::exp2(10.0 * factor);
}

/// The numbers of a value with those that it leaves at their default.
std::vector<double> numbers(std::string_view attribute, const AttributeRule& rule,
                            const Value& value) {
  if (rule.type.kind == ValueType::keyword) {
    return {static_cast<double>(value.keyword)};
  }
  if (rule.type.kind == ValueType::memory) {
    return {bytes(value.text)};
  }
  std::vector<double> all = value.numbers;
  const OptionSettings defaults;
  const auto complete = [&all](const auto& whole) {
    for (std::size_t k = all.size(); k < whole.size(); ++k) {
      all.push_back(whole[k]);
    }
  };
  if (attribute == "o_solref") {
    complete(defaults.o_solref);
  } else if (attribute == "o_solimp") {
    complete(defaults.o_solimp);
  } else if (attribute == "o_friction") {
    complete(defaults.o_friction);
  } else if (attribute == "znear" || attribute == "zfar" || attribute == "realtime") {
    // these are kept in single precision
    all[0] = static_cast<double>(static_cast<float>(all[0]));
  }
  return all;
}

/// True if a flag's value sets its bit.
bool sets_bit(const AttributeRule& rule, const Value& value) {
  OptionSettings option;
  rule.set(&option, value);
  return option.disableflags != 0 || option.enableflags != 0;
}

void store(std::string_view element, const AttributeRule& rule, const Value& value, Spec* spec) {
  if (rule.set == nullptr) {
    return;
  }
  void* const target = element == "size" ? static_cast<void*>(&spec->size) : &spec->option;
  rule.set(target, value);
}

}  // namespace

AuthoredSettings::AuthoredSettings(const Document& document) {
  for (const Element& section : document.root.children) {
    if (section.tag == "option" || section.tag == "size") {
      read(section);
    }
    if (section.tag == "option" || section.tag == "visual") {
      for (const Element& part : section.children) {
        read(part);
      }
    }
    if (section.tag == "compiler") {
      if (const std::string* const policy = section.find("conflict")) {
        Value value;
        read_value(*policy, grammar().rule("compiler").attribute("conflict")->type, &value);
        policy_ = static_cast<ConflictPolicy>(value.keyword);
      }
    }
  }
}

void AuthoredSettings::read(const Element& element) {
  for (const Attribute& attribute : element.attributes) {
    if (find_rule(element.tag, attribute.name) == nullptr) {
      continue;
    }
    Setting setting;
    setting.rule = grammar().rule(element.tag).attribute(attribute.name);
    if (read_value(attribute.text, setting.rule->type, &setting.value).empty() &&
        setting.value.given) {
      settings_[{element.tag, attribute.name}] = setting;
    }
  }
}

void AuthoredSettings::attach(const Trail& attach, const std::string& model,
                              const AuthoredSettings& other, Spec* spec) {
  if (policy_ == ConflictPolicy::warning) {
    return;
  }
  const bool merging = policy_ == ConflictPolicy::merge;
  std::string conflicts;
  for (const auto& [key, theirs] : other.settings_) {
    const auto& [element, attribute] = key;
    const Merge merge = find_rule(element, attribute)->merge;
    const AttributeRule& rule = *theirs.rule;
    const auto known = settings_.find(key);

    // what only one of them says
    if (known == settings_.end()) {
      if (merging) {
        store(element, rule, theirs.value, spec);
        settings_.emplace(key, theirs);
      }
      continue;
    }
    Value& ours = known->second.value;
    const std::vector<double> a = numbers(attribute, rule, ours);
    const std::vector<double> b = numbers(attribute, rule, theirs.value);
    const bool groups = attribute == "actuatorgroupdisable";
    if (a == b || (!merging && groups)) {
      continue;
    }

    // what they say differently
    if (!merging || merge == Merge::refuse) {
      conflicts += (conflicts.empty() ? "" : "; ") + attribute + " is " + std::string(ours.text) +
                   " here and " + std::string(theirs.value.text) + " there";
    } else if (groups) {
      ours.numbers.insert(ours.numbers.end(), b.begin(), b.end());
      store(element, rule, ours, spec);
    } else if (merge == Merge::both     ? sets_bit(rule, theirs.value)
               : merge == Merge::larger ? b[0] > a[0]
                                        : b[0] < a[0]) {
      ours = theirs.value;
      store(element, rule, ours, spec);
    }
  }
  if (!conflicts.empty()) {
    attach.fail("model '" + model + "' has other settings than this scene: " + conflicts,
                "give both the same, or write conflict=\"warning\" in compiler to keep this "
                "scene's");
  }
}

}  // namespace swept::load_detail
