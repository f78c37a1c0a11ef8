// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/engine that hand pairs to the host's tail. The kernels come with
// their source.
#include "kernels/engine/tail_exchange.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

/// Let the first fast pairs of an environment wait for the host.
void let_wait(const ThreadGroup g, Scene& s, int env) {
  const FastPairs pairs = fast_pairs_at(s.tile(), env);
  for (int i = g.lane(); i < pairs.count && i < 2; i += g.size()) {
    pairs[i].state.end = AdvanceEnd::capped;
  }
  g.sync();
}

/// Where the records of an environment stand among those of all.
int first_record(int env) {
  constexpr auto bytes = static_cast<int>(sizeof(real)) * Scene::exported_capacity;
  static_assert(bytes >= 2 * static_cast<int>(sizeof(TailRecord)));
  return env * (bytes / static_cast<int>(sizeof(TailRecord)));
}

TailRecord* records(Scene& s) {
  return reinterpret_cast<TailRecord*>(s.exported_reals());
}

}  // namespace

std::vector<Case> tail_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("engine/CountWaiting", P::advance,
              [](G g, Scene& s, int env) {
                let_wait(g, s, env);
                CountWaiting{&s.tile(), s.exported_ints()}(g, env);
              }),
      on_envs("engine/HandOver", P::advance,
              [](G g, Scene& s, int env) {
                let_wait(g, s, env);
                if (g.lane() == 0) {
                  s.exported_ints()[env] = first_record(env);
                }
                g.sync();
                HandOver{&s.tile(), s.exported_ints(), records(s)}(g, env);
              }),
      on_envs("engine/TakeBack", P::advance,
              [](G g, Scene& s, int env) {
                TailRecord* const answers = records(s) + first_record(env);
                if (g.lane() == 0) {
                  answers[0] = {};
                  answers[0].env = env;
                  answers[0].unit = 1_r;
                  answers[0].state.t = 0.5_r;
                }
                g.sync();
                TakeBack{&s.tile(), answers}(g, 0);
              }),
  };
}

}  // namespace swept::SWEPT_NS::test
