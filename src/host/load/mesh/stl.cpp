// SPDX-License-Identifier: Apache-2.0
// STL, binary and text. A file is binary if its length is what the number of triangles in it asks
// for, even if its header begins with "solid"; else it is text if it begins with "solid".
#include <swept/error.h>

#include "host/load/mesh/bytes.h"
#include "host/load/mesh/mesh_check.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace swept::load_detail {
namespace {

// as in the official reader
constexpr std::size_t max_triangles = 200000;
constexpr float max_coordinate = 1073741824.0f;

constexpr std::size_t header_size = 84;    // 80 bytes of any content, then the number of triangles
constexpr std::size_t triangle_size = 50;  // normal, three vertices, two bytes of attributes

/// Gathers triangles; vertices with the same bits are one.
class Triangles {
 public:
  explicit Triangles(const std::string& file) : file_(file) {}

  /// Adds the next vertex; three make a triangle.
  void add(const std::array<float, 3>& vertex, int line) {
    for (const float x : vertex) {
      if (std::abs(x) > max_coordinate) {
        throw Error(Place{file_, line, {}}, "a vertex has the coordinate " + std::to_string(x),
                    "coordinates reach to 2^30; change the unit");
      }
    }
    const auto key = std::bit_cast<std::array<std::uint32_t, 3>>(vertex);
    const auto [found, fresh] = known_.try_emplace(key, static_cast<int>(known_.size()));
    if (fresh) {
      mesh_.vertex.insert(mesh_.vertex.end(), vertex.begin(), vertex.end());
    }
    mesh_.face.push_back(found->second);
    if (mesh_.face.size() > 3 * max_triangles) {
      throw Error(Place{file_, line, {}},
                  "the STL file has more than " + std::to_string(max_triangles) + " triangles",
                  "simplify the mesh, or convert it to OBJ");
    }
  }

  MeshData take() { return checked_mesh(std::move(mesh_), file_); }

 private:
  struct Hash {
    std::size_t operator()(const std::array<std::uint32_t, 3>& key) const {
      std::uint64_t h = 0;
      for (const std::uint32_t word : key) {
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
      }
      return h;
    }
  };

  const std::string& file_;
  MeshData mesh_;
  std::unordered_map<std::array<std::uint32_t, 3>, int, Hash> known_;
};

MeshData read_binary(std::string_view bytes, std::size_t count, const std::string& file) {
  Triangles triangles(file);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = header_size + t * triangle_size + 12 * (corner + 1);
      triangles.add(number_at<std::array<float, 3>>(bytes, at), 0);
    }
  }
  return triangles.take();
}

/// solid name, then facets
///   facet normal x y z  outer loop  vertex x y z (three times)  endloop  endfacet
/// and endsolid name; a file may have several solids, whose facets make one mesh.
class TextReader {
 public:
  TextReader(std::string_view text, const std::string& file)
      : text_(text), file_(file), triangles_(file) {}

  MeshData read() {
    while (!peek().empty()) {
      expect("solid");
      skip_line();
      while (peek() == "facet") {
        facet();
      }
      expect("endsolid");
      skip_line();
    }
    return triangles_.take();
  }

 private:
  static bool space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  [[noreturn]] void fail(std::string problem) const {
    throw Error(Place{file_, line_, {}}, std::move(problem), "the text STL file is damaged");
  }

  /// The next word in lower case, empty at the end of the file.
  std::string peek() {
    while (at_ < text_.size() && space(text_[at_])) {
      line_ += text_[at_] == '\n' ? 1 : 0;
      ++at_;
    }
    std::size_t end = at_;
    while (end < text_.size() && !space(text_[end])) {
      ++end;
    }
    constexpr std::size_t longest = 64;
    if (end - at_ > longest) {
      fail("a word of " + std::to_string(end - at_) + " characters");
    }
    std::string word(text_.substr(at_, end - at_));
    for (char& c : word) {
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return word;
  }

  std::string next() {
    std::string word = peek();
    at_ += word.size();
    return word;
  }

  void expect(std::string_view wanted) {
    if (const std::string word = peek(); word != wanted) {
      fail("'" + std::string(wanted) + "' is expected and not '" + word + "'");
    }
    at_ += wanted.size();
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      ++at_;
    }
  }

  float number() {
    const std::string word = next();
    const char* const first = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* const last = word.data() + word.size();
    double value = 0.0;
    const auto [end, code] = std::from_chars(first, last, value);
    if (end != last || (code != std::errc() && code != std::errc::result_out_of_range)) {
      fail("'" + word + "' is no number");
    }
    // what is too small even for a double is zero; what is too large is refused
    if (code == std::errc::result_out_of_range && word.find("e-") == std::string::npos) {
      value = HUGE_VAL;
    }
    return std::abs(value) > double{max_coordinate} ? std::numeric_limits<float>::infinity()
                                                    : static_cast<float>(value);
  }

  void facet() {
    expect("facet");
    expect("normal");
    for (int i = 0; i < 3; ++i) {
      next();
    }
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      std::array<float, 3> vertex{};
      for (float& x : vertex) {
        x = number();
      }
      triangles_.add(vertex, line_);
    }
    expect("endloop");
    expect("endfacet");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  Triangles triangles_;
};

}  // namespace

MeshData read_stl(std::string_view bytes, const std::string& file) {
  const Place place{file, 0, {}};
  const bool has_header = bytes.size() >= header_size;
  const std::size_t count = has_header ? number_at<std::uint32_t>(bytes, header_size - 4) : 0;
  if (has_header && bytes.size() == header_size + count * triangle_size) {
    if (count == 0 || count > max_triangles) {
      throw Error(place, "the STL file has " + std::to_string(count) + " triangles",
                  "1 to " + std::to_string(max_triangles) +
                      " are allowed; simplify the mesh, or convert it to OBJ");
    }
    return read_binary(bytes, count, file);
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes.substr(first).starts_with("solid")) {
    return TextReader(bytes, file).read();
  }
  if (!has_header) {
    throw Error(place,
                "an STL file begins with " + std::to_string(header_size) +
                    " bytes or with the word 'solid', and this one has " +
                    std::to_string(bytes.size()) + " bytes",
                "write it anew");
  }
  throw Error(place,
              "the binary STL file has " + std::to_string(bytes.size()) + " bytes, but " +
                  std::to_string(count) + " triangles take " +
                  std::to_string(header_size + count * triangle_size),
              "it is damaged: write it anew");
}

}  // namespace swept::load_detail
