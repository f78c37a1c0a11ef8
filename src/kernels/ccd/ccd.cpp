// SPDX-License-Identifier: Apache-2.0
// Kernels of the time of impact of meshes: a lane for each query, a few looks at a time, and the
// list of queries for the next round.
#include "kernels/ccd/stages.h"

#include "kernels/base/launch.h"
#include "kernels/ccd/compact.h"

namespace swept::SWEPT_NS {

namespace {

struct AdvanceQueries {
  QueryList list;
  const int* active;
  int looks;

  SWEPT_FN void operator()(const Group auto g, int i) const {
    if (g.lane() == 0) {
      const int number = active[i];
      advance(list.bodies, list.queries[number], looks, list.tracks + number);
    }
  }
};

struct KeepActive {
  QueryList list;
  const int* from;
  int n;
  int* to;
  int* count;

  SWEPT_FN void operator()(const Group auto g, int) const {
    compact(g, list.tracks, from, n, to, count);
  }
};

}  // namespace

void advance_queries(const Context& ctx, const QueryList& list, const int* active, int n,
                     int looks) {
  launch_envs("ccd advance", ctx, n, AdvanceQueries{list, active, looks});
}

void keep_active(const Context& ctx, const QueryList& list, const int* from, int n, int* to,
                 int* count) {
  launch_envs<32>("ccd compact", ctx, 1, KeepActive{list, from, n, to, count});
}

}  // namespace swept::SWEPT_NS
