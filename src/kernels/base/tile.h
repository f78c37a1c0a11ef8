// SPDX-License-Identifier: Apache-2.0
// Tile: the environments that go through all stages of a step together, and the one table of views
// that every kernel reads.
//
// The table lives in the device's memory; kernels take its address. Growing a buffer rewrites the
// table and changes no kernel argument.
//
//   scratch     pack layout                  state, derived fields, temporaries     fixed size
//   pairs       [block][pair]                pairs that passed the bounds           grows
//   sweep       [env][...]                   memory of the sweep, if there is one   follows pairs
//   hits        [block][slot][8][W]          contacts of pairs that are worked on   grows
//                                            one at a time, before they are listed
//   fast        [env][pair]                  pairs that are followed on their way   grows
//   contacts    [block][contact][field][W]   in order of (pair, index)              grows
//   rows        [env][row], [env][nonzero]   basis rows and their sparse J          grows
//   solver      [env][...]                   vectors, factor of M, a copy of J      follows rows
//
// A stage that does not fit raises control->halt and says what it needs; every later stage sees it
// and does nothing; the host grows the buffer and goes on from there. Pairs that the host has to
// follow further (engine/tail.h) halt it in the same way.
#pragma once

#include <swept/speculative.h>

#include "kernels/base/data.h"

namespace swept::SWEPT_NS {

/// What a stage asks for when a buffer is too small; counts are per environment.
struct Need {
  int pairs = 0;
  int contacts = 0;
  int rows = 0;
  int nonzeros = 0;
  int slots = 0;
  int fast = 0;
  int tail = 0;  ///< pairs that wait for the host; there is room for none
};

/// The tile's flags, on the device: what is in work, and where it stopped. While `halt` is not 0
/// nothing but the host's answer changes the rest, so that the point to go on from stays.
struct Control {
  /// Not 0: a stage did not fit; all stages return at once until the host has answered.
  int halt = 0;
  int visit = 0;    ///< number of the visit in work
  int repeats = 0;  ///< how often it goes through its program
  int substep = 0;  ///< how often it has done so
  int call = 0;     ///< number in the program of the call that began last and may not fit
  int fresh = 0;    ///< not 0: the visit has not been opened
  int again = 0;    ///< not 0: environments of the tile have to be solved again
  Need need;        ///< the largest counts seen, whether they fitted or not
};

/// Why an environment is frozen; a status of 0 means it is well. Every quantity that is named was
/// not finite or above 1e10. The numbers are those of the public Status.
enum Status : int {
  status_ok = 0,
  // written into the state by the user, found at the start of a step
  status_bad_qpos = 1,
  status_bad_qvel = 2,
  status_bad_act = 3,
  status_bad_ctrl = 4,
  status_bad_qfrc_applied = 5,
  status_bad_xfrc_applied = 6,
  status_bad_mocap_pos = 7,
  status_bad_mocap_quat = 8,
  status_bad_qacc_warmstart = 9,
  status_bad_time = 10,
  status_bad_model = 11,  ///< a number of the environment's own model; see Tile::model.bad_model
  // computed by a step, which was undone
  status_diverged = 64,  ///< the bit that these have in common
  status_diverged_qacc = status_diverged + 1,
  status_diverged_qvel = status_diverged + 2,
  status_diverged_qpos = status_diverged + 3,
  status_diverged_act = status_diverged + 4,
};

/// Pairs of geoms of a block that passed the bounding tests in at least one lane, in the order of
/// contacts.
struct PairsView {
  List<int> pair = nullptr;       ///< [block][capacity][entry_ints] see GeomPair
  List<int> single = nullptr;     ///< [block][capacity] the pairs that are worked on one at a time
  List<unsigned> mask = nullptr;  ///< [block][capacity] bit l: lane l passed
  List<int> count = nullptr;      ///< [block]
  List<int> singles = nullptr;    ///< [block] number of `single`
  int capacity = 0;

  enum : int { entry_ints = 6 };  ///< geom1, geom2, pairid, kind, first slot, fast lanes
};
// On CUDA a thread is a lane: there the list is per environment, `block` above is an environment
// and the mask is 1.

/// Contacts of the pairs that are worked on one at a time, between their collider and the list of
/// contacts. A pair has as many slots as it can have contacts, one after the other from its first
/// slot; an environment uses as many of them as the number in `count` of the first one says.
struct HitsView {
  real* reals = nullptr;  ///< [block][capacity][nreal][W]
  int capacity = 0;

  enum : int { count, dist, pos, normal = pos + 3, nreal = normal + 3 };
};

/// Memory of the sweep of each environment; nothing where all pairs are tested.
struct SweepView {
  real* box = nullptr;   ///< [env][box_reals(nsweep)] bounds of the items along the axes of the
                         ///< sweep, and sums for the axes
  int* item = nullptr;   ///< [env][item_ints(nsweep)] order of the items, where columns start, and
                         ///< counters for sorting
  int* found = nullptr;  ///< [env][2][pairs.capacity][2] pairs of geoms, and room to sort them
  int* count = nullptr;  ///< [env] their number

  enum : int { digit_values = 256, most_lanes = 32, sums = 10, sum_parts = 32 };
  SWEPT_HD static constexpr long long box_reals(long long items) {
    return items == 0 ? 0 : 6 * items + sums * sum_parts;
  }
  SWEPT_HD static constexpr long long item_ints(long long items) {
    return items == 0 ? 0 : 5 * items + 2 + digit_values * most_lanes;
  }
};

struct FastPair;

/// Pairs that are fast (see speculative/sweep.h), per environment, in the order of contacts; nothing
/// where speculative contacts are off. Before the solve they are those that the broad phase marked,
/// after it those that have to be guarded on the motion that it leads to.
struct FastView {
  FastPair* pair = nullptr;  ///< [env][capacity]
  int* active = nullptr;     ///< [env][capacity] numbers of those whose advancement goes on
  int* count = nullptr;      ///< [env] number of `pair`
  int* now = nullptr;        ///< [env][speculative_counters] of this step
  int* visit = nullptr;      ///< [env][speculative_counters] of the steps of this visit before
  int capacity = 0;
};

/// Contact records: offsets of the fields inside a record, in elements.
struct ContactLayout {
  enum : int {
#define SWEPT_CONTACT_REAL(name, cols, unit, meaning) name, name##_last = name + (cols)-1,
#define SWEPT_CONTACT_INT(name, meaning)
#include "kernels/base/fields_contact.def"
#undef SWEPT_CONTACT_REAL
#undef SWEPT_CONTACT_INT
    nreal
  };
  enum : int {
#define SWEPT_CONTACT_REAL(name, cols, unit, meaning)
#define SWEPT_CONTACT_INT(name, meaning) int_##name,
#include "kernels/base/fields_contact.def"
#undef SWEPT_CONTACT_REAL
#undef SWEPT_CONTACT_INT
    nint
  };
};

struct ContactsView {
  real* reals = nullptr;     ///< [block][capacity][nreal][W]
  int* ints = nullptr;       ///< [block][capacity][nint][W]
  List<int> ncon = nullptr;  ///< [env] number of contacts
  int capacity = 0;
};

/// The contacts of one environment. c.dist(k), c.pos(k, i), c.geom1(k) read and write contact k.
struct ContactsAt {
  real* reals;  ///< record 0, at the lane
  int* ints;
  List<int> ncon;
  int capacity;

#define SWEPT_CONTACT_REAL(name, cols, unit, meaning)                                              \
  SWEPT_FN real& name(int k, int i = 0) const {                                                    \
    return element(                                                                                \
        reals + (static_cast<long long>(k) * ContactLayout::nreal + ContactLayout::name + i) * W); \
  }
#define SWEPT_CONTACT_INT(name, meaning)                                                           \
  SWEPT_FN int& name(int k) const {                                                                \
    return element(                                                                                \
        ints + (static_cast<long long>(k) * ContactLayout::nint + ContactLayout::int_##name) * W); \
  }
#include "kernels/base/fields_contact.def"
#undef SWEPT_CONTACT_REAL
#undef SWEPT_CONTACT_INT
};

/// Constraint rows of all environments of the tile.
struct RowsView {
#define SWEPT_ROW_REAL(name, unit, meaning) List<real> name = nullptr;
#define SWEPT_ROW_INT(name, meaning) List<int> name = nullptr;
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
  List<int> nefc = nullptr;          ///< [env] rows
  List<int> nnz = nullptr;           ///< [env] nonzeros of J
  List<int> efc_J_colind = nullptr;  ///< [env][capacity_nnz] dof
  List<real> efc_J = nullptr;        ///< [env][capacity_nnz]
  int capacity = 0;
  int capacity_nnz = 0;
};

/// The rows of one environment: every pointer stands at its row 0.
struct RowsAt : RowsView {};

/// What the solver keeps per environment, in its own row layout (environment-major). Arrays are
/// padded to whole packs, so that each starts aligned; the functions below say how many elements an
/// environment has.
struct SolverView {
  real* vectors = nullptr;   ///< [env][vectors_size(nplace)] vectors over dofs
  real* matrices = nullptr;  ///< [env][matrices_size(nM)] L of M = L^T D L
  real* precond = nullptr;   ///< [env][precond_size(nprecond)] inverse factors of clusters' Hessians
  real* row_vectors =
      nullptr;  ///< [env][row_vectors_size(row capacity)] vectors over the rows, pyramids as edges
  int* row_ints = nullptr;  ///< [env][row_ints_size(row capacity)] list of blocks
  real* jac = nullptr;      ///< [env][jac_size(nonzero capacity)] J in the solver's coordinates, in
                            ///< strips
  int* jac_strips = nullptr;  ///< [env][jac_strips_size(nonzero capacity)] which strips
  real* slots = nullptr;      ///< [block][slots_size][W] rows side by side for Newton's methods
                              ///< (solve/newton), which are done with them before the others are
                              ///< written, which may share the memory
  int dual_rows = 0;          ///< environments with at most so many rows take the dual method
  int primal_rows = 0;        ///< those with more, and at most so many, the primal method
  int* niter = nullptr;       ///< [env] iterations
  real* residual = nullptr;   ///< [env] scaled norm of the gradient at the end

  enum : int { nvectors = 8, nrow_vectors = 8, nrow_ints = 4 };
  /// Whole packs and whole strips, whichever are longer.
  SWEPT_HD static constexpr long long padded(long long n) {
    constexpr int unit = W > strip_size ? W : strip_size;
    return (n + unit - 1) / unit * unit;
  }
  SWEPT_HD static constexpr long long vectors_size(long long nplace) {
    return nvectors * padded(nplace);
  }
  SWEPT_HD static constexpr long long matrices_size(long long nM) { return padded(nM); }
  SWEPT_HD static constexpr long long precond_size(long long n) { return padded(n); }
  SWEPT_HD static constexpr long long row_vectors_size(long long rows) {
    return nrow_vectors * padded(2 * rows);
  }
  SWEPT_HD static constexpr long long row_ints_size(long long rows) { return nrow_ints * rows; }
  SWEPT_HD static constexpr long long jac_size(long long nonzeros) { return padded(nonzeros); }
  SWEPT_HD static constexpr long long jac_strips_size(long long nonzeros) {
    return padded(nonzeros) / strip_size;
  }
};

/// The state of all environments of the batch, environment-major, and their status.
struct StateView {
#define SWEPT_STATE(name, rows, cols, unit, meaning) real* name = nullptr;
#include <swept/fields/state.def>
#undef SWEPT_STATE
  int* status = nullptr;             ///< [nenv] Status
  long long* status_step = nullptr;  ///< [nenv] number of the step at which it was set
  long long* steps = nullptr;        ///< [nenv] steps done since the last reset
  long long* resets = nullptr;       ///< [nenv] automatic resets since the batch was made
  int* reset_status = nullptr;       ///< [nenv] status that the last automatic reset took away
};

/// The table.
struct Tile {
  ModelView model;
  Layout layout;
  StateView state;
  real* scratch = nullptr;  ///< [nblocks][layout.size][W]
  PairsView pairs;
  SweepView sweep;
  HitsView hits;
  FastView fast;
  ContactsView contacts;
  RowsView rows;
  SolverView solver;
  /// [nblocks * W] status of the environment during this visit; inert lanes are status_ok
  List<int> frozen = nullptr;
  /// [nblocks * W] not 0: rows and acceleration of this step stand, while others are solved again
  List<int> settled = nullptr;
  int* aside = nullptr;   ///< [nblocks * W] not 0: could not be stepped when the tile was opened;
                          ///< its state stays as it is
  int* steps = nullptr;   ///< [nblocks * W] steps done during this visit, since its last reset
  int* resets = nullptr;  ///< [nblocks * W] automatic resets during this visit
  int* reset_status = nullptr;  ///< [nblocks * W] status that the last of them took away
  Control* control = nullptr;
  int first = 0;    ///< first environment of the batch
  int nenv = 0;     ///< environments
  int nblocks = 0;  ///< blocks of W lanes; the last lanes may be inert

  template <class V>
  SWEPT_FN ModelAt<V> model_at(int block, int lane) const {
    return {&model, first / W + block, lane};
  }
  template <class V>
  SWEPT_FN DataAt<V> data_at(int block, int lane) const {
    return {scratch + static_cast<long long>(block) * layout.size * W + lane, &layout};
  }
  SWEPT_FN ContactsAt contacts_at(int env) const {
    const long long record = static_cast<long long>(env / W) * contacts.capacity;
    return {contacts.reals + record * ContactLayout::nreal * W + env % W,
            contacts.ints + record * ContactLayout::nint * W + env % W, contacts.ncon + env,
            contacts.capacity};
  }
  SWEPT_FN RowsAt rows_at(int env) const {
    RowsAt r{rows};
    const long long row = static_cast<long long>(env) * rows.capacity;
    const long long nonzero = static_cast<long long>(env) * rows.capacity_nnz;
#define SWEPT_ROW_REAL(name, unit, meaning) r.name += row;
#define SWEPT_ROW_INT(name, meaning) r.name += row;
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
    r.nefc += env;
    r.nnz += env;
    r.efc_J += nonzero;
    r.efc_J_colind += nonzero;
    return r;
  }
};

}  // namespace swept::SWEPT_NS
