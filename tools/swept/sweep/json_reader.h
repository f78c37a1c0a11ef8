// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects, each read once, with errors that name the file and the member.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace swept::cli {

using Json = nlohmann::ordered_json;

/// Parse a file. Throws Error if it cannot be opened or is no JSON, with the line, and for a member
/// that stands twice in an object.
Json read_json(const std::string& path);

/// An object of a file. Every member that is looked for counts as known; finish() refuses others.
class JsonReader {
 public:
  /// Throws Error if `json` is no object. `place` is where it stands, such as "measures[2]"; empty:
  /// the whole file. The JSON has to outlive the reader.
  JsonReader(const Json& json, std::string file, std::string place);

  /// The member, or null.
  const Json* find(const std::string& name);
  bool has(const std::string& name) { return find(name) != nullptr; }

  /// The member as what the function is called after. Throws Error if it is missing or another
  /// thing; those with `otherwise` give that instead of a missing one.
  std::string text(const std::string& name);
  std::string text(const std::string& name, const std::string& otherwise);
  double number(const std::string& name);
  double number(const std::string& name, double otherwise);
  std::int64_t whole(const std::string& name, std::int64_t low);
  std::int64_t whole(const std::string& name, std::int64_t low, std::int64_t otherwise);
  std::vector<double> numbers(const std::string& name);  ///< not empty
  /// A text or a whole number, or a list of them, as texts; empty if missing.
  std::vector<std::string> labels(const std::string& name);
  /// One of some words. `otherwise` is empty: the member is needed.
  std::string word(const std::string& name, const std::vector<std::string>& words,
                   const std::string& otherwise);

  /// Throws Error if there is a member that nobody looked for.
  void finish() const;
  /// Throw an Error at the member, or at the object if the name is empty.
  [[noreturn]] void fail(const std::string& name, const std::string& problem,
                         const std::string& remedy) const;
  /// Where a member stands.
  std::string place_of(const std::string& name) const;
  const std::string& file() const { return file_; }

 private:
  const Json& needed(const std::string& name);

  const Json& json_;
  std::string file_, place_;
  std::vector<std::string> known_;
};

}  // namespace swept::cli
