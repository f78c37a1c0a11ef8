// SPDX-License-Identifier: Apache-2.0
#include "race/scene.h"

#include <swept/compile.h>
#include <swept/load.h>

#include "host/compile/candidates.h"

#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "kernels/collide/stages.h"
#include "kernels/constrain/stages.h"
#include "kernels/engine/progress.h"
#include "kernels/engine/transfer.h"
#include "kernels/integrate/stages.h"
#include "kernels/smooth/stages.h"
#include "kernels/solve/stages.h"
#include "kernels/speculative/stages.h"

namespace swept::SWEPT_NS::test {

namespace {

constexpr int environments = 7;

/// Trees of several depths, all joint types, tendons, actuators with and without activation, every
/// dimension of contact, limits that are met, dry friction, a medium.
const char* const scene_text = R"(
<mujoco>
  <option timestep="0.004" cone="CONE" iterations="100" tolerance="1e-14"
          integrator="implicit" density="1.2" viscosity="0.1" wind="1 0.5 0.2">
    <flag speculative="enable"/>
  </option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" contype="3" conaffinity="3"
          friction="0.8 0.01 0.002"/>
    <body name="torso" pos="0 0 0.45">
      <freejoint name="root"/>
      <geom name="trunk" type="capsule" fromto="-0.2 0 0 0.2 0 0" size="0.08" condim="4"/>
      <body name="upper1" pos="0.2 0.1 0">
        <joint name="hip1" type="ball" damping="0.2" stiffness="3" limited="true" range="0 0.6"/>
        <geom type="capsule" fromto="0 0 0 0.1 0.1 -0.2" size="0.04"/>
        <body name="lower1" pos="0.1 0.1 -0.2">
          <joint name="knee1" type="hinge" axis="0 1 0" range="-0.3 0.3" limited="true"
                 armature="0.01" frictionloss="0.3"/>
          <geom type="sphere" size="0.06" pos="0 0 -0.15" condim="6" friction="0.9 0.02 0.003"/>
          <body name="toe1" pos="0 0 -0.15">
            <joint name="toe1" type="hinge" axis="1 0 0" damping="0.05"/>
            <geom type="sphere" size="0.05" pos="0.08 0 0" condim="1"/>
          </body>
        </body>
      </body>
      <body name="upper2" pos="-0.2 -0.1 0" gravcomp="0.4">
        <joint name="hip2" type="hinge" axis="0 1 0" range="-0.2 0.2" limited="true"/>
        <joint name="hip2b" type="hinge" axis="1 0 0" springref="0.2" stiffness="5"/>
        <geom type="capsule" fromto="0 0 0 -0.1 -0.1 -0.2" size="0.04"/>
        <body name="lower2" pos="-0.1 -0.1 -0.2">
          <joint name="slide2" type="slide" axis="0 0 1" range="-0.05 0.05" limited="true"
                 damping="2"/>
          <geom type="sphere" size="0.07" pos="0 0 -0.12" condim="3"/>
        </body>
      </body>
    </body>
    <body name="box" pos="0.6 0 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.12 0.11" contype="2" conaffinity="2"/>
    </body>
    <body name="box beside" pos="0.8 0.02 0.1" euler="0 0 5">
      <freejoint/>
      <geom type="box" size="0.101 0.1 0.1" contype="2" conaffinity="2"/>
    </body>
    <body name="ball" pos="0.6 0.05 0.27">
      <freejoint/>
      <geom type="sphere" size="0.08" condim="6" contype="3" conaffinity="3"
            fluidshape="ellipsoid"/>
    </body>
    <body name="puck" mocap="true" pos="0.6 0.1 0.4" euler="20 0 10">
      <geom type="sphere" size="0.09"/>
    </body>
    <body name="arm" pos="0 1 0.3">
      <joint name="arm" type="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body name="hand" pos="0.4 0 0">
        <joint name="hand" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 -0.25" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="couple" limited="true" range="-0.1 0.1" stiffness="2" damping="0.3"
           frictionloss="0.2">
      <joint joint="knee1" coef="1"/>
      <joint joint="hip2" coef="-0.7"/>
      <joint joint="arm" coef="0.3"/>
    </fixed>
    <fixed name="armature" armature="0.02">
      <joint joint="arm" coef="1"/>
      <joint joint="hand" coef="0.5"/>
    </fixed>
  </tendon>
  <actuator>
    <motor joint="knee1" gear="20" ctrllimited="true" ctrlrange="-1 1"/>
    <position joint="arm" kp="30"/>
    <velocity joint="hand" kv="2" forcelimited="true" forcerange="-1 1"/>
    <general tendon="couple" dyntype="filter" dynprm="0.05" gainprm="5"/>
    <general joint="hip2b" dyntype="integrator" biastype="affine" gainprm="3" biasprm="0 -3 -0.2"
             actlimited="true" actrange="-0.5 0.5"/>
    <motor joint="hip1" gear="1 2 3 0 0 0"/>
  </actuator>
  <keyframe>
    <key name="low" time="1.5"/>
  </keyframe>
</mujoco>
)";

Model compiled(bool elliptic) {
  std::string text = scene_text;
  text.replace(text.find("CONE"), 4, elliptic ? "elliptic" : "pyramidal");
  Model model = compile(load_string(text, Format::xml, "race.xml"));
  // listed for the test of all pairs, and swept
  compiler::list_candidates(model, max_candidates, 0);
  return model;
}

std::size_t count(long long n) {
  return static_cast<std::size_t>(n);
}

}  // namespace

Scene::Scene(bool elliptic)
    : returned_(32 * environments),
      exported_reals_(count(environments) * exported_capacity),
      exported_ints_(count(environments) * exported_capacity),
      reset_mask_(environments, 1) {
  const Model model = compiled(elliptic);
  model_ = upload_model(model);
  layout_ = make_layout(scratch_sizes(model));
  state_ = std::make_unique<State>(model, environments);
  kept_ = std::make_unique<State>(model, environments);
  const int blocks = (environments + W - 1) / W;
  worker_ = std::make_unique<Worker>(model_, layout_, state_->view(), blocks,
                                     Capacity{60, 40, 130, 3000, 100, 40}, nullptr);
  worker_->point_at(0, environments);
  // Newton's method with conjugate gradients inside is the cooperative solver; those on packs have a
  // case of their own
  worker_->limit_newton(0);
  begin_visit(worker_->context(), worker_->device_table(), {0, 1, 0, environments}, true);
  reset_mask_[1] = 0;
  for (int env = 0; env < environments; ++env) {
    staged_envs_.push_back(env);
  }
  staged_ints_.resize(2 * environments);
  staged_longs_.resize(3 * environments);
  staged_reals_.resize(count(environments) * state_->reals_per_env());
  staged_ = {state_->view(),
             model,
             staged_envs_.data(),
             staged_reals_.data(),
             staged_ints_.data(),
             staged_longs_.data(),
             static_cast<int>(state_->reals_per_env())};
  set_states();
  list_regions();
  points_.push_back(memory());
  for (int p = 1; p < static_cast<int>(Point::count_); ++p) {
    run(static_cast<Point>(p));
    points_.push_back(memory());
  }
  // the test means nothing on an empty scene
  const Need& need = tile().control->need;
  if (tile().control->halt != 0 || tile().rows.nefc[0] < 12 || tile().contacts.ncon[0] < 4 ||
      tile().fast.count[5] < 2) {
    throw std::logic_error(
        "the scene of the race test does not fit its buffers or has too few rows: it needs " +
        std::to_string(need.pairs) + " pairs, " + std::to_string(need.contacts) + " contacts, " +
        std::to_string(need.rows) + " rows, " + std::to_string(need.nonzeros) +
        " nonzeros; environment 0 has " + std::to_string(tile().rows.nefc[0]) +
        " rows, environment 5 " + std::to_string(tile().fast.count[5]) + " fast pairs");
  }
}

void Scene::set_states() {
  const StateView& s = tile().state;
  const ModelView& m = tile().model;
  const std::vector<unsigned char> all(count(environments), 1);
  reset_state(worker_->context(), worker_->table(), all.data(), -1, environments);

  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](double scale) { return static_cast<real>(scale * normal(engine)); };
  for (int env = 0; env < environments; ++env) {
    for (int i = 0; i < m.nq; ++i) {
      s.qpos[env * m.nq + i] += draw(0.03);
    }
    for (int i = 0; i < m.nv; ++i) {
      s.qvel[env * m.nv + i] = draw(0.5);
      s.qfrc_applied[env * m.nv + i] = draw(0.1);
      s.qacc_warmstart[env * m.nv + i] = draw(1);
    }
    for (int i = 0; i < m.nu; ++i) {
      s.ctrl[env * m.nu + i] = draw(0.5);
    }
    for (int i = 0; i < m.na; ++i) {
      s.act[env * m.na + i] = draw(0.3);
    }
    for (int i = 6; i < 12; ++i) {
      s.xfrc_applied[env * 6 * m.nbody + i] = draw(0.2);
    }
  }
  // from here on the ball falls onto the boxes and the arm swings by a length and more per step
  for (int env = 3; env < environments; ++env) {
    s.qvel[env * m.nv + 28] = static_cast<real>(-40 * (env - 2));
    s.qvel[env * m.nv + 32] = static_cast<real>(100 * (env - 2));
  }
  s.qvel[2 * m.nv + 3] = std::numeric_limits<real>::quiet_NaN();
}

void Scene::list_regions() {
  const Tile& t = tile();
  const long long slots = static_cast<long long>(t.nblocks) * W;
  const auto add = [&](const std::string& name, auto* data, long long n, bool result) {
    using T = std::remove_reference_t<decltype(*data)>;
    regions_.push_back({name, data, count(n) * sizeof(T), std::is_same_v<T, real>, result});
  };
  struct Counts : Sizes {
    void state(const StateView& s, const std::string& view, const decltype(add)& visit) const {
#define SWEPT_STATE(name, rows, cols, unit, meaning) \
  visit(view + #name, s.name, static_cast<long long>(environments) * (rows) * (cols), true);
#include <swept/fields/state.def>
#undef SWEPT_STATE
    }
  };
  Counts{t.model}.state(t.state, "state.", add);
  Counts{t.model}.state(kept_->view(), "kept.", add);
  add("state.status", t.state.status, environments, true);
  add("state.status_step", t.state.status_step, environments, true);
  add("state.steps", t.state.steps, environments, true);
  add("state.resets", t.state.resets, environments, true);
  add("state.reset_status", t.state.reset_status, environments, true);
  add("scratch", t.scratch, slots * t.layout.size, true);
  add("control", reinterpret_cast<int*>(t.control),
      static_cast<long long>(sizeof(Control) / sizeof(int)), true);
  add("frozen", t.frozen, slots, true);
  add("aside", t.aside, slots, true);
  add("steps", t.steps, slots, true);
  add("resets", t.resets, slots, true);
  add("reset_status", t.reset_status, slots, true);
  add("settled", t.settled, slots, true);
  add("fast.pair", reinterpret_cast<int*>(t.fast.pair),
      slots * t.fast.capacity * static_cast<long long>(bytes_of_fast_pair() / sizeof(int)), true);
  add("fast.active", t.fast.active, slots * t.fast.capacity, false);
  add("fast.count", t.fast.count, slots, true);
  add("fast.now", t.fast.now, slots * speculative_counters, true);
  add("fast.visit", t.fast.visit, slots * speculative_counters, true);
  add("pairs.count", t.pairs.count, t.nblocks, true);
  add("pairs.singles", t.pairs.singles, t.nblocks, true);
  add("pairs.pair", t.pairs.pair,
      static_cast<long long>(t.nblocks) * t.pairs.capacity * PairsView::entry_ints, true);
  add("pairs.single", t.pairs.single, static_cast<long long>(t.nblocks) * t.pairs.capacity, true);
  const long long items = t.model.nsweep;
  add("sweep.box", t.sweep.box, slots * SweepView::box_reals(items), true);
  add("sweep.item", t.sweep.item, slots * (5 * items + 2), true);
  add("sweep.found", t.sweep.found, slots * 4 * t.pairs.capacity, true);
  add("sweep.count", t.sweep.count, slots, true);
  add("hits", t.hits.reals, slots * t.hits.capacity * HitsView::nreal, true);
  add("pairs.mask", reinterpret_cast<int*>(t.pairs.mask),
      static_cast<long long>(t.nblocks) * t.pairs.capacity, true);
  add("contacts.ncon", t.contacts.ncon, slots, true);
  add("contacts.reals", t.contacts.reals, slots * t.contacts.capacity * ContactLayout::nreal, true);
  add("contacts.ints", t.contacts.ints, slots * t.contacts.capacity * ContactLayout::nint, true);
  add("rows.nefc", t.rows.nefc, slots, true);
  add("rows.nnz", t.rows.nnz, slots, true);
#define SWEPT_ROW_REAL(name, unit, meaning) \
  add("rows." #name, t.rows.name, slots* t.rows.capacity, true);
#define SWEPT_ROW_INT(name, meaning) SWEPT_ROW_REAL(name, "", meaning)
#include "kernels/base/fields_row.def"
#undef SWEPT_ROW_REAL
#undef SWEPT_ROW_INT
  add("rows.efc_J", t.rows.efc_J, slots * t.rows.capacity_nnz, true);
  add("rows.efc_J_colind", t.rows.efc_J_colind, slots * t.rows.capacity_nnz, true);
  add("solver.niter", t.solver.niter, slots, false);
  add("solver.residual", t.solver.residual, slots, false);
  add("solver.vectors", t.solver.vectors, slots * SolverView::vectors_size(t.model.nplace), false);
  add("solver.precond", t.solver.precond, slots * SolverView::precond_size(t.model.nprecond),
      false);
  add("solver.matrices", t.solver.matrices, slots * SolverView::matrices_size(t.model.nM), false);
  add("solver.row_vectors", t.solver.row_vectors,
      slots * SolverView::row_vectors_size(t.rows.capacity), false);
  add("solver.row_ints", t.solver.row_ints, slots * SolverView::row_ints_size(t.rows.capacity),
      false);
  add("solver.jac", t.solver.jac, slots * SolverView::jac_size(t.rows.capacity_nnz), false);
  add("solver.jac_strips", t.solver.jac_strips,
      slots * SolverView::jac_strips_size(t.rows.capacity_nnz), false);
  add("staged.reals", staged_reals_.data(), static_cast<long long>(staged_reals_.size()), true);
  add("staged.ints", staged_ints_.data(), static_cast<long long>(staged_ints_.size()), true);
  add("returned", returned_.data(), static_cast<long long>(returned_.size()), true);
  add("exported reals", exported_reals_.data(), static_cast<long long>(exported_reals_.size()),
      true);
  add("exported ints", exported_ints_.data(), static_cast<long long>(exported_ints_.size()), true);
}

void Scene::run(Point stage) {
  const Context& ctx = worker_->context();
  const Tile* t = worker_->table();
  switch (stage) {
    case Point::fresh:
    case Point::count_:
      break;
    case Point::load_state:
      SWEPT_NS::load_state(ctx, t, nblocks());
      break;
    case Point::check_state:
      SWEPT_NS::check_state(ctx, t, nblocks());
      break;
    case Point::kinematics:
      SWEPT_NS::kinematics(ctx, t, nblocks());
      break;
    case Point::com_pos:
      SWEPT_NS::com_pos(ctx, t, nblocks());
      break;
    case Point::transmission:
      SWEPT_NS::transmission(ctx, t, nblocks());
      break;
    case Point::make_m:
      SWEPT_NS::make_m(ctx, t, nblocks());
      break;
    case Point::factor_m:
      SWEPT_NS::factor_m(ctx, t, nblocks());
      break;
    case Point::rne:
      SWEPT_NS::rne(ctx, t, nblocks());
      break;
    case Point::passive:
      SWEPT_NS::fluid(ctx, t, nblocks());
      SWEPT_NS::passive(ctx, t, nblocks());
      break;
    case Point::actuation:
      SWEPT_NS::actuation(ctx, t, nblocks());
      break;
    case Point::acceleration:
      SWEPT_NS::acceleration(ctx, t, nblocks());
      break;
    case Point::motion:
      SWEPT_NS::motion(ctx, t, nblocks());
      break;
    case Point::sweep:
      SWEPT_NS::sweep(ctx, t, nenv());
      break;
    case Point::broadphase:
      SWEPT_NS::broadphase(ctx, t, nblocks());
      break;
    case Point::list_fast:
      SWEPT_NS::list_fast(ctx, t, nblocks());
      break;
    case Point::advance:
      SWEPT_NS::advance(ctx, t, nenv());
      break;
    case Point::narrowphase:
      SWEPT_NS::convex(ctx, t, nblocks());
      SWEPT_NS::impact(ctx, t, nenv());
      SWEPT_NS::narrowphase(ctx, t, nblocks());
      break;
    case Point::make_rows:
      SWEPT_NS::make_rows(ctx, t, nenv());
      break;
    case Point::load_solver:
      SWEPT_NS::load_solver(ctx, t, nblocks());
      break;
    case Point::solve:
      SWEPT_NS::solve(ctx, t, nenv());
      break;
    case Point::next_velocity:
      SWEPT_NS::next_velocity(ctx, t, nblocks());
      break;
    case Point::open_guard:
      SWEPT_NS::open_guard(ctx, t, nblocks());
      break;
    case Point::list_guarded:
      SWEPT_NS::list_guarded(ctx, t, nblocks(), 0);
      break;
    case Point::guard:
      SWEPT_NS::guard(ctx, t, nenv(), false);
      break;
  }
}

Memory Scene::memory() const {
  Memory all;
  for (const Region& region : regions_) {
    const std::byte* from = static_cast<const std::byte*>(region.data);
    all.emplace_back(from, from + region.bytes);
  }
  return all;
}

void Scene::go_to(Point point) {
  const Memory& all = points_[static_cast<std::size_t>(point)];
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].empty()) {
      std::memcpy(regions_[i].data, all[i].data(), all[i].size());
    }
  }
}

}  // namespace swept::SWEPT_NS::test
