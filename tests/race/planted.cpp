// SPDX-License-Identifier: Apache-2.0
// A program with a planted bug, to see that the race test would catch it: forward kinematics of a
// small tree of slides, level by level, whose sync() between the levels is there or not.
//
//   planted with       exits with 0
//   planted without    ThreadSanitizer reports a data race in this file and exits with 66
//   planted diverged   a lane leaves early; exits with 3 and says so
#include <cstdio>
#include <cstring>

#include "support/thread_group.h"

namespace swept::SWEPT_NS::test {
namespace {

constexpr int nbody = 15;  // a binary tree: children of i are 2 i + 1 and 2 i + 2

enum class Sync { with, without, diverged };

/// xpos[body] = xpos[parent] + offset[body], from the root outwards.
void positions(const Group auto g, Sync sync, const real* offset, real* xpos) {
  for (int first = 0, n = 1; first < nbody; first += n, n *= 2) {
    for (int body = first + g.lane(); body < first + n; body += g.size()) {
      xpos[body] = offset[body] + (body == 0 ? 0 : xpos[(body - 1) / 2]);
    }
    if (sync == Sync::diverged && g.lane() != 0) {
      return;
    }
    if (sync != Sync::without) {
      g.sync();
    }
  }
}

int run(Sync sync) {
  real offset[nbody], xpos[nbody];
  for (int i = 0; i < nbody; ++i) {
    offset[i] = real(i);
  }
  try {
    // lanes may happen to wait for each other; one of the rounds shows them that do not
    for (int round = 0; round < 20; ++round) {
      run_lanes(4, [&](const ThreadGroup g) { positions(g, sync, offset, xpos); });
    }
  } catch (const std::logic_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  // the last leaf: 14 + 6 + 2 + 0
  return xpos[nbody - 1] == 22 ? 0 : 1;
}

}  // namespace
}  // namespace swept::SWEPT_NS::test

int main(int argc, char** argv) {
  using namespace swept::SWEPT_NS::test;
  const char* const mode = argc > 1 ? argv[1] : "";
  if (std::strcmp(mode, "with") == 0) {
    return run(Sync::with);
  }
  if (std::strcmp(mode, "without") == 0) {
    return run(Sync::without);
  }
  if (std::strcmp(mode, "diverged") == 0) {
    return run(Sync::diverged);
  }
  std::fprintf(stderr, "usage: planted with|without|diverged\n");
  return 2;
}
