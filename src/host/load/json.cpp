// SPDX-License-Identifier: Apache-2.0
// The JSON spelling of a scene to a tree of Elements: nlohmann's event parser, fed through an
// iterator that counts lines, drives a stack of elements under construction.
#include "host/load/read.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <utility>
#include <vector>

namespace swept::load_detail {
namespace {

/// Walks text and counts the newlines that it passes.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, int* line) : at_(at), line_(line) {}

  reference operator*() const { return *at_; }

  CountingIterator& operator++() {
    if (*at_ == '\n') {
      ++*line_;
    }
    ++at_;
    return *this;
  }

  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }

  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  int* line_;
};

using Json = nlohmann::json;

/// Receives the parser's events. What is open is a stack of levels:
///   document   the outermost object, with the single member "mujoco"
///   element    an object that is an element
///   list       an array below an element: a value's numbers, or elements of one tag
///   children   the array below "children"
///   wrapper    an object in `children`, with one member: tag and element
class Handler : public nlohmann::json_sax<Json> {
 public:
  Handler(std::string name, int file, const int* line)
      : name_(std::move(name)), file_(file), line_(line) {}

  bool null() override { return fail("null is no value of an attribute"), false; }

  bool boolean(bool value) override { return scalar(value ? "true" : "false", Form::boolean); }

  bool number_integer(number_integer_t value) override {
    return scalar(std::to_string(value), Form::number);
  }

  bool number_unsigned(number_unsigned_t value) override {
    return scalar(std::to_string(value), Form::number);
  }

  bool number_float(number_float_t, const string_t& text) override {
    return scalar(text, Form::number);
  }

  bool string(string_t& value) override { return scalar(std::move(value), Form::text); }

  bool binary(binary_t&) override { return fail("binary data is no value of an attribute"), false; }

  bool start_object(std::size_t) override {
    if (levels_.empty()) {
      push(Level::document);
      return true;
    }
    Level& top = levels_.back();
    switch (top.kind) {
      case Level::document:
        if (top.members++ > 0) {
          fail("a second member '" + key_ + "' beside the root element",
               "the document is an object with the single member \"mujoco\"");
        }
        return open_element(key_);
      case Level::element:
        return open_element(key_);
      case Level::list:
        if (top.form_known) {
          fail("array '" + top.tag + "' mixes values and objects");
        }
        ++top.members;
        return open_element(top.tag);
      case Level::children:
        push(Level::wrapper);
        return true;
      case Level::wrapper:
        if (top.members++ > 0) {
          fail("an object in \"children\" has more than one member",
               "write one object per child: {\"geom\": {…}}, {\"body\": {…}}");
        }
        return open_element(key_);
    }
    return false;
  }

  bool key(string_t& value) override {
    Level& top = levels_.back();
    if (value.size() > max_name_length) {
      fail("a member has a name of " + std::to_string(value.size()) + " characters");
    }
    if (top.kind == Level::element) {
      if (top.keys.size() >= max_attributes) {
        fail("'" + elements_.back().tag + "' has too many members");
      }
      for (const std::string& seen : top.keys) {
        if (seen == value) {
          fail("member '" + value + "' of '" + elements_.back().tag + "' is given twice",
               "give several children of one tag as an array");
        }
      }
      top.keys.push_back(value);
    }
    key_ = std::move(value);
    return true;
  }

  bool end_object() override {
    const Level top = std::move(levels_.back());
    levels_.pop_back();
    if (top.kind == Level::wrapper && top.members == 0) {
      fail("an empty object in \"children\"");
    }
    if (top.kind == Level::element) {
      close_element();
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (levels_.empty() || levels_.back().kind != Level::element) {
      fail("an array where " + std::string(levels_.empty() ? "the scene" : "an element") +
               " is expected",
           "a scene is an object: {\"mujoco\": {…}}");
    }
    if (key_ == "children") {
      push(Level::children);
    } else {
      push(Level::list);
      levels_.back().tag = key_;
    }
    return true;
  }

  bool end_array() override {
    Level top = std::move(levels_.back());
    levels_.pop_back();
    if (top.kind == Level::list) {
      if (top.members == 0 && !top.form_known) {
        fail("member '" + top.tag + "' is an empty array", "leave it out");
      }
      if (top.form_known) {
        elements_.back().attributes.push_back({top.tag, std::move(top.text), top.form});
      }
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    std::string text = error.what();
    // keep what the parser found, without its own numbering
    if (const std::size_t at = text.find("] "); at != std::string::npos) {
      text.erase(0, at + 2);
    }
    fail("malformed JSON: " + text);
    return false;
  }

  /// The finished root element.
  Element take() {
    if (!done_) {
      fail("no root element", "a scene is {\"mujoco\": {…}}");
    }
    return std::move(root_);
  }

 private:
  struct Level {
    enum Kind { document, element, list, children, wrapper };
    Kind kind = document;
    int members = 0;
    std::vector<std::string> keys;  ///< element: members so far
    std::string tag;                ///< list: the member's name
    std::string text;               ///< list: values so far
    Form form = Form::text;
    bool form_known = false;  ///< list: it holds values
  };

  [[noreturn]] void fail(std::string problem, std::string remedy = {}) const {
    constexpr std::size_t longest = 12;
    const std::size_t first = elements_.size() > longest ? elements_.size() - longest : 0;
    std::string path = first > 0 ? "…" : "";
    for (std::size_t i = first; i < elements_.size(); ++i) {
      path += (path.empty() ? "" : "/") + elements_[i].tag;
    }
    throw Error(Place{name_, *line_, std::move(path)}, std::move(problem), std::move(remedy));
  }

  void push(Level::Kind kind) {
    levels_.emplace_back();
    levels_.back().kind = kind;
  }

  bool open_element(const std::string& tag) {
    if (elements_.size() >= static_cast<std::size_t>(max_depth)) {
      fail("elements are nested deeper than " + std::to_string(max_depth));
    }
    Element element;
    element.tag = tag;
    element.file = file_;
    element.line = *line_;
    elements_.push_back(std::move(element));
    push(Level::element);
    return true;
  }

  void close_element() {
    Element element = std::move(elements_.back());
    elements_.pop_back();
    if (elements_.empty()) {
      root_ = std::move(element);
      done_ = true;
    } else {
      elements_.back().children.push_back(std::move(element));
    }
  }

  bool scalar(std::string text, Form form) {
    if (levels_.empty()) {
      fail("the document is a single value", "a scene is an object: {\"mujoco\": {…}}");
    }
    Level& top = levels_.back();
    if (top.kind == Level::list && top.members == 0) {
      if (top.form_known && top.form != form) {
        fail("array '" + top.tag + "' mixes numbers and strings");
      }
      top.text += (top.form_known ? " " : "") + text;
      top.form = form;
      top.form_known = true;
    } else if (top.kind == Level::element) {
      elements_.back().attributes.push_back({key_, std::move(text), form});
    } else {
      fail("a value where an element (an object) is expected");
    }
    return true;
  }

  std::string name_;
  int file_;
  const int* line_;
  std::string key_;
  std::vector<Level> levels_;
  std::vector<Element> elements_;
  Element root_;
  bool done_ = false;
};

}  // namespace

Element json_to_element(std::string_view text, const std::string& name, int file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error(Place{name, 0, {}}, "the file is empty", "a scene is {\"mujoco\": {…}}");
  }
  int line = 1;
  Handler handler(name, file, &line);
  Json::sax_parse(CountingIterator(text.data(), &line),
                  CountingIterator(text.data() + text.size(), &line), &handler);
  return handler.take();
}

}  // namespace swept::load_detail
