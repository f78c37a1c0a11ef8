// SPDX-License-Identifier: Apache-2.0
// The commands and their options. Each returns an exit code and throws swept::Error for bad
// input.
//   0    done
//   1    bad input, or the work could not be finished
//   2    wrong usage (main() sees to it)
//   130  interrupted; what was done has been printed
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace swept::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_interrupted = 130;

struct InfoOptions {
  std::string scene;
  bool json = false;
};

/// Print what a scene holds and needs, or everything in it that is not supported.
int info(const InfoOptions& options);

struct ExplainOptions {
  std::string scene;
  std::string geom1;  ///< name or id
  std::string geom2;
  bool json = false;
};

/// Print whether two geoms can collide, which rule decides, and the parameters of a contact.
int explain(const ExplainOptions& options);

struct RunOptions {
  std::string scene;
  int envs = 1;
  std::int64_t steps = 1000;
  std::string device = "cpu";
  std::string precision = "f32";  ///< f32 or f64
  int threads = 0;
  std::string ctrl = "zero";  ///< zero, random, or a CSV file
  int hold = 5;               ///< steps for which random controls stay
  std::uint64_t seed = 1;
  std::string keyframe;     ///< id or name; empty: the default state
  std::string auto_reset;   ///< keyframe, id or name, for environments that go bad; -1: the default
                            ///< state; empty: they stand still
  std::string load;         ///< snapshot to go on from; empty: none
  std::string save;         ///< snapshot to write at the end; empty: none
  bool envs_given = false;  ///< was `envs` chosen; if not, a snapshot chooses it
  std::string record;       ///< CSV or HDF5 file to write; empty: none
  std::vector<std::string> record_fields;  ///< what to write; empty: the usual
  std::int64_t record_every = 1;           ///< steps between its rows
  bool json = false;
};

/// Step a batch and print a table of what happened.
int run(const RunOptions& options);

struct BenchCommand {
  std::string scene;
  int envs = 1024;
  std::int64_t steps = 200;
  std::int64_t warmup = 500;
  int turns = 3;
  int threads = 0;
  int hold = 5;
  std::uint64_t seed = 1;
  std::string device = "cpu";
  std::string precision = "both";
  std::string against;  ///< empty or "mujoco"
  bool json = false;
};

/// Compare speeds and print a table.
int compare(const BenchCommand& options);

struct CcdOptions {
  std::string a, b;          ///< files of the bodies
  std::string motion;        ///< JSON file; empty: both rest
  std::string queries;       ///< file or folder of labelled queries; empty: none
  bool directional = false;  ///< the bound that sees the direction of the motion
  bool relative = false;     ///< a common velocity does not count
  bool flat = false;         ///< polylines in the plane
  double tolerance = 0;      ///< 0: the default
  double separation = 0;     ///< of queries: the distance to keep
  int max_iterations = 1000;
  int turns = 3;  ///< of each query; the median of its times counts
  bool json = false;
};

/// Print when two moving bodies touch first, or how a labelled set of queries is answered, which
/// fails if a collision is missed.
int ccd(const CcdOptions& options);

struct SweepOptions {
  std::string file;           ///< the sweep, JSON
  int envs = 0;               ///< environments of a batch at most; 0: as many as fit, up to 4096
  std::string out;            ///< the table, .csv, .h5 or .hdf5; empty: the sweep's name and .csv
  std::string shard = "1/1";  ///< which share of the sweep, of how many
  std::string device = "cpu";
  int threads = 0;
  std::string plot;                       ///< picture to draw, .svg or .png; empty: none
  std::vector<std::string> plot_columns;  ///< a measure, and one parameter or two; empty: the first
  bool json = false;
};

/// Run the combinations of a sweep that are missing, and write the table when none is.
int sweep(const SweepOptions& options);

}  // namespace swept::cli
