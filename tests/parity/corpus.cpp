// SPDX-License-Identifier: Apache-2.0
// Reading the table of public models.
#include "parity/corpus.h"

#include "support/data.h"

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace swept::test {
namespace {

using Cells = std::vector<std::string>;

/// Rows of a table of comma-separated values; cells in quotes may hold commas and line breaks.
std::vector<Cells> read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error("cannot read " + path.string());
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<Cells> rows = {{""}};
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.push_back({""});
    } else if (c != '\r') {
      rows.back().back() += c;
    }
  }
  if (rows.back().size() == 1) {
    rows.pop_back();
  }
  return rows;
}

}  // namespace

std::filesystem::path CorpusModel::file() const {
  if (corpus == "gymnasium" || corpus == "dm_control") {
    return python_package(path);
  }
  const bool mujoco = corpus == "mujoco_model" || corpus == "mujoco_test";
  return test_data((mujoco ? "mujoco" : corpus) + "/" + path);
}

std::filesystem::path corpus_table() {
  return test_data("corpus.csv");
}

std::vector<CorpusModel> corpus_models() {
  const std::vector<Cells> rows = read_table(corpus_table());
  std::map<std::string, std::size_t> column;
  for (std::size_t k = 0; k < rows.at(0).size(); ++k) {
    column[rows[0][k]] = k;
  }
  std::vector<CorpusModel> models;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const auto cell = [&](const char* name) { return rows[r].at(column.at(name)); };
    CorpusModel model = {cell("corpus"), cell("path")};
    const std::string level = cell("level");
    model.level = level.empty() ? -1 : std::stoi(level);
    model.at_hand = cell("at_hand") != "no";
    model.loads = cell("loads_in_mujoco_4") == "yes";
    models.push_back(model);
  }
  return models;
}

}  // namespace swept::test
