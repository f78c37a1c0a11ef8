// SPDX-License-Identifier: Apache-2.0
// The order of the steps: hull and polygons from the raw vertices, reference pose and scale, mass
// and inertia, alignment, rounding to single precision.
#include "host/compile/mesh/mesh.h"

#include "host/compile/mesh/volume.h"
#include "host/compile/principal_axes.h"

#include <utility>

namespace swept::compiler {
namespace {

class MeshCompiler {
 public:
  MeshCompiler(const Spec& spec, const Mesh& mesh, MeshContent content)
      : spec_(spec), mesh_(mesh), kind_(content.inertia) {
    check(content);
    result_.face = std::move(content.face);
    vertices_.resize(content.vertex.size() / 3);
    for (std::size_t i = 0; i < content.vertex.size(); ++i) {
      vertices_[i / 3][i % 3] = content.vertex[i];
    }
  }

  CompiledMesh compile(bool hull) {
    if (kind_ == MeshInertia::exact) {
      check_orientation();
    }
    const bool no_faces = result_.face.empty();
    if (hull || no_faces || kind_ == MeshInertia::convex) {
      make_hull();
    }
    if (no_faces) {
      result_.face = result_.hull.face;
    }
    if (mesh_.scale[0] * mesh_.scale[1] * mesh_.scale[2] <= 0.0) {
      turn_over();
    }
    transform();
    align(weigh());
    finish();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = {}) const {
    throw spec_.error(mesh_.source, "mesh '" + mesh_.name + "'", problem, remedy);
  }

  void check(const MeshContent& content) const {
    if (content.vertex.size() % 3 != 0 || content.face.size() % 3 != 0) {
      fail("the number of its vertex or face numbers is no multiple of 3");
    }
    if (content.vertex.size() < 12) {
      fail("it has " + std::to_string(content.vertex.size() / 3) + " vertices",
           "a mesh has at least 4");
    }
    for (std::size_t i = 0; i < content.vertex.size(); ++i) {
      if (!std::isfinite(content.vertex[i])) {
        fail("vertex " + std::to_string(i / 3) + " is not finite in single precision");
      }
    }
    const int count = static_cast<int>(content.vertex.size() / 3);
    for (std::size_t i = 0; i < content.face.size(); ++i) {
      if (content.face[i] < 0 || content.face[i] >= count) {
        fail("face " + std::to_string(i / 3) + " has vertex " + std::to_string(content.face[i]),
             "vertices are numbered from 0 to " + std::to_string(count - 1));
      }
    }
    // what is only drawn must fit, too
    if (mesh_.normal.size() % 3 != 0) {
      fail("the number of its normal numbers is no multiple of 3");
    }
    if (!mesh_.texcoord.empty() && mesh_.texcoord.size() != 2 * at(count)) {
      fail("it has " + std::to_string(mesh_.texcoord.size()) + " texcoord numbers",
           "give two for each vertex");
    }
  }

  /// No edge may run the same way in two faces.
  void check_orientation() const {
    std::vector<std::pair<int, int>> edges;
    const std::vector<int>& face = result_.face;
    for (std::size_t i = 0; i + 2 < face.size(); i += 3) {
      const Vec3& a = vertices_[at(face[i])];
      const Vec3 normal = cross(vertices_[at(face[i + 1])] - a, vertices_[at(face[i + 2])] - a);
      constexpr double smallest_area = 3.1622776601683795e-8;  // the root of 1e-15
      if (0.5 * norm(normal) > smallest_area) {
        for (std::size_t k = 0; k < 3; ++k) {
          edges.emplace_back(face[i + k], face[i + (k + 1) % 3]);
        }
      }
    }
    std::sort(edges.begin(), edges.end());
    const auto twice = std::adjacent_find(edges.begin(), edges.end());
    if (twice != edges.end()) {
      fail("two of its faces run from vertex " + std::to_string(twice->first) + " to vertex " +
               std::to_string(twice->second),
           "turn one of them, or choose another inertia than \"exact\"");
    }
  }

  void make_hull() {
    std::string problem;
    result_.hull =
        convex_hull(vertices_, mesh_.maxhullvert, hull_tests(vertices_.size()), &problem);
    if (!problem.empty()) {
      fail(problem, "use a primitive geom, or switch collisions off (contype and conaffinity 0)");
    }
    result_.polygons = join_triangles(vertices_, result_.hull.face);
  }

  /// A mirror image turns all faces inside out.
  void turn_over() {
    for (std::vector<int>* const face : {&result_.face, &result_.hull.face}) {
      for (std::size_t i = 0; i + 2 < face->size(); i += 3) {
        std::swap((*face)[i + 1], (*face)[i + 2]);
      }
    }
    for (std::vector<int>& polygon : result_.polygons) {
      std::reverse(polygon.begin() + 1, polygon.end());
    }
  }

  /// Reference position, reference orientation, scale.
  void transform() {
    Quat refquat = mesh_.refquat;
    const bool turned = refquat != identity_quat;
    if (turned && refquat == Quat{}) {
      fail("refquat is 0 0 0 0", "an orientation has a length");
    }
    const Mat3 back = transposed(matrix(normalized(refquat)));
    for (Vec3& vertex : vertices_) {
      vertex = vertex - mesh_.refpos;
      vertex = turned ? back * vertex : vertex;
      for (std::size_t k = 0; k < 3; ++k) {
        vertex[k] *= mesh_.scale[k];
      }
    }
  }

  MassProperties weigh() const {
    std::string problem;
    const std::vector<int>& surface =
        kind_ == MeshInertia::convex ? result_.hull.face : result_.face;
    MassProperties mass = measure(vertices_, surface, result_.face, kind_, &problem);
    if (!problem.empty()) {
      fail(problem);
    }
    return mass;
  }

  /// The principal axes become the axes, the centre of mass the origin.
  void align(const MassProperties& mass) {
    const PrincipalAxes axes = principal_axes(mass.inertia, mesh_axes);
    const Vec3& m = axes.moments;
    constexpr double relative = 1e-6;
    constexpr double absolute = 1e-9;
    if (!(m[2] > 0.0)) {
      fail("its inertia is not positive", "check its faces, or set inertia=\"convex\"");
    }
    if (m[1] + m[2] < m[0] * (1.0 - relative) - absolute) {
      fail("its principal inertias violate A + B >= C",
           "check its faces, or set inertia=\"convex\"");
    }
    result_.content = mass.content;
    for (std::size_t k = 0; k < 3; ++k) {
      const double others = m[(k + 1) % 3] + m[(k + 2) % 3] - m[k];
      result_.box[k] = 0.5 * std::sqrt(6 * std::max(0.0, others) / mass.content);
    }
    result_.frame = {mass.centre, axes.quat};
    const Mat3 back = matrix(conjugate(axes.quat));
    result_.low = {1e10, 1e10, 1e10};
    result_.high = {-1e10, -1e10, -1e10};
    for (Vec3& vertex : vertices_) {
      vertex = back * (vertex - mass.centre);
      for (std::size_t k = 0; k < 3; ++k) {
        result_.low[k] = std::min(result_.low[k], vertex[k]);
        result_.high[k] = std::max(result_.high[k], vertex[k]);
      }
    }
  }

  void finish() {
    for (const std::vector<int>& polygon : result_.polygons) {
      result_.polygon_normal.push_back(polygon_normal(vertices_, polygon));
    }
    result_.vertex.reserve(3 * vertices_.size());
    for (const Vec3& vertex : vertices_) {
      for (const double x : vertex) {
        result_.vertex.push_back(static_cast<float>(x));
      }
    }
    result_.tree = face_tree(result_.vertex, result_.face);
    result_.cells = make_cells(result_.vertex, result_.hull);
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Spec& spec_;
  const Mesh& mesh_;
  MeshInertia kind_;
  std::vector<Vec3> vertices_;
  CompiledMesh result_;
};

}  // namespace

CompiledMesh compile_mesh(const Spec& spec, const Mesh& mesh, MeshContent content, bool hull) {
  return MeshCompiler(spec, mesh, std::move(content)).compile(hull);
}

}  // namespace swept::compiler
