// SPDX-License-Identifier: Apache-2.0
// Judging sets of contacts that differ.
#include "parity/contact_choices.h"

#include "parity/separation.h"

#include <algorithm>
#include <cmath>

namespace swept::test {
namespace {

/// Faces and edges count as along each other within 5.13 degrees (|cos| > 0.996) if they are at the
/// nearest corner; the direction of the distance is that far from them, and by the angles between
/// the faces at that corner, which on finely cut hulls are about as large [rad].
constexpr double beside = 0.14;

using Points = std::vector<std::array<double, 3>>;

double deepest(const std::vector<ContactPoint>& contacts) {
  double least = HUGE_VAL;
  for (const ContactPoint& c : contacts) {
    least = std::min(least, c.dist);
  }
  return least;
}

/// Points on the surface of geom 1 (side -0.5) or 2 (side 0.5) of both sets.
Points surface(const ContactSets& sets, double side) {
  Points points;
  for (const auto* list : {&sets.ours, &sets.theirs}) {
    for (const ContactPoint& c : *list) {
      auto p = c.pos;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] += side * c.dist * c.normal[k];
      }
      points.push_back(p);
    }
  }
  return points;
}

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<double, 3> minus(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double norm(const std::array<double, 3>& a) {
  return std::hypot(a[0], a[1], a[2]);
}

/// Whether points lie in one plane: that of the largest triangle among them.
bool in_one_plane(const Points& points, double slack) {
  std::array<double, 3> normal = {0, 0, 0}, at = points[0];
  for (const auto& a : points) {
    for (const auto& b : points) {
      for (const auto& c : points) {
        const auto n = cross(minus(b, a), minus(c, a));
        if (norm(n) > norm(normal)) {
          normal = n;
          at = a;
        }
      }
    }
  }
  const double length = norm(normal);
  return std::all_of(points.begin(), points.end(), [&](const auto& p) {
    const auto off = minus(p, at);
    return length == 0 || std::fabs(off[0] * normal[0] + off[1] * normal[1] + off[2] * normal[2]) <=
                              slack * length;
  });
}

/// Corner of a height field [m] in the world, on its surface or its base.
Direction field_corner(const Oracle& oracle, int geom, int row, int column, bool top) {
  const mjModel& m = oracle.model();
  const int field = m.geom_dataid[geom];
  const double* const size = m.hfield_size + 4 * field;
  const int nrow = m.hfield_nrow[field], ncol = m.hfield_ncol[field];
  const double height = m.hfield_data[m.hfield_adr[field] + row * ncol + column];
  const double at[3] = {size[0] * (2.0 * column / (ncol - 1) - 1),
                        size[1] * (2.0 * row / (nrow - 1) - 1), top ? height * size[2] : -size[3]};
  Direction world;
  mju_mulMatVec3(world.data(), oracle.data().geom_xmat + 9 * geom, at);
  mju_addTo3(world.data(), oracle.data().geom_xpos + 3 * geom);
  return world;
}

/// The deepest prism of a height field under a geom tells which side is right.
Choice explain_field(const Oracle& oracle, const ContactSets& sets, double slack) {
  constexpr double search = 1e-6;
  if (sets.ours.size() == sets.theirs.size() &&
      std::fabs(deepest(sets.ours) - deepest(sets.theirs)) <= slack) {
    return Choice::tie;
  }
  const mjModel& m = oracle.model();
  const int field = m.geom_dataid[sets.geom1];
  double least = HUGE_VAL;
  for (int row = 0; row + 1 < m.hfield_nrow[field]; ++row) {
    for (int column = 0; column + 1 < m.hfield_ncol[field]; ++column) {
      for (int half = 0; half < 2; ++half) {
        // the diagonal goes from (row + 1, column) to (row, column + 1)
        const int corners[3][2] = {
            {row + 1, column}, {row, column + 1}, {row + half, column + half}};
        std::vector<Direction> points;
        for (const auto& corner : corners) {
          for (const bool top : {false, true}) {
            points.push_back(field_corner(oracle, sets.geom1, corner[0], corner[1], top));
          }
        }
        const Separation prism(points, oracle, sets.geom2);
        const Direction up = {0, 0, 1};
        if (prism.along(up) < 0) {
          least = std::min(least, prism.peaks({up, sets.ours[0].normal})[0].height);
        }
      }
    }
  }
  const bool exact = std::fabs(deepest(sets.ours) - least) <= slack + search;
  const bool exact_theirs = std::fabs(deepest(sets.theirs) - least) <= slack + search;
  return exact && exact_theirs ? Choice::tie : (exact ? Choice::official : Choice::ours);
}

/// Whether a normal lies beside a direction of the distance. Searches on edges end a little lower.
bool is_beside(const std::vector<Separation::Peak>& peaks, const Direction& normal, double slack) {
  constexpr double search = 5e-3;
  const double highest = peaks[0].height;
  return std::any_of(peaks.begin(), peaks.end(), [&](const Separation::Peak& peak) {
    return peak.height >= highest - slack - search * std::fabs(highest) &&
           angle_between(peak.at, normal) <= beside;
  });
}

}  // namespace

const char* name_of(Choice choice) {
  constexpr const char* names[] = {"the same",     "other corners of the same planes",
                                   "equally deep", "other faces",
                                   "official off", "both off",
                                   "ours off"};
  return names[static_cast<std::size_t>(choice)];
}

Choice explain(const Oracle& oracle, const ContactSets& sets, double slack) {
  const mjModel& m = oracle.model();
  const bool same_normal =
      angle_between(sets.ours[0].normal, sets.theirs[0].normal) < std::sqrt(slack);
  const double mine = deepest(sets.ours), their = deepest(sets.theirs);
  if (m.geom_type[sets.geom1] == mjGEOM_PLANE) {
    // a plane has but one normal
    return std::fabs(mine - their) <= slack ? Choice::tie : Choice::ours;
  }
  if (m.geom_type[sets.geom1] == mjGEOM_HFIELD) {
    return explain_field(oracle, sets, slack);
  }
  if (same_normal && in_one_plane(surface(sets, -0.5), slack) &&
      in_one_plane(surface(sets, 0.5), slack)) {
    return Choice::corners;
  }

  // how deep they are, and how deep the normals are
  const Separation separation(oracle, sets.geom1, sets.geom2);
  const Direction& my_normal = sets.ours[0].normal;
  const Direction& their_normal = sets.theirs[0].normal;
  const std::vector<Separation::Peak> peaks = separation.peaks({my_normal, their_normal});
  const double least = peaks[0].height - slack;
  const bool my_peak = separation.along(my_normal) >= least;
  const bool their_peak = separation.along(their_normal) >= least;
  const bool exact = my_peak && std::fabs(mine - peaks[0].height) <= slack;
  const bool exact_theirs = their_peak && std::fabs(their - peaks[0].height) <= slack;
  if (exact && !exact_theirs) {
    return Choice::official;
  }
  if (my_peak && their_peak) {
    return Choice::tie;
  }
  const bool mine_beside = is_beside(peaks, my_normal, slack);
  const bool theirs_beside = is_beside(peaks, their_normal, slack);
  if (mine_beside && theirs_beside) {
    return Choice::features;
  }
  return mine_beside ? Choice::official : (theirs_beside ? Choice::ours : Choice::both);
}

}  // namespace swept::test
