// SPDX-License-Identifier: Apache-2.0
// Summary of the measures of a step, memory estimates, and sentences for a status.
#include "host/batch/report.h"

#include <algorithm>
#include <numeric>

namespace swept {

namespace {

template <class T>
Spread spread(std::vector<T> values) {
  if (values.empty()) {
    return {};
  }
  std::sort(values.begin(), values.end());
  Spread s;
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  s.p95 = static_cast<double>(values[(values.size() - 1) * 95 / 100]);
  s.max = static_cast<double>(values.back());
  return s;
}

}  // namespace

Report summarize(const EngineReport& measures) {
  Report report;
  report.contacts = spread(measures.contacts);
  report.rows = spread(measures.rows);
  report.iterations = spread(measures.iterations);
  report.residual = spread(measures.residual);
  report.penetration =
      measures.penetration.empty()
          ? 0
          : *std::max_element(measures.penetration.begin(), measures.penetration.end());
  report.resets = std::accumulate(measures.resets.begin(), measures.resets.end(), std::int64_t{0});
  for (std::size_t i = 0; i < measures.speculative.size(); ++i) {
    report.speculative[i % speculative_counters] += measures.speculative[i];
  }
  report.frozen = std::count_if(measures.status.begin(), measures.status.end(),
                                [](int status) { return status != 0; });
  return report;
}

std::string_view quantity(Status status) {
  switch (status) {
    case Status::ok:
      return "";
    case Status::bad_qpos:
    case Status::diverged_qpos:
      return "qpos";
    case Status::bad_qvel:
    case Status::diverged_qvel:
      return "qvel";
    case Status::bad_act:
    case Status::diverged_act:
      return "act";
    case Status::diverged_qacc:
      return "qacc";
    case Status::bad_ctrl:
      return "ctrl";
    case Status::bad_qfrc_applied:
      return "qfrc_applied";
    case Status::bad_xfrc_applied:
      return "xfrc_applied";
    case Status::bad_mocap_pos:
      return "mocap_pos";
    case Status::bad_mocap_quat:
      return "mocap_quat";
    case Status::bad_qacc_warmstart:
      return "qacc_warmstart";
    case Status::bad_time:
      return "time";
    case Status::bad_model:
      return "model";
  }
  return "";
}

#define SWEPT_WRITTEN(name) \
#name " was written with a number that is not finite or above 1e10; the state is as written"
#define SWEPT_COMPUTED(name) \
#name " became not finite or above 1e10 in a step; the state is the one before that step"

std::string_view describe(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::bad_qpos:
      return SWEPT_WRITTEN(qpos);
    case Status::bad_qvel:
      return SWEPT_WRITTEN(qvel);
    case Status::bad_act:
      return SWEPT_WRITTEN(act);
    case Status::bad_ctrl:
      return SWEPT_WRITTEN(ctrl);
    case Status::bad_qfrc_applied:
      return SWEPT_WRITTEN(qfrc_applied);
    case Status::bad_xfrc_applied:
      return SWEPT_WRITTEN(xfrc_applied);
    case Status::bad_mocap_pos:
      return SWEPT_WRITTEN(mocap_pos);
    case Status::bad_mocap_quat:
      return SWEPT_WRITTEN(mocap_quat);
    case Status::bad_qacc_warmstart:
      return SWEPT_WRITTEN(qacc_warmstart);
    case Status::bad_time:
      return SWEPT_WRITTEN(time);
    case Status::bad_model:
      return "a model field was written with numbers that no model can have; the state is as it "
             "was";
    case Status::diverged_qacc:
      return SWEPT_COMPUTED(qacc);
    case Status::diverged_qvel:
      return SWEPT_COMPUTED(qvel);
    case Status::diverged_qpos:
      return SWEPT_COMPUTED(qpos);
    case Status::diverged_act:
      return SWEPT_COMPUTED(act);
  }
  return "unknown status";
}

#undef SWEPT_WRITTEN
#undef SWEPT_COMPUTED

}  // namespace swept
