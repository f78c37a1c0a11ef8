// SPDX-License-Identifier: Apache-2.0
// Attribute types and values: what a type admits, and text turned into checked numbers or keywords.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// The type of an attribute. Its short spelling, used in the grammar tables:
///   s            a string
///   r3  i2       exactly so many reals, integers
///   r<3          1 to 3 reals
///   r*  i*       any number of them
///   a|b|c        one of these keywords; the position is the value
///   +a|b|c       a list of these keywords
///   m            an amount of memory, such as 16M
/// A final '!' makes the attribute required.
struct ValueType {
  enum Kind { text, real, integer, keyword, keywords, memory };
  Kind kind = text;
  int least = 1;
  int most = 1;  ///< -1: no bound
  std::vector<std::string_view> words;
  bool required = false;

  /// From the short spelling, which must outlive the type.
  static ValueType parse(std::string_view spelling);

  /// What the type expects, for messages: "3 numbers", "one of: free, ball, slide, hinge".
  std::string describe() const;
};

/// A value that was checked against its type.
struct Value {
  std::string_view text;
  std::vector<double> numbers;  ///< reals and integers
  int keyword = -1;             ///< position in ValueType::words

  /// An empty list of numbers counts as not given.
  bool given = true;
};

/// Reads text as a value of a type. Returns what is wrong with it, or an empty string.
std::string read_value(std::string_view text, const ValueType& type, Value* value);

/// Numbers in single precision, each rounded once from its text. The text was read as reals before.
std::vector<float> read_floats(std::string_view text);

/// Splits at white space.
std::vector<std::string_view> split(std::string_view text);

/// Splits at a character.
std::vector<std::string_view> split(std::string_view text, char at);

/// The candidate nearest to a word by edit distance, or an empty string if none is near.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// A number in its shortest spelling that reads back to the same bits.
std::string shortest(double number);

}  // namespace swept::load_detail
