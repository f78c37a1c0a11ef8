// SPDX-License-Identifier: Apache-2.0
// The call of qhull, whose errors arrive by longjmp: between setjmp and there no object with a
// destructor may live, so results go through a plain struct of arrays from malloc.
//
// qhull's work grows with n log n on round surfaces and with the square of the number of corners of
// one flat face, of which each new corner visits all others. It reports its progress into the log, so
// the log's writer looks at its count of tests of a point against a plane, the same in every run, and
// ends a hull that needs too many of them.
#include "host/compile/mesh/hull.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace swept::compiler {
namespace {

constexpr double smallest = 1e-15;

/// What is wrong with points that span no volume; empty if they span some.
std::string find_flatness(const std::vector<Vec3>& points) {
  // a second point, apart from the first
  const Vec3 origin = points[0];
  double length = 0.0;
  std::size_t second = 0;
  for (std::size_t i = 1; i < points.size() && second == 0; ++i) {
    length = norm(points[i] - origin);
    second = length > smallest ? i : 0;
  }
  if (second == 0) {
    return "all vertices are at one point, which has no convex hull";
  }

  // a third one off their line
  const Vec3 edge = points[second] - origin;
  Vec3 normal{};
  bool found = false;
  for (std::size_t i = 1; i < points.size() && !found; ++i) {
    const Vec3 other = points[i] - origin;
    const double other_length = norm(other);
    if (i == second || other_length < smallest) {
      continue;
    }
    normal = cross(edge, other);
    const double size = norm(normal);
    found = size > smallest * length * other_length;
    normal = normal * (1.0 / size);
  }
  if (!found) {
    return "all vertices are on one line, which has no convex hull";
  }

  // a fourth one off their plane
  const double offset = dot(normal, origin);
  for (const Vec3& point : points) {
    if (std::fabs(dot(normal, point) - offset) > smallest * length) {
      return {};
    }
  }
  return "all vertices are in one plane, which has no convex hull";
}

/// The log of a run, which watches its work.
struct Watch {
  qhT* qh;
  std::uint64_t most;   ///< tests that it may do
  std::uint64_t spent;  ///< tests so far
  std::uint32_t last;   ///< qhull's own count, which wraps
  bool stopped;
  bool in_message;
  std::size_t length;
  char message[256];  ///< the first line that qhull numbers as a message
};

/// Writer of the log.
ssize_t watch(void* cookie, const char* text, std::size_t size) {
  Watch& w = *static_cast<Watch*>(cookie);
  const auto count = static_cast<std::uint32_t>(w.qh->qhstat.stats[Zdistplane].i);
  w.spent += count - w.last;
  w.last = count;
  if (w.spent > w.most) {
    // no further points are added
    w.qh->STOPadd = 1;
    w.stopped = true;
  }
  const std::string_view part(text, size);
  w.in_message = w.in_message || (w.length == 0 && part.starts_with("QH"));
  for (const char c : part) {
    w.in_message = w.in_message && c != '\n' && w.length < sizeof w.message;
    if (w.in_message) {
      w.message[w.length++] = c;
    }
  }
  return static_cast<ssize_t>(size);
}

/// Arrays that qhull's lists are copied to.
struct RawHull {
  int nvertex;
  int nface;
  int* vertex;     ///< [nvertex] points
  int* neighbour;  ///< [nvertex + 3 nface] points, each list ends with -1
  int* face;       ///< [3 nface] points
  int* seen;       ///< [number of points] the vertex whose neighbour a point is known to be
};

/// Copies the neighbours of each vertex, in the order of its faces. False if a face is no triangle
/// or the lists are longer than those of a closed surface.
bool copy_vertices(qhT* qh, RawHull* raw) {
  vertexT* vertex = nullptr;
  vertexT* corner = nullptr;
  vertexT** cornerp = nullptr;
  facetT* neighbor = nullptr;
  facetT** neighborp = nullptr;
  const int most = raw->nvertex + 3 * raw->nface;
  int n = 0;
  int adr = 0;
  FORALLvertices {
    const int own = qh_pointid(qh, vertex->point);
    raw->vertex[n++] = own;
    FOREACHneighbor_(vertex) {
      FOREACHsetelement_(vertexT, neighbor->vertices, corner) {
        const int other = qh_pointid(qh, corner->point);
        if (other != own && raw->seen[other] != own) {
          if (adr >= most) {
            return false;
          }
          raw->seen[other] = own;
          raw->neighbour[adr++] = other;
        }
      }
    }
    if (adr >= most) {
      return false;
    }
    raw->neighbour[adr++] = -1;
  }
  return adr == most && n == raw->nvertex;
}

/// Copies the faces, turned outwards.
bool copy_faces(qhT* qh, RawHull* raw) {
  facetT* facet = nullptr;
  vertexT* corner = nullptr;
  vertexT** cornerp = nullptr;
  int adr = 0;
  FORALLfacets {
    int order[3] = {0, 1, 2};
    if (facet->toporient) {
      order[0] = 1;
      order[1] = 0;
    }
    int k = 0;
    FOREACHsetelement_(vertexT, facet->vertices, corner) {
      if (k == 3) {
        return false;
      }
      raw->face[adr + order[k++]] = qh_pointid(qh, corner->point);
    }
    if (k != 3) {
      return false;
    }
    adr += 3;
  }
  return true;
}

/// Runs qhull. Returns whether it succeeded; arrays of `raw` are the caller's to free either way.
bool run_qhull(qhT* qh, char* options, double* points, int count, FILE* log, RawHull* raw) {
  qh_zero(qh, log);
  qh_init_A(qh, nullptr, nullptr, log, 0, nullptr);
  volatile bool good = false;
  if (setjmp(qh->errexit) == 0) {
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, points, count, 3, False);
    qh_qhull(qh);
    qh_triangulate(qh);
    qh_vertexneighbors(qh);
    raw->nvertex = qh->num_vertices;
    raw->nface = qh->num_facets;
    const std::size_t nvertex = static_cast<std::size_t>(raw->nvertex);
    const std::size_t nface = static_cast<std::size_t>(raw->nface);
    raw->vertex = static_cast<int*>(std::malloc(nvertex * sizeof(int)));
    raw->neighbour = static_cast<int*>(std::malloc((nvertex + 3 * nface) * sizeof(int)));
    raw->face = static_cast<int*>(std::malloc(3 * nface * sizeof(int)));
    raw->seen = static_cast<int*>(std::malloc(static_cast<std::size_t>(count) * sizeof(int)));
    good = raw->vertex != nullptr && raw->neighbour != nullptr && raw->face != nullptr &&
           raw->seen != nullptr;
    if (good) {
      std::fill(raw->seen, raw->seen + count, -1);
      good = copy_vertices(qh, raw) && copy_faces(qh, raw);
    }
  }
  qh->NOerrexit = True;
  qh_freeqhull(qh, !qh_ALL);
  int left = 0;
  int total = 0;
  qh_memfreeshort(qh, &left, &total);
  return good;
}

/// Numbers of hull vertices instead of points.
Hull number(const RawHull& raw, std::size_t npoint) {
  Hull hull;
  hull.vertex.assign(raw.vertex, raw.vertex + raw.nvertex);
  hull.edge.assign(raw.neighbour, raw.neighbour + raw.nvertex + 3 * raw.nface);
  hull.face.assign(raw.face, raw.face + 3 * raw.nface);
  std::vector<int> local(npoint, -1);
  for (int i = 0; i < raw.nvertex; ++i) {
    local[static_cast<std::size_t>(raw.vertex[i])] = i;
  }
  bool starts = true;
  for (std::size_t i = 0; i < hull.edge.size(); ++i) {
    if (starts) {
      hull.edge_adr.push_back(static_cast<int>(i));
    }
    int& entry = hull.edge[i];
    starts = entry < 0;
    entry = starts ? -1 : local[static_cast<std::size_t>(entry)];
  }
  return hull;
}

}  // namespace

std::vector<int> Hull::graph() const {
  std::vector<int> all = {static_cast<int>(vertex.size()), static_cast<int>(face.size() / 3)};
  for (const std::vector<int>* part : {&edge_adr, &vertex, &edge, &face}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

std::uint64_t hull_tests(std::size_t npoint) {
  return 1000000000 + 200 * static_cast<std::uint64_t>(npoint);
}

Hull convex_hull(const std::vector<Vec3>& points, int maxhullvert, std::uint64_t most_tests,
                 std::string* problem) {
  *problem = find_flatness(points);
  if (!problem->empty()) {
    return {};
  }
  // triangles; with a limit: the farthest of all far points first, and an end after so many
  std::string options = "qhull Qt TF2000";
  if (maxhullvert >= 0) {
    options += " Q9 TA" + std::to_string(maxhullvert - 4);
  }
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& point : points) {
    coordinates.insert(coordinates.end(), point.begin(), point.end());
  }
  const auto qh = std::make_unique<qhT>();
  Watch log_of_run{qh.get(), most_tests, 0, 0, false, false, 0, {}};
  cookie_io_functions_t functions{};
  functions.write = watch;
  FILE* const log = fopencookie(&log_of_run, "w", functions);
  if (log == nullptr) {
    *problem = "qhull gets no log";
    return {};
  }
  std::setvbuf(log, nullptr, _IONBF, 0);
  RawHull raw{};
  const bool good = run_qhull(qh.get(), options.data(), coordinates.data(),
                              static_cast<int>(points.size()), log, &raw);
  std::fclose(log);
  Hull hull;
  if (log_of_run.stopped) {
    *problem = "its convex hull takes qhull more than " + std::to_string(most_tests) +
               " tests of a point against a plane: a flat face of it has tens of thousands of "
               "corners (set maxhullvert to bound them)";
  } else if (good) {
    hull = number(raw, points.size());
  } else {
    *problem =
        "qhull finds no convex hull (" + std::string(log_of_run.message, log_of_run.length) + ")";
  }
  for (int* const array : {raw.vertex, raw.neighbour, raw.face, raw.seen}) {
    std::free(array);
  }
  return hull;
}

}  // namespace swept::compiler
