// SPDX-License-Identifier: Apache-2.0
// A ray against all geoms of an environment: the nearest hit, as the official library's mj_ray
// finds it.
//
// The line is moved along itself, for every geom, to the point nearest to the geom's centre: all
// further arithmetic is as large as the geom, however far the ray comes from. A geom whose bounding
// sphere the ray misses, or meets only behind the nearest hit so far, is not looked at. Of equal
// distances the geom with the smaller id wins.
#pragma once

#include "kernels/query/ray_hfield.h"
#include "kernels/query/ray_mesh.h"

namespace swept::SWEPT_NS {

/// Which geoms a ray sees, and how far.
struct RayFilter {
  int groups = 63;         ///< bit k: geoms of group k; groups beyond 0 .. 5 count as the nearest
  int include_static = 1;  ///< also those that are welded to the world
  int exclude_body = -1;   ///< geoms of this body are not seen; -1: of any
  real cutoff = ray_miss;  ///< in lengths of the direction; hits farther away do not count
};

/// What a ray hits first.
struct RayResult {
  real distance;      ///< in lengths of the direction; -1: nothing
  int geom;           ///< -1: nothing
  Vec3<real> normal;  ///< unit vector out of the surface, world; 0: nothing
};

SWEPT_FN bool is_seen(const ModelAt<real>& m, const RayFilter& filter, int geom) {
  const int body = m.geom_bodyid(geom), group = m.geom_group(geom);
  const int bit = group < 0 ? 0 : (group > 5 ? 5 : group);
  return body != filter.exclude_body && m.geom_transparent(geom) == 0 &&
         (filter.include_static != 0 || m.body_weldid(body) != 0) &&
         ((filter.groups >> bit) & 1) != 0;
}

/// A ray in the world: a point and a unit vector.
struct WorldRay {
  Vec3<real> origin;  ///< [m]
  Vec3<real> u;
};

/// Make `hit` (distance along the ray [m], world normal) the geom's where it is nearer, strictly.
/// Returns whether it was.
SWEPT_FN bool meet_geom(RayHit* hit, const ModelAt<real>& m, const DataAt<real>& d, int geom,
                        const WorldRay& ray) {
  const int type = m.geom_type(geom);
  const Vec3<real> from = ray.origin - vec3(d.geom_xpos(3 * geom));

  // to the point nearest to the centre, and the bounding sphere around that
  const real moved = type == geom_plane ? 0_r : -dot(from, ray.u);
  const Vec3<real> nearest = from + ray.u * moved;
  if (type != geom_plane) {
    const real bound = m.geom_rbound(geom) * 1.0001_r + 1e-6_r * abs(moved);
    if (!(dot(nearest, nearest) <= bound * bound) || moved + bound < 0 || moved - bound > hit->at) {
      return false;
    }
  }
  const Mat3<real> mat = mat3(d.geom_xmat(9 * geom));
  const Ray local = {transpose_mul(mat, nearest), transpose_mul(mat, ray.u), -moved};

  RayHit found;
  const int data = m.geom_dataid(geom);
  if (type == geom_mesh) {
    if (data >= 0) {
      const real pad = (sizeof(real) == 4 ? 1e-6_r : 1e-14_r) * m.geom_rbound(geom);
      meet_mesh(&found, {m, data, pad}, local);
    }
  } else if (type == geom_hfield) {
    if (data >= 0) {
      found = ray_hfield(hfield_shape(m, data), local);
    }
  } else {
    found = ray_shape(
        type, local, {m.geom_size(3 * geom), m.geom_size(3 * geom + 1), m.geom_size(3 * geom + 2)});
  }
  const real at = max(real(found.at + moved), 0_r);
  if (!(found.at < ray_miss) || !(at < hit->at)) {
    return false;
  }
  hit->at = at;
  hit->normal = mat * found.normal;
  return true;
}

/// Cast one ray. Nothing is hit along a direction that is zero or not finite.
///   origin      [m] world
///   direction   world, of any length
SWEPT_FN RayResult cast_ray(const ModelAt<real>& m, const DataAt<real>& d, const RayFilter& filter,
                            Vec3<real> origin, Vec3<real> direction) {
  RayResult result = {-1_r, -1, zero3<real>()};
  // a square of the length must neither overflow nor vanish
  const real size = max(abs(direction.x), max(abs(direction.y), abs(direction.z)));
  if (!(size > 0) || !is_finite(size)) {
    return result;
  }
  const Vec3<real> scaled = {direction.x / size, direction.y / size, direction.z / size};
  const real length = norm(scaled);
  const WorldRay ray = {origin, scaled * (1_r / length)};
  const real unit = length * size;

  // just beyond the cutoff: what lies at it counts
  RayHit hit;
  const real limit = filter.cutoff < ray_miss / unit ? filter.cutoff * unit : ray_miss;
  for (int geom = 0; geom < m->ngeom; ++geom) {
    if (!is_seen(m, filter, geom)) {
      continue;
    }
    RayHit nearer = hit;
    if (meet_geom(&nearer, m, d, geom, ray) && nearer.at <= limit) {
      hit = nearer;
      result.geom = geom;
    }
  }
  if (result.geom >= 0) {
    result.distance = hit.at / unit;
    result.normal = hit.normal;
  }
  return result;
}

}  // namespace swept::SWEPT_NS
