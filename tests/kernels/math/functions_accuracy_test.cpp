// SPDX-License-Identifier: Apache-2.0
// The error of the elementary functions over their whole range, and that a pack has the bits of its
// lanes. The bars are those that functions.h promises; the largest errors seen are printed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "kernels/math/functions.h"
#include "kernels/math/ulp.h"

namespace swept::SWEPT_NS::test {
namespace {

/// A function of two arguments, of which most ignore the second.
struct Function {
  const char* name;
  real (*one)(real, real);
  pack (*many)(pack, pack);
  wide (*exact)(wide, wide);
  double bar;  ///< [ulp], {f64, f32} alike
};

// clang-format off
const Function functions[] = {
    {"sin", [](real x, real) { return sin(x); }, [](pack x, pack) { return sin(x); },
     [](wide x, wide) { return std::sin(x); }, 0.76},
    {"cos", [](real x, real) { return cos(x); }, [](pack x, pack) { return cos(x); },
     [](wide x, wide) { return std::cos(x); }, 0.76},
    {"tan", [](real x, real) { return tan(x); }, [](pack x, pack) { return tan(x); },
     [](wide x, wide) { return std::tan(x); }, 0.90},
    {"exp", [](real x, real) { return exp(x); }, [](pack x, pack) { return exp(x); },
     [](wide x, wide) { return std::exp(x); }, 0.80},
    {"log", [](real x, real) { return log(x); }, [](pack x, pack) { return log(x); },
     [](wide x, wide) { return std::log(x); }, 0.51},
    {"asin", [](real x, real) { return asin(x); }, [](pack x, pack) { return asin(x); },
     [](wide x, wide) { return std::asin(x); }, 0.65},
    {"acos", [](real x, real) { return acos(x); }, [](pack x, pack) { return acos(x); },
     [](wide x, wide) { return std::acos(x); }, 0.65},
    {"pow", [](real x, real y) { return pow(x, y); }, [](pack x, pack y) { return pow(x, y); },
     [](wide x, wide y) { return std::pow(x, y); }, 0.80},
    {"atan2", [](real y, real x) { return atan2(y, x); },
     [](pack y, pack x) { return atan2(y, x); },
     [](wide y, wide x) { return std::atan2(y, x); }, 0.80},
};
// clang-format on

const Function& function(const char* name) {
  for (const Function& f : functions) {
    if (std::strcmp(f.name, name) == 0) {
      return f;
    }
  }
  std::abort();
}

/// The largest error over W lanes at a time, and the first lane whose bits differ.
class Measure {
 public:
  explicit Measure(const Function& f) : f_(f) {}

  void add(real x, real y) {
    x_[filled_] = x;
    y_[filled_] = y;
    if (++filled_ == W) {
      flush();
    }
  }

  /// Compare with the bar; `where` names the arguments in the printed line.
  void finish(const char* where) {
    while (filled_ != 0) {
      add(real(1), real(1));
    }
    std::printf("%-6s %-30s %9ld arguments, at most %.3f ulp, at (%a, %a)\n", f_.name, where,
                count_, worst_, static_cast<double>(worst_x_), static_cast<double>(worst_y_));
    EXPECT_LE(worst_, f_.bar) << f_.name << " at " << worst_x_ << ", " << worst_y_;
    EXPECT_EQ(different_, 0) << f_.name << ": packs differ from reals, first at " << different_x_
                             << ", " << different_y_;
  }

 private:
  void flush() {
    filled_ = 0;
    const pack result = f_.many(load<pack>(x_), load<pack>(y_));
    for (int l = 0; l < W; ++l) {
      const real one = f_.one(x_[l], y_[l]);
      if (!same(one, lane(result, l)) && different_++ == 0) {
        different_x_ = x_[l];
        different_y_ = y_[l];
      }
      const double error = ulp_error(one, f_.exact(x_[l], y_[l]));
      if (error > worst_) {
        worst_ = error;
        worst_x_ = x_[l];
        worst_y_ = y_[l];
      }
    }
    count_ += W;
  }

  const Function& f_;
  alignas(64) real x_[W] = {};
  alignas(64) real y_[W] = {};
  int filled_ = 0;
  long count_ = 0;
  double worst_ = 0;
  real worst_x_ = 0;
  real worst_y_ = 0;
  long different_ = 0;
  real different_x_ = 0;
  real different_y_ = 0;
};

bool is_long_run() {
  const char* text = std::getenv("SWEPT_LONG");
  return text != nullptr && *text != '\0' && *text != '0';
}

/// Random arguments per function and range.
long draws() {
  return is_long_run() ? 20'000'000 : 1'000'000;
}

using Draw = std::function<real(Arguments&)>;

void measure(
    const char* name, const char* where, const Draw& x,
    const Draw& y = [](Arguments&) { return real(1); }) {
  Measure m(function(name));
  Arguments arguments(7);
  for (long i = 0; i < draws(); ++i) {
    const real first = x(arguments);
    m.add(first, y(arguments));
  }
  m.finish(where);
}

/// An interval.
Draw in(double lo, double hi) {
  return [=](Arguments& a) { return a.between(lo, hi); };
}

real any(Arguments& a) {
  return a.any();
}

TEST(Accuracy, SineCosineAndTangentOfEveryAngle) {
  // beyond this the quick reduction ends; multiples of pi/2 below it are the hard ones for it
  const long quick = is_f32 ? 41'000 : 680'000'000;
  const long huge = is_f32 ? 1'000'000'000 : 1'000'000'000'000'000;
  for (const char* name : {"sin", "cos", "tan"}) {
    measure(name, "any", any);
    measure(name, "[-10, 10]", in(-10, 10));
    measure(name, "near multiples of pi/2",
            [=](Arguments& a) { return a.near_quarter_turn(quick); });
    measure(name, "near huge multiples of pi/2",
            [=](Arguments& a) { return a.near_quarter_turn(huge); });
  }
}

TEST(Accuracy, SineAndCosineOfTheNumbersNearestToAMultipleOfAQuarterTurn) {
  // the mantissas and exponents that come closest among all numbers of their type
  const real hardest =
      is_f32 ? std::ldexp(real(16367173), 72) : std::ldexp(real(6381956970095103), 797);
  for (const char* name : {"sin", "cos", "tan"}) {
    Measure m(function(name));
    m.add(hardest, real(0));
    m.add(-hardest, real(0));
    m.finish("hardest");
  }
}

TEST(Accuracy, ExponentialAndLogarithm) {
  measure("exp", "any", any);
  measure("exp", "all finite results", is_f32 ? in(-104, 89) : in(-745.2, 709.8));
  measure("exp", "[-1, 1]", in(-1, 1));
  measure("log", "any", [](Arguments& a) { return std::abs(a.any()); });
  measure("log", "[0.4, 2.2]", in(0.4, 2.2));
}

TEST(Accuracy, PowerOfEveryBaseToExponentsWithFiniteResults) {
  // y ln x over the range of exp
  const Draw base = [](Arguments& a) { return std::abs(a.any()); };
  Measure any_base(function("pow"));
  Arguments arguments(11);
  for (long i = 0; i < draws(); ++i) {
    const real x = base(arguments);
    const wide span = std::log(static_cast<wide>(std::numeric_limits<real>::max()));
    any_base.add(x, static_cast<real>(arguments.between(-1.05, 1.02) * span /
                                      std::log(static_cast<wide>(x))));
  }
  any_base.finish("any base, finite result");
  measure("pow", "[0, 1]^[1, 10]", in(0, 1), in(1, 10));
  measure("pow", "[0, 100]^[-8, 8]", in(0, 100), in(-8, 8));
  measure("pow", "near 1, large exponent", in(0.999, 1.001),
          is_f32 ? in(-6e4, 6e4) : in(-6e5, 6e5));
  measure("pow", "any^any", any, any);
  measure("pow", "negative base, integers", in(-20, 0),
          [](Arguments& a) { return std::round(a.between(-30, 30)); });
}

TEST(Accuracy, ArcTangentOfEveryQuadrantAndRatio) {
  measure("atan2", "any", any, any);
  measure("atan2", "[-1, 1]^2", in(-1, 1), in(-1, 1));
  measure("atan2", "ratio near 1", in(0.99, 1.01), in(-1.01, -0.99));
  measure("atan2", "ratio near tan(pi/8)", in(0.41, 0.42), in(0.99, 1.01));
  const double tiny = static_cast<double>(std::numeric_limits<real>::min());
  measure("atan2", "denormals", in(-tiny, tiny), in(-tiny, tiny));
}

TEST(Accuracy, ArcSineAndArcCosine) {
  for (const char* name : {"asin", "acos"}) {
    measure(name, "[-1, 1]", in(-1, 1));
    measure(name, "near 1", in(0.999, 1));
    measure(name, "near -1", in(-1, -0.999));
    measure(name, "any", any);
  }
}

/// Every float, or every 97th in an ordinary run: all exponents, both signs, the special ones too.
TEST(Accuracy, FunctionsOfOneArgumentOverAllFloats) {
  if (!is_f32) {
    GTEST_SKIP() << "there are too many numbers of 64 bits";
  }
  const unsigned long step = is_long_run() ? 1 : 97;
  for (const char* name : {"sin", "cos", "tan", "exp", "log", "asin", "acos"}) {
    Measure m(function(name));
    for (unsigned long b = 0; b <= 0xffffffffUL; b += step) {
      m.add(real_of_bits(static_cast<uint_real>(b)), real(0));
    }
    m.finish(step == 1 ? "all floats" : "every 97th float");
  }
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
