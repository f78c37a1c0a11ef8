// SPDX-License-Identifier: Apache-2.0
// Numbers to draw samples with: random ones and a Sobol sequence, both functions of (seed, sample,
// dimension) alone, and the quantiles of distributions.
//
// Sobol sequence: sample i has in dimension d the number x = XOR of v_d[b] over the bits b of i that
// are set, over 2^32. The direction numbers v_d come from a primitive polynomial over GF(2) and
// the first few odd m_k < 2^k, by the recurrence of Bratley and Fox (ACM TOMS 14, 1988); polynomials
// and m_k are those of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008, "new-joe-kuo-6"). Any 2^k samples
// from a multiple of 2^k on have one in each of 2^k equal parts of every axis; the first two
// dimensions have one in every box of volume 2^-k with sides that are powers of 2. The seed flips
// the same random bits in all samples of a dimension, which keeps both.
#pragma once

#include <cstdint>

namespace swept::cli {

/// Dimensions of the Sobol sequence.
inline constexpr int sobol_dimensions = 21;

/// A number in (0, 1), 52 random bits, for a point of a grid.
double random_number(std::uint64_t seed, std::uint64_t sample, std::uint64_t dimension);

/// A number in (0, 1) of the sequence: sample below 2^32, dimension below sobol_dimensions.
double sobol_number(std::uint64_t seed, std::uint64_t sample, int dimension);

/// x with P(X < x) = p for a normal X of mean 0 and deviation 1; 0 < p < 1. Relative error 1e-14.
double normal_quantile(double p);

}  // namespace swept::cli
