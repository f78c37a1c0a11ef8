// SPDX-License-Identifier: Apache-2.0
// Journals that were cut off or damaged at any byte: whole rows stay, the rest does not count.
#include "tools/swept/sweep/journal.h"
#include "cli/command.h"
#include "tools/swept/sweep/parts.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace swept::cli {
namespace {

using test::read_file;
using test::write_file;

constexpr std::size_t numbers = 3;

// rows with numbers of all sizes, and some that are none
std::vector<Row> some_rows(int count) {
  std::mt19937_64 random(5);
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    Row row{7 * i, {}, i % 3 == 0 ? 66 : 0};
    for (std::size_t k = 0; k < numbers; ++k) {
      double number = 0;
      do {
        const std::uint64_t bits = random();
        std::memcpy(&number, &bits, sizeof number);
      } while (std::isnan(number));
      row.numbers.push_back(i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : number);
    }
    rows.push_back(row);
  }
  return rows;
}

void expect_same(const std::vector<Row>& rows, const std::vector<Row>& wanted, std::size_t count) {
  ASSERT_EQ(rows.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(rows[i].combination, wanted[i].combination);
    EXPECT_EQ(rows[i].status, wanted[i].status);
    ASSERT_EQ(rows[i].numbers.size(), numbers);
    EXPECT_EQ(std::memcmp(rows[i].numbers.data(), wanted[i].numbers.data(), 8 * numbers), 0) << i;
  }
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Journal, GivesBackTheBitsOfItsRows) {
  const std::string path = write_file("bits.journal", "");
  const std::vector<Row> rows = some_rows(40);
  {
    Journal journal(path, "x", numbers);
    journal.append({rows.begin(), rows.begin() + 11});
    journal.append({rows.begin() + 11, rows.end()});
  }
  expect_same(read_journal(path, "x", numbers), rows, 40);
}

TEST(Journal, CutAtAnyByteItKeepsWholeRowsAndGoesOn) {
  const std::string path = write_file("cut.journal", "");
  const std::vector<Row> rows = some_rows(6);
  {
    Journal journal(path, "x", numbers);
    journal.append(rows);
  }
  const std::string whole = read_file(path);
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    const std::string cut = write_file("cut.journal", whole.substr(0, bytes));
    const std::size_t lines = count_lines(whole.substr(0, bytes));
    const std::size_t kept = lines == 0 ? 0 : lines - 1;  // the first line is the header
    expect_same(read_journal(cut, "x", numbers), rows, kept);
    {
      Journal journal(cut, "x", numbers);
      journal.append({rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end()});
    }
    ASSERT_EQ(read_file(cut), whole) << bytes << " bytes";
  }
}

TEST(Journal, ADamagedRowAndAllBehindItDoNotCount) {
  const std::string path = write_file("damaged.journal", "");
  const std::vector<Row> rows = some_rows(6);
  {
    Journal journal(path, "x", numbers);
    journal.append(rows);
  }
  const std::string whole = read_file(path);
  const std::size_t header = whole.find('\n') + 1;
  for (std::size_t at = header; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    const std::size_t kept = count_lines(whole.substr(header, at - header));
    // the end of a row that is gone makes one long row of two
    expect_same(read_journal(write_file("damaged.journal", damaged), "x", numbers), rows, kept);
  }
}

TEST(Journal, OneProcessAtATimeAndOneSweepOnly) {
  const std::string path = write_file("locked.journal", "");
  {
    Journal journal(path, "x", numbers);
    try {
      Journal second(path, "x", numbers);
      FAIL() << "opened twice";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("another process works"), std::string::npos);
    }
  }
  EXPECT_THROW(Journal(path, "y", numbers), Error);
  EXPECT_THROW(read_journal(path, "y", numbers), Error);
  EXPECT_TRUE(read_journal(path + ".not", "x", numbers).empty());
  EXPECT_THROW(Journal("/no/such/folder/journal", "x", numbers), Error);
}

TEST(Journal, KnowsWhenItsFileIsGone) {
  const std::string path = write_file("gone.journal", "");
  Journal journal(path, "x", numbers);
  EXPECT_TRUE(journal.is_there());
  std::filesystem::remove(path);
  EXPECT_FALSE(journal.is_there());
}

TEST(Parts, UniteTheRowsOfAllShardsAndRefuseContradictions) {
  const std::string table = write_file("united.csv", "");
  const Parts parts(table, "x", numbers);
  std::vector<Row> rows = some_rows(9);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].combination = static_cast<std::int64_t>(i);
  }
  for (std::int64_t shard = 1; shard <= 2; ++shard) {
    Journal journal(parts.journal({shard, 2}), "x", numbers);
    for (std::size_t i = static_cast<std::size_t>(shard - 1); i < 8; i += 2) {
      journal.append({rows[i]});
    }
  }
  {
    // another division of the same sweep; a row that is there twice is one row
    Journal journal(parts.journal({1, 3}), "x", numbers);
    journal.append({rows[3]});
  }
  const Parts::Rows united = parts.read(9);
  EXPECT_EQ(united.found, 8);
  expect_same({united.by_combination.begin(), united.by_combination.begin() + 8}, rows, 8);
  EXPECT_TRUE(united.by_combination[8].numbers.empty());
  EXPECT_THROW(parts.read(7), Error) << "a combination that there is not";
  {
    Journal journal(parts.journal({1, 3}), "x", numbers);
    Row other = rows[4];
    other.numbers[0] = 0.5;
    journal.append({other});
  }
  EXPECT_THROW(parts.read(9), Error);
  parts.remove();
  EXPECT_EQ(parts.read(9).found, 0);
}

}  // namespace
}  // namespace swept::cli
