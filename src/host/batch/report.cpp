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
  report.frozen = std::count_if(measures.status.begin(), measures.status.end(),
                                [](int status) { return status != 0; });
  return report;
}

std::string_view describe(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::bad_qpos:
      return "qpos is not finite or above 1e10";
    case Status::bad_qvel:
      return "qvel is not finite or above 1e10";
    case Status::bad_qacc:
      return "qacc is not finite or above 1e10";
    case Status::bad_ctrl:
      return "ctrl is not finite or above 1e10";
    case Status::bad_force:
      return "qfrc_applied or xfrc_applied is not finite or above 1e10";
  }
  return "unknown status";
}

}  // namespace swept
