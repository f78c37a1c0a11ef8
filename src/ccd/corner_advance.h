// SPDX-License-Identifier: Apache-2.0
// Conservative advancement of two pieces of A and B corners (vertex, edge or triangle) on straight
// paths, a template over the number type. The method is in <swept/ccd/vertices.h>.
//
// Rounding. Coordinates are relative to the first vertex at either time and at most 1 in size, so a
// corner is at most sqrt(3) from the origin; h is half an ulp. A corner's place at s, (1 - s) a + s
// b, is wrong by 9 h (the input's own rounding included); a gap adds 14 h for its products and 14 h
// for the length of n, with two corners 46 h in all. The rate along n is wrong by 28 h, the
// quotient and the sum with s by 22 h more. Below 112 h, then, is everything that a step relies on.
#pragma once

#include "ccd/nearest.h"
#include "ccd/rounding.h"
#include "ccd/vec.h"

#include <swept/ccd/vertices.h>

#include <algorithm>
#include <cmath>

namespace swept::ccd::detail {

/// How far a gap or a step may be off, in units of the size.
template <class T>
inline constexpr T corner_error = 112 * half_ulp<T>;

/// Corners of the first piece, then of the second, relative to corner 0 and scaled.
template <class T, std::size_t A, std::size_t B>
struct Corners {
  std::array<Vec<T, 3>, A + B> start, end;
};

/// Nearest points of the two pieces whose corners are x.
template <class T, std::size_t A, std::size_t B>
Witness<T, 3> nearest_of(const std::array<Vec<T, 3>, A + B>& x) {
  if constexpr (A == 2) {
    return nearest_of_edges(x[0], x[1], x[2], x[3]);
  } else if constexpr (B == 3) {
    return {x[0], nearest_on_triangle(x[0], x[1], x[2], x[3])};
  } else if constexpr (B == 2) {
    return {x[0], nearest_on_edge(x[0], x[1], x[2])};
  } else {
    return {x[0], x[1]};
  }
}

/// From the edge [a, b] to p, square to the edge.
template <class T>
Vec<T, 3> square_to_edge(const Vec<T, 3>& a, const Vec<T, 3>& b, const Vec<T, 3>& p) {
  const Vec<T, 3> e = unit(b - a);
  return cross(cross(e, p - a), e);
}

/// How many other_direction() has.
template <std::size_t A, std::size_t B>
inline constexpr int other_directions = A == 2   ? 5
                                        : B == 3 ? 4
                                        : B == 2 ? 1
                                                 : 0;

/// Directions that may prove that pieces are apart where the one between their nearest points does
/// not, best first: normal to both edges or to the triangle, then square to an edge.
template <class T, std::size_t A, std::size_t B>
Vec<T, 3> other_direction(const std::array<Vec<T, 3>, A + B>& x, int k) {
  if constexpr (A == 2) {
    return k == 0   ? cross(x[1] - x[0], x[3] - x[2])
           : k <= 2 ? square_to_edge(x[0], x[1], x[1 + k])
                    : square_to_edge(x[2], x[3], x[k - 3]);
  } else if constexpr (B == 3) {
    return k == 0 ? cross(x[2] - x[1], x[3] - x[1]) : square_to_edge(x[k], x[k % 3 + 1], x[0]);
  } else {
    return square_to_edge(x[1], x[2], x[0]);
  }
}

/// The step that one direction, of any length, proves: 0 if it proves nothing, 2 if nothing closes.
///   target   the gap to keep, with the error added
template <class T, std::size_t A, std::size_t B>
T step_along(Vec<T, 3> n, const std::array<Vec<T, 3>, A + B>& x,
             const std::array<Vec<T, 3>, A + B>& velocity, T target) {
  const T size = largest(n);
  if (!(size > 0)) {
    return 0;
  }
  n = unit((1 / size) * n);
  if (dot(n, x[A] - x[0]) < 0) {
    n = -n;
  }
  T step = 2;
  for (std::size_t i = 0; i < A; ++i) {
    for (std::size_t j = A; j < A + B; ++j) {
      const T room = dot(n, x[j] - x[i]) - target;
      if (!(room > 0)) {
        return 0;
      }
      const T rate = dot(n, velocity[i] - velocity[j]);
      if (rate > 0) {
        step = std::min(step, room / rate);
      }
    }
  }
  return step;
}

/// Advances from s = 0; lengths in units of the size.
template <class T, std::size_t A, std::size_t B>
VertexImpact<T> advance_corners(const Corners<T, A, B>& corners, T tolerance, T separation,
                                int max_iterations) {
  constexpr T e = corner_error<T>;
  const T target = separation + tolerance / 2 + e;
  std::array<Vec<T, 3>, A + B> velocity, x;
  for (std::size_t i = 0; i < A + B; ++i) {
    velocity[i] = corners.end[i] - corners.start[i];
  }
  VertexImpact<T> result;
  T s = 0;
  Vec<T, 3> between;
  while (true) {
    for (std::size_t i = 0; i < A + B; ++i) {
      x[i] = (1 - s) * corners.start[i] + s * corners.end[i];
    }
    const Witness<T, 3> w = nearest_of<T, A, B>(x);
    between = w.q - w.p;
    result.distance = norm(between);
    result.toi = s;
    if (result.distance + e <= separation + tolerance) {
      result.status = s > 0 ? Status::contact : Status::initial_contact;
      break;
    }
    if (s >= 1) {
      result.status = Status::separate;
      break;
    }
    T step = step_along<T, A, B>(between, x, velocity, target);
    // the first of the others is often better, the rest are for want of any proof
    for (int k = 0; k < other_directions<A, B> && (k == 0 ? s + step < 1 : !(step > 0)); ++k) {
      step =
          std::max(step, step_along<T, A, B>(other_direction<T, A, B>(x, k), x, velocity, target));
    }
    const T next = std::min(T(1), s + step);
    if (result.iterations >= max_iterations || !(next > s)) {
      result.status = Status::not_converged;
      break;
    }
    ++result.iterations;
    s = next;
  }
  result.normal = unit(between);
  return result;
}

}  // namespace swept::ccd::detail
