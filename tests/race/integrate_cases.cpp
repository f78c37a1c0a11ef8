// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/integrate. The kernels come with their source.
#include "kernels/integrate/integrate.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

namespace {

OldState<pack> old_state(const DataAt<pack>& d) {
  return {pack(d.time(0)), slice(d.qpos(0)), slice(d.qvel(0)), slice(d.act(0))};
}

/// The model of the scene under one of the implicit integrators.
class WithIntegrator {
 public:
  WithIntegrator(const Scene& s, int block, int integrator)
      : view_(s.tile().model), at_(s.model(block)) {
    view_.opt.integrator = integrator;
    at_.view = &view_;
  }
  WithIntegrator(const WithIntegrator&) = delete;
  WithIntegrator& operator=(const WithIntegrator&) = delete;

  const ModelAt<pack>& operator*() const { return at_; }

 private:
  ModelView view_;
  ModelAt<pack> at_;
};

constexpr int implicit_integrators[] = {integrator_implicit, integrator_implicitfast};

/// Run on the data of a block under both.
template <class Run>
void under_both(const ThreadGroup g, Scene& s, int block, const Run& run) {
  for (const int integrator : implicit_integrators) {
    const WithIntegrator model(s, block, integrator);
    run(*model, s.data(block));
    g.sync();
  }
}

/// M in both triangles, with more on the diagonal.
void write_square(const ThreadGroup g, const ModelAt<pack>& m, const DataAt<pack>& d) {
  for (int i = g.lane(); i < m->nv; i += g.size()) {
    for (int c = 0; c <= m.dof_depth(i); ++c) {
      const int k = m.M_rowadr(i) + c;
      d.qH(k) = pack(d.M(k)) + pack(c == m.dof_depth(i) ? 1_r : 0_r);
      d.qHU(k) = pack(d.M(k)) * pack(0.5_r);
    }
    d.dof_work(i) = d.qvel(i).get();
  }
  g.sync();
}

}  // namespace

std::vector<Case> integrate_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_blocks("integrate/check_state", P::load_state,
                [](G g, Scene& s, int b) { check_state(g, s.model(b), s.data(b), s.frozen(b)); }),
      on_blocks("integrate/CheckState", P::load_state,
                [](G g, Scene& s, int b) { CheckState{&s.tile()}(g, b, 0); }),
      on_blocks("integrate/put_start", P::load_state,
                [](G g, Scene& s, int b) {
                  // the lanes must not depend on what is written
                  const DataAt<pack> d = s.data(b);
                  const mask_t<pack> lanes = pack(d.qpos(0)) > pack(0);
                  g.sync();
                  put_start(g, s.model(b), d, lanes, 0);
                }),
      on_blocks("integrate/revive", P::check_state,
                [](G g, Scene& s, int b) {
                  const Tile& t = s.tile();
                  const LaneFlags flags = {s.frozen(b), t.aside + b * W, t.steps + b * W,
                                           t.resets + b * W, t.reset_status + b * W};
                  revive(g, s.model(b), s.data(b), flags, -1);
                }),
      on_blocks("integrate/Revive", P::check_state,
                [](G g, Scene& s, int b) {
                  Revive{&s.tile(), 0}(g, b, 0);
                }),
      on_blocks("integrate/overwrite", P::load_state,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  overwrite(g, pack(d.qpos(0)) > pack(0), slice(d.qvel(0)), s.tile().model.nv,
                            [](int i) { return pack(real(i)); });
                }),
      on_blocks("integrate/integrate_joints", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  integrate_joints(
                      g, s.model(b), slice(d.qpos(0)), slice(d.qvel(0)),
                      [](int joint) { return pack(0.01_r * static_cast<real>(joint)); },
                      slice(d.next_qpos(0)));
                }),
      on_blocks("integrate/update_matrix", P::make_rows,
                [](G g, Scene& s, int b) { update_matrix(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/factor_update", P::make_rows,
                [](G g, Scene& s, int b) { factor_update(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/expect_velocity", P::make_rows,
                [](G g, Scene& s, int b) { expect_velocity(g, s.model(b), s.data(b), false); }),
      on_blocks("integrate/ExpectVelocity", P::make_rows,
                [](G g, Scene& s, int b) {
                  ExpectVelocity{&s.tile(), 0}(g, b, 0);
                }),
      on_blocks("integrate/find_next_velocity", P::solve,
                [](G g, Scene& s, int b) { find_next_velocity(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/FindVelocity", P::solve,
                [](G g, Scene& s, int b) { FindVelocity{&s.tile()}(g, b, 0); }),
      on_blocks("integrate/move_state", P::next_velocity,
                [](G g, Scene& s, int b) {
                  move_state(
                      g, s.model(b), s.data(b), [](int) { return pack(0.002_r); }, s.frozen(b));
                }),
      on_blocks("integrate/Move", P::open_guard,
                [](G g, Scene& s, int b) { Move{&s.tile()}(g, b, 0); }),
      on_blocks("integrate/integrate_pos", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  integrate_pos(g, s.model(b), slice(d.qpos(0)), slice(d.qvel(0)), pack(0.01_r),
                                slice(d.next_qpos(0)));
                }),
      on_blocks("integrate/advance_act", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  advance_act(
                      g, s.model(b), d, slice(d.act(0)), [&](int i) { return pack(d.act_dot(i)); },
                      [&](int u, int) { return pack(d.actuator_length(u)); });
                }),
      on_blocks("integrate/damped_acceleration", P::solve,
                [](G g, Scene& s, int b) { damped_acceleration(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/accept_state", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  accept_state(g, s.model(b), d, s.frozen(b), old_state(d), pack(0.5_r));
                }),
      on_blocks(
          "integrate/keep_warmstart", P::solve,
          [](G g, Scene& s, int b) { keep_warmstart(g, s.model(b), s.data(b), s.frozen(b)); }),
      on_blocks("integrate/euler", P::solve,
                [](G g, Scene& s, int b) { euler(g, s.model(b), s.data(b), s.frozen(b)); }),
      on_blocks("integrate/Euler", P::solve,
                [](G g, Scene& s, int b) { Euler{&s.tile()}(g, b, 0); }),
      on_blocks("integrate/end_step", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  for (int i = g.lane(); i < s.tile().model.nv; i += g.size()) {
                    d.dof_work(i) = d.qacc(i).get();
                  }
                  end_step(g, s.model(b), d, s.frozen(b));
                }),
      on_blocks("integrate/dof_swings", P::solve,
                [](G g, Scene& s, int b) { dof_swings(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/subtree_derivatives", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    subtree_derivatives(g, m, d);
                  });
                }),
      on_blocks("integrate/add_pull", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    for (int tendon = 0; tendon < m->ntendon; ++tendon) {
                      add_pull(g, m, d, pack(0.5_r),
                               [&](const auto& f) { for_each_tendon_dof(m, tendon, f); });
                    }
                  });
                }),
      on_blocks("integrate/velocity_derivative", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    velocity_derivative(g, m, d);
                  });
                }),
      on_blocks("integrate/factor_lu", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  write_square(g, s.model(b), d);
                  factor_lu(g, s.model(b), slice(d.qH(0)), slice(d.qHU(0)), slice(d.qHDiagInv(0)));
                }),
      on_blocks("integrate/solve_lu", P::solve,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  write_square(g, s.model(b), d);
                  factor_lu(g, s.model(b), slice(d.qH(0)), slice(d.qHU(0)), slice(d.qHDiagInv(0)));
                  solve_lu(g, s.model(b), slice(d.qH(0)), slice(d.qHU(0)), slice(d.qHDiagInv(0)),
                           slice(d.dof_work(0)));
                }),
      on_blocks("integrate/implicit_equations", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    implicit_equations(g, m, d, Forces::all);
                  });
                }),
      on_blocks("integrate/implicit_acceleration", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    implicit_acceleration(g, m, d);
                  });
                }),
      on_blocks("integrate/implicit", P::solve,
                [](G g, Scene& s, int b) {
                  under_both(g, s, b, [&](const ModelAt<pack>& m, const DataAt<pack>& d) {
                    implicit(g, m, d, s.frozen(b));
                  });
                }),
      on_blocks("integrate/Implicit", P::solve,
                [](G g, Scene& s, int b) { Implicit{&s.tile()}(g, b, 0); }),
      on_blocks("integrate/rk4_keep_start", P::solve,
                [](G g, Scene& s, int b) { rk4_keep_start(g, s.model(b), s.data(b)); }),
      on_blocks("integrate/rk4_keep_rates", P::solve,
                [](G g, Scene& s, int b) {
                  for (int stage = 0; stage < 4; ++stage) {
                    rk4_keep_rates(g, s.model(b), s.data(b), stage);
                    g.sync();
                  }
                }),
      on_blocks("integrate/rk4_stage", P::solve,
                [](G g, Scene& s, int b) {
                  for (int stage = 0; stage < 4; ++stage) {
                    rk4_stage(g, s.model(b), s.data(b), s.frozen(b), stage);
                    g.sync();
                  }
                }),
      on_blocks("integrate/Rk4Stage", P::solve,
                [](G g, Scene& s, int b) {
                  for (int stage = 0; stage < 4; ++stage) {
                    Rk4Stage{&s.tile(), stage}(g, b, 0);
                    g.sync();
                  }
                }),
  };
}

}  // namespace swept::SWEPT_NS::test
