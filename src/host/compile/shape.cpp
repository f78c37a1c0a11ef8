// SPDX-License-Identifier: Apache-2.0
// Closed forms for the primitive shapes; see the header.
#include "host/compile/shape.h"

namespace swept::compiler {
namespace {

constexpr double pi = 3.14159265358979323846;

double square(double x) {
  return x * x;
}

/// A bar of half axes a, b, c: factor is 1/3 for a box, 1/5 for an ellipsoid.
Vec3 block_inertia(Vec3 s, double mass, double factor) {
  return Vec3{square(s[1]) + square(s[2]), square(s[0]) + square(s[2]),
              square(s[0]) + square(s[1])} *
         (mass * factor);
}

/// Six thin plates whose masses are proportional to their areas.
Vec3 box_shell(Vec3 s, double mass) {
  Vec3 moments{};
  const double area = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  for (std::size_t k = 0; k < 3; ++k) {
    // the two plates normal to axis k, together
    const std::size_t i = (k + 1) % 3;
    const std::size_t j = (k + 2) % 3;
    const double plates = mass * s[i] * s[j] / area;
    moments[i] += plates * (square(s[j]) / 3.0 + square(s[k]));
    moments[j] += plates * (square(s[i]) / 3.0 + square(s[k]));
    moments[k] += plates * (square(s[i]) + square(s[j])) / 3.0;
  }
  return moments;
}

/// The difference of two solid ellipsoids.
Vec3 ellipsoid_shell(Vec3 s, double mass) {
  constexpr double thickness = 1e-6;
  const Vec3 outer = s + Vec3{thickness, thickness, thickness};
  const double inner_volume = volume(GeomType::ellipsoid, s);
  const double outer_volume = volume(GeomType::ellipsoid, outer);
  const double density = mass / (outer_volume - inner_volume);
  return block_inertia(outer, density * outer_volume, 0.2) -
         block_inertia(s, density * inner_volume, 0.2);
}

}  // namespace

std::string_view type_name(GeomType type) {
  switch (type) {
    case GeomType::plane:
      return "plane";
    case GeomType::hfield:
      return "hfield";
    case GeomType::sphere:
      return "sphere";
    case GeomType::capsule:
      return "capsule";
    case GeomType::ellipsoid:
      return "ellipsoid";
    case GeomType::cylinder:
      return "cylinder";
    case GeomType::box:
      return "box";
    case GeomType::mesh:
      return "mesh";
    case GeomType::sdf:
      return "sdf";
  }
  return "unknown";
}

int positive_sizes(GeomType type) {
  switch (type) {
    case GeomType::sphere:
      return 1;
    case GeomType::capsule:
    case GeomType::cylinder:
      return 2;
    case GeomType::ellipsoid:
    case GeomType::box:
      return 3;
    default:
      return 0;
  }
}

double volume(GeomType type, Vec3 s) {
  switch (type) {
    case GeomType::sphere:
      return 4.0 / 3.0 * pi * s[0] * s[0] * s[0];
    case GeomType::capsule:
      return pi * (square(s[0]) * 2.0 * s[1] + 4.0 / 3.0 * s[0] * s[0] * s[0]);
    case GeomType::cylinder:
      return pi * square(s[0]) * 2.0 * s[1];
    case GeomType::ellipsoid:
      return 4.0 / 3.0 * pi * s[0] * s[1] * s[2];
    case GeomType::hfield:
    case GeomType::box:
      return 8.0 * s[0] * s[1] * s[2];
    default:
      return 0.0;
  }
}

double surface(GeomType type, Vec3 s) {
  constexpr double p = 1.6075;
  switch (type) {
    case GeomType::sphere:
      return 4.0 * pi * square(s[0]);
    case GeomType::capsule:
      return 4.0 * pi * square(s[0]) + 4.0 * pi * s[0] * s[1];
    case GeomType::cylinder:
      return 2.0 * pi * square(s[0]) + 4.0 * pi * s[0] * s[1];
    case GeomType::ellipsoid:
      return 4.0 * pi *
             std::pow(
                 (std::pow(s[0] * s[1], p) + std::pow(s[1] * s[2], p) + std::pow(s[2] * s[0], p)) /
                     3.0,
                 1.0 / p);
    case GeomType::hfield:
    case GeomType::box:
      return 8.0 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    default:
      return 0.0;
  }
}

Vec3 solid_inertia(GeomType type, Vec3 s, double mass) {
  const double r = s[0];
  const double height = 2.0 * s[1];
  switch (type) {
    case GeomType::sphere: {
      const double moment = 0.4 * mass * square(r);
      return {moment, moment, moment};
    }
    case GeomType::capsule: {
      // two half spheres and the cylinder between them
      const double spheres = mass * 4.0 * r / (4.0 * r + 3.0 * height);
      const double tube = mass - spheres;
      const double across = tube * (3.0 * square(r) + square(height)) / 12.0 +
                            0.4 * spheres * square(r) +
                            spheres * height * (3.0 * r + 2.0 * height) / 8.0;
      return {across, across, tube * square(r) / 2.0 + 0.4 * spheres * square(r)};
    }
    case GeomType::cylinder: {
      const double across = mass * (3.0 * square(r) + square(height)) / 12.0;
      return {across, across, mass * square(r) / 2.0};
    }
    case GeomType::ellipsoid:
      return block_inertia(s, mass, 0.2);
    case GeomType::hfield:
    case GeomType::box:
      return block_inertia(s, mass, 1.0 / 3.0);
    default:
      return {};
  }
}

Vec3 shell_inertia(GeomType type, Vec3 s, double mass) {
  const double r = s[0];
  const double height = 2.0 * s[1];
  switch (type) {
    case GeomType::sphere: {
      const double moment = 2.0 / 3.0 * mass * square(r);
      return {moment, moment, moment};
    }
    case GeomType::capsule: {
      // two half shells, whose centres of mass lie r/2 beyond the ends of the tube
      const double spheres = mass * 4.0 * pi * square(r) / surface(type, s);
      const double tube = mass - spheres;
      const double across = tube * (6.0 * square(r) + square(height)) / 12.0 +
                            2.0 / 3.0 * spheres * square(r) +
                            spheres * (square(s[1] + r / 2.0) - square(r / 2.0));
      return {across, across, tube * square(r) + 2.0 / 3.0 * spheres * square(r)};
    }
    case GeomType::cylinder: {
      // two disks and the tube between them
      const double disk = mass * pi * square(r) / surface(type, s);
      const double tube = mass - 2.0 * disk;
      const double across = tube * (6.0 * square(r) + square(height)) / 12.0 +
                            2.0 * (disk * square(r) / 4.0 + disk * square(s[1]));
      return {across, across, tube * square(r) + disk * square(r)};
    }
    case GeomType::ellipsoid:
      return ellipsoid_shell(s, mass);
    case GeomType::hfield:
    case GeomType::box:
      return box_shell(s, mass);
    default:
      return {};
  }
}

double bounding_radius(GeomType type, Vec3 s) {
  switch (type) {
    case GeomType::sphere:
      return s[0];
    case GeomType::capsule:
      return s[0] + s[1];
    case GeomType::cylinder:
      return std::sqrt(square(s[0]) + square(s[1]));
    case GeomType::ellipsoid:
      return std::max({s[0], s[1], s[2]});
    case GeomType::box:
      return norm(s);
    default:
      return 0.0;
  }
}

std::array<double, 6> bounding_box(GeomType type, Vec3 s) {
  // the box of a plane is the half space below it, as far as bounds go
  constexpr double far = 1e10;
  switch (type) {
    case GeomType::plane:
      return {0.0, 0.0, -far / 2.0, far, far, far / 2.0};
    case GeomType::sphere:
      return {0.0, 0.0, 0.0, s[0], s[0], s[0]};
    case GeomType::capsule:
      return {0.0, 0.0, 0.0, s[0], s[0], s[0] + s[1]};
    case GeomType::cylinder:
      return {0.0, 0.0, 0.0, s[0], s[0], s[1]};
    default:
      return {0.0, 0.0, 0.0, s[0], s[1], s[2]};
  }
}

}  // namespace swept::compiler
