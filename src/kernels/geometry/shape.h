// SPDX-License-Identifier: Apache-2.0
// A convex shape (or a height field) in the world, as the colliders that take one pair at a time
// see it, and what they give back.
//
// A mesh stands for the convex hull of its vertices. Its arrays are views of the model; real arrays
// may belong to one environment among W interleaved ones, so they have a stride. A shape made of a
// few points (a prism of a height field, a triangle) is a mesh without a graph whose vertices lie
// in an array of the caller.
#pragma once

#include <swept/hull.h>

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// Shapes that are no GeomType: the hull of a few points, Shape::mesh.vert with no graph.
constexpr int shape_points = 100;

/// A mesh: vertices, hull and polygons of the hull, all numbered from the mesh's first.
struct MeshShape {
  const real* vert = nullptr;  ///< [m] coordinate k of vertex i is vert[(3 i +
                               ///< k) * vert_stride]
  int vert_stride = 1;
  int vertnum = 0;
  const int* graph = nullptr;        ///< mesh_graph of this mesh; null: all vertices count
  int hullnum = 0;                   ///< vertices of a hull whose blocks are not in cells
  const int* hullid = nullptr;       ///< mesh_hullid of this mesh
  const real* hullvert = nullptr;    ///< mesh_hullvert of this mesh
  int seednum = 0;                   ///< mesh_seednum of this mesh
  const int* seed = nullptr;         ///< mesh_seed of this mesh
  const int* cell = nullptr;         ///< mesh_cell of this mesh
  int polynum = 0;                   ///< polygons of the hull
  const int* polyvertadr = nullptr;  ///< first vertex of polygon p in polyvert
  const int* polyvertnum = nullptr;
  const int* polyvert = nullptr;     ///< vertices of all polygons of the model
  const real* polynormal = nullptr;  ///< coordinate k of polygon p: [(3 p + k) * polynormal_stride]
  int polynormal_stride = 1;
  const int* polymapadr = nullptr;  ///< first polygon around vertex i in polymap
  const int* polymapnum = nullptr;
  const int* polymap = nullptr;

  SWEPT_FN Vec3<real> vertex(int i) const {
    const real* const p = vert + 3 * i * vert_stride;
    return {element(p), element(p + vert_stride), element(p + 2 * vert_stride)};
  }
  SWEPT_FN Vec3<real> normal(int polygon) const {
    const real* const p = polynormal + 3 * polygon * polynormal_stride;
    return {element(p), element(p + polynormal_stride), element(p + 2 * polynormal_stride)};
  }
};

/// A height field: nrow x ncol elevations over [-size[0], size[0]] x [-size[1], size[1]].
struct HfieldShape {
  const real* data = nullptr;  ///< elevation of row r, column c: data[(r ncol + c) * stride]
  int stride = 1;
  int nrow = 0, ncol = 0;
  real size[4] = {0, 0, 0, 0};  ///< [m] half x, half y, elevation of a datum of 1, depth of base

  /// Height [m] of a grid point.
  SWEPT_FN real height(int row, int col) const {
    return element(data + (row * ncol + col) * stride) * size[2];
  }
};

/// A geom in the world.
struct Shape {
  int type;         ///< GeomType, or shape_points
  Vec3<real> pos;   ///< [m]
  Mat3<real> mat;   ///< columns are the axes of the shape
  Vec3<real> size;  ///< [m] as geom_size
  MeshShape mesh = {};
  HfieldShape hfield = {};
};

/// One contact.
struct Witness {
  real dist;          ///< [m] signed distance along the normal, negative: penetration
  Vec3<real> pos;     ///< [m] midway between the surfaces
  Vec3<real> normal;  ///< unit vector from shape 1 to shape 2
};

/// The nearest points of two shapes: point2 = point1 + dist normal.
struct Nearest {
  real dist;          ///< [m] signed distance, negative: penetration
  Vec3<real> point1;  ///< [m] on the surface of shape 1
  Vec3<real> point2;  ///< [m] on the surface of shape 2
  Vec3<real> normal;  ///< unit vector from shape 1 to shape 2
};

/// Where a real field of the model has its element i, and the step to the next one.
struct FieldPlace {
  const real* p;
  int stride;
};
SWEPT_FN FieldPlace place_of(const ModelAt<real>& m, Param field, int i) {
  if (field.n == 0) {
    return {field.p + i, 1};
  }
  return {field.p + (static_cast<long long>(m.block) * field.n + i) * W + m.lane, W};
}

/// Mesh number `mesh` of the model.
SWEPT_FN MeshShape mesh_shape(const ModelAt<real>& m, int mesh) {
  MeshShape s;
  const int vertadr = m.mesh_vertadr(mesh), polyadr = m.mesh_polyadr(mesh);
  const int graphadr = m.mesh_graphadr(mesh);
  const FieldPlace vert = place_of(m, m->mesh_vert, 3 * vertadr);
  s.vert = vert.p;
  s.vert_stride = vert.stride;
  s.vertnum = m.mesh_vertnum(mesh);
  s.graph = graphadr < 0 ? nullptr : m->mesh_graph + graphadr;
  s.hullnum = m.mesh_hullnum(mesh);
  s.hullid = m->mesh_hullid + hull_block * m.mesh_hulladr(mesh);
  s.hullvert = place_of(m, m->mesh_hullvert, 3 * hull_block * m.mesh_hulladr(mesh)).p;
  s.seednum = m.mesh_seednum(mesh);
  s.seed = m->mesh_seed + m.mesh_seedadr(mesh);
  s.cell = m->mesh_cell + m.mesh_seedadr(mesh);
  s.polynum = m.mesh_polynum(mesh);
  const FieldPlace normal = place_of(m, m->mesh_polynormal, 3 * polyadr);
  s.polynormal = normal.p;
  s.polynormal_stride = normal.stride;
  s.polyvertadr = m->mesh_polyvertadr + polyadr;
  s.polyvertnum = m->mesh_polyvertnum + polyadr;
  s.polyvert = m->mesh_polyvert;
  s.polymapadr = m->mesh_polymapadr + vertadr;
  s.polymapnum = m->mesh_polymapnum + vertadr;
  s.polymap = m->mesh_polymap;
  return s;
}

/// Height field number `hfield` of the model.
SWEPT_FN HfieldShape hfield_shape(const ModelAt<real>& m, int hfield) {
  HfieldShape s;
  const FieldPlace data = place_of(m, m->hfield_data, m.hfield_adr(hfield));
  s.data = data.p;
  s.stride = data.stride;
  s.nrow = m.hfield_nrow(hfield);
  s.ncol = m.hfield_ncol(hfield);
  for (int k = 0; k < 4; ++k) {
    s.size[k] = m.hfield_size(4 * hfield + k);
  }
  return s;
}

/// A geom where it stands now.
SWEPT_FN Shape shape_of(const ModelAt<real>& m, const DataAt<real>& d, int geom) {
  Shape s = {m.geom_type(geom),
             vec3(d.geom_xpos(3 * geom)),
             mat3(d.geom_xmat(9 * geom)),
             {m.geom_size(3 * geom), m.geom_size(3 * geom + 1), m.geom_size(3 * geom + 2)}};
  const int data = m.geom_dataid(geom);
  if (data >= 0 && s.type == geom_mesh) {
    s.mesh = mesh_shape(m, data);
  } else if (data >= 0 && s.type == geom_hfield) {
    s.hfield = hfield_shape(m, data);
  }
  return s;
}

}  // namespace swept::SWEPT_NS
