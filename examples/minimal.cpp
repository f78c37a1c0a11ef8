// SPDX-License-Identifier: Apache-2.0
// Push 1024 humanoids about and print how high their pelvises are.
#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) try {
  const char* scene = argc > 1 ? argv[1] : "scenes/humanoid/humanoid.xml";
  const swept::Model model = swept::compile(swept::load(scene));
  swept::Batch batch(model, {.nenv = 1024, .device = "cpu", .precision = swept::Precision::f32});

  const auto ctrl = batch.field<float>("ctrl");  // [1024, 21], written in place
  const auto qpos = batch.field<float>("qpos");  // [1024, 28], always the current state
  for (int round = 0; round < 20; ++round) {
    for (int env = 0; env < batch.nenv(); ++env) {
      std::ranges::fill(ctrl[env], 0.001f * static_cast<float>(env) - 0.5f);
    }
    batch.step(5);
  }

  const swept::Report report = batch.report();
  std::printf("pelvis of environment 0 at %.3f m, of 1023 at %.3f m\n", qpos(0, 2), qpos(1023, 2));
  std::printf("%.2f contacts per environment\n", report.contacts.mean);
} catch (const swept::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
