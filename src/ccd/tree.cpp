// SPDX-License-Identifier: Apache-2.0
// Building the tree: the median along the longest axis of the middles, again and again; then, from
// the leaves up, the boxes and the directions in which the facets are thinnest.
#include "ccd/tree.h"

#include "ccd/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace swept::ccd::detail {

namespace {

/// The columns of a symmetric matrix's adjugate, whose largest eigenvector is the smallest of the
/// matrix.
std::array<Vector<3>, 3> adjugate(const Matrix<3>& m) {
  return {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
}
std::array<Vector<2>, 2> adjugate(const Matrix<2>& m) {
  return {Vector<2>{m[1][1], -m[0][1]}, Vector<2>{-m[0][1], m[0][0]}};
}

/// About the unit eigenvector of the smallest eigenvalue, or zero: the longest column of the
/// adjugate, which is it up to a share of the ratio of both smallest eigenvalues, and one turn of
/// the power method.
template <int D>
Vector<D> thinnest_direction(Matrix<D> moments) {
  double size = 0;
  for (const Vector<D>& row : moments) {
    size = std::max(size, largest(row));
  }
  if (!(size > 0)) {
    return {};
  }
  for (Vector<D>& row : moments) {
    for (double& x : row) {
      x /= size;
    }
  }
  const auto columns = adjugate(moments);
  const Vector<D> start = *std::max_element(
      columns.begin(), columns.end(),
      [](const Vector<D>& a, const Vector<D>& b) { return dot(a, a) < dot(b, b); });
  const double length = largest(start);
  // facets on a line have no such direction
  if (!(length > 1e-30)) {
    return {};
  }
  Vector<D> better{};
  for (int i = 0; i < D; ++i) {
    better[i] = dot(columns[i], (1 / length) * start);
  }
  const double reached = largest(better);
  return reached > 0 ? unit((1 / reached) * better) : Vector<D>{};
}

/// Sums and limits over the corners of facets.
template <int D>
struct Measures {
  Vector<D> low, high;
  Vector<D> mean{};
  Matrix<D> moments{};  ///< sum of y y' over corners, y from the mean
  double count = 0;

  Measures() = default;

  explicit Measures(const Facet<D>& facet) : low(facet[0]), high(facet[0]), count(D) {
    for (const Vector<D>& x : facet) {
      limit(x, x);
      mean = mean + (1.0 / D) * x;
    }
    for (const Vector<D>& x : facet) {
      add_moments(1, x - mean);
    }
  }

  void add(const Measures& other) {
    limit(other.low, other.high);
    // each part's moments about its own mean, and those of the means about the common one
    const double sum = count + other.count;
    const Vector<D> way = other.mean - mean;
    for (int j = 0; j < D; ++j) {
      moments[j] = moments[j] + other.moments[j];
    }
    add_moments(count * other.count / sum, way);
    mean = mean + (other.count / sum) * way;
    count = sum;
  }

 private:
  void limit(const Vector<D>& from, const Vector<D>& to) {
    for (int k = 0; k < D; ++k) {
      low[k] = std::min(low[k], from[k]);
      high[k] = std::max(high[k], to[k]);
    }
  }

  void add_moments(double weight, const Vector<D>& y) {
    for (int j = 0; j < D; ++j) {
      moments[j] = moments[j] + (weight * y[j]) * y;
    }
  }
};

template <int D>
class Builder {
 public:
  Builder(std::span<const double> vertices, std::span<const int> facets)
      : order_(facets.size() / D), middle_(order_.size()), corners_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t f = 0; f < order_.size(); ++f) {
      Vector<D> sum{};
      for (int k = 0; k < D; ++k) {
        for (int i = 0; i < D; ++i) {
          corners_[f][k][i] = vertices[std::size_t(facets[f * D + k]) * D + i];
          sum[i] += corners_[f][k][i];
        }
      }
      middle_[f] = sum;
    }
    tree_.nodes.reserve(2 * order_.size() - 1);
    tree_.corners.reserve(order_.size());
    tree_.facet.reserve(order_.size());
  }

  Tree<D> build() {
    split(0, static_cast<int>(order_.size()));
    return std::move(tree_);
  }

 private:
  // the subtree of the facets order_[begin, end), which get the slots [begin, end)
  Measures<D> split(int begin, int end) {
    const int self = static_cast<int>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    Measures<D> measures;
    int second = -1 - begin;
    if (end - begin == 1) {
      tree_.facet.push_back(order_[begin]);
      tree_.corners.push_back(corners_[order_[begin]]);
      measures = Measures<D>(tree_.corners.back());
    } else {
      const int axis = longest_axis(begin, end);
      const int half = begin + (end - begin) / 2;
      std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                       [&](int a, int b) {
                         return middle_[a][axis] < middle_[b][axis] ||
                                (middle_[a][axis] == middle_[b][axis] && a < b);
                       });
      measures = split(begin, half);
      second = static_cast<int>(tree_.nodes.size());
      measures.add(split(half, end));
    }
    tree_.nodes[self] = node(measures, begin, end);
    tree_.nodes[self].second = second;
    return measures;
  }

  // box and slab of the facets in slots [begin, end)
  Node<D> node(const Measures<D>& measures, int begin, int end) const {
    Node<D> node{};
    for (int k = 0; k < D; ++k) {
      const double low = measures.low[k], high = measures.high[k];
      node.center[k] = 0.5 * low + 0.5 * high;
      node.half[k] = std::max(high - node.center[k], node.center[k] - low);
    }
    node.normal = thinnest_direction<D>(measures.moments);
    double low = std::numeric_limits<double>::infinity(), high = -low, square = 0;
    for (int slot = begin; slot < end; ++slot) {
      for (const Vector<D>& x : tree_.corners[slot]) {
        const Vector<D> y = x - node.center;
        const double along = dot(node.normal, y);
        low = std::min(low, along);
        high = std::max(high, along);
        const Vector<D> across = y - along * node.normal;
        square = std::max(square, dot(across, across));
      }
    }
    node.middle = 0.5 * low + 0.5 * high;
    // what products and sums may have lost
    const double room = 32 * unit_roundoff * norm(node.half);
    node.radius = std::sqrt(square) + room;
    node.thickness = std::max(high - node.middle, node.middle - low) + room;
    return node;
  }

  int longest_axis(int begin, int end) const {
    Vector<D> low = middle_[order_[begin]], high = low;
    for (int i = begin; i < end; ++i) {
      for (int k = 0; k < D; ++k) {
        low[k] = std::min(low[k], middle_[order_[i]][k]);
        high[k] = std::max(high[k], middle_[order_[i]][k]);
      }
    }
    const Vector<D> extent = high - low;
    return static_cast<int>(std::max_element(extent.begin(), extent.end()) - extent.begin());
  }

  std::vector<int> order_;
  std::vector<Vector<D>> middle_;  // times D
  std::vector<Facet<D>> corners_;
  Tree<D> tree_;
};

}  // namespace

template <int D>
Tree<D> build_tree(std::span<const double> vertices, std::span<const int> facets) {
  return Builder<D>(vertices, facets).build();
}

template Tree<2> build_tree<2>(std::span<const double>, std::span<const int>);
template Tree<3> build_tree<3>(std::span<const double>, std::span<const int>);

}  // namespace swept::ccd::detail
