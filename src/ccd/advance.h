// SPDX-License-Identifier: Apache-2.0
// The loop of conservative advancement over two bodies, one look at a time.
#pragma once

#include "ccd/placed.h"

#include <swept/ccd/impact.h>

namespace swept::ccd::detail {

/// Throws Error for options out of range.
void check_options(const Options& options);

/// The tolerance that a pair is to have before rounding is looked at.
template <int D>
double wanted_tolerance(const Body<D>& a, const Body<D>& b, const Options& options);

/// The bound on the closing speed of two motions with bounds mu_a and mu_b.
template <int D>
double closing_bound(const Motion<D>& a, const Motion<D>& b, double mu_a, double mu_b,
                     const Options& options);

/// Two bodies on their way to the first contact. The bodies, motions and options that it was made
/// of must outlive it.
template <int D>
class Advancement {
 public:
  Advancement(const MovingPair<D>& pair, const Options& options);

  /// Looks at the bodies where they are and moves on. True if there is no more to do: then result()
  /// is the answer. If not, the time of impact is certainly not before time().
  bool look();

  /// Goes on from where another one, of the same or a larger tolerance, has come to: the bodies are
  /// certified to be apart on [0, time].
  ///   slot_a, slot_b     the facets that were nearest
  ///   iterations, pairs  what it took, added to the result's
  void resume(double time, int slot_a, int slot_b, int iterations, std::int64_t pairs);

  double time() const { return time_; }
  const Impact<D>& result() const { return result_; }

 private:
  bool finish(Status status);

  const MovingPair<D> pair_;
  const Options& options_;
  Impact<D> result_;
  double thickness_;
  double time_ = 0;
  int slot_a_ = 0, slot_b_ = 0;  // the nearest facets when last looked at
};

}  // namespace swept::ccd::detail
