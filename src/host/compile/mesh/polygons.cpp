// SPDX-License-Identifier: Apache-2.0
// Grouping triangles by direction and tracing the outline of each connected part; see the header.
#include "host/compile/mesh/polygons.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace swept::compiler {
namespace {

constexpr double bin = 0.01;  ///< [rad]
constexpr double pi = 3.14159265358979323846;

/// Rounded azimuth and polar angle of a direction.
using Direction = std::pair<double, double>;

/// The direction of a triangle; false if it has no area.
bool direction_of(const Vec3& a, const Vec3& b, const Vec3& c, Direction* direction) {
  Vec3 normal = cross(b - a, c - a);
  const double length = norm(normal);
  if (length < 1e-15) {
    return false;
  }
  // adding zero turns -0 into 0, which atan2 tells apart
  normal = {normal[0] / length + 0.0, normal[1] / length + 0.0, normal[2] / length + 0.0};
  if (std::fabs(normal[2]) > 1.0 - 1e-7) {
    *direction = {0.0, normal[2] < 0.0 ? std::round(pi / bin) : 0.0};
    return true;
  }
  *direction = {std::round(std::atan2(normal[1], normal[0]) / bin),
                std::round(std::acos(normal[2]) / bin)};
  return true;
}

/// Triangles of one direction.
class Group {
 public:
  void insert(int a, int b, int c) {
    const int own = static_cast<int>(parent_.size());
    parent_.push_back(own);
    const std::pair<int, int> edges[] = {{a, b}, {b, c}, {c, a}};
    bool fresh[3];
    for (int k = 0; k < 3; ++k) {
      // an edge that is there the other way round joins two triangles
      const auto opposite = boundary_.find(key(edges[k].second, edges[k].first));
      fresh[k] = opposite == boundary_.end();
      if (!fresh[k]) {
        Edge& edge = edges_[opposite->second];
        edge.gone = true;
        unite(edge.triangle, own);
        boundary_.erase(opposite);
      }
    }
    for (int k = 0; k < 3; ++k) {
      if (fresh[k]) {
        boundary_.emplace(key(edges[k].first, edges[k].second), edges_.size());
        edges_.push_back({edges[k].first, edges[k].second, own, false});
      }
    }
  }

  /// Adds the outline of each connected part.
  void trace(Polygons* polygons) {
    std::unordered_multimap<int, std::size_t> leaving;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (!edges_[i].gone) {
        leaving.emplace(edges_[i].from, i);
      }
    }
    std::vector<bool> done(parent_.size(), false);
    for (const Edge& edge : edges_) {
      const int part = root(edge.triangle);
      if (edge.gone || done[static_cast<std::size_t>(part)]) {
        continue;
      }
      done[static_cast<std::size_t>(part)] = true;
      std::vector<int> path{edge.from};
      int at = edge.to;
      while (at != path[0] && path.size() <= edges_.size()) {
        path.push_back(at);
        at = next(leaving, part, at);
        if (at < 0) {
          break;
        }
      }
      if (at == path[0] && path.size() >= 3) {
        polygons->push_back(std::move(path));
      }
    }
  }

 private:
  struct Edge {
    int from;
    int to;
    int triangle;
    bool gone;
  };

  static std::uint64_t key(int from, int to) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 |
           static_cast<std::uint32_t>(to);
  }

  int root(int triangle) {
    int& up = parent_[static_cast<std::size_t>(triangle)];
    if (up != triangle) {
      up = parent_[static_cast<std::size_t>(up)];
      return root(up);
    }
    return triangle;
  }

  void unite(int a, int b) { parent_[static_cast<std::size_t>(root(b))] = root(a); }

  /// Where the first edge of a part that leaves a vertex goes; -1 if there is none.
  int next(const std::unordered_multimap<int, std::size_t>& leaving, int part, int vertex) {
    const auto [begin, end] = leaving.equal_range(vertex);
    std::size_t first = edges_.size();
    for (auto i = begin; i != end; ++i) {
      if (root(edges_[i->second].triangle) == part) {
        first = std::min(first, i->second);
      }
    }
    return first == edges_.size() ? -1 : edges_[first].to;
  }

  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, std::size_t> boundary_;
  std::vector<int> parent_;  ///< of triangles, a forest whose trees are the connected parts
};

}  // namespace

Polygons join_triangles(const std::vector<Vec3>& vertices, const std::vector<int>& face) {
  std::map<Direction, Group> groups;
  const auto vertex = [&](std::size_t i) { return vertices[static_cast<std::size_t>(face[i])]; };
  for (std::size_t i = 0; i + 2 < face.size(); i += 3) {
    Direction direction;
    if (direction_of(vertex(i), vertex(i + 1), vertex(i + 2), &direction)) {
      groups[direction].insert(face[i], face[i + 1], face[i + 2]);
    }
  }
  Polygons polygons;
  for (auto& [direction, group] : groups) {
    group.trace(&polygons);
  }
  return polygons;
}

Vec3 polygon_normal(const std::vector<Vec3>& vertices, const std::vector<int>& polygon) {
  const auto vertex = [&](std::size_t i) { return vertices[static_cast<std::size_t>(polygon[i])]; };
  // relative to the first vertex, so that no digits are lost far from the origin
  const Vec3 origin = vertex(0);
  Vec3 sum{};
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    sum = sum + cross(vertex(i) - origin, vertex(i + 1) - origin);
  }
  const double length = norm(sum);
  return length < 1e-15 ? Vec3{0.0, 0.0, 1.0} : sum * (1.0 / length);
}

}  // namespace swept::compiler
