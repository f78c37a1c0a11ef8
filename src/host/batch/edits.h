// SPDX-License-Identifier: Apache-2.0
// The numbers of the model that a user has changed in some environments. Nothing is kept for fields
// and environments as compiled: a field is listed as long as a number of it differs from the
// compiled one in some environment.
//
//   values   [nenv, width] of each listed field, as written; the compiled numbers elsewhere
//
// To keep the edits of a batch and to set them back in the environments `envs`:
//
//   for (const EditedField& field : edits.fields()) { keep(field.name, field.row(env)); }
//   edits.restore(envs);
//   for (each kept field) { edits.write(name, rows, envs); }
#pragma once

#include <swept/model.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/batch/edit_rules.h"

namespace swept {

/// One field that differs in some environment.
struct EditedField {
  const EditRule* rule;
  std::string_view name;
  std::size_t width;                  ///< numbers per environment
  std::vector<double> values;         ///< [nenv, width]
  std::vector<std::uint8_t> differs;  ///< [nenv] not 0: the row is not as compiled
  int count = 0;                      ///< environments in which it differs

  std::span<const double> row(int env) const {
    return {values.data() + static_cast<std::size_t>(env) * width, width};
  }
};

class Edits {
 public:
  /// No edits. The model must outlive it.
  Edits(const Model& model, int nenv);

  /// Write a real model field into some environments.
  ///   values   one environment's worth, or one per entry of `envs`
  /// Throws Error for fields that cannot be written, numbers of environments that do not exist, and
  /// a wrong count of values; nothing has changed then. Any number is accepted.
  void write(std::string_view name, std::span<const double> values, std::span<const int> envs);

  /// Give environments the compiled numbers again.
  void restore(std::span<const int> envs);

  /// Give environment to[k] the numbers that from[k] has before the call; entries of `to` differ.
  void copy(std::span<const int> from, std::span<const int> to);

  /// What differs, in the order of the field table.
  std::span<const EditedField> fields() const { return fields_; }
  /// A listed field; null if no environment differs in it.
  const EditedField* find(std::string_view name) const;

  /// Overwrite what differs in an environment. Returns what set_constants() has to do with it.
  ///   plain   nothing; source: something that constants follow from was changed
  enum class Change { none, plain, source };
  Change apply(int env, Model* model) const;

  /// Environments that changed since settle(), ascending.
  std::vector<int> pending() const;
  bool is_pending() const { return any_pending_; }
  /// A field is no longer listed: what was made for it can go.
  bool lost_field() const { return lost_field_; }
  void settle();

  /// Environments in which something differs, ascending.
  std::vector<int> edited_envs() const;
  std::size_t bytes() const;

 private:
  EditedField& field(const EditRule& rule);
  void set_row(EditedField* field, int env, std::span<const double> row);
  void drop_unused();

  const Model& model_;
  int nenv_;
  std::vector<EditedField> fields_;
  std::vector<std::uint8_t> pending_;  ///< [nenv]
  bool any_pending_ = false;
  bool lost_field_ = false;
};

}  // namespace swept
