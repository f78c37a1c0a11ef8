// SPDX-License-Identifier: Apache-2.0
// Runs programs as a user would, and small helpers around files.
#pragma once

#include <string>
#include <vector>

namespace swept::test {

/// What a program left behind.
struct Outcome {
  int code = -1;  ///< exit code; 128 + n if signal n ended it
  std::string out, err;
  long peak_bytes = 0;  ///< the most memory that it had at a time
};

/// Run a program with its outputs in pipes and wait for it.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments);

/// Run the `swept` command.
Outcome run_swept(const std::vector<std::string>& arguments);

/// Run the `swept` command with all three streams on a terminal. As soon as its output holds
/// `wanted`, it is sent SIGINT. `out` is everything that the terminal got.
Outcome interrupt_swept(const std::vector<std::string>& arguments, const std::string& wanted);

/// Run the `swept` command and end it by SIGKILL when a file that it writes has `bytes` bytes.
void kill_swept(const std::vector<std::string>& arguments, const std::string& path, long bytes);

/// Run the `swept` command and end it by SIGKILL after some microseconds, unless it has ended
/// before. `out` and `err` stay empty.
Outcome kill_swept_after(const std::vector<std::string>& arguments, long microseconds);

/// A scene of the project, such as "humanoid/humanoid.xml".
std::string scene(const std::string& name);

/// Write a file into a folder of its own that is removed when the tests end; returns its path.
std::string write_file(const std::string& name, const std::string& content);

/// The content of a file; empty if there is none.
std::string read_file(const std::string& path);

/// The rows of a CSV file as text cells.
std::vector<std::vector<std::string>> read_csv(const std::string& path);

}  // namespace swept::test
