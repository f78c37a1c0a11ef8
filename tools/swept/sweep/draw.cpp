// SPDX-License-Identifier: Apache-2.0
// Direction numbers, digital shifts, and Newton's method for the quantile.
#include "tools/swept/sweep/draw.h"

#include "bench/controls.h"

#include <array>
#include <cmath>
#include <numbers>

namespace swept::cli {

namespace {

constexpr int bits = 32;

/// A dimension after the first: degree s of its polynomial, the inner coefficients of that as bits,
/// and m_1 ... m_s.
struct Polynomial {
  int degree;
  unsigned inner;
  std::array<std::uint32_t, 7> m;
};
constexpr Polynomial polynomials[sobol_dimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

using Directions = std::array<std::uint32_t, bits>;

Directions directions_of(int dimension) {
  Directions v{};
  if (dimension == 0) {
    for (int b = 0; b < bits; ++b) {
      v[static_cast<std::size_t>(b)] = std::uint32_t{1} << (bits - 1 - b);
    }
    return v;
  }
  const Polynomial& polynomial = polynomials[dimension - 1];
  const int s = polynomial.degree;
  for (int b = 0; b < bits; ++b) {
    const auto at = [&](int back) { return v[static_cast<std::size_t>(b - back)]; };
    std::uint32_t& out = v[static_cast<std::size_t>(b)];
    if (b < s) {
      out = polynomial.m[static_cast<std::size_t>(b)] << (bits - 1 - b);
      continue;
    }
    // v_b = v_(b-s) XOR v_(b-s) >> s XOR the inner terms
    out = at(s) ^ at(s) >> s;
    for (int k = 1; k < s; ++k) {
      if ((polynomial.inner >> (s - 1 - k) & 1) != 0) {
        out ^= at(k);
      }
    }
  }
  return v;
}

const std::array<Directions, sobol_dimensions>& all_directions() {
  static const auto all = [] {
    std::array<Directions, sobol_dimensions> made{};
    for (int d = 0; d < sobol_dimensions; ++d) {
      made[static_cast<std::size_t>(d)] = directions_of(d);
    }
    return made;
  }();
  return all;
}

}  // namespace

double random_number(std::uint64_t seed, std::uint64_t sample, std::uint64_t dimension) {
  // the middle of one of 2^52 equal parts, so that neither 0 nor 1 comes out
  constexpr double parts = 4503599627370496.0;
  return (std::floor(bench::uniform(seed, sample, 0, dimension) * parts) + 0.5) / parts;
}

double sobol_number(std::uint64_t seed, std::uint64_t sample, int dimension) {
  const Directions& v = all_directions()[static_cast<std::size_t>(dimension)];
  constexpr double parts = 4294967296.0;
  constexpr std::uint64_t of_shift = 1;
  auto x = static_cast<std::uint32_t>(
      bench::uniform(seed, 0, of_shift, static_cast<std::uint64_t>(dimension)) * parts);
  for (std::size_t b = 0; b < bits; ++b) {
    x ^= (sample >> b & 1) != 0 ? v[b] : 0;
  }
  return (x + 0.5) / parts;
}

double normal_quantile(double p) {
  if (p == 0.5) {
    return 0;
  }
  // on the side where p is small, log P(X < x) is concave and rises, so that Newton's method comes
  // nearer from the left at every step; P(X < x) < exp(-x^2 / 2) there, which gives a start
  const double low = p < 0.5 ? p : 1 - p;
  const double wanted = std::log(low);
  double x = -std::sqrt(-2 * wanted);
  for (int i = 0; i < 100; ++i) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = (wanted - std::log(below)) * below / density;
    x += step;
    if (std::abs(step) <= 1e-15 * std::abs(x)) {
      break;
    }
  }
  return p < 0.5 ? x : -x;
}

}  // namespace swept::cli
