// SPDX-License-Identifier: Apache-2.0
// Building the tree: the median along the longest axis of the middles, again and again.
#include "ccd/tree.h"

#include <algorithm>
#include <numeric>

namespace swept::ccd::detail {

namespace {

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
  // the subtree of the facets order_[begin, end)
  void split(int begin, int end) {
    const int self = static_cast<int>(tree_.nodes.size());
    tree_.nodes.push_back(box(begin, end));
    if (end - begin == 1) {
      tree_.nodes[self].second = -1 - static_cast<int>(tree_.facet.size());
      tree_.facet.push_back(order_[begin]);
      tree_.corners.push_back(corners_[order_[begin]]);
      return;
    }
    const int axis = longest_axis(begin, end);
    const int half = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                     [&](int a, int b) {
                       return middle_[a][axis] < middle_[b][axis] ||
                              (middle_[a][axis] == middle_[b][axis] && a < b);
                     });
    split(begin, half);
    tree_.nodes[self].second = static_cast<int>(tree_.nodes.size());
    split(half, end);
  }

  Node<D> box(int begin, int end) const {
    Vector<D> low = corners_[order_[begin]][0], high = low;
    for (int i = begin; i < end; ++i) {
      for (const Vector<D>& x : corners_[order_[i]]) {
        for (int k = 0; k < D; ++k) {
          low[k] = std::min(low[k], x[k]);
          high[k] = std::max(high[k], x[k]);
        }
      }
    }
    Node<D> node{};
    for (int k = 0; k < D; ++k) {
      node.center[k] = 0.5 * low[k] + 0.5 * high[k];
      node.half[k] = std::max(high[k] - node.center[k], node.center[k] - low[k]);
    }
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
