// SPDX-License-Identifier: Apache-2.0
// Which model fields a user may write per environment, what each of them entails, and which numbers
// cannot be.
#pragma once

#include <swept/batch.h>
#include <swept/model.h>

#include <string>
#include <string_view>
#include <vector>

namespace swept {

/// What writing a real model field means.
enum class EditKind {
  plain,    ///< nothing follows from it
  source,   ///< constants follow from it: set_constants() has to run
  derived,  ///< it is such a constant; it cannot be written
  fixed,    ///< it belongs to an asset, which all environments share; it cannot be written
};

/// A real field of the model as edits see it.
struct EditRule {
  std::string_view name;
  std::vector<double> Model::*values;
  EditKind kind;
  std::string_view sources;  ///< of a derived field: what it is computed from; fixed: why it is
};

/// All real fields in the order of the field table.
const std::vector<EditRule>& edit_rules();

/// The rule of a field; null if there is no real model field of that name.
const EditRule* find_rule(std::string_view name);

/// The rule of a field that may be written. Throws Error with the reason if it may not.
const EditRule& writable_rule(std::string_view name);

/// Give the quaternions of frames and the axes of joints unit length, as the compiler does.
void normalize_directions(Model* model);

/// The first number of a model that cannot be stepped, such as "body_mass[3] is -1, it must not be
/// negative"; empty if there is none. Numbers must be finite in the precision of the batch, derived
/// ones included; masses, inertias and armatures must not be negative; sizes that a geom's type
/// uses, the time step and impratio must be positive; elevations of height fields must be in [0, 1];
/// quaternions and axes must have a direction.
std::string find_problem(const Model& model, Precision precision);

}  // namespace swept
