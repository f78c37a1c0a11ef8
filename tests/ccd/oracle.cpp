// SPDX-License-Identifier: Apache-2.0
// The oracle: stationary points of all pairs of features, and intersections by signs of volumes; in
// double to find the pairs that may be nearest, in extended precision for those.
#include "ccd/oracle.h"

#include <algorithm>
#include <limits>

namespace swept::test {

namespace {

/// Distances of facets in one precision.
template <class Real>
struct Features {
  template <int D>
  using V = std::array<Real, D>;

  template <int D>
  static V<D> minus(const V<D>& a, const V<D>& b) {
    V<D> c;
    for (int i = 0; i < D; ++i) {
      c[i] = a[i] - b[i];
    }
    return c;
  }

  template <int D>
  static V<D> along(const V<D>& a, Real t, const V<D>& e) {
    V<D> c;
    for (int i = 0; i < D; ++i) {
      c[i] = a[i] + t * e[i];
    }
    return c;
  }

  template <int D>
  static Real inner(const V<D>& a, const V<D>& b) {
    Real sum = 0;
    for (int i = 0; i < D; ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  static V<3> outer(const V<3>& a, const V<3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

  // squared distance of a point and a segment
  template <int D>
  static Real point_segment(const V<D>& p, const V<D>& a, const V<D>& b) {
    const V<D> e = minus<D>(b, a), r = minus<D>(p, a);
    const Real ee = inner<D>(e, e);
    const Real t = ee > 0 ? std::clamp(inner<D>(r, e) / ee, Real(0), Real(1)) : Real(0);
    const V<D> w = minus<D>(p, along<D>(a, t, e));
    return inner<D>(w, w);
  }

  template <int D>
  using F = std::array<V<D>, D>;

  static Real orientation(const V<2>& a, const V<2>& b, const V<2>& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }

  static Real square_distance(const F<2>& a, const F<2>& b) {
    const Real s0 = orientation(a[0], a[1], b[0]), s1 = orientation(a[0], a[1], b[1]);
    const Real t0 = orientation(b[0], b[1], a[0]), t1 = orientation(b[0], b[1], a[1]);
    if (s0 * s1 < 0 && t0 * t1 < 0) {
      return 0;
    }
    return std::min({point_segment<2>(a[0], b[0], b[1]), point_segment<2>(a[1], b[0], b[1]),
                     point_segment<2>(b[0], a[0], a[1]), point_segment<2>(b[1], a[0], a[1])});
  }

  static Real volume(const V<3>& a, const V<3>& b, const V<3>& c, const V<3>& d) {
    return inner<3>(minus<3>(d, a), outer(minus<3>(b, a), minus<3>(c, a)));
  }

  static bool pierces(const V<3>& p, const V<3>& q, const F<3>& t) {
    const Real v0 = volume(t[0], t[1], t[2], p), v1 = volume(t[0], t[1], t[2], q);
    if (!(v0 * v1 < 0)) {
      return false;
    }
    const Real a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]),
               c = volume(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
  }

  // interior of the triangle, else infinite
  static Real point_face(const V<3>& p, const F<3>& t) {
    const V<3> e = minus<3>(t[1], t[0]), f = minus<3>(t[2], t[0]), r = minus<3>(p, t[0]);
    const Real ee = inner<3>(e, e), ef = inner<3>(e, f), ff = inner<3>(f, f);
    const Real re = inner<3>(r, e), rf = inner<3>(r, f), det = ee * ff - ef * ef;
    if (!(det > 0)) {
      return std::numeric_limits<Real>::infinity();
    }
    const Real u = (ff * re - ef * rf) / det, v = (ee * rf - ef * re) / det;
    if (u < 0 || v < 0 || u + v > 1) {
      return std::numeric_limits<Real>::infinity();
    }
    const V<3> w = minus<3>(r, along<3>(along<3>({}, u, e), v, f));
    return inner<3>(w, w);
  }

  static Real edge_edge(const V<3>& a, const V<3>& b, const V<3>& c, const V<3>& d) {
    Real best = std::min({point_segment<3>(a, c, d), point_segment<3>(b, c, d),
                          point_segment<3>(c, a, b), point_segment<3>(d, a, b)});
    const V<3> e = minus<3>(b, a), f = minus<3>(d, c), r = minus<3>(a, c);
    const Real ee = inner<3>(e, e), ef = inner<3>(e, f), ff = inner<3>(f, f);
    const Real er = inner<3>(e, r), fr = inner<3>(f, r), det = ee * ff - ef * ef;
    if (det > 0) {
      const Real s = (ef * fr - ff * er) / det, t = (ee * fr - ef * er) / det;
      if (s > 0 && s < 1 && t > 0 && t < 1) {
        const V<3> w = minus<3>(along<3>(a, s, e), along<3>(c, t, f));
        best = std::min(best, inner<3>(w, w));
      }
    }
    return best;
  }

  static Real square_distance(const F<3>& a, const F<3>& b) {
    Real best = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < 3; ++i) {
      if (pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a)) {
        return 0;
      }
      best = std::min({best, point_face(a[i], b), point_face(b[i], a)});
      for (int j = 0; j < 3; ++j) {
        best = std::min(best, edge_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
      }
    }
    return best;
  }
};

using Real = long double;
using Exact = Features<Real>;
using Quick = Features<double>;

/// Where the points of a body are at s.
template <class T, int D>
class Place {
 public:
  using Point = std::array<T, D>;

  Place(const ccd::Motion<D>& motion, T s) : start_(motion.at(0).rotation) {
    const T angle = s * T(motion.angle());
    cos_ = std::cos(angle);
    sin_ = std::sin(angle);
    for (int i = 0; i < D; ++i) {
      axis_[i] = motion.axis()[i];
      origin_[i] = T(motion.start()[i]) + s * T(motion.way()[i]);
    }
    const T length = std::sqrt(Features<T>::template inner<D>(axis_, axis_));
    for (T& component : axis_) {
      component = length > 0 ? component / length : 0;
    }
  }

  /// Of vertex number v.
  Point operator()(const Shape<D>& shape, int v) const {
    Point r{}, y = origin_;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        r[i] += T(start_[i][j]) * T(shape.vertices[std::size_t(v * D + j)]);
      }
    }
    if constexpr (D == 2) {
      y[0] += cos_ * r[0] - sin_ * r[1];
      y[1] += sin_ * r[0] + cos_ * r[1];
    } else {
      const Point kr = Features<T>::outer(axis_, r);
      const T kk = Features<T>::template inner<3>(axis_, r) * (1 - cos_);
      for (int i = 0; i < 3; ++i) {
        y[i] += cos_ * r[i] + sin_ * kr[i] + kk * axis_[i];
      }
    }
    return y;
  }

  /// The corners of all facets.
  std::vector<std::array<Point, D>> facets(const Shape<D>& shape) const {
    std::vector<Point> vertices;
    for (int v = 0; v < static_cast<int>(shape.vertices.size()) / D; ++v) {
      vertices.push_back((*this)(shape, v));
    }
    std::vector<std::array<Point, D>> made(shape.facets.size() / D);
    for (std::size_t f = 0; f < shape.facets.size(); ++f) {
      made[f / D][f % D] = vertices[std::size_t(shape.facets[f])];
    }
    return made;
  }

 private:
  ccd::Matrix<D> start_;
  Point axis_{}, origin_{};
  T cos_, sin_;
};

/// A ball around each of a number of facets.
template <int D>
struct Balls {
  std::vector<Quick::V<D>> middle;
  std::vector<double> radius;

  explicit Balls(const std::vector<Quick::F<D>>& facets) {
    for (const Quick::F<D>& facet : facets) {
      Quick::V<D> center{};
      for (const Quick::V<D>& corner : facet) {
        for (int i = 0; i < D; ++i) {
          center[i] += corner[i] / D;
        }
      }
      double far = 0;
      for (const Quick::V<D>& corner : facet) {
        const auto e = Quick::minus<D>(corner, center);
        far = std::max(far, Quick::inner<D>(e, e));
      }
      middle.push_back(center);
      radius.push_back(std::sqrt(far));
    }
  }

  /// Whether two facets may be nearer to each other than `bar`.
  bool may_be_within(const Balls& other, std::size_t i, std::size_t j, double bar) const {
    const auto w = Quick::minus<D>(middle[i], other.middle[j]);
    const double reach = bar + radius[i] + other.radius[j] + 1e-6;
    return Quick::inner<D>(w, w) < reach * reach;
  }
};

/// Whether two facets are farther apart than `bar` along one of a few directions, unit vectors: the
/// axes and both normals in space.
bool clearly_apart(const Quick::F<3>& a, const Quick::F<3>& b, double bar) {
  const auto apart_along = [&](const Quick::V<3>& n) {
    double low_a = Quick::inner<3>(n, a[0]), high_a = low_a;
    double low_b = Quick::inner<3>(n, b[0]), high_b = low_b;
    for (int k = 1; k < 3; ++k) {
      const double x = Quick::inner<3>(n, a[k]), y = Quick::inner<3>(n, b[k]);
      low_a = std::min(low_a, x);
      high_a = std::max(high_a, x);
      low_b = std::min(low_b, y);
      high_b = std::max(high_b, y);
    }
    return std::max(low_b - high_a, low_a - high_b) > bar;
  };
  const auto normal = [](const Quick::F<3>& f) {
    const auto n = Quick::outer(Quick::minus<3>(f[1], f[0]), Quick::minus<3>(f[2], f[0]));
    const double length = std::sqrt(Quick::inner<3>(n, n));
    return length > 0 ? Quick::along<3>({}, 1 / length, n) : Quick::V<3>{};
  };
  return apart_along({1, 0, 0}) || apart_along({0, 1, 0}) || apart_along({0, 0, 1}) ||
         apart_along(normal(a)) || apart_along(normal(b));
}

bool clearly_apart(const Quick::F<2>&, const Quick::F<2>&, double) {
  return false;
}

/// What distances in double may be off by, with room.
constexpr double doubt = 1e-7;

}  // namespace

template <int D>
double oracle_distance(const Shape<D>& a, const Shape<D>& b, const ccd::Motion<D>& motion_a,
                       const ccd::Motion<D>& motion_b, double s) {
  const auto quick_a = Place<double, D>(motion_a, s).facets(a);
  const auto quick_b = Place<double, D>(motion_b, s).facets(b);
  const Balls<D> balls_a(quick_a), balls_b(quick_b);
  // all pairs in double, except those whose balls are farther apart than the best
  struct Near {
    std::size_t i, j;
    double square;
  };
  std::vector<Near> near;
  double best = std::numeric_limits<double>::infinity(), root = best;
  for (std::size_t i = 0; i < quick_a.size(); ++i) {
    for (std::size_t j = 0; j < quick_b.size(); ++j) {
      if (balls_a.may_be_within(balls_b, i, j, root)) {
        near.push_back({i, j, Quick::square_distance(quick_a[i], quick_b[j])});
        if (near.back().square < best) {
          best = near.back().square;
          root = std::sqrt(best);
        }
      }
    }
  }
  // those that may be the nearest, in extended precision
  const auto exact_a = Place<Real, D>(motion_a, s).facets(a);
  const auto exact_b = Place<Real, D>(motion_b, s).facets(b);
  Real exact = std::numeric_limits<Real>::infinity();
  for (const Near& pair : near) {
    if (std::sqrt(pair.square) <= root + doubt) {
      exact = std::min(exact, Exact::square_distance(exact_a[pair.i], exact_b[pair.j]));
    }
  }
  return static_cast<double>(std::sqrt(exact));
}

template <int D>
bool oracle_apart(const Shape<D>& a, const Shape<D>& b, const ccd::Motion<D>& motion_a,
                  const ccd::Motion<D>& motion_b, double s, double bar) {
  const auto quick_a = Place<double, D>(motion_a, s).facets(a);
  const auto quick_b = Place<double, D>(motion_b, s).facets(b);
  const Balls<D> balls_a(quick_a), balls_b(quick_b);
  for (std::size_t i = 0; i < quick_a.size(); ++i) {
    for (std::size_t j = 0; j < quick_b.size(); ++j) {
      if (balls_a.may_be_within(balls_b, i, j, bar) &&
          !clearly_apart(quick_a[i], quick_b[j], bar + doubt) &&
          !(std::sqrt(Quick::square_distance(quick_a[i], quick_b[j])) > bar + doubt)) {
        // in doubt: extended precision
        return oracle_distance<D>(a, b, motion_a, motion_b, s) >= bar;
      }
    }
  }
  return true;
}

template <int D>
double oracle_facet_distance(const std::array<ccd::Vector<D>, D>& a,
                             const std::array<ccd::Vector<D>, D>& b) {
  Exact::F<D> x, y;
  for (int k = 0; k < D; ++k) {
    for (int i = 0; i < D; ++i) {
      x[k][i] = a[k][i];
      y[k][i] = b[k][i];
    }
  }
  return static_cast<double>(std::sqrt(Exact::square_distance(x, y)));
}

template double oracle_distance(const Shape<2>&, const Shape<2>&, const ccd::Motion<2>&,
                                const ccd::Motion<2>&, double);
template double oracle_distance(const Shape<3>&, const Shape<3>&, const ccd::Motion<3>&,
                                const ccd::Motion<3>&, double);
template bool oracle_apart(const Shape<2>&, const Shape<2>&, const ccd::Motion<2>&,
                           const ccd::Motion<2>&, double, double);
template bool oracle_apart(const Shape<3>&, const Shape<3>&, const ccd::Motion<3>&,
                           const ccd::Motion<3>&, double, double);
template double oracle_facet_distance<2>(const std::array<ccd::Vector<2>, 2>&,
                                         const std::array<ccd::Vector<2>, 2>&);
template double oracle_facet_distance<3>(const std::array<ccd::Vector<3>, 3>&,
                                         const std::array<ccd::Vector<3>, 3>&);

}  // namespace swept::test
