// SPDX-License-Identifier: Apache-2.0
// Time of impact of the pieces of deforming meshes: every vertex moves on a straight line at its
// own constant velocity while s goes from 0 to 1.
//
// Conservative advancement with a bound per pair of corners. Both pieces are convex: if n is a unit
// vector from the first to the second, their distance is at least the smallest of the gaps
// g_ij = n (y_j - x_i) over their corners x_i and y_j. Along the fixed n each gap changes linearly,
// so no gap falls to `target` before s + min_ij (g_ij - target) / max(0, n (u_i - w_j)), with the
// velocities u and w. (The plain bound divides by max |u_i - w_j| instead and is never better.) The
// step from a distance d > tolerance goes to target = tolerance / 2. A direction counts only if all
// gaps along it are above the target; if no direction proves that, the answer is "not converged" at
// the present time, which is certified: never a step in hope.
//
// Everything is computed relative to the first vertex and its motion, scaled to unit size: places
// far from the origin and common velocities cost no digits. In f32 and f64.
#pragma once

#include <swept/ccd/impact.h>

#include <array>
#include <cstddef>

namespace swept::ccd {

/// A vertex at s = 0 and at s = 1.
template <class T>
struct MovingVertex {
  std::array<T, 3> start{};
  std::array<T, 3> end{};
};

template <class T>
struct VertexOptions {
  /// Below this distance (beyond `separation`) pieces touch; 0: 1e-6 of the size, which is the
  /// largest absolute coordinate, relative to the first vertex, of any other at either time. What
  /// rounding needs is the least: up to 2400 half ulps of the larger of the size and `separation`
  /// (1.4e-4 of it in f32, 2.7e-13 in f64).
  T tolerance = 0;
  T separation = 0;           ///< distance to keep: the sum of both thicknesses
  int max_iterations = 1000;  ///< cap on the number of advances
};

/// What was found. A caller may advance to toi in every case. The functions below throw Error for a
/// vertex that is not finite, and for an option that is negative or not finite.
template <class T>
struct VertexImpact {
  Status status = Status::separate;
  T toi = 1;        ///< the distance is at least separation + tolerance / 2 on [0, toi], unless
                    ///< status is "initial contact"
  T distance = 0;   ///< at toi
  T tolerance = 0;  ///< what was used
  std::array<T, 3> normal{};  ///< unit, from the first piece to the second; zero if they meet
  int iterations = 0;

  /// Whether the pieces touch, or may touch after toi.
  bool hit() const { return status != Status::separate; }
};

/// A vertex against a vertex, [vertex, vertex].
template <class T>
VertexImpact<T> vertex_vertex_impact(const std::array<MovingVertex<T>, 2>& v,
                                     const VertexOptions<T>& options = {});

/// A vertex against an edge, [vertex, two of the edge].
template <class T>
VertexImpact<T> vertex_edge_impact(const std::array<MovingVertex<T>, 3>& v,
                                   const VertexOptions<T>& options = {});

/// A vertex against a triangle, [vertex, three of the triangle].
template <class T>
VertexImpact<T> vertex_triangle_impact(const std::array<MovingVertex<T>, 4>& v,
                                       const VertexOptions<T>& options = {});

/// An edge against an edge, [two of the first, two of the second].
template <class T>
VertexImpact<T> edge_edge_impact(const std::array<MovingVertex<T>, 4>& v,
                                 const VertexOptions<T>& options = {});

/// The vertices relative to the first one at both times, subtracted in double and then rounded: for
/// float, the rounding is that of their distances and not of their place. The time of impact is the
/// same, and the guarantee holds for the vertices that were given.
template <class T, std::size_t N>
std::array<MovingVertex<T>, N> localize(const std::array<MovingVertex<double>, N>& v) {
  std::array<MovingVertex<T>, N> local{};
  for (std::size_t i = 0; i < N; ++i) {
    for (int k = 0; k < 3; ++k) {
      local[i].start[k] = static_cast<T>(v[i].start[k] - v[0].start[k]);
      local[i].end[k] = static_cast<T>(v[i].end[k] - v[0].end[k]);
    }
  }
  return local;
}

}  // namespace swept::ccd
