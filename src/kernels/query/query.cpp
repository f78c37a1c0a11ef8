// SPDX-License-Identifier: Apache-2.0
// The kernels of rays and distances: a group for an environment, a lane for a ray or a pair.
#include "kernels/base/launch.h"
#include "kernels/query/distance.h"
#include "kernels/query/ray.h"
#include "kernels/query/stages.h"

namespace swept::SWEPT_NS {

namespace {

constexpr int query_lanes = 32;

struct CastRays {
  const Tile* t;
  RayJob job;

  SWEPT_FN Vec3<real> read(const real* values, long long stride, long long env, int i) const {
    const real* const p = values + env * stride + 3LL * i;
    return {p[0], p[1], p[2]};
  }

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<real> m = t->model_at<real>(env / W, env % W);
    const DataAt<real> d = t->data_at<real>(env / W, env % W);
    const RayFilter filter = {job.groups, job.include_static, job.exclude_body, job.cutoff};
    const bool blind = t->frozen[env] != status_ok;
    const long long number = t->first + env;
    for (int i = g.lane(); i < job.count; i += g.size()) {
      RayResult result = {-1_r, -1, zero3<real>()};
      if (!blind) {
        result = cast_ray(m, d, filter, read(job.origin, job.origin_stride, number, i),
                          read(job.direction, job.direction_stride, number, i));
      }
      const long long at = number * job.count + i;
      job.distance[at] = result.distance;
      job.geom[at] = result.geom;
      job.normal[3 * at] = result.normal.x;
      job.normal[3 * at + 1] = result.normal.y;
      job.normal[3 * at + 2] = result.normal.z;
    }
  }
};

struct MeasureDistances {
  const Tile* t;
  DistanceJob job;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (t->control->halt != 0) {
      return;
    }
    const ModelAt<real> m = t->model_at<real>(env / W, env % W);
    const DataAt<real> d = t->data_at<real>(env / W, env % W);
    const bool blind = t->frozen[env] != status_ok;
    const long long number = t->first + env;
    for (int i = g.lane(); i < job.count; i += g.size()) {
      GeomDistance result = {job.maxdist, zero3<real>(), zero3<real>(), zero3<real>()};
      if (!blind) {
        result = geom_distance(m, d, job.pairs[2 * i], job.pairs[2 * i + 1], job.maxdist);
      }
      const long long at = number * job.count + i;
      const Vec3<real> vectors[3] = {result.from, result.to, result.normal};
      job.distance[at] = result.distance;
      for (int k = 0; k < 2; ++k) {
        real* const to = job.fromto + 6 * at + 3 * k;
        to[0] = vectors[k].x;
        to[1] = vectors[k].y;
        to[2] = vectors[k].z;
      }
      job.normal[3 * at] = vectors[2].x;
      job.normal[3 * at + 1] = vectors[2].y;
      job.normal[3 * at + 2] = vectors[2].z;
    }
  }
};

}  // namespace

void cast_rays(const Context& ctx, const Tile* t, int nenv, const RayJob& job) {
  launch_envs<query_lanes>("cast_rays", ctx, nenv, CastRays{t, job});
}

void measure_distances(const Context& ctx, const Tile* t, int nenv, const DistanceJob& job) {
  launch_envs<query_lanes>("measure_distances", ctx, nenv, MeasureDistances{t, job});
}

}  // namespace swept::SWEPT_NS
