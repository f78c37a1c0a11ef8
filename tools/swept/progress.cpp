// SPDX-License-Identifier: Apache-2.0
// Progress on the error output.
#include "tools/swept/progress.h"

#include "bench/format.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace swept::cli {

namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) {
    return fmt::format("{} s", whole);
  }
  return whole < 3600 ? fmt::format("{} min {:02} s", whole / 60, whole % 60)
                      : fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

bool on_terminal() {
  return isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

Progress::Progress() : active_(on_terminal()) {}

Progress::~Progress() {
  if (width_ > 0) {
    fmt::print(stderr, "\r{:{}}\r", "", width_);
  }
}

void Progress::show(std::int64_t done, std::int64_t total, int nenv) {
  if (done == 0 || !due()) {
    return;
  }
  const double rate = static_cast<double>(done) / std::max(elapsed(), 1e-9);
  write(fmt::format("{:3.0f} %  {} steps/s  {} left",
                    100.0 * static_cast<double>(done) / static_cast<double>(total),
                    bench::rate_text(rate * nenv),
                    duration(static_cast<double>(total - done) / rate)));
}

void Progress::show_bar(double done, double total, const std::string& text) {
  if (done <= 0 || !due()) {
    return;
  }
  constexpr int width = 24;
  const double part = std::min(done / total, 1.0), rate = done / std::max(elapsed(), 1e-9);
  const int full = static_cast<int>(part * width);
  write(fmt::format("[{:=<{}}{:{}}] {:3.0f} %  {}  {} steps/s  {} left", "", full, "", width - full,
                    100 * part, text, bench::rate_text(rate), duration((total - done) / rate)));
}

bool Progress::due() {
  const Clock::time_point now = Clock::now();
  if (!active_ || now - shown_ < std::chrono::milliseconds(200)) {
    return false;
  }
  shown_ = now;
  return true;
}

double Progress::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::show(const std::string& text) {
  if (active_) {
    write(text);
  }
}

void Progress::write(const std::string& text) {
  fmt::print(stderr, "\r{:<{}}", text, width_);
  std::fflush(stderr);
  width_ = text.size();
}

}  // namespace swept::cli
