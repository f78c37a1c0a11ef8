// SPDX-License-Identifier: Apache-2.0
// The few things of HDF5 that recordings and tables need: handles that close themselves, attributes,
// and a dataset that grows row by row. Every function throws Hdf5Failure where the library fails.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace swept::cli {

/// The library could not do something; what() says what.
class Hdf5Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An open object of the library.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
    if (id < 0) {
      throw Hdf5Failure(what);
    }
  }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }

  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Make a file in place of an existing one. The library stays silent from then on.
Handle create_file(const std::string& path);
/// Open a file for reading. The library stays silent from then on.
Handle open_file(const std::string& path);
/// Write everything so far to the disk; the file can be read from then on, whatever happens to this
/// process.
void flush_file(const Handle& file);

/// Attributes of a file or a dataset.
void set_attribute(const Handle& object, const char* name, const std::string& text);
void set_attribute(const Handle& object, const char* name, double number);
void set_attribute(const Handle& object, const char* name, const std::vector<long long>& numbers);
void set_attribute(const Handle& object, const char* name, const std::vector<std::string>& texts);

/// Attributes read back: one text, or a list of them.
std::string get_text(const Handle& object, const char* name);
std::vector<std::string> get_texts(const Handle& object, const char* name);

/// A dataset [step, environment, element], compressed in chunks, that grows along the steps.
class GrowingDataset {
 public:
  /// How it is cut into chunks.
  struct Shape {
    hsize_t envs = 1;
    hsize_t elements = 1;
    hsize_t chunk_steps = 1;
    hsize_t chunk_envs = 1;
  };

  /// `type` is a number type of the machine, such as H5T_NATIVE_FLOAT.
  GrowingDataset(const Handle& file, const std::string& name, hid_t type, const Shape& shape);

  /// Append `steps` rows of [environment, element] numbers.
  void append(const void* rows, hsize_t steps);
  const Handle& handle() const { return dataset_; }

 private:
  hid_t type_;
  Shape shape_;
  Handle dataset_;
  hsize_t steps_ = 0;
};

}  // namespace swept::cli
