// SPDX-License-Identifier: Apache-2.0
#include "host/compile/mesh/cells.h"

#include <swept/hull.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace swept::compiler {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// A polygon in the plane of a cell, of the two coordinates along it.
using Outline = std::vector<std::array<double, 2>>;

class Sorter {
 public:
  Sorter(const std::vector<float>& vertex, const Hull& hull, int side)
      : hull_(hull), side_(side), seen_(hull.vertex.size(), -1) {
    for (const int v : hull.vertex) {
      point_.push_back({static_cast<double>(vertex[3 * at(v)]),
                        static_cast<double>(vertex[3 * at(v) + 1]),
                        static_cast<double>(vertex[3 * at(v) + 2])});
    }
    cells_.side = side;
  }

  HullCells sort() {
    int last = 0;
    for (int number = 0; number < hull_directions(side_); ++number) {
      choose_cell(number);
      last = furthest(direction(0.5 * (low_[0] + high_[0]), 0.5 * (low_[1] + high_[1])), last);
      cells_.seed.push_back(last);
      add_blocks(vertices_of_cell(number, last));
    }
    return std::move(cells_);
  }

 private:
  /// The square of a cell. It is a little larger than the directions that are taken to lie in it, for
  /// these are found in single precision.
  void choose_cell(int number) {
    constexpr double room = 1e-5;
    const int face = number / (side_ * side_);
    axis_ = face / 2;
    sign_ = face % 2 == 1 ? 1.0 : -1.0;
    for (int k = 0; k < 2; ++k) {
      const int i = k == 0 ? number / side_ % side_ : number % side_;
      low_[at(k)] = 2.0 * i / side_ - 1.0 - room;
      high_[at(k)] = 2.0 * (i + 1) / side_ - 1.0 + room;
    }
  }

  Vec3 direction(double u, double v) const {
    Vec3 dir{};
    dir[at(axis_)] = sign_;
    dir[at(axis_ == 0 ? 1 : 0)] = u;
    dir[at(axis_ == 2 ? 1 : 2)] = v;
    return dir;
  }

  /// The furthest vertex along a direction, by walking along edges from `start`.
  int furthest(const Vec3& dir, int start) const {
    int best = start;
    double most = dot(point_[at(best)], dir);
    for (int from = -1; from != best;) {
      from = best;
      for (int k = hull_.edge_adr[at(from)]; hull_.edge[at(k)] >= 0; ++k) {
        const double x = dot(point_[at(hull_.edge[at(k)])], dir);
        best = x > most ? hull_.edge[at(k)] : best;
        most = std::max(most, x);
      }
    }
    return best;
  }

  /// Whether a vertex is the furthest along some direction of the cell.
  bool meets_cell(int vertex) {
    outline_ = {{low_[0], low_[1]}, {high_[0], low_[1]}, {high_[0], high_[1]}, {low_[0], high_[1]}};
    const int i = axis_ == 0 ? 1 : 0, j = axis_ == 2 ? 1 : 2;
    for (int k = hull_.edge_adr[at(vertex)]; hull_.edge[at(k)] >= 0 && !outline_.empty(); ++k) {
      const Vec3 e = point_[at(vertex)] - point_[at(hull_.edge[at(k)])];
      // equal within rounding counts as furthest, too
      const double slack = 1e-12 * (std::abs(e[0]) + std::abs(e[1]) + std::abs(e[2]));
      cut(e[at(i)], e[at(j)], sign_ * e[at(axis_)] + slack);
    }
    return !outline_.empty();
  }

  /// Leaves of the outline what has a u + b v + c >= 0.
  void cut(double a, double b, double c) {
    rest_.clear();
    for (std::size_t k = 0; k < outline_.size(); ++k) {
      const auto &p = outline_[k], &q = outline_[k + 1 < outline_.size() ? k + 1 : 0];
      const double of_p = a * p[0] + b * p[1] + c, of_q = a * q[0] + b * q[1] + c;
      if (of_p >= 0) {
        rest_.push_back(p);
      }
      if ((of_p >= 0) != (of_q >= 0)) {
        const double t = of_p / (of_p - of_q);
        rest_.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
      }
    }
    std::swap(outline_, rest_);
  }

  /// All vertices that are furthest along some direction of the cell, in ascending order; none if
  /// there are more than blocks for them.
  std::vector<int> vertices_of_cell(int number, int first) {
    std::vector<int> found = {first};
    seen_[at(first)] = number;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (int k = hull_.edge_adr[at(found[i])]; hull_.edge[at(k)] >= 0; ++k) {
        const int next = hull_.edge[at(k)];
        if (seen_[at(next)] != number) {
          seen_[at(next)] = number;
          if (meets_cell(next)) {
            found.push_back(next);
          }
        }
      }
      if (found.size() > at(most_cell_blocks * hull_block)) {
        return {};
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void add_blocks(const std::vector<int>& found) {
    if (found.empty()) {
      cells_.cell.push_back(-1);
      return;
    }
    const int blocks = (static_cast<int>(found.size()) + hull_block - 1) / hull_block;
    cells_.cell.push_back(cell_code(static_cast<int>(cells_.block_id.size()) / hull_block, blocks));
    for (int i = 0; i < blocks * hull_block; ++i) {
      cells_.block_id.push_back(found[at(i) < found.size() ? at(i) : 0]);
    }
  }

  const Hull& hull_;
  int side_;
  std::vector<Vec3> point_;  // of hull vertices
  std::vector<int> seen_;    // last cell that a hull vertex was looked at for
  int axis_ = 0;
  double sign_ = 1;
  std::array<double, 2> low_{}, high_{};
  Outline outline_, rest_;
  HullCells cells_;
};

}  // namespace

HullCells make_cells(const std::vector<float>& vertex, const Hull& hull) {
  const int side = hull_cells(static_cast<int>(hull.vertex.size()));
  return side > 0 ? Sorter(vertex, hull, side).sort() : HullCells{};
}

}  // namespace swept::compiler
