// SPDX-License-Identifier: Apache-2.0
// Setters for the grammar table: put<Joint, &Joint::armature> stores a value into that member.
#pragma once

#include "host/load/draft.h"
#include "host/load/value.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace swept::load_detail {

inline void assign(std::string* member, const Value& value) {
  *member = std::string(value.text);
}

inline void assign(double* member, const Value& value) {
  *member = value.numbers[0];
}

inline void assign(int* member, const Value& value) {
  *member = static_cast<int>(value.numbers[0]);
}

inline void assign(bool* member, const Value& value) {
  *member = value.keyword == 1;
}

/// Enumerators are in the order of the keywords.
template <class Enum>
requires std::is_enum_v<Enum>
void assign(Enum* member, const Value& value) {
  *member = static_cast<Enum>(value.keyword);
}

/// Fewer numbers than elements leave the rest as it was.
template <class T, std::size_t n>
void assign(std::array<T, n>* member, const Value& value) {
  std::transform(value.numbers.begin(), value.numbers.end(), member->begin(),
                 [](double number) { return static_cast<T>(number); });
}

inline void assign(std::vector<double>* member, const Value& value) {
  *member = value.numbers;
}

inline void assign(std::vector<int>* member, const Value& value) {
  member->resize(value.numbers.size());
  std::transform(value.numbers.begin(), value.numbers.end(), member->begin(),
                 [](double number) { return static_cast<int>(number); });
}

/// Single precision is read from the text, so that it is rounded once.
inline void assign(std::vector<float>* member, const Value& value) {
  *member = read_floats(value.text);
}

template <class T>
void assign(std::optional<T>* member, const Value& value) {
  member->emplace();
  assign(&**member, value);
}

/// Stores into a member of T.
template <class T, auto member>
void put(void* target, const Value& value) {
  assign(&(static_cast<T*>(target)->*member), value);
}

/// Stores an orientation of one kind into T::orientation.
template <class T, Orientation::Kind kind>
void put_orientation(void* target, const Value& value) {
  Orientation& orientation = static_cast<T*>(target)->orientation;
  orientation.kind = kind;
  std::copy(value.numbers.begin(), value.numbers.end(), orientation.numbers.begin());
}

}  // namespace swept::load_detail
