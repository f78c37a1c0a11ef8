// SPDX-License-Identifier: Apache-2.0
// Indices survive 32,768 environments of a scene as large as a hundred humanoids in a heap: the last
// element of everything that a kernel reads stands where 64-bit arithmetic puts it. The buffers are
// reserved, not filled: a few pages of hundreds of gigabytes of addresses are ever used.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>

#include "kernels/base/tile.h"
#include "kernels/collide/contact_list.h"
#include "kernels/collide/pairs.h"
#include "kernels/engine/progress.cpp"
#include "kernels/engine/transfer.cpp"
#include "kernels/solve/load_solver.h"

namespace swept::SWEPT_NS::test {
namespace {

constexpr long long nenv = 32768;
constexpr int pairs = 20000, contacts = 6000, rows = 18000, nonzeros = 1000000;

/// A hundred humanoids of 27 dofs, 21 motors and 20 geoms, the world, and a few extras.
Sizes hundred_humanoids() {
  Sizes s;
  s.nq = 2800;
  s.nv = 2700;
  s.nu = 2100;
  s.na = 100;
  s.nbody = 1401;
  s.njnt = 2200;
  s.ngeom = 2001;
  s.nsite = 200;
  s.ntendon = 200;
  s.nplace = 3200;
  s.nM = 35000;
  s.nmocap = 3;
  return s;
}

/// Addresses for `count` elements, without memory behind them until they are used.
template <class T>
class Reserved {
 public:
  explicit Reserved(long long count) : bytes_(static_cast<std::size_t>(count) * sizeof(T)) {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  ~Reserved() { munmap(data_, bytes_); }
  T* data() const { return static_cast<T*>(data_); }
  /// Element i, counted in 64 bits; it must be one of the buffer's.
  T& operator[](long long i) const {
    EXPECT_GE(i, 0);
    EXPECT_LT(i, static_cast<long long>(bytes_ / sizeof(T)));
    return data()[i];
  }

 private:
  std::size_t bytes_;
  void* data_;
};

/// check_field(name, place in the layout, elements, accessors) for every field of scratch.
struct ScratchFields : Sizes {
  template <class Check>
  void each(const Layout& at, const DataAt<real>& a, const DataAt<pack>& b,
            const Check& check_field) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning)                     \
  check_field(                                                           \
      #name, at.name, (rows) * (cols), [&](int i) { return a.name(i); }, \
      [&](int i) { return b.name(i); });
#define SWEPT_DERIVED(name, rows, cols, unit, meaning) SWEPT_STATE(name, rows, cols, unit, meaning)
#define SWEPT_SCRATCH(name, rows, cols, meaning) SWEPT_STATE(name, rows, cols, "", meaning)
#include <swept/fields/derived.def>
#include <swept/fields/scratch.def>
#include <swept/fields/state.def>
#undef SWEPT_STATE
#undef SWEPT_DERIVED
#undef SWEPT_SCRATCH
  }
};

class Sizes32768 : public testing::Test {
 protected:
  static constexpr int last = nenv - 1;
  static constexpr int block = last / W, lane = last % W;

  void SetUp() override {
    static_cast<Sizes&>(tile.model) = hundred_humanoids();
    tile.layout = make_layout(tile.model);
    tile.nenv = nenv;
    tile.nblocks = nenv / W;
    tile.control = &control;
  }

  Tile tile;
  Control control;
};

TEST_F(Sizes32768, AreBeyond32Bits) {
  EXPECT_GT(nenv * tile.layout.size, 1LL << 32);
  EXPECT_GT(nenv * contacts * ContactLayout::nreal, 1LL << 32);
  EXPECT_GT(nenv * nonzeros, 1LL << 32);
}

TEST_F(Sizes32768, ScratchOfTheLastEnvironmentIsInItsPlace) {
  const Reserved<real> scratch(nenv * tile.layout.size);
  tile.scratch = scratch.data();
  const DataAt<real> one = tile.data_at<real>(block, lane);
  const DataAt<pack> many = tile.data_at<pack>(block, lane - lane % lanes_of<pack>);
  const auto check = [&](const char* name, int offset, int count, const auto& of_one,
                         const auto& of_many) {
    for (const int i : {0, count / 2, count - 1}) {
      if (count > 0) {
        const long long at = (static_cast<long long>(block) * tile.layout.size + offset + i) * W;
        EXPECT_EQ(of_one(i).p, &scratch[at + lane]) << name << " " << i;
        EXPECT_EQ(of_many(i).p, &scratch[at + lane - lane % lanes_of<pack>]) << name << " " << i;
      }
    }
  };
  ScratchFields{tile.model}.each(tile.layout, one, many, check);
}

TEST_F(Sizes32768, AModelFieldPerEnvironmentIsReadFromItsPlace) {
  constexpr int n = 9 * 100000;  // as wide as a table of heights
  const Reserved<real> values(nenv * n);
  values[(static_cast<long long>(block) * n + n - 1) * W + lane] = 7;
  tile.model.geom_aabb = {values.data(), n};
  EXPECT_EQ(tile.model_at<real>(block, lane).geom_aabb(n - 1), 7);

  // seen from a later tile too
  tile.first = static_cast<int>(nenv / 2);
  EXPECT_EQ(tile.model_at<real>(block - tile.first / W, lane).geom_aabb(n - 1), 7);
}

TEST_F(Sizes32768, ContactsOfTheLastEnvironmentAreInTheirPlaces) {
  const Reserved<real> reals(nenv * contacts * ContactLayout::nreal);
  const Reserved<int> ints(nenv * contacts * ContactLayout::nint);
  const Reserved<int> ncon(nenv);
  tile.contacts = {reals.data(), ints.data(), ncon.data(), contacts};
  const ContactsAt c = tile.contacts_at(last);
  const long long record = static_cast<long long>(block) * contacts + contacts - 1;
  const auto number = [&](int offset) {
    return (record * ContactLayout::nreal + offset) * W + lane;
  };
  EXPECT_EQ(&c.dist(contacts - 1), &reals[number(ContactLayout::dist)]);
  EXPECT_EQ(&c.frame(contacts - 1, 8), &reals[number(ContactLayout::frame + 8)]);
  EXPECT_EQ(&c.mu(contacts - 1), &reals[number(ContactLayout::mu)]);
  EXPECT_EQ(&c.efc_address(contacts - 1),
            &ints[(record * ContactLayout::nint + ContactLayout::int_efc_address) * W + lane]);
  EXPECT_EQ(static_cast<int*>(c.ncon), &ncon[last]);

  const ContactList<pack> list(tile, block, lane - lane % lanes_of<pack>);
  EXPECT_EQ(list.at(contacts - 1, ContactLayout::mu).p + lane % lanes_of<pack>,
            &reals[number(ContactLayout::mu)]);
}

TEST_F(Sizes32768, PairsOfTheLastEnvironmentAreInTheirPlaces) {
  constexpr long long lists = nenv / lanes_of<pack>;
  constexpr long long ints = PairsView::entry_ints;
  const Reserved<int> pair(lists * pairs * ints), single(lists * pairs), count(2 * lists);
  const Reserved<unsigned> mask(lists * pairs);
  tile.pairs = {pair.data(), single.data(), mask.data(), count.data(), count.data() + lists, pairs};
  const PairsAt at = pairs_at<pack>(tile, block, lane - lane % lanes_of<pack>);
  EXPECT_EQ(&at.entry(pairs - 1)[ints - 1], &pair[lists * pairs * ints - 1]);
  EXPECT_EQ(&at.single[pairs - 1], &single[lists * pairs - 1]);
  EXPECT_EQ(&at.mask[pairs - 1], &mask[lists * pairs - 1]);
  EXPECT_EQ(&*at.count, &count[lists - 1]);
  EXPECT_EQ(&*at.singles, &count[2 * lists - 1]);
}

TEST_F(Sizes32768, RowsOfTheLastEnvironmentAreInTheirPlaces) {
  const Reserved<real> reals(nenv * rows), jac(nenv * nonzeros);
  const Reserved<int> ints(nenv * rows), colind(nenv * nonzeros), counts(nenv);
  RowsView& r = tile.rows;
  r.efc_force = r.efc_aref = reals.data();
  r.efc_type = r.efc_state = ints.data();
  r.efc_J = jac.data();
  r.efc_J_colind = colind.data();
  r.nefc = r.nnz = counts.data();
  r.capacity = rows;
  r.capacity_nnz = nonzeros;
  const RowsAt at = tile.rows_at(last);
  EXPECT_EQ(&at.efc_force[rows - 1], &reals[nenv * rows - 1]);
  EXPECT_EQ(&at.efc_state[rows - 1], &ints[nenv * rows - 1]);
  EXPECT_EQ(&at.efc_J[nonzeros - 1], &jac[nenv * nonzeros - 1]);
  EXPECT_EQ(&at.efc_J_colind[nonzeros - 1], &colind[nenv * nonzeros - 1]);
  EXPECT_EQ(&*at.nefc, &counts[last]);
}

TEST_F(Sizes32768, TheSolversMemoryOfTheLastEnvironmentIsInItsPlace) {
  const Sizes& m = tile.model;
  const long long vectors = SolverView::vectors_size(m.nplace),
                  matrices = SolverView::matrices_size(m.nM),
                  row_vectors = SolverView::row_vectors_size(rows),
                  row_ints = SolverView::row_ints_size(rows), jac = SolverView::jac_size(nonzeros),
                  strips = SolverView::jac_strips_size(nonzeros);
  const Reserved<real> v(nenv * vectors), l(nenv * matrices), e(nenv * row_vectors), j(nenv * jac);
  const Reserved<int> i(nenv * row_ints), s(nenv * strips);
  tile.solver.vectors = v.data();
  tile.solver.matrices = l.data();
  tile.solver.row_vectors = e.data();
  tile.solver.row_ints = i.data();
  tile.solver.jac = j.data();
  tile.solver.jac_strips = s.data();
  tile.rows.capacity = rows;
  tile.rows.capacity_nnz = nonzeros;
  const Work w = work_at(tile, last);
  const long long np = SolverView::padded(m.nplace), entries = SolverView::padded(2LL * rows);
  EXPECT_EQ(w.smooth, &v[last * vectors]);
  EXPECT_EQ(w.other + np - 1, &v[nenv * vectors - 1]);
  EXPECT_EQ(w.L, &l[last * matrices]);
  EXPECT_EQ(w.a, &e[last * row_vectors]);
  EXPECT_EQ(w.h + entries, &e[last * row_vectors + 7 * entries]);
  EXPECT_EQ(w.block_strips + rows - 1, &i[nenv * row_ints - 1]);
  EXPECT_EQ(w.jac, &j[last * jac]);
  EXPECT_EQ(w.strips, &s[last * strips]);
}

TEST_F(Sizes32768, TheStateOfTheLastEnvironmentIsCopiedFromAndToItsPlace) {
  const Sizes& m = tile.model;
  const Reserved<real> scratch(nenv * tile.layout.size);
  tile.scratch = scratch.data();
  struct Buffers : Sizes {
    std::vector<std::unique_ptr<Reserved<real>>> make(StateView* state) const {
      std::vector<std::unique_ptr<Reserved<real>>> made;
#define SWEPT_STATE(name, rows, cols, unit, meaning)                            \
  made.push_back(std::make_unique<Reserved<real>>(nenv * (rows) * (cols) + 1)); \
  state->name = made.back()->data();
#include <swept/fields/state.def>
#undef SWEPT_STATE
      return made;
    }
  };
  StateView kept;
  const auto state_memory = Buffers{m}.make(&tile.state), kept_memory = Buffers{m}.make(&kept);
  const Reserved<int> flags(8 * nenv);
  const Reserved<long long> counts(8 * nenv);
  tile.frozen = &flags[0];
  tile.aside = &flags[nenv];
  tile.steps = &flags[2 * nenv];
  tile.resets = &flags[3 * nenv];
  tile.reset_status = &flags[4 * nenv];
  tile.state.status = &flags[5 * nenv];
  tile.state.reset_status = &flags[6 * nenv];
  kept.status = kept.reset_status = &flags[7 * nenv];
  tile.state.status_step = &counts[0];
  tile.state.steps = &counts[nenv];
  tile.state.resets = &counts[2 * nenv];
  kept.status_step = kept.steps = kept.resets = &counts[3 * nenv];

  const long long qpos = nenv * m.nq - 1, force = nenv * 6 * m.nbody - 1;
  tile.state.qpos[qpos] = 3;
  tile.state.xfrc_applied[force] = 5;
  const int first_lane = lane - lane % lanes_of<pack>;
  LoadState{&tile}(Serial{}, block, first_lane);
  const long long numbers = static_cast<long long>(block) * tile.layout.size;
  EXPECT_EQ(scratch[(numbers + tile.layout.qpos + m.nq - 1) * W + lane], 3);
  EXPECT_EQ(scratch[(numbers + tile.layout.xfrc_applied + 6 * m.nbody - 1) * W + lane], 5);

  scratch[(numbers + tile.layout.qpos + m.nq - 1) * W + lane] = 11;
  StoreState{&tile}(Serial{}, block, first_lane);
  EXPECT_EQ(tile.state.qpos[qpos], 11);
  KeepState{&tile, kept}(Serial{}, last);
  EXPECT_EQ(kept.qpos[qpos], 11);
  EXPECT_EQ(kept.xfrc_applied[force], 5);
}

TEST(Layout, OfAModelThatIsTooLargeIsRefused) {
  Sizes sizes = hundred_humanoids();
  sizes.nM = 1 << 28;
  EXPECT_THROW(make_layout(sizes), std::length_error);
}

}  // namespace
}  // namespace swept::SWEPT_NS::test
