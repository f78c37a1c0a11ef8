// SPDX-License-Identifier: Apache-2.0
// Where a ray meets a height field: a box from the base up to z = 0, all of whose faces count, and
// on it the field itself, bounded by two triangles per cell on top and by four vertical sides.
//
// The cell of row r and column c has the triangles (r, c), (r, c+1), (r+1, c+1) and (r, c),
// (r+1, c+1), (r+1, c). Columns are walked in the order in which the ray crosses them, and in each
// only the rows that it passes over; the walk ends behind the nearest hit.
#pragma once

#include "kernels/query/grid.h"
#include "kernels/query/ray_triangle.h"

namespace swept::SWEPT_NS {

/// The field as rays see it.
struct RayField {
  Grid grid;
  const Ray& ray;
  RayFrame across;

  /// Cells beyond those that a ray passes over are looked at too, this part of a cell away: more
  /// than what rounding moves it.
  static constexpr real pad = 0.01_r;

  SWEPT_FN void meet_cell(RayHit* hit, int row, int col) const {
    const Vec3<real> low = grid.corner(row, col), high = grid.corner(row + 1, col + 1);
    meet_triangle(hit, ray, across, {low, grid.corner(row, col + 1), high});
    meet_triangle(hit, ray, across, {low, high, grid.corner(row + 1, col)});
  }

  /// The part of the ray over a column of cells, a little more.
  SWEPT_FN Interval over_column(int col) const {
    const real half = (0.5_r + pad) * grid.width_x();
    const real middle = (static_cast<real>(col) + 0.5_r) * grid.width_x() - grid.h.size[0];
    return slab(ray.p.x - middle, ray.u.x, half);
  }

  /// The surface, of which the ray is over the part `over`.
  SWEPT_FN void meet_surface(RayHit* hit, Interval over) const {
    const auto place_x = [&](real s) { return grid.place_x(ray.p.x + s * ray.u.x); };
    const auto place_y = [&](real s) { return grid.place_y(ray.p.y + s * ray.u.y); };
    const real x0 = place_x(over.in), x1 = place_x(over.out);
    const int first = grid.column(min(x0, x1) - pad), last = grid.column(max(x0, x1) + pad);
    for (int i = 0; i <= last - first; ++i) {
      const int col = ray.u.x < 0 ? last - i : first + i;
      const Interval part = common_part(over, over_column(col));
      if (!is_empty(part) && part.in > hit->at) {
        return;
      }
      // a column at the border is looked at even where rounding leaves nothing of it
      const Interval rows = is_empty(part) ? over : part;
      const real y0 = place_y(rows.in), y1 = place_y(rows.out);
      const int top = grid.row(max(y0, y1) + pad);
      for (int row = grid.row(min(y0, y1) - pad); row <= top; ++row) {
        meet_cell(hit, row, col);
      }
    }
  }

  /// Height [m] of the surface over the border, at a place on its axis; `place` in cells.
  SWEPT_FN real border(bool along_y, bool upper, real place) const {
    const HfieldShape& h = grid.h;
    const int i = along_y ? grid.row(place) : grid.column(place);
    const int fixed = upper ? (along_y ? h.ncol : h.nrow) - 1 : 0;
    const real t = place - static_cast<real>(i);
    const real a = along_y ? h.height(i, fixed) : h.height(fixed, i);
    const real b = along_y ? h.height(i + 1, fixed) : h.height(fixed, i + 1);
    return a * (1_r - t) + b * t;
  }

  /// One of the vertical sides: x = size (along_y) or y = size, or minus that.
  SWEPT_FN void meet_side(RayHit* hit, bool along_y, bool upper) const {
    const real out = upper ? 1_r : -1_r;
    const real u = along_y ? ray.u.x : ray.u.y, p = along_y ? ray.p.x : ray.p.y;
    if (!(abs(u) > 1e-15_r)) {
      return;
    }
    const real s = (out * grid.h.size[along_y ? 0 : 1] - p) / u;
    const real z = ray.p.z + s * ray.u.z;
    const real across_half = grid.h.size[along_y ? 1 : 0];
    const real w = along_y ? ray.p.y + s * ray.u.y : ray.p.x + s * ray.u.x;
    if (!(s >= ray.first && s < hit->at && z >= 0 && abs(w) <= across_half)) {
      return;
    }
    if (z <= border(along_y, upper, along_y ? grid.place_y(w) : grid.place_x(w))) {
      hit->at = s;
      hit->normal = along_y ? Vec3<real>{out, 0, 0} : Vec3<real>{0, out, 0};
    }
  }
};

/// The nearest hit of a height field.
///   ray   in the frame of the geom
SWEPT_FN RayHit ray_hfield(const HfieldShape& h, const Ray& ray) {
  // the base
  const real depth = 0.5_r * h.size[3];
  RayHit hit = ray_box({{ray.p.x, ray.p.y, ray.p.z + depth}, ray.u, ray.first},
                       {h.size[0], h.size[1], depth});

  // the part of the line inside the box of the field
  const real tall = 0.5_r * h.size[2];
  const Interval x = slab(ray.p.x, ray.u.x, h.size[0]), y = slab(ray.p.y, ray.u.y, h.size[1]),
                 z = slab(ray.p.z - tall, ray.u.z, tall);
  if (h.nrow < 2 || h.ncol < 2 || is_empty(x) || is_empty(y) || is_empty(z)) {
    return hit;
  }
  Interval over = common_part(x, common_part(y, z));
  if (is_empty(over) || !(over.out >= ray.first)) {
    return hit;
  }
  over.in = max(over.in, ray.first);

  const RayField field = {{h}, ray, frame_across(ray.u)};
  field.meet_surface(&hit, over);
  for (int side = 0; side < 4; ++side) {
    field.meet_side(&hit, side < 2, side % 2 != 0);
  }
  return hit;
}

}  // namespace swept::SWEPT_NS
