// SPDX-License-Identifier: Apache-2.0
// A checked document in the JSON spelling (see load.h). Numbers are written in the shortest form
// that reads back to the same bits; children are grouped by tag where that keeps their order.
#include "host/load/grammar.h"

#include <nlohmann/json.hpp>

#include <set>

namespace swept::load_detail {
namespace {

class JsonWriter {
 public:
  std::string write(const Document& document) {
    out_ = "{\n  \"mujoco\": ";
    element(document.root, grammar().root(), 1);
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  void text(std::string_view text) {
    out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void line(int depth) { out_ += "\n" + std::string(2 * static_cast<std::size_t>(depth), ' '); }

  void number(double value, ValueType::Kind kind) {
    if (kind == ValueType::integer) {
      out_ += std::to_string(static_cast<long long>(value));
      return;
    }
    // an integer in JSON has no negative zero
    const std::string digits = shortest(value);
    out_ += digits == "-0" ? "-0.0" : digits;
  }

  void value(const Attribute& attribute, const ValueType& type) {
    Value value;
    const bool fine = read_value(attribute.text, type, &value).empty() && value.given;
    const bool numeric = type.kind == ValueType::real || type.kind == ValueType::integer;
    const bool truth = type.kind == ValueType::keyword && type.words.size() >= 2 &&
                       type.words[0] == "false" && type.words[1] == "true" && value.keyword < 2;
    if (fine && truth) {
      out_ += attribute.text;
    } else if (fine && numeric && value.numbers.size() == 1) {
      number(value.numbers[0], type.kind);
    } else if (fine && numeric) {
      out_ += "[";
      for (std::size_t i = 0; i < value.numbers.size(); ++i) {
        out_ += i > 0 ? ", " : "";
        number(value.numbers[i], type.kind);
      }
      out_ += "]";
    } else {
      text(attribute.text);
    }
  }

  /// True if grouping by tag keeps the order: the children of each tag stand together.
  static bool grouped(const Element& element) {
    std::set<std::string_view> closed;
    for (std::size_t i = 0; i < element.children.size(); ++i) {
      const std::string& tag = element.children[i].tag;
      if (i > 0 && element.children[i - 1].tag != tag) {
        closed.insert(element.children[i - 1].tag);
      }
      if (closed.count(tag) > 0) {
        return false;
      }
    }
    return true;
  }

  void member(bool* first, int depth) {
    out_ += *first ? "" : ",";
    *first = false;
    line(depth);
  }

  void element(const Element& element, const ElementRule& rule, int depth) {
    if (element.children.empty()) {
      leaf(element, rule);
      return;
    }
    out_ += "{";
    bool first = true;
    for (const Attribute& attribute : element.attributes) {
      member(&first, depth + 1);
      text(attribute.name);
      out_ += ": ";
      value(attribute, rule.attribute(attribute.name)->type);
    }
    if (grouped(element)) {
      groups(element, rule, depth, &first);
    } else {
      ordered(element, rule, depth, &first);
    }
    line(depth);
    out_ += "}";
  }

  /// An element without children on one line.
  void leaf(const Element& element, const ElementRule& rule) {
    out_ += "{";
    for (std::size_t i = 0; i < element.attributes.size(); ++i) {
      const Attribute& attribute = element.attributes[i];
      out_ += i > 0 ? ", " : "";
      text(attribute.name);
      out_ += ": ";
      value(attribute, rule.attribute(attribute.name)->type);
    }
    out_ += "}";
  }

  void groups(const Element& parent, const ElementRule& rule, int depth, bool* first) {
    for (std::size_t i = 0; i < parent.children.size();) {
      const std::string& tag = parent.children[i].tag;
      const ElementRule& below = *rule.child(tag)->rule;
      std::size_t end = i;
      while (end < parent.children.size() && parent.children[end].tag == tag) {
        ++end;
      }
      member(first, depth + 1);
      text(tag);
      out_ += ": ";
      if (end - i == 1) {
        element(parent.children[i], below, depth + 1);
      } else {
        out_ += "[";
        bool none = true;
        for (std::size_t k = i; k < end; ++k) {
          member(&none, depth + 2);
          element(parent.children[k], below, depth + 2);
        }
        line(depth + 1);
        out_ += "]";
      }
      i = end;
    }
  }

  void ordered(const Element& parent, const ElementRule& rule, int depth, bool* first) {
    member(first, depth + 1);
    out_ += "\"children\": [";
    bool none = true;
    for (const Element& child : parent.children) {
      member(&none, depth + 2);
      out_ += "{";
      text(child.tag);
      out_ += ": ";
      element(child, *rule.child(child.tag)->rule, depth + 2);
      out_ += "}";
    }
    line(depth + 1);
    out_ += "]";
  }

  std::string out_;
};

}  // namespace

std::string write_json(const Document& document) {
  return JsonWriter().write(document);
}

}  // namespace swept::load_detail
