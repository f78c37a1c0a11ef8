// SPDX-License-Identifier: Apache-2.0
// Algebra of short vectors and matrices, templates over the number type and the dimension.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace swept::ccd::detail {

template <class T, std::size_t N>
using Vec = std::array<T, N>;

template <class T, std::size_t N>
constexpr Vec<T, N> operator+(Vec<T, N> a, const Vec<T, N>& b) {
  for (std::size_t i = 0; i < N; ++i) {
    a[i] += b[i];
  }
  return a;
}

template <class T, std::size_t N>
constexpr Vec<T, N> operator-(Vec<T, N> a, const Vec<T, N>& b) {
  for (std::size_t i = 0; i < N; ++i) {
    a[i] -= b[i];
  }
  return a;
}

template <class T, std::size_t N>
constexpr Vec<T, N> operator-(Vec<T, N> a) {
  for (std::size_t i = 0; i < N; ++i) {
    a[i] = -a[i];
  }
  return a;
}

template <class T, std::size_t N>
constexpr Vec<T, N> operator*(T s, Vec<T, N> a) {
  for (std::size_t i = 0; i < N; ++i) {
    a[i] *= s;
  }
  return a;
}

template <class T, std::size_t N>
constexpr T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T sum = a[0] * b[0];
  for (std::size_t i = 1; i < N; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

template <class T, std::size_t N>
T norm(const Vec<T, N>& a) {
  return std::sqrt(dot(a, a));
}

template <class T>
constexpr Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
constexpr T cross(const Vec<T, 2>& a, const Vec<T, 2>& b) {
  return a[0] * b[1] - a[1] * b[0];
}

/// The vector scaled to unit length; zero for zero.
template <class T, std::size_t N>
Vec<T, N> unit(const Vec<T, N>& a) {
  const T length = norm(a);
  return length > 0 ? (T(1) / length) * a : Vec<T, N>{};
}

/// Matrix (of rows) times vector.
template <class T, std::size_t N>
constexpr Vec<T, N> operator*(const Vec<Vec<T, N>, N>& m, const Vec<T, N>& x) {
  Vec<T, N> y{};
  for (std::size_t i = 0; i < N; ++i) {
    y[i] = dot(m[i], x);
  }
  return y;
}

/// The transpose of a matrix times a vector.
template <class T, std::size_t N>
constexpr Vec<T, N> transposed_times(const Vec<Vec<T, N>, N>& m, const Vec<T, N>& x) {
  Vec<T, N> y{};
  for (std::size_t i = 0; i < N; ++i) {
    y[i] = m[0][i] * x[0];
    for (std::size_t k = 1; k < N; ++k) {
      y[i] += m[k][i] * x[k];
    }
  }
  return y;
}

/// The transpose of a matrix times a matrix.
template <class T, std::size_t N>
constexpr Vec<Vec<T, N>, N> transposed_times(const Vec<Vec<T, N>, N>& a,
                                             const Vec<Vec<T, N>, N>& b) {
  Vec<Vec<T, N>, N> c{};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      for (std::size_t k = 0; k < N; ++k) {
        c[i][j] += a[k][i] * b[k][j];
      }
    }
  }
  return c;
}

/// The largest absolute value of a component.
template <class T, std::size_t N>
constexpr T largest(const Vec<T, N>& a) {
  T most = 0;
  for (const T x : a) {
    const T size = x < 0 ? -x : x;
    most = size > most ? size : most;
  }
  return most;
}

template <class T, std::size_t N>
bool is_finite(const Vec<T, N>& a) {
  for (const T x : a) {
    if (!std::isfinite(x)) {
      return false;
    }
  }
  return true;
}

}  // namespace swept::ccd::detail
