// SPDX-License-Identifier: Apache-2.0
// Where dofs stand in the solver's vectors, which are made of strips of 8, and which strips belong
// together.
//
// Rows of J touch whole trees more often than not, and the solver multiplies by whole strips. So a
// tree that does not fit into the rest of the present strip begins a new one: a free body has one to
// itself, eight pendulums share one. Dofs keep their order.
//
// Strips that share a tree form a cluster. On clusters of at most 8 strips the solver's
// preconditioner inverts the Hessian; longer ones it leaves alone.
#pragma once

#include <swept/types.h>

#include <span>
#include <vector>

namespace swept {

/// Most strips of a cluster with a preconditioner.
constexpr int most_cluster_strips = 8;

/// Places and clusters, named as in the field table.
struct SolverPlaces {
  std::vector<int> dof_place;      ///< [nv]
  std::vector<int> strip_cluster;  ///< [strips]
  std::vector<int> cluster_strip;  ///< [clusters + 1]
  std::vector<int> cluster_adr;    ///< [clusters]
  int nplace = 0;                  ///< whole strips, two at a time: the largest pack of f32
  int nprecond = 0;                ///< reals of the preconditioner: two matrices a cluster
};

/// Places of the dofs of a forest.
///   dof_parentid  [nv], depth first
inline SolverPlaces solver_places(std::span<const int> dof_parentid) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto strips = [](int n) { return (n + strip_size - 1) / strip_size; };
  const int nv = static_cast<int>(dof_parentid.size());
  SolverPlaces out;
  out.dof_place.resize(dof_parentid.size());
  int place = 0;
  for (int root = 0; root < nv;) {
    int end = root + 1;
    while (end < nv && dof_parentid[at(end)] >= root) {
      ++end;
    }
    const int in_use = place % strip_size, size = end - root;
    if (in_use + size > strip_size) {
      place += (strip_size - in_use) % strip_size;
    }
    // a tree that begins a strip begins a cluster
    if (place % strip_size == 0) {
      out.cluster_strip.push_back(place / strip_size);
    }
    for (; root < end; ++root) {
      out.dof_place[at(root)] = place++;
    }
  }
  out.nplace = (strips(place) + 1) / 2 * 2 * strip_size;

  // the strip that fills the last pair up is a cluster of its own
  out.cluster_strip.push_back(strips(place));
  if (strips(place) % 2 != 0) {
    out.cluster_strip.push_back(strips(place) + 1);
  }
  for (std::size_t c = 0; c + 1 < out.cluster_strip.size(); ++c) {
    const int n = out.cluster_strip[c + 1] - out.cluster_strip[c];
    const bool small = n <= most_cluster_strips;
    out.strip_cluster.insert(out.strip_cluster.end(), at(n), static_cast<int>(c));
    out.cluster_adr.push_back(small ? out.nprecond : -1);
    out.nprecond += small ? 2 * n * n * strip_size * strip_size : 0;
  }
  return out;
}

/// The same as fields and sizes of a model.
template <class Model>
void fill_solver_places(Model* m) {
  SolverPlaces places = solver_places(m->dof_parentid);
  m->dof_place = std::move(places.dof_place);
  m->strip_cluster = std::move(places.strip_cluster);
  m->cluster_strip = std::move(places.cluster_strip);
  m->cluster_adr = std::move(places.cluster_adr);
  m->nplace = places.nplace;
  m->nstrip = static_cast<int>(m->strip_cluster.size());
  m->ncluster = static_cast<int>(m->cluster_adr.size());
  m->nclusterp1 = m->ncluster + 1;
  m->nprecond = places.nprecond;
}

}  // namespace swept
