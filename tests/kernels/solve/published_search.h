// SPDX-License-Identifier: Apache-2.0
// The line search of MuJoCo's primal solvers as it is published, one scalar function at a time:
// what the solver's own is held to, and what is itself held to the official library.
#pragma once

#include <array>
#include <cmath>

namespace swept::test {

/// The objective along a line, less its value at the start, and its derivatives.
struct Phi {
  double cost = 0, slope = 0, curvature = 0;
};

/// Where the sequence ended.
enum class SearchEnd { first_step, on_the_way, not_bracketed, flat, stuck, out_of_evaluations };

struct SearchResult {
  double alpha = 0, cost = 0;
  int evaluations = 0;
  SearchEnd end = SearchEnd::first_step;
};

/// Search with phi(alpha) -> Phi, to |slope| < gtol, in `most` evaluations.
template <class F>
SearchResult published_search(const F& phi, double gtol, int most) {
  struct Point {
    double alpha;
    Phi at;
  };
  int count = 0;
  const auto evaluate = [&](double alpha) {
    ++count;
    return Point{alpha, phi(alpha)};
  };
  const auto newton = [&](const Point& p) {
    return evaluate(p.alpha - p.at.slope / (p.at.curvature > 0 ? p.at.curvature : 1e-15));
  };
  const auto flat = [&](const Point& p) { return std::abs(p.at.slope) < gtol; };
  const auto result = [&](const Point& p, SearchEnd end) {
    return SearchResult{p.alpha, p.at.cost, count, end};
  };

  const Point start = evaluate(0);
  Point p1 = newton(start);
  if (flat(p1) && p1.at.cost < 0) {
    return result(p1, SearchEnd::first_step);
  }

  // in one direction until the slope changes its sign
  const double direction = p1.at.slope < 0 ? 1 : -1;
  Point p2 = start;
  while (p1.at.slope * direction <= -gtol && count < most) {
    p2 = p1;
    p1 = newton(p1);
    if (flat(p1) && p1.at.cost < 0) {
      return result(p1, SearchEnd::on_the_way);
    }
  }
  if (count >= most) {
    return result(p1, SearchEnd::not_bracketed);
  }

  // between the two
  Point next2 = p1;
  Point next1 = newton(p1);
  while (count < most) {
    const Point middle = evaluate((p1.alpha + p2.alpha) / 2);
    const std::array<Point, 3> candidates{next1, next2, middle};
    const Point* best = nullptr;
    for (const Point& c : candidates) {
      if (flat(c) && (best == nullptr || c.at.cost < best->at.cost)) {
        best = &c;
      }
    }
    if (best != nullptr) {
      return result(*best, SearchEnd::flat);
    }
    const auto tighten = [&](Point* p, Point* next) {
      bool moved = false;
      for (const Point& c : candidates) {
        if (c.at.slope * p->at.slope > 0 && std::abs(c.at.slope) < std::abs(p->at.slope)) {
          *p = c;
          moved = true;
        }
      }
      if (moved) {
        *next = newton(*p);
      }
      return moved;
    };
    const bool moved1 = tighten(&p1, &next1);
    const bool moved2 = tighten(&p2, &next2);
    if (!moved1 && !moved2) {
      return result(middle, SearchEnd::stuck);
    }
  }
  const Point& lower = p1.at.cost <= p2.at.cost ? p1 : p2;
  return result(lower.at.cost < 0 ? lower : start, SearchEnd::out_of_evaluations);
}

/// A row's part of the objective along r + alpha v and its derivatives, as MuJoCo defines them.
/// Sums in extended precision, since phi is a small difference.
struct RowsPhi {
  long double cost = 0, slope = 0, curvature = 0;

  void add(long double s, long double s1, long double s2) {
    cost += s;
    slope += s1;
    curvature += s2;
  }
  /// 1/2 D r^2
  void quadratic(long double D, long double r, long double v) {
    add(D * r * r / 2, D * r * v, D * v * v);
  }
  /// the same where r < 0
  void one_sided(long double D, long double r, long double v) {
    if (r < 0) {
      quadratic(D, r, v);
    }
  }
  /// linear from |r| = R eta on
  void friction_loss(long double D, long double R, long double eta, long double r, long double v) {
    if (std::abs(r) < R * eta) {
      quadratic(D, r, v);
    } else {
      const long double sign = r > 0 ? 1 : -1;
      add(eta * std::abs(r) - R * eta * eta / 2, sign * eta * v, 0);
    }
  }
  /// an elliptic contact of `dim` rows with mu of the regularised cone and its frictions
  template <class Number>
  void cone(int dim, const Number* D, long double mu, const Number* friction, const long double* r,
            const long double* v) {
    long double TT = 0, UV = 0, VV = 0;
    for (int k = 1; k < dim; ++k) {
      const long double U = friction[k - 1] * r[k], V = friction[k - 1] * v[k];
      TT += U * U;
      UV += U * V;
      VV += V * V;
    }
    const long double N = mu * r[0], T = std::sqrt(TT);
    if (N >= mu * T || (T <= 0 && N >= 0)) {
      return;
    }
    if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
      for (int k = 0; k < dim; ++k) {
        quadratic(D[k], r[k], v[k]);
      }
      return;
    }
    const long double Dm = D[0] / (mu * mu * (1 + mu * mu));
    const long double gap = N - mu * T, T1 = UV / T, T2 = (VV - T1 * T1) / T;
    const long double gap1 = mu * v[0] - mu * T1;
    add(Dm * gap * gap / 2, Dm * gap * gap1, Dm * (gap1 * gap1 - gap * mu * T2));
  }
};

}  // namespace swept::test
