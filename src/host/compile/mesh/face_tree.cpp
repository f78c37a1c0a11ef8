// SPDX-License-Identifier: Apache-2.0
#include "host/compile/mesh/face_tree.h"

#include <limits>
#include <numeric>

namespace swept::compiler {
namespace {

/// Lower and upper corner.
struct Box {
  Vec3 low{};
  Vec3 high{};

  static Box nothing() {
    constexpr double far = std::numeric_limits<double>::max();
    return {{far, far, far}, {-far, -far, -far}};
  }

  void add(const Box& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], other.low[k]);
      high[k] = std::max(high[k], other.high[k]);
    }
  }

  void add(const Vec3& point) { add(Box{point, point}); }

  Vec3 centre() const { return (low + high) * 0.5; }

  /// Centre and half sizes that still hold the box once rounded to single precision.
  std::array<double, 6> widened() const {
    constexpr double rounding = 1.0 / (1 << 22);
    const Vec3 middle = centre();
    std::array<double, 6> result{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double half = 0.5 * (high[k] - low[k]);
      result[k] = middle[k];
      result[3 + k] = half + rounding * (std::fabs(middle[k]) + half);
    }
    return result;
  }
};

Box box_of(const std::vector<float>& vertex, const int* face) {
  Box box = Box::nothing();
  for (int corner = 0; corner < 3; ++corner) {
    const std::size_t v = 3 * static_cast<std::size_t>(face[corner]);
    box.add(Vec3{vertex[v], vertex[v + 1], vertex[v + 2]});
  }
  return box;
}

}  // namespace

FaceTree face_tree(const std::vector<float>& vertex, const std::vector<int>& face) {
  const std::size_t count = face.size() / 3;
  FaceTree tree;
  if (count == 0) {
    return tree;
  }
  std::vector<Box> boxes;
  std::vector<Vec3> centres;
  for (std::size_t i = 0; i < count; ++i) {
    boxes.push_back(box_of(vertex, &face[3 * i]));
    centres.push_back(boxes.back().centre());
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);

  // an explicit stack; the right half waits while the left one is done
  struct Pending {
    std::size_t begin, end;
    int parent;
  };
  std::vector<Pending> stack{{0, count, -1}};
  while (!stack.empty()) {
    const Pending now = stack.back();
    stack.pop_back();
    const int node = static_cast<int>(tree.face.size());
    if (now.parent >= 0) {
      auto& siblings = tree.child[static_cast<std::size_t>(now.parent)];
      siblings[siblings[0] < 0 ? 0 : 1] = node;
    }
    Box box = Box::nothing();
    Box middles = Box::nothing();
    for (std::size_t i = now.begin; i < now.end; ++i) {
      box.add(boxes[static_cast<std::size_t>(order[i])]);
      middles.add(centres[static_cast<std::size_t>(order[i])]);
    }
    tree.child.push_back({-1, -1});
    tree.aabb.push_back(box.widened());
    const bool leaf = now.end - now.begin == 1;
    tree.face.push_back(leaf ? order[now.begin] : -1);
    // a tree of k leaves has 2 k - 1 nodes
    tree.next.push_back(node + 2 * static_cast<int>(now.end - now.begin) - 1);
    if (leaf) {
      continue;
    }
    const Vec3 side = middles.high - middles.low;
    const auto axis =
        static_cast<std::size_t>(std::max_element(side.begin(), side.end()) - side.begin());
    const std::size_t half = now.begin + (now.end - now.begin) / 2;
    const auto at = [&order](std::size_t i) {
      return order.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(now.begin), at(half), at(now.end), [&](int a, int b) {
      const double x = centres[static_cast<std::size_t>(a)][axis];
      const double y = centres[static_cast<std::size_t>(b)][axis];
      return x != y ? x < y : a < b;
    });
    stack.push_back({half, now.end, node});
    stack.push_back({now.begin, half, node});
  }
  return tree;
}

}  // namespace swept::compiler
