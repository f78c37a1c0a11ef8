// SPDX-License-Identifier: Apache-2.0
// One line of progress on a terminal; nothing at all where the output goes into a pipe or a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace swept::cli {

/// Are both the standard output and the error output a terminal?
bool on_terminal();

/// Shows a line that is overwritten by the next one, and is wiped at the end.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Say how far it is: percent, steps per second of all environments together, and time left.
  /// Shown at most five times a second.
  ///   done, total   steps
  ///   nenv          environments
  void show(std::int64_t done, std::int64_t total, int nenv);
  /// Draw a bar, percent, a text, speed and time left. Shown at most five times a second.
  ///   done, total   steps of all environments together
  void show_bar(double done, double total, const std::string& text);
  /// Say what is being done.
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  void write(const std::string& text);
  /// Has enough time passed since the last line.
  bool due();
  double elapsed() const;

  bool active_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_{};
  std::size_t width_ = 0;
};

}  // namespace swept::cli
