// SPDX-License-Identifier: Apache-2.0
// Bound fields read in double precision, wherever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <swept/batch.h>

#include "kernels/engine/engine.h"

namespace swept {

/// Some environments of a field. Reads the field itself if the host can; otherwise it holds a copy
/// of those environments.
class HostField {
 public:
  /// The environments [first, first + count).
  HostField(Engine& engine, const FieldInfo& info, int first, int count);

  double operator()(int env, int row, int column = 0) const;
  int integer(int env, int row) const;
  std::int64_t rows() const { return info_.shape[1]; }

 private:
  const std::byte* at(int env, int row, int column) const;

  FieldInfo info_;
  int first_ = 0;
  std::vector<std::byte> copy_;  ///< empty: the host sees the field
};

/// Names of the fields behind a group ("contacts", "object_velocity", "object_acceleration"); empty
/// if the name is not a group's.
std::vector<std::string_view> group_fields(std::string_view group);

}  // namespace swept
