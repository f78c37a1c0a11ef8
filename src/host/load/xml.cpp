// SPDX-License-Identifier: Apache-2.0
// XML text to a tree of Elements, by pugixml. Text between elements is ignored, as MJCF says, with
// the exception of CDATA in custom/text.
#include "host/load/read.h"

#include <pugixml.hpp>

#include <algorithm>
#include <vector>

namespace swept::load_detail {
namespace {

/// Turns byte offsets into line numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') {
        ends_.push_back(static_cast<std::ptrdiff_t>(i));
      }
    }
  }

  int at(std::ptrdiff_t offset) const {
    if (offset < 0) {
      return 0;
    }
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
    return static_cast<int>(end - ends_.begin()) + 1;
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& name, int file)
      : text_(text), name_(name), file_(file), lines_(text) {}

  Element read() const {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      fail(0, "the file is empty", "a scene has the root element <mujoco>");
    }
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
      fail(lines_.at(result.offset), std::string("malformed XML: ") + result.description());
    }
    pugi::xml_node root;
    for (const pugi::xml_node node : document.children()) {
      if (node.type() != pugi::node_element) {
        continue;
      }
      if (root) {
        fail(line(node), "a second root element <" + std::string(node.name()) + ">",
             "an XML file has one");
      }
      root = node;
    }
    if (!root) {
      fail(1, "no XML element", "a scene has the root element <mujoco>");
    }
    return convert(root, 1);
  }

 private:
  [[noreturn]] void fail(int line, std::string problem, std::string remedy = {}) const {
    throw Error(Place{name_, line, {}}, std::move(problem), std::move(remedy));
  }

  int line(pugi::xml_node node) const { return lines_.at(node.offset_debug()); }

  void read_attributes(pugi::xml_node node, Element* element) const {
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string name = attribute.name();
      if (element->attributes.size() >= max_attributes || name.size() > max_name_length) {
        fail(element->line, "<" + element->tag + "> has too many or too long attribute names");
      }
      if (element->find(name) != nullptr) {
        fail(element->line, "attribute '" + name + "' of <" + element->tag + "> is given twice");
      }
      element->attributes.push_back({name, attribute.value(), Form::text});
    }
  }

  Element convert(pugi::xml_node node, int depth) const {
    Element element;
    element.tag = node.name();
    element.file = file_;
    element.line = line(node);
    if (depth > max_depth) {
      fail(element.line, "elements are nested deeper than " + std::to_string(max_depth));
    }
    if (element.tag.size() > max_name_length) {
      fail(element.line,
           "an element has a name of " + std::to_string(element.tag.size()) + " characters");
    }
    read_attributes(node, &element);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() == pugi::node_element) {
        element.children.push_back(convert(child, depth + 1));
      } else if (child.type() == pugi::node_cdata && element.tag == "text" &&
                 element.find("data") == nullptr) {
        element.attributes.push_back({"data", child.value(), Form::text});
      }
    }
    return element;
  }

  std::string_view text_;
  const std::string& name_;
  int file_;
  Lines lines_;
};

}  // namespace

Element xml_to_element(std::string_view text, const std::string& name, int file) {
  return XmlReader(text, name, file).read();
}

}  // namespace swept::load_detail
