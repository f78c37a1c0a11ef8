// SPDX-License-Identifier: Apache-2.0
// Table of the fields of the smooth stages, and their unique forms.
#include "parity/smooth_fields.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace swept::test {
namespace {

bool is(const SmoothField& field, const char* name) {
  return std::strcmp(field.name, name) == 0;
}

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// R diag(moments) R^T of every body, which is unique where principal axes are not.
std::vector<double> tensors(const double* rotations, const double* moments, int nbody) {
  std::vector<double> result(9 * at(nbody));
  for (int b = 0; b < nbody; ++b) {
    const double* const R = rotations + 9 * b;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
          result[at(9 * b + 3 * i + j)] += R[3 * i + k] * moments[3 * b + k] * R[3 * j + k];
        }
      }
    }
  }
  return result;
}

/// The lower triangle that M's rows hold, as a dense symmetric matrix.
std::vector<double> dense_inertia(const Model& m, std::span<const double> M) {
  std::vector<double> dense(at(m.nv) * at(m.nv));
  for (int i = 0; i < m.nv; ++i) {
    for (int k = m.M_rowadr[at(i)]; k < m.M_rowadr[at(i)] + m.M_rownnz[at(i)]; ++k) {
      const int j = m.M_colind[at(k)];
      dense[at(i * m.nv + j)] = dense[at(j * m.nv + i)] = M[at(k)];
    }
  }
  return dense;
}

void align_quaternions(const std::vector<double>& a, std::vector<double>* b) {
  for (std::size_t q = 0; q + 3 < a.size(); q += 4) {
    double inner = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      inner += a[q + k] * (*b)[q + k];
    }
    for (std::size_t k = 0; k < 4 && inner < 0; ++k) {
      (*b)[q + k] = -(*b)[q + k];
    }
  }
}

}  // namespace

const std::vector<SmoothField>& smooth_fields() {
  // metres, radians and unit vectors are of order 1; masses, inertias and forces may all be small
  constexpr double length = 1, small = 1e-6, force = 1e-3;
  static const std::vector<SmoothField> fields = {
      {"xpos", "kinematics", &mjData::xpos, length},
      {"xquat", "kinematics", &mjData::xquat, length},
      {"xmat", "kinematics", &mjData::xmat, length},
      {"xipos", "kinematics", &mjData::xipos, length},
      {"ximat", "kinematics", nullptr, small},
      {"xanchor", "kinematics", &mjData::xanchor, length},
      {"xaxis", "kinematics", &mjData::xaxis, length},
      {"geom_xpos", "kinematics", &mjData::geom_xpos, length},
      {"geom_xmat", "kinematics", &mjData::geom_xmat, length},
      {"site_xpos", "kinematics", &mjData::site_xpos, length},
      {"site_xmat", "kinematics", &mjData::site_xmat, length},
      {"subtree_com", "kinematics", &mjData::subtree_com, length},
      {"ten_length", "kinematics", &mjData::ten_length, length},
      {"actuator_length", "kinematics", &mjData::actuator_length, length},
      {"cinert", "inertia", &mjData::cinert, small},
      {"cdof", "inertia", &mjData::cdof, length},
      {"M", "inertia", nullptr, small},
      {"qLDiagInv", "inertia", &mjData::qLDiagInv, small},
      {"ten_velocity", "bias", &mjData::ten_velocity, force},
      {"actuator_velocity", "bias", &mjData::actuator_velocity, force},
      {"cvel", "bias", &mjData::cvel, force},
      {"cdof_dot", "bias", &mjData::cdof_dot, force},
      {"qfrc_bias", "bias", &mjData::qfrc_bias, force},
      {"qfrc_spring", "passive", &mjData::qfrc_spring, force},
      {"qfrc_damper", "passive", &mjData::qfrc_damper, force},
      {"qfrc_gravcomp", "passive", &mjData::qfrc_gravcomp, force},
      {"qfrc_fluid", "passive", &mjData::qfrc_fluid, force},
      {"qfrc_passive", "passive", &mjData::qfrc_passive, force},
      {"act_dot", "actuation", &mjData::act_dot, force},
      {"actuator_force", "actuation", &mjData::actuator_force, force},
      {"qfrc_actuator", "actuation", &mjData::qfrc_actuator, force},
      {"qfrc_smooth", "smooth", &mjData::qfrc_smooth, force},
      {"qacc_smooth", "smooth", &mjData::qacc_smooth, force},
  };
  return fields;
}

std::vector<double> official_field(const SmoothField& field, const Scene& scene,
                                   std::size_t count) {
  const mjModel& m = scene.oracle.model();
  const mjData& d = scene.oracle.data();
  if (is(field, "ximat")) {
    return tensors(d.ximat, m.body_inertia, static_cast<int>(m.nbody));
  }
  if (is(field, "M")) {
    std::vector<double> dense(at(scene.model.nv) * at(scene.model.nv));
    mj_fullM(&m, &d, dense.data());
    return dense;
  }
  const mjtNum* const values = d.*field.array;
  return {values, values + count};
}

double official_terms(const SmoothField& field, const Scene& scene) {
  const mjModel& m = scene.oracle.model();
  const mjData& d = scene.oracle.data();
  double largest = 0;
  if (is(field, "qfrc_bias")) {
    for (int b = 1; b < m.nbody; ++b) {
      const double spin = mju_norm3(d.cvel + 6 * b);
      const double* const moments = m.body_inertia + 3 * b;
      largest = std::max(largest, spin * spin * std::max({moments[0], moments[1], moments[2]}));
    }
  } else if (is(field, "actuator_force") || is(field, "qfrc_actuator")) {
    for (int u = 0; u < m.nu; ++u) {
      const double* const bias = m.actuator_biasprm + mjNBIAS * u;
      const double terms =
          std::fabs(bias[1] * d.actuator_length[u]) + std::fabs(bias[2] * d.actuator_velocity[u]);
      const double gear = is(field, "qfrc_actuator") ? mju_norm(m.actuator_gear + 6 * u, 6) : 1;
      largest = std::max(largest, gear * terms);
    }
  }
  return largest;
}

std::vector<double> swept_field(const SmoothField& field, const Scene& scene,
                                const Readback& readback, std::size_t env) {
  const std::span<const double> values = readback.of(field.name, env);
  if (is(field, "ximat")) {
    return tensors(values.data(), scene.model.body_inertia.data(), scene.model.nbody);
  }
  if (is(field, "M")) {
    return dense_inertia(scene.model, values);
  }
  return {values.begin(), values.end()};
}

LargestDifference largest_difference(const SmoothField& field, const std::vector<double>& a,
                                     std::vector<double> b) {
  if (is(field, "xquat")) {
    align_quaternions(a, &b);
  }
  LargestDifference largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest.size)) {
      largest = {difference, i};
    }
  }
  return largest;
}

}  // namespace swept::test
