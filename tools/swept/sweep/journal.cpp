// SPDX-License-Identifier: Apache-2.0
// Lines, their checksums, and the file they are in.
#include "tools/swept/sweep/journal.h"

#include <swept/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

namespace swept::cli {

namespace {

std::string header_of(const std::string& identity) {
  return fmt::format("swept sweep journal 1 {}\n", identity);
}

// FNV-1a
std::uint32_t checksum(std::string_view text) {
  std::uint32_t sum = 0x811c9dc5u;
  for (const char c : text) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 0x01000193u;
  }
  return sum;
}

std::string line_of(const Row& row) {
  std::string line = fmt::format("{}", row.combination);
  for (const double number : row.numbers) {
    fmt::format_to(std::back_inserter(line), ",{}", number);
  }
  fmt::format_to(std::back_inserter(line), ",{}", row.status);
  return line + fmt::format(",{:08x}\n", checksum(line));
}

// reads one cell and the comma behind it
template <class Number>
bool take(std::string_view* text, Number* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc{} || end == text->data() + text->size() || *end != ',') {
    return false;
  }
  text->remove_prefix(static_cast<std::size_t>(end - text->data()) + 1);
  return true;
}

// a line without its end; false if it is not whole
bool parse(std::string_view line, std::size_t numbers, Row* row) {
  constexpr std::size_t sum_digits = 8;
  if (line.size() < sum_digits + 1) {
    return false;
  }
  const std::string_view body = line.substr(0, line.size() - sum_digits - 1);
  if (line.substr(body.size()) != fmt::format(",{:08x}", checksum(body))) {
    return false;
  }
  std::string_view rest = line.substr(0, body.size() + 1);
  bool good = take(&rest, &row->combination);
  row->numbers.resize(numbers);
  for (double& number : row->numbers) {
    good = good && take(&rest, &number);
  }
  return good && take(&rest, &row->status) && rest.empty();
}

/// What a journal holds: its rows, and the bytes up to the end of the last whole one.
struct Content {
  std::vector<Row> rows;
  std::size_t bytes = 0;
};

Content read_content(const std::filesystem::path& path, const std::string& identity,
                     std::size_t numbers) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  if (file) {
    all << file.rdbuf();
  }
  const std::string text = all.str();
  const std::string header = header_of(identity);
  Content content;
  if (!text.starts_with(header)) {
    // cut off in its first line: nothing was written yet
    if (text.find('\n') == std::string::npos) {
      return content;
    }
    throw Error(Place{path.string(), 0, {}},
                "this is a part of another sweep, or of this one before the sweep file, the scene "
                "or swept changed",
                "remove the folder of parts, or choose another file by --out");
  }
  content.bytes = header.size();
  for (std::size_t end; (end = text.find('\n', content.bytes)) != std::string::npos;) {
    Row row;
    if (!parse(std::string_view(text).substr(content.bytes, end - content.bytes), numbers, &row)) {
      break;
    }
    content.rows.push_back(std::move(row));
    content.bytes = end + 1;
  }
  return content;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(Place{path.string(), 0, {}}, fmt::format("{} ({})", what, std::strerror(errno)),
              "give --out a path in a folder that can be written and has space");
}

void write_all(int file, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno != EINTR) {
      fail(path, "rows cannot be written");
    }
    text.remove_prefix(n > 0 ? static_cast<std::size_t>(n) : 0);
  }
  if (fdatasync(file) != 0) {
    fail(path, "rows cannot be written");
  }
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, const std::string& identity,
                 std::size_t numbers)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    fail(path, "the rows of the sweep cannot be opened for writing");
  }
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw Error(Place{path.string(), 0, {}}, "another process works on this part of the sweep",
                  "wait for it, or share the sweep by --shard 1/2 and --shard 2/2");
    }
    const std::size_t whole = read_content(path, identity, numbers).bytes;
    if (ftruncate(file_, static_cast<off_t>(whole)) != 0) {
      fail(path, "an unfinished row cannot be cut off");
    }
    if (whole == 0) {
      write_all(file_, header_of(identity), path_);
    }
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() {
  close(file_);
}

bool Journal::is_there() const {
  struct stat opened {
  }, named{};
  return fstat(file_, &opened) == 0 && stat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void Journal::append(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    text += line_of(row);
  }
  write_all(file_, text, path_);
}

std::vector<Row> read_journal(const std::filesystem::path& path, const std::string& identity,
                              std::size_t numbers) {
  return read_content(path, identity, numbers).rows;
}

}  // namespace swept::cli
