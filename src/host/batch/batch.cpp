// SPDX-License-Identifier: Apache-2.0
// The calls of the public interface.
#include <swept/batch.h>

#include <algorithm>

#include <swept/error.h>

#include "host/batch/impl.h"
#include "host/batch/report.h"

namespace swept {

Batch::Batch(const Model& model, const BatchOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::nenv() const {
  return impl_->options.nenv;
}
const Model& Batch::model() const {
  return impl_->model;
}
const BatchOptions& Batch::options() const {
  return impl_->options;
}
std::string Batch::backend() const {
  return impl_->engine->name();
}
int Batch::lanes() const {
  return impl_->engine->lanes();
}
std::int64_t Batch::steps_done() const {
  return impl_->steps_done;
}

void Batch::step(int n) {
  if (n < 0) {
    throw Error("step(" + std::to_string(n) + ")", "the number of steps must not be negative");
  }
  impl_->step(n);
}

void Batch::forward() {
  impl_->run(impl_->forward_calls, 1, false);
}

void Batch::sync() {
  impl_->finish();
}

void Batch::reset(int keyframe) {
  reset({}, keyframe);
}

void Batch::reset(std::span<const std::uint8_t> mask, int keyframe) {
  if (!mask.empty() && mask.size() != static_cast<std::size_t>(nenv())) {
    throw Error("the mask of reset has " + std::to_string(mask.size()) + " entries",
                "give one per environment, " + std::to_string(nenv()));
  }
  if (keyframe < -1 || keyframe >= impl_->model.nkey) {
    throw Error("keyframe " + std::to_string(keyframe) + " does not exist",
                impl_->model.nkey == 0 ? "the model has none"
                                       : "use 0 to " + std::to_string(impl_->model.nkey - 1) +
                                             ", or -1 for the default state");
  }
  impl_->finish();
  impl_->apply_edits();
  impl_->engine->reset(mask, keyframe);
}

Status Batch::status(int env) {
  return static_cast<Status>(static_cast<int>(read("status")[static_cast<std::size_t>(env)]));
}

std::int64_t Batch::status_step(int env) {
  return static_cast<std::int64_t>(read("status_step")[static_cast<std::size_t>(env)]);
}

Report Batch::report() {
  impl_->finish();
  Report report = summarize(impl_->engine->report());
  report.kernels = impl_->engine->program_kernels();
  report.growths = impl_->growths;
  report.capacity = impl_->engine->capacity();
  report.state_bytes = impl_->engine->state_bytes();
  report.scratch_bytes = impl_->engine->scratch_bytes();
  report.model_bytes = impl_->engine->model_bytes() + impl_->edits.bytes();
  report.total_bytes = impl_->engine->total_bytes() + impl_->edits.bytes();
  return report;
}

void Batch::profile(bool on) {
  impl_->engine->profile(on);
}

std::vector<ProfileEntry> Batch::profile_entries() const {
  return impl_->engine->profile_entries();
}

}  // namespace swept
