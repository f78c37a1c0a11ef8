// SPDX-License-Identifier: Apache-2.0
// Exports: derived fields, contacts and rows that a user has bound, copied out of the scratch of
// each tile into arrays of the whole batch.
//
//   derived field   [nenv, rows, cols]
//   contact.X       [nenv, capacity, cols]     records 0 .. ncon-1 are defined
//   efc_X           [nenv, capacity]           rows 0 .. nefc-1 are defined
//   efc_J, its colind [nenv, capacity]         entries 0 .. nnz-1
//
// A list array grows when a tile has more entries than it holds; entries already there are kept.
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include <swept/batch.h>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"

namespace swept::SWEPT_NS {

class Exports {
 public:
  Exports(const Sizes& sizes, const Layout& layout, int nenv);

  /// The array of a name, made if it is new; data is null if there is no such name. `capacity` says
  /// how long lists are at least.
  FieldInfo bind(std::string_view name, const Capacity& capacity);
  static std::vector<std::string> names();

  /// Stop filling a name; its array goes. False if it was not bound.
  bool unbind(std::string_view name);
  /// Names of what is bound, in alphabetical order.
  std::vector<std::string> bound() const;

  /// Make the lists long enough for tiles whose buffers have this capacity. Nothing in the queue
  /// may still copy into a list that moves.
  void make_room(const Capacity& room);
  /// Copy what is bound for the environments of a tile. `tile` is the host's copy of the table at
  /// `t`; make_room() of its capacity has been called.
  void run(const Context& ctx, const Tile& tile, const Tile* t);

  bool empty() const;
  std::size_t bytes() const;
  /// Bytes per environment of what is bound, if lists have room for `capacity`.
  std::size_t bytes_per_env(const Capacity& capacity) const;
  /// Bytes that bind() of a name, or run(), will ask for.
  std::size_t bytes_to_bind(std::string_view name, const Capacity& capacity) const;
  std::size_t bytes_to_reach(const Capacity& room) const;

 private:
  enum class Kind {
    derived,
    contact_real,
    contact_int,
    row_real,
    row_int,
    nonzero_real,
    nonzero_int
  };

  /// A list of the rows' view.
  template <class T>
  using RowList = T* RowsView::*;

  /// Where a name stands in the scratch.
  struct Source {
    Kind kind = Kind::derived;
    int offset = 0;  ///< derived: in the layout; contact: in the record
    int rows = 1;    ///< derived only
    int cols = 1;    ///< numbers per row
    RowList<real> row_real = nullptr;
    RowList<int> row_int = nullptr;
  };
  struct Bound {
    Source source;
    int capacity = 0;  ///< entries per environment
    Buffer<real> reals;
    Buffer<int> ints;
  };

  static std::map<std::string, Source, std::less<>> make_sources(const Sizes& sizes,
                                                                 const Layout& layout);
  static int wanted(const Source& source, const Capacity& capacity);
  static bool holds_ints(Kind kind);
  static std::size_t entry_bytes(const Source& source);
  void reserve(Bound* bound, int capacity);
  void copy(const Context& ctx, const Tile& tile, const Tile* t, const Bound& bound) const;

  int nenv_;
  std::map<std::string, Source, std::less<>> sources_;
  std::map<std::string, Bound, std::less<>> bound_;
  mutable std::shared_mutex
      mutex_;  ///< shared while tiles copy, exclusive while arrays are made or moved
};

}  // namespace swept::SWEPT_NS
