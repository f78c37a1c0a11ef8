// SPDX-License-Identifier: Apache-2.0
// A missing sync() is caught: the program planted.cpp, run as a child, is reported by
// ThreadSanitizer with file and line when its sync() is left out, and only then.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace {

/// Exit code and what was written to both outputs.
struct Outcome {
  int code = -1;
  std::string text;
};

Outcome run_planted(const std::string& mode) {
  // the defaults of a report's exit code, whatever the environment of the test says
  const std::string command = "TSAN_OPTIONS=exitcode=66 '" SWEPT_PLANTED "' " + mode + " 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return outcome;
  }
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    outcome.text.append(buffer, n);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

TEST(PlantedBug, WithItsSyncTheFunctionIsClean) {
  const Outcome outcome = run_planted("with");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.text, "");
}

TEST(PlantedBug, AMissingSyncIsReportedWithFileAndLine) {
  const Outcome outcome = run_planted("without");
  EXPECT_EQ(outcome.code, 66) << outcome.text;
  EXPECT_NE(outcome.text.find("WARNING: ThreadSanitizer: data race"), std::string::npos)
      << outcome.text;
  EXPECT_NE(outcome.text.find("planted.cpp:"), std::string::npos) << outcome.text;
}

TEST(PlantedBug, ALaneThatLeavesEarlyIsNamed) {
  const Outcome outcome = run_planted("diverged");
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_NE(outcome.text.find("returned while"), std::string::npos) << outcome.text;
}

}  // namespace
