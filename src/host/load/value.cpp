// SPDX-License-Identifier: Apache-2.0
// Reading attribute values: numbers by std::from_chars, so that they do not depend on the locale.
#include "host/load/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace swept::load_detail {
namespace {

constexpr std::string_view spaces = " \t\r\n\f\v";

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  return "'" + std::string(word.substr(0, longest)) + (word.size() > longest ? "…'" : "'");
}

/// Reads one number; returns what is wrong with it, or an empty string.
std::string read_number(std::string_view word, ValueType::Kind kind, double* number) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') {
    digits.remove_prefix(1);
  }
  const char* const end = digits.data() + digits.size();
  if (kind == ValueType::integer) {
    long long integer = 0;
    const auto [stop, code] = std::from_chars(digits.data(), end, integer);
    const bool fits =
        integer >= std::numeric_limits<int>::min() && integer <= std::numeric_limits<int>::max();
    if (stop != end || code == std::errc::invalid_argument) {
      return quoted(word) + " is no integer";
    }
    if (code != std::errc() || !fits) {
      return quoted(word) + " is too large for a 32-bit integer";
    }
    *number = static_cast<double>(integer);
    return {};
  }
  const auto [stop, code] = std::from_chars(digits.data(), end, *number);
  if (stop != end || code == std::errc::invalid_argument) {
    return quoted(word) + " is no number";
  }
  if (code == std::errc::result_out_of_range) {
    // too small becomes zero or subnormal, too large is caught below
    *number = std::strtod(std::string(digits).c_str(), nullptr);
  }
  if (!std::isfinite(*number)) {
    return quoted(word) + " is not a finite number";
  }
  return {};
}

std::string read_numbers(std::string_view text, const ValueType& type, Value* value) {
  const std::vector<std::string_view> parts = split(text);
  value->given = !parts.empty();
  if (!value->given) {
    return {};
  }
  const int count = static_cast<int>(parts.size());
  if (count < type.least || (type.most >= 0 && count > type.most)) {
    return "has " + std::to_string(count) + (count == 1 ? " number" : " numbers") + ", expected " +
           type.describe();
  }
  value->numbers.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::string wrong = read_number(parts[i], type.kind, &value->numbers[i]); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

std::string read_keyword(std::string_view text, const ValueType& type, Value* value) {
  const auto found = std::find(type.words.begin(), type.words.end(), text);
  if (found == type.words.end()) {
    return quoted(text) + " is not " + type.describe();
  }
  value->keyword = static_cast<int>(found - type.words.begin());
  return {};
}

std::string read_keywords(std::string_view text, const ValueType& type) {
  for (const std::string_view word : split(text)) {
    if (std::find(type.words.begin(), type.words.end(), word) == type.words.end()) {
      return quoted(word) + " is not " + type.describe();
    }
  }
  return {};
}

std::string read_memory(std::string_view text) {
  std::string_view digits = text;
  if (digits == "-1") {
    return {};
  }
  if (!digits.empty() && std::string_view("KMGTPEkmgtpe").find(digits.back()) != digits.npos) {
    digits.remove_suffix(1);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
    return quoted(text) + " is no amount of memory, such as 16M";
  }
  return {};
}

}  // namespace

ValueType ValueType::parse(std::string_view spelling) {
  ValueType type;
  if (spelling.ends_with('!')) {
    type.required = true;
    spelling.remove_suffix(1);
  }
  if (spelling == "s") {
    return type;
  }
  if (spelling == "m") {
    type.kind = memory;
    return type;
  }
  const bool numeric = spelling.size() >= 2 && (spelling[0] == 'r' || spelling[0] == 'i') &&
                       spelling.find_first_not_of("0123456789<*", 1) == spelling.npos;
  if (!numeric) {
    type.kind = spelling.starts_with('+') ? keywords : keyword;
    spelling.remove_prefix(type.kind == keywords ? 1 : 0);
    type.words = split(spelling, '|');
    return type;
  }
  type.kind = spelling[0] == 'r' ? real : integer;
  spelling.remove_prefix(1);
  if (spelling == "*") {
    type.most = -1;
    return type;
  }
  const bool up_to = spelling.starts_with('<');
  spelling.remove_prefix(up_to ? 1 : 0);
  std::from_chars(spelling.data(), spelling.data() + spelling.size(), type.most);
  type.least = up_to ? 1 : type.most;
  return type;
}

std::string ValueType::describe() const {
  const std::string noun = kind == integer ? "integer" : "number";
  switch (kind) {
    case text:
      return "a string";
    case memory:
      return "an amount of memory";
    case keyword:
    case keywords: {
      std::string list = kind == keyword ? "one of: " : "among: ";
      for (std::size_t i = 0; i < words.size(); ++i) {
        list += (i > 0 ? ", " : "") + std::string(words[i]);
      }
      return list;
    }
    case real:
    case integer:
      break;
  }
  if (most < 0) {
    return noun + "s";
  }
  if (least == most) {
    return std::to_string(most) + " " + noun + (most == 1 ? "" : "s");
  }
  return std::to_string(least) + " to " + std::to_string(most) + " " + noun + "s";
}

std::string read_value(std::string_view text, const ValueType& type, Value* value) {
  *value = Value{};
  value->text = text;
  switch (type.kind) {
    case ValueType::text:
      return {};
    case ValueType::real:
    case ValueType::integer:
      return read_numbers(text, type, value);
    case ValueType::keyword:
      return read_keyword(text, type, value);
    case ValueType::keywords:
      return read_keywords(text, type);
    case ValueType::memory:
      return read_memory(text);
  }
  return {};
}

std::vector<float> read_floats(std::string_view text) {
  std::vector<float> numbers;
  for (std::string_view word : split(text)) {
    word.remove_prefix(word.starts_with('+') ? 1 : 0);
    float number = 0.0F;
    if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc()) {
      // too large becomes infinite, too small zero or subnormal
      number = std::strtof(std::string(word).c_str(), nullptr);
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t at = text.find_first_not_of(spaces);
  while (at != text.npos) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
  return parts;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t longest = 60;
  if (word.size() > longest) {
    return {};
  }
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  std::vector<std::size_t> row;
  for (const std::string_view candidate : candidates) {
    // edit distance, one row at a time
    row.resize(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0]++;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t replaced = diagonal + (word[i] == candidate[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return std::string(best);
}

std::string shortest(double number) {
  char buffer[32];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), number);
  return code == std::errc() ? std::string(buffer, end) : std::to_string(number);
}

}  // namespace swept::load_detail
