// SPDX-License-Identifier: Apache-2.0
// Rows of time, qpos and qvel.
#include "tools/swept/recorder.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace swept::cli {

namespace {

// appends the numbers of environment 0; `first`: no comma before the first one
void append(Batch& batch, const char* name, bool first, std::string* line) {
  const auto put = [&](const auto& numbers) {
    for (const auto number : numbers) {
      fmt::format_to(std::back_inserter(*line), "{}{}", first ? "" : ",", number);
      first = false;
    }
  };
  const FieldInfo info = batch.field_info(name);
  const auto count = static_cast<std::size_t>(info.shape[1] * info.shape[2]);
  if (info.on_device) {
    std::vector<double> all = batch.read(name);
    all.resize(count);
    if (info.scalar == Scalar::f32) {
      put(std::vector<float>(all.begin(), all.end()));
    } else {
      put(all);
    }
  } else if (info.scalar == Scalar::f32) {
    put(std::span<const float>(static_cast<const float*>(info.data), count));
  } else {
    put(std::span<const double>(static_cast<const double*>(info.data), count));
  }
}

}  // namespace

Recorder::Recorder(const std::string& path, const Model& model)
    : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (!file_) {
    fail("cannot be opened for writing");
  }
  std::string header = "time";
  for (int i = 0; i < model.nq; ++i) {
    header += fmt::format(",qpos_{}", i);
  }
  for (int i = 0; i < model.nv; ++i) {
    header += fmt::format(",qvel_{}", i);
  }
  write(header + "\n");
}

void Recorder::add(Batch& batch) {
  batch.sync();
  std::string line;
  append(batch, "time", true, &line);
  append(batch, "qpos", false, &line);
  append(batch, "qvel", false, &line);
  write(line + "\n");
  ++rows_;
}

void Recorder::close() {
  if (std::fclose(file_.release()) != 0) {
    fail("cannot be written");
  }
}

void Recorder::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    fail("cannot be written");
  }
}

void Recorder::fail(const char* what) const {
  throw Error(Place{path_, 0, {}}, fmt::format("the recording {} ({})", what, std::strerror(errno)),
              "give --record a path that can be written");
}

}  // namespace swept::cli
