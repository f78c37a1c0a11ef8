// SPDX-License-Identifier: Apache-2.0
// Added mass of an ellipsoid in potential flow (Lamb, "Hydrodynamics", section 114; Tuckerman
// 1925). With semi-axes a, b, c and volume V,
//
//   kappa_a = integral from 0 to infinity of a b c / sqrt((a^2 + l)^3 (b^2 + l) (c^2 + l)) dl
//   mass_a = V kappa_a / (2 - kappa_a)
//   inertia_a = V/5 (b^2 - c^2)^2 |kappa_c - kappa_b| / divisor
//   divisor = |2 (b^2 - c^2) + (b^2 + c^2) (kappa_b - kappa_c)|
//
// and likewise around. The integral is a 15-point Gauss-Kronrod sum over x in [0, 1] after l = s
// x^3 / (1 - x)^2, s = (a^3 b c)^0.4. Points and weights have eight digits: the official library's
// numbers are those of this sum, which differ from the integral by 1e-8.
#include "host/compile/setconst/virtual_mass.h"

#include <algorithm>
#include <cmath>

#include "host/compile/passes.h"

namespace swept::compiler {
namespace {

struct Point {
  double x, weight;
};
constexpr Point points[] = {
    {0.00427231, 0.01146766}, {0.02544604, 0.03154605}, {0.06756779, 0.05239501},
    {0.12923441, 0.07032663}, {0.20695638, 0.08450236}, {0.29707742, 0.09517529},
    {0.39610752, 0.10221647}, {0.5, 0.10474107},        {0.60389248, 0.10221647},
    {0.70292258, 0.09517529}, {0.79304362, 0.08450236}, {0.87076559, 0.07032663},
    {0.93243221, 0.05239501}, {0.97455396, 0.03154605}, {0.99572769, 0.01146766},
};

double kappa(double a, double b, double c) {
  const double scale = std::pow(a * a * a * b * c, 0.4);
  double sum = 0;
  for (const auto [x, weight] : points) {
    const double rest = 1 - x;
    const double l = scale * x * x * x / (rest * rest);
    const double dl = scale * x * x * (3 - x) / (rest * rest * rest);
    const double aa = a * a + l;
    sum += weight * dl * a * b * c / std::sqrt(aa * aa * aa * (b * b + l) * (c * c + l));
  }
  return sum;
}

/// Semi-axes of the ellipsoid that stands for a geom.
Vec3 semi_axes(const Model& m, int g) {
  const Vec3 size = get_row<3>(m.geom_size, g);
  switch (m.geom_type[static_cast<std::size_t>(g)]) {
    case geom_sphere:
      return {size[0], size[0], size[0]};
    case geom_capsule:
      return {size[0], size[0], size[0] + size[1]};
    case geom_cylinder:
      return {size[0], size[0], size[1]};
    default:
      return size;
  }
}

}  // namespace

std::array<double, 6> virtual_mass(const std::array<double, 3>& s) {
  constexpr double least = 1e-14;
  const double pi = std::acos(-1.0), content = 4.0 / 3.0 * pi * s[0] * s[1] * s[2];
  std::array<double, 3> k{};
  for (std::size_t i = 0; i < 3; ++i) {
    k[i] = kappa(s[i], s[(i + 1) % 3], s[(i + 2) % 3]);
  }
  std::array<double, 6> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t y = (i + 1) % 3, z = (i + 2) % 3;
    result[i] = content * k[i] / std::max(least, 2 - k[i]);
    const double difference = s[y] * s[y] - s[z] * s[z], sum = s[y] * s[y] + s[z] * s[z];
    const double divisor = std::abs(2 * difference + sum * (k[y] - k[z]));
    result[3 + i] =
        content / 5 * difference * difference * std::abs(k[z] - k[y]) / std::max(least, divisor);
  }
  return result;
}

void fill_virtual_masses(Model& model) {
  for (int g = 0; g < model.ngeom; ++g) {
    double* const row = &model.geom_fluid[12 * static_cast<std::size_t>(g)];
    if (row[0] > 0) {
      const std::array<double, 6> values = virtual_mass(semi_axes(model, g));
      std::copy(values.begin(), values.end(), row + 6);
    }
  }
}

}  // namespace swept::compiler
