// SPDX-License-Identifier: Apache-2.0
// Checks an OBJ file line by line and leaves out what is not read.
#include "host/load/mesh/obj_lines.h"

#include <swept/error.h>

#include "host/load/mesh/mesh_file.h"

#include <charconv>
#include <cstdint>

namespace swept::load_detail {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

/// The words of a line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// The next word, empty at the end.
  std::string_view next() {
    std::size_t first = 0;
    while (first < rest_.size() && blank(rest_[first])) {
      ++first;
    }
    std::size_t end = first;
    while (end < rest_.size() && !blank(rest_[end])) {
      ++end;
    }
    const std::string_view word = rest_.substr(first, end - first);
    rest_.remove_prefix(end);
    return word;
  }

 private:
  std::string_view rest_;
};

/// Digits at the front of a word; returns how many.
std::size_t digits(std::string_view word) {
  std::size_t n = 0;
  while (n < word.size() && word[n] >= '0' && word[n] <= '9') {
    ++n;
  }
  return n;
}

/// Whether a word is a decimal number: [+-] digits [. digits] [e [+-] up to 3 digits]
bool is_decimal(std::string_view word) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) {
    return false;
  }
  const auto skip_sign = [&word] {
    if (!word.empty() && (word[0] == '+' || word[0] == '-')) {
      word.remove_prefix(1);
    }
  };
  skip_sign();
  std::size_t mantissa = digits(word);
  word.remove_prefix(mantissa);
  if (!word.empty() && word[0] == '.') {
    const std::size_t fraction = digits(word.substr(1));
    mantissa += fraction;
    word.remove_prefix(1 + fraction);
  }
  if (mantissa == 0) {
    return false;
  }
  if (!word.empty() && (word[0] == 'e' || word[0] == 'E')) {
    word.remove_prefix(1);
    skip_sign();
    const std::size_t exponent = digits(word);
    if (exponent == 0 || exponent > 3) {
      return false;
    }
    word.remove_prefix(exponent);
  }
  return word.empty();
}

class LineReader {
 public:
  LineReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::string read() {
    for (std::size_t at = 0; at < text_.size();) {
      std::size_t end = text_.find_first_of("\r\n", at);
      end = end == std::string_view::npos ? text_.size() : end;
      ++line_;
      read_line(text_.substr(at, end - at));
      plain_ += '\n';
      at = end + 1;
      if (end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n') {
        ++at;
      }
    }
    if (greatest_ > nvert_) {
      line_ = greatest_line_;
      fail("vertex " + std::to_string(greatest_) + " does not exist",
           "the file has " + std::to_string(nvert_));
    }
    return std::move(plain_);
  }

 private:
  [[noreturn]] void fail(std::string problem, std::string remedy) const {
    throw Error(Place{file_, line_, {}}, std::move(problem), std::move(remedy));
  }

  static std::string shown(std::string_view word) {
    constexpr std::size_t longest = 40;
    return "'" + std::string(word.substr(0, longest)) + (word.size() > longest ? "…'" : "'");
  }

  void read_line(std::string_view line) {
    Words words(line);
    const std::string_view keyword = words.next();
    if (keyword == "v") {
      read_vertex(words);
    } else if (keyword == "f") {
      read_face(words);
    } else if (keyword == "l" || keyword == "p") {
      read_other(keyword, words);
    } else if (keyword == "o" || keyword == "g") {
      plain_ += keyword;
      plain_ += " x";
    }
  }

  void read_vertex(Words words) {
    if (++nvert_ > max_mesh_vertices) {
      fail("the mesh has more than " + std::to_string(max_mesh_vertices) + " vertices",
           "simplify it");
    }
    plain_ += 'v';
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = words.next();
      if (word.empty()) {
        fail("a vertex has fewer than 3 coordinates", "write v x y z");
      }
      if (!is_decimal(word)) {
        fail(shown(word) + " is no coordinate", "write a decimal number");
      }
      plain_ += ' ';
      plain_ += word;
    }
  }

  void read_face(Words words) {
    if (++nface_ > max_obj_faces) {
      fail("the OBJ file has more than " + std::to_string(max_obj_faces) + " faces",
           "simplify the mesh, or convert it to MSH");
    }
    plain_ += 'f';
    int corners = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      if (++corners > max_face_corners) {
        fail("a face has more than " + std::to_string(max_face_corners) + " corners",
             "cut it into triangles");
      }
      plain_ += ' ';
      plain_ += std::to_string(vertex_of(word));
    }
  }

  /// Lines and points: what matters is that the object has some.
  void read_other(std::string_view keyword, Words words) {
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      vertex_of(word);
    }
    plain_ += keyword;
    plain_ += " 1";
  }

  /// The vertex of "vertex", "vertex/texture", "vertex/texture/normal" or "vertex//normal", counted
  /// from 1; the file may count back from the latest vertex, which is -1.
  std::int64_t vertex_of(std::string_view word) {
    const std::size_t slash = word.find('/');
    const std::string_view number = word.substr(0, slash);
    std::int64_t index = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), index);
    const bool whole = code == std::errc() && end == number.data() + number.size();
    const bool clean = slash == std::string_view::npos ||
                       word.find_first_not_of("0123456789-/", slash) == std::string_view::npos;
    if (!whole || !clean || index == 0) {
      fail(shown(word) + " is no vertex of a face",
           "write its number, counted from 1, as in 3, 3/1, 3/1/2 or 3//2");
    }
    if (index < 0) {
      if (index < -nvert_) {
        fail("vertex " + shown(number) + " does not exist",
             "there are " + std::to_string(nvert_) + " vertices up to here");
      }
      return nvert_ + index + 1;
    }
    if (index > greatest_) {
      greatest_ = index;
      greatest_line_ = line_;
    }
    return index;
  }

  std::string_view text_;
  const std::string& file_;
  std::string plain_;
  int line_ = 0;
  std::int64_t nvert_ = 0;
  std::int64_t nface_ = 0;
  std::int64_t greatest_ = 0;
  int greatest_line_ = 0;
};

}  // namespace

std::string plain_obj(std::string_view text, const std::string& file) {
  return LineReader(text, file).read();
}

}  // namespace swept::load_detail
