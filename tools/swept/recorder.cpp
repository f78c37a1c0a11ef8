// SPDX-License-Identifier: Apache-2.0
// What both kinds of recordings share.
#include "tools/swept/recorder.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace swept::cli {

namespace {

bool is_derived(const RecordedField& field) {
  return field.derived;
}

}  // namespace

void Recorder::add(Batch& batch) {
  if (std::any_of(fields_.begin(), fields_.end(), is_derived)) {
    batch.forward();
  }
  batch.sync();
  append(batch);
  ++rows_;
}

void Recorder::fail(const std::string& what) const {
  throw Error(Place{path_, 0, {}}, "the recording " + what,
              "give --record a path that can be written");
}

std::unique_ptr<Recorder> make_recorder(const RunOptions& options, Batch& batch) {
  const bool hdf5 = options.record.ends_with(".h5") || options.record.ends_with(".hdf5");
  std::vector<std::string> names = options.record_fields;
  if (names.empty()) {
    names = {"time", "qpos", "qvel"};
    if (hdf5) {
      names.insert(names.end(), {"act", "ctrl"});
    }
  }
  std::vector<RecordedField> fields = recorded_fields(batch.model(), names);
  for (const RecordedField& field : fields) {
    batch.field_info(field.name);
  }
  return hdf5 ? make_hdf5_recorder(options, batch, std::move(fields))
              : make_csv_recorder(options, batch, std::move(fields));
}

}  // namespace swept::cli
