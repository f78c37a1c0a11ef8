// SPDX-License-Identifier: Apache-2.0
// Before the tests of an executable that runs on whole batches: say which CPU backend they use, and
// skip them (exit status 77) where this machine cannot run it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool machine_runs(const char* isa) {
  return std::strcmp(isa, "v4") == 0 ? __builtin_cpu_supports("x86-64-v4") != 0
                                     : __builtin_cpu_supports("x86-64-v3") != 0;
}

[[gnu::constructor]] void guard_backend() {
  const char* const isa = std::getenv("SWEPT_ISA");
  if (isa == nullptr) {
    return;
  }
  std::printf("backend cpu_%s\n", isa);
  if (!machine_runs(isa)) {
    std::printf("skipped: this machine cannot run cpu_%s\n", isa);
    std::fflush(stdout);
    std::_Exit(77);
  }
}

}  // namespace
