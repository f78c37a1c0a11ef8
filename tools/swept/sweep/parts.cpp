// SPDX-License-Identifier: Apache-2.0
// Journals of a folder, and their union.
#include "tools/swept/sweep/parts.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace swept::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "shard-";

// bit by bit: what is not a number is equal to itself
bool same(const Row& a, const Row& b) {
  return a.status == b.status && a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0;
}

}  // namespace

Parts::Parts(const fs::path& table, std::string identity, std::size_t numbers)
    : folder_(table.string() + ".parts"), identity_(std::move(identity)), numbers_(numbers) {}

fs::path Parts::journal(const Shard& shard) const {
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) {
    throw Error(Place{folder_.string(), 0, {}},
                fmt::format("the folder cannot be made ({})", error.message()),
                "give --out a path in a folder that is there and can be written");
  }
  return folder_ / fmt::format("{}{}-of-{}", prefix, shard.index, shard.count);
}

Parts::Rows Parts::read(std::int64_t combinations) const {
  Rows rows;
  rows.by_combination.resize(static_cast<std::size_t>(combinations));
  // another process may remove the folder at any moment
  std::error_code gone;
  for (fs::directory_iterator at(folder_, gone), end; !gone && at != end; at.increment(gone)) {
    if (!at->path().filename().string().starts_with(prefix)) {
      continue;
    }
    for (Row& row : read_journal(at->path(), identity_, numbers_)) {
      if (row.combination < 0 || row.combination >= combinations) {
        throw Error(Place{at->path().string(), 0, {}},
                    fmt::format("the sweep has no combination {}", row.combination),
                    "remove the folder of parts");
      }
      Row& there = rows.by_combination[static_cast<std::size_t>(row.combination)];
      if (there.numbers.empty()) {
        there = std::move(row);
        ++rows.found;
      } else if (!same(there, row)) {
        throw Error(Place{at->path().string(), 0, {}},
                    fmt::format("two processes found different numbers for combination {}",
                                row.combination),
                    "run one swept on one kind of device, in a new folder of parts");
      }
    }
  }
  return rows;
}

fs::path Parts::half() const {
  // the name of a machine tells processes of the same number apart
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return folder_ / fmt::format("table-{}-{}", host, getpid());
}

void Parts::remove() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace swept::cli
