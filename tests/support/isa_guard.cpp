// SPDX-License-Identifier: Apache-2.0
// Ends a test with status 77, which ctest reports as skipped, on a machine that lacks the
// instruction set the test was compiled for.
//
// The check has to run before any code that uses the set, static initialisers and the compiler's
// merged inline functions included. So this file is compiled for the base instruction set, its
// constructor has the first free priority, and it calls the kernel only.
#include <unistd.h>

#include <cstring>

namespace {

void say(const char* text) {
  if (write(STDOUT_FILENO, text, std::strlen(text)) < 0) {
    _exit(77);
  }
}

__attribute__((constructor(101))) void check_instruction_set() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports(SWEPT_ISA_NAME)) {
    return;
  }
  say("skipped: this processor cannot run " SWEPT_ISA_NAME ", for which the test was compiled\n");
  _exit(77);
}

}  // namespace
