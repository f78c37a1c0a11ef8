// SPDX-License-Identifier: Apache-2.0
// Fields of a batch by name: their views, and their copies in double precision.
#include <swept/batch.h>

#include <swept/error.h>

#include "host/batch/impl.h"

namespace swept {

namespace {

const char* scalar_name(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return "float";
    case Scalar::f64:
      return "double";
    case Scalar::i32:
      return "int";
    case Scalar::i64:
      return "std::int64_t";
  }
  return "?";
}

}  // namespace

FieldInfo Batch::field_info(std::string_view name) {
  // queued work may still make the lists longer, which moves them
  if (name.starts_with("contact.") || name.starts_with("efc_")) {
    impl_->finish();
  }
  const FieldInfo info = impl_->engine->field(name);
  if (info.data == nullptr && info.shape[0] == 0) {
    throw Error("there is no field '" + std::string(name) + "'",
                "field_names() lists them; names are MuJoCo's");
  }
  return info;
}

std::vector<std::string> Batch::field_names() const {
  return impl_->engine->field_names();
}

void Batch::check_type(std::string_view name, const FieldInfo& info, Scalar wanted) {
  if (info.scalar != wanted) {
    throw Error("field '" + std::string(name) + "' holds " + scalar_name(info.scalar) + ", not " +
                    scalar_name(wanted),
                std::string("ask for field<") + scalar_name(info.scalar) + ">");
  }
}

namespace {

/// Bytes of an element.
std::size_t bytes_of(Scalar scalar) {
  return scalar == Scalar::f32 || scalar == Scalar::i32 ? 4 : 8;
}

double element(const std::byte* p, Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return *reinterpret_cast<const float*>(p);
    case Scalar::f64:
      return *reinterpret_cast<const double*>(p);
    case Scalar::i32:
      return *reinterpret_cast<const int*>(p);
    case Scalar::i64:
      return static_cast<double>(*reinterpret_cast<const std::int64_t*>(p));
  }
  return 0;
}

void set_element(std::byte* p, Scalar scalar, double value) {
  switch (scalar) {
    case Scalar::f32:
      *reinterpret_cast<float*>(p) = static_cast<float>(value);
      break;
    case Scalar::f64:
      *reinterpret_cast<double*>(p) = value;
      break;
    case Scalar::i32:
      *reinterpret_cast<int*>(p) = static_cast<int>(value);
      break;
    case Scalar::i64:
      *reinterpret_cast<std::int64_t*>(p) = static_cast<std::int64_t>(value);
      break;
  }
}

/// Is it a field that a user may change.
bool is_state(std::string_view name) {
#define SWEPT_STATE(field, rows, cols, unit, meaning) \
  if (name == #field) {                               \
    return true;                                      \
  }
#include <swept/fields/state.def>
#undef SWEPT_STATE
  return false;
}

}  // namespace

std::vector<double> Batch::read(std::string_view name) {
  const FieldInfo info = field_info(name);
  sync();
  const std::size_t width = static_cast<std::size_t>(info.shape[1] * info.shape[2]);
  const std::size_t bytes = bytes_of(info.scalar);
  const std::size_t stored = info.stride[0] == 0 ? 1 : static_cast<std::size_t>(info.shape[0]);
  std::vector<std::byte> raw(stored * width * bytes);
  if (!raw.empty()) {
    impl_->engine->copy_out(raw.data(), info.data, raw.size());
  }

  // shared fields are repeated for every environment
  const std::size_t total = static_cast<std::size_t>(info.shape[0]) * width;
  std::vector<double> values(total);
  for (std::size_t i = 0; i < total; ++i) {
    values[i] = element(raw.data() + (stored == 1 ? i % width : i) * bytes, info.scalar);
  }
  return values;
}

void Batch::write(std::string_view name, std::span<const double> values) {
  const FieldInfo info = field_info(name);
  const std::size_t total = static_cast<std::size_t>(info.shape[0] * info.shape[1] * info.shape[2]);
  if (!is_state(name)) {
    throw Error("field '" + std::string(name) + "' cannot be written",
                "write state fields only: time, qpos, qvel, act, ctrl, applied forces");
  }
  if (values.size() != total) {
    throw Error("field '" + std::string(name) + "' has " + std::to_string(total) + " numbers, " +
                    std::to_string(values.size()) + " were given",
                "give [nenv, rows, columns] without gaps");
  }
  sync();
  const std::size_t bytes = bytes_of(info.scalar);
  std::vector<std::byte> raw(total * bytes);
  for (std::size_t i = 0; i < total; ++i) {
    set_element(raw.data() + i * bytes, info.scalar, values[i]);
  }
  if (!raw.empty()) {
    impl_->engine->copy_in(info.data, raw.data(), raw.size());
  }
}

}  // namespace swept
