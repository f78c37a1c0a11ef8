// SPDX-License-Identifier: Apache-2.0
// The table of a parity run: per scene and precision the largest difference of every column against
// the column's pair of bars {f64, f32}. A cell above its bar fails the test and says where it was.
//
//   Table table("stages", {{"kinematics", {1e-12, 1e-5}}, {"inertia", {1e-12, 1e-5}}});
//   table.add("ant", "inertia", Bar::f64, 3e-16, [&] { return std::string("M[3] of state 7"); });
//   table.print();
//   table.expect_below_bars();
#pragma once

#include "support/near.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace swept::test {

/// What is compared, and the largest difference that passes.
struct Column {
  std::string name;
  Tolerance bars;
};

class Table {
 public:
  Table(std::string title, std::vector<Column> columns)
      : title_(std::move(title)), columns_(std::move(columns)) {}

  /// Notes a difference; `where` makes its description and is called only if it is the largest yet.
  template <class Where>
  void add(const std::string& scene, const std::string& column, Bar precision, double difference,
           const Where& where) {
    Cell& cell = row(scene, precision).cells[index_of(column)];
    cell.used = true;
    // written so that NaN counts as largest
    if (!(difference <= cell.largest)) {
      cell.largest = difference == difference ? difference : HUGE_VAL;
      cell.where = where();
    }
  }

  /// Notes a state that was left out because rounding decides its contacts.
  void excuse_edge(const std::string& scene, Bar precision) { ++row(scene, precision).edges; }

  /// Notes contacts that the two sides chose differently, or that are left out for that.
  void excuse_choice(const std::string& scene, Bar precision, int n = 1) {
    row(scene, precision).choices += n;
  }

  /// Notes a state whose solution was left out because a row of it has no inverse inertia.
  void excuse_rigid(const std::string& scene, Bar precision) { ++row(scene, precision).rigid; }

  /// How many states were left out because rounding decides their contacts, and how many contacts
  /// were chosen differently.
  int edges(Bar precision) const {
    int n = 0;
    for (const Row& r : rows_) {
      n += r.precision == precision ? r.edges : 0;
    }
    return n;
  }
  int choices(Bar precision) const {
    int n = 0;
    for (const Row& r : rows_) {
      n += r.precision == precision ? r.choices : 0;
    }
    return n;
  }

  /// One line per scene and precision, with the states that were left out, then the bars and the
  /// largest difference of all.
  void print() const {
    std::printf("\n%s: largest differences\n%-44s     ", title_.c_str(), "scene");
    for (const Column& column : columns_) {
      std::printf(" %10s", column.name.c_str());
    }
    std::printf("  edge rigid chosen\n");
    for (const Row& r : rows_) {
      std::printf("%-44s  %s", shortened(r.scene).c_str(), name_of(r.precision));
      for (const Cell& cell : r.cells) {
        print_number(cell);
      }
      std::printf("  %4d  %4d   %4d\n", r.edges, r.rigid, r.choices);
    }
    for (const Bar precision : {Bar::f64, Bar::f32}) {
      print_summary(precision);
    }
    std::fflush(stdout);
  }

  /// Fails the test for every cell above its bar.
  void expect_below_bars() const {
    for (const Row& r : rows_) {
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const double bar = columns_[c].bars.bar(r.precision);
        EXPECT_LE(r.cells[c].largest, bar) << r.scene << ", " << columns_[c].name << ", "
                                           << name_of(r.precision) << ": " << r.cells[c].where;
      }
    }
  }

 private:
  struct Cell {
    bool used = false;
    double largest = 0;
    std::string where;
  };
  struct Row {
    std::string scene;
    Bar precision;
    std::vector<Cell> cells;
    int edges = 0;
    int rigid = 0;
    int choices = 0;
  };

  static const char* name_of(Bar precision) { return precision == Bar::f64 ? "f64" : "f32"; }

  static std::string shortened(const std::string& name) {
    constexpr std::size_t widest = 44;
    return name.size() > widest ? ".." + name.substr(name.size() - widest + 2) : name;
  }

  static void print_number(const Cell& cell) {
    if (cell.used) {
      std::printf(" %10.1e", cell.largest);
    } else {
      std::printf(" %10s", "-");
    }
  }

  void print_summary(Bar precision) const {
    std::printf("%-44s  %s", "largest of all", name_of(precision));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Cell largest;
      for (const Row& r : rows_) {
        if (r.precision == precision && r.cells[c].used) {
          largest.used = true;
          largest.largest = std::max(largest.largest, r.cells[c].largest);
        }
      }
      print_number(largest);
    }
    std::printf("\n%-44s  %s", "bar", name_of(precision));
    for (const Column& column : columns_) {
      std::printf(" %10.1e", column.bars.bar(precision));
    }
    std::printf("\n");
  }

  std::size_t index_of(const std::string& column) const {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].name == column) {
        return c;
      }
    }
    ADD_FAILURE() << "the table has no column " << column;
    return 0;
  }

  Row& row(const std::string& scene, Bar precision) {
    for (Row& r : rows_) {
      if (r.scene == scene && r.precision == precision) {
        return r;
      }
    }
    return rows_.emplace_back(Row{scene, precision, std::vector<Cell>(columns_.size()), 0, 0});
  }

  std::string title_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace swept::test
