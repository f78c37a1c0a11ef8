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

  /// Copy what is bound for the environments of a tile. `tile` is the host's copy of the table at
  /// `t`, `room` the capacity of its buffers.
  void run(const Context& ctx, const Tile& tile, const Tile* t, const Capacity& room);

  bool empty() const;
  std::size_t bytes() const;

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
  void reserve(Bound* bound, int capacity);
  void copy(const Context& ctx, const Tile& tile, const Tile* t, const Bound& bound) const;

  int nenv_;
  std::map<std::string, Source, std::less<>> sources_;
  std::map<std::string, Bound, std::less<>> bound_;
  mutable std::shared_mutex
      mutex_;  ///< shared while tiles copy, exclusive while arrays are made or moved
};

}  // namespace swept::SWEPT_NS
