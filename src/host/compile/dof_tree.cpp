// SPDX-License-Identifier: Apache-2.0
// The tree of dofs: parents, kinematic trees, levels, solver places, and the sparsity of M (for every dof
// the chain of its ancestors, then itself).
#include "host/compile/passes.h"
#include "host/compile/solver_places.h"

#include <numeric>

namespace swept::compiler {
namespace {

/// Parents and last dofs along the tree of bodies.
void fill_parents(Model& model) {
  model.body_lastdof[0] = -1;
  for (int b = 1; b < model.nbody; ++b) {
    int last = model.body_lastdof[at(model.body_parentid[at(b)])];
    for (int k = 0; k < model.body_dofnum[at(b)]; ++k) {
      const int dof = model.body_dofadr[at(b)] + k;
      model.dof_parentid[at(dof)] = last;
      last = dof;
    }
    model.body_lastdof[at(b)] = last;
  }
}

/// Kinematic trees: one for each dof without parent.
void fill_trees(Model& model) {
  for (int i = 0; i < model.nv; ++i) {
    const int parent = model.dof_parentid[at(i)];
    model.dof_treeid[at(i)] = parent < 0 ? model.ntree++ : model.dof_treeid[at(parent)];
  }
  for (int b = 0; b < model.nbody; ++b) {
    const int dof = model.body_lastdof[at(b)];
    model.body_treeid[at(b)] = dof < 0 ? -1 : model.dof_treeid[at(dof)];
  }
}

/// Depths, descendants, and dofs sorted by depth.
void fill_levels(Model& model) {
  for (int i = 0; i < model.nv; ++i) {
    const int parent = model.dof_parentid[at(i)];
    model.dof_depth[at(i)] = parent < 0 ? 0 : model.dof_depth[at(parent)] + 1;
    ++model.level_dofadr[at(model.dof_depth[at(i)]) + 1];
  }
  std::partial_sum(model.level_dofadr.begin(), model.level_dofadr.end(),
                   model.level_dofadr.begin());
  std::vector<int> next = model.level_dofadr;
  for (int i = 0; i < model.nv; ++i) {
    model.level_dofid[at(next[at(model.dof_depth[at(i)])]++)] = i;
  }
  for (int i = model.nv - 1; i >= 0; --i) {
    ++model.dof_subtreenum[at(i)];
    if (model.dof_parentid[at(i)] >= 0) {
      model.dof_subtreenum[at(model.dof_parentid[at(i)])] += model.dof_subtreenum[at(i)];
    }
  }
}

/// Rows of M: the parent's row and the diagonal.
void fill_sparsity(Model& model) {
  int adr = 0;
  for (int i = 0; i < model.nv; ++i) {
    model.M_rowadr[at(i)] = adr;
    model.dof_Madr[at(i)] = adr;
    model.M_rownnz[at(i)] = model.dof_depth[at(i)] + 1;
    const int parent = model.dof_parentid[at(i)];
    for (int k = 0; k < model.dof_depth[at(i)]; ++k) {
      model.M_colind[at(adr + k)] = model.M_colind[at(model.M_rowadr[at(parent)] + k)];
    }
    adr += model.M_rownnz[at(i)];
    model.M_colind[at(adr - 1)] = i;
  }
}

}  // namespace

void fill_dof_tree(Model& model) {
  fill_parents(model);
  fill_trees(model);
  fill_levels(model);
  fill_solver_places(&model);
  fill_sparsity(model);
}

}  // namespace swept::compiler
