// SPDX-License-Identifier: Apache-2.0
// Support functions, and the search for the direction of largest separation.
#include "parity/separation.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace swept::test {
namespace {

double dot(const Direction& a, const Direction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Direction unit(Direction a) {
  const double length = std::sqrt(dot(a, a));
  for (double& x : a) {
    x /= length;
  }
  return a;
}

Direction random_direction(std::mt19937* random) {
  std::normal_distribution<double> normal;
  const double x = normal(*random), y = normal(*random), z = normal(*random);
  return unit({x, y, z});
}

}  // namespace

double angle_between(const Direction& a, const Direction& b) {
  const Direction c = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
  return std::atan2(std::sqrt(dot(c, c)), dot(a, b));
}

bool Separation::knows(int type) {
  return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID ||
         type == mjGEOM_CYLINDER || type == mjGEOM_BOX || type == mjGEOM_MESH;
}

Separation::Separation(const Oracle& oracle, int geom1, int geom2)
    : one_(support_of(oracle, geom1)), two_(support_of(oracle, geom2)) {}

Separation::Separation(const std::vector<Direction>& points, const Oracle& oracle, int geom2)
    : one_({mjGEOM_MESH, {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, points}),
      two_(support_of(oracle, geom2)) {}

Separation::Support Separation::support_of(const Oracle& oracle, int geom) {
  const mjModel& m = oracle.model();
  const mjData& d = oracle.data();
  Support s;
  s.type = m.geom_type[geom];
  std::copy_n(d.geom_xpos + 3 * geom, 3, s.pos.begin());
  std::copy_n(d.geom_xmat + 9 * geom, 9, s.mat.begin());
  std::copy_n(m.geom_size + 3 * geom, 3, s.size.begin());
  if (s.type == mjGEOM_MESH) {
    // vertices of the hull, which are listed after its sizes and addresses
    const int mesh = m.geom_dataid[geom];
    const int* const graph =
        m.mesh_graphadr[mesh] < 0 ? nullptr : m.mesh_graph + m.mesh_graphadr[mesh];
    const int count = graph == nullptr ? m.mesh_vertnum[mesh] : graph[0];
    for (int i = 0; i < count; ++i) {
      const int vertex = graph == nullptr ? i : graph[2 + count + i];
      const float* const p = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + vertex);
      s.vertices.push_back({p[0], p[1], p[2]});
    }
  }
  return s;
}

double Separation::Support::height(const Direction& n) const {
  Direction l;
  for (std::size_t k = 0; k < 3; ++k) {
    l[k] = mat[k] * n[0] + mat[3 + k] * n[1] + mat[6 + k] * n[2];
  }
  double h = -HUGE_VAL;
  switch (type) {
    case mjGEOM_SPHERE:
      h = size[0];
      break;
    case mjGEOM_CAPSULE:
      h = size[0] + size[1] * std::fabs(l[2]);
      break;
    case mjGEOM_ELLIPSOID:
      h = std::hypot(size[0] * l[0], size[1] * l[1], size[2] * l[2]);
      break;
    case mjGEOM_CYLINDER:
      h = size[0] * std::hypot(l[0], l[1]) + size[1] * std::fabs(l[2]);
      break;
    case mjGEOM_BOX:
      h = size[0] * std::fabs(l[0]) + size[1] * std::fabs(l[1]) + size[2] * std::fabs(l[2]);
      break;
    default:
      for (const Direction& p : vertices) {
        h = std::max(h, dot(p, l));
      }
  }
  return h + dot(pos, n);
}

double Separation::along(const Direction& n) const {
  return -one_.height(n) - two_.height({-n[0], -n[1], -n[2]});
}

Separation::Support Separation::Support::around(const Direction& n, double angle) const {
  Support near = *this;
  if (vertices.empty()) {
    return near;
  }
  Direction l;
  for (std::size_t k = 0; k < 3; ++k) {
    l[k] = mat[k] * n[0] + mat[3 + k] * n[1] + mat[6 + k] * n[2];
  }
  double highest = -HUGE_VAL, furthest = 0;
  for (const Direction& p : vertices) {
    highest = std::max(highest, dot(p, l));
    furthest = std::max(furthest, dot(p, p));
  }
  const double least = highest - 2 * angle * std::sqrt(furthest);
  near.vertices.clear();
  for (const Direction& p : vertices) {
    if (dot(p, l) >= least) {
      near.vertices.push_back(p);
    }
  }
  return near;
}

Separation::Peak Separation::climb(Direction n) const {
  constexpr double widest = 0.1, narrowest = 1e-11;
  constexpr int tries = 16, moves = 3;
  std::mt19937 random(1);
  double best = along(n);
  for (double step = widest; step > narrowest; step *= 0.5) {
    // a few moves of at most this length, each uphill
    Separation near;
    near.one_ = one_.around(n, 2 * moves * step);
    near.two_ = two_.around({-n[0], -n[1], -n[2]}, 2 * moves * step);
    bool higher = true;
    for (int move = 0; move < moves && higher; ++move) {
      higher = false;
      for (int i = 0; i < tries && !higher; ++i) {
        const Direction off = random_direction(&random);
        const Direction to =
            unit({n[0] + step * off[0], n[1] + step * off[1], n[2] + step * off[2]});
        const double there = near.along(to);
        if (there > best) {
          best = there;
          n = to;
          higher = true;
        }
      }
    }
  }
  return {best, n};
}

std::vector<Separation::Peak> Separation::peaks(const std::vector<Direction>& starts) const {
  constexpr int directions = 200;
  constexpr std::size_t climbed = 4;
  const auto higher = [](const Peak& a, const Peak& b) { return a.height > b.height; };
  std::mt19937 random(2);
  std::vector<Peak> list;
  for (int i = 0; i < directions; ++i) {
    const Direction n = random_direction(&random);
    list.push_back({along(n), n});
  }
  std::sort(list.begin(), list.end(), higher);
  list.resize(climbed);
  for (const Direction& n : starts) {
    list.push_back({along(n), n});
  }
  for (Peak& peak : list) {
    peak = climb(peak.at);
  }
  std::sort(list.begin(), list.end(), higher);
  return list;
}

}  // namespace swept::test
