// SPDX-License-Identifier: Apache-2.0
// The trajectory of environment 0 as a CSV file.
//
//   time,qpos_0,qpos_1,...,qvel_0,...
//   0,0,0,1.282,...
//
// Numbers are written with as many digits as it takes to read the same number back.
#include "tools/swept/recorder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <span>

namespace swept::cli {

namespace {

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::string& path, Batch& batch, std::vector<RecordedField> fields)
      : Recorder(path, std::move(fields)), file_(std::fopen(path.c_str(), "w")) {
    if (!file_) {
      fail(fmt::format("cannot be opened for writing ({})", std::strerror(errno)));
    }
    std::string header;
    for (const RecordedField& field : fields_) {
      const FieldInfo info = batch.field_info(field.name);
      const std::int64_t count = info.shape[1] * info.shape[2];
      for (std::int64_t i = 0; i < count; ++i) {
        header += header.empty() ? "" : ",";
        header += field.name == "time" ? field.name : fmt::format("{}_{}", field.name, i);
      }
    }
    write(header + "\n");
  }

  void close() override {
    if (std::fclose(file_.release()) != 0) {
      fail_to_write();
    }
  }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void append(Batch& batch) override {
    std::string line;
    for (const RecordedField& field : fields_) {
      put_field(batch, field.name, &line);
    }
    write(line + "\n");
  }

  // appends the numbers of environment 0
  static void put_field(Batch& batch, const std::string& name, std::string* line) {
    const FieldInfo info = batch.field_info(name);
    const auto count = static_cast<std::size_t>(info.shape[1] * info.shape[2]);
    std::vector<double> copy;
    if (info.on_device) {
      copy = batch.read(name);
    }
    for (std::size_t i = 0; i < count; ++i) {
      *line += line->empty() ? "" : ",";
      const auto out = std::back_inserter(*line);
      if (info.scalar == Scalar::f32) {
        fmt::format_to(
            out, "{}",
            info.on_device ? static_cast<float>(copy[i]) : static_cast<const float*>(info.data)[i]);
      } else if (info.scalar == Scalar::f64) {
        fmt::format_to(out, "{}",
                       info.on_device ? copy[i] : static_cast<const double*>(info.data)[i]);
      } else {
        fmt::format_to(
            out, "{}",
            info.on_device ? static_cast<int>(copy[i]) : static_cast<const int*>(info.data)[i]);
      }
    }
  }

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
      fail_to_write();
    }
  }

  [[noreturn]] void fail_to_write() const {
    fail(fmt::format("cannot be written ({})", std::strerror(errno)));
  }

  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace

std::unique_ptr<Recorder> make_csv_recorder(const RunOptions& options, Batch& batch,
                                            std::vector<RecordedField> fields) {
  return std::make_unique<CsvRecorder>(options.record, batch, std::move(fields));
}

}  // namespace swept::cli
