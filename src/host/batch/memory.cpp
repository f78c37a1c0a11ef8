// SPDX-License-Identifier: Apache-2.0
// Reads what Linux says about memory: /proc/meminfo, /proc/self/statm, control groups and limits.
#include "host/batch/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include <swept/batch.h>
#include <swept/memory.h>

#include "host/batch/backend.h"

namespace swept {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

/// The number in a file that holds one, or `otherwise`; "max" is no number.
std::size_t number_in(const fs::path& path, std::size_t otherwise) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : otherwise;
}

/// The number behind a word at the start of a line, or `otherwise`.
std::size_t number_behind(const fs::path& path, std::string_view word, std::size_t otherwise) {
  std::ifstream file(path);
  std::string first;
  while (file >> first) {
    std::size_t number = 0;
    if (first == word && file >> number) {
      return number;
    }
    file.clear();
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return otherwise;
}

/// Names of the files of a version of control groups.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* cached;  ///< word in memory.stat
};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};

std::size_t left_in_group(const fs::path& folder, const GroupFiles& files) {
  const std::size_t limit = number_in(folder / files.limit, unlimited);
  if (limit == unlimited) {
    return unlimited;
  }
  const std::size_t usage = number_in(folder / files.usage, 0);
  const std::size_t cached = number_behind(folder / "memory.stat", files.cached, 0);
  return difference(limit, difference(usage, cached));
}

/// The smallest of a group and its parents up to the mount point.
std::size_t left_in_groups(const fs::path& root, std::string_view group, const GroupFiles& files) {
  std::size_t left = left_in_group(root, files);
  fs::path folder = root;
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    left = std::min(left, left_in_group(folder, files));
  }
  return left;
}

std::size_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return unlimited;
  }
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return difference(limit.rlim_cur, number_in("/proc/self/statm", 0) * page);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string remedy(const OutOfMemory& shortage) {
  return shortage.largest() > 0
             ? fmt::format("use at most {0} environments (--envs {0})", shortage.largest())
             : std::string(
                   "not even one environment fits: free memory, or use fewer threads or a smaller "
                   "tile");
}

}  // namespace

std::size_t cgroup_memory_left(const fs::path& root, std::string_view membership) {
  // each line is number:controllers:group; version 2 has the number 0 and no controllers
  std::size_t left = unlimited;
  std::istringstream lines{std::string(membership)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      left = std::min(left, left_in_groups(root, group, version_2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      left = std::min(left, left_in_groups(root / "memory", group, version_1));
    }
  }
  return left;
}

std::size_t process_memory_left() {
  const std::size_t available = number_behind("/proc/meminfo", "MemAvailable:", unlimited >> 10);
  return std::min({available << 10, address_space_left(),
                   cgroup_memory_left("/sys/fs/cgroup", text_of("/proc/self/cgroup"))});
}

std::string memory_text(std::size_t bytes) {
  const double size = static_cast<double>(bytes);
  if (size < 1e3) {
    return fmt::format("{} B", bytes);
  }
  if (size < 1e6) {
    return fmt::format("{:.3g} kB", size / 1e3);
  }
  return size < 1e9 ? fmt::format("{:.3g} MB", size / 1e6) : fmt::format("{:.3g} GB", size / 1e9);
}

void refuse_batch(const OutOfMemory& shortage, int nenv) {
  throw MemoryError(fmt::format("{} environments need {} of memory, and {} are left", nenv,
                                memory_text(shortage.bytes()), memory_text(shortage.left())),
                    remedy(shortage), shortage.bytes(), shortage.left(), shortage.largest());
}

void refuse_step(const OutOfMemory& shortage) {
  throw MemoryError(
      fmt::format(
          "memory ended: buffers that have to grow take {}, and {} are left; the state is the one "
          "before the call",
          memory_text(shortage.bytes()), memory_text(shortage.left())),
      remedy(shortage) + (shortage.largest() > 0 ? ", fewer threads, or a smaller tile" : ""),
      shortage.bytes(), shortage.left(), shortage.largest());
}

void refuse_field(const OutOfMemory& shortage, std::string_view name) {
  throw MemoryError(
      fmt::format("field '{}' of all environments needs {} of memory, and {} are left", name,
                  memory_text(shortage.bytes()), memory_text(shortage.left())),
      remedy(shortage), shortage.bytes(), shortage.left(), shortage.largest());
}

MemoryEstimate estimate_memory(const Model& model, Precision precision) {
  // an engine of one environment knows
  const std::unique_ptr<Engine> engine =
      make_engine(model, Device{"cpu", 0}, precision, EngineOptions{});
  return {.state_bytes = engine->state_bytes(),
          .env_bytes = engine->env_bytes(),
          .scratch_bytes = engine->scratch_bytes(),
          .thread_bytes = engine->worker_bytes(),
          .fixed_bytes = engine->fixed_bytes(),
          .tile = engine->lanes()};
}

std::size_t MemoryEstimate::cpu_bytes(int nenv, int threads) const {
  const int tiles = (nenv + tile - 1) / tile;
  return fixed_bytes + static_cast<std::size_t>(nenv) * env_bytes +
         static_cast<std::size_t>(std::min(threads, tiles)) * thread_bytes;
}

std::size_t MemoryEstimate::gpu_bytes(int nenv) const {
  return fixed_bytes + static_cast<std::size_t>(nenv) * (env_bytes + scratch_bytes);
}

}  // namespace swept
