// SPDX-License-Identifier: Apache-2.0
// The trajectory of environment 0 as a CSV file.
//
//   time,qpos_0,qpos_1,...,qvel_0,...
//   0,0,0,1.282,...
//
// Numbers are written with as many digits as it takes to read the same number back.
#pragma once

#include <swept/batch.h>

#include <cstdio>
#include <memory>
#include <string>

namespace swept::cli {

class Recorder {
 public:
  /// Open the file and write its header. Throws Error if it cannot be written.
  Recorder(const std::string& path, const Model& model);

  /// Append the present state of environment 0. Throws Error if the disk is full.
  void add(Batch& batch);
  /// Write everything out. Throws Error if the disk is full.
  void close();
  /// Rows written.
  long rows() const { return rows_; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void write(const std::string& text);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  long rows_ = 0;
};

}  // namespace swept::cli
