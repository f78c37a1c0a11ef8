// SPDX-License-Identifier: Apache-2.0
// The one exception type that bad input raises: where it is, what is wrong, and what to do about
// it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace swept {

/// Where in a scene something stands. An empty file or a line of 0 means "unknown".
struct Place {
  std::string file;     ///< path as it was opened, or the name given to a string
  int line = 0;         ///< 1-based line of the element
  std::string element;  ///< element path, such as "mujoco/worldbody/body[torso]/joint[hip]"
};

/// Bad input: a scene, an option or an argument that cannot be honoured.
/// what() reads "file:line: element: problem; remedy", without the parts that are unknown.
class Error : public std::runtime_error {
 public:
  /// An error that stands at no place in a file.
  ///   problem   what is wrong, lower case, with the offending name and value
  ///   remedy    what to do about it; may be empty
  explicit Error(std::string problem, std::string remedy = {})
      : Error(Place{}, std::move(problem), std::move(remedy)) {}

  /// An error at a place in a file.
  Error(Place place, std::string problem, std::string remedy = {})
      : std::runtime_error(compose(place, problem, remedy)),
        place_(std::move(place)),
        problem_(std::move(problem)),
        remedy_(std::move(remedy)) {}

  const std::string& file() const noexcept { return place_.file; }
  int line() const noexcept { return place_.line; }
  const std::string& element() const noexcept { return place_.element; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& remedy() const noexcept { return remedy_; }
  const Place& place() const noexcept { return place_; }

 private:
  static std::string compose(const Place& place, std::string_view problem,
                             std::string_view remedy) {
    std::string text;
    if (!place.file.empty()) {
      text += place.file;
      text += place.line > 0 ? ":" + std::to_string(place.line) + ": " : ": ";
    } else if (place.line > 0) {
      text += "line " + std::to_string(place.line) + ": ";
    }
    if (!place.element.empty()) {
      text += place.element + ": ";
    }
    text += problem;
    if (!remedy.empty()) {
      text += "; ";
      text += remedy;
    }
    return text;
  }

  Place place_;
  std::string problem_;
  std::string remedy_;
};

}  // namespace swept
