// SPDX-License-Identifier: Apache-2.0
// swept sweep: runs what is missing of its shard, batch by batch, and makes the table when nothing
// is missing of the whole.
#include "tools/swept/commands.h"
#include "tools/swept/interrupt.h"
#include "tools/swept/progress.h"
#include "tools/swept/scene.h"
#include "tools/swept/sweep/parts.h"
#include "tools/swept/sweep/plot.h"
#include "tools/swept/sweep/runner.h"
#include "tools/swept/sweep/sweep_result.h"
#include "tools/swept/sweep/table.h"

#include <swept/error.h>
#include <swept/memory.h>
#include <swept/snapshot.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <new>
#include <optional>
#include <sstream>

namespace swept::cli {

namespace {

using Clock = std::chrono::steady_clock;

// "2/5"
Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, shard.index);
  bool good = error == std::errc{} && slash != end && *slash == '/';
  if (good) {
    const auto [rest, no_count] = std::from_chars(slash + 1, end, shard.count);
    good = no_count == std::errc{} && rest == end;
  }
  if (!good || shard.count < 1 || shard.count > most_combinations || shard.index < 1 ||
      shard.index > shard.count) {
    throw Error(fmt::format("'{}' is no shard", text), "write --shard 2/5 for the second of five");
  }
  return shard;
}

// the table's path: as asked for, or the sweep's name with .csv, here
std::filesystem::path table_path(const SweepOptions& options) {
  return options.out.empty() ? std::filesystem::path(options.file).stem().concat(".csv")
                             : std::filesystem::path(options.out);
}

// a word that differs when anything differs on which rows depend
std::string identity_of(const Plan& plan, const Model& model, const SweepOptions& options) {
  std::string text = fmt::format("{}\n{}\n{:016x}\n{}\n", SWEPT_CLI_VERSION, plan.text,
                                 swept::model_hash(model), options.device.substr(0, 4));
  if (plan.controls.kind == ControlPlan::Kind::file) {
    std::ostringstream controls;
    controls << std::ifstream(plan.controls.file).rdbuf();
    text += controls.str();
  }
  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return fmt::format("{:016x}", hash);
}

Table make_table(const Plan& plan, const Runner& runner, const std::string& identity,
                 const std::vector<Row>& rows) {
  Table table{identity, {{"combination", "", "number of the combination, from 0", true, {}}}};
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    table.columns.push_back(
        {plan.parameters[i].name, runner.setup().unit(i), runner.setup().meaning(i), false, {}});
  }
  for (std::size_t i = 0; i < plan.measures.size(); ++i) {
    table.columns.push_back(
        {plan.measures[i].name, runner.meter().unit(i), runner.meter().meaning(i), false, {}});
  }
  table.columns.push_back(
      {"status", "", "why the environment stands still, 0: it does not", true, {}});
  for (const Row& row : rows) {
    table.columns.front().numbers.push_back(static_cast<double>(row.combination));
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
      table.columns[i + 1].numbers.push_back(row.numbers[i]);
    }
    table.columns.back().numbers.push_back(row.status);
  }
  return table;
}

// the table, if it is there; an error if another one is
std::optional<Table> find_table(const std::filesystem::path& path, const std::string& identity) {
  if (!std::filesystem::exists(path)) {
    return {};
  }
  Table table = read_table(path);
  if (table.identity != identity) {
    throw Error(Place{path.string(), 0, {}},
                "this is the table of another sweep, or of this one before the sweep file, the "
                "scene or swept changed",
                "remove it, or choose another file by --out");
  }
  return table;
}

/// The combinations of a shard that are not in its rows yet.
std::vector<std::int64_t> missing_of(const Parts::Rows& rows, const Shard& shard) {
  std::vector<std::int64_t> missing;
  const auto count = static_cast<std::int64_t>(rows.by_combination.size());
  for (std::int64_t c = shard.index - 1; c < count; c += shard.count) {
    if (rows.by_combination[static_cast<std::size_t>(c)].numbers.empty()) {
      missing.push_back(c);
    }
  }
  return missing;
}

/// Run combinations in batches into a journal; false: interrupted.
bool run_missing(const SweepOptions& options, const Plan& plan,
                 const std::vector<std::int64_t>& missing, Runner& runner, Journal& journal,
                 SweepResult* result) {
  Progress progress;
  const std::span<const std::int64_t> all(missing);
  const double total = static_cast<double>(missing.size()) * static_cast<double>(plan.steps);
  int envs = options.envs > 0 ? options.envs : runner.fitting_envs();
  for (std::size_t begin = 0; begin < all.size();) {
    const auto batch =
        all.subspan(begin, std::min(static_cast<std::size_t>(envs), all.size() - begin));
    const auto tell = [&](std::int64_t steps) {
      const double done = static_cast<double>(begin) * static_cast<double>(plan.steps) +
                          static_cast<double>(batch.size()) * static_cast<double>(steps);
      progress.show_bar(done, total, fmt::format("{} of {}", begin, all.size()));
      return !interrupted();
    };
    // where memory ends, fewer at a time give the same rows
    std::optional<std::vector<Row>> rows;
    const int half = static_cast<int>(batch.size() / 2);
    try {
      rows = runner.run(batch, tell);
    } catch (const MemoryError& error) {
      if (half == 0) {
        throw;
      }
      envs = std::clamp(error.largest_nenv(), 1, half);
      continue;
    } catch (const std::bad_alloc&) {
      if (half == 0) {
        throw;
      }
      envs = half;
      continue;
    }
    if (!rows) {
      return false;
    }
    journal.append(*rows);
    begin += batch.size();
    result->run += static_cast<std::int64_t>(batch.size());
    ++result->batches;
    result->envs = std::max(result->envs, static_cast<int>(batch.size()));
  }
  return true;
}

/// Run what is missing of the shard and make the table if all is there. Nothing: another process
/// made it, or will.
std::optional<Table> work(const SweepOptions& options, const Plan& plan, Runner& runner,
                          const std::string& identity, SweepResult* result) {
  const std::size_t numbers = plan.parameters.size() + plan.measures.size();
  const Parts parts(result->table, identity, numbers);
  const Shard shard = parse_shard(options.shard);
  while (true) {
    if (std::optional<Table> table = find_table(result->table, identity)) {
      // what a process left behind that was ended between the table and the folder
      parts.remove();
      return table;
    }
    {
      Journal journal(parts.journal(shard), identity, numbers);
      if (!journal.is_there() || std::filesystem::exists(result->table)) {
        continue;  // another process made the table just now
      }
      const std::vector<std::int64_t> missing = missing_of(parts.read(result->combinations), shard);
      const Clock::time_point start = Clock::now();
      result->interrupted = !run_missing(options, plan, missing, runner, journal, result);
      result->seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    const Parts::Rows rows = parts.read(result->combinations);
    result->rows = rows.found;
    if (rows.found < result->combinations) {
      return find_table(result->table, identity);
    }
    Table table = make_table(plan, runner, identity, rows.by_combination);
    write_table(table, result->table, parts.half());
    parts.remove();
    return table;
  }
}

}  // namespace

int sweep(const SweepOptions& options) {
  const Plan plan = read_plan(options.file);
  const Model model = open_scene(plan.scene);
  Runner runner(plan, model, {options.device, options.threads});
  SweepResult result;
  result.table = table_path(options).string();
  result.combinations = count_combinations(plan);
  result.steps = plan.steps;
  const std::string identity = identity_of(plan, model, options);
  const PlotChoice choice = choose_plot(options, plan);
  catch_interrupts();
  const std::optional<Table> table = work(options, plan, runner, identity, &result);
  if (table) {
    result.whole = true;
    result.rows = result.combinations;
    count_stopped(*table, &result);
    if (!options.plot.empty()) {
      plot(*table, choice, options.plot);
    }
  }
  options.json ? print_json(options, result) : print_table(options, result);
  return result.interrupted ? exit_interrupted : exit_done;
}

}  // namespace swept::cli
