// SPDX-License-Identifier: Apache-2.0
// The arrays of meshes and height fields, one asset after the other.
#include "host/compile/mesh/assets.h"

#include "host/compile/scene.h"

#include <swept/hull.h>

#include <algorithm>
#include <limits>

namespace swept::compiler {
namespace {

/// Counters that may not exceed an int.
class Counter {
 public:
  void add(std::size_t more, int* total) const {
    const auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
    if (more > most - at(*total)) {
      throw Error("the meshes and height fields of the scene have more than 2^31 numbers",
                  "use coarser ones");
    }
    *total += static_cast<int>(more);
  }
};

std::size_t corners(const Polygons& polygons) {
  std::size_t count = 0;
  for (const std::vector<int>& polygon : polygons) {
    count += polygon.size();
  }
  return count;
}

template <class T, class From>
void copy_to(const std::vector<From>& from, std::vector<T>* to, int row, std::size_t cols) {
  std::copy(from.begin(), from.end(), to->begin() + static_cast<std::ptrdiff_t>(at(row) * cols));
}

/// Where the next asset's rows start.
struct Next {
  int vertex = 0;
  int face = 0;
  int graph = 0;
  int poly = 0;
  int polyvert = 0;
  int polymap = 0;
  int block = 0;
  int seed = 0;
  int node = 0;
  int datum = 0;
};

void fill_polygons(const CompiledMesh& mesh, int id, Next* next, Model* model) {
  Model& m = *model;
  m.mesh_polyadr[at(id)] = next->poly;
  m.mesh_polynum[at(id)] = static_cast<int>(mesh.polygons.size());
  std::vector<std::vector<int>> around(mesh.vertex.size() / 3);
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    const std::vector<int>& polygon = mesh.polygons[p];
    const int row = next->poly++;
    m.mesh_polyvertadr[at(row)] = next->polyvert;
    m.mesh_polyvertnum[at(row)] = static_cast<int>(polygon.size());
    copy_to(polygon, &m.mesh_polyvert, next->polyvert, 1);
    set_row(m.mesh_polynormal, row, mesh.polygon_normal[p]);
    next->polyvert += static_cast<int>(polygon.size());
    for (const int vertex : polygon) {
      around[at(vertex)].push_back(static_cast<int>(p));
    }
  }
  for (std::size_t v = 0; v < around.size(); ++v) {
    m.mesh_polymapadr[at(next->vertex) + v] = next->polymap;
    m.mesh_polymapnum[at(next->vertex) + v] = static_cast<int>(around[v].size());
    copy_to(around[v], &m.mesh_polymap, next->polymap, 1);
    next->polymap += static_cast<int>(around[v].size());
  }
}

int number_of_blocks(const CompiledMesh& mesh) {
  const int small = hull_blocks(static_cast<int>(mesh.hull.vertex.size()));
  return small > 0 ? small : static_cast<int>(mesh.cells.block_id.size()) / hull_block;
}

/// The blocks of a hull, small or in cells.
void fill_blocks(const CompiledMesh& mesh, int id, Next* next, Model* model) {
  Model& m = *model;
  const int numvert = static_cast<int>(mesh.hull.vertex.size());
  const bool small = hull_blocks(numvert) > 0;
  m.mesh_hulladr[at(id)] = next->block;
  m.mesh_hullnum[at(id)] = small ? numvert : 0;
  const int entries = number_of_blocks(mesh) * hull_block;
  for (int i = 0; i < entries; ++i) {
    const int local = small ? (i < numvert ? i : 0) : mesh.cells.block_id[at(i)];
    const int vertex = mesh.hull.vertex[at(local)];
    const std::size_t block = at(next->block + i / hull_block), place = at(i % hull_block);
    m.mesh_hullid[block * at(hull_block) + place] = vertex;
    for (std::size_t k = 0; k < 3; ++k) {
      m.mesh_hullvert[(3 * block + k) * at(hull_block) + place] = mesh.vertex[3 * at(vertex) + k];
    }
  }
  next->block += entries / hull_block;
}

/// The cells of a large hull.
void fill_cells(const CompiledMesh& mesh, int id, Next* next, Model* model) {
  model->mesh_seedadr[at(id)] = next->seed;
  model->mesh_seednum[at(id)] = mesh.cells.side;
  copy_to(mesh.cells.seed, &model->mesh_seed, next->seed, 1);
  copy_to(mesh.cells.cell, &model->mesh_cell, next->seed, 1);
  next->seed += static_cast<int>(mesh.cells.seed.size());
}

void fill_tree(const FaceTree& tree, int id, Next* next, Model* model) {
  model->meshbvh_adr[at(id)] = next->node;
  model->meshbvh_num[at(id)] = static_cast<int>(tree.face.size());
  for (std::size_t n = 0; n < tree.face.size(); ++n, ++next->node) {
    set_row(model->meshbvh_child, next->node, tree.child[n]);
    set_row(model->meshbvh_aabb, next->node, tree.aabb[n]);
    model->meshbvh_face[at(next->node)] = tree.face[n];
    model->meshbvh_next[at(next->node)] = tree.next[n];
  }
}

void fill_mesh(const Mesh& from, const CompiledMesh& mesh, int id, Next* next, Model* model) {
  Model& m = *model;
  m.mesh_vertadr[at(id)] = next->vertex;
  m.mesh_vertnum[at(id)] = static_cast<int>(mesh.vertex.size() / 3);
  m.mesh_faceadr[at(id)] = next->face;
  m.mesh_facenum[at(id)] = static_cast<int>(mesh.face.size() / 3);
  copy_to(mesh.vertex, &m.mesh_vert, next->vertex, 3);
  copy_to(mesh.face, &m.mesh_face, next->face, 3);
  set_row(m.mesh_scale, id, from.scale);
  set_row(m.mesh_pos, id, mesh.frame.pos);
  set_row(m.mesh_quat, id, mesh.frame.quat);

  // hull
  m.mesh_graphadr[at(id)] = -1;
  if (!mesh.hull.empty()) {
    const std::vector<int> graph = mesh.hull.graph();
    m.mesh_graphadr[at(id)] = next->graph;
    copy_to(graph, &m.mesh_graph, next->graph, 1);
    next->graph += static_cast<int>(graph.size());
  }
  fill_polygons(mesh, id, next, model);
  fill_blocks(mesh, id, next, model);
  fill_cells(mesh, id, next, model);
  fill_tree(mesh.tree, id, next, model);
  next->vertex += m.mesh_vertnum[at(id)];
  next->face += m.mesh_facenum[at(id)];
}

}  // namespace

void count_assets(const Assets& assets, Model* model) {
  const Counter counter;
  counter.add(assets.meshes.size(), &model->nmesh);
  for (const CompiledMesh& mesh : assets.meshes) {
    counter.add(mesh.vertex.size() / 3, &model->nmeshvert);
    counter.add(mesh.face.size() / 3, &model->nmeshface);
    counter.add(mesh.hull.empty() ? 0
                                  : 2 + 2 * mesh.hull.vertex.size() + mesh.hull.edge.size() +
                                        mesh.hull.face.size(),
                &model->nmeshgraph);
    counter.add(mesh.polygons.size(), &model->nmeshpoly);
    counter.add(corners(mesh.polygons), &model->nmeshpolyvert);
    counter.add(corners(mesh.polygons), &model->nmeshpolymap);
    counter.add(at(number_of_blocks(mesh)), &model->nmeshhull);
    counter.add(mesh.cells.seed.size(), &model->nmeshseed);
    counter.add(mesh.tree.face.size(), &model->nmeshbvh);
  }
  counter.add(assets.hfields.size(), &model->nhfield);
  for (const CompiledHField& hfield : assets.hfields) {
    counter.add(hfield.elevation.size(), &model->nhfielddata);
  }
}

void fill_assets(const Spec& spec, const Assets& assets, Model* model) {
  Next next;
  for (int i = 0; i < model->nmesh; ++i) {
    fill_mesh(spec.meshes[at(i)], assets.meshes[at(i)], i, &next, model);
  }
  for (int i = 0; i < model->nhfield; ++i) {
    const CompiledHField& hfield = assets.hfields[at(i)];
    model->hfield_nrow[at(i)] = hfield.nrow;
    model->hfield_ncol[at(i)] = hfield.ncol;
    model->hfield_adr[at(i)] = next.datum;
    set_row(model->hfield_size, i, spec.hfields[at(i)].size);
    copy_to(hfield.elevation, &model->hfield_data, next.datum, 1);
    next.datum += static_cast<int>(hfield.elevation.size());
  }
}

}  // namespace swept::compiler
