// SPDX-License-Identifier: Apache-2.0
// Changes of numbers by the values of parameters, field by field.
#include "tools/swept/sweep/setup.h"

#include "tools/swept/scene.h"

#include <swept/error.h>
#include <swept/model_fields.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace swept::cli {

namespace {

using Quaternion = std::array<double, 4>;

// turns three numbers by Rodrigues' formula, or four by the product of quaternions, about a unit
// axis of the frame they are given in
void turn(const std::array<double, 3>& axis, double angle, int count, double* numbers) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double* a = axis.data();
  if (count == 3) {
    const std::array<double, 3> v{numbers[0], numbers[1], numbers[2]};
    const double along = (a[0] * v[0] + a[1] * v[1] + a[2] * v[2]) * (1 - c);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      numbers[i] = c * v[i] + s * (a[j] * v[k] - a[k] * v[j]) + a[i] * along;
    }
    return;
  }
  const double h = std::sin(angle / 2);
  const Quaternion p{std::cos(angle / 2), h * a[0], h * a[1], h * a[2]};
  const Quaternion q{numbers[0], numbers[1], numbers[2], numbers[3]};
  numbers[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  numbers[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  numbers[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  numbers[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/// How many numbers a rotation turns at a time: 3 or 4, 0: such a field does not turn.
int turned_together(const Field& field) {
  const int width = field.columns == 1 ? field.rows : field.columns;
  const bool vectors = field.columns == 1 ? field.row_size == "3" : true;
  return vectors && (width == 3 || width == 4) ? width : 0;
}

// a rotation takes whole vectors or quaternions
void check_turn(const Numbers& numbers, const Place& place) {
  const int width = turned_together(numbers.field);
  bool whole = width > 0 && numbers.offsets.size() % static_cast<std::size_t>(width) == 0;
  for (std::size_t i = 0; whole && i < numbers.offsets.size(); ++i) {
    whole = numbers.offsets[i] % width == static_cast<int>(i) % width;
  }
  if (!whole) {
    throw Error(
        place,
        fmt::format("a rotation has no meaning for these numbers of '{}'", numbers.field.name),
        "use it for whole vectors (opt_gravity, body_pos, ...) or quaternions (body_quat, "
        "geom_quat, ...)");
  }
}

}  // namespace

Setup::Setup(const Plan& plan, const Model& model)
    : plan_(plan),
      model_(model),
      keyframe_(find_keyframe(model, plan.keyframe)),
      units_(plan.parameters.size()),
      meanings_(plan.parameters.size()) {
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    for (const Target& target : plan.parameters[i].targets) {
      add(i, target);
    }
  }
}

void Setup::add(std::size_t parameter, const Target& target) {
  const Parameter& of = plan_.parameters[parameter];
  const Place place{plan_.path, 0, target.place};
  const auto describe = [&](const std::string& unit, std::string_view meaning) {
    if (meanings_[parameter].empty()) {
      units_[parameter] = of.unit.empty() ? unit : of.unit;
      meanings_[parameter] = fmt::format("{}: {}", target.numbers.field, meaning);
    }
  };
  if (target.numbers.field == "seed") {
    check_seeds(of, target);
    seed_parameter_ = static_cast<int>(parameter);
    describe("1", "of the random controls");
    return;
  }
  Action action{parameter, find_numbers(model_, target.numbers, plan_.path, target.place),
                target.change, target.axis};
  const Field& field = action.numbers.field;
  if (field.kind == FieldKind::derived) {
    throw Error(place, fmt::format("field '{}' is computed, it cannot be set", field.name),
                "set fields of the model or of the state");
  }
  if (field.kind == FieldKind::model) {
    try {
      estimate_model_bytes(model_, Precision::f64, field.name);
    } catch (const Error& error) {
      throw Error(place, error.problem(), error.remedy());
    }
  }
  if (action.change == Change::rotate) {
    check_turn(action.numbers, place);
  }
  for (const Action& before : actions_) {
    const auto& taken = before.numbers.offsets;
    if (action.change == Change::set && before.numbers.field.name == field.name &&
        std::find_first_of(taken.begin(), taken.end(), action.numbers.offsets.begin(),
                           action.numbers.offsets.end()) != taken.end()) {
      throw Error(place,
                  fmt::format("'{}' sets numbers of '{}' that '{}' changed before", of.name,
                              field.name, plan_.parameters[before.parameter].name),
                  "set them first, and scale, add or rotate after that");
    }
  }
  describe(action.change == Change::scale    ? "1"
           : action.change == Change::rotate ? "deg"
                                             : action.numbers.unit,
           field.meaning);
  actions_.push_back(std::move(action));
}

void Setup::check_seeds(const Parameter& parameter, const Target& target) const {
  const Place place{plan_.path, 0, target.place};
  if (plan_.controls.kind != ControlPlan::Kind::random) {
    throw Error(place, "there is a seed for random controls alone",
                "add \"controls\": {\"random\": {\"hold\": 5}}");
  }
  const bool whole = std::all_of(parameter.values.begin(), parameter.values.end(), [](double seed) {
    return seed >= 0 && seed < 0x1p53 && seed == std::floor(seed);
  });
  if (parameter.drawn() || !whole || target.change != Change::set) {
    throw Error(place, "seeds are set, and are whole numbers from 0 on",
                "write \"range\": {\"from\": 1, \"to\": 10, \"step\": 1}");
  }
}

std::string Setup::meaning(std::size_t parameter) const {
  return meanings_[parameter];
}

std::vector<std::string> Setup::model_fields() const {
  std::set<std::string> names;
  for (const Action& action : actions_) {
    if (action.numbers.field.kind == FieldKind::model) {
      names.emplace(action.numbers.field.name);
    }
  }
  return {names.begin(), names.end()};
}

std::uint64_t Setup::control_seed(std::int64_t combination) const {
  return seed_parameter_ < 0 ? plan_.controls.seed
                             : static_cast<std::uint64_t>(values_of(
                                   plan_, combination)[static_cast<std::size_t>(seed_parameter_)]);
}

void Setup::apply(Batch& batch, std::span<const std::int64_t> combinations) const {
  std::vector<std::vector<double>> values;
  for (const std::int64_t combination : combinations) {
    values.push_back(values_of(plan_, combination));
  }
  write_fields(batch, FieldKind::model, values);
  batch.reset(keyframe_);
  write_fields(batch, FieldKind::state, values);
}

void Setup::write_fields(Batch& batch, FieldKind kind,
                         const std::vector<std::vector<double>>& values) const {
  std::set<std::string> done;
  for (const Action& first : actions_) {
    const std::string name(first.numbers.field.name);
    if (first.numbers.field.kind != kind || !done.insert(name).second) {
      continue;
    }
    // what the numbers are without the parameters
    const auto width =
        static_cast<std::size_t>(first.numbers.field.rows * first.numbers.field.columns);
    std::vector<double> numbers;
    if (kind == FieldKind::model) {
      const std::span<const double> compiled = real_field(model_, name);
      for (std::size_t env = 0; env < values.size(); ++env) {
        numbers.insert(numbers.end(), compiled.begin(), compiled.end());
      }
    } else {
      numbers = batch.read(name);
    }
    for (const Action& action : actions_) {
      if (action.numbers.field.name != name) {
        continue;
      }
      const int together =
          action.change == Change::rotate ? turned_together(action.numbers.field) : 1;
      for (std::size_t env = 0; env < values.size(); ++env) {
        const double value = values[env][action.parameter];
        double* own = numbers.data() + env * width;
        for (std::size_t i = 0; i < action.numbers.offsets.size();
             i += static_cast<std::size_t>(together)) {
          double& number = own[action.numbers.offsets[i]];
          switch (action.change) {
            case Change::set:
              number = value;
              break;
            case Change::scale:
              number *= value;
              break;
            case Change::add:
              number += value;
              break;
            case Change::rotate:
              turn(action.axis, value * std::numbers::pi / 180, together, &number);
              break;
          }
        }
      }
    }
    std::vector<int> envs(values.size());
    for (std::size_t env = 0; env < envs.size(); ++env) {
      envs[env] = static_cast<int>(env);
    }
    batch.write(name, numbers, envs);
  }
}

}  // namespace swept::cli
