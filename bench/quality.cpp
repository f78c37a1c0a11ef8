// SPDX-License-Identifier: Apache-2.0
// Averages of sampled steps.
#include "bench/quality.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace swept::bench {

namespace {

// fold sample number `n` (1-based) into a running average
void fold(Spread* total, const Spread& sample, int n) {
  total->mean += (sample.mean - total->mean) / n;
  total->p95 += (sample.p95 - total->p95) / n;
  total->max = std::max(total->max, sample.max);
}

}  // namespace

void Quality::add(const Quality& sample) {
  samples += 1;
  fold(&contacts, sample.contacts, samples);
  fold(&rows, sample.rows, samples);
  fold(&iterations, sample.iterations, samples);
  fold(&residual, sample.residual, samples);
  penetration = std::max(penetration, sample.penetration);
  dropped += sample.dropped;
  unstable = std::max(unstable, sample.unstable);
}

Quality quality_of(const Report& report) {
  Quality quality;
  quality.samples = 1;
  quality.contacts = report.contacts;
  quality.rows = report.rows;
  quality.iterations = report.iterations;
  quality.residual = report.residual;
  quality.penetration = report.penetration;
  quality.dropped = report.dropped;
  quality.unstable = report.frozen;
  return quality;
}

Spread spread(std::vector<double> numbers) {
  if (numbers.empty()) {
    return {};
  }
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n)));
  Spread result;
  result.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(n);
  result.p95 = numbers[std::clamp<std::size_t>(rank, 1, n) - 1];
  result.max = numbers.back();
  return result;
}

}  // namespace swept::bench
