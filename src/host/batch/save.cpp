// SPDX-License-Identifier: Apache-2.0
// Save, load and copy: environments out of a batch, into it, and inside it.
#include <swept/snapshot.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include <swept/error.h>

#include "host/batch/impl.h"
#include "host/batch/snapshot_content.h"

namespace swept {

namespace {

/// Fields that say where an environment stands.
constexpr std::string_view saved_fields[] = {
#define SWEPT_STATE(name, rows, cols, unit, meaning) #name,
#include <swept/fields/state.def>
#undef SWEPT_STATE
    "status", "status_step", "steps", "resets", "reset_status",
};

std::vector<int> all_to(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The list, or all of 0 .. n-1 where it is empty. Throws Error for a number that does not exist.
std::vector<int> chosen(std::span<const int> list, int n, const std::string& whose) {
  for (const int env : list) {
    if (env < 0 || env >= n) {
      throw Error("environment " + std::to_string(env) + " is not one of " + whose +
                      ", which has " + std::to_string(n),
                  "use 0 to " + std::to_string(n - 1));
    }
  }
  return list.empty() ? all_to(n) : std::vector<int>(list.begin(), list.end());
}

/// Two lists of one length, the second without repetition.
void check_lists(const std::vector<int>& from, const std::vector<int>& to) {
  if (from.size() != to.size()) {
    throw Error(
        std::to_string(from.size()) + " environments are to go into " + std::to_string(to.size()),
        "give two lists of one length; an empty list stands for all environments");
  }
  std::vector<int> sorted = to;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error("environment " + std::to_string(*twice) + " is named twice as a target",
                "name each target once");
  }
}

/// One field of the batch, row by row: in place where the host reaches it, else through a copy.
class Rows {
 public:
  Rows(Engine* engine, const FieldInfo& info)
      : engine_(engine),
        info_(info),
        size_(static_cast<std::size_t>(info.shape[1] * info.shape[2]) * bytes_of(info.scalar)) {
    if (info.on_device) {
      copy_.resize(static_cast<std::size_t>(info.shape[0]) * size_);
      engine->copy_out(copy_.data(), info.data, copy_.size());
    }
  }

  std::size_t size() const { return size_; }
  std::byte* row(int env) {
    std::byte* const first = info_.on_device ? copy_.data() : static_cast<std::byte*>(info_.data);
    return first + static_cast<std::size_t>(env) * size_;
  }
  /// What was written into rows goes into the batch.
  void store() {
    if (info_.on_device) {
      engine_->copy_in(info_.data, copy_.data(), copy_.size());
    }
  }

 private:
  Engine* engine_;
  FieldInfo info_;
  std::size_t size_;
  std::vector<std::byte> copy_;
};

/// What a user has changed in the models of some environments, field by field; one row per entry of
/// `envs`.
std::vector<SnapshotPart> edit_parts(const Edits& edits, const std::vector<int>& envs) {
  std::vector<SnapshotPart> parts;
  for (const EditedField& field : edits.fields()) {
    SnapshotPart rows{std::string(model_rows_prefix) += field.name, Scalar::f64, field.width, {}};
    SnapshotPart differs{std::string(model_differs_prefix) += field.name, Scalar::i32, 1, {}};
    bool any = false;
    for (const int env : envs) {
      const std::span<const std::byte> row = std::as_bytes(field.row(env));
      const int flag = field.differs[static_cast<std::size_t>(env)];
      const std::span<const std::byte> bytes = std::as_bytes(std::span(&flag, 1));
      rows.data.insert(rows.data.end(), row.begin(), row.end());
      differs.data.insert(differs.data.end(), bytes.begin(), bytes.end());
      any = any || flag != 0;
    }
    if (any) {
      parts.push_back(std::move(rows));
      parts.push_back(std::move(differs));
    }
  }
  return parts;
}

/// Rows of one model field that go into some environments.
struct ModelRows {
  std::string name;
  std::vector<double> values;
  std::vector<int> envs;
};

/// What load() has to write into model fields.
std::vector<ModelRows> model_rows(const Snapshot::Content& content, const std::vector<int>& from,
                                  const std::vector<int>& to) {
  std::vector<ModelRows> list;
  for (const SnapshotArray& array : content.arrays) {
    if (!array.name.starts_with(model_rows_prefix)) {
      continue;
    }
    ModelRows rows{array.name.substr(model_rows_prefix.size()), {}, {}};
    const SnapshotArray* const differs =
        content.find(std::string(model_differs_prefix) + rows.name);
    for (std::size_t k = 0; differs != nullptr && k < to.size(); ++k) {
      int flag = 0;
      const std::size_t saved = static_cast<std::size_t>(from[k]);
      std::memcpy(&flag, content.row(*differs, saved).data(), sizeof flag);
      if (flag != 0) {
        const std::span<const std::byte> row = content.row(array, saved);
        rows.values.resize(rows.values.size() + array.width);
        std::memcpy(rows.values.data() + rows.values.size() - array.width, row.data(), row.size());
        rows.envs.push_back(to[k]);
      }
    }
    list.push_back(std::move(rows));
  }
  return list;
}

/// Give the environments in `to` the compiled model with these changes.
void set_edits(Edits* edits, const std::vector<ModelRows>& list, const std::vector<int>& to) {
  edits->restore(to);
  for (const ModelRows& rows : list) {
    if (!rows.envs.empty()) {
      edits->write(rows.name, rows.values, rows.envs);
    }
  }
}

const char* name_of(Precision precision) {
  return precision == Precision::f32 ? "f32" : "f64";
}

/// Does the snapshot fit the batch.
void check_fit(const Snapshot& snapshot, const Model& model, Precision precision) {
  if (snapshot.precision() != precision) {
    throw Error(std::string("the snapshot is in ") + name_of(snapshot.precision()) +
                    ", the batch in " + name_of(precision),
                std::string("make the batch with Precision::") + name_of(snapshot.precision()));
  }
  if (snapshot.model_hash() != model_hash(model)) {
    throw Error("the snapshot is of another model",
                "make the batch from the scene, unchanged, that the snapshot was saved from");
  }
}

}  // namespace

Snapshot Batch::save(std::span<const int> envs, std::string_view note) {
  const std::vector<int> list = chosen(envs, nenv(), "the batch");
  impl_->finish();
  std::vector<SnapshotPart> parts;
  for (const std::string_view name : saved_fields) {
    const FieldInfo info = impl_->engine->field(name);
    Rows rows(impl_->engine.get(), info);
    SnapshotPart part{std::string(name),
                      info.scalar,
                      static_cast<std::size_t>(info.shape[1] * info.shape[2]),
                      {}};
    part.data.resize(list.size() * rows.size());
    for (std::size_t k = 0; k < list.size() && rows.size() > 0; ++k) {
      std::memcpy(part.data.data() + k * rows.size(), rows.row(list[k]), rows.size());
    }
    parts.push_back(std::move(part));
  }
  for (SnapshotPart& part : edit_parts(impl_->edits, list)) {
    parts.push_back(std::move(part));
  }
  auto content = std::make_shared<Snapshot::Content>(
      decode_snapshot(encode_snapshot(options().precision, model_hash(model()),
                                      static_cast<int>(list.size()), note, parts),
                      {}));
  return Snapshot(std::move(content));
}

void Batch::load(const Snapshot& snapshot, std::span<const int> from, std::span<const int> to) {
  // everything that may be refused comes before the first change
  check_fit(snapshot, model(), options().precision);
  const Snapshot::Content& content = snapshot.content();
  const std::vector<int> sources = chosen(from, content.nenv, "the snapshot");
  const std::vector<int> targets = chosen(to, nenv(), "the batch");
  check_lists(sources, targets);
  impl_->finish();
  std::vector<Rows> fields;
  std::vector<const SnapshotArray*> arrays;
  for (const std::string_view name : saved_fields) {
    const FieldInfo info = impl_->engine->field(name);
    fields.emplace_back(impl_->engine.get(), info);
    const SnapshotArray* const array = content.find(name);
    if (array == nullptr || array->scalar != info.scalar ||
        array->width * bytes_of(array->scalar) != fields.back().size()) {
      throw Error("the snapshot does not hold the field '" + std::string(name) + "'",
                  "save it again with this version of swept");
    }
    arrays.push_back(array);
  }

  const std::vector<ModelRows> changes = model_rows(content, sources, targets);

  set_edits(&impl_->edits, changes, targets);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (std::size_t k = 0; k < targets.size() && fields[f].size() > 0; ++k) {
      const auto row = content.row(*arrays[f], static_cast<std::size_t>(sources[k]));
      std::memcpy(fields[f].row(targets[k]), row.data(), row.size());
    }
    fields[f].store();
  }
}

void Batch::copy(std::span<const int> from, std::span<const int> to) {
  const std::vector<int> sources(from.begin(), from.end()), targets(to.begin(), to.end());
  check_lists(sources, targets);
  if (sources.empty()) {
    return;
  }
  chosen(sources, nenv(), "the batch");
  chosen(targets, nenv(), "the batch");
  impl_->finish();
  impl_->engine->copy_envs(sources, targets);
  impl_->edits.copy(sources, targets);
}

}  // namespace swept
