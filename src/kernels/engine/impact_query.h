// SPDX-License-Identifier: Apache-2.0
// A query of the time of impact in the reals of the configuration, and its answer back.
#pragma once

#include "kernels/ccd/advance.h"
#include "kernels/engine/impact_bodies.h"
#include "kernels/engine/impact_engine.h"

namespace swept::SWEPT_NS {

/// A query as the device takes it, with what the host keeps of it.
struct PreparedQuery {
  QueryData data;
  double tolerance = 0;   ///< what is used: as wanted, or raised to what rounding needs
  int exponent = 0;       ///< the unit of its lengths, 2^exponent
  bool declined = false;  ///< rounding needs more than the coarsest tolerance: not for the device
};

PreparedQuery prepare(const ccd::ImpactJob& job, const ImpactBodies& bodies);

/// The answer to a query from its track.
ccd::ImpactAnswer answer_of(const ccd::ImpactJob& job, const PreparedQuery& query,
                            const Track& track);

}  // namespace swept::SWEPT_NS
