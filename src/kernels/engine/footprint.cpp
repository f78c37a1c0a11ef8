// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a batch's memory, and the search for what fits.
#include "kernels/engine/footprint.h"

#include <algorithm>

#include "kernels/engine/measures.h"
#include "kernels/engine/model_upload.h"
#include "kernels/engine/state.h"
#include "kernels/engine/worker.h"

namespace swept::SWEPT_NS {

namespace {

std::size_t model_bytes(const Model& model) {
  std::size_t bytes = 0;
#define SWEPT_MODEL_INT(name, rows, cols, meaning) bytes += model.name.size() * sizeof(int);
#define SWEPT_MODEL_REAL(name, rows, cols, unit, meaning) bytes += model.name.size() * sizeof(real);
#include <swept/fields/model.def>
#undef SWEPT_MODEL_INT
#undef SWEPT_MODEL_REAL
  return bytes;
}

}  // namespace

int tile_size(const EngineOptions& options, int nenv) {
  const int wanted = options.tile > 0 ? options.tile : (memory_on_device ? nenv : W);
  return (std::min(wanted, nenv) + W - 1) / W * W;
}

Footprint::Footprint(const Model& model, const EngineOptions& options)
    : sizes_(model),
      layout_(make_layout(scratch_sizes(model))),
      options_(options),
      start_(estimate_capacity(model, options.capacity)),
      one_(estimate_capacity(model, {1, 1, 0, 0})),
      two_(estimate_capacity(model, {1, 2, 0, 0})),
      fixed_(model_bytes(model)),
      env_(2 * state_bytes_per_env(model) + Measures::bytes_per_env()) {}

std::size_t Footprint::scratch_bytes(const Capacity& capacity) const {
  return scratch_bytes_per_env(sizes_, layout_, capacity);
}

/// Environments that are in a tile at the same time, inert lanes included.
std::size_t Footprint::slots(int nenv) const {
  const int tile = tile_size(options_, nenv);
  const int tiles = (nenv + tile - 1) / tile;
  return static_cast<std::size_t>(std::max(1, std::min(options_.workers, tiles))) *
         static_cast<std::size_t>(tile);
}

std::size_t Footprint::held(int nenv, const Capacity& capacity, std::size_t extra) const {
  return fixed_ + static_cast<std::size_t>(nenv) * (env_ + extra) +
         slots(nenv) * scratch_bytes(capacity);
}

std::size_t Footprint::peak(int nenv, const Capacity& capacity, std::size_t extra) const {
  // buffers of one kind grow together: those of the kind that is largest count
  std::size_t largest = 0;
  const std::size_t all = scratch_bytes(capacity);
  for (const auto kind : {&Capacity::pairs, &Capacity::slots, &Capacity::fast, &Capacity::contacts,
                          &Capacity::rows, &Capacity::nonzeros}) {
    if (capacity.*kind > start_.*kind) {
      Capacity without = capacity;
      without.*kind = 0;
      largest = std::max(largest, all - scratch_bytes(without));
    }
  }
  // bound lists grow one at a time; all of `extra` is more than any of them
  const std::size_t lists = largest > 0 ? static_cast<std::size_t>(nenv) * extra : 0;
  return held(nenv, capacity, extra) + (slots(nenv) * largest + lists) / 5 * 4;
}

Capacity Footprint::foreseen(const Capacity& wanted) const {
  Capacity all = wanted;
  if (wanted.contacts > start_.contacts) {
    for (const auto kind : {&Capacity::rows, &Capacity::nonzeros}) {
      const int usual = one_.*kind + (wanted.contacts - 1) * (two_.*kind - one_.*kind);
      all.*kind = std::max(all.*kind, usual);
    }
  }
  return all;
}

int Footprint::largest(std::size_t room, const Capacity& capacity, std::size_t extra,
                       int most) const {
  // the peak rises with the number of environments
  int fits = 0;
  for (int over = most + 1; over - fits > 1;) {
    const int middle = fits + (over - fits) / 2;
    (peak(middle, capacity, extra) <= room ? fits : over) = middle;
  }
  return fits;
}

}  // namespace swept::SWEPT_NS
