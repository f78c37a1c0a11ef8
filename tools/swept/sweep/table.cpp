// SPDX-License-Identifier: Apache-2.0
// Tables as CSV, and the choice of the format.
#include "tools/swept/sweep/table.h"

#include "tools/swept/sweep/hdf5_table.h"

#include <swept/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace swept::cli {

namespace {

constexpr std::string_view first_line = "# swept sweep 1 ";

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw Error(Place{path.string(), 0, {}}, "this is not the table of a sweep",
              "remove the file, or choose another one by --out");
}

std::string cell(const Column& column, double number) {
  return column.whole ? fmt::format("{}", static_cast<std::int64_t>(number))
                      : fmt::format("{}", number);
}

bool write_csv(const Table& table, const std::filesystem::path& path) {
  std::string text = fmt::format("{}{}\n", first_line, table.identity);
  for (const Column& column : table.columns) {
    text += &column == &table.columns.front() ? "" : ",";
    text += column.name + (column.unit.empty() ? "" : fmt::format(" [{}]", column.unit));
  }
  text += "\n";
  for (std::size_t row = 0; row < table.columns.front().numbers.size(); ++row) {
    for (const Column& column : table.columns) {
      text += &column == &table.columns.front() ? "" : ",";
      text += cell(column, column.numbers[row]);
    }
    text += "\n";
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

// splits at commas
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) {
      return cells;
    }
    line.remove_prefix(comma + 1);
  }
}

Table read_csv(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || !line.starts_with(first_line)) {
    refuse(path);
  }
  Table table{line.substr(first_line.size()), {}};
  std::getline(file, line);
  for (const std::string_view title : cells_of(line)) {
    const std::size_t bracket = title.find(" [");
    Column column{std::string(title.substr(0, bracket)), {}, {}, false, {}};
    if (bracket != std::string_view::npos) {
      column.unit = title.substr(bracket + 2, title.size() - bracket - 3);
    }
    column.whole = column.name == "combination" || column.name == "status";
    table.columns.push_back(std::move(column));
  }
  while (std::getline(file, line)) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() != table.columns.size()) {
      refuse(path);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double number = 0;
      const char* end = cells[i].data() + cells[i].size();
      if (std::from_chars(cells[i].data(), end, number).ptr != end) {
        refuse(path);
      }
      table.columns[i].numbers.push_back(number);
    }
  }
  return table;
}

// have the content on the disk before the name
bool sync_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && fsync(file) == 0;
  if (file >= 0) {
    close(file);
  }
  return good;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}

void write_table(const Table& table, const std::filesystem::path& path,
                 const std::filesystem::path& half) {
  std::error_code error;
  const bool written = is_hdf5(path) ? write_hdf5(table, half) : write_csv(table, half);
  bool good = written && sync_file(half);
  if (good) {
    std::filesystem::rename(half, path, error);
    good = !error;
  }
  if (!good) {
    std::filesystem::remove(half, error);
    throw Error(Place{path.string(), 0, {}}, "the table cannot be written",
                "give --out a path in a folder that can be written and has space");
  }
}

Table read_table(const std::filesystem::path& path) {
  if (!is_hdf5(path)) {
    return read_csv(path);
  }
  Table table;
  if (!read_hdf5(path, &table)) {
    refuse(path);
  }
  return table;
}

}  // namespace swept::cli
