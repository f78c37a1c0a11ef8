// SPDX-License-Identifier: Apache-2.0
// Arrays of models that differ between environments; see the header.
#include "kernels/engine/own_models.h"

#include <algorithm>

namespace swept::SWEPT_NS {

/// A real field of the model, or an integer field that follows from real ones.
struct OwnModels::Field {
  template <class T, class Owner>
  using Member = T Owner::*;

  std::string_view name;
  Member<std::vector<double>, Model> reals;  ///< or
  Member<std::vector<int>, Model> ints;      ///< or, if both are null, whether damping is implicit
  Member<Param, ModelView> place;
};

const std::vector<OwnModels::Field>& OwnModels::fields() {
  static const std::vector<Field> table = {
#define SWEPT_MODEL_INT(name, rows, cols, meaning)
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) \
  {#name, &Model::name, nullptr, &ModelView::name},
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
      {"own_body_sameframe", nullptr, &Model::body_sameframe, &ModelView::own_body_sameframe},
      {"own_geom_sameframe", nullptr, &Model::geom_sameframe, &ModelView::own_geom_sameframe},
      {"own_site_sameframe", nullptr, &Model::site_sameframe, &ModelView::own_site_sameframe},
      {"own_dof_simplenum", nullptr, &Model::dof_simplenum, &ModelView::own_dof_simplenum},
      {"own_implicit_damping", nullptr, nullptr, &ModelView::own_implicit_damping},
  };
  return table;
}

void OwnModels::numbers(const Field& field, const Model& model, std::vector<real>* out) {
  out->clear();
  if (field.reals != nullptr) {
    for (const double x : model.*field.reals) {
      out->push_back(static_cast<real>(x));
    }
  } else if (field.ints != nullptr) {
    for (const int x : model.*field.ints) {
      out->push_back(static_cast<real>(x));
    }
  } else {
    out->push_back(has_implicit_damping(model) ? 1 : 0);
  }
}

bool OwnModels::differs(const Field& field, const Model& shared,
                        std::span<const Model* const> models) const {
  const auto any = [&](const auto& same) {
    return !std::all_of(models.begin(), models.end(), [&](const Model* m) { return same(*m); });
  };
  if (field.reals != nullptr) {
    return any([&](const Model& m) { return m.*field.reals == shared.*field.reals; });
  }
  if (field.ints != nullptr) {
    return any([&](const Model& m) { return m.*field.ints == shared.*field.ints; });
  }
  const bool implicit = has_implicit_damping(shared);
  return any([&](const Model& m) { return has_implicit_damping(m) == implicit; });
}

void OwnModels::set(const Model& shared, std::span<const int> envs,
                    std::span<const Model* const> models, std::span<const std::uint8_t> bad) {
  for (const Field& field : fields()) {
    if (packs_.contains(field.name) || differs(field, shared, models)) {
      set_field(field, shared, envs, models);
    }
  }
  set_lenders(shared, models);
  set_bad(envs, bad);
}

std::size_t OwnModels::bytes_to_set(const Model& shared,
                                    std::span<const Model* const> models) const {
  std::size_t numbers = 0;
  for (const Field& field : fields()) {
    if (!packs_.contains(field.name) && differs(field, shared, models)) {
      numbers += field.reals != nullptr  ? (shared.*field.reals).size()
                 : field.ints != nullptr ? (shared.*field.ints).size()
                                         : 1;
    }
  }
  return numbers * slots() * sizeof(real) * (memory_on_device ? 2 : 1);
}

void OwnModels::set_field(const Field& field, const Model& shared, std::span<const int> envs,
                          std::span<const Model* const> models) {
  std::vector<real> row;
  const auto write = [&](const Packs& packs, real* all, std::size_t env) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      all[(env / W * static_cast<std::size_t>(packs.n) + i) * W + env % W] = row[i];
    }
  };
  const auto host = [](Packs& packs) {
    return memory_on_device ? packs.staged.data() : packs.device.data();
  };

  // a new one starts as all environments had it; lanes beyond the last environment keep that
  auto found = packs_.find(field.name);
  if (found == packs_.end()) {
    numbers(field, shared, &row);
    Packs made;
    made.n = static_cast<int>(row.size());
    made.device = Buffer<real>(slots() * row.size());
    made.staged.resize(memory_on_device ? slots() * row.size() : 0);
    for (std::size_t env = 0; env < slots(); ++env) {
      write(made, host(made), env);
    }
    found = packs_.emplace(field.name, std::move(made)).first;
    view_.*field.place = Param{found->second.device.data(), found->second.n};
  }
  Packs& packs = found->second;
  for (std::size_t k = 0; k < envs.size(); ++k) {
    numbers(field, *models[k], &row);
    write(packs, host(packs), static_cast<std::size_t>(envs[k]));
  }
  if (memory_on_device) {
    packs.device.upload(packs.staged.data(), packs.staged.size());
  }
}

void OwnModels::set_lenders(const Model& shared, std::span<const Model* const> models) {
  std::vector<int> agreed = lenders_;
  if (agreed.empty()) {
    agreed = shared.jnt_actuatorid;
    agreed.insert(agreed.end(), shared.tendon_actuatorid.begin(), shared.tendon_actuatorid.end());
  }
  const std::vector<int> before = agreed;
  const std::size_t njnt = shared.jnt_actuatorid.size();
  for (const Model* m : models) {
    for (std::size_t i = 0; i < agreed.size(); ++i) {
      const int lender = i < njnt ? m->jnt_actuatorid[i] : m->tendon_actuatorid[i - njnt];
      agreed[i] = agreed[i] == lender ? lender : -2;
    }
  }
  if (agreed == before) {
    return;
  }
  if (lenders_device_.data() == nullptr) {
    lenders_device_ = Buffer<int>(agreed.size());
  }
  lenders_device_.upload(agreed.data(), agreed.size());
  lenders_ = std::move(agreed);
  view_.jnt_actuatorid = lenders_device_.data();
  view_.tendon_actuatorid = lenders_device_.data() + njnt;
}

void OwnModels::set_bad(std::span<const int> envs, std::span<const std::uint8_t> bad) {
  const bool any = std::any_of(bad.begin(), bad.end(), [](std::uint8_t b) { return b != 0; });
  if (!any && bad_.empty()) {
    return;
  }
  if (bad_.empty()) {
    bad_device_ = Buffer<int>(slots());
    bad_.assign(slots(), 0);
    view_.bad_model = bad_device_.data();
  }
  for (std::size_t k = 0; k < envs.size(); ++k) {
    bad_[static_cast<std::size_t>(envs[k])] = bad[k];
  }
  bad_device_.upload(bad_.data(), bad_.size());
}

void OwnModels::clear(const UploadedModel& shared) {
  view_ = shared.view;
  packs_.clear();
  lenders_.clear();
  lenders_device_ = Buffer<int>();
  bad_.clear();
  bad_device_ = Buffer<int>();
}

std::vector<double> OwnModels::values(std::string_view name) const {
  const auto found = packs_.find(name);
  if (found == packs_.end()) {
    return {};
  }
  const Packs& packs = found->second;
  const real* all = memory_on_device ? packs.staged.data() : packs.device.data();
  const std::size_t n = static_cast<std::size_t>(packs.n);
  std::vector<double> values(static_cast<std::size_t>(nenv_) * n);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t env = k / n, i = k % n;
    values[k] = static_cast<double>(all[(env / W * n + i) * W + env % W]);
  }
  return values;
}

const real* OwnModels::show(std::string_view name, std::span<const double> values) {
  Buffer<real>& shown = shown_[std::string(name)];
  if (shown.data() == nullptr) {
    shown = Buffer<real>(std::max<std::size_t>(values.size(), 1));
  }
  std::vector<real> converted(values.size());
  std::transform(values.begin(), values.end(), converted.begin(),
                 [](double x) { return static_cast<real>(x); });
  shown.upload(converted.data(), converted.size());
  return shown.data();
}

std::size_t OwnModels::bytes() const {
  std::size_t bytes = lenders_device_.bytes() + bad_device_.bytes();
  for (const auto& [name, packs] : packs_) {
    bytes += packs.device.bytes() + packs.staged.size() * sizeof(real);
  }
  for (const auto& [name, shown] : shown_) {
    bytes += shown.bytes();
  }
  return bytes;
}

}  // namespace swept::SWEPT_NS
