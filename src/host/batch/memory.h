// SPDX-License-Identifier: Apache-2.0
// How much memory this process may still have, and the sentences for when it ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "kernels/engine/engine.h"

namespace swept {

/// Bytes that this process may still have: the smallest of what the system has available, what the
/// control groups of the process allow, and what its limit of address space leaves. A system that
/// promises more than it has would let an allocation pass and end the process at its first use.
std::size_t process_memory_left();

/// What control groups leave: the smallest over a group and its parents of limit - usage, where
/// cached files count as free. Without limit: the largest std::size_t.
///   root         where the groups are mounted, /sys/fs/cgroup
///   membership   the text of /proc/self/cgroup, of version 1 or 2
std::size_t cgroup_memory_left(const std::filesystem::path& root, std::string_view membership);

/// Bytes in a unit that people read, such as "1.5 GB".
std::string memory_text(std::size_t bytes);

/// The error for a batch of `nenv` environments that was not made.
[[noreturn]] void refuse_batch(const OutOfMemory& shortage, int nenv);
/// The error for a step that was undone.
[[noreturn]] void refuse_step(const OutOfMemory& shortage);
/// The error for a field that was not bound.
[[noreturn]] void refuse_field(const OutOfMemory& shortage, std::string_view name);

}  // namespace swept
