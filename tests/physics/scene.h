// SPDX-License-Identifier: Apache-2.0
// Making a batch from a scene in a string, with one start per environment.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/load.h>

namespace swept::test {

inline Batch make_batch(const std::string& xml, int nenv, Precision precision) {
  return Batch(compile(load_string(xml, Format::xml, "law")),
               {.nenv = nenv, .precision = precision});
}

/// Write a field with value(env, i).
inline void fill(Batch* batch, const char* name, const std::function<double(int, int)>& value) {
  const FieldInfo info = batch->field_info(name);
  const int width = static_cast<int>(info.shape[1] * info.shape[2]);
  std::vector<double> values;
  for (int env = 0; env < batch->nenv(); ++env) {
    for (int i = 0; i < width; ++i) {
      values.push_back(value(env, i));
    }
  }
  batch->write(name, values);
}

/// A number in [-1, 1] that depends on its arguments alone.
inline double noise(int env, int i, int salt = 0) {
  std::seed_seq seed{env, i, salt};
  std::mt19937 random(seed);
  return std::uniform_real_distribution<double>(-1, 1)(random);
}

}  // namespace swept::test
