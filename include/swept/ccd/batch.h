// SPDX-License-Identifier: Apache-2.0
// Thousands of times of impact at once, on the CPU's threads or on a GPU, in f32 or f64.
//
//   namespace ccd = swept::ccd;
//   const std::vector<ccd::Mesh> bodies = ...;
//   ccd::TimeOfImpactBatch batch(bodies, {.device = "cuda"});  // uploads their trees, once
//   std::vector<ccd::ImpactQuery> queries;                     // pairs of bodies and their motions
//   queries.push_back({0, 1, motion_of_0, motion_of_1});
//   const std::vector<ccd::Impact<3>> impacts = batch.time_of_impact(queries);
//
// Every answer means what time_of_impact() of two bodies says (impact.h): the same statuses, never
// later than the true contact, the distance at least thickness + tolerance / 2 on [0, lower_bound].
// In f64 the tolerance is that of time_of_impact(). In f32 it is at least
//   u (400 size + 80 mu + 64 thickness),
//   u = 6e-8, size = both radii + distance of the origins at s = 0 + their relative way,
// mu the sum over both bodies of the way and the turn times the radius: about 4e-5 of what is in
// the picture (src/kernels/ccd/rounding.h). Places far from the world's origin cost nothing. What
// was used is Impact::tolerance.
//
// Some queries go on in the host's loop, in double and with the directional bound, from the time
// that is certified: those that have had all the device's looks and are not finished, and those for
// which no step can be proved in f32. A query whose f32 tolerance would be coarser than allowed is
// the host's from its start. None is dropped.
//
// An answer depends on its query and on the options alone: not on the others, their order or their
// number, nor on threads; both instruction sets of the CPU give the same bits.
#pragma once

#include <swept/batch.h>
#include <swept/ccd/impact.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace swept::ccd {

/// How to make a TimeOfImpactBatch.
struct ImpactBatchOptions {
  std::string device = "cpu";            ///< "cpu", "cuda" or "cuda:i"
  Precision precision = Precision::f32;  ///< of the device's arithmetic
  int threads = 0;                       ///< CPU threads, 0: as many as the machine has
  int looks = 64;                        ///< cap on the device's looks at one query, at least 1
  /// The precision may raise a query's tolerance up to this share of the larger body's diagonal;
  /// the host answers queries that need more. 0: it may not raise any.
  double coarsest = 0.01;
};

/// Two bodies of the batch on their ways.
struct ImpactQuery {
  int a = 0;  ///< numbers of the bodies
  int b = 0;
  Motion<3> motion_a;
  Motion<3> motion_b;
  Options options{};
};

/// How the queries of a call were answered.
struct ImpactCounts {
  std::int64_t queries = 0;
  std::int64_t on_host = 0;   ///< went on at the host, or were its from the start
  std::int64_t declined = 0;  ///< of those: from the start
};

class TimeOfImpactBatch {
 public:
  /// Upload bodies. Copies of a Body share their place. Throws Error if the device or the options
  /// cannot be had, or if memory ends.
  explicit TimeOfImpactBatch(std::span<const Mesh> bodies, const ImpactBatchOptions& options = {});
  ~TimeOfImpactBatch();
  TimeOfImpactBatch(TimeOfImpactBatch&&) noexcept;
  TimeOfImpactBatch& operator=(TimeOfImpactBatch&&) noexcept;

  /// When do the two bodies of each query touch first? One answer per query, in order; one call at a
  /// time. Throws Error for a body that does not exist or an option out of range; then nothing has
  /// been computed.
  std::vector<Impact<3>> time_of_impact(std::span<const ImpactQuery> queries);

  /// Of the last call.
  ImpactCounts counts() const;

  /// The backend and its precision, for example "cpu_v4_f32".
  std::string backend() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace swept::ccd
