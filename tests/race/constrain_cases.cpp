// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/constrain. The kernels come with their source.
#include "kernels/constrain/make_rows.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

RowMaker row_maker(Scene& s, int env) {
  const Tile& t = s.tile();
  const ModelAt<real> m = t.model_at<real>(env / W, env % W);
  return {
      m,   t.data_at<real>(env / W, env % W), t.contacts_at(env), t.rows_at(env), m.opt_timestep(0),
      true};
}

}  // namespace

std::vector<Case> constrain_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("constrain/append_rows", P::narrowphase,
              [](G g, Scene& s, int env) {
                Extent total;
                append_rows(g, row_maker(s, env), ContactRows{}, &total);
                append_rows(g, row_maker(s, env), JointLimitRows{}, &total);
              }),
      on_envs("constrain/make_rows", P::narrowphase,
              [](G g, Scene& s, int env) {
                const Extent total = make_rows(g, row_maker(s, env));
                if (g.lane() == 0) {
                  s.returned(env)[0] = real(total.rows);
                  s.returned(env)[1] = real(total.nnz);
                }
              }),
      on_envs("constrain/make_rows", P::narrowphase,
              [](G g, Scene& s, int env) { make_rows(g, s.tile(), env); }),
      on_envs("constrain/MakeRows", P::narrowphase,
              [](G g, Scene& s, int env) { MakeRows{&s.tile()}(g, env); }),
  };
}

}  // namespace swept::SWEPT_NS::test
