// SPDX-License-Identifier: Apache-2.0
// Expanding and comparing constraint rows.
#include "parity/row_lists.h"

#include <swept/types.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace swept::test {
namespace {

/// a + factor b, in all that the edges of a pyramid combine.
Row combined(const Row& a, double factor, const Row& b) {
  Row sum = a;
  for (std::size_t i = 0; i < a.J.size(); ++i) {
    sum.J[i] += factor * b.J[i];
  }
  sum.vel += factor * b.vel;
  sum.aref += factor * b.aref;
  sum.b += factor * b.b;
  return sum;
}

/// A basis row of swept as it stands.
Row basis_row(const Scene& scene, const Readback& readback, std::size_t env, std::size_t r) {
  Row row;
  row.type = readback.integer("efc_type", env, r);
  row.id = readback.integer("efc_id", env, r);
  row.J.assign(static_cast<std::size_t>(scene.model.nv), 0.0);
  const std::size_t adr = static_cast<std::size_t>(readback.integer("efc_rowadr", env, r));
  const std::size_t nnz = static_cast<std::size_t>(readback.integer("efc_rownnz", env, r));
  for (std::size_t k = adr; k < adr + nnz; ++k) {
    row.J[static_cast<std::size_t>(readback.integer("efc_J_colind", env, k))] =
        readback.number("efc_J", env, k);
  }
  const auto take = [&](const char* name) { return readback.number(name, env, r); };
  row.pos = take("efc_pos");
  row.margin = take("efc_margin");
  row.frictionloss = take("efc_frictionloss");
  row.diagA = take("efc_diagA");
  row.R = take("efc_R");
  row.D = take("efc_D");
  row.K = take("efc_K");
  row.B = take("efc_B");
  row.I = take("efc_I");
  row.vel = take("efc_vel");
  row.aref = take("efc_aref");
  row.b = take("efc_b");
  return row;
}

/// Visits the blocks of swept's rows in the official order, contacts last and in their own order:
/// visit(first row, rows).
template <class Visit>
void each_block(const Readback& readback, std::size_t env, const Visit& visit) {
  struct Block {
    std::size_t first, dim;
    int contact;
  };
  std::vector<Block> blocks;
  for (std::size_t r = 0; r < static_cast<std::size_t>(readback.integer("nefc", env)); ++r) {
    const int dim = readback.integer("efc_dim", env, r);
    if (dim > 0) {
      const bool contact = readback.integer("efc_type", env, r) >= row_contact_frictionless;
      blocks.push_back(
          {r, static_cast<std::size_t>(dim), contact ? readback.integer("efc_id", env, r) : -1});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return a.contact < b.contact; });
  for (const Block& block : blocks) {
    visit(block.first, block.dim);
  }
}

/// Largest difference so far and its description.
void note(double difference, const std::string& what, double got, double want, double* largest,
          std::string* where) {
  if (!(difference <= *largest)) {
    *largest = difference == difference ? difference : HUGE_VAL;
    *where = what + ": " + std::to_string(got) + " for " + std::to_string(want);
  }
}

/// Largest number of a kind in a list of rows, at least `least`.
double scale_of(const std::vector<Row>& rows, double Row::*number, double least) {
  for (const Row& row : rows) {
    least = std::max(least, std::fabs(row.*number));
  }
  return least;
}

}  // namespace

const std::vector<std::string>& row_fields() {
  static const std::vector<std::string> names = {"nefc",        "efc_type",   "efc_id",
                                                 "efc_dim",     "efc_rowadr", "efc_rownnz",
                                                 "efc_pos",     "efc_margin", "efc_frictionloss",
                                                 "efc_diagA",   "efc_R",      "efc_D",
                                                 "efc_K",       "efc_B",      "efc_I",
                                                 "efc_mu",      "efc_vel",    "efc_aref",
                                                 "efc_b",       "efc_force",  "efc_J",
                                                 "efc_J_colind"};
  return names;
}

std::vector<Row> official_rows(const Scene& scene) {
  const mjData& d = scene.oracle.data();
  const std::size_t nv = static_cast<std::size_t>(scene.model.nv);
  std::vector<Row> rows;
  for (int i = 0; i < d.nefc; ++i) {
    Row row;
    row.type = d.efc_type[i];
    row.id = d.efc_id[i];
    if (mj_isSparse(&scene.oracle.model()) != 0) {
      row.J.assign(nv, 0.0);
      for (int k = d.efc_J_rowadr[i]; k < d.efc_J_rowadr[i] + d.efc_J_rownnz[i]; ++k) {
        row.J[static_cast<std::size_t>(d.efc_J_colind[k])] = d.efc_J[k];
      }
    } else {
      const mjtNum* const J = d.efc_J + static_cast<std::size_t>(i) * nv;
      row.J.assign(J, J + nv);
    }
    row.pos = d.efc_pos[i];
    row.margin = d.efc_margin[i];
    row.frictionloss = d.efc_frictionloss[i];
    row.diagA = d.efc_diagA[i];
    row.R = d.efc_R[i];
    row.D = d.efc_D[i];
    row.K = d.efc_KBIP[4 * i];
    row.B = d.efc_KBIP[4 * i + 1];
    row.I = d.efc_KBIP[4 * i + 2];
    row.vel = d.efc_vel[i];
    row.aref = d.efc_aref[i];
    row.b = d.efc_b[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> swept_rows(const Scene& scene, const Readback& readback, std::size_t env) {
  std::vector<Row> rows;
  each_block(readback, env, [&](std::size_t first, std::size_t dim) {
    std::vector<Row> block;
    for (std::size_t k = 0; k < dim; ++k) {
      block.push_back(basis_row(scene, readback, env, first + k));
    }
    if (block[0].type != row_contact_pyramidal) {
      rows.insert(rows.end(), block.begin(), block.end());
      return;
    }
    for (std::size_t k = 1; k < dim; ++k) {
      const double mu = readback.number("efc_mu", env, first + k);
      rows.push_back(combined(block[0], mu, block[k]));
      rows.push_back(combined(block[0], -mu, block[k]));
    }
  });
  return rows;
}

std::vector<double> official_forces(const Scene& scene) {
  const mjData& d = scene.oracle.data();
  std::vector<double> forces;
  for (int i = 0; i < d.nefc;) {
    if (d.efc_type[i] != mjCNSTR_CONTACT_PYRAMIDAL) {
      forces.push_back(d.efc_force[i++]);
      continue;
    }
    const mjContact& contact = d.contact[d.efc_id[i]];
    double basis[6];
    mju_decodePyramid(basis, d.efc_force + i, contact.friction, contact.dim);
    forces.insert(forces.end(), basis, basis + contact.dim);
    i += 2 * (contact.dim - 1);
  }
  return forces;
}

std::vector<double> swept_forces(const Readback& readback, std::size_t env) {
  std::vector<double> forces;
  each_block(readback, env, [&](std::size_t first, std::size_t dim) {
    for (std::size_t k = 0; k < dim; ++k) {
      forces.push_back(readback.number("efc_force", env, first + k));
    }
  });
  return forces;
}

RowDifferences row_differences(const std::vector<Row>& ours, const std::vector<Row>& theirs) {
  RowDifferences result;
  if (ours.size() != theirs.size()) {
    result.problem = std::to_string(ours.size()) + " rows for " + std::to_string(theirs.size());
    return result;
  }
  // J qvel and what follows from it are sums, whose round-off is that of their largest terms
  const double vel = scale_of(theirs, &Row::vel, 1);
  const double aref = scale_of(theirs, &Row::aref, 1);
  const double b = scale_of(theirs, &Row::b, aref);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Row& a = ours[i];
    const Row& w = theirs[i];
    const std::string name = "row " + std::to_string(i) + " (type " + std::to_string(w.type) +
                             ", id " + std::to_string(w.id) + ") ";
    if (a.type != w.type || a.id != w.id) {
      result.problem = name + "has type " + std::to_string(a.type) + ", id " + std::to_string(a.id);
      return result;
    }
    const auto place = [&](const char* what, double got, double want, double scale) {
      note(std::fabs(got - want) / scale, name + what, got, want, &result.jacobian,
           &result.jacobian_where);
    };
    const auto strength = [&](const char* what, double got, double want, double scale) {
      note(got == want ? 0 : std::fabs(got - want) / scale, name + what, got, want,
           &result.impedance, &result.impedance_where);
    };
    for (std::size_t k = 0; k < a.J.size(); ++k) {
      place("J", a.J[k], w.J[k], 1);
    }
    place("pos", a.pos, w.pos, 1);
    place("margin", a.margin, w.margin, 1);
    place("vel", a.vel, w.vel, vel);
    strength("frictionloss", a.frictionloss, w.frictionloss, std::fabs(w.frictionloss));
    strength("diagA", a.diagA, w.diagA, std::fabs(w.diagA));
    strength("R", a.R, w.R, std::fabs(w.R));
    strength("D", a.D, w.D, std::fabs(w.D));
    strength("K", a.K, w.K, std::fabs(w.K));
    strength("B", a.B, w.B, std::fabs(w.B));
    strength("I", a.I, w.I, std::fabs(w.I));
    strength("aref", a.aref, w.aref, aref);
    strength("b", a.b, w.b, b);
  }
  return result;
}

}  // namespace swept::test
