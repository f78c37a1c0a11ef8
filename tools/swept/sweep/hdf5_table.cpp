// SPDX-License-Identifier: Apache-2.0
// Columns as datasets of one dimension.
#include "tools/swept/sweep/hdf5_table.h"

#include "tools/swept/hdf5_file.h"

namespace swept::cli {

namespace {

constexpr const char* format = "swept sweep 1";

void check(bool good) {
  if (!good) {
    throw Hdf5Failure("a column cannot be used");
  }
}

void write_column(const Handle& file, const Column& column) {
  const hsize_t size = column.numbers.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "no data space");
  const Handle making(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no property list");
  // with the time of its making no two files would be equal
  check(H5Pset_obj_track_times(making, false) >= 0);
  const hid_t type = column.whole ? H5T_NATIVE_LLONG : H5T_NATIVE_DOUBLE;
  const Handle dataset(
      H5Dcreate2(file, column.name.c_str(), type, space, H5P_DEFAULT, making, H5P_DEFAULT),
      H5Dclose, "a column cannot be made");
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 column.numbers.data()) >= 0);
  set_attribute(dataset, "unit", column.unit);
  set_attribute(dataset, "meaning", column.meaning);
}

Column read_column(const Handle& file, const std::string& name) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "no such column");
  const Handle space(H5Dget_space(dataset), H5Sclose, "no data space");
  const Handle type(H5Dget_type(dataset), H5Tclose, "no type");
  Column column{name,
                get_text(dataset, "unit"),
                get_text(dataset, "meaning"),
                H5Tget_class(type) == H5T_INTEGER,
                {}};
  column.numbers.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.numbers.data()) >=
        0);
  return column;
}

}  // namespace

bool write_hdf5(const Table& table, const std::filesystem::path& path) {
  try {
    const Handle file = create_file(path.string());
    set_attribute(file, "format", format);
    set_attribute(file, "identity", table.identity);
    std::vector<std::string> names;
    for (const Column& column : table.columns) {
      write_column(file, column);
      names.push_back(column.name);
    }
    set_attribute(file, "columns", names);
    flush_file(file);
    return true;
  } catch (const Hdf5Failure&) {
    return false;
  }
}

bool read_hdf5(const std::filesystem::path& path, Table* table) {
  try {
    const Handle file = open_file(path.string());
    if (get_text(file, "format") != format) {
      return false;
    }
    table->identity = get_text(file, "identity");
    for (const std::string& name : get_texts(file, "columns")) {
      table->columns.push_back(read_column(file, name));
    }
    return true;
  } catch (const Hdf5Failure&) {
    return false;
  }
}

}  // namespace swept::cli
