// SPDX-License-Identifier: Apache-2.0
// Recording of a run: one row of fields per recorded step, into a file whose name says its kind.
//
//   .h5, .hdf5   HDF5: every environment, see hdf5_recorder.cpp
//   otherwise    CSV: environment 0, see csv_recorder.cpp
//
// What is computed from the state is computed again from the state of the row, so that all numbers
// of a row belong to one moment.
#pragma once

#include "tools/swept/commands.h"
#include "tools/swept/recorded_fields.h"

#include <swept/batch.h>

#include <memory>
#include <string>
#include <vector>

namespace swept::cli {

class Recorder {
 public:
  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Append the present state. Throws Error if it cannot be written.
  void add(Batch& batch);
  /// Write everything out. Throws Error if it cannot be written.
  virtual void close() = 0;
  /// Rows that add() took.
  long rows() const { return rows_; }

 protected:
  Recorder(std::string path, std::vector<RecordedField> fields)
      : path_(std::move(path)), fields_(std::move(fields)) {}

  virtual void append(Batch& batch) = 0;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  std::vector<RecordedField> fields_;

 private:
  long rows_ = 0;
};

/// A recorder of CSV text, and one of HDF5. Both throw Error if the file cannot be made.
std::unique_ptr<Recorder> make_csv_recorder(const RunOptions& options, Batch& batch,
                                            std::vector<RecordedField> fields);
std::unique_ptr<Recorder> make_hdf5_recorder(const RunOptions& options, Batch& batch,
                                             std::vector<RecordedField> fields);

/// The recorder that `options.record` asks for; binds the fields it needs. Throws Error for a field
/// that cannot be recorded and for a file that cannot be made.
std::unique_ptr<Recorder> make_recorder(const RunOptions& options, Batch& batch);

}  // namespace swept::cli
