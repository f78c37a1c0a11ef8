// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/collide. The kernels come with their source.
#include "kernels/collide/collide.cpp"
#include "kernels/collide/convex.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

/// The sweep of an environment, with axes.
SweepAt sweep_of(const ThreadGroup g, Scene& s, int env) {
  SweepAt w = {s.tile().model_at<real>(env / W, env % W), s.tile().data_at<real>(env / W, env % W),
               sweep_at(s.tile(), env), Along::nowhere};
  find_axes(g, w.m, w.d, &w.s);
  return w;
}

/// Fill the records of a sweep with keys out of order.
RadixRoom unsorted(const ThreadGroup g, const Sweep& s) {
  for (int i = g.lane(); i < s.n; i += g.size()) {
    s.record[i] = {(i * 7919 + 13) % 100003, i};
  }
  g.sync();
  return {s.record, s.spare, s.counters};
}

unsigned key_of_record(const Record& r) {
  return static_cast<unsigned>(r.a);
}

/// Every third number is found, once or twelve times.
void find_some(int k, const auto& visit) {
  for (int i = k % 3 == 0 ? 0 : (k % 3 == 1 ? 11 : 12); i < 12; ++i) {
    visit(Record{k, i});
  }
}

}  // namespace

std::vector<Case> collide_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("collide/find_axes", P::acceleration,
              [](G g, Scene& s, int e) { sweep_of(g, s, e); }),
      on_envs("collide/find_bounds", P::acceleration,
              [](G g, Scene& s, int e) {
                const SweepAt w = sweep_of(g, s, e);
                find_bounds(g, w.m, w.d, w.s, Along::nowhere);
              }),
      on_envs("collide/find_cells", P::acceleration,
              [](G g, Scene& s, int e) {
                SweepAt w = sweep_of(g, s, e);
                find_bounds(g, w.m, w.d, w.s, Along::nowhere);
                find_cells(g, &w.s);
                if (g.lane() == 0) {
                  s.returned(e)[0] = w.s.cell;
                }
              }),
      on_envs("collide/sort_items", P::acceleration,
              [](G g, Scene& s, int e) {
                SweepAt w = sweep_of(g, s, e);
                find_bounds(g, w.m, w.d, w.s, Along::nowhere);
                find_cells(g, &w.s);
                sort_items(g, &w.s);
              }),
      on_envs("collide/sum_counters", P::acceleration,
              [](G g, Scene& s, int e) {
                int* const counters = sweep_at(s.tile(), e).counters;
                const int n = SweepView::digit_values * g.size();
                for (int k = g.lane(); k < n; k += g.size()) {
                  counters[k] = 1;
                }
                g.sync();
                sum_counters(g, counters);
                if (g.lane() == 0) {
                  s.returned(e)[0] = static_cast<real>(counters[n - 1] - n + 3);
                }
              }),
      on_envs("collide/sort_by_digit", P::acceleration,
              [](G g, Scene& s, int e) {
                const Sweep w = sweep_at(s.tile(), e);
                RadixRoom room = unsorted(g, w);
                sort_by_digit(g, &room, w.n, key_of_record, 8);
              }),
      on_envs("collide/sort_by", P::acceleration,
              [](G g, Scene& s, int e) {
                const Sweep w = sweep_at(s.tile(), e);
                RadixRoom room = unsorted(g, w);
                sort_by(g, &room, w.n, key_of_record, 17);
              }),
      on_envs("collide/write_found", P::acceleration,
              [](G g, Scene& s, int e) {
                const auto find = [](int k, const auto& visit) { find_some(k, visit); };
                write_found(g, found_at(s.tile(), e), s.tile().pairs.capacity, 2, 20, find);
              }),
      on_envs("collide/sort_found", P::sweep,
              [](G g, Scene& s, int e) {
                // the list backwards
                Record* const found = found_at(s.tile(), e);
                const int capacity = s.tile().pairs.capacity, count = s.tile().sweep.count[e];
                for (int i = g.lane(); i < count; i += g.size()) {
                  found[capacity + i] = found[count - 1 - i];
                }
                g.sync();
                for (int i = g.lane(); i < count; i += g.size()) {
                  found[i] = found[capacity + i];
                }
                g.sync();
                sort_found(g, s.tile().model_at<real>(e / W, e % W), found, capacity,
                           sweep_at(s.tile(), e).counters, 0, count);
                if (g.lane() == 0) {
                  s.returned(e)[0] = static_cast<real>(found[0].a + 1);
                }
              }),
      on_envs("collide/sweep", P::acceleration,
              [](G g, Scene& s, int e) { sweep(g, s.tile(), e, Along::nowhere); }),
      on_envs("collide/SweepKernel", P::acceleration,
              [](G g, Scene& s, int e) { SweepKernel{&s.tile()}(g, e); }),
      on_blocks("collide/merge_found", P::sweep,
                [](G g, Scene& s, int b) { merge_found<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/broadphase", P::sweep,
                [](G g, Scene& s, int b) { broadphase<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/test_all_pairs", P::acceleration,
                [](G g, Scene& s, int b) { test_all_pairs<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/BroadphaseKernel", P::sweep,
                [](G g, Scene& s, int b) { BroadphaseKernel{&s.tile()}(g, b, 0); }),
      on_blocks("collide/convex", P::broadphase,
                [](G g, Scene& s, int b) { convex<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/ConvexKernel", P::broadphase,
                [](G g, Scene& s, int b) { ConvexKernel{&s.tile()}(g, b, 0); }),
      on_blocks("collide/narrowphase", P::broadphase,
                [](G g, Scene& s, int b) { narrowphase<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/NarrowphaseKernel", P::broadphase,
                [](G g, Scene& s, int b) { NarrowphaseKernel{&s.tile()}(g, b, 0); }),
  };
}

}  // namespace swept::SWEPT_NS::test
