// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a request: the first one is noted, the second ends the program as usual.
#pragma once

namespace swept::cli {

/// From now on the first SIGINT or SIGTERM sets a flag instead of ending the program.
void catch_interrupts();

/// Has one come since catch_interrupts()?
bool interrupted();

}  // namespace swept::cli
