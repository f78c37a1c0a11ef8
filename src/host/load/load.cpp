// SPDX-License-Identifier: Apache-2.0
// The public entry points: read, check, refuse what is not supported, build.
#include <swept/load.h>

#include "host/load/assets.h"
#include "host/load/build.h"
#include "host/load/grammar.h"
#include "host/load/read.h"

namespace swept {
namespace {

using load_detail::Document;

/// One error that lists every place.
[[noreturn]] void refuse(const std::vector<Unsupported>& found) {
  if (found.size() == 1) {
    throw Error(found[0].place, found[0].what + " is not supported", "remove it");
  }
  std::string text = std::to_string(found.size()) + " things are not supported:";
  for (const Unsupported& each : found) {
    text += "\n  " + each.place.file + ":" + std::to_string(each.place.line) + ": " +
            each.place.element + ": " + each.what;
  }
  text += "\nremove them";
  throw Error(Place{found[0].place.file, found[0].place.line, {}}, text);
}

Spec build(const Document& document) {
  load_detail::check_grammar(document);
  if (const std::vector<Unsupported> found = load_detail::find_unsupported(document);
      !found.empty()) {
    refuse(found);
  }
  return load_detail::build_spec(document);
}

std::string spell_json(Document document) {
  load_detail::check_grammar(document);
  load_detail::anchor_assets(&document);
  return load_detail::write_json(document);
}

}  // namespace

Spec load(const std::filesystem::path& path) {
  return build(load_detail::read_document(path));
}

Spec load_string(std::string_view text, Format format, const std::string& name) {
  return build(load_detail::read_document(text, format, name));
}

std::vector<Unsupported> unsupported(const std::filesystem::path& path) {
  const Document document = load_detail::read_document(path);
  load_detail::check_grammar(document);
  return load_detail::find_unsupported(document);
}

std::string to_json(const std::filesystem::path& path) {
  return spell_json(load_detail::read_document(path));
}

std::string to_json(std::string_view text, Format format, const std::string& name) {
  return spell_json(load_detail::read_document(text, format, name));
}

}  // namespace swept
