// SPDX-License-Identifier: Apache-2.0
// The kernels of the time of impact of meshes.
#pragma once

#include "kernels/base/context.h"
#include "kernels/ccd/advance.h"

namespace swept::SWEPT_NS {

/// Queries of one call, in the device's memory.
struct QueryList {
  const BodyView* bodies = nullptr;
  const QueryData* queries = nullptr;
  Track* tracks = nullptr;  ///< one for each query
};

/// Take each of the `n` queries in `active` through at most `looks` looks.
void advance_queries(const Context& ctx, const QueryList& list, const int* active, int n,
                     int looks);

/// Copy the numbers of those that are active still from one list to another, order kept.
///   count   receives how many
void keep_active(const Context& ctx, const QueryList& list, const int* from, int n, int* to,
                 int* count);

}  // namespace swept::SWEPT_NS
