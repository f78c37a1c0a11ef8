// SPDX-License-Identifier: Apache-2.0
// swept info | explain | run | sweep | bench | ccd: reads the command line and turns errors into messages
// and exit codes.
#include "tools/swept/commands.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace {

using namespace swept::cli;

/// Accepts whole numbers from `low` on.
CLI::Validator at_least(std::int64_t low) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  return CLI::Validator(
      [low](std::string& text) {
        std::int64_t value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && value >= low && value <= most;
        return good ? std::string()
                    : fmt::format("'{}' is not a whole number from {} on", text, low);
      },
      fmt::format("{} or more", low));
}

constexpr const char* sweep_help = R"(A sweep file:

  {"scene": "block.xml",              relative to this file
   "steps": 1000,                     of every combination
   "precision": "f64",                optional: f32 (default) or f64
   "keyframe": "start",               optional: where to start
   "every": 10,                       optional: steps between the moments that are measured
   "controls": {"random": {"seed": 1, "hold": 5}},   optional: or a CSV file, as swept run --ctrl
   "samples": {"count": 64, "sequence": "sobol", "seed": 1},   where a parameter is drawn: sobol or
                                                               random (default)
   "parameters": [
     {"name": "friction", "field": "geom_friction", "of": "block", "column": 0,
      "values": [0.1, 0.2, 0.5]},
     {"name": "slope", "field": "opt_gravity", "change": "rotate", "axis": [0, 1, 0],
      "range": {"from": 0, "to": 45, "count": 10}},
     {"name": "mass", "change": "scale", "log_uniform": [0.5, 2],
      "targets": [{"field": "body_mass"}, {"field": "body_inertia"}]}],
   "measures": [
     {"name": "distance", "field": "qpos", "of": "slide", "take": "final"},
     {"name": "hit", "field": "xpos", "of": "head", "column": "z", "take": "time", "below": 0.3}]}

Parameters: any real field of the model or field of the state; "of" (rows) and "column" take names,
numbers or lists, and mean all where they are left out. "change" is set (default), scale, add or
rotate (degrees about "axis"). The field "seed" is that of random controls. Values: "values",
"range" {"from", "to", "count", "spacing": "linear" or "log"} or {"from", "to", "step"}; drawn:
"uniform" [low, high], "log_uniform" [low, high], "normal" [mean, deviation].
Combinations: the product of all lists and ranges, and for each of its points all samples.
Measures: any field of state, model and forward pass, and ncon, nefc, solver_niter; "take" is final,
mean, min, max, rms or time (of the first moment "above" or "below" a number); "over" makes one
number of several: min, max, sum, mean, norm; "from" and "to" bound the time that counts.
A combination whose environment stands still has a status that is not 0, and nan for its measures.
)";

void add_info(CLI::App* app, InfoOptions* options) {
  app->add_option("scene", options->scene, "MJCF (.xml) or its JSON spelling (.json)")->required();
  app->add_flag("--json", options->json, "print one JSON object");
}

void add_explain(CLI::App* app, ExplainOptions* options) {
  app->add_option("scene", options->scene, "MJCF (.xml) or its JSON spelling (.json)")->required();
  app->add_option("geom1", options->geom1, "name or id of a geom")->required();
  app->add_option("geom2", options->geom2, "name or id of another")->required();
  app->add_flag("--json", options->json, "print one JSON object");
}

void add_run(CLI::App* app, RunOptions* options) {
  app->add_option("scene", options->scene, "MJCF (.xml) or its JSON spelling (.json)")->required();
  app->add_option("--envs", options->envs, "copies of the scene")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--steps", options->steps, "steps of each")
      ->check(at_least(0))
      ->capture_default_str();
  app->add_option("--device", options->device, "cpu, cuda or cuda:i")->capture_default_str();
  app->add_option("--precision", options->precision, "f32 or f64")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->capture_default_str();
  app->add_option("--threads", options->threads, "CPU threads, 0: as many as the machine has")
      ->check(at_least(0));
  app->add_option("--ctrl", options->ctrl,
                  "zero, random (uniform in ctrlrange, or in [-1, 1]), or a CSV file with one row "
                  "of controls per step, whose last row stays")
      ->capture_default_str();
  app->add_option("--hold", options->hold, "steps for which random controls stay")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "of the random controls")->capture_default_str();
  CLI::Option* keyframe =
      app->add_option("--keyframe", options->keyframe, "start from this keyframe, by id or name");
  app->add_flag(
      "--auto-reset{-1}", options->auto_reset,
      "put environments that go bad back to the default state, or by --auto-reset=KEY to a "
      "keyframe, instead of leaving them where they are");
  app->add_option("--save", options->save, "write a snapshot of all environments at the end");
  app->add_option("--load", options->load,
                  "go on from a snapshot: the same bits as a run that was never stopped")
      ->excludes(keyframe);
  CLI::Option* record = app->add_option(
      "--record", options->record,
      "write a trajectory: of all environments to an HDF5 file (.h5), of environment 0 "
      "to a CSV file (.csv)");
  app->add_option("--record-fields", options->record_fields,
                  "what to write, as in time,qpos,xpos: fields of the state, and what a forward "
                  "pass computes from it (default: time,qpos,qvel; HDF5 also act,ctrl)")
      ->delimiter(',')
      ->needs(record);
  app->add_option("--record-every", options->record_every, "steps between its rows")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_flag("--json", options->json, "print one JSON object instead of the table");
}

void add_sweep(CLI::App* app, SweepOptions* options) {
  app->add_option("sweep", options->file, "JSON file that says what to vary and what to measure")
      ->required();
  app->add_option("--out", options->out,
                  "the table: .csv, .h5 or .hdf5 (default: the sweep's name with .csv, here); "
                  "until it is whole, finished rows are kept in a folder beside it, <out>.parts, "
                  "and the same command goes on from them");
  app->add_option("--envs", options->envs,
                  "combinations that run at a time (default: what fits into half of the free "
                  "memory, 4096 at most); rows do not depend on it")
      ->check(at_least(1));
  app->add_option("--shard", options->shard,
                  "i/n: run only every n-th combination, from the i-th on; processes that share the "
                  "folder of --out share the work, and the last one makes the table")
      ->capture_default_str();
  app->add_option("--device", options->device, "cpu, cuda or cuda:i")->capture_default_str();
  app->add_option("--threads", options->threads, "CPU threads, 0: as many as the machine has")
      ->check(at_least(0));
  CLI::Option* plot = app->add_option(
      "--plot", options->plot, "draw a picture of the table when it is whole: .svg or .png");
  app->add_option("--plot-columns", options->plot_columns,
                  "what to draw: a measure, then one parameter or two, as in "
                  "distance,friction,slope (default: the first of each)")
      ->delimiter(',')
      ->needs(plot);
  app->add_flag("--json", options->json, "print one JSON object instead of the summary");
  app->footer(sweep_help);
}

void add_bench(CLI::App* app, BenchCommand* options) {
  app->add_option("scene", options->scene, "MJCF (.xml)")->required();
  app->add_option("--envs", options->envs, "copies of the scene on every side")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--steps", options->steps, "steps of a turn")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--warmup", options->warmup, "steps before the first turn")
      ->check(at_least(0))
      ->capture_default_str();
  app->add_option("--turns", options->turns, "turns of each side; their median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--threads", options->threads, "on every side, 0: as many as the machine has")
      ->check(at_least(0));
  app->add_option("--hold", options->hold, "steps for which random controls stay")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "of the random controls")->capture_default_str();
  app->add_option("--device", options->device, "of swept: cpu, cuda or cuda:i")
      ->capture_default_str();
  app->add_option("--precision", options->precision, "of swept: f32, f64 or both")
      ->check(CLI::IsMember({"f32", "f64", "both"}))
      ->capture_default_str();
  app->add_option("--against", options->against,
                  "mujoco: the official library's threaded batch in the same run")
      ->check(CLI::IsMember({"mujoco"}));
  app->add_flag("--json", options->json, "print one JSON object instead of the table");
}

void add_ccd(CLI::App* app, CcdOptions* options) {
  app->add_option("a", options->a, "the first body: OBJ, STL or MSH; with --2d OBJ with lines");
  app->add_option("b", options->b, "the second body");
  app->add_option("--motion", options->motion,
                  "JSON: {\"a\": {\"from\": {\"position\": [x, y, z], \"quaternion\": [w, x, y, z]}, "
                  "\"to\": {...}}, \"b\": {\"from\": {...}, \"velocity\": [...], "
                  "\"angular_velocity\": [...], \"duration\": h, \"thickness\": r}}; what is "
                  "missing rests at the identity");
  app->add_flag("--directional", options->directional,
                "see the direction of the motion: fewer, dearer steps");
  app->add_flag("--relative", options->relative, "leave a common velocity out of the speed bound");
  app->add_flag("--2d", options->flat, "polylines in the plane");
  app->add_option("--tolerance", options->tolerance,
                  "distance below which bodies touch (default: 1e-6 of the larger one)")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--max-iterations", options->max_iterations, "cap on the number of advances")
      ->check(at_least(1))
      ->capture_default_str();
  app->add_option("--queries", options->queries,
                  "answer a labelled set instead, a CSV file or a folder of them, in f64 and f32: "
                  "collisions missed, false alarms, time per query");
  app->add_option("--separation", options->separation, "of queries: distance to keep")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--turns", options->turns, "of each query; the median of its times counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_flag("--json", options->json, "print one JSON object");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Steps thousands of copies of one MuJoCo-style scene in parallel.", "swept");
  app.set_version_flag("--version", SWEPT_CLI_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("swept: error: {}; see swept --help\n", error.what());
  });
  InfoOptions info_options;
  ExplainOptions explain_options;
  RunOptions run_options;
  BenchCommand bench_options;
  CLI::App* info_app =
      app.add_subcommand("info", "what a scene holds, needs, and what is unsupported");
  CLI::App* explain_app =
      app.add_subcommand("explain", "whether two geoms can collide, and which rule decides");
  CLI::App* run_app = app.add_subcommand("run", "step a batch and print a table");
  CLI::App* bench_app = app.add_subcommand("bench", "compare speeds, and the physics beside them");
  add_info(info_app, &info_options);
  add_explain(explain_app, &explain_options);
  add_run(run_app, &run_options);
  add_bench(bench_app, &bench_options);
  CcdOptions ccd_options;
  CLI::App* ccd_app = app.add_subcommand(
      "ccd", "the first time at which two moving meshes touch, with a certified bound");
  add_ccd(ccd_app, &ccd_options);
  SweepOptions sweep_options;
  CLI::App* sweep_app = app.add_subcommand(
      "sweep", "run all combinations of parameters and write a table of what was measured");
  add_sweep(sweep_app, &sweep_options);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_usage;
  }

  try {
    run_options.envs_given = run_app->count("--envs") > 0;
    if (info_app->parsed()) {
      return info(info_options);
    }
    if (explain_app->parsed()) {
      return explain(explain_options);
    }
    if (ccd_app->parsed()) {
      return ccd(ccd_options);
    }
    if (sweep_app->parsed()) {
      return sweep(sweep_options);
    }
    return run_app->parsed() ? run(run_options) : compare(bench_options);
  } catch (const swept::Error& error) {
    fmt::print(stderr, "swept: error: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "swept: error: memory has run out; ask for fewer environments\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "swept: error: {}\n", error.what());
  }
  return exit_failed;
}
