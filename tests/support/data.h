// SPDX-License-Identifier: Apache-2.0
// Where tests find files: those of this checkout, public test data beside it, and the models of
// the gymnasium and dm_control packages in the Python environment. A test that needs what is not there is skipped:
//
//   SWEPT_SKIP_WITHOUT(test_data("mujoco/test"));
//   const std::filesystem::path folder = test_data("mujoco/test");
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace swept::test {

/// A path inside this checkout, such as "scenes/humanoid/humanoid.xml".
inline std::filesystem::path source_path(const std::string& relative) {
  return std::filesystem::path(SWEPT_SOURCE_DIR) / relative;
}

/// A path inside the folder of public test data: $SWEPT_DATA, or ../shared/data beside the
/// checkout. It need not exist.
inline std::filesystem::path test_data(const std::string& relative) {
  const char* const chosen = std::getenv("SWEPT_DATA");
  const std::filesystem::path root =
      chosen != nullptr && *chosen != '\0'
          ? std::filesystem::path(chosen)
          : std::filesystem::path(SWEPT_SOURCE_DIR).parent_path() / "shared" / "data";
  return root / relative;
}

/// A path inside the Python environment's packages, such as "dm_control/suite". It need not exist.
inline std::filesystem::path python_package(const std::string& relative) {
  const std::filesystem::path lib = std::filesystem::path(SWEPT_VENV) / "lib";
  std::error_code error;
  for (const auto& python : std::filesystem::directory_iterator(lib, error)) {
    const std::filesystem::path path = python.path() / "site-packages" / relative;
    if (std::filesystem::exists(path, error)) {
      return path;
    }
  }
  return lib / "python3" / "site-packages" / relative;
}

/// A path inside the folder of gymnasium's MuJoCo models, such as "ant.xml". It need not exist.
inline std::filesystem::path gymnasium_asset(const std::string& relative) {
  return python_package("gymnasium/envs/mujoco/assets") / relative;
}

}  // namespace swept::test

/// Ends the test as skipped, naming the path, unless that path exists.
#define SWEPT_SKIP_WITHOUT(needed)                                                     \
  if (!std::filesystem::exists(needed)) {                                              \
    GTEST_SKIP() << "needs " << std::filesystem::path(needed).string()                 \
                 << ", which is not there (tools/setup test and SWEPT_DATA bring it)"; \
  }                                                                                    \
  static_assert(true, "a semicolon follows")
