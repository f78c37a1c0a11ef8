// SPDX-License-Identifier: Apache-2.0
// Fields of a batch in double precision, per environment.
#pragma once

#include <swept/batch.h>

#include "parity/states.h"
#include "support/near.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace swept::test {

inline Precision precision_of(Bar bar) {
  return bar == Bar::f32 ? Precision::f32 : Precision::f64;
}

/// A batch with one environment per state, on the CPU.
inline Batch make_batch(const Model& model, Bar bar, const std::vector<State>& states) {
  BatchOptions options;
  options.nenv = static_cast<int>(states.size());
  options.precision = precision_of(bar);
  Batch batch(model, options);
  set_states(&batch, states);
  return batch;
}

/// What forward() computes from the states, for the fields that are named.
class Readback {
 public:
  Readback(const Model& model, Bar bar, const std::vector<State>& states,
           const std::vector<std::string>& names)
      : nenv_(states.size()) {
    Batch batch = make_batch(model, bar, states);
    for (const std::string& name : names) {
      batch.field_info(name);
    }
    batch.forward();
    batch.sync();
    for (const std::string& name : names) {
      columns_[name] = static_cast<std::size_t>(batch.field_info(name).shape[2]);
      values_[name] = batch.read(name);
    }
  }

  /// All numbers of a field in an environment; lists have undefined entries at their end.
  std::span<const double> of(const std::string& name, std::size_t env) const {
    const std::vector<double>& all = values_.at(name);
    const std::size_t width = all.size() / nenv_;
    return {all.data() + env * width, width};
  }

  /// Row `row` of a field in an environment.
  std::span<const double> row(const std::string& name, std::size_t env, std::size_t row) const {
    const std::size_t columns = columns_.at(name);
    return of(name, env).subspan(row * columns, columns);
  }

  double number(const std::string& name, std::size_t env, std::size_t at = 0) const {
    return of(name, env)[at];
  }
  int integer(const std::string& name, std::size_t env, std::size_t at = 0) const {
    return static_cast<int>(number(name, env, at));
  }

 private:
  std::size_t nenv_;
  std::map<std::string, std::size_t> columns_;
  std::map<std::string, std::vector<double>> values_;
};

}  // namespace swept::test
