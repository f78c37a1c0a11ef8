// SPDX-License-Identifier: Apache-2.0
// What happens on the way of a shot, by an independent program: the motion in double precision here,
// the distances those of the official library's mj_geomDistance, at many times.
#pragma once

#include "kernels/geometry/exact.h"
#include "kernels/speculative/shots.h"

namespace swept::SWEPT_NS {

/// A rotation vector times t as a row-major matrix, times a matrix.
inline std::array<double, 9> turned_by(const Point& domega, double t,
                                       const std::array<double, 9>& mat) {
  const double angle = length(domega);
  if (angle == 0) {
    return mat;
  }
  const Point u = times(domega, 1 / angle);
  const double c = std::cos(angle * t), s = std::sin(angle * t);
  std::array<double, 9> r{};
  for (std::size_t k = 0; k < 3; ++k) {
    // a column: a c + (u x a) s + u (u . a) (1 - c)
    const Point a = {mat[k], mat[3 + k], mat[6 + k]};
    const Point x = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2],
                     u[0] * a[1] - u[1] * a[0]};
    const double along = product(u, a) * (1 - c);
    for (std::size_t i = 0; i < 3; ++i) {
      r[3 * i + k] = a[i] * c + x[i] * s + u[i] * along;
    }
  }
  return r;
}

/// Distances of a shot's geoms on the way.
class SampledWay {
 public:
  explicit SampledWay(OfficialShot* shot) : shot_(shot) {
    mjModel* const m = shot->scene.model;
    m->opt.ccd_tolerance = 1e-12;
    m->opt.ccd_iterations = 1000;
    for (int g = 0; g < 2; ++g) {
      const StepMotion<real> motion = shot->motion(g);
      dx_[g] = point_of(motion.dx);
      domega_[g] = point_of(motion.domega);
      std::copy(shot->scene.data->geom_xpos + 3 * g, shot->scene.data->geom_xpos + 3 * g + 3,
                pos_[g].begin());
      std::copy(shot->scene.data->geom_xmat + 9 * g, shot->scene.data->geom_xmat + 9 * g + 9,
                mat_[g].begin());
    }
  }

  /// The signed distance [m] at a time.
  double at(double t) {
    mjData* const d = shot_->scene.data;
    for (int g = 0; g < 2; ++g) {
      const std::array<double, 9> mat = turned_by(domega_[g], t, mat_[g]);
      std::copy(mat.begin(), mat.end(), d->geom_xmat + 9 * g);
      for (std::size_t i = 0; i < 3; ++i) {
        d->geom_xpos[3 * g + static_cast<int>(i)] = pos_[g][i] + t * dx_[g][i];
      }
    }
    return mj_geomDistance(shot_->scene.model, d, 0, 1, 1e6, nullptr);
  }

  /// The least distance at `count` times from t0 to t1.
  double least(double t0, double t1, int count) {
    double best = 1e30;
    for (int i = 0; i < count; ++i) {
      best = std::min(best, at(t0 + (t1 - t0) * i / (count - 1)));
    }
    return best;
  }

 private:
  OfficialShot* shot_;
  Point dx_[2], domega_[2], pos_[2];
  std::array<double, 9> mat_[2];
};

}  // namespace swept::SWEPT_NS
