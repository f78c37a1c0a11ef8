// SPDX-License-Identifier: Apache-2.0
// Rows of edited fields; see the header.
#include "host/batch/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include <swept/error.h>

namespace swept {

namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

Edits::Edits(const Model& model, int nenv)
    : model_(model), nenv_(nenv), pending_(static_cast<std::size_t>(nenv), 0) {}

void Edits::write(std::string_view name, std::span<const double> values,
                  std::span<const int> envs) {
  const EditRule& rule = writable_rule(name);
  const std::size_t width = (model_.*rule.values).size();
  for (const int env : envs) {
    if (env < 0 || env >= nenv_) {
      throw Error(fmt::format("environment {} does not exist", env),
                  fmt::format("the batch has {}, numbered from 0", nenv_));
    }
  }
  const bool each = values.size() == width * envs.size();
  if (!each && values.size() != width) {
    throw Error(fmt::format("field '{}' has {} numbers per environment, {} were given for {} "
                            "environments",
                            name, width, values.size(), envs.size()),
                "give those of one environment, or those of each, without gaps");
  }
  if (width == 0 || envs.empty()) {
    return;
  }
  EditedField& edited = field(rule);
  for (std::size_t k = 0; k < envs.size(); ++k) {
    set_row(&edited, envs[k], values.subspan(each ? k * width : 0, width));
  }
  drop_unused();
}

void Edits::restore(std::span<const int> envs) {
  for (EditedField& edited : fields_) {
    for (const int env : envs) {
      set_row(&edited, env, model_.*edited.rule->values);
    }
  }
  drop_unused();
}

void Edits::copy(std::span<const int> from, std::span<const int> to) {
  for (EditedField& edited : fields_) {
    // all rows first: an environment may be both read and written
    std::vector<double> rows;
    for (const int env : from) {
      const std::span<const double> row = edited.row(env);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    for (std::size_t k = 0; k < to.size(); ++k) {
      set_row(&edited, to[k], std::span(rows).subspan(k * edited.width, edited.width));
    }
  }
  drop_unused();
}

const EditedField* Edits::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const EditedField& f) { return f.name == name; });
  return found == fields_.end() ? nullptr : &*found;
}

Edits::Change Edits::apply(int env, Model* model) const {
  Change change = Change::none;
  for (const EditedField& edited : fields_) {
    if (edited.differs[static_cast<std::size_t>(env)] == 0) {
      continue;
    }
    const std::span<const double> row = edited.row(env);
    std::copy(row.begin(), row.end(), (model->*edited.rule->values).begin());
    if (change != Change::source) {
      change = edited.rule->kind == EditKind::source ? Change::source : Change::plain;
    }
  }
  return change;
}

std::vector<int> Edits::pending() const {
  std::vector<int> envs;
  for (int env = 0; env < nenv_; ++env) {
    if (pending_[static_cast<std::size_t>(env)] != 0) {
      envs.push_back(env);
    }
  }
  return envs;
}

void Edits::settle() {
  std::fill(pending_.begin(), pending_.end(), std::uint8_t{0});
  any_pending_ = false;
  lost_field_ = false;
}

std::vector<int> Edits::edited_envs() const {
  std::vector<int> envs;
  for (int env = 0; env < nenv_; ++env) {
    if (std::any_of(fields_.begin(), fields_.end(), [&](const EditedField& f) {
          return f.differs[static_cast<std::size_t>(env)] != 0;
        })) {
      envs.push_back(env);
    }
  }
  return envs;
}

std::size_t Edits::bytes() const {
  std::size_t bytes = 0;
  for (const EditedField& f : fields_) {
    bytes += f.values.size() * sizeof(double) + f.differs.size();
  }
  return bytes;
}

/// The entry of a field, made with the compiled numbers if it is new, at its place in the order.
EditedField& Edits::field(const EditRule& rule) {
  const auto place = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const EditedField& f) { return f.rule >= &rule; });
  if (place != fields_.end() && place->rule == &rule) {
    return *place;
  }
  const std::vector<double>& compiled = model_.*rule.values;
  EditedField made;
  made.rule = &rule;
  made.name = rule.name;
  made.width = compiled.size();
  made.values.reserve(static_cast<std::size_t>(nenv_) * made.width);
  for (int env = 0; env < nenv_; ++env) {
    made.values.insert(made.values.end(), compiled.begin(), compiled.end());
  }
  made.differs.assign(static_cast<std::size_t>(nenv_), 0);
  return *fields_.insert(place, std::move(made));
}

void Edits::set_row(EditedField* field, int env, std::span<const double> row) {
  const std::size_t e = static_cast<std::size_t>(env);
  const std::span<double> present(field->values.data() + e * field->width, field->width);
  if (same_bits(present, row)) {
    return;
  }
  std::copy(row.begin(), row.end(), present.begin());
  const std::uint8_t differs = !same_bits(present, model_.*field->rule->values);
  field->count += differs - field->differs[e];
  field->differs[e] = differs;
  pending_[e] = 1;
  any_pending_ = true;
}

void Edits::drop_unused() {
  lost_field_ |= std::erase_if(fields_, [](const EditedField& f) { return f.count == 0; }) > 0;
}

}  // namespace swept
