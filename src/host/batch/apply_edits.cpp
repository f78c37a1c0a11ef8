// SPDX-License-Identifier: Apache-2.0
// From the edits of a batch to the models of its environments: the compiled model with an
// environment's numbers, everything that follows from them computed again.
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <new>

#include <swept/error.h>

#include "host/batch/impl.h"
#include "host/compile/setconst/set_constants.h"

namespace swept {

namespace {

/// Models that are in memory at the same time.
constexpr std::size_t pool_size = 64;

}  // namespace

const Model& Batch::Impl::slim_model() {
  if (slim_ == nullptr) {
    slim_ = std::make_unique<Model>(model);
    for (std::vector<int>* list : {&slim_->candidate_geom1, &slim_->candidate_geom2,
                                   &slim_->candidate_pairid, &slim_->candidate_kind}) {
      list->clear();
      list->shrink_to_fit();
    }
    slim_->names = {};
    slim_->text.clear();
    slim_->notices.clear();
  }
  return *slim_;
}

void Batch::Impl::make_own_model(int env, OwnModel* own) const {
  own->problem.clear();
  const Edits::Change change = edits.apply(env, &own->model);
  if (change == Edits::Change::none) {
    return;
  }
  // what is wrong in the numbers themselves comes before what follows from them
  own->problem = find_problem(own->model, options.precision);
  if (own->problem.empty() && change == Edits::Change::source) {
    normalize_directions(&own->model);
    compiler::set_constants(own->model);
    own->problem = find_problem(own->model, options.precision);
  }
}

/// Environments of one pool. Those whose model cannot be stepped freeze, on the compiled one.
void Batch::Impl::set_models(std::span<const int> envs, std::vector<OwnModel>* pool) {
  const Model& shared = slim_model();
  tbb::parallel_for(std::size_t{0}, envs.size(), [&](std::size_t k) {
    OwnModel& own = (*pool)[k];
    own.model = shared;
    make_own_model(envs[k], &own);
  });
  std::vector<const Model*> models(envs.size());
  std::vector<std::uint8_t> bad(envs.size());
  for (std::size_t k = 0; k < envs.size(); ++k) {
    bad[k] = !(*pool)[k].problem.empty();
    models[k] = bad[k] != 0 ? &shared : &(*pool)[k].model;
  }
  engine->set_models(shared, envs, models, bad);
}

void Batch::Impl::apply_edits() {
  if (!edits.is_pending()) {
    return;
  }
  finish();
  try {
    std::vector<int> envs = edits.pending();
    if (edits.lost_field()) {
      // start again, so that nothing is kept for fields that are as compiled
      engine->share_model();
      envs = edits.edited_envs();
    }
    std::vector<OwnModel> pool(std::min(pool_size, envs.size()));
    for (std::size_t first = 0; first < envs.size(); first += pool_size) {
      const std::size_t n = std::min(pool_size, envs.size() - first);
      arena_->execute([&] { set_models(std::span(envs).subspan(first, n), &pool); });
    }
  } catch (const std::bad_alloc&) {
    throw Error("memory ended while environments got models of their own",
                "write fewer model fields, or use fewer environments");
  }
  edits.settle();
  for (const std::string& name : shown) {
    engine->show(name, numbers_of(name));
  }
}

bool Batch::Impl::has_own_numbers(std::string_view name) {
  apply_edits();
  return edits.find(name) != nullptr || shown.contains(name) || !engine->own_values(name).empty();
}

std::vector<double> Batch::Impl::numbers_of(std::string_view name) {
  apply_edits();
  if (const EditedField* edited = edits.find(name); edited != nullptr) {
    return edited->values;
  }
  if (std::vector<double> own = engine->own_values(name); !own.empty()) {
    return own;
  }
  const std::vector<double>& compiled = model.*find_rule(name)->values;
  std::vector<double> all;
  all.reserve(compiled.size() * static_cast<std::size_t>(options.nenv));
  for (int env = 0; env < options.nenv; ++env) {
    all.insert(all.end(), compiled.begin(), compiled.end());
  }
  return all;
}

std::size_t estimate_model_bytes(const Model& model, Precision precision, std::string_view field) {
  const EditRule& rule = writable_rule(field);
  const std::size_t real = precision == Precision::f32 ? sizeof(float) : sizeof(double);
  const std::size_t width = (model.*rule.values).size();
  std::size_t numbers = width;
  if (rule.kind == EditKind::source) {
    for (const EditRule& other : edit_rules()) {
      numbers += other.kind == EditKind::derived ? (model.*other.values).size() : 0;
    }
  }
  // what was written is kept on the host, with a flag
  return numbers * real + width * sizeof(double) + 1;
}

}  // namespace swept
