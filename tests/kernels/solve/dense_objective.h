// SPDX-License-Identifier: Apache-2.0
// MuJoCo's objective of one environment from its definition, one official row at a time (pyramids
// as edges), in double, and its minimum by a dense Newton method. It shares nothing with the
// solvers.
#pragma once

// Eigen's AVX-512 kernels are noisy under -Wall and the matrices are small
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Dense>

#include <cmath>

#include "kernels/base/tile.h"

namespace swept::SWEPT_NS::test {

/// Distance of two accelerations in the norm of M, relative to the second.
inline double relative_distance(const Eigen::MatrixXd& M, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& y) {
  const Eigen::VectorXd e = x - y;
  return std::sqrt(e.dot(M * e) / (1 + y.dot(M * y)));
}

/// The objective over the rows of the first environment of a tile.
class DenseObjective {
 public:
  DenseObjective(const Tile& tile, Eigen::MatrixXd M, Eigen::VectorXd qacc_smooth)
      : rows_(tile.rows_at(0)), M_(std::move(M)), smooth_(std::move(qacc_smooth)) {}

  /// Cost, gradient and Hessian at an acceleration.
  struct Value {
    double cost = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
  };
  Value evaluate(const Eigen::VectorXd& a) const {
    const Eigen::VectorXd x = a - smooth_;
    Value v{0.5 * x.dot(M_ * x), M_ * x, M_};
    const RowsAt& r = rows_;
    for (int i = 0; i < *r.nefc; i += r.efc_dim[i]) {
      const int dim = r.efc_dim[i];
      const Eigen::MatrixXd J = jacobian(i, dim);
      Eigen::VectorXd res = J * x;
      for (int k = 0; k < dim; ++k) {
        res[k] += static_cast<double>(r.efc_b[i + k]);
      }
      if (r.efc_type[i] == row_contact_elliptic) {
        add_cone(r, i, J, res, &v);
      } else if (r.efc_type[i] == row_contact_pyramidal) {
        for (int k = 1; k < dim; ++k) {
          for (const double sign : {1.0, -1.0}) {
            const double mu = sign * static_cast<double>(r.efc_mu[i + k]);
            add_scalar(r, i, J.row(0) + mu * J.row(k), res[0] + mu * res[k], &v);
          }
        }
      } else {
        add_scalar(r, i, J.row(0), res[0], &v);
      }
    }
    return v;
  }

  /// The minimiser by Newton's method, with a bisection of the slope along each direction.
  Eigen::VectorXd minimiser() const {
    Eigen::VectorXd a = smooth_;
    for (int round = 0; round < 200; ++round) {
      const Value v = evaluate(a);
      const Eigen::VectorXd p = -v.hessian.ldlt().solve(v.gradient);
      if (p.norm() <= 1e-14 * (1 + a.norm())) {
        break;
      }
      double low = 0, high = 1;
      while (evaluate(a + high * p).gradient.dot(p) < 0 && high < 1e6) {
        low = high;
        high *= 2;
      }
      const double full = evaluate(a + p).gradient.dot(p);
      if (std::abs(full) > 1e-3 * std::abs(v.gradient.dot(p))) {
        for (int n = 0; n < 60; ++n) {
          const double middle = 0.5 * (low + high);
          (evaluate(a + middle * p).gradient.dot(p) < 0 ? low : high) = middle;
        }
        a += 0.5 * (low + high) * p;
      } else {
        a += p;
      }
    }
    return a;
  }

 private:
  Eigen::MatrixXd jacobian(int first, int dim) const {
    const RowsAt& r = rows_;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(dim, smooth_.size());
    for (int k = 0; k < dim; ++k) {
      const int adr = r.efc_rowadr[first + k];
      for (int p = adr; p < adr + r.efc_rownnz[first + k]; ++p) {
        J(k, r.efc_J_colind[p]) = static_cast<double>(r.efc_J[p]);
      }
    }
    return J;
  }

  static void add_scalar(const RowsAt& r, int i, const Eigen::RowVectorXd& J, double res,
                         Value* v) {
    const double D = static_cast<double>(r.efc_D[i]);
    const double eta = static_cast<double>(r.efc_frictionloss[i]);
    const double bound = static_cast<double>(r.efc_R[i]) * eta;
    double force = -D * res, active = D;
    double cost = 0.5 * D * res * res;
    if (r.efc_type[i] == row_friction_dof) {
      if (std::abs(res) >= bound) {
        force = res > 0 ? -eta : eta;
        cost = eta * std::abs(res) - 0.5 * bound * eta;
        active = 0;
      }
    } else if (r.efc_type[i] != row_equality && res >= 0) {
      force = active = cost = 0;
    }
    v->cost += cost;
    v->gradient -= J.transpose() * force;
    v->hessian += active * J.transpose() * J;
  }

  static void add_cone(const RowsAt& r, int i, const Eigen::MatrixXd& J, const Eigen::VectorXd& res,
                       Value* v) {
    const int dim = static_cast<int>(res.size());
    const auto mu_of = [&](int k) { return static_cast<double>(r.efc_mu[i + k]); };
    const double mu = mu_of(0);
    Eigen::VectorXd S(dim), D(dim);
    for (int k = 0; k < dim; ++k) {
      S[k] = mu_of(k);
      D[k] = static_cast<double>(r.efc_D[i + k]);
    }
    const Eigen::VectorXd U = S.cwiseProduct(res);
    const double N = U[0];
    const double T = U.tail(dim - 1).norm();
    if (N >= mu * T) {
      return;
    }
    if (mu * N + T <= 0) {
      v->cost += 0.5 * res.dot(D.asDiagonal() * res);
      v->gradient += J.transpose() * (D.asDiagonal() * res);
      v->hessian += J.transpose() * D.asDiagonal() * J;
      return;
    }
    const double Dm = D[0] / (mu * mu * (1 + mu * mu));
    v->cost += 0.5 * Dm * std::pow(N - mu * T, 2);
    Eigen::VectorXd g(dim);
    Eigen::MatrixXd H(dim, dim);
    const Eigen::VectorXd t = U.tail(dim - 1);
    g[0] = Dm * (N - mu * T);
    g.tail(dim - 1) = -g[0] * mu * t / T;
    H(0, 0) = 1;
    H.block(0, 1, 1, dim - 1) = -mu * t.transpose() / T;
    H.block(1, 0, dim - 1, 1) = -mu * t / T;
    H.block(1, 1, dim - 1, dim - 1) =
        mu * N / (T * T * T) * t * t.transpose() +
        (mu * mu - mu * N / T) * Eigen::MatrixXd::Identity(dim - 1, dim - 1);
    const Eigen::MatrixXd SJ = S.asDiagonal() * J;
    v->gradient += SJ.transpose() * g;
    v->hessian += Dm * SJ.transpose() * H * SJ;
  }

  RowsAt rows_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd smooth_;
};

}  // namespace swept::SWEPT_NS::test
