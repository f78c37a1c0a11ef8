// SPDX-License-Identifier: Apache-2.0
// One kernel that reads counts, contacts and rows of each environment.
#include "kernels/engine/measures.h"

#include "kernels/base/launch.h"

namespace swept::SWEPT_NS {

namespace {

struct TakeMeasures {
  const Tile* t;
  MeasuresView out;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (g.lane() != 0 || t->control->halt != 0) {
      return;
    }
    const ContactsAt contacts = t->contacts_at(env);
    const RowsAt rows = t->rows_at(env);
    const int at = t->first + env;

    // a pyramid of dimension d has 2 (d - 1) edges
    int edges = 0;
    for (int r = 0; r < *rows.nefc; ++r) {
      const int dim = rows.efc_dim[r];
      edges += dim == 0 ? 0 : (rows.efc_type[r] == row_contact_pyramidal ? 2 * (dim - 1) : dim);
    }
    real deepest = 0;
    for (int k = 0; k < *contacts.ncon; ++k) {
      deepest = max(deepest, -contacts.dist(k));
    }
    out.contacts[at] = *contacts.ncon;
    out.rows[at] = *rows.nefc;
    out.edges[at] = edges;
    out.iterations[at] = t->solver.niter[env];
    out.residual[at] = t->solver.residual[env];
    out.penetration[at] = deepest;
    for (int k = 0; t->fast.visit != nullptr && k < speculative_counters; ++k) {
      out.speculative[at * static_cast<long long>(speculative_counters) + k] +=
          t->fast.visit[env * speculative_counters + k];
    }
  }
};

}  // namespace

Measures::Measures(int nenv)
    : nenv_(nenv),
      ints_(nints * static_cast<std::size_t>(nenv)),
      reals_(nreals * static_cast<std::size_t>(nenv)),
      longs_(speculative_counters * static_cast<std::size_t>(nenv)) {
  int* next_int = ints_.data();
  for (int** p : {&view_.contacts, &view_.rows, &view_.edges, &view_.iterations}) {
    *p = next_int;
    next_int += nenv;
  }
  view_.residual = reals_.data();
  view_.penetration = reals_.data() + nenv;
  view_.speculative = longs_.data();
}

void Measures::take(const Context& ctx, const Tile& tile, const Tile* t) {
  launch_envs("measures", ctx, tile.nenv, TakeMeasures{t, view_});
}

EngineReport Measures::report() const {
  const std::size_t n = static_cast<std::size_t>(nenv_);
  EngineReport report;
  for (std::vector<int>* list : {&report.contacts, &report.rows, &report.iterations}) {
    list->resize(n);
  }
  ints_.download(report.contacts.data(), n, 0);
  ints_.download(report.rows.data(), n, 2 * n);
  ints_.download(report.iterations.data(), n, 3 * n);

  std::vector<real> reals(2 * n);
  reals_.download(reals.data(), 2 * n);
  report.residual.assign(reals.begin(), reals.begin() + static_cast<std::ptrdiff_t>(n));
  report.penetration.assign(reals.begin() + static_cast<std::ptrdiff_t>(n), reals.end());
  report.speculative.resize(speculative_counters * n);
  longs_.download(report.speculative.data(), report.speculative.size());
  return report;
}

}  // namespace swept::SWEPT_NS
