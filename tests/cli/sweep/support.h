// SPDX-License-Identifier: Apache-2.0
// What the tests of swept sweep share.
#pragma once

#include "cli/command.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace swept::test {

/// A path in this test's folder at which nothing is, nor parts of a sweep.
std::string fresh(const std::string& name);

/// The JSON of a sweep that has to succeed.
nlohmann::json sweep_json(std::vector<std::string> arguments);

/// The error of a sweep that has to be refused, with a remedy.
std::string refused(std::vector<std::string> arguments);

/// A column of a CSV table by its title.
std::vector<double> column(const std::string& path, const std::string& title);

/// A sweep of 36 humanoids: masses and pushes that are drawn, frictions and seeds that are listed,
/// random controls, fields of state, model and forward pass measured in every way.
std::string humanoid_sweep(const std::string& precision);

}  // namespace swept::test

/// Fails unless the text holds the words.
#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)
