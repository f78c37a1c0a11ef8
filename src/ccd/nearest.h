// SPDX-License-Identifier: Apache-2.0
// Nearest points of vertices, edges and triangles, templates over the number type and the
// dimension.
//
// Every pair of points that comes out lies on the two pieces, up to rounding, also for pieces
// without length or area: its distance is therefore never below the true one by more than rounding.
// That it is not far above is for the caller to prove (facet_pair.h).
#pragma once

#include "ccd/vec.h"

#include <algorithm>

namespace swept::ccd::detail {

/// A number in [0, 1]; 0 for NaN.
template <class T>
constexpr T clamp01(T x) {
  return x > 0 ? (x < 1 ? x : T(1)) : T(0);
}

/// Two points, one on each piece.
template <class T, std::size_t N>
struct Witness {
  Vec<T, N> p{};
  Vec<T, N> q{};
};

/// The squared distance of the two points.
template <class T, std::size_t N>
T square_of(const Witness<T, N>& w) {
  const Vec<T, N> r = w.q - w.p;
  return dot(r, r);
}

/// The point of the edge [a, b] that is nearest to p.
template <class T, std::size_t N>
Vec<T, N> nearest_on_edge(const Vec<T, N>& p, const Vec<T, N>& a, const Vec<T, N>& b) {
  const Vec<T, N> e = b - a;
  const T length = dot(e, e);
  const T t = length > 0 ? dot(p - a, e) / length : T(0);
  // from the nearer end, so that an end is met exactly
  return t <= T(0.5) ? a + clamp01(t) * e : b - clamp01(1 - t) * e;
}

/// Nearest points of the edges [a, b] and [c, d]: the minimum over the lines where it lies inside
/// of both, else the point of one edge that is nearest to an end of the other.
template <class T, std::size_t N>
Witness<T, N> nearest_of_edges(const Vec<T, N>& a, const Vec<T, N>& b, const Vec<T, N>& c,
                               const Vec<T, N>& d) {
  const Vec<T, N> e = b - a, f = d - c, r = a - c;
  const T ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), er = dot(e, r), fr = dot(f, r);
  const T determinant = ee * ff - ef * ef;
  // s along the first, where the lines are nearest (anywhere if they are parallel)
  T s = determinant > 0 ? clamp01((ef * fr - er * ff) / determinant) : T(0);
  // then t along the second, and s again if t had to be clamped
  const T t_numerator = ef * s + fr;
  T t = 0;
  if (t_numerator <= 0) {
    s = ee > 0 ? clamp01(-er / ee) : T(0);
  } else if (t_numerator >= ff) {
    t = 1;
    s = ee > 0 ? clamp01((ef - er) / ee) : T(0);
  } else {
    t = t_numerator / ff;
  }
  return {a + s * e, c + t * f};
}

/// If p is over the inside of the triangle (a, b, c), finds the point below it. The point is a mean
/// of the corners with weights that are not negative: it is on the triangle also where the normal
/// is not accurate. False for a triangle whose normal rounds to zero.
///   normal   (b - a) x (c - a), which all points may share
template <class T>
bool nearest_inside(const Vec<T, 3>& p, const Vec<T, 3>& a, const Vec<T, 3>& b, const Vec<T, 3>& c,
                    const Vec<T, 3>& normal, Vec<T, 3>* q) {
  const T wc = dot(normal, cross(b - a, p - a));
  if (!(wc >= 0)) {
    return false;
  }
  const T wa = dot(normal, cross(c - b, p - b));
  if (!(wa >= 0)) {
    return false;
  }
  const T wb = dot(normal, cross(a - c, p - c));
  const T sum = wa + wb + wc;
  if (!(wb >= 0) || !(sum > 0)) {
    return false;
  }
  *q = a + (wb / sum) * (b - a) + (wc / sum) * (c - a);
  return true;
}

/// The point of the triangle (a, b, c) that is nearest to p.
template <class T>
Vec<T, 3> nearest_on_triangle(const Vec<T, 3>& p, const Vec<T, 3>& a, const Vec<T, 3>& b,
                              const Vec<T, 3>& c) {
  const Vec<T, 3> e = b - a, f = c - a, normal = cross(e, f);
  Vec<T, 3> best;
  const bool inside = nearest_inside(p, a, b, c, normal, &best);
  // a needle's normal (an angle of less than 1e-2) may call inside what is outside
  if (inside && dot(normal, normal) > T(1e-4) * dot(e, e) * dot(f, f)) {
    return best;
  }
  const Vec<T, 3> first = nearest_on_edge(p, a, b);
  if (!inside || square_of<T, 3>({p, first}) < square_of<T, 3>({p, best})) {
    best = first;
  }
  for (const Vec<T, 3>& other : {nearest_on_edge(p, b, c), nearest_on_edge(p, c, a)}) {
    if (square_of<T, 3>({p, other}) < square_of<T, 3>({p, best})) {
      best = other;
    }
  }
  return best;
}

/// The smallest gap along n between the corners of two convex pieces, from the first to the second:
/// negative where they overlap along n. With a unit n it is a bound from below on their distance.
template <class T, std::size_t N, std::size_t A, std::size_t B>
T gap_along(const Vec<T, N>& n, const std::array<Vec<T, N>, A>& a,
            const std::array<Vec<T, N>, B>& b) {
  // from a common corner, so that the place of both does not cost digits
  const Vec<T, N> origin = a[0];
  T high = 0;
  for (std::size_t i = 1; i < A; ++i) {
    high = std::max(high, dot(n, a[i] - origin));
  }
  T low = dot(n, b[0] - origin);
  for (std::size_t j = 1; j < B; ++j) {
    low = std::min(low, dot(n, b[j] - origin));
  }
  return low - high;
}

}  // namespace swept::ccd::detail
