// SPDX-License-Identifier: Apache-2.0
// Pieces of deforming meshes: scaling, options, and the advancement for each kind of pair.
#include <swept/ccd/vertices.h>
#include <swept/error.h>

#include "ccd/corner_advance.h"

#include <cmath>
#include <limits>
#include <string>

namespace swept::ccd {

using namespace detail;

namespace {

template <class T>
void check(const VertexOptions<T>& options) {
  const auto good = [](T x) { return x >= 0 && x <= std::numeric_limits<T>::max(); };
  if (!good(options.tolerance) || !good(options.separation) || options.max_iterations < 1) {
    throw Error("options of an impact of vertices: tolerance " + std::to_string(options.tolerance) +
                    ", separation " + std::to_string(options.separation) + ", cap " +
                    std::to_string(options.max_iterations),
                "lengths must not be negative, and the cap must be at least 1");
  }
}

template <class T, std::size_t A, std::size_t B>
VertexImpact<T> impact(const std::array<MovingVertex<T>, A + B>& v,
                       const VertexOptions<T>& options) {
  check(options);
  Corners<T, A, B> corners;
  T size = 0;
  bool finite = true;
  for (std::size_t i = 0; i < A + B; ++i) {
    corners.start[i] = v[i].start - v[0].start;
    corners.end[i] = v[i].end - v[0].end;
    size = std::max({size, largest(corners.start[i]), largest(corners.end[i])});
    finite = finite && is_finite(corners.start[i]) && is_finite(corners.end[i]);
  }
  if (!finite) {
    throw Error("a vertex is not finite, or vertices are too far from each other",
                "give finite coordinates");
  }
  // to at most 1 by a power of two, which is exact; the separation keeps the same unit
  int exponent = 0;
  std::frexp(std::max(size, options.separation), &exponent);
  const T scale = std::ldexp(T(1), std::max(-exponent, std::numeric_limits<T>::min_exponent));
  for (std::size_t i = 0; i < A + B; ++i) {
    corners.start[i] = scale * corners.start[i];
    corners.end[i] = scale * corners.end[i];
  }
  constexpr T least = T(10.5) * corner_error<T>;
  const T separation = scale * options.separation;
  const T wanted = options.tolerance > 0 ? scale * options.tolerance : T(1e-6) * scale * size;
  const T tolerance = std::max(wanted, least);
  VertexImpact<T> result =
      advance_corners<T, A, B>(corners, tolerance, separation, options.max_iterations);
  result.distance /= scale;
  result.tolerance = tolerance / scale;
  return result;
}

}  // namespace

template <class T>
VertexImpact<T> vertex_vertex_impact(const std::array<MovingVertex<T>, 2>& v,
                                     const VertexOptions<T>& options) {
  return impact<T, 1, 1>(v, options);
}

template <class T>
VertexImpact<T> vertex_edge_impact(const std::array<MovingVertex<T>, 3>& v,
                                   const VertexOptions<T>& options) {
  return impact<T, 1, 2>(v, options);
}

template <class T>
VertexImpact<T> vertex_triangle_impact(const std::array<MovingVertex<T>, 4>& v,
                                       const VertexOptions<T>& options) {
  return impact<T, 1, 3>(v, options);
}

template <class T>
VertexImpact<T> edge_edge_impact(const std::array<MovingVertex<T>, 4>& v,
                                 const VertexOptions<T>& options) {
  return impact<T, 2, 2>(v, options);
}

#define SWEPT_CCD_VERTICES(T)                                                            \
  template VertexImpact<T> vertex_vertex_impact(const std::array<MovingVertex<T>, 2>&,   \
                                                const VertexOptions<T>&);                \
  template VertexImpact<T> vertex_edge_impact(const std::array<MovingVertex<T>, 3>&,     \
                                              const VertexOptions<T>&);                  \
  template VertexImpact<T> vertex_triangle_impact(const std::array<MovingVertex<T>, 4>&, \
                                                  const VertexOptions<T>&);              \
  template VertexImpact<T> edge_edge_impact(const std::array<MovingVertex<T>, 4>&,       \
                                            const VertexOptions<T>&)
SWEPT_CCD_VERTICES(float);
SWEPT_CCD_VERTICES(double);
#undef SWEPT_CCD_VERTICES

}  // namespace swept::ccd
