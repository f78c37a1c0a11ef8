// SPDX-License-Identifier: Apache-2.0
// What continuous collision costs: two meshes over numbers of facets, many bodies over their
// number, and thousands of queries in a batch beside one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace swept::bench {

struct CcdOptions {
  std::vector<int> facets = {100, 1'000, 10'000, 100'000, 1'000'000};  ///< of each mesh, about
  std::vector<int> bodies = {10, 100, 1'000, 10'000};
  int queries = 16;       ///< different motions; their median counts
  int batch = 20'000;     ///< queries of a batch on a GPU; a twentieth of them on the CPU
  int batch_threads = 0;  ///< 0: as many as the machine has
  std::function<void(const std::string&)> progress;  ///< told what is being done
};

/// Two meshes of one size: bumpy spheres that tumble towards each other, the same two surfaces for
/// any number of facets.
struct CcdMeshRow {
  int facets = 0;          ///< of each
  double build = 0;        ///< making one body, of which most is its tree [s]
  double plain = 0;        ///< a query, median [s]
  double directional = 0;  ///< the same with the directional bound
  double plain_steps = 0;  ///< iterations, mean
  double directional_steps = 0;
  double distance = 0;  ///< the distance at one time, median [s]
};

/// Many bodies, all of them moving, as dense for any number.
struct CcdCrowdRow {
  int bodies = 0;
  double seconds = 0;     ///< of first_impact(), median of three
  double candidates = 0;  ///< pairs left by the boxes, per body
  double tested = 0;      ///< pairs for which a time of impact was computed
};

/// Many queries between bodies of one size: a batch against the host's routine on one thread, the
/// same queries, in turns.
struct CcdBatchRow {
  std::string backend;  ///< for example "cpu_v4_f32"
  int threads = 0;      ///< of the batch
  int facets = 0;       ///< of each body
  bool directional = false;
  double host = 0;     ///< queries per second of time_of_impact() on one thread, median
  double batch = 0;    ///< of the batch, median
  double on_host = 0;  ///< share of its queries that went on at the host
};

struct CcdResult {
  std::vector<CcdMeshRow> meshes;
  std::vector<CcdCrowdRow> crowds;
  std::vector<CcdBatchRow> batches;
  std::string to_json() const;  ///< one object
  std::string to_text() const;  ///< tables
};

/// Measure on one thread, in double precision; batches on the CPU with the threads of the options,
/// in both precisions, and on a GPU if there is one.
CcdResult measure_ccd(const CcdOptions& options);

}  // namespace swept::bench
