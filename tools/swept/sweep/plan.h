// SPDX-License-Identifier: Apache-2.0
// Plan: what a sweep file asks for, read and checked, but not yet held against its scene.
//
//   {
//     "scene": "block.xml",                  relative to the sweep file
//     "steps": 1000,                         of every combination
//     "precision": "f64",                    f32 (default) or f64
//     "keyframe": "start",                   id or name; default: the default state
//     "every": 10,                           steps between the moments that are measured; default 1
//     "controls": "none",                    the default: they stay what the keyframe, or a
//                                            parameter, made them; or a CSV file, one row per step;
//                                            or {"random": {"seed": 1, "hold": 5}}
//     "samples": {"count": 64, "sequence": "sobol", "seed": 1},   random (default) or sobol
//     "parameters": [
//       {"name": "friction", "field": "geom_friction", "of": "block", "column": 0,
//        "values": [0.1, 0.2, 0.5]},
//       {"name": "slope", "field": "opt_gravity", "change": "rotate", "axis": [0, 1, 0],
//        "range": {"from": 0, "to": 45, "count": 10}},
//       {"name": "mass", "change": "scale", "log_uniform": [0.5, 2],
//        "targets": [{"field": "body_mass"}, {"field": "body_inertia"}]}
//     ],
//     "measures": [
//       {"name": "distance", "field": "qpos", "of": "slide", "take": "final"},
//       {"name": "hit", "field": "xpos", "of": "head", "column": "z", "take": "time", "below": 0.3}
//     ]
//   }
//
// Combinations: lists ("values") and ranges make a grid, the product of them all, the last one
// running fastest. Parameters that are drawn ("uniform", "log_uniform": [low, high], "normal":
// [mean, deviation]) are drawn together: "samples" says how many there are, and every point of the
// grid gets the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace swept::cli {

/// Some numbers of a field: rows by name or number, and columns by number or letter; an empty list
/// stands for all.
struct Selection {
  std::string field;
  std::vector<std::string> rows, columns;
};

/// What the value of a parameter does to the numbers it is for.
enum class Change { set, scale, add, rotate };

/// One place where a parameter acts.
struct Target {
  Selection numbers;
  Change change = Change::set;
  std::array<double, 3> axis{};  ///< of a rotation, which is by degrees
  std::string place;             ///< in the sweep file, for errors
};

/// Where the values of a parameter come from.
enum class Source { list, uniform, log_uniform, normal };

struct Parameter {
  std::string name, unit;  ///< unit: empty if the field gives it
  Source source = Source::list;
  std::vector<double> values;  ///< list: all of them; otherwise low and high, or mean and deviation
  bool log = false;            ///< they lie at equal ratios rather than at equal distances
  std::vector<Target> targets;
  std::string place;

  bool drawn() const { return source != Source::list; }
};

/// How several selected numbers become one.
enum class Over { one, min, max, sum, mean, norm };

/// How the numbers of all moments become one.
enum class Take { final, mean, min, max, rms, time };

struct Measure {
  std::string name, unit;  ///< unit: empty if the field gives it
  Selection numbers;
  Over over = Over::one;
  Take take = Take::final;
  double from = -std::numeric_limits<double>::infinity();  ///< moments before do not count [s]
  double to = std::numeric_limits<double>::infinity();     ///< moments after do not count [s]
  bool above = true;     ///< the event: is the number above the threshold, or below it
  double threshold = 0;  ///< of the event
  std::string place;
};

/// Draws of the parameters that are drawn.
struct Samples {
  std::int64_t count = 1;
  bool sobol = false;
  std::uint64_t seed = 1;
};

/// Where controls come from; the field "seed" of a parameter replaces the seed.
struct ControlPlan {
  enum class Kind { none, random, file } kind = Kind::none;
  std::string file;  ///< path, as it is opened
  std::uint64_t seed = 1;
  int hold = 5;
};

struct Plan {
  std::string path;   ///< of the sweep file
  std::string text;   ///< what it holds, without white space
  std::string scene;  ///< path, as it is opened
  std::string precision = "f32";
  std::string keyframe;
  std::int64_t steps = 0;
  std::int64_t every = 1;
  ControlPlan controls;
  Samples samples;
  std::vector<Parameter> parameters;
  std::vector<Measure> measures;
};

/// Read a sweep file. Throws Error, naming file and member, for everything that is wrong with it
/// by itself.
Plan read_plan(const std::string& path);

/// Most combinations of a sweep.
inline constexpr std::int64_t most_combinations = 1'000'000'000;

/// The number of combinations. Throws Error if there are too many.
std::int64_t count_combinations(const Plan& plan);

/// The value of each parameter in a combination. A function of the plan and the number alone.
std::vector<double> values_of(const Plan& plan, std::int64_t combination);

}  // namespace swept::cli
