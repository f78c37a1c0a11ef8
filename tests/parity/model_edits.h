// SPDX-License-Identifier: Apache-2.0
// Random edits of a compiled model, and the same edits made to an official model in memory.
#pragma once

#include <swept/model.h>

#include "parity/oracle.h"

#include <string>
#include <vector>

namespace swept::test {

/// All numbers of one real model field.
struct ModelEdit {
  std::string name;
  std::vector<double> values;
};

/// Edits of about half of the fields that a simulation reads, away from the compiled numbers but
/// near enough for a stable step. Bodies that the official library treats as simple keep their
/// inertial frames and joints, which it refuses to move. Equal seeds give equal edits.
std::vector<ModelEdit> random_edits(const Model& model, unsigned seed);

/// Writes edits into an official model and recomputes what follows with mj_setConst.
void edit_official(const std::vector<ModelEdit>& edits, Oracle* oracle);

/// Arrays that mj_setConst computes, as far as swept has them.
extern const std::vector<std::string> derived_constants;

}  // namespace swept::test
