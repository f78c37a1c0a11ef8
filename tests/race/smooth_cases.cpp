// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/smooth. The kernels come with their sources.
#include "kernels/smooth/acceleration.cpp"
#include "kernels/smooth/position.cpp"
#include "kernels/smooth/actuator_slope.h"
#include "kernels/smooth/velocity.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

std::vector<Case> smooth_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      // position
      on_blocks("smooth/kinematics", P::check_state,
                [](G g, Scene& s, int b) { kinematics(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Kinematics", P::check_state,
                [](G g, Scene& s, int b) { Kinematics{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/subtree_com", P::kinematics,
                [](G g, Scene& s, int b) { subtree_com(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/body_inertias", P::kinematics,
                [](G g, Scene& s, int b) { body_inertias(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/dof_axes", P::kinematics,
                [](G g, Scene& s, int b) { dof_axes(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/com_pos", P::kinematics,
                [](G g, Scene& s, int b) { com_pos(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/ComPos", P::kinematics,
                [](G g, Scene& s, int b) { ComPos{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/transmission", P::com_pos,
                [](G g, Scene& s, int b) { transmission(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Transmission", P::com_pos,
                [](G g, Scene& s, int b) { Transmission{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/composite_inertias", P::transmission,
                [](G g, Scene& s, int b) { composite_inertias(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/add_tendon_armature", P::make_m,
                [](G g, Scene& s, int b) {
                  for (int tendon = 0; tendon < s.tile().model.ntendon; ++tendon) {
                    add_tendon_armature(g, s.model(b), s.data(b), tendon);
                  }
                }),
      on_blocks("smooth/make_m", P::transmission,
                [](G g, Scene& s, int b) { make_m(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/MakeM", P::transmission,
                [](G g, Scene& s, int b) { MakeM{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/factor_m", P::make_m,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  factor_m(g, s.model(b), slice(d.M(0)), slice(d.qLD(0)), slice(d.qLDiagInv(0)),
                           [](int i) { return pack(real(i)); });
                }),
      on_blocks("smooth/FactorM", P::make_m,
                [](G g, Scene& s, int b) { FactorM{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/solve_m", P::factor_m,
                [](G g, Scene& s, int b) {
                  const DataAt<pack> d = s.data(b);
                  solve_m(g, s.model(b), slice(d.qLD(0)), slice(d.qLDiagInv(0)), slice(d.qvel(0)));
                }),
      on_blocks("smooth/owns", P::factor_m,
                [](G g, Scene& s, int b) {
                  for (int i = 0; i < s.tile().model.nv; ++i) {
                    if (owns(g, i)) {
                      s.data(b).dof_work(i) = pack(real(i));
                    }
                  }
                }),

      // velocity
      on_blocks("smooth/body_motions", P::factor_m,
                [](G g, Scene& s, int b) { body_motions(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/bias_forces", P::rne,
                [](G g, Scene& s, int b) { bias_forces(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/rne", P::factor_m,
                [](G g, Scene& s, int b) { rne(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Rne", P::factor_m, [](G g, Scene& s, int b) { Rne{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/transmission_velocity", P::rne,
                [](G g, Scene& s, int b) { transmission_velocity(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/fluid", P::rne,
                [](G g, Scene& s, int b) { fluid(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Fluid", P::rne,
                [](G g, Scene& s, int b) { Fluid{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/add_tendon_forces", P::passive,
                [](G g, Scene& s, int b) {
                  for (int tendon = 0; tendon < s.tile().model.ntendon; ++tendon) {
                    add_tendon_forces(g, s.model(b), s.data(b), tendon, true, true);
                  }
                }),
      on_blocks("smooth/passive", P::rne,
                [](G g, Scene& s, int b) {
                  transmission_velocity(g, s.model(b), s.data(b));
                  g.sync();
                  passive(g, s.model(b), s.data(b));
                }),
      on_blocks("smooth/Passive", P::rne,
                [](G g, Scene& s, int b) { Passive{&s.tile()}(g, b, 0); }),

      // forces
      on_blocks("smooth/actuator_forces", P::passive,
                [](G g, Scene& s, int b) { actuator_forces(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/actuation", P::passive,
                [](G g, Scene& s, int b) { actuation(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Actuation", P::passive,
                [](G g, Scene& s, int b) { Actuation{&s.tile()}(g, b, 0); }),
      on_blocks("smooth/actuator_slopes", P::actuation,
                [](G g, Scene& s, int b) { actuator_slopes(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/smooth_acceleration", P::actuation,
                [](G g, Scene& s, int b) { smooth_acceleration(g, s.model(b), s.data(b)); }),
      on_blocks("smooth/Acceleration", P::actuation,
                [](G g, Scene& s, int b) { Acceleration{&s.tile()}(g, b, 0); }),
  };
}

}  // namespace swept::SWEPT_NS::test
