// SPDX-License-Identifier: Apache-2.0
// Exports: a table of names made from the field tables, and one copy kernel per kind of source.
#include "kernels/engine/exports.h"

#include <algorithm>
#include <type_traits>

#include "kernels/base/launch.h"
#include "kernels/constrain/surface_velocity.h"

namespace swept::SWEPT_NS {

namespace {

/// Element i of a field in pack layout to target[env * n + i].
struct ExportDerived {
  const Tile* t;
  real* target;
  int offset;
  int n;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != 0) {
      return;
    }
    const real* source = t->data_at<real>(env / W, env % W).base + offset * W;
    real* out = target + static_cast<long long>(t->first + env) * n;
    for (int i = g.lane(); i < n; i += g.size()) {
      out[i] = source[i * W];
    }
  }
};

/// Columns [offset, offset + cols) of each contact record of `stride` numbers.
template <class T>
struct ExportContacts {
  const Tile* t;
  T* target;
  int offset;
  int cols;
  int capacity;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != 0) {
      return;
    }
    const ContactsAt contacts = t->contacts_at(env);
    T* out = target + static_cast<long long>(t->first + env) * capacity * cols;
    const int n = min_count(*contacts.ncon, capacity) * cols;
    for (int i = g.lane(); i < n; i += g.size()) {
      const int k = i / cols;
      if constexpr (std::is_floating_point_v<T>) {
        // what no stage writes may be left from a model with belts
        if (offset == ContactLayout::surfacevel && !moving_surfaces(t->model)) {
          out[i] = 0;
          continue;
        }
        out[i] =
            contacts
                .reals[(static_cast<long long>(k) * ContactLayout::nreal + offset + i % cols) * W];
      } else {
        out[i] = contacts.ints[(static_cast<long long>(k) * ContactLayout::nint + offset) * W];
      }
    }
  }

  static SWEPT_FN int min_count(int a, int b) { return a < b ? a : b; }
};

/// The first count[env] entries of an environment-major list.
template <class T>
struct ExportList {
  const Tile* t;
  T* target;
  const T* source;
  const int* count;
  int source_capacity;
  int capacity;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != 0) {
      return;
    }
    const T* in = source + static_cast<long long>(env) * source_capacity;
    T* out = target + static_cast<long long>(t->first + env) * capacity;
    const int n = count[env] < capacity ? count[env] : capacity;
    for (int i = g.lane(); i < n; i += g.size()) {
      out[i] = in[i];
    }
  }
};

/// An array with `width` elements per environment, made `wider`.
template <class T>
Buffer<T> widened(const Buffer<T>& old, int nenv, int width, int wider) {
  const std::size_t rows = static_cast<std::size_t>(nenv), from = static_cast<std::size_t>(width),
                    to = static_cast<std::size_t>(wider);
  Buffer<T> grown(rows * to);
  copy_runs<T>(grown.data(), to, old.data(), from, from, rows);
  return grown;
}

constexpr Scalar real_scalar = sizeof(real) == 4 ? Scalar::f32 : Scalar::f64;

/// The sizes under the names that the field table uses, for shapes.
struct Shapes : Sizes {
  template <class Visit>
  void each(const Layout& at, const Visit& visit) const {
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) visit(#name, at.name, rows, cols);
#include <swept/fields/derived.def>
#undef SWEPT_DERIVED
  }
};

}  // namespace

std::map<std::string, Exports::Source, std::less<>> Exports::make_sources(const Sizes& sizes,
                                                                          const Layout& layout) {
  std::map<std::string, Source, std::less<>> sources;
  Shapes{sizes}.each(layout, [&](const char* name, int offset, int rows, int cols) {
    sources[name] = {Kind::derived, offset, rows, cols, nullptr, nullptr};
  });
#define SWEPT_CONTACT_REAL(name, cols, unit, meaning) \
  sources["contact." #name] = {Kind::contact_real, ContactLayout::name, 1, cols, nullptr, nullptr};
#define SWEPT_CONTACT_INT(name, meaning) \
  sources["contact." #name] = {          \
      Kind::contact_int, ContactLayout::int_##name, 1, 1, nullptr, nullptr};
#include "kernels/base/fields_contact.def"
#undef SWEPT_CONTACT_REAL
#undef SWEPT_CONTACT_INT
#define SWEPT_ROW_REAL(name, unit, meaning) \
  sources[#name] = {Kind::row_real, 0, 1, 1, &RowsView::name, nullptr};
#define SWEPT_ROW_INT(name, meaning) \
  sources[#name] = {Kind::row_int, 0, 1, 1, nullptr, &RowsView::name};
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
  sources["efc_J"] = {Kind::nonzero_real, 0, 1, 1, &RowsView::efc_J, nullptr};
  sources["efc_J_colind"] = {Kind::nonzero_int, 0, 1, 1, nullptr, &RowsView::efc_J_colind};
  return sources;
}

std::vector<std::string> Exports::names() {
  std::vector<std::string> names;
  for (const auto& [name, source] : make_sources({}, {})) {
    names.push_back(name);
  }
  return names;
}

Exports::Exports(const Sizes& sizes, const Layout& layout, int nenv)
    : nenv_(nenv), sources_(make_sources(sizes, layout)) {}

int Exports::wanted(const Source& source, const Capacity& capacity) {
  switch (source.kind) {
    case Kind::derived:
      return source.rows;
    case Kind::contact_real:
    case Kind::contact_int:
      return capacity.contacts;
    case Kind::row_real:
    case Kind::row_int:
      return capacity.rows;
    case Kind::nonzero_real:
    case Kind::nonzero_int:
      return capacity.nonzeros;
  }
  return 0;
}

bool Exports::holds_ints(Kind kind) {
  return kind == Kind::contact_int || kind == Kind::row_int || kind == Kind::nonzero_int;
}

std::size_t Exports::entry_bytes(const Source& source) {
  return static_cast<std::size_t>(source.cols) *
         (holds_ints(source.kind) ? sizeof(int) : sizeof(real));
}

void Exports::reserve(Bound* bound, int capacity) {
  if (capacity <= bound->capacity) {
    return;
  }
  const int cols = bound->source.cols;
  if (holds_ints(bound->source.kind)) {
    bound->ints = widened(bound->ints, nenv_, bound->capacity * cols, capacity * cols);
  } else {
    bound->reals = widened(bound->reals, nenv_, bound->capacity * cols, capacity * cols);
  }
  bound->capacity = capacity;
}

FieldInfo Exports::bind(std::string_view name, const Capacity& capacity) {
  const auto source = sources_.find(name);
  if (source == sources_.end()) {
    return {};
  }
  const std::unique_lock lock(mutex_);
  const auto [place, is_new] =
      bound_.try_emplace(std::string(name), Bound{source->second, 0, {}, {}});
  Bound& bound = place->second;
  try {
    reserve(&bound, std::max(1, wanted(bound.source, capacity)));
  } catch (...) {
    if (is_new) {
      bound_.erase(place);
    }
    throw;
  }

  FieldInfo info;
  const bool ints = bound.reals.data() == nullptr;
  info.data = ints ? static_cast<void*>(bound.ints.data()) : static_cast<void*>(bound.reals.data());
  info.scalar = ints ? Scalar::i32 : real_scalar;
  const bool derived = bound.source.kind == Kind::derived;
  info.shape = {nenv_, derived ? bound.source.rows : bound.capacity, bound.source.cols};
  info.stride = {static_cast<std::int64_t>(bound.capacity) * bound.source.cols, bound.source.cols,
                 1};
  info.on_device = memory_on_device;
  return info;
}

bool Exports::unbind(std::string_view name) {
  const std::unique_lock lock(mutex_);
  const auto bound = bound_.find(name);
  if (bound == bound_.end()) {
    return false;
  }
  bound_.erase(bound);
  return true;
}

std::vector<std::string> Exports::bound() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, bound] : bound_) {
    names.push_back(name);
  }
  return names;
}

bool Exports::empty() const {
  const std::shared_lock lock(mutex_);
  return bound_.empty();
}

std::size_t Exports::bytes() const {
  const std::shared_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [name, bound] : bound_) {
    bytes += bound.reals.bytes() + bound.ints.bytes();
  }
  return bytes;
}

std::size_t Exports::bytes_per_env(const Capacity& capacity) const {
  const std::shared_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [name, bound] : bound_) {
    const int entries = std::max(1, wanted(bound.source, capacity));
    bytes += static_cast<std::size_t>(entries) * entry_bytes(bound.source);
  }
  return bytes;
}

std::size_t Exports::bytes_to_bind(std::string_view name, const Capacity& capacity) const {
  const std::shared_lock lock(mutex_);
  const auto source = sources_.find(name);
  if (source == sources_.end() || bound_.find(name) != bound_.end()) {
    return 0;
  }
  const int entries = std::max(1, wanted(source->second, capacity));
  return static_cast<std::size_t>(nenv_) * static_cast<std::size_t>(entries) *
         entry_bytes(source->second);
}

std::size_t Exports::bytes_to_reach(const Capacity& room) const {
  const std::shared_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [name, bound] : bound_) {
    const int entries = wanted(bound.source, room);
    if (bound.source.kind != Kind::derived && entries > bound.capacity) {
      bytes += static_cast<std::size_t>(nenv_) * static_cast<std::size_t>(entries) *
               entry_bytes(bound.source);
    }
  }
  return bytes;
}

void Exports::make_room(const Capacity& room) {
  const std::unique_lock lock(mutex_);
  for (auto& [name, bound] : bound_) {
    if (bound.source.kind != Kind::derived) {
      reserve(&bound, wanted(bound.source, room));
    }
  }
}

void Exports::run(const Context& ctx, const Tile& tile, const Tile* t) {
  const std::shared_lock lock(mutex_);
  for (const auto& [name, bound] : bound_) {
    copy(ctx, tile, t, bound);
  }
}

void Exports::copy(const Context& ctx, const Tile& tile, const Tile* t, const Bound& bound) const {
  const Source& s = bound.source;
  const int cap = bound.capacity;
  const RowsView& rows = tile.rows;
  switch (s.kind) {
    case Kind::derived:
      launch_envs<8>("export", ctx, tile.nenv,
                     ExportDerived{t, bound.reals.data(), s.offset, s.rows * s.cols});
      break;
    case Kind::contact_real:
      launch_envs<8>("export", ctx, tile.nenv,
                     ExportContacts<real>{t, bound.reals.data(), s.offset, s.cols, cap});
      break;
    case Kind::contact_int:
      launch_envs<8>("export", ctx, tile.nenv,
                     ExportContacts<int>{t, bound.ints.data(), s.offset, s.cols, cap});
      break;
    case Kind::row_real:
      launch_envs<8>(
          "export", ctx, tile.nenv,
          ExportList<real>{t, bound.reals.data(), rows.*s.row_real, rows.nefc, rows.capacity, cap});
      break;
    case Kind::row_int:
      launch_envs<8>(
          "export", ctx, tile.nenv,
          ExportList<int>{t, bound.ints.data(), rows.*s.row_int, rows.nefc, rows.capacity, cap});
      break;
    case Kind::nonzero_real:
      launch_envs<8>("export", ctx, tile.nenv,
                     ExportList<real>{t, bound.reals.data(), rows.*s.row_real, rows.nnz,
                                      rows.capacity_nnz, cap});
      break;
    case Kind::nonzero_int:
      launch_envs<8>(
          "export", ctx, tile.nenv,
          ExportList<int>{t, bound.ints.data(), rows.*s.row_int, rows.nnz, rows.capacity_nnz, cap});
      break;
  }
}

}  // namespace swept::SWEPT_NS
