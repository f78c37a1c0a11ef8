// SPDX-License-Identifier: Apache-2.0
// The common form of an XML element and of a JSON object: a tag, attributes as text, children, and
// where it stood. Readers make trees of Elements, the grammar checks them, the builder turns them
// into a Spec, the writer spells them as JSON.
#pragma once

#include <swept/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// Elements may be nested this deep, as in the official reader.
inline constexpr int max_depth = 500;

/// Bounds on what one element may hold, far above anything in MJCF; they keep checks fast.
inline constexpr std::size_t max_attributes = 1000;
inline constexpr std::size_t max_name_length = 100;

/// How an attribute was written in its file.
enum class Form {
  text,    ///< a string; whatever the attribute's type
  number,  ///< JSON numbers
  boolean  ///< JSON true or false
};

struct Attribute {
  std::string name;
  std::string text;  ///< in MJCF's spelling
  Form form = Form::text;
};

struct Element {
  std::string tag;
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  int file = 0;  ///< index into Document::files
  int line = 0;

  /// The text of an attribute, or null.
  const std::string* find(std::string_view name) const {
    for (const Attribute& attribute : attributes) {
      if (attribute.name == name) {
        return &attribute.text;
      }
    }
    return nullptr;
  }
};

/// A whole scene after includes, with the models that its assets name.
struct Document {
  std::string name;  ///< of a model asset; empty for the scene itself
  Element root;
  std::vector<std::string> files;
  std::vector<Document> models;
};

/// An element with the chain of its parents, for messages.
struct Trail {
  const Document& document;
  const Element& element;
  const Trail* parent = nullptr;

  Trail child(const Element& below) const { return Trail{document, below, this}; }

  /// "mujoco/worldbody/body[torso]/geom"
  std::string path() const {
    std::string text = parent != nullptr ? parent->path() + "/" : std::string();
    text += element.tag;
    if (const std::string* const name = element.find("name"); name != nullptr && !name->empty()) {
      text += "[" + *name + "]";
    }
    return text;
  }

  Place place() const {
    return Place{document.files[static_cast<std::size_t>(element.file)], element.line, path()};
  }

  [[noreturn]] void fail(std::string problem, std::string remedy = {}) const {
    throw Error(place(), std::move(problem), std::move(remedy));
  }
};

}  // namespace swept::load_detail
