// SPDX-License-Identifier: Apache-2.0
// Random queries for TimeOfImpactBatch, and what tests of it share.
#pragma once

#include "ccd/shapes.h"

#include <swept/ccd/batch.h>

#include <string>
#include <vector>

namespace swept::test {

/// Bodies convex and not, one facet and many, thin and with thickness, of about unit size.
std::vector<ccd::Mesh> random_bodies(Random& random, int count);

/// Bodies that start some way off each other and pass by or hit, turning or not, with either bound.
std::vector<ccd::ImpactQuery> random_queries(Random& random, int bodies, int count);

/// A batch on the CPU, or nothing if the backend was not built for the precision.
std::unique_ptr<ccd::TimeOfImpactBatch> make_batch(std::span<const ccd::Mesh> bodies,
                                                   ccd::ImpactBatchOptions options);

/// Whether all numbers of two answers are the same, bit for bit.
bool same_bits(const ccd::Impact<3>& a, const ccd::Impact<3>& b);

/// Distance of the facets of a query's bodies at a time, in double.
double distance_at(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& query, double s);

/// Sum of the thicknesses of a query's bodies.
double thickness_of(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& query);

/// The host's answer with a tolerance of its own.
ccd::Impact<3> host_impact(const std::vector<ccd::Mesh>& bodies, const ccd::ImpactQuery& query,
                           double tolerance);

}  // namespace swept::test
