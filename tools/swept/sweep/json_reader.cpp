// SPDX-License-Identifier: Apache-2.0
// Types of members, and the sentences for what does not fit.
#include "tools/swept/sweep/json_reader.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace swept::cli {

namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw Error(Place{path, 0, {}}, "the sweep cannot be read",
                "give the path of a JSON file; swept sweep --help shows one");
  }
  return text.str();
}

// 1-based line of a byte
int line_of(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

}  // namespace

Json read_json(const std::string& path) {
  const std::string text = read_text(path);
  std::vector<std::set<std::string>> names;  // of the objects that are open
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      names.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      names.pop_back();
    } else if (event == Json::parse_event_t::key && !names.back().insert(parsed).second) {
      twice = parsed;
    }
    return true;
  };
  try {
    Json json = Json::parse(text, watch);
    if (!twice.empty()) {
      throw Error(Place{path, 0, {}}, fmt::format("member '{}' stands twice in one object", twice),
                  "keep one");
    }
    return json;
  } catch (const Json::parse_error& error) {
    throw Error(Place{path, line_of(text, error.byte), {}}, "this is no JSON",
                fmt::format("the parser says: {}", error.what()));
  }
}

JsonReader::JsonReader(const Json& json, std::string file, std::string place)
    : json_(json), file_(std::move(file)), place_(std::move(place)) {
  if (!json.is_object()) {
    fail("", fmt::format("an object is needed here, not {}", json.dump()), "write {...}");
  }
}

const Json* JsonReader::find(const std::string& name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
    known_.push_back(name);
  }
  const auto found = json_.find(name);
  return found == json_.end() ? nullptr : &*found;
}

const Json& JsonReader::needed(const std::string& name) {
  const Json* found = find(name);
  if (found == nullptr) {
    fail("", fmt::format("member '{}' is missing", name),
         "swept sweep --help shows what belongs into it");
  }
  return *found;
}

std::string JsonReader::text(const std::string& name) {
  const Json& json = needed(name);
  if (!json.is_string() || json.get_ref<const std::string&>().empty()) {
    fail(name, fmt::format("a text is needed, not {}", json.dump()), "write \"...\"");
  }
  return json;
}

std::string JsonReader::text(const std::string& name, const std::string& otherwise) {
  return has(name) ? text(name) : otherwise;
}

double JsonReader::number(const std::string& name) {
  const Json& json = needed(name);
  if (!json.is_number() || !std::isfinite(json.get<double>())) {
    fail(name, fmt::format("a number is needed, not {}", json.dump()), "write one");
  }
  return json;
}

double JsonReader::number(const std::string& name, double otherwise) {
  return has(name) ? number(name) : otherwise;
}

std::int64_t JsonReader::whole(const std::string& name, std::int64_t low) {
  const Json& json = needed(name);
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (!json.is_number_integer() || json.get<double>() < static_cast<double>(low) ||
      json.get<double>() > static_cast<double>(most)) {
    fail(name, fmt::format("a whole number from {} on is needed, not {}", low, json.dump()),
         "write one");
  }
  return json;
}

std::int64_t JsonReader::whole(const std::string& name, std::int64_t low, std::int64_t otherwise) {
  return has(name) ? whole(name, low) : otherwise;
}

std::vector<double> JsonReader::numbers(const std::string& name) {
  const Json& json = needed(name);
  const auto good = [](const Json& item) {
    return item.is_number() && std::isfinite(item.get<double>());
  };
  if (!json.is_array() || json.empty() || !std::all_of(json.begin(), json.end(), good)) {
    fail(name, fmt::format("a list of numbers is needed, not {}", json.dump()),
         "write [0.1, 0.2, 0.5]");
  }
  return json;
}

std::vector<std::string> JsonReader::labels(const std::string& name) {
  const Json* json = find(name);
  if (json == nullptr) {
    return {};
  }
  std::vector<std::string> found;
  const Json list = json->is_array() ? *json : Json::array({*json});
  for (const Json& item : list) {
    if (item.is_string()) {
      found.push_back(item);
    } else if (item.is_number_unsigned()) {
      found.push_back(item.dump());
    } else {
      fail(name, fmt::format("{} is neither a name nor a number from 0 on", item.dump()),
           "write one of them, or a list");
    }
  }
  if (found.empty()) {
    fail(name, "the list is empty", "name something, or leave it out, which means all");
  }
  return found;
}

std::string JsonReader::word(const std::string& name, const std::vector<std::string>& words,
                             const std::string& otherwise) {
  if (!otherwise.empty() && !has(name)) {
    return otherwise;
  }
  const Json& json = needed(name);
  if (!json.is_string() || std::find(words.begin(), words.end(), json) == words.end()) {
    fail(name, fmt::format("{} is not known here", json.dump()),
         fmt::format("use {}", fmt::join(words, ", ")));
  }
  return json;
}

void JsonReader::finish() const {
  for (const auto& [name, value] : json_.items()) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      fail("", fmt::format("member '{}' is not known here", name),
           fmt::format("use {}", fmt::join(known_, ", ")));
    }
  }
}

void JsonReader::fail(const std::string& name, const std::string& problem,
                      const std::string& remedy) const {
  throw Error(Place{file_, 0, name.empty() ? place_ : place_of(name)}, problem, remedy);
}

std::string JsonReader::place_of(const std::string& name) const {
  return place_.empty() ? name : place_ + "." + name;
}

}  // namespace swept::cli
