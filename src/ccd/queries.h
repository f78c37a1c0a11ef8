// SPDX-License-Identifier: Apache-2.0
// Labelled queries: four moving vertices and whether they collide, as public collections have them.
//
// A file is CSV text with eight lines for each query: the four vertices at s = 0, then at s = 1,
// and on every line x, y and z as a numerator and a denominator, then the label, 1 or 0. In a
// vertex-face query the first vertex is against the triangle of the others, in an edge-edge query
// the first two are an edge against the edge of the last two.
#pragma once

#include <swept/ccd/vertices.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace swept::ccd {

enum class QueryKind { vertex_face, edge_edge };

struct Query {
  QueryKind kind = QueryKind::vertex_face;
  bool collides = false;
  std::array<MovingVertex<double>, 4> vertices;
};

/// The queries of a file, whose kind is in its path: a folder or file name with "vertex-face" or
/// "edge-edge" in it. Throws Error, with the line, for what is not in the format.
std::vector<Query> read_query_file(const std::filesystem::path& path);

/// The queries of all .csv files in a folder and below, in the order of their paths, or of one
/// file.
std::vector<Query> read_queries(const std::filesystem::path& path);

/// How a set of queries was answered.
struct QueryTally {
  std::size_t queries = 0;
  std::size_t collisions = 0;    ///< by the label
  std::size_t missed = 0;        ///< collisions that were called separate
  std::size_t false_alarms = 0;  ///< separate queries that were called a hit
  std::size_t unfinished = 0;    ///< answers "not converged"
  double iterations = 0;         ///< mean
  double mean_ns = 0;            ///< time of a query
  double median_ns = 0;
  double p99_ns = 0;
  double max_ns = 0;
};

/// Answers all queries in a precision, `turns` times; of each query's times the median counts.
template <class T>
QueryTally answer_queries(const std::vector<Query>& queries, const VertexOptions<T>& options = {},
                          int turns = 1);

}  // namespace swept::ccd
