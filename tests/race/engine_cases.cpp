// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/engine. The kernels come with their sources, and with them
// the worker and the upload that the scene is made with.
#include "kernels/engine/copy_state.cpp"
#include "kernels/engine/exports.cpp"
#include "kernels/engine/measures.cpp"
#include "kernels/engine/model_upload.cpp"
#include "kernels/engine/progress.cpp"
#include "kernels/engine/state.cpp"
#include "kernels/engine/transfer.cpp"
#include "kernels/engine/worker.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

MeasuresView measures_view(Scene& s) {
  int* const ints = s.exported_ints();
  real* const reals = s.exported_reals();
  const int n = s.nenv();
  // behind the two lists of reals, aligned
  const auto counters = reinterpret_cast<long long*>(reals + 16);
  static_assert(2 * 7 <= 16 && sizeof(real) == sizeof(long long));
  return {ints, ints + n, ints + 2 * n, ints + 3 * n, reals, reals + n, counters};
}

}  // namespace

std::vector<Case> engine_cases() {
  using P = Point;
  using G = const ThreadGroup;
  constexpr int room = Scene::exported_capacity;
  return {
      on_blocks("engine/LoadState", P::fresh,
                [](G g, Scene& s, int b) { LoadState{&s.tile()}(g, b, 0); }),
      on_blocks("engine/LoadState::field", P::fresh,
                [](G g, Scene& s, int b) {
                  const Tile& t = s.tile();
                  real* const base = t.scratch + static_cast<long long>(b) * t.layout.size * W;
                  LoadState{&t}.field(g, base + t.layout.qvel * W, t.state.qvel, t.model.nv, 0, b,
                                      [](int) { return 0_r; });
                }),
      on_blocks("engine/SetAside", P::check_state,
                [](G g, Scene& s, int b) { SetAside{&s.tile()}(g, b, 0); }),
      on_blocks("engine/StoreState", P::solve,
                [](G g, Scene& s, int b) { StoreState{&s.tile()}(g, b, 0); }),
      on_blocks("engine/StoreState::field", P::solve,
                [](G g, Scene& s, int b) {
                  const Tile& t = s.tile();
                  const real* const base =
                      t.scratch + static_cast<long long>(b) * t.layout.size * W;
                  StoreState{&t}.field(g, base + t.layout.qacc * W, t.state.qvel, t.model.nv, 0, b,
                                       [](int slot) { return slot % 2 == 0; });
                }),
      on_blocks("engine/StoreState::inputs", P::solve,
                [](G g, Scene& s, int b) {
                  const Tile& t = s.tile();
                  if (g.lane() == 0) {
                    t.resets[b * W] = 1;
                  }
                  g.sync();
                  const real* const base =
                      t.scratch + static_cast<long long>(b) * t.layout.size * W;
                  StoreState{&t}.inputs(g, base, 0, b);
                }),
      on_envs("engine/StageStates", P::solve,
              [](G g, Scene& s, int env) {
                StageStates{s.staged()}(g, env);
              }),
      on_envs("engine/WriteStates", P::solve,
              [](G g, Scene& s, int env) {
                WriteStates{s.staged()}(g, env);
              }),
      on_envs("engine/CountStep", P::solve,
              [](G g, Scene& s, int env) { CountStep{&s.tile()}(g, env); }),
      on_envs("engine/BeginVisit", P::solve,
              [](G g, Scene& s, int env) {
                BeginVisit{s.device_tile(), {3, 2, 0, s.nenv()}, 1}(g, env);
              }),
      on_envs("engine/ResumeVisit", P::solve,
              [](G g, Scene& s, int env) {
                ResumeVisit{s.device_tile(), {3, 2, 0, s.nenv()}, 1}(g, env);
              }),
      on_envs("engine/MarkCall", P::solve,
              [](G g, Scene& s, int env) {
                MarkCall{&s.tile(), 4}(g, env);
              }),
      on_envs("engine/NextSubstep", P::solve,
              [](G g, Scene& s, int env) { NextSubstep{&s.tile()}(g, env); }),
      on_envs("engine/KeepState", P::solve,
              [](G g, Scene& s, int env) {
                KeepState{&s.tile(), s.kept_state()}(g, env);
              }),
      on_envs("engine/ResetState", P::solve,
              [](G g, Scene& s, int env) {
                ResetState{&s.tile(), s.reset_mask(), 0}(g, env);
              }),
      on_envs("engine/ExportDerived", P::solve,
              [](G g, Scene& s, int env) {
                ExportDerived{&s.tile(), s.exported_reals(), s.layout().xpos,
                              3 * s.tile().model.nbody}(g, env);
              }),
      on_envs("engine/ExportContacts", P::solve,
              [](G g, Scene& s, int env) {
                ExportContacts<real>{&s.tile(), s.exported_reals(), ContactLayout::frame, 9, 50}(
                    g, env);
                ExportContacts<int>{&s.tile(), s.exported_ints(), ContactLayout::int_geom1, 1, 50}(
                    g, env);
              }),
      on_envs("engine/ExportList", P::solve,
              [](G g, Scene& s, int env) {
                const RowsView& r = s.tile().rows;
                ExportList<real>{&s.tile(), s.exported_reals(), r.efc_D, r.nefc, r.capacity, room}(
                    g, env);
                ExportList<int>{&s.tile(), s.exported_ints(), r.efc_J_colind,
                                r.nnz,     r.capacity_nnz,    room}(g, env);
              }),
      on_envs("engine/TakeMeasures", P::solve,
              [](G g, Scene& s, int env) {
                TakeMeasures{&s.tile(), measures_view(s)}(g, env);
              }),
  };
}

}  // namespace swept::SWEPT_NS::test
