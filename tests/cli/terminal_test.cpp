// SPDX-License-Identifier: Apache-2.0
// swept run on a terminal: progress, and Ctrl-C.
#include "cli/command.h"

#include <gtest/gtest.h>

#include <string>

namespace swept::test {
namespace {

TEST(Terminal, ShowsSpeedAndTimeLeftAndCtrlCPrintsWhatWasDone) {
  const std::string path = write_file("interrupted.csv", "");
  const Outcome done = interrupt_swept({"run", scene("pendulum/pendulum.xml"), "--steps",
                                        "100000000", "--record", path, "--record-every", "1000"},
                                       "left");
  EXPECT_EQ(done.code, 130) << done.out;
  EXPECT_NE(done.out.find("steps/s"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("interrupted"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("of 100000000"), std::string::npos) << done.out;
  // the recording is whole: its last line ends
  const std::string recorded = read_file(path);
  ASSERT_FALSE(recorded.empty());
  EXPECT_EQ(recorded.back(), '\n');
}

}  // namespace
}  // namespace swept::test
