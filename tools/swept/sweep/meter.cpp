// SPDX-License-Identifier: Apache-2.0
// Gathering of numbers from fields, and their totals.
#include "tools/swept/sweep/meter.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace swept::cli {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Numbers of a field in any precision, wherever it is.
class FieldView {
 public:
  FieldView(Batch& batch, std::string_view name) : info_(batch.field_info(name)) {
    // a shared field of the model has a stride of 0; that of a device comes as a copy
    if (info_.on_device) {
      copy_ = batch.read(name);
    }
  }
  double operator()(std::int64_t env, int offset) const {
    if (info_.on_device) {
      return copy_[static_cast<std::size_t>(env * info_.shape[1] * info_.shape[2] + offset)];
    }
    const std::int64_t row = offset / info_.shape[2], column = offset % info_.shape[2];
    const std::int64_t at =
        env * info_.stride[0] + row * info_.stride[1] + column * info_.stride[2];
    switch (info_.scalar) {
      case Scalar::f32:
        return static_cast<const float*>(info_.data)[at];
      case Scalar::f64:
        return static_cast<const double*>(info_.data)[at];
      case Scalar::i32:
        return static_cast<const int*>(info_.data)[at];
      case Scalar::i64:
        return static_cast<double>(static_cast<const std::int64_t*>(info_.data)[at]);
    }
    return not_a_number;
  }

 private:
  FieldInfo info_;
  std::vector<double> copy_;
};

double reduce(const FieldView& view, std::int64_t env, const std::vector<int>& offsets, Over over) {
  double total = over == Over::min   ? std::numeric_limits<double>::infinity()
                 : over == Over::max ? -std::numeric_limits<double>::infinity()
                                     : 0;
  for (const int offset : offsets) {
    const double number = view(env, offset);
    switch (over) {
      case Over::one:
        return number;
      case Over::min:
        total = std::min(total, number);
        break;
      case Over::max:
        total = std::max(total, number);
        break;
      case Over::norm:
        total += number * number;
        break;
      case Over::sum:
      case Over::mean:
        total += number;
        break;
    }
  }
  if (over == Over::norm) {
    return std::sqrt(total);
  }
  return over == Over::mean ? total / static_cast<double>(offsets.size()) : total;
}

}  // namespace

Meter::Meter(const Plan& plan, const Model& model) : plan_(plan) {
  for (const Measure& measure : plan.measures) {
    numbers_.push_back(find_numbers(model, measure.numbers, plan.path, measure.place));
    const Numbers& numbers = numbers_.back();
    if (measure.over == Over::one && numbers.offsets.size() > 1) {
      throw Error(Place{plan.path, 0, measure.place},
                  fmt::format("'{}' selects {} numbers of '{}'", measure.name,
                              numbers.offsets.size(), numbers.field.name),
                  "choose one by \"of\" and \"column\", or say how they become one: \"over\": "
                  "\"min\", \"max\", \"sum\", \"mean\" or \"norm\"");
    }
    units_.push_back(!measure.unit.empty()        ? measure.unit
                     : measure.take == Take::time ? "s"
                                                  : numbers.unit);
  }
}

std::string Meter::meaning(std::size_t measure) const {
  constexpr const char* overs[] = {"",        "least of ", "largest of ",
                                   "sum of ", "mean of ",  "norm of "};
  constexpr const char* takes[] = {"at the end",
                                   "mean over time",
                                   "least over time",
                                   "largest over time",
                                   "root of the mean square over time",
                                   ""};
  const Measure& of = plan_.measures[measure];
  const Field& field = numbers_[measure].field;
  const std::string take =
      of.take == Take::time
          ? fmt::format("first time {} {}", of.above ? "above" : "below", of.threshold)
          : takes[static_cast<int>(of.take)];
  return fmt::format("{}: {}{}, {}", field.name, overs[static_cast<int>(of.over)], field.meaning,
                     take);
}

bool Meter::derived() const {
  return std::any_of(numbers_.begin(), numbers_.end(), [](const Numbers& numbers) {
    return numbers.field.kind == FieldKind::derived;
  });
}

void Meter::begin(Batch& batch) {
  for (const Numbers& numbers : numbers_) {
    batch.field_info(numbers.field.name);
  }
  totals_.clear();
  for (int env = 0; env < batch.nenv(); ++env) {
    for (const Measure& measure : plan_.measures) {
      const bool sum = measure.take == Take::mean || measure.take == Take::rms;
      totals_.push_back({sum ? 0 : not_a_number});
    }
  }
}

void Meter::state_moment(Batch& batch, std::span<const double> times) {
  take(batch, false, times);
}

void Meter::derived_moment(Batch& batch, std::span<const double> times) {
  take(batch, true, times);
}

void Meter::take(Batch& batch, bool derived, std::span<const double> times) {
  batch.sync();
  const FieldView status(batch, "status");
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if ((numbers_[i].field.kind == FieldKind::derived) != derived) {
      continue;
    }
    const Measure& measure = plan_.measures[i];
    const FieldView view(batch, numbers_[i].field.name);
    for (std::size_t env = 0; env < times.size(); ++env) {
      const auto row = static_cast<std::int64_t>(env);
      // time steps are as exact as the batch's precision
      const double slack = 2e-7 * std::abs(times[env]);
      const bool inside = times[env] + slack >= measure.from && times[env] - slack <= measure.to;
      if (inside && status(row, 0) == 0) {
        add(measure, reduce(view, row, numbers_[i].offsets, measure.over), times[env],
            &totals_[env * numbers_.size() + i]);
      }
    }
  }
}

void Meter::add(const Measure& measure, double number, double time, Total* total) const {
  const bool first = total->count == 0;
  switch (measure.take) {
    case Take::final:
      total->value = number;
      break;
    case Take::mean:
      total->value += number;
      break;
    case Take::rms:
      total->value += number * number;
      break;
    case Take::min:
      total->value = first ? number : std::min(total->value, number);
      break;
    case Take::max:
      total->value = first ? number : std::max(total->value, number);
      break;
    case Take::time:
      if (measure.above ? !(number > measure.threshold) : !(number < measure.threshold)) {
        return;
      }
      total->value = first ? time : total->value;
      break;
  }
  ++total->count;
}

std::vector<double> Meter::results(int env, bool stopped) const {
  std::vector<double> all;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Total& total = totals_[static_cast<std::size_t>(env) * numbers_.size() + i];
    const Take kind = plan_.measures[i].take;
    const auto count = static_cast<double>(total.count);
    double result = total.value;
    if (kind == Take::mean || kind == Take::rms) {
      result /= count;
      result = kind == Take::rms ? std::sqrt(result) : result;
    }
    const bool known = total.count > 0 && (!stopped || kind == Take::time) && !std::isnan(result);
    all.push_back(known ? result : not_a_number);
  }
  return all;
}

}  // namespace swept::cli
