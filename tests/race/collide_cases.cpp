// SPDX-License-Identifier: Apache-2.0
// Cooperative functions of src/kernels/collide. The kernels come with their source.
#include "kernels/collide/collide.cpp"
#include "race/cases.h"

namespace swept::SWEPT_NS::test {

std::vector<Case> collide_cases() {
  using P = Point;
  using G = const ThreadGroup;
  return {
      on_blocks("collide/broadphase", P::acceleration,
                [](G g, Scene& s, int b) { broadphase<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/BroadphaseKernel", P::acceleration,
                [](G g, Scene& s, int b) { BroadphaseKernel{&s.tile()}(g, b, 0); }),
      on_blocks("collide/narrowphase", P::broadphase,
                [](G g, Scene& s, int b) { narrowphase<pack>(g, s.tile(), b, 0); }),
      on_blocks("collide/NarrowphaseKernel", P::broadphase,
                [](G g, Scene& s, int b) { NarrowphaseKernel{&s.tile()}(g, b, 0); }),
  };
}

}  // namespace swept::SWEPT_NS::test
