// SPDX-License-Identifier: Apache-2.0
// Counts the 32-byte sectors of memory that neighbouring lanes touch together. A CPU stands in for
// the warp: the build makes a pack one lane (SWEPT_ONE_LANE) and reports every access through an
// accessor (SWEPT_TRACE); each lane runs alone, and the n-th accesses of all lanes are what a warp
// would do at once. A field of scratch costs 4 sectors in f32 and 8 in f64, a shared number one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/host_tile.h"

namespace swept::SWEPT_NS {

/// How a field lies in memory, and with it how many sectors an access may cost.
enum class Lie {
  shared,    ///< one for all environments
  packed,    ///< neighbouring lanes are neighbours
  own_list,  ///< a list per environment: each lane is elsewhere
};

/// A piece of memory with a name.
struct Span {
  std::uintptr_t first, last;
  std::string name;
  Lie lie;
};

/// One access of one lane.
struct Touch {
  std::uintptr_t place;
  int bytes;
};

/// The accesses of the lane that runs; null: nobody counts.
inline std::vector<Touch>* touches = nullptr;

inline void touched(const volatile void* place, int bytes) {
  if (touches != nullptr) {
    touches->push_back({reinterpret_cast<std::uintptr_t>(place), bytes});
  }
}

/// What a stage does to a field.
struct Cost {
  Lie lie = Lie::shared;
  int bytes = 0;     ///< of an element
  int accesses = 0;  ///< of one lane
  int sectors = 0;   ///< the most that an access of all lanes touched
};

/// The names of all memory of a tile.
class Map {
 public:
  Map(const ModelArrays& scene, const HostTile& tile) : tile_(*tile.get()), names_(names_of(tile)) {
    const ModelView& view = tile_.model;
#define SWEPT_MODEL_INT(name, rows, cols, meaning) \
  add<int>(#name, view.name, scene.name.size(), Lie::shared);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning)                                       \
  add<real>(#name, view.name.p, scene.name.size() * static_cast<std::size_t>(lanes(view.name)), \
            view.name.n == 0 ? Lie::shared : Lie::packed);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
    const std::size_t n = static_cast<std::size_t>(tile_.nblocks * W);
    const auto times = [n](int count) { return n * static_cast<std::size_t>(count); };
    const ContactsView& contacts = tile_.contacts;
    add<real>("contact (reals)", contacts.reals, times(contacts.capacity * ContactLayout::nreal),
              Lie::packed);
    add<int>("contact (ints)", contacts.ints, times(contacts.capacity * ContactLayout::nint),
             Lie::packed);
    add<int>("ncon", contacts.ncon, n, Lie::packed);
    const PairsView& pairs = tile_.pairs;
    add<int>("pairs.pair", pairs.pair, times(pairs.capacity * PairsView::entry_ints),
             Lie::own_list);
    add<int>("pairs.single", pairs.single, times(pairs.capacity), Lie::own_list);
    add<int>("pairs.singles", pairs.singles, n, Lie::packed);
    add<real>("hits", tile_.hits.reals, times(tile_.hits.capacity * HitsView::nreal), Lie::packed);
    add<unsigned>("pairs.mask", pairs.mask, times(pairs.capacity), Lie::own_list);
    add<int>("pairs.count", pairs.count, n, Lie::packed);
    const RowsView& rows = tile_.rows;
#define SWEPT_ROW_REAL(name, unit, meaning) \
  add<real>(#name, rows.name, times(rows.capacity), Lie::own_list);
#define SWEPT_ROW_INT(name, meaning) \
  add<int>(#name, rows.name, times(rows.capacity), Lie::own_list);
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    add<real>("efc_J", rows.efc_J, times(rows.capacity_nnz), Lie::own_list);
    add<int>("efc_J_colind", rows.efc_J_colind, times(rows.capacity_nnz), Lie::own_list);
    add<int>("nefc", rows.nefc, n, Lie::packed);
    add<int>("nnz", rows.nnz, n, Lie::packed);
    add<int>("frozen", tile_.frozen, n, Lie::packed);
    add<int>("settled", tile_.settled, n, Lie::packed);
  }

  /// The field that a place belongs to; an empty name if it is none of the tile's.
  std::pair<std::string, Lie> find(std::uintptr_t place) const {
    const std::uintptr_t scratch = reinterpret_cast<std::uintptr_t>(tile_.scratch);
    const std::uintptr_t element = (place - scratch) / sizeof(real) / W;
    const std::uintptr_t size = static_cast<std::uintptr_t>(tile_.layout.size);
    if (place >= scratch && element < size * static_cast<std::uintptr_t>(tile_.nblocks)) {
      return {std::prev(names_.upper_bound(static_cast<int>(element % size)))->second, Lie::packed};
    }
    for (const Span& span : spans_) {
      if (place >= span.first && place < span.last) {
        return {span.name, span.lie};
      }
    }
    return {"", Lie::shared};
  }

 private:
  int lanes(Param f) const {
    return f.n == 0 ? 1 : tile_.nblocks * W;
  }

  template <class T>
  void add(const char* name, const T* first, std::size_t count, Lie lie) {
    const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(first);
    spans_.push_back({place, place + count * sizeof(T), name, lie});
  }

  static std::map<int, std::string> names_of(const HostTile& tile) {
    std::map<int, std::string> names;
    const Layout& at = tile.get()->layout;
    const auto add = [&](const char* name, int Layout::*field) {
      if (tile.count(field) > 0) {
        names[at.*field] = name;
      }
    };
#define SWEPT_STATE(name, rows, cols, unit, meaning) add(#name, &Layout::name);
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) add(#name, &Layout::name);
#define SWEPT_SCRATCH(name, rows, cols, meaning) add(#name, &Layout::name);
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
#include <swept/fields/state.def>
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
    return names;
  }

  const Tile& tile_;
  std::map<int, std::string> names_;  ///< by the place in the layout
  std::vector<Span> spans_;
};

/// Sectors that the n-th access of all lanes touches.
inline int sectors_of(const std::vector<std::vector<Touch>>& lanes, std::size_t n) {
  constexpr std::uintptr_t sector = 32;
  std::set<std::uintptr_t> sectors;
  for (const std::vector<Touch>& lane : lanes) {
    for (std::uintptr_t p = lane[n].place / sector;
         p <= (lane[n].place + static_cast<std::uintptr_t>(lane[n].bytes) - 1) / sector; ++p) {
      sectors.insert(p);
    }
  }
  return static_cast<int>(sectors.size());
}

}  // namespace swept::SWEPT_NS
