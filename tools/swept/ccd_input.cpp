// SPDX-License-Identifier: Apache-2.0
// Reading bodies and motions for `swept ccd`.
#include "tools/swept/ccd_input.h"

#include "src/host/load/mesh/mesh_file.h"

#include <swept/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

namespace swept::cli {

namespace {

using Json = nlohmann::json;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    throw Error(Place{path, 0, {}}, "cannot be read", "name a file that exists");
  }
  return content;
}

/// The vertices and facets of an OBJ file.
template <int D>
class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : path_(path) {
    std::istringstream text(content_of(path));
    std::string line;
    while (std::getline(text, line)) {
      ++line_;
      std::istringstream words(line);
      std::string keyword;
      words >> keyword;
      if (keyword == "v") {
        read_vertex(words);
      } else if (keyword == (D == 2 ? "l" : "f")) {
        read_element(words);
      }
    }
    if (facets.empty()) {
      line_ = 0;
      refuse(D == 2 ? "has no lines" : "has no faces",
             D == 2 ? "a polyline has lines 'v x y' and 'l 1 2 3'" : "a mesh has lines 'f 1 2 3'");
    }
  }

  std::vector<double> vertices;
  std::vector<int> facets;

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const {
    throw Error(Place{path_, line_, {}}, problem, remedy);
  }

  void read_vertex(std::istringstream& words) {
    for (int k = 0; k < D; ++k) {
      double x = 0;
      if (!(words >> x)) {
        refuse("a vertex without " + std::to_string(D) + " coordinates", "write 'v x y z'");
      }
      vertices.push_back(x);
    }
  }

  // a polyline as its segments, a polygon as a fan around its first corner
  void read_element(std::istringstream& words) {
    std::vector<int> corners;
    std::string word;
    while (words >> word) {
      corners.push_back(corner_of(word));
    }
    if (corners.size() < static_cast<std::size_t>(D)) {
      refuse("a facet of fewer than " + std::to_string(D) + " corners", "name more vertices");
    }
    for (std::size_t i = D - 1; i < corners.size(); ++i) {
      if (D == 3) {
        facets.push_back(corners[0]);
      }
      facets.insert(facets.end(), {corners[i - 1], corners[i]});
    }
  }

  // "7", "7/1/3" or "-1", which counts from the last vertex so far
  int corner_of(const std::string& word) const {
    long long number = 0;
    std::istringstream text(word);
    const auto count = static_cast<long long>(vertices.size() / D);
    text >> number;
    if (!text || number == 0 || number > count || number < -count) {
      refuse("no vertex '" + word + "' among " + std::to_string(count) + " so far",
             "numbers start at 1, and vertices stand before the facets that name them");
    }
    return static_cast<int>(number > 0 ? number - 1 : count + number);
  }

  std::string path_;
  int line_ = 0;
};

void check_keys(const Json& object, std::initializer_list<std::string_view> known,
                const std::string& where) {
  if (!object.is_object()) {
    throw Error(where + " is not an object", "write { ... }");
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw Error(where + " has '" + key + "', which means nothing here",
                  "see swept ccd --help for what it may have");
    }
  }
}

double number_of(const Json& value, const std::string& where) {
  if (!value.is_number()) {
    throw Error(where + " is not a number", "write a number");
  }
  return value.get<double>();
}

template <std::size_t N>
std::array<double, N> numbers_of(const Json& value, const std::string& where) {
  if (!value.is_array() || value.size() != N) {
    throw Error(where + " is not an array of " + std::to_string(N) + " numbers",
                "write [x, y, ...]");
  }
  std::array<double, N> numbers{};
  for (std::size_t i = 0; i < N; ++i) {
    numbers[i] = number_of(value[i], where);
  }
  return numbers;
}

template <int D>
ccd::Pose<D> pose_of(const Json& value, const std::string& where) {
  const char* const turn = D == 2 ? "angle" : "quaternion";
  check_keys(value, {"position", "rotation", turn}, where);
  ccd::Pose<D> pose;
  if (value.contains("position")) {
    pose.position = numbers_of<D>(value["position"], where + "/position");
  }
  if (value.contains("rotation") && value.contains(turn)) {
    throw Error(where + " has a rotation twice", "leave 'rotation' or '" + std::string(turn) + "'");
  }
  if (value.contains("rotation")) {
    const Json& rows = value["rotation"];
    if (!rows.is_array() || rows.size() != static_cast<std::size_t>(D)) {
      throw Error(where + "/rotation is not a matrix of rows", "write [[...], ...]");
    }
    for (int i = 0; i < D; ++i) {
      pose.rotation[i] = numbers_of<D>(rows[i], where + "/rotation");
    }
  } else if (value.contains(turn)) {
    const std::string place = where + "/" + turn;
    if constexpr (D == 2) {
      pose.rotation = ccd::rotation_of_angle(number_of(value[turn], place));
    } else {
      pose.rotation = ccd::rotation_of_quaternion(numbers_of<4>(value[turn], place));
    }
  }
  return pose;
}

template <int D>
ccd::Motion<D> motion_of(const Json& value, const std::string& where, double* thickness) {
  check_keys(value, {"from", "to", "velocity", "angular_velocity", "duration", "thickness"}, where);
  if (value.contains("thickness")) {
    *thickness = number_of(value["thickness"], where + "/thickness");
  }
  ccd::Pose<D> from;
  if (value.contains("from")) {
    from = pose_of<D>(value["from"], where + "/from");
  }
  const bool by_velocity = value.contains("velocity") || value.contains("angular_velocity");
  if (value.contains("to")) {
    if (by_velocity) {
      throw Error(where + " has 'to' and a velocity", "leave one of them");
    }
    return ccd::Motion<D>::between(from, pose_of<D>(value["to"], where + "/to"));
  }
  if (!by_velocity) {
    return ccd::Motion<D>::resting(from);
  }
  ccd::Vector<D> velocity{};
  ccd::Turn<D> turn{};
  if (value.contains("velocity")) {
    velocity = numbers_of<D>(value["velocity"], where + "/velocity");
  }
  if (value.contains("angular_velocity")) {
    const std::string place = where + "/angular_velocity";
    if constexpr (D == 2) {
      turn = number_of(value["angular_velocity"], place);
    } else {
      turn = numbers_of<3>(value["angular_velocity"], place);
    }
  }
  const double duration =
      value.contains("duration") ? number_of(value["duration"], where + "/duration") : 1;
  return ccd::Motion<D>::with_velocity(from, velocity, turn, duration);
}

std::string suffix_of(const std::string& path) {
  std::string suffix = path.substr(std::min(path.size(), path.find_last_of('.')));
  for (char& c : suffix) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return suffix;
}

/// Errors of the library, with the file in front.
template <class Make>
auto at_file(const std::string& path, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (!error.file().empty()) {
      throw;
    }
    throw Error(Place{path, 0, {}}, error.problem(), error.remedy());
  }
}

}  // namespace

template <int D>
ccd::Body<D> read_ccd_body(const std::string& path, double thickness) {
  if (D == 2 || suffix_of(path) == ".obj") {
    const ObjReader<D> obj(path);
    return at_file(path, [&] { return ccd::Body<D>(obj.vertices, obj.facets, thickness); });
  }
  const load_detail::MeshData mesh =
      load_detail::read_mesh(content_of(path), load_detail::mesh_format(path, ""), path);
  const std::vector<double> vertices(mesh.vertex.begin(), mesh.vertex.end());
  return at_file(path, [&] { return ccd::Body<D>(vertices, mesh.face, thickness); });
}

template <int D>
CcdMotions<D> read_ccd_motions(const std::string& path) {
  CcdMotions<D> motions;
  if (path.empty()) {
    return motions;
  }
  const Json json = Json::parse(content_of(path), nullptr, false);
  if (json.is_discarded()) {
    throw Error(Place{path, 0, {}}, "is not JSON", "see swept ccd --help for its format");
  }
  return at_file(path, [&] {
    check_keys(json, {"a", "b"}, "the motion");
    if (json.contains("a")) {
      motions.a = motion_of<D>(json["a"], "a", &motions.thickness_a);
    }
    if (json.contains("b")) {
      motions.b = motion_of<D>(json["b"], "b", &motions.thickness_b);
    }
    return motions;
  });
}

template ccd::Body<2> read_ccd_body(const std::string&, double);
template ccd::Body<3> read_ccd_body(const std::string&, double);
template CcdMotions<2> read_ccd_motions(const std::string&);
template CcdMotions<3> read_ccd_motions(const std::string&);

}  // namespace swept::cli
