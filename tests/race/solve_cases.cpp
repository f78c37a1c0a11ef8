// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/solve. The kernels come with their source. Most need the
// solver's blocks, or a point on its way: they get them from the functions that come before.
#include "kernels/solve/solve.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

bool has_rows(const Scene& s, int env) {
  return s.tile().frozen[env] == 0 && s.tile().rows.nefc[env] != 0;
}

/// The solver's memory with its blocks set up.
struct Solver {
  Work w;
  TreeMetric metric;

  Solver(const ThreadGroup g, Scene& s, int env)
      : w(work_at(s.tile(), env)),
        metric{s.tile().model_at<real>(env / W, env % W), w.L, w.dinvsqrt, w.nv} {
    set_up_blocks(g, &w, metric);
  }
  /// Go to the point where the iterations begin; search is the steepest descent, v its entries.
  void begin(const ThreadGroup g) {
    start(g, w, metric, true);
    gradient_at(g, w, metric, w.grad);
    for (int i = g.lane(); i < w.np; i += g.size()) {
      w.search[i] = -w.grad[i];
    }
    g.sync();
    multiply(g, w, w.search, w.v);
    g.sync();
  }
};

/// Down to the last digits.
constexpr SolverOptions fine{0.01_r, 1e-16_r, 0.01_r, 200, 50};

/// Keep values that all lanes have.
void keep(const ThreadGroup g, Scene& s, int env, std::initializer_list<real> values) {
  if (g.lane() == 0) {
    std::copy(values.begin(), values.end(), s.returned(env));
  }
}

/// Run f(solver) in environments with rows.
template <auto f>
void with_blocks(const ThreadGroup g, Scene& s, int env) {
  if (has_rows(s, env)) {
    Solver v(g, s, env);
    f(g, s, env, v);
  }
}
/// The same at the point where the iterations begin.
template <auto f>
void on_the_way(const ThreadGroup g, Scene& s, int env) {
  if (has_rows(s, env)) {
    Solver v(g, s, env);
    v.begin(g);
    f(g, s, env, v);
  }
}

}  // namespace

std::vector<Case> solve_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_envs("solve/gather_field", P::make_rows,
              [](G g, Scene& s, int env) {
                gather_field(g, s.tile().data_at<real>(env / W, env % W).qacc_smooth(0).p,
                             s.tile().model.nv, work_at(s.tile(), env).smooth);
              }),
      on_envs("solve/load_solver", P::make_rows,
              [](G g, Scene& s, int env) { load_solver(g, s.tile(), env); }),
      on_blocks("solve/LoadSolver", P::make_rows,
                [](G g, Scene& s, int b) { LoadSolver{&s.tile()}(g, b, 0); }),
      on_blocks("solve/SolveNewton", P::make_rows,
                [](G g, Scene& s, int b) {
                  Tile t = s.tile();
                  t.solver.dual_rows = dual_rows_of(t.model.nv);
                  t.solver.primal_rows = primal_rows_of(t.model.nv, t.rows.capacity);
                  SolveNewton{&t}(g, b, 0);
                }),
      on_envs("solve/set_up_blocks", P::load_solver, with_blocks<[](G, Scene&, int, Solver&) {}>),
      on_envs("solve/TreeMetric::into", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) { v.metric.into(g, v.w.warm, v.w.z); }>),
      on_envs("solve/TreeMetric::out_of", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) {
                v.metric.out_of(g, v.w.warm, v.w.search);
              }>),
      on_envs("solve/TreeMetric::gradient", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) {
                v.metric.gradient(g, v.w.warm, v.w.next);
              }>),
      on_envs(
          "solve/TreeMetric::apply", P::load_solver,
          with_blocks<[](G g, Scene&, int, Solver& v) { v.metric.apply(g, v.w.warm, v.w.next); }>),
      rounded(
          on_envs("solve/dot", P::load_solver, with_blocks<[](G g, Scene& s, int env, Solver& v) {
                    for (int i = g.lane(); i < v.w.np; i += g.size()) {
                      v.w.other[i] = i < v.w.nv ? v.w.smooth[i] : 0_r;
                    }
                    g.sync();
                    keep(g, s, env, {dot(g, v.w.np, v.w.other, v.w.other)});
                  }>)),
      on_envs("solve/multiply", P::load_solver, with_blocks<[](G g, Scene&, int, Solver& v) {
                for (int i = g.lane(); i < v.w.np; i += g.size()) {
                  v.w.other[i] = real(i) - 3_r;
                }
                g.sync();
                multiply(g, v.w, v.w.other, v.w.v);
              }>),
      on_envs("solve/add_transposed", P::load_solver, with_blocks<[](G g, Scene&, int, Solver& v) {
                for (int i = g.lane(); i < v.w.np; i += g.size()) {
                  v.w.other[i] = real(i) - 3_r;
                }
                g.sync();
                add_transposed(g, v.w, v.w.other, 0.5_r, v.w.a, v.w.next);
              }>),
      on_envs("solve/for_each_cone", P::load_solver, with_blocks<[](G g, Scene&, int, Solver& v) {
                for_each_cone(g, v.w,
                              [&]<int DIM>(int b) { v.w.v[v.w.block_entry[b]] = real(DIM); });
              }>),
      rounded(on_envs("solve/cost_of_rows", P::load_solver,
                      with_blocks<[](G g, Scene& s, int env, Solver& v) {
                        keep(g, s, env, {cost_of_rows(g, v.w, 0_r)});
                      }>)),
      on_envs("solve/move_entries", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) { move_entries(g, v.w, 0.5_r); }>),
      rounded(
          on_envs("solve/start", P::load_solver,
                  with_blocks<[](G g, Scene&, int, Solver& v) { start(g, v.w, v.metric, true); }>)),
      rounded(on_envs("solve/gradient_at", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        gradient_at(g, v.w, v.metric, v.w.next);
                        keep(g, s, env, {v.w.next[0], v.w.next[1]});
                      }>)),
      rounded(
          on_envs("solve/energy", P::load_solver, on_the_way<[](G g, Scene& s, int env, Solver& v) {
                    keep(g, s, env, {energy(g, v.w, v.metric)});
                  }>)),
      rounded(on_envs("solve/line_terms", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        LineTerms t[2];
                        line_terms(g, v.w, {0.3_r, 2_r}, t);
                        keep(g, s, env, {t[0].cost, t[0].slope, t[0].curvature, t[1].slope});
                      }>)),
      rounded(on_envs("solve/line_start", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        const LineStart rows = line_start(g, v.w);
                        keep(g, s, env, {rows.curvature, rows.power});
                      }>)),
      rounded(on_envs("solve/evaluate_points", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        LinePoint p[2] = {{0.3_r, {}}, {2_r, {}}};
                        evaluate_points(g, v.w, {-1_r, 1_r, 0_r, 50}, p);
                        keep(g, s, env, {p[0].phi.cost, p[0].phi.slope, p[1].phi.curvature});
                      }>)),
      rounded(on_envs(
          "solve/search_bracket", P::load_solver, on_the_way<[](G g, Scene& s, int env, Solver& v) {
            const real slope = dot(g, v.w.np, v.w.search, v.w.grad);
            const Line line{slope, -slope, 0_r, 50};
            LinePoint ends[2] = {{0_r, {}}, {1_r, {}}};
            evaluate_points(g, v.w, line, ends);
            keep(g, s, env, {search_bracket(g, v.w, line, ends[1], ends[0], 0_r, 2).alpha});
          }>)),
      rounded(on_envs("solve/search_line", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        const real slope = dot(g, v.w.np, v.w.search, v.w.grad);
                        const LineStep step = search_line(g, v.w, {slope, -slope, 0_r, 50});
                        keep(g, s, env, {step.alpha});
                      }>)),
      on_envs("solve/for_each_cluster", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) {
                for_each_cluster(g, v.metric.m, v.w, [](const Cluster& c) { c.V[0] = real(c.n); });
              }>),
      on_envs("solve/form_clusters", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) { form_clusters(g, v.metric.m, v.w); }>),
      on_envs("solve/set_up_preconditioner", P::load_solver,
              with_blocks<[](G g, Scene&, int, Solver& v) {
                set_up_preconditioner(g, v.metric.m, v.w);
              }>),
      on_envs("solve/precondition", P::load_solver, with_blocks<[](G g, Scene&, int, Solver& v) {
                set_up_preconditioner(g, v.metric.m, v.w);
                g.sync();
                precondition(g, v.metric.m, v.w, v.w.smooth, v.w.other);
              }>),
      rounded(on_envs("solve/apply_H", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        apply_H(g, v.w, v.metric, v.w.search, v.w.other);
                        keep(g, s, env, {v.w.other[0], v.w.other[1], v.w.other[2]});
                      }>)),
      on_envs("solve/apply_curvature", P::load_solver, with_blocks<[](G g, Scene&, int, Solver& v) {
                multiply(g, v.w, v.w.smooth, v.w.v);
                g.sync();
                apply_curvature(g, v.w);
              }>),
      rounded(on_envs("solve/newton_direction", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        set_up_preconditioner(g, v.metric.m, v.w);
                        g.sync();
                        keep(g, s, env, {newton_direction(g, v.w, v.metric, 1e-3_r, 100)});
                      }>)),
      rounded(on_envs("solve/minimise", P::load_solver,
                      on_the_way<[](G g, Scene& s, int env, Solver& v) {
                        minimise(g, &v.w, v.metric, fine);
                        keep(g, s, env, {v.w.z[0], v.w.z[1], v.w.z[2]});
                      }>)),
      rounded(on_envs("solve/finish_rows", P::load_solver,
                      on_the_way<[](G g, Scene&, int, Solver& v) { finish_rows(g, v.w); }>)),
      rounded(on_envs("solve/constraint_force", P::solve,
                      with_blocks<[](G g, Scene& s, int env, Solver& v) {
                        constraint_force(g, v.w, v.w.other);
                        keep(g, s, env, {v.w.other[0], v.w.other[1], v.w.other[2]});
                      }>)),
      on_envs("solve/write_result", P::load_solver,
              [](G g, Scene& s, int env) {
                const Work w = work_at(s.tile(), env);
                write_result(g, w, s.tile().data_at<real>(env / W, env % W), w.warm, w.smooth);
              }),
      on_envs("solve/write_smooth", P::load_solver,
              [](G g, Scene& s, int env) { write_smooth(g, s.tile(), env); }),
      rounded(on_envs("solve/solve", P::load_solver,
                      [](G g, Scene& s, int env) { solve(g, s.tile(), env); })),
      rounded(on_envs("solve/Solve", P::load_solver,
                      [](G g, Scene& s, int env) { Solve{&s.tile()}(g, env); })),
  };
}

}  // namespace swept::SWEPT_NS::test
