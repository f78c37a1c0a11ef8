// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/speculative. The kernels come with their source.
#include "kernels/speculative/speculative.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

std::vector<Case> speculative_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_blocks("speculative/find_motion", P::acceleration,
                [](G g, Scene& s, int b) { find_motion(g, s.model(b), s.data(b)); }),
      on_blocks("speculative/FindMotion", P::acceleration,
                [](G g, Scene& s, int b) { FindMotion{&s.tile()}(g, b, 0); }),
      on_blocks("speculative/list_fast", P::broadphase,
                [](G g, Scene& s, int b) { list_fast<pack>(g, s.tile(), b, 0); }),
      on_blocks("speculative/ListFast", P::broadphase,
                [](G g, Scene& s, int b) { ListFast{&s.tile()}(g, b, 0); }),
      on_envs("speculative/follow_to_end", P::advance,
              [](G g, Scene& s, int e) {
                // pairs that need different numbers of rounds
                const FastPairs pairs = fast_pairs_at(s.tile(), e);
                for (int i = g.lane(); i < pairs.count; i += g.size()) {
                  pairs[i].state.end = AdvanceEnd::active;
                  pairs[i].state.rounds = 0;
                }
                g.sync();
                follow_to_end(g, pairs, [&](FastPair* p) {
                  if (++p->state.rounds > (p->pair.geom1 + p->pair.geom2) % 5) {
                    p->state.end = AdvanceEnd::none;
                  }
                });
              }),
      on_envs("speculative/advance_all", P::list_fast,
              [](G g, Scene& s, int e) { advance_all(g, s.tile(), e); }),
      on_envs("speculative/Advance", P::list_fast,
              [](G g, Scene& s, int e) { Advance{&s.tile()}(g, e); }),
      on_envs("speculative/meet_all", P::advance,
              [](G g, Scene& s, int e) { meet_all(g, s.tile(), e); }),
      on_envs("speculative/Meet", P::advance, [](G g, Scene& s, int e) { Meet{&s.tile()}(g, e); }),
      on_envs("speculative/count_contacts", P::narrowphase,
              [](G g, Scene& s, int e) {
                const Tile& t = s.tile();
                count_contacts(g, t.model_at<real>(e / W, e % W), t.data_at<real>(e / W, e % W),
                               t.contacts_at(e));
              }),
      on_envs("speculative/take_out_hidden", P::narrowphase,
              [](G g, Scene& s, int e) { take_out_hidden(g, s.tile(), e); }),
      on_envs("speculative/Sight", P::narrowphase,
              [](G g, Scene& s, int e) { Sight{&s.tile()}(g, e); }),
      on_blocks("speculative/find_travel", P::next_velocity,
                [](G g, Scene& s, int b) {
                  find_travel(g, s.model(b), s.data(b), slice(s.data(b).next_qvel(0)),
                              least_thickness(s.model(b)));
                }),
      on_blocks("speculative/find_swing", P::next_velocity,
                [](G g, Scene& s, int b) {
                  find_swing(g, s.model(b), s.data(b), slice(s.data(b).next_qvel(0)));
                }),
      on_blocks("speculative/open_guard", P::next_velocity,
                [](G g, Scene& s, int b) { open_guard<pack>(g, s.tile(), b, 0); }),
      on_blocks("speculative/OpenGuard", P::next_velocity,
                [](G g, Scene& s, int b) { OpenGuard{&s.tile()}(g, b, 0); }),
      on_blocks("speculative/list_guarded", P::open_guard,
                [](G g, Scene& s, int b) { list_guarded<pack>(g, s.tile(), b, 0, GuardHalt(0)); }),
      on_blocks("speculative/ListGuarded", P::open_guard,
                [](G g, Scene& s, int b) {
                  ListGuarded{&s.tile(), 0}(g, b, 0);
                }),
      on_envs("speculative/ListGuarded", P::open_guard,
              [](G g, Scene& s, int e) {
                if (e % lanes_of<pack> == 0) {
                  ListGuarded{&s.tile(), 0}(g, e);
                }
              }),
      on_envs("speculative/sweep_guarded", P::open_guard,
              [](G g, Scene& s, int e) { sweep_guarded(g, s.tile(), e, GuardHalt(0)); }),
      on_envs("speculative/SweepGuarded", P::open_guard,
              [](G g, Scene& s, int e) {
                SweepGuarded{&s.tile(), 0}(g, e);
              }),
      on_envs("speculative/guard_all", P::list_guarded,
              [](G g, Scene& s, int e) { guard_all(g, s.tile(), e, false); }),
      on_envs("speculative/Guard", P::list_guarded,
              [](G g, Scene& s, int e) {
                Guard{&s.tile(), 0}(g, e);
              }),
      on_envs("speculative/solve_again", P::guard,
              [](G g, Scene& s, int e) { solve_again(g, s.tile(), e, GuardHalt(0), true); }),
      on_envs("speculative/SolveAgain", P::guard,
              [](G g, Scene& s, int e) {
                SolveAgain{&s.tile(), 0}(g, e);
              }),
      on_envs("speculative/hold_back", P::guard,
              [](G g, Scene& s, int e) { hold_back(g, s.tile(), e); }),
      on_envs("speculative/HoldBack", P::guard,
              [](G g, Scene& s, int e) { HoldBack{&s.tile()}(g, e); }),
      on_envs("speculative/ForgetAgain", P::guard,
              [](G g, Scene& s, int e) { ForgetAgain{&s.tile()}(g, e); }),
  };
}

}  // namespace swept::SWEPT_NS::test
