// SPDX-License-Identifier: Apache-2.0
// Model assets: the scenes that `attach` takes parts from. Each is a document of its own, read with
// its includes and its own models.
#include "host/load/read.h"

#include <algorithm>
#include <system_error>

namespace swept::load_detail {
namespace {

namespace fs = std::filesystem;

class ModelReader {
 public:
  /// Reads the models of a document.
  ///   folder   that their paths are relative to
  void read(const fs::path& folder, Document* document) {
    for (Element& section : document->root.children) {
      if (section.tag != "asset") {
        continue;
      }
      for (Element& asset : section.children) {
        if (asset.tag == "model") {
          read_model(folder, &asset, document);
        }
      }
    }
  }

  void enter(const fs::path& path) { open_.push_back(canonical(path)); }

 private:
  static fs::path canonical(const fs::path& path) {
    std::error_code code;
    const fs::path result = fs::weakly_canonical(path, code);
    return code ? path : result;
  }

  void read_model(const fs::path& folder, Element* asset, Document* document) {
    // what is wrong with the element itself is found by the grammar
    const auto file = std::find_if(asset->attributes.begin(), asset->attributes.end(),
                                   [](const Attribute& each) { return each.name == "file"; });
    if (file == asset->attributes.end() || file->text.empty()) {
      return;
    }
    const fs::path path = canonical(folder / file->text);
    const Place place{document->files[static_cast<std::size_t>(asset->file)], asset->line,
                      "asset/model"};
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      throw Error(place, "model file '" + file->text + "' attaches itself",
                  "a model cannot contain its own file");
    }
    constexpr std::size_t deepest = 16;
    if (open_.size() >= deepest) {
      throw Error(place, "models are nested deeper than " + std::to_string(deepest));
    }
    std::error_code code;
    if (!fs::exists(path, code)) {
      throw Error(place, "the model file '" + file->text + "' does not exist",
                  "its path is relative to the scene's folder");
    }
    Document model = read_file_document(path);
    open_.push_back(path);
    read(path.parent_path(), &model);
    open_.pop_back();

    // known under its own name where the asset has none
    const std::string* name = asset->find("name");
    name = name != nullptr && !name->empty() ? name : model.root.find("model");
    model.name = name != nullptr ? *name : std::string();
    // a scene that is written elsewhere still finds its models
    file->text = path.string();
    document->models.push_back(std::move(model));
  }

  std::vector<fs::path> open_;
};

}  // namespace

Document read_document(const std::filesystem::path& path) {
  Document document = read_file_document(path);
  ModelReader reader;
  reader.enter(path);
  reader.read(path.parent_path(), &document);
  return document;
}

Document read_document(std::string_view text, Format format, const std::string& name) {
  Document document = read_text_document(text, format, name);
  ModelReader reader;
  reader.enter(name);
  reader.read(fs::path(name).parent_path(), &document);
  return document;
}

}  // namespace swept::load_detail
