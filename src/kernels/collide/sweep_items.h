// SPDX-License-Identifier: Apache-2.0
// What a sweep sorts: items (a moving body, or one geom) with bounds along three axes, the first of
// them the principal axis of the geoms' centres, and a key that says where an item stands.
//
//   axes      the eigenvector of the largest eigenvalue of the covariance of the centres, by
//             squaring the matrix, and any two perpendicular to it
//   bounds    of every geom that collides: centre +- (rbound + |margin| + |gap|), a few roundings
//             wider, so that what the bounding test lets pass overlaps here too
//   columns   the two other axes are cut into cells of one size, which wrap around; an item that is
//             no larger than three quarters of a cell, in all directions, stands in the column of
//             its centre, and touches none but itself and the eight around it. Larger items stand
//             in one column of their own.
//   key       column, and a step function of the lower bound along the first axis
//
// Which axes and cells there are changes how long a sweep takes, and never what it finds.
#pragma once

#include "kernels/base/bits.h"
#include "kernels/base/group.h"
#include "kernels/collide/radix.h"
#include "kernels/math/frame.h"

namespace swept::SWEPT_NS {

/// Relative widening of bounds: a few dozen roundings.
constexpr real sweep_slack = is_f32 ? 4e-6_r : 8e-15_r;
/// Bits of the place along the first axis in a key.
constexpr int place_bits = 19;
constexpr int most_columns = 4096;

/// A sweep of one environment.
struct Sweep {
  int n;           ///< items
  real* box;       ///< [6][n] lower and upper bound along the axes, in turn
  real* sums;      ///< [parts][sums]
  Record* record;  ///< [n] key and item
  Record* spare;   ///< [n]
  int* start;  ///< [columns + 2] first record of each column; then those of large items; the end
  int* counters;
  // the same in all lanes
  Vec3<real> origin;
  Vec3<real> axis[3];
  real spread = 1;  ///< [m] standard deviation of the centres along the first axis, not 0
  real cell = 1;    ///< [m]
  int side = 1;     ///< cells along each of the other axes, a power of two

  SWEPT_FN real low(int k, int item) const { return box[2 * k * n + item]; }
  SWEPT_FN real high(int k, int item) const { return box[(2 * k + 1) * n + item]; }
  SWEPT_FN int columns() const { return side * side; }
};

/// For how long bounds hold: now; in the whole step, if geoms go straight on at their present
/// velocity; in the whole step, if they go along the arcs that the new velocity leads to.
enum class Along { nowhere, line, arcs };

/// The memory of an environment's sweep.
SWEPT_FN Sweep sweep_at(const Tile& t, int env) {
  Sweep s;
  s.n = t.model.nsweep;
  s.box = t.sweep.box + env * SweepView::box_reals(s.n);
  s.sums = s.box + 6LL * s.n;
  // the counters of all environments stand behind the rest
  const long long environments = static_cast<long long>(t.nblocks) * W, own = 5LL * s.n + 2;
  int* const ints = t.sweep.item + env * own;
  s.record = reinterpret_cast<Record*>(ints);
  s.spare = s.record + s.n;
  s.start = ints + 4LL * s.n;
  s.counters = t.sweep.item + environments * own +
               env * static_cast<long long>(SweepView::digit_values * SweepView::most_lanes);
  return s;
}

/// Whether a geom collides by its bits.
SWEPT_FN bool has_bits(const ModelAt<real>& m, int geom) {
  return m.geom_contype(geom) != 0 || m.geom_conaffinity(geom) != 0;
}

/// One eigenvector of the largest eigenvalue of a symmetric matrix that is not negative; x if it is
/// 0 or not finite.
SWEPT_FN Vec3<real> principal_axis(Mat3<real> c) {
  for (int k = 0; k < 5; ++k) {
    const real trace = c.xx + c.yy + c.zz;
    if (!(trace > 0_r) || !is_finite(trace)) {
      return {1_r, 0_r, 0_r};
    }
    const real s = 1_r / trace;
    const Vec3<real> x = Vec3<real>{c.xx, c.xy, c.xz} * s, y = Vec3<real>{c.xy, c.yy, c.yz} * s,
                     z = Vec3<real>{c.xz, c.yz, c.zz} * s;
    c = {dot(x, x), dot(x, y), dot(x, z), dot(x, y), dot(y, y),
         dot(y, z), dot(x, z), dot(y, z), dot(z, z)};
  }
  const Vec3<real> x = {c.xx, c.xy, c.xz}, y = {c.xy, c.yy, c.yz}, z = {c.xz, c.yz, c.zz};
  const Vec3<real> largest = c.xx >= c.yy && c.xx >= c.zz ? x : (c.yy >= c.zz ? y : z);
  const real length = norm(largest);
  return length > 0_r && is_finite(length) ? largest * (1_r / length) : Vec3<real>{1_r, 0_r, 0_r};
}

/// Origin, axes and spread. Sums are of 32 parts whatever the group, so they depend on no lane.
SWEPT_FN void find_axes(const Group auto g, const ModelAt<real>& m, const DataAt<real>& d,
                        Sweep* s) {
  s->origin = vec3(d.geom_xpos(3 * m.sweep_geomadr(0)));
  if (!is_finite(s->origin.x + s->origin.y + s->origin.z)) {
    s->origin = {0_r, 0_r, 0_r};
  }
  constexpr int parts = SweepView::sum_parts, sums = SweepView::sums;
  for (int part = g.lane(); part < parts; part += g.size()) {
    real sum[sums] = {};
    const int first = static_cast<int>(static_cast<long long>(s->n) * part / parts);
    const int last = static_cast<int>(static_cast<long long>(s->n) * (part + 1) / parts);
    for (int i = first; i < last; ++i) {
      const Vec3<real> x = vec3(d.geom_xpos(3 * m.sweep_geomadr(i))) - s->origin;
      if (is_finite(dot(x, x))) {
        const real terms[sums] = {1_r,       x.x,       x.y,       x.z,       x.x * x.x,
                                  x.y * x.y, x.z * x.z, x.x * x.y, x.x * x.z, x.y * x.z};
        for (int k = 0; k < sums; ++k) {
          sum[k] += terms[k];
        }
      }
    }
    for (int k = 0; k < sums; ++k) {
      s->sums[part * sums + k] = sum[k];
    }
  }
  g.sync();
  real sum[sums] = {};
  for (int part = 0; part < parts; ++part) {
    for (int k = 0; k < sums; ++k) {
      sum[k] += s->sums[part * sums + k];
    }
  }
  const real each = 1_r / max(sum[0], 1_r);
  const Vec3<real> mean = Vec3<real>{sum[1], sum[2], sum[3]} * each;
  const real xx = sum[4] * each - mean.x * mean.x, yy = sum[5] * each - mean.y * mean.y,
             zz = sum[6] * each - mean.z * mean.z, xy = sum[7] * each - mean.x * mean.y,
             xz = sum[8] * each - mean.x * mean.z, yz = sum[9] * each - mean.y * mean.z;
  const Mat3<real> frame =
      make_frame(principal_axis({xx, xy, xz, xy, yy, yz, xz, yz, zz}), zero3<real>());
  s->axis[0] = {frame.xx, frame.xy, frame.xz};
  s->axis[1] = {frame.yx, frame.yy, frame.yz};
  s->axis[2] = {frame.zx, frame.zy, frame.zz};
  if (is_finite(mean.x + mean.y + mean.z)) {
    s->origin = s->origin + mean;
  }
  const Vec3<real> a = s->axis[0];
  const real variance = xx * a.x * a.x + yy * a.y * a.y + zz * a.z * a.z +
                        2_r * (xy * a.x * a.y + xz * a.x * a.z + yz * a.y * a.z);
  s->spread = variance > 0_r && is_finite(variance) ? sqrt(variance) : 1_r;
}

/// The bounds of all items; one without a geom that collides and is finite has none (low > high).
SWEPT_FN void find_bounds(const Group auto g, const ModelAt<real>& m, const DataAt<real>& d,
                          const Sweep& s, Along along) {
  for (int i = g.lane(); i < s.n; i += g.size()) {
    real low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
    const int first = m.sweep_geomadr(i), last = first + m.sweep_geomnum(i);
    for (int geom = first; geom < last; ++geom) {
      if (!has_bits(m, geom)) {
        continue;
      }
      const Vec3<real> x = vec3(d.geom_xpos(3 * geom)) - s.origin;
      const real reach =
          m.geom_rbound(geom) + abs(real(m.geom_margin(geom))) + abs(real(m.geom_gap(geom)));
      if (!is_finite(x.x + x.y + x.z) || !(reach >= 0_r)) {
        continue;
      }
      const real far = abs(x.x) + abs(x.y) + abs(x.z);
      const real wide = reach + sweep_slack * (reach + far);
      const Vec3<real> way = along == Along::line ? vec3(d.geom_dx(3 * geom)) : zero3<real>();
      const real travel = along == Along::arcs ? d.geom_travel(geom).get() : 0_r;
      for (int k = 0; k < 3; ++k) {
        const real c = dot(s.axis[k], x), part = dot(s.axis[k], way);
        const real more = wide + (1_r + sweep_slack) * travel + sweep_slack * abs(part);
        low[k] = min(low[k], c + min(part, 0_r) - more);
        high[k] = max(high[k], c + max(part, 0_r) + more);
      }
    }
    for (int k = 0; k < 3; ++k) {
      s.box[2 * k * s.n + i] = low[k];
      s.box[(2 * k + 1) * s.n + i] = high[k];
    }
  }
  g.sync();
}

/// The largest side of an item's bounds [m].
SWEPT_FN real extent(const Sweep& s, int item) {
  real largest = 0_r;
  for (int k = 0; k < 3; ++k) {
    largest = max(largest, s.high(k, item) - s.low(k, item));
  }
  return largest;
}

/// The size of the cells, from the mean and the deviation of the exponents of the extents, and how
/// many there are.
SWEPT_FN void find_cells(const Group auto g, Sweep* s) {
  int count = 0, sum = 0, squares = 0;
  for (int i = g.lane(); i < s->n; i += g.size()) {
    const real size = extent(*s, i);
    if (size > 1e-15_r && size < 1e15_r) {
      const int exponent = static_cast<int>(bits_of(size) >> mantissa_bits) - exponent_bias;
      ++count, sum += exponent, squares += exponent * exponent;
    }
  }
  count = g.sum(count), sum = g.sum(sum), squares = g.sum(squares);
  const real each = 1_r / static_cast<real>(count > 0 ? count : 1);
  const real mean = static_cast<real>(sum) * each;
  const real variance = static_cast<real>(squares) * each - mean * mean;
  const real usual = round_to_integer(mean + sqrt(max(variance, 0_r)));
  // items of this exponent are below 2^(exponent + 1), three quarters of a cell
  s->cell = power_of_two(usual + 1_r) * (4_r / 3_r);
  s->side = 1;
  while (4 * s->side * s->side <= s->n && 4 * s->side * s->side <= most_columns) {
    s->side *= 2;
  }
}

/// The cell along one of the other axes, not wrapped.
SWEPT_FN int cell_of(const Sweep& s, real x) {
  // far out all items share the last cell, where a cell is many roundings still
  const real last = 1048576_r;
  const real c = min(max(x / s.cell, -last), last);
  const int whole = static_cast<int>(c);
  return static_cast<real>(whole) > c ? whole - 1 : whole;
}

/// The number of the column of two cells.
SWEPT_FN int column_of(const Sweep& s, int u, int v) {
  return (u & (s.side - 1)) * s.side + (v & (s.side - 1));
}

/// A step function of a place along the first axis, 1 .. 2^place_bits - 2. It never falls, but for
/// roundings, which change it by one at the most.
SWEPT_FN int place_of_bound(const Sweep& s, real x) {
  const real t = min(max(x / (4_r * s.spread), -1e6_r), 1e6_r);
  constexpr int half = 1 << (place_bits - 1);
  return half + static_cast<int>(t / (1_r + abs(t)) * static_cast<real>(half - 2));
}

/// Whether an item is small enough for the columns.
SWEPT_FN bool is_small(const Sweep& s, int item) {
  return extent(s, item) <= 0.75_r * s.cell;
}

/// Sort the items by column and place, and find the starts of the columns.
SWEPT_FN void sort_items(const Group auto g, Sweep* s) {
  const int large = s->columns(), none = large + 1;
  for (int i = g.lane(); i < s->n; i += g.size()) {
    int column = large;
    if (!(s->low(0, i) <= s->high(0, i))) {
      column = none;
    } else if (is_small(*s, i)) {
      column = column_of(*s, cell_of(*s, 0.5_r * (s->low(1, i) + s->high(1, i))),
                         cell_of(*s, 0.5_r * (s->low(2, i) + s->high(2, i))));
    }
    const int place = column == none ? 0 : place_of_bound(*s, s->low(0, i));
    s->record[i] = {static_cast<int>(static_cast<unsigned>(column) << place_bits |
                                     static_cast<unsigned>(place)),
                    i};
  }
  g.sync();
  RadixRoom room = {s->record, s->spare, s->counters};
  sort_by(
      g, &room, s->n, [](const Record& r) { return static_cast<unsigned>(r.a); },
      place_bits + bits_below(none + 1));
  s->record = room.from;
  s->spare = room.to;

  // record p is the first of all columns after that of the record before it
  const auto column = [&](int p) {
    return p < s->n ? static_cast<int>(static_cast<unsigned>(s->record[p].a) >> place_bits) : none;
  };
  for (int p = g.lane(); p <= s->n; p += g.size()) {
    for (int c = p == 0 ? 0 : column(p - 1) + 1; c <= column(p); ++c) {
      s->start[c] = p;
    }
  }
  g.sync();
}

}  // namespace swept::SWEPT_NS
