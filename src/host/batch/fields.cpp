// SPDX-License-Identifier: Apache-2.0
// Fields of a batch by name: their views, and their copies in double precision.
#include <swept/batch.h>

#include <algorithm>
#include <numeric>

#include <swept/error.h>
#include <swept/model_fields.h>

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
  FieldInfo info = impl_->bind(name);
  if (find_rule(name) != nullptr && impl_->has_own_numbers(name)) {
    impl_->shown.emplace(name);
    info = impl_->engine->show(name, impl_->numbers_of(name));
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

bool is_writable(std::string_view name) {
  const EditRule* rule = find_rule(name);
  return is_state(name) ||
         (rule != nullptr && rule->kind != EditKind::derived && rule->kind != EditKind::fixed);
}

void check_envs(std::span<const int> envs, int nenv) {
  for (const int env : envs) {
    if (env < 0 || env >= nenv) {
      throw Error("environment " + std::to_string(env) + " does not exist",
                  "the batch has " + std::to_string(nenv) + ", numbered from 0");
    }
  }
}

}  // namespace

std::vector<double> Batch::read(std::string_view name) {
  if (find_rule(name) != nullptr && impl_->has_own_numbers(name)) {
    return impl_->numbers_of(name);
  }
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

namespace {

/// Fields that are not the user's to write, and what to do instead.
[[noreturn]] void refuse_to_write(std::string_view name, const Model& model) {
  const std::string field = "field '" + std::string(name) + "' cannot be written: ";
  for (const ModelField& known : model_fields(model)) {
    if (known.name == name) {
      throw Error(field + "it holds integers, which all environments share",
                  "change the scene and compile it again");
    }
  }
  throw Error(field + "it is computed by forward() and step()",
              "write fields of the state (qpos, ctrl, ...) or real fields of the model "
              "(body_mass, ...)");
}

}  // namespace

void Batch::write(std::string_view name, std::span<const double> values) {
  std::vector<int> all(static_cast<std::size_t>(nenv()));
  std::iota(all.begin(), all.end(), 0);
  const FieldInfo info = is_writable(name) ? impl_->engine->field(name) : FieldInfo{};
  const std::size_t total = static_cast<std::size_t>(info.shape[0] * info.shape[1] * info.shape[2]);
  if (is_writable(name) && values.size() != total) {
    throw Error("field '" + std::string(name) + "' has " + std::to_string(total) + " numbers, " +
                    std::to_string(values.size()) + " were given",
                "give [nenv, rows, columns] without gaps");
  }
  write(name, values, all);
}

void Batch::write(std::string_view name, std::span<const double> values,
                  std::span<const int> envs) {
  if (const EditRule* rule = find_rule(name); rule != nullptr) {
    impl_->edits.write(name, values, envs);
    return;
  }
  const std::vector<std::string> names = field_names();
  if (!is_state(name) && std::find(names.begin(), names.end(), name) != names.end()) {
    refuse_to_write(name, impl_->model);
  }
  const FieldInfo info = field_info(name);
  const std::size_t width = static_cast<std::size_t>(info.shape[1] * info.shape[2]);
  const bool each = values.size() == width * envs.size();
  check_envs(envs, nenv());
  if (!each && values.size() != width) {
    throw Error("field '" + std::string(name) + "' has " + std::to_string(width) +
                    " numbers per environment, " + std::to_string(values.size()) +
                    " were given for " + std::to_string(envs.size()) + " environments",
                "give those of one environment, or those of each, without gaps");
  }
  sync();

  // runs of neighbouring environments are copied together
  const std::size_t bytes = bytes_of(info.scalar) * width;
  std::vector<std::byte> raw(bytes * envs.size());
  for (std::size_t i = 0; i < width * envs.size(); ++i) {
    set_element(raw.data() + i * bytes_of(info.scalar), info.scalar, values[each ? i : i % width]);
  }
  for (std::size_t first = 0, end = 0; first < envs.size() && bytes > 0; first = end) {
    end = first + 1;
    while (end < envs.size() && envs[end] == envs[end - 1] + 1) {
      ++end;
    }
    std::byte* target =
        static_cast<std::byte*>(info.data) + static_cast<std::size_t>(envs[first]) * bytes;
    impl_->engine->copy_in(target, raw.data() + first * bytes, (end - first) * bytes);
  }
}

void Batch::restore_model() {
  std::vector<int> all(static_cast<std::size_t>(nenv()));
  std::iota(all.begin(), all.end(), 0);
  restore_model(all);
}

void Batch::restore_model(std::span<const int> envs) {
  check_envs(envs, nenv());
  impl_->edits.restore(envs);
}

std::string Batch::model_problem(int env) {
  check_envs({&env, 1}, nenv());
  Impl::OwnModel own{impl_->slim_model(), {}};
  impl_->make_own_model(env, &own);
  return own.problem;
}

}  // namespace swept
