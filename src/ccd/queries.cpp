// SPDX-License-Identifier: Apache-2.0
// Reading labelled queries, and answering them with a clock beside.
#include "ccd/queries.h"

#include <swept/error.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <numeric>

namespace swept::ccd {

namespace {

struct Line {
  std::array<double, 3> x{};
  bool label = false;
};

[[noreturn]] void refuse(const std::filesystem::path& path, int line, const std::string& problem) {
  throw Error(Place{path.string(), line, {}}, problem,
              "a line is x, y, z, each as numerator,denominator, and a label 0 or 1");
}

// seven numbers with commas between them
Line parse_line(const std::string& text, const std::filesystem::path& path, int number) {
  Line line;
  const char* at = text.c_str();
  const auto next = [&](bool last) {
    char* end = nullptr;
    const long double value = std::strtold(at, &end);
    if (end == at || (!last && *end != ',')) {
      refuse(path, number, "not seven numbers with commas between them");
    }
    at = last ? end : end + 1;
    return value;
  };
  for (double& x : line.x) {
    const long double numerator = next(false), denominator = next(false);
    if (!(denominator > 0)) {
      refuse(path, number, "a denominator is not positive");
    }
    x = static_cast<double>(numerator / denominator);
  }
  const long double label = next(true);
  if (label != 0 && label != 1) {
    refuse(path, number, "the label is neither 0 nor 1");
  }
  line.label = label == 1;
  return line;
}

QueryKind kind_of(const std::filesystem::path& path) {
  const std::string name = (path.parent_path().filename() / path.filename()).string();
  const bool vertex_face = name.find("vertex-face") != std::string::npos;
  if (vertex_face == (name.find("edge-edge") != std::string::npos)) {
    throw Error(Place{path.string(), 0, {}}, "cannot tell what its queries are",
                "put it into a folder named vertex-face or edge-edge");
  }
  return vertex_face ? QueryKind::vertex_face : QueryKind::edge_edge;
}

}  // namespace

std::vector<Query> read_query_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(Place{path.string(), 0, {}}, "cannot be read", "name a file of queries");
  }
  Query query;
  query.kind = kind_of(path);
  std::vector<Query> queries;
  std::string text;
  int number = 0, row = 0;
  while (std::getline(file, text)) {
    ++number;
    if (text.empty() || text == "\r") {
      continue;
    }
    const Line line = parse_line(text, path, number);
    if (row > 0 && line.label != query.collides) {
      refuse(path, number, "the label differs from that of the query's first line");
    }
    query.collides = line.label;
    MovingVertex<double>& vertex = query.vertices[row % 4];
    (row < 4 ? vertex.start : vertex.end) = line.x;
    row = (row + 1) % 8;
    if (row == 0) {
      queries.push_back(query);
    }
  }
  if (row != 0) {
    refuse(path, number, "the last query is cut short");
  }
  return queries;
}

std::vector<Query> read_queries(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    return read_query_file(path);
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".csv") {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    throw Error(Place{path.string(), 0, {}}, "no .csv file in this folder",
                "name a file or a folder of queries");
  }
  std::sort(files.begin(), files.end());
  std::vector<Query> queries;
  for (const auto& file : files) {
    const std::vector<Query> more = read_query_file(file);
    queries.insert(queries.end(), more.begin(), more.end());
  }
  return queries;
}

template <class T>
QueryTally answer_queries(const std::vector<Query>& queries, const VertexOptions<T>& options,
                          int turns) {
  QueryTally tally;
  tally.queries = queries.size();
  if (queries.empty()) {
    return tally;
  }
  std::vector<double> ns, times(static_cast<std::size_t>(std::max(turns, 1)));
  for (const Query& query : queries) {
    const std::array<MovingVertex<T>, 4> vertices = localize<T>(query.vertices);
    VertexImpact<T> impact;
    for (double& time : times) {
      const auto start = std::chrono::steady_clock::now();
      impact = query.kind == QueryKind::vertex_face ? vertex_triangle_impact<T>(vertices, options)
                                                    : edge_edge_impact<T>(vertices, options);
      const std::chrono::duration<double, std::nano> passed =
          std::chrono::steady_clock::now() - start;
      time = passed.count();
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    ns.push_back(times[times.size() / 2]);
    tally.collisions += query.collides;
    tally.missed += query.collides && !impact.hit();
    tally.false_alarms += !query.collides && impact.hit();
    tally.unfinished += impact.status == Status::not_converged;
    tally.iterations += impact.iterations;
  }
  const auto count = static_cast<double>(ns.size());
  tally.iterations /= count;
  tally.mean_ns = std::accumulate(ns.begin(), ns.end(), 0.0) / count;
  std::sort(ns.begin(), ns.end());
  tally.median_ns = ns[ns.size() / 2];
  tally.p99_ns = ns[std::min(ns.size() - 1, ns.size() * 99 / 100)];
  tally.max_ns = ns.back();
  return tally;
}

template QueryTally answer_queries(const std::vector<Query>&, const VertexOptions<float>&, int);
template QueryTally answer_queries(const std::vector<Query>&, const VertexOptions<double>&, int);

}  // namespace swept::ccd
