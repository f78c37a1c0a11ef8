// SPDX-License-Identifier: Apache-2.0
// Constraint rows of one environment on both sides, in the order and form of the official library:
// the basis rows of a pyramid become its edges, row 0 + mu_k row k and row 0 - mu_k row k. Forces
// are the other way round: the official edges are summed to the basis.
#pragma once

#include "parity/contact_lists.h"

#include <string>
#include <vector>

namespace swept::test {

/// One row.
struct Row {
  int type = 0;
  int id = 0;
  std::vector<double> J;
  double pos = 0, margin = 0, frictionloss = 0;
  double diagA = 0, R = 0, D = 0, K = 0, B = 0, I = 0;
  double vel = 0, aref = 0, b = 0;
};

/// Names of the row fields that are compared or needed for it.
const std::vector<std::string>& row_fields();

/// Rows of the official library.
std::vector<Row> official_rows(const Scene& scene);

/// Rows of swept; the official library must have been given contacts in swept's order.
std::vector<Row> swept_rows(const Scene& scene, const Readback& readback, std::size_t env);

/// Forces in the basis of swept's rows.
std::vector<double> official_forces(const Scene& scene);
std::vector<double> swept_forces(const Readback& readback, std::size_t env);

/// Largest differences of two lists of equal length.
struct RowDifferences {
  double jacobian = 0;  ///< J, pos, margin, vel
  std::string jacobian_where;
  double impedance = 0;  ///< diagA, R, D, K, B, I, aref, b, frictionloss
  std::string impedance_where;
  std::string problem;  ///< types or ids differ
};
RowDifferences row_differences(const std::vector<Row>& ours, const std::vector<Row>& theirs);

}  // namespace swept::test
