// SPDX-License-Identifier: Apache-2.0
// Allocation of a worker's scratch, and its table of views.
#include "kernels/engine/worker.h"

#include <algorithm>

#include "kernels/collide/pairs.h"
#include "kernels/solve/newton/newton.h"
#include "kernels/speculative/stages.h"

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

constexpr int flag_arrays = 11;

/// Integers of the lists of pairs for one of them, without the mask.
constexpr int pair_ints = PairsView::entry_ints + 1;

std::size_t size(long long n) {
  return static_cast<std::size_t>(n);
}

/// Pairs that may collide; of scenes that list none, a number above all that matter here.
long long pairs_of(const Model& model) {
  return model.nsweep > 0 ? 1LL << 40 : model.ncandidate;
}

/// Slots for the contacts of pairs that are worked on one at a time: of all of them, but no more
/// than a geom in a heap needs; 0 if there are no such pairs.
long long estimate_slots(const Model& model) {
  constexpr long long usual = 16;  // two boxes below every geom
  if (model.nsweep > 0) {
    return usual * model.ngeom;
  }
  long long slots = 0;
  for (std::size_t c = 0; c < model.candidate_kind.size(); ++c) {
    const auto type = [&](const std::vector<int>& geom) { return model.geom_type[size(geom[c])]; };
    slots +=
        slots_of(model.candidate_kind[c], type(model.candidate_geom1), type(model.candidate_geom2));
  }
  return std::min(slots, usual * model.ngeom);
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
  const long long pairs = pairs_of(model);
  capacity.pairs = choose(wanted.pairs, std::min<long long>(pairs, 2LL * model.ngeom + 16));
  capacity.contacts =
      choose(wanted.contacts, pairs == 0 ? 1 : std::min<long long>(4 * pairs, model.ngeom + 8LL));
  if (const long long slots = estimate_slots(model); slots > 0 || wanted.slots > 0) {
    capacity.slots = choose(wanted.slots, slots);
  }
  if ((model.opt.enableflags & enable_speculative) != 0) {
    capacity.fast = choose(wanted.fast, std::min<long long>(pairs, 8));
  }
  const long long contact_rows = pairs == 0 ? 0 : 3LL * capacity.contacts;
  capacity.rows = choose(wanted.rows, friction + limits + contact_rows);
  capacity.nonzeros =
      choose(wanted.nonzeros, friction + limits + model.nwrap + contact_rows * chain);
  return capacity;
}

namespace {

/// Rows up to which environments take Newton's methods, which work on packs.
int dual_rows(const Sizes& sizes) {
  return lanes_of<pack> > 1 ? dual_rows_of(sizes.nv) : 0;
}
int primal_rows(const Sizes& sizes, const Capacity& capacity) {
  return lanes_of<pack> > 1 ? primal_rows_of(sizes.nv, capacity.rows) : 0;
}

/// Reals per environment that the solvers share: Newton's methods are done with them before the
/// other one writes there.
long long solver_reals(const Sizes& sizes, const Capacity& capacity) {
  return std::max(
      SolverView::vectors_size(sizes.nplace) + SolverView::matrices_size(sizes.nM) +
          SolverView::precond_size(sizes.nprecond) + SolverView::row_vectors_size(capacity.rows) +
          SolverView::jac_size(capacity.nonzeros),
      SolverView::padded(newton_size(dual_rows(sizes), primal_rows(sizes, capacity), sizes.nv)));
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
  const std::size_t pairs = size(capacity.pairs) *
                            (size(pair_ints) * sizeof(int) + sizeof(unsigned)) /
                            size(lanes_of<pack>);
  const std::size_t hits = size(capacity.slots) * HitsView::nreal * sizeof(real);
  const std::size_t fast = size(capacity.fast) * (bytes_of_fast_pair() + sizeof(int));
  return reals * sizeof(real) + ints * sizeof(int) + pairs + hits + fast;
}

/// Bytes per environment of the sweep.
std::size_t sweep_bytes(const Sizes& sizes, const Capacity& capacity) {
  if (sizes.nsweep == 0) {
    return 0;
  }
  return size(SweepView::box_reals(sizes.nsweep)) * sizeof(real) +
         size(SweepView::item_ints(sizes.nsweep) + 1 + 4LL * capacity.pairs) * sizeof(int);
}

}  // namespace

std::size_t scratch_bytes_per_env(const Sizes& sizes, const Layout& layout,
                                  const Capacity& capacity) {
  return other_bytes(layout, capacity) + sweep_bytes(sizes, capacity) +
         size(solver_reals(sizes, capacity)) * sizeof(real);
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
  pair_count_ = Buffer<int>(size(2LL * nblocks * pair_lists));
  if (const long long items = model.view.nsweep; items > 0) {
    sweep_box_ = Buffer<real>(size(slots * SweepView::box_reals(items)));
    sweep_item_ = Buffer<int>(size(slots * (SweepView::item_ints(items) + 1)));
  }

  if ((model.view.opt.enableflags & enable_speculative) != 0) {
    fast_counts_ = Buffer<int>(size(2 * slots * speculative_counters));
    tile_.fast.now = fast_counts_.data();
    tile_.fast.visit = fast_counts_.data() + slots * speculative_counters;
  }

  tile_.model = model.view;
  tile_.layout = layout;
  tile_.state = state;
  tile_.scratch = scratch_.data();
  tile_.control = control_.data();
  int* flag = flags_.data();
  for (int** p : {&tile_.frozen, &tile_.aside, &tile_.steps, &tile_.resets, &tile_.reset_status,
                  &tile_.contacts.ncon, &tile_.rows.nefc, &tile_.rows.nnz, &tile_.solver.niter,
                  &tile_.settled, &tile_.fast.count}) {
    *p = flag;
    flag += slots;
  }
  tile_.solver.residual = residual_.data();
  tile_.solver.dual_rows = dual_rows(model.view);
  tile_.pairs.count = pair_count_.data();
  tile_.pairs.singles = pair_count_.data() + static_cast<long long>(nblocks) * pair_lists;
  tile_.sweep.box = sweep_box_.data();
  tile_.sweep.count = sweep_item_.data();
  tile_.sweep.item = sweep_item_.data() + (model.view.nsweep > 0 ? slots : 0);
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

void Worker::limit_newton(int rows) {
  tile_.solver.dual_rows = std::min(rows, dual_rows(tile_.model));
  tile_.solver.primal_rows = std::min(rows, primal_rows(tile_.model, capacity_));
  upload();
}

void Worker::reserve(const Capacity& wanted) {
  if (wanted.pairs <= capacity_.pairs && wanted.contacts <= capacity_.contacts &&
      wanted.rows <= capacity_.rows && wanted.nonzeros <= capacity_.nonzeros &&
      wanted.slots <= capacity_.slots && wanted.fast <= capacity_.fast) {
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
    Buffer<int> pair(size(lists * wanted.pairs * PairsView::entry_ints));
    Buffer<int> single(size(lists * wanted.pairs));
    Buffer<unsigned> mask(size(lists * wanted.pairs));
    Buffer<int> found(tile_.model.nsweep > 0 ? size(slots * 4 * wanted.pairs) : 0);
    pair_ = std::move(pair);
    pair_single_ = std::move(single);
    pair_mask_ = std::move(mask);
    sweep_found_ = std::move(found);
    tile_.pairs.pair = pair_.data();
    tile_.pairs.single = pair_single_.data();
    tile_.pairs.mask = pair_mask_.data();
    tile_.sweep.found = sweep_found_.data();
    tile_.pairs.capacity = capacity_.pairs = wanted.pairs;
  }
  if (wanted.slots > capacity_.slots) {
    Buffer<real> hits(size(slots * wanted.slots * HitsView::nreal));
    hits_ = std::move(hits);
    tile_.hits.reals = hits_.data();
    tile_.hits.capacity = capacity_.slots = wanted.slots;
  }
  if (wanted.fast > capacity_.fast) {
    Buffer<unsigned char> fast(size(slots * wanted.fast) * bytes_of_fast_pair());
    Buffer<int> active(size(slots * wanted.fast));
    fast_ = std::move(fast);
    fast_active_ = std::move(active);
    tile_.fast.pair = reinterpret_cast<FastPair*>(fast_.data());
    tile_.fast.active = fast_active_.data();
    tile_.fast.capacity = capacity_.fast = wanted.fast;
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
  tile_.solver.slots = next;
  tile_.solver.primal_rows = primal_rows(sizes, wanted);
  tile_.solver.vectors = next;
  next += slots * SolverView::vectors_size(sizes.nplace);
  tile_.solver.matrices = next;
  next += slots * SolverView::matrices_size(sizes.nM);
  tile_.solver.precond = next;
  next += slots * SolverView::precond_size(sizes.nprecond);
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
    return slots * (other_bytes(tile_.layout, alone) - other_bytes(tile_.layout, {}) +
                    sweep_bytes(tile_.model, alone) - sweep_bytes(tile_.model, {}));
  };
  const auto solver_of = [&](const Capacity& capacity) {
    return slots * size(solver_reals(tile_.model, capacity)) * sizeof(real);
  };
  std::size_t more = 0, most = 0;
  Capacity now = capacity_;
  for (const auto kind : {&Capacity::pairs, &Capacity::slots, &Capacity::fast, &Capacity::contacts,
                          &Capacity::rows, &Capacity::nonzeros}) {
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
         pair_single_.bytes() + pair_count_.bytes() + pair_mask_.bytes() + sweep_box_.bytes() +
         sweep_item_.bytes() + sweep_found_.bytes() + hits_.bytes() + fast_.bytes() +
         fast_active_.bytes() + fast_counts_.bytes() + contact_reals_.bytes() +
         contact_ints_.bytes() + row_reals_.bytes() + nonzeros_.bytes() + solver_reals_.bytes() +
         row_ints_.bytes() + solver_ints_.bytes() + colind_.bytes() + strips_.bytes();
}

}  // namespace swept::SWEPT_NS
