// SPDX-License-Identifier: Apache-2.0
// ImpactEngine: the seam between host and kernels for times of impact of meshes. One engine holds
// the trees of a batch of bodies on one device in one precision, and answers queries about them.
//
// A query that the device does not answer, for want of looks or of precision, comes back unfinished
// with the time up to which it is certified; it is the host's to go on.
#pragma once

#include <swept/ccd/impact.h>
#include <swept/ccd/motion.h>

#include <memory>
#include <span>
#include <string>

namespace swept::ccd {

/// The tree of a body: see "ccd/tree.h". The arrays need not outlive the making of an engine.
struct ImpactTree {
  std::span<const double> corners;  ///< [9 m] corners of the facets, by slot
  std::span<const int> second;      ///< [2 m - 1] second child of every node, or -1 - slot
  double radius = 0;                ///< largest distance of a corner from the origin
};

/// One query.
struct ImpactJob {
  int a = 0, b = 0;  ///< numbers of trees
  const Motion<3>* motion_a = nullptr;
  const Motion<3>* motion_b = nullptr;
  double thickness = 0;    ///< sum of both
  double tolerance = 0;    ///< wanted, above 0
  double coarsest = 0;     ///< the largest one that the precision may raise it to
  int max_iterations = 0;  ///< cap on the advances
  bool directional = false;
  bool relative = false;  ///< bound the ways by their difference
};

/// Its answer.
struct ImpactAnswer {
  bool finished = false;  ///< else the impact's toi, tolerance, iterations and pairs are where to
                          ///< go on from
  Impact<3> impact;       ///< but for the numbers of the facets
  int slot_a = 0, slot_b = 0;
};

class ImpactEngine {
 public:
  virtual ~ImpactEngine() = default;

  virtual std::string name() const = 0;  ///< configuration, for example cpu_v4_f32
  /// How many queries one call should have: few on the CPU, where each worker takes some; enough to
  /// fill a part of a GPU, where workers have queues of their own and prepare queries side by side.
  virtual int portion() const = 0;
  /// Answer queries, each with at most `looks` looks. One call at a time for a worker. Throws
  /// std::bad_alloc when memory ends, std::runtime_error when the device fails.
  virtual void answer(int worker, std::span<const ImpactJob> jobs, int looks,
                      std::span<ImpactAnswer> answers) = 0;
};

/// What a backend exports: swept_make_impact_engine_f32, swept_make_impact_engine_f64. The caller
/// owns the result.
using MakeImpactEngine = ImpactEngine* (*)(std::span<const ImpactTree> trees, int device,
                                           int workers);

}  // namespace swept::ccd
