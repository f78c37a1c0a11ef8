// SPDX-License-Identifier: Apache-2.0
// A signal handler that only sets a flag and puts the default back.
#include "tools/swept/interrupt.h"

#include <csignal>

namespace swept::cli {

namespace {

volatile std::sig_atomic_t seen = 0;

extern "C" void note_signal(int number) {
  seen = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

bool interrupted() {
  return seen != 0;
}

}  // namespace swept::cli
