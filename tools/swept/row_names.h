// SPDX-License-Identifier: Apache-2.0
// What the rows of a field are called.
#pragma once

#include <swept/model.h>

#include <string>
#include <string_view>
#include <vector>

namespace swept::cli {

/// The names of a field's rows, in their order. An element without a name is called by its kind and
/// number ("geom 3"); numbers of which a joint or an actuator has several are numbered ("root[2]").
///   rows   the size that counts them, as the field tables write it: "nbody", "nv", ...; "3": the
///          axes x, y and z
/// Empty where rows have no names.
std::vector<std::string> row_names(const Model& model, std::string_view rows);

}  // namespace swept::cli
