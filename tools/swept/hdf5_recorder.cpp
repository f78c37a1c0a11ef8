// SPDX-License-Identifier: Apache-2.0
// The trajectory of all environments as an HDF5 file.
//
//   /time /qpos /qvel ...     [step, environment, element], compressed in chunks
//     unit, meaning, shape [rows, columns], names of the rows
//   attributes of the file    model, scene, timestep, precision, backend, record_every, ctrl, seed
//
// Rows are gathered until they fill a chunk, or for two seconds, and are then on the disk: what an
// interrupted run leaves behind can be read. All datasets have the same number of rows at any time.
// Memory is bounded: 8 MB of rows, or one row if that is more.
#include "tools/swept/hdf5_file.h"
#include "tools/swept/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>

namespace swept::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t buffered_bytes = std::size_t{8} << 20;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr hsize_t most_chunk_steps = 1024;
constexpr auto longest_wait = std::chrono::seconds(2);
/// More names than this do not fit into an attribute.
constexpr std::size_t most_names = 4000;

hid_t type_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return H5T_NATIVE_FLOAT;
    case Scalar::f64:
      return H5T_NATIVE_DOUBLE;
    case Scalar::i32:
      return H5T_NATIVE_INT;
    case Scalar::i64:
      return H5T_NATIVE_LLONG;
  }
  return H5I_INVALID_HID;
}

std::size_t row_bytes(const FieldInfo& info) {
  const std::size_t number = info.scalar == Scalar::f32 || info.scalar == Scalar::i32 ? 4 : 8;
  return static_cast<std::size_t>(info.shape[0] * info.shape[1] * info.shape[2]) * number;
}

class Hdf5Recorder final : public Recorder {
 public:
  Hdf5Recorder(const RunOptions& options, Batch& batch, std::vector<RecordedField> fields)
      : Recorder(options.record, std::move(fields)) {
    guarded([&] {
      file_ = create_file(path_);
      describe_run(options, batch);
      make_columns(options, batch);
      flush_file(file_);
    });
  }

  void close() override {
    guarded([&] {
      flush();
      columns_.clear();
      file_ = Handle();
    });
  }

 private:
  /// A field, its dataset, and rows that are not in it yet.
  struct Column {
    std::string name;
    GrowingDataset dataset;
    std::size_t row_bytes;
    std::vector<std::byte> rows;
  };

  void describe_run(const RunOptions& options, Batch& batch) {
    set_attribute(file_, "format", "swept recording 1");
    set_attribute(file_, "axes", "step, environment, element");
    set_attribute(file_, "scene", options.scene);
    set_attribute(file_, "model", batch.model().names.model);
    set_attribute(file_, "timestep", batch.model().opt_timestep[0]);
    set_attribute(file_, "precision", options.precision);
    set_attribute(file_, "backend", batch.backend());
    set_attribute(file_, "ctrl", options.ctrl);
    set_attribute(file_, "seed", std::vector<long long>{static_cast<long long>(options.seed)});
    set_attribute(file_, "record_every", std::vector<long long>{options.record_every});
  }

  void make_columns(const RunOptions& options, Batch& batch) {
    std::size_t all = 0;
    for (const RecordedField& field : fields_) {
      all += row_bytes(batch.field_info(field.name));
    }
    // all datasets are written at the same steps
    const std::size_t fit = buffered_bytes / std::max<std::size_t>(all, 1);
    const auto expected = static_cast<hsize_t>(options.steps / options.record_every + 1);
    steps_per_chunk_ = std::clamp<hsize_t>(fit, 1, std::min(most_chunk_steps, expected));

    for (const RecordedField& field : fields_) {
      const FieldInfo info = batch.field_info(field.name);
      const std::size_t bytes = row_bytes(info);
      if (bytes == 0) {
        continue;  // a scene without actuators has no ctrl
      }
      GrowingDataset::Shape shape;
      shape.envs = static_cast<hsize_t>(info.shape[0]);
      shape.elements = static_cast<hsize_t>(info.shape[1] * info.shape[2]);
      shape.chunk_steps = steps_per_chunk_;
      const hsize_t env_bytes = steps_per_chunk_ * (bytes / shape.envs);
      // chunks of the same size, as far as the number of environments can be divided
      const hsize_t fitting = std::clamp<hsize_t>(chunk_bytes / env_bytes, 1, shape.envs);
      const hsize_t chunks = (shape.envs + fitting - 1) / fitting;
      shape.chunk_envs = (shape.envs + chunks - 1) / chunks;
      columns_.push_back(
          {field.name, GrowingDataset(file_, field.name, type_of(info.scalar), shape), bytes, {}});
      columns_.back().rows.reserve(steps_per_chunk_ * bytes);
      describe(columns_.back().dataset.handle(), field, info);
    }
  }

  static void describe(const Handle& dataset, const RecordedField& field, const FieldInfo& info) {
    set_attribute(dataset, "unit", field.unit);
    set_attribute(dataset, "meaning", field.meaning);
    set_attribute(dataset, "shape", std::vector<long long>{info.shape[1], info.shape[2]});
    if (!field.row_names.empty() && field.row_names.size() <= most_names) {
      set_attribute(dataset, "names", field.row_names);
    }
  }

  void append(Batch& batch) override {
    for (Column& column : columns_) {
      const FieldInfo info = batch.field_info(column.name);
      if (info.on_device) {
        push_copy(batch.read(column.name), info.scalar, &column);
      } else {
        push(info.data, column.row_bytes, &column);
      }
    }
    ++buffered_;
    if ((written_ + buffered_) % steps_per_chunk_ == 0 || Clock::now() - flushed_ > longest_wait) {
      guarded([&] { flush(); });
    }
  }

  static void push(const void* row, std::size_t bytes, Column* column) {
    const auto* start = static_cast<const std::byte*>(row);
    column->rows.insert(column->rows.end(), start, start + bytes);
  }

  static void push_copy(const std::vector<double>& row, Scalar scalar, Column* column) {
    for (const double number : row) {
      const auto single = static_cast<float>(number);
      const auto whole = static_cast<int>(number);
      const auto large = static_cast<long long>(number);
      switch (scalar) {
        case Scalar::f32:
          push(&single, sizeof single, column);
          break;
        case Scalar::f64:
          push(&number, sizeof number, column);
          break;
        case Scalar::i32:
          push(&whole, sizeof whole, column);
          break;
        case Scalar::i64:
          push(&large, sizeof large, column);
          break;
      }
    }
  }

  void flush() {
    if (buffered_ > 0) {
      for (Column& column : columns_) {
        column.dataset.append(column.rows.data(), buffered_);
        column.rows.clear();
      }
      written_ += buffered_;
      buffered_ = 0;
      flush_file(file_);
    }
    flushed_ = Clock::now();
  }

  template <class Work>
  void guarded(const Work& work) const {
    try {
      work();
    } catch (const Hdf5Failure& failure) {
      fail(failure.what());
    }
  }

  Handle file_;
  std::vector<Column> columns_;
  hsize_t steps_per_chunk_ = 1;
  hsize_t buffered_ = 0, written_ = 0;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace

std::unique_ptr<Recorder> make_hdf5_recorder(const RunOptions& options, Batch& batch,
                                             std::vector<RecordedField> fields) {
  return std::make_unique<Hdf5Recorder>(options, batch, std::move(fields));
}

}  // namespace swept::cli
