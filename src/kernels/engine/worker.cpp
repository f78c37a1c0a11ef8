// SPDX-License-Identifier: Apache-2.0
// Allocation of a worker's scratch, and its table of views.
#include "kernels/engine/worker.h"

#include <algorithm>

#include "kernels/solve/dual/dual_work.h"

namespace swept::SWEPT_NS {

namespace {

/// Lists of pairs per block: one on the CPU, where a list serves W lanes, and W on CUDA.
constexpr int pair_lists = W / lanes_of<pack>;

constexpr int count_row_reals() {
  int n = 0;
#define SWEPT_ROW_REAL(name, unit, meaning) ++n;
#define SWEPT_ROW_INT(name, meaning)
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
  return n;
}

constexpr int count_row_ints() {
  int n = 0;
#define SWEPT_ROW_REAL(name, unit, meaning)
#define SWEPT_ROW_INT(name, meaning) ++n;
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
  return n;
}

constexpr int flag_arrays = 9;

std::size_t size(long long n) {
  return static_cast<std::size_t>(n);
}

}  // namespace

Capacity estimate_capacity(const Model& model, const Capacity& wanted) {
  const auto choose = [](int asked, long long estimate) {
    return asked > 0
               ? asked
               : static_cast<int>(std::min<long long>(std::max<long long>(estimate, 1), 1 << 24));
  };
  const auto nonzero = [](double x) { return x != 0; };
  const auto limited = [](int x) { return x != 0; };

  // longest chain of dofs, friction-loss rows, limits of which half may be active
  const int chain =
      model.nv == 0 ? 1 : *std::max_element(model.M_rownnz.begin(), model.M_rownnz.end());
  const long long friction =
      std::count_if(model.dof_frictionloss.begin(), model.dof_frictionloss.end(), nonzero) +
      std::count_if(model.tendon_frictionloss.begin(), model.tendon_frictionloss.end(), nonzero);
  const long long limits =
      std::count_if(model.jnt_limited.begin(), model.jnt_limited.end(), limited) +
      std::count_if(model.tendon_limited.begin(), model.tendon_limited.end(), limited);

  Capacity capacity;
  capacity.pairs =
      choose(wanted.pairs, std::min<long long>(model.ncandidate, 2LL * model.ngeom + 16));
  capacity.contacts = choose(
      wanted.contacts,
      model.ncandidate == 0 ? 1 : std::min<long long>(4LL * model.ncandidate, model.ngeom + 8LL));
  const long long contact_rows = model.ncandidate == 0 ? 0 : 3LL * capacity.contacts;
  capacity.rows = choose(wanted.rows, friction + limits + contact_rows);
  capacity.nonzeros =
      choose(wanted.nonzeros, friction + limits + model.nwrap + contact_rows * chain);
  return capacity;
}

namespace {

/// Rows up to which environments take the dual solver, which works on packs.
int dual_rows(const Sizes& sizes) {
  return lanes_of<pack> > 1 ? dual_rows_of(sizes.nv) : 0;
}

/// Reals per environment that the solvers share: the dual solver is done with them before the
/// other one writes there.
long long solver_reals(const Sizes& sizes, const Capacity& capacity) {
  return std::max(SolverView::vectors_size(sizes.nv) + SolverView::matrices_size(sizes.nM) +
                      SolverView::row_vectors_size(capacity.rows) +
                      SolverView::jac_size(capacity.nonzeros),
                  SolverView::padded(dual_size(dual_rows(sizes), sizes.nv)));
}

/// Bytes of scratch per environment without those.
std::size_t other_bytes(const Layout& layout, const Capacity& capacity) {
  const long long rows = capacity.rows, nonzeros = capacity.nonzeros;
  const std::size_t reals = size(layout.size) + size(capacity.contacts) * ContactLayout::nreal +
                            size(rows * count_row_reals() + nonzeros) + 1;
  const std::size_t ints =
      size(capacity.contacts) * ContactLayout::nint + size(rows * count_row_ints() + nonzeros) +
      size(SolverView::row_ints_size(rows) + SolverView::jac_strips_size(nonzeros)) +
      size(flag_arrays);
  const std::size_t pairs =
      size(capacity.pairs) * (sizeof(int) + sizeof(unsigned)) / size(lanes_of<pack>);
  return reals * sizeof(real) + ints * sizeof(int) + pairs;
}

}  // namespace

std::size_t scratch_bytes_per_env(const Sizes& sizes, const Layout& layout,
                                  const Capacity& capacity) {
  return other_bytes(layout, capacity) + size(solver_reals(sizes, capacity)) * sizeof(real);
}

Worker::Worker(const UploadedModel& model, const Layout& layout, const StateView& state,
               int nblocks, const Capacity& capacity, void* stream)
    : room_(nblocks) {
  const long long slots = static_cast<long long>(nblocks) * W;
  table_ = Buffer<Tile>(1);
  control_ = Buffer<Control>(1);
  scratch_ = Buffer<real>(size(slots * layout.size));
  flags_ = Buffer<int>(size(slots * flag_arrays));
  residual_ = Buffer<real>(size(slots));
  pair_count_ = Buffer<int>(size(static_cast<long long>(nblocks) * pair_lists));

  tile_.model = model.view;
  tile_.layout = layout;
  tile_.state = state;
  tile_.scratch = scratch_.data();
  tile_.control = control_.data();
  int* flag = flags_.data();
  for (int** p : {&tile_.frozen, &tile_.aside, &tile_.steps, &tile_.resets, &tile_.reset_status,
                  &tile_.contacts.ncon, &tile_.rows.nefc, &tile_.rows.nnz, &tile_.solver.niter}) {
    *p = flag;
    flag += slots;
  }
  tile_.solver.residual = residual_.data();
  tile_.solver.dual_rows = dual_rows(model.view);
  tile_.pairs.count = pair_count_.data();
  reserve(capacity);
  // last: nothing after it throws, so the destructor closes it
  own_stream_ = open_queue(&ctx_, stream);
}

Worker::~Worker() {
  if (own_stream_) {
    close_queue(&ctx_);
  }
}

void Worker::upload() {
  wait(ctx_);
  table_.upload(&tile_, 1);
}

void Worker::point_at(int first, int nenv) {
  tile_.first = first;
  tile_.nenv = nenv;
  tile_.nblocks = (nenv + W - 1) / W;
}

void Worker::set_model(const ModelView& model) {
  tile_.model = model;
  upload();
}

void Worker::limit_dual(int rows) {
  tile_.solver.dual_rows = std::min(rows, dual_rows(tile_.model));
  upload();
}

void Worker::reserve(const Capacity& wanted) {
  if (wanted.pairs <= capacity_.pairs && wanted.contacts <= capacity_.contacts &&
      wanted.rows <= capacity_.rows && wanted.nonzeros <= capacity_.nonzeros) {
    return;
  }
  wait(ctx_);
  try {
    grow(wanted);
  } catch (...) {
    // the device must not keep the addresses of buffers that have moved before
    upload();
    throw;
  }
  upload();
}

/// Replace the buffers that are too small; the queue is empty.
void Worker::grow(const Capacity& wanted) {
  const long long slots = static_cast<long long>(room_) * W;
  const long long lists = static_cast<long long>(room_) * pair_lists;

  if (wanted.pairs > capacity_.pairs) {
    Buffer<int> pair(size(lists * wanted.pairs));
    Buffer<unsigned> mask(size(lists * wanted.pairs));
    pair_ = std::move(pair);
    pair_mask_ = std::move(mask);
    tile_.pairs.pair = pair_.data();
    tile_.pairs.mask = pair_mask_.data();
    tile_.pairs.capacity = capacity_.pairs = wanted.pairs;
  }
  if (wanted.contacts > capacity_.contacts) {
    Buffer<real> reals(size(slots * wanted.contacts * ContactLayout::nreal));
    Buffer<int> ints(size(slots * wanted.contacts * ContactLayout::nint));
    contact_reals_ = std::move(reals);
    contact_ints_ = std::move(ints);
    tile_.contacts.reals = contact_reals_.data();
    tile_.contacts.ints = contact_ints_.data();
    tile_.contacts.capacity = capacity_.contacts = wanted.contacts;
  }
  if (wanted.rows > capacity_.rows) {
    Buffer<real> reals(size(slots * wanted.rows * count_row_reals()));
    Buffer<int> ints(size(slots * wanted.rows * count_row_ints()));
    Buffer<int> blocks(size(slots * SolverView::row_ints_size(wanted.rows)));
    grow_solver({0, 0, wanted.rows, capacity_.nonzeros});
    row_reals_ = std::move(reals);
    row_ints_ = std::move(ints);
    solver_ints_ = std::move(blocks);
    real* next_real = row_reals_.data();
    int* next_int = row_ints_.data();
#define SWEPT_ROW_REAL(name, unit, meaning) \
  tile_.rows.name = next_real;              \
  next_real += slots * wanted.rows;
#define SWEPT_ROW_INT(name, meaning) \
  tile_.rows.name = next_int;        \
  next_int += slots * wanted.rows;
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    tile_.solver.row_ints = solver_ints_.data();
    tile_.rows.capacity = capacity_.rows = wanted.rows;
  }
  if (wanted.nonzeros > capacity_.nonzeros) {
    Buffer<real> values(size(slots * wanted.nonzeros));
    Buffer<int> columns(size(slots * wanted.nonzeros));
    Buffer<int> strips(size(slots * SolverView::jac_strips_size(wanted.nonzeros)));
    grow_solver({0, 0, capacity_.rows, wanted.nonzeros});
    nonzeros_ = std::move(values);
    colind_ = std::move(columns);
    strips_ = std::move(strips);
    tile_.solver.jac_strips = strips_.data();
    tile_.rows.efc_J = nonzeros_.data();
    tile_.rows.efc_J_colind = colind_.data();
    tile_.rows.capacity_nnz = capacity_.nonzeros = wanted.nonzeros;
  }
}

/// Place the solvers' memory for so many rows and nonzeros, and make it anew if it is too small.
void Worker::grow_solver(const Capacity& wanted) {
  const Sizes& sizes = tile_.model;
  const long long slots = static_cast<long long>(room_) * W;
  const std::size_t needed = size(slots * solver_reals(sizes, wanted));
  if (solver_reals_.size() < needed) {
    Buffer<real> reals(needed);
    solver_reals_ = std::move(reals);
  }
  real* next = solver_reals_.data();
  tile_.solver.dual = next;
  tile_.solver.vectors = next;
  next += slots * SolverView::vectors_size(sizes.nv);
  tile_.solver.matrices = next;
  next += slots * SolverView::matrices_size(sizes.nM);
  tile_.solver.row_vectors = next;
  next += slots * SolverView::row_vectors_size(wanted.rows);
  tile_.solver.jac = next;
}

std::size_t Worker::bytes_to_reach(const Capacity& wanted) const {
  // kinds that grow are made anew one after the other; the old buffers of a kind go when its new
  // ones are there
  const std::size_t slots = static_cast<std::size_t>(room_) * W;
  const auto lists_of = [&](int Capacity::*kind, int capacity) {
    Capacity alone;
    alone.*kind = capacity;
    return slots * (other_bytes(tile_.layout, alone) - other_bytes(tile_.layout, {}));
  };
  const auto solver_of = [&](const Capacity& capacity) {
    return slots * size(solver_reals(tile_.model, capacity)) * sizeof(real);
  };
  std::size_t more = 0, most = 0;
  Capacity now = capacity_;
  for (const auto kind :
       {&Capacity::pairs, &Capacity::contacts, &Capacity::rows, &Capacity::nonzeros}) {
    if (wanted.*kind > capacity_.*kind) {
      const std::size_t before = solver_of(now);
      now.*kind = wanted.*kind;
      const std::size_t after = solver_of(now);
      const std::size_t anew =
          lists_of(kind, wanted.*kind) + (after > before ? after : std::size_t{0});
      most = std::max(most, more + anew);
      more += lists_of(kind, wanted.*kind) - lists_of(kind, capacity_.*kind) + after - before;
    }
  }
  return most;
}

Control Worker::control() const {
  wait(ctx_);
  Control control;
  control_.download(&control, 1);
  return control;
}

std::size_t Worker::bytes() const {
  return scratch_.bytes() + flags_.bytes() + residual_.bytes() + pair_.bytes() +
         pair_count_.bytes() + pair_mask_.bytes() + contact_reals_.bytes() + contact_ints_.bytes() +
         row_reals_.bytes() + nonzeros_.bytes() + solver_reals_.bytes() + row_ints_.bytes() +
         solver_ints_.bytes() + colind_.bytes() + strips_.bytes();
}

}  // namespace swept::SWEPT_NS
