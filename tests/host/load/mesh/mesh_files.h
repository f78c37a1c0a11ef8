// SPDX-License-Identifier: Apache-2.0
// What the tests of mesh and height-field files share: writers of every format, a random mesh, the
// error that bytes give.
#pragma once

#include "host/load/mesh/hfield_file.h"
#include "host/load/mesh/mesh_file.h"

#include <swept/error.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <lodepng.h>

namespace swept::test {

using load_detail::HFieldData;
using load_detail::MeshData;

/// The bytes of a number.
template <class T>
std::string bytes_of(const T& value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// Bytes of numbers, one after the other.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes;
  for (const T& value : values) {
    bytes += bytes_of(value);
  }
  return bytes;
}

inline std::string msh_bytes(const std::array<std::int32_t, 4>& counts,
                             const std::vector<float>& numbers, const std::vector<int>& face) {
  return bytes_of(counts) + bytes_of(numbers) + bytes_of(face);
}

inline std::string msh_bytes(const MeshData& mesh) {
  return msh_bytes({static_cast<std::int32_t>(mesh.vertex.size() / 3), 0, 0,
                    static_cast<std::int32_t>(mesh.face.size() / 3)},
                   mesh.vertex, mesh.face);
}

/// A number with all its digits.
inline std::string digits_of(float x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(x));
  return text;
}

inline std::string obj_text(const MeshData& mesh) {
  std::string text;
  for (std::size_t i = 0; i < mesh.vertex.size(); i += 3) {
    text += "v " + digits_of(mesh.vertex[i]) + " " + digits_of(mesh.vertex[i + 1]) + " " +
            digits_of(mesh.vertex[i + 2]) + "\n";
  }
  for (std::size_t i = 0; i < mesh.face.size(); i += 3) {
    text += "f " + std::to_string(mesh.face[i] + 1) + " " + std::to_string(mesh.face[i + 1] + 1) +
            " " + std::to_string(mesh.face[i + 2] + 1) + "\n";
  }
  return text;
}

/// `count` says another number of triangles than there are.
inline std::string binary_stl(const MeshData& mesh, std::int64_t count = -1) {
  const std::size_t nface = mesh.face.size() / 3;
  std::string bytes(80, ' ');
  bytes +=
      bytes_of(static_cast<std::uint32_t>(count < 0 ? nface : static_cast<std::size_t>(count)));
  for (std::size_t f = 0; f < nface; ++f) {
    bytes += std::string(12, '\0');
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto v = static_cast<std::size_t>(mesh.face[3 * f + corner]);
      bytes.append(reinterpret_cast<const char*>(&mesh.vertex[3 * v]), 12);
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

inline std::string text_stl(const MeshData& mesh) {
  std::string text = "solid mesh\n";
  for (std::size_t i = 0; i < mesh.face.size(); ++i) {
    text += i % 3 == 0 ? "  facet normal 0 0 1\n    outer loop\n" : "";
    const auto v = static_cast<std::size_t>(mesh.face[i]);
    text += "      vertex " + digits_of(mesh.vertex[3 * v]) + " " +
            digits_of(mesh.vertex[3 * v + 1]) + " " + digits_of(mesh.vertex[3 * v + 2]) + "\n";
    text += i % 3 == 2 ? "    endloop\n  endfacet\n" : "";
  }
  return text + "endsolid mesh\n";
}

/// A tetrahedron.
inline MeshData tetrahedron() {
  return {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}};
}

/// Vertices of all magnitudes, and any faces; with `first_seen`, every vertex is used and they
/// stand in the order in which the faces name them, all different, as STL keeps them.
inline MeshData random_mesh(std::mt19937_64* random, bool first_seen) {
  std::uniform_real_distribution<float> mantissa(-1.0f, 1.0f);
  MeshData mesh;
  const std::size_t nvert = 4 + (*random)() % 60;
  const std::size_t nface = nvert + (*random)() % 60;
  for (std::size_t i = 0; i < 3 * nvert; ++i) {
    const int exponent = static_cast<int>((*random)() % 60) - 40;
    mesh.vertex.push_back(std::ldexp(mantissa(*random), exponent));
  }
  int seen = 0;
  for (std::size_t i = 0; i < 3 * nface; ++i) {
    const bool fresh = first_seen && static_cast<std::size_t>(seen) < nvert;
    mesh.face.push_back(fresh ? seen++ : static_cast<int>((*random)() % nvert));
  }
  return mesh;
}

inline void expect_equal(const MeshData& a, const MeshData& b) {
  EXPECT_EQ(a.vertex, b.vertex);
  EXPECT_EQ(a.face, b.face);
}

/// The error that a reader gives; a failure if there is none.
template <class Reader>
Error error_from(const Reader& reader, const std::string& bytes) {
  try {
    reader(bytes, "test.file");
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), "test.file");
    EXPECT_FALSE(error.problem().empty());
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error;
  }
  ADD_FAILURE() << "no error for: " << bytes.substr(0, 200);
  return Error("none");
}

/// Random damage to bytes: a changed, removed, repeated or cut part.
inline std::string damaged(std::string bytes, std::mt19937_64* random) {
  const std::size_t damages = 1 + (*random)() % 3;
  for (std::size_t k = 0; k < damages && !bytes.empty(); ++k) {
    const std::size_t at = (*random)() % bytes.size();
    switch ((*random)() % 4) {
      case 0:
        bytes[at] = static_cast<char>((*random)() % 256);
        break;
      case 1:
        bytes.erase(at, 1 + (*random)() % 8);
        break;
      case 2:
        bytes.insert(at, bytes.substr((*random)() % bytes.size(), (*random)() % 12));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

/// Reads damaged copies; returns how many were read. Whatever is read is a valid mesh.
template <class Reader>
int read_damaged(const Reader& reader, const std::string& bytes, int times) {
  std::mt19937_64 random(5);
  int read = 0;
  for (int i = 0; i < times; ++i) {
    try {
      const MeshData mesh = reader(damaged(bytes, &random), "test.file");
      ++read;
      for (const int v : mesh.face) {
        EXPECT_TRUE(v >= 0 && static_cast<std::size_t>(v) < mesh.vertex.size() / 3);
      }
      for (const float x : mesh.vertex) {
        EXPECT_TRUE(std::isfinite(x));
      }
    } catch (const Error&) {
    }
  }
  return read;
}

}  // namespace swept::test
