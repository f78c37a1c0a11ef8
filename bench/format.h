// SPDX-License-Identifier: Apache-2.0
// Numbers as text and as JSON, the same wherever they are printed.
#pragma once

#include "bench/quality.h"

#include <nlohmann/json.hpp>

#include <string>

namespace swept::bench {

/// {"mean", "p95", "max"}.
nlohmann::ordered_json json_of(const Spread& spread);

/// All measures of quality; lengths in metres.
nlohmann::ordered_json json_of(const Quality& quality);

/// A size with its unit, such as "23.4 kB" (1 kB is 1000 bytes).
std::string bytes_text(double bytes);

/// A rate without unit, such as "1.25 M".
std::string rate_text(double rate);

}  // namespace swept::bench
