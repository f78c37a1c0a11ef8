// SPDX-License-Identifier: Apache-2.0
// Comparison of numbers against a pair of bars, one per precision.
//
//   EXPECT_TRUE(near(got, want, {1e-12, 2e-5}));     // bars {f64, f32}
//
// The residual is |got - want| / max(1, |want|): absolute for small numbers, relative for large
// ones. In kernel tests the bar is that of the configuration; host tests use f64 unless they name
// a precision. SWEPT_TOL_SCALE in the environment multiplies all bars: with 0 every comparison
// that is not exact fails and prints its residual.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <limits>

namespace swept::test {

enum class Bar { f64, f32 };

#if defined(SWEPT_F32) && SWEPT_F32
inline constexpr Bar default_bar = Bar::f32;
#else
inline constexpr Bar default_bar = Bar::f64;
#endif

/// The largest residual that passes, per precision.
struct Tolerance {
  double f64;
  double f32;

  /// The bar of one precision, times SWEPT_TOL_SCALE.
  double bar(Bar which) const {
    static const char* const text = std::getenv("SWEPT_TOL_SCALE");
    static const double scale = text ? std::atof(text) : 1.0;
    return scale * (which == Bar::f32 ? f32 : f64);
  }
};

/// |got - want| / max(1, |want|); 0 for equal infinities and for two NaN, infinite where only one
/// side is finite.
inline double residual(double got, double want) {
  if (got == want || (std::isnan(got) && std::isnan(want))) {
    return 0.0;
  }
  const double r = std::abs(got - want) / std::max(1.0, std::abs(want));
  return std::isfinite(r) ? r : std::numeric_limits<double>::infinity();
}

/// Whether two numbers agree; the message of a failure has both, the residual and the bar.
inline testing::AssertionResult near(double got, double want, Tolerance tolerance,
                                     Bar which = default_bar) {
  const double r = residual(got, want);
  if (r <= tolerance.bar(which)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << std::setprecision(17) << "got " << got << ", want " << want << std::setprecision(3)
         << ", residual " << r << " above " << tolerance.bar(which);
}

/// Whether two ranges of numbers agree entry by entry; a failure names the worst entry.
template <class A, class B>
testing::AssertionResult near_all(const A& got, const B& want, Tolerance tolerance,
                                  Bar which = default_bar) {
  if (std::size(got) != std::size(want)) {
    return testing::AssertionFailure()
           << "got " << std::size(got) << " numbers, want " << std::size(want);
  }
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < std::size(got); i++) {
    const double r = residual(static_cast<double>(got[i]), static_cast<double>(want[i]));
    if (r > worst) {
      worst = r;
      where = i;
    }
  }
  if (worst <= tolerance.bar(which)) {
    return testing::AssertionSuccess();
  }
  return near(static_cast<double>(got[where]), static_cast<double>(want[where]), tolerance, which)
         << ", at entry " << where << " of " << std::size(got);
}

}  // namespace swept::test
