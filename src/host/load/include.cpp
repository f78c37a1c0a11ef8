// SPDX-License-Identifier: Apache-2.0
// Files and includes. An `include` is replaced by the children of the included file's root. Its
// file is looked for in the main file's folder, then in the including file's folder; a file may be
// included once.
#include "host/load/read.h"

#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

namespace swept::load_detail {
namespace {

namespace fs = std::filesystem;

/// Larger scene files are refused: offsets and counts are 32-bit in many places.
constexpr std::uintmax_t max_file_size = std::uintmax_t{1} << 30;

std::string read_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  const Place place{path.string(), 0, {}};
  if (!fs::exists(status)) {
    throw Error(place, "there is no such file");
  }
  if (fs::is_directory(status)) {
    throw Error(place, "is a folder", "give the scene file in it");
  }
  if (!fs::is_regular_file(status)) {
    throw Error(place, "is not a regular file");
  }
  if (fs::file_size(path, code) > max_file_size) {
    throw Error(place, "is larger than 1 GiB");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream.is_open() || stream.bad()) {
    throw Error(place, "cannot be read", "check its permissions");
  }
  return text;
}

/// By suffix; any other suffix by the first character that is no space.
Format format_of(const fs::path& path, std::string_view text) {
  const std::string suffix = path.extension().string();
  if (suffix == ".xml") {
    return Format::xml;
  }
  if (suffix == ".json") {
    return Format::json;
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? Format::json : Format::xml;
}

class Includer {
 public:
  explicit Includer(const fs::path& main) : main_folder_(main.parent_path()) {}

  Document expand(std::string_view text, Format format, const std::string& name) {
    note(name);
    Document document;
    document.root = parse(text, format, name);
    if (document.root.tag == "include") {
      fail(document.root, "the root element is an include", "the root element is 'mujoco'");
    }
    expand_children(document.root, 1);
    document.files = std::move(files_);
    return document;
  }

  /// Remembers a file, so that a second inclusion under whatever path is found.
  bool note(const fs::path& path) {
    std::error_code code;
    const fs::path canonical = fs::weakly_canonical(path, code);
    return seen_.insert(code ? path.string() : canonical.string()).second;
  }

 private:
  [[noreturn]] void fail(const Element& element, std::string problem, std::string remedy = {}) {
    throw Error(Place{files_[static_cast<std::size_t>(element.file)], element.line, element.tag},
                std::move(problem), std::move(remedy));
  }

  Element parse(std::string_view text, Format format, const std::string& name) {
    const int file = static_cast<int>(files_.size());
    files_.push_back(name);
    return format == Format::json ? json_to_element(text, name, file)
                                  : xml_to_element(text, name, file);
  }

  void expand_children(Element& element, int depth) {
    bool any = false;
    for (const Element& child : element.children) {
      any = any || child.tag == "include";
    }
    if (depth > max_depth) {
      fail(element, "elements are nested deeper than " + std::to_string(max_depth));
    }
    if (!any) {
      for (Element& child : element.children) {
        expand_children(child, depth + 1);
      }
      return;
    }
    std::vector<Element> children;
    for (Element& child : element.children) {
      if (child.tag != "include") {
        expand_children(child, depth + 1);
        children.push_back(std::move(child));
        continue;
      }
      Element root = open(child);
      expand_children(root, depth + 1);
      for (Element& inner : root.children) {
        children.push_back(std::move(inner));
      }
    }
    element.children = std::move(children);
  }

  /// Reads the file that an include names.
  Element open(const Element& include) {
    const std::string* const file = include.find("file");
    if (file == nullptr || file->empty()) {
      fail(include, "attribute 'file' is missing", "write <include file=\"robot.xml\"/>");
    }
    if (include.attributes.size() > 1) {
      fail(include, "an include has no attribute but 'file'");
    }
    if (!include.children.empty()) {
      fail(include, "an include has no children");
    }
    const fs::path path = find(*file, files_[static_cast<std::size_t>(include.file)]);
    if (path.empty()) {
      fail(include, "the included file '" + *file + "' does not exist",
           "its path is relative to the main file's folder or the including file's");
    }
    if (!note(path)) {
      fail(include, "file '" + *file + "' is included a second time",
           "a file may be included once; use replicate for copies");
    }
    const std::string text = read_file(path);
    Element root = parse(text, format_of(path, text), path.string());
    if (root.children.empty()) {
      fail(include, "the included file '" + *file + "' has no elements");
    }
    return root;
  }

  fs::path find(const std::string& file, const fs::path& including) const {
    std::error_code code;
    for (const fs::path& folder : {main_folder_, including.parent_path()}) {
      if (fs::exists(folder / file, code)) {
        return folder / file;
      }
    }
    return {};
  }

  fs::path main_folder_;
  std::vector<std::string> files_;
  std::set<std::string> seen_;
};

}  // namespace

Document read_file_document(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  return Includer(path).expand(text, format_of(path, text), path.string());
}

Document read_text_document(std::string_view text, Format format, const std::string& name) {
  return Includer(name).expand(text, format, name);
}

}  // namespace swept::load_detail
