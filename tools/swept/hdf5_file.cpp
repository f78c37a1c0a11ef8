// SPDX-License-Identifier: Apache-2.0
// Calls of the HDF5 library.
#include "tools/swept/hdf5_file.h"

#include <algorithm>
#include <iterator>

namespace swept::cli {

namespace {

void check(herr_t status, const char* what) {
  if (status < 0) {
    throw Hdf5Failure(what);
  }
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "no text type");
  check(H5Tset_size(type, H5T_VARIABLE), "no text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "no text type");
  return type;
}

Handle scalar_space() {
  return Handle(H5Screate(H5S_SCALAR), H5Sclose, "no data space");
}

Handle list_space(std::size_t count) {
  const hsize_t size = count;
  return Handle(H5Screate_simple(1, &size, nullptr), H5Sclose, "no data space");
}

void write_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "an attribute cannot be made");
  check(H5Awrite(attribute, type, data), "an attribute cannot be written");
}

}  // namespace

Handle create_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                "cannot be opened for writing");
}

Handle open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "cannot be opened");
}

void flush_file(const Handle& file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "cannot be written; is the disk full?");
}

void set_attribute(const Handle& object, const char* name, const std::string& text) {
  const char* start = text.c_str();
  write_attribute(object, name, text_type(), scalar_space(), &start);
}

void set_attribute(const Handle& object, const char* name, double number) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &number);
}

void set_attribute(const Handle& object, const char* name, const std::vector<long long>& numbers) {
  write_attribute(object, name, H5T_NATIVE_LLONG, list_space(numbers.size()), numbers.data());
}

void set_attribute(const Handle& object, const char* name, const std::vector<std::string>& texts) {
  std::vector<const char*> starts;
  std::transform(texts.begin(), texts.end(), std::back_inserter(starts),
                 [](const std::string& text) { return text.c_str(); });
  write_attribute(object, name, text_type(), list_space(starts.size()), starts.data());
}

std::vector<std::string> get_texts(const Handle& object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "no such attribute");
  const Handle space(H5Aget_space(attribute), H5Sclose, "no data space");
  const Handle stored(H5Aget_type(attribute), H5Tclose, "no type");
  if (H5Tis_variable_str(stored) <= 0) {
    throw Hdf5Failure("an attribute is no text");
  }
  std::vector<char*> starts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  const Handle type = text_type();
  check(H5Aread(attribute, type, starts.data()), "an attribute cannot be read");
  const std::vector<std::string> texts(starts.begin(), starts.end());
  check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, starts.data()), "an attribute cannot be freed");
  return texts;
}

std::string get_text(const Handle& object, const char* name) {
  const std::vector<std::string> texts = get_texts(object, name);
  return texts.size() == 1 ? texts.front() : std::string();
}

GrowingDataset::GrowingDataset(const Handle& file, const std::string& name, hid_t type,
                               const Shape& shape)
    : type_(type), shape_(shape) {
  const hsize_t size[] = {0, shape.envs, shape.elements};
  const hsize_t largest[] = {H5S_UNLIMITED, shape.envs, shape.elements};
  const hsize_t chunk[] = {shape.chunk_steps, shape.chunk_envs, shape.elements};
  const Handle space(H5Screate_simple(3, size, largest), H5Sclose, "no data space");
  const Handle making(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no property list");
  check(H5Pset_chunk(making, 3, chunk), "chunks cannot be set");
  check(H5Pset_shuffle(making), "the library has no shuffle filter");
  check(H5Pset_deflate(making, 1), "the library has no deflate filter");

  // chunks are written whole, so that a cache would only hold what nobody asks for again
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "no property list");
  check(H5Pset_chunk_cache(access, 1, 0, 1.0), "the cache cannot be set");
  dataset_ = Handle(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, making, access),
                    H5Dclose, "a dataset cannot be made");
}

void GrowingDataset::append(const void* rows, hsize_t steps) {
  const hsize_t size[] = {steps_ + steps, shape_.envs, shape_.elements};
  check(H5Dset_extent(dataset_, size), "cannot grow; is the disk full?");
  const hsize_t start[] = {steps_, 0, 0};
  const hsize_t count[] = {steps, shape_.envs, shape_.elements};
  const Handle there(H5Dget_space(dataset_), H5Sclose, "no data space");
  check(H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, count, nullptr),
        "rows cannot be selected");
  const Handle here(H5Screate_simple(3, count, nullptr), H5Sclose, "no data space");
  check(H5Dwrite(dataset_, type_, here, there, H5P_DEFAULT, rows),
        "cannot be written; is the disk full?");
  steps_ += steps;
}

}  // namespace swept::cli
