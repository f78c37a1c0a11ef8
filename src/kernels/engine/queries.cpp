// SPDX-License-Identifier: Apache-2.0
// Questions to the device and answers from it.
#include "kernels/engine/queries.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace swept::SWEPT_NS {

namespace {

/// Numbers in the precision of the configuration.
std::vector<real> rounded(std::span<const double> values) {
  std::vector<real> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [](double x) { return static_cast<real>(x); });
  return out;
}

/// `count` elements from `first` on, as T.
template <class T, class S>
std::vector<T> read(const Buffer<S>& buffer, std::size_t first, std::size_t count) {
  std::vector<S> raw(count);
  buffer.download(raw.data(), count, first);
  if constexpr (std::is_same_v<T, S>) {
    return raw;
  } else {
    return std::vector<T>(raw.begin(), raw.end());
  }
}

/// A limit that may be infinite, in the precision of the configuration.
real bounded(double limit) {
  constexpr double most = 1e30;  // farther than anything is
  return static_cast<real>(std::min(limit, most));
}

template <class T>
std::size_t missing(const Buffer<T>& buffer, std::size_t count) {
  return count > buffer.size() ? count * sizeof(T) : 0;
}

template <class T>
void make_room(Buffer<T>* buffer, std::size_t count) {
  if (count > buffer->size()) {
    *buffer = Buffer<T>();  // the old one goes first: its content is of no use
    *buffer = Buffer<T>(count);
  }
}

}  // namespace

Queries::Room Queries::room_for(const RaySet& rays) const {
  const std::size_t n = static_cast<std::size_t>(rays.count) * static_cast<std::size_t>(nenv_);
  return {rays.origin.size() + rays.direction.size(), 0, 4 * n, n};
}

Queries::Room Queries::room_for(std::size_t pairs) const {
  return {0, 2 * pairs, 10 * pairs * static_cast<std::size_t>(nenv_), 0};
}

std::size_t Queries::bytes_to_reach(const Room& room) const {
  return missing(input_, room.input) + missing(input_ints_, room.input_ints) +
         missing(output_, room.output) + missing(output_ints_, room.output_ints);
}

std::size_t Queries::bytes_to_ask(const RaySet& rays) const {
  return bytes_to_reach(room_for(rays));
}

std::size_t Queries::bytes_to_ask(std::size_t pairs) const {
  return bytes_to_reach(room_for(pairs));
}

void Queries::reserve(const Room& room) {
  make_room(&input_, room.input);
  make_room(&input_ints_, room.input_ints);
  make_room(&output_, room.output);
  make_room(&output_ints_, room.output_ints);
}

void Queries::ask(const RaySet& rays, const RayOptions& options) {
  reserve(room_for(rays));
  input_.upload(rounded(rays.origin).data(), rays.origin.size());
  input_.upload(rounded(rays.direction).data(), rays.direction.size(), rays.origin.size());

  const long long shared = 3LL * rays.count;
  const auto stride = [shared](std::span<const double> values) {
    return static_cast<long long>(values.size()) == shared ? 0LL : shared;
  };
  const std::size_t n = static_cast<std::size_t>(rays.count) * static_cast<std::size_t>(nenv_);
  rays_ = true;
  ray_ = RayJob{};
  ray_.count = rays.count;
  ray_.origin = input_.data();
  ray_.direction = input_.data() + rays.origin.size();
  ray_.origin_stride = stride(rays.origin);
  ray_.direction_stride = stride(rays.direction);
  ray_.groups = 0;
  for (std::size_t k = 0; k < options.groups.size(); ++k) {
    ray_.groups |= options.groups[k] ? 1 << k : 0;
  }
  ray_.include_static = options.include_static ? 1 : 0;
  ray_.exclude_body = options.exclude_body;
  ray_.cutoff = bounded(options.cutoff);
  ray_.distance = output_.data();
  ray_.normal = output_.data() + n;
  ray_.geom = output_ints_.data();
}

void Queries::ask(std::span<const std::array<int, 2>> pairs, double maxdist) {
  reserve(room_for(pairs.size()));
  std::vector<int> geoms;
  for (const std::array<int, 2>& pair : pairs) {
    geoms.insert(geoms.end(), pair.begin(), pair.end());
  }
  input_ints_.upload(geoms.data(), geoms.size());

  const std::size_t n = pairs.size() * static_cast<std::size_t>(nenv_);
  rays_ = false;
  distance_ = DistanceJob{};
  distance_.count = static_cast<int>(pairs.size());
  distance_.pairs = input_ints_.data();
  distance_.maxdist = bounded(maxdist);
  distance_.distance = output_.data();
  distance_.fromto = output_.data() + n;
  distance_.normal = output_.data() + 7 * n;
}

void Queries::answer(const Context& ctx, const Tile* t, int nenv) const {
  if (rays_) {
    cast_rays(ctx, t, nenv, ray_);
  } else {
    measure_distances(ctx, t, nenv, distance_);
  }
}

void Queries::collect(RayHits* hits) const {
  const std::size_t n = static_cast<std::size_t>(ray_.count) * static_cast<std::size_t>(nenv_);
  hits->count = ray_.count;
  hits->distance = read<double>(output_, 0, n);
  hits->normal = read<double>(output_, n, 3 * n);
  hits->geom = read<int>(output_ints_, 0, n);
}

void Queries::collect(GeomDistances* distances) const {
  const std::size_t n = static_cast<std::size_t>(distance_.count) * static_cast<std::size_t>(nenv_);
  distances->count = distance_.count;
  distances->distance = read<double>(output_, 0, n);
  distances->fromto = read<double>(output_, n, 6 * n);
  distances->normal = read<double>(output_, 7 * n, 3 * n);
}

std::size_t Queries::bytes() const {
  return input_.bytes() + output_.bytes() + input_ints_.bytes() + output_ints_.bytes();
}

}  // namespace swept::SWEPT_NS
