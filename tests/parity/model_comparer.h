// SPDX-License-Identifier: Apache-2.0
// Compares a compiled scene with the official library's, array by array: integers equal, reals
// relative to the larger of the number and its row, orientations up to sign, inertias as principal
// moments and as tensors. The list of candidate pairs is compared with the official collision
// detection at margins that reach everywhere.
#pragma once

#include <swept/model_fields.h>

#include "parity/mesh_comparer.h"
#include "parity/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace swept::test {

/// Reals agree to this: both sides sum the same terms in another order, and invert M, whose
/// condition is up to 1e5 in these scenes.
inline constexpr double compile_tolerance = 1e-9;

/// Arrays that mjModel has under the same name but with another layout: MuJoCo leaves out the zero
/// columns of simple dofs.
inline const std::set<std::string> own_layout = {"M_rownnz", "M_rowadr", "M_colind"};

/// Orientations, equal up to sign.
inline const std::set<std::string> quaternions = {"body_quat", "geom_quat", "site_quat", "cam_quat",
                                                  "mesh_quat"};

/// Where two scenes differ most.
struct Difference {
  double size = 0.0;
  std::string where = "-";

  void add(double difference, const std::string& place) {
    if (!(difference <= size)) {
      size = difference;
      where = place;
    }
  }
};

/// The outcome for one scene.
struct Comparison {
  int arrays = 0;
  std::size_t numbers = 0;
  Difference worst;
};

inline std::string index_text(std::size_t row, std::size_t col) {
  return "[" + std::to_string(row) + "," + std::to_string(col) + "]";
}

/// Largest difference of two rows, relative to the larger of their numbers, or to 1e-6 of the
/// array's largest number (below that a number is round-off).
inline double row_difference(const double* a, const double* b, std::size_t n, double array_scale,
                             std::size_t* at) {
  double scale = std::max(1e-6 * array_scale, 1e-9);
  for (std::size_t k = 0; k < n; ++k) {
    scale = std::max(scale, std::fabs(b[k]));
  }
  double worst = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const double difference = std::fabs(a[k] - b[k]) / scale;
    if (!(difference <= worst)) {
      worst = difference;
      *at = k;
    }
  }
  return worst;
}

/// Compares one scene.
class ModelComparer {
 public:
  ModelComparer(const Model& ours, const mjModel& theirs)
      : ours_(ours), theirs_(theirs), arrays_(oracle_arrays(theirs)) {}

  /// Compares everything.
  Comparison run() {
    compare_sizes();
    for (const ModelField& field : model_fields(ours_)) {
      const std::string name(field.name);
      if (own_layout.contains(name) || free_order.contains(name) || name == "body_iquat" ||
          name == "body_inertia") {
        continue;
      }
      const auto found = arrays_.find(name);
      if (found != arrays_.end()) {
        compare_array(field, found->second);
      }
    }
    compare_inertia();
    compare_options();
    compare_statistic();
    compare_names();
    return result_;
  }

 private:
  void note(double difference, const std::string& where) { result_.worst.add(difference, where); }

  void compare_number(const std::string& name, double ours, double theirs) {
    ++result_.numbers;
    note(std::fabs(ours - theirs) / std::max(1e-9, std::fabs(theirs)), name);
  }

  void compare_sizes() {
    const auto same = [&](const char* name, double ours, double theirs) {
      EXPECT_EQ(ours, theirs) << name;
      compare_number(name, ours, theirs);
    };
#define SAME(name) same(#name, ours_.name, static_cast<double>(theirs_.name))
    SAME(nq);
    SAME(nv);
    SAME(nu);
    SAME(na);
    SAME(nbody);
    SAME(njnt);
    SAME(ngeom);
    SAME(nsite);
    SAME(ncam);
    SAME(nlight);
    SAME(ntendon);
    SAME(nwrap);
    SAME(nmesh);
    SAME(nmeshvert);
    SAME(nmeshface);
    SAME(nhfield);
    SAME(nhfielddata);
    SAME(npair);
    SAME(nexclude);
    SAME(nkey);
    SAME(nmocap);
    SAME(ntree);
    SAME(nM);
    SAME(nnumeric);
    SAME(nnumericdata);
#undef SAME
  }

  void compare_array(const ModelField& field, const std::vector<double>& theirs) {
    const std::string name(field.name);
    std::vector<double> ours;
    if (field.is_int) {
      const auto values = int_field(ours_, name);
      ours.assign(values.begin(), values.end());
    } else {
      const auto values = real_field(ours_, name);
      ours.assign(values.begin(), values.end());
    }
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    ++result_.arrays;
    result_.numbers += ours.size();
    double scale = 0.0;
    for (const double x : theirs) {
      scale = std::max(scale, std::fabs(x));
    }
    for (std::size_t row = 0; row < field.rows && field.cols > 0; ++row) {
      compare_row(field, name, &ours[row * field.cols], &theirs[row * field.cols], scale, row);
    }
  }

  void compare_row(const ModelField& field, const std::string& name, double* ours,
                   const double* theirs, double scale, std::size_t row) {
    std::size_t col = 0;
    if (field.is_int) {
      for (std::size_t k = 0; k < field.cols; ++k) {
        if (ours[k] != theirs[k]) {
          note(HUGE_VAL, name + index_text(row, k) + " " + std::to_string(ours[k]) + " for " +
                             std::to_string(theirs[k]));
        }
      }
      return;
    }
    if (quaternions.contains(name)) {
      double inner = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        inner += ours[k] * theirs[k];
      }
      for (std::size_t k = 0; k < 4; ++k) {
        ours[k] = inner < 0.0 ? -ours[k] : ours[k];
      }
    }
    const double difference = row_difference(ours, theirs, field.cols, scale, &col);
    if (!(difference <= result_.worst.size)) {
      note(difference, name + index_text(row, col) + " " + std::to_string(ours[col]) + " for " +
                           std::to_string(theirs[col]));
    }
  }

  /// Principal moments and axes; where axes are not unique the tensors R diag(I) R^T.
  void compare_inertia() {
    result_.arrays += 2;
    for (int b = 0; b < ours_.nbody; ++b) {
      const std::size_t body = static_cast<std::size_t>(b);
      const double* moments = &ours_.body_inertia[3 * body];
      const double* quat = &ours_.body_iquat[4 * body];
      const double* their_moments = &theirs_.body_inertia[3 * body];
      const double* their_quat = &theirs_.body_iquat[4 * body];
      result_.numbers += 7;
      std::size_t col = 0;
      note(row_difference(moments, their_moments, 3, 0.0, &col),
           "body_inertia" + index_text(body, col));
      const auto mine = tensor(quat, moments);
      const auto other = tensor(their_quat, their_moments);
      note(row_difference(mine.data(), other.data(), 9, 0.0, &col),
           "body_iquat (as tensor)" + index_text(body, col));

      // axes themselves, where the moments tell them apart
      const double largest = std::max({moments[0], moments[1], moments[2]});
      const double apart =
          std::min({std::fabs(moments[0] - moments[1]), std::fabs(moments[1] - moments[2]),
                    std::fabs(moments[0] - moments[2])});
      if (apart > 1e-3 * largest) {
        double inner = 0.0;
        for (std::size_t k = 0; k < 4; ++k) {
          inner += quat[k] * their_quat[k];
        }
        note(std::fabs(1.0 - std::fabs(inner)), "body_iquat" + index_text(body, 0));
      }
    }
  }

  static std::array<double, 9> tensor(const double* quat, const double* moments) {
    std::array<double, 9> rotation{};
    mju_quat2Mat(rotation.data(), quat);
    std::array<double, 9> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) {
          result[3 * i + j] += rotation[3 * i + k] * moments[k] * rotation[3 * j + k];
        }
      }
    }
    return result;
  }

  void compare_options() {
    const mjOption& theirs = theirs_.opt;
    const Option& ours = ours_.opt;
    const auto vector = [&](const char* name, const auto& mine, const double* other) {
      for (std::size_t k = 0; k < 3; ++k) {
        compare_number(name + index_text(k, 0), mine[k], other[k]);
      }
    };
#define SAME(name) compare_number("opt." #name, ours.name, theirs.name)
    SAME(tolerance);
    SAME(ls_tolerance);
    SAME(iterations);
    SAME(ls_iterations);
    SAME(integrator);
    SAME(cone);
    SAME(jacobian);
    SAME(solver);
    SAME(disableflags);
    SAME(enableflags);
    SAME(disableactuator);
#undef SAME
    vector("opt.magnetic", ours.magnetic, theirs.magnetic);
    vector("opt_gravity", ours_.opt_gravity, theirs.gravity);
    vector("opt_wind", ours_.opt_wind, theirs.wind);
    compare_number("opt_density", ours_.opt_density[0], theirs.density);
    compare_number("opt_viscosity", ours_.opt_viscosity[0], theirs.viscosity);
    compare_number("opt_timestep", ours_.opt_timestep[0], theirs.timestep);
    compare_number("opt_impratio", ours_.opt_impratio[0], theirs.impratio);
  }

  void compare_statistic() {
    const mjStatistic& theirs = theirs_.stat;
    compare_number("stat.meaninertia", ours_.stat.meaninertia, theirs.meaninertia);
    compare_number("stat.meanmass", ours_.stat.meanmass, theirs.meanmass);
    compare_number("stat.meansize", ours_.stat.meansize, theirs.meansize);
    compare_number("stat.extent", ours_.stat.extent, theirs.extent);
    std::size_t col = 0;
    note(row_difference(ours_.stat.center.data(), theirs.center, 3, theirs.extent, &col),
         "stat.center" + index_text(col, 0));
  }

  void compare_names() {
    const auto same = [&](const char* what, const std::vector<std::string>& ours, int type) {
      for (std::size_t i = 0; i < ours.size(); ++i) {
        const char* const theirs = mj_id2name(&theirs_, type, static_cast<int>(i));
        if (ours[i] != (theirs == nullptr ? "" : theirs)) {
          note(HUGE_VAL, std::string("names.") + what + index_text(i, 0) + " " + ours[i]);
        }
      }
    };
    same("body", ours_.names.body, mjOBJ_BODY);
    same("joint", ours_.names.joint, mjOBJ_JOINT);
    same("geom", ours_.names.geom, mjOBJ_GEOM);
    same("site", ours_.names.site, mjOBJ_SITE);
    same("camera", ours_.names.camera, mjOBJ_CAMERA);
    same("light", ours_.names.light, mjOBJ_LIGHT);
    same("pair", ours_.names.pair, mjOBJ_PAIR);
    same("exclude", ours_.names.exclude, mjOBJ_EXCLUDE);
    same("mesh", ours_.names.mesh, mjOBJ_MESH);
    same("hfield", ours_.names.hfield, mjOBJ_HFIELD);
    same("tendon", ours_.names.tendon, mjOBJ_TENDON);
    same("actuator", ours_.names.actuator, mjOBJ_ACTUATOR);
    same("key", ours_.names.key, mjOBJ_KEY);
    same("numeric", ours_.names.numeric, mjOBJ_NUMERIC);
    same("text", ours_.names.text, mjOBJ_TEXT);
    same("tuple", ours_.names.tuple, mjOBJ_TUPLE);
  }

  const Model& ours_;
  const mjModel& theirs_;
  std::map<std::string, std::vector<double>> arrays_;
  Comparison result_;
};

/// The candidate list against the official collision detection: with margins that reach everywhere,
/// contacts come from exactly the pairs that may collide. Pairs of bodies must come in our order;
/// within two bodies the official library may sort.
inline void compare_candidates(const Model& ours, Oracle& oracle) {
  constexpr int most_candidates = 2000;  // more would overflow the official contact buffer
  constexpr double reach = 1e4;
  constexpr int most_geoms = 1000;  // of a scene that lists no candidates
  if (ours.ncandidate > most_candidates || ours.ngeom > most_geoms) {
    return;
  }
  mjModel& model = oracle.model();
  mjData& data = oracle.data();
  std::fill_n(model.geom_margin, model.ngeom, reach);
  std::fill_n(model.body_margin, model.nbody, reach);
  std::fill_n(model.pair_margin, model.npair, reach);
  mj_resetData(&model, &data);
  mj_fwdPosition(&model, &data);
  ASSERT_EQ(data.warning[mjWARN_CONTACTFULL].number, 0);

  // the pairs of geoms in order, once each
  using GeomPair = std::pair<int, int>;
  const auto bodies = [&](GeomPair pair) {
    const int b1 = ours.geom_bodyid[static_cast<std::size_t>(pair.first)];
    const int b2 = ours.geom_bodyid[static_cast<std::size_t>(pair.second)];
    return std::minmax({b1, b2});
  };
  std::vector<GeomPair> theirs;
  for (int c = 0; c < data.ncon; ++c) {
    const GeomPair pair{data.contact[c].geom[0], data.contact[c].geom[1]};
    if (theirs.empty() || theirs.back() != pair) {
      theirs.push_back(pair);
    }
  }
  std::vector<GeomPair> mine;
  for (std::size_t c = 0; c < ours.candidate_geom1.size(); ++c) {
    const GeomPair pair{ours.candidate_geom1[c], ours.candidate_geom2[c]};
    // colliders whose work depends on the pose may find nothing at such margins
    const bool certain = ours.candidate_kind[c] < collide_plane_mesh;
    if (certain || std::find(theirs.begin(), theirs.end(), pair) != theirs.end()) {
      mine.push_back(pair);
    }
  }
  const auto by_bodies = [&](GeomPair a, GeomPair b) {
    return std::pair(bodies(a), a) < std::pair(bodies(b), b);
  };
  for (std::size_t c = 1; c < theirs.size(); ++c) {
    EXPECT_LE(bodies(theirs[c - 1]), bodies(theirs[c]));
  }
  for (std::size_t c = 1; c < mine.size(); ++c) {
    EXPECT_LE(bodies(mine[c - 1]), bodies(mine[c]));
  }
  std::sort(mine.begin(), mine.end(), by_bodies);
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  std::sort(theirs.begin(), theirs.end(), by_bodies);
  theirs.erase(std::unique(theirs.begin(), theirs.end()), theirs.end());
  EXPECT_EQ(mine, theirs);
}

}  // namespace swept::test
