// SPDX-License-Identifier: Apache-2.0
// Averages over the scene; see the header.
#include "host/compile/setconst/statistic.h"

#include <algorithm>

namespace swept::compiler {
namespace {

constexpr double smallest_size = 1e-5;

/// An axis-aligned box that grows.
struct Box {
  Vec3 low{1e10, 1e10, 1e10};
  Vec3 high{-1e10, -1e10, -1e10};

  void add(Vec3 point, double radius = 0.0) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], point[k] - radius);
      high[k] = std::max(high[k], point[k] + radius);
    }
  }
};

/// The radius with which a geom counts for the extent: a plane by a tenth of its size.
double visible_radius(const Model& m, int g) {
  if (m.geom_type[at(g)] != geom_plane) {
    return m.geom_rbound[at(g)];
  }
  const Vec3 size = get_row<3>(m.geom_size, g);
  const double larger = std::max(size[0], size[1]);
  return larger > 0.0 ? 0.1 * larger : 0.01;
}

/// Everything in the scene.
Box scene_box(const Model& m, const ReferencePose& pose) {
  Box box;
  for (int b = 1; b < m.nbody; ++b) {
    box.add(pose.body[at(b)].pos);
    box.add(pose.xipos[at(b)]);
  }
  for (const Vec3& anchor : pose.xanchor) {
    box.add(anchor);
  }
  for (const Vec3& site : pose.site_xpos) {
    box.add(site);
  }
  for (int g = 0; g < m.ngeom; ++g) {
    box.add(pose.geom_xpos[at(g)], visible_radius(m, g));
  }
  return box;
}

/// How far each body reaches from its centre of mass.
std::vector<double> body_sizes(const Model& m, const ReferencePose& pose) {
  std::vector<double> size(at(m.nbody), 0.0);
  const auto reach = [&](int body, Vec3 point, double radius) {
    size[at(body)] = std::max(size[at(body)], norm(pose.xipos[at(body)] - point) + radius);
  };
  for (int j = 0; j < m.njnt; ++j) {
    const int body = m.jnt_bodyid[at(j)];
    reach(body, pose.xanchor[at(j)], 0.0);
    reach(m.body_parentid[at(body)], pose.xanchor[at(j)], 0.0);
  }
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_rbound[at(g)] > 0.0) {
      reach(m.geom_bodyid[at(g)], pose.geom_xpos[at(g)], m.geom_rbound[at(g)]);
    }
  }
  for (double& s : size) {
    s = std::max(s, smallest_size);
  }
  return size;
}

/// The mean of x from `first` on.
double mean(const std::vector<double>& x, std::size_t first) {
  double sum = 0.0;
  for (std::size_t i = first; i < x.size(); ++i) {
    sum += x[i];
  }
  return sum / static_cast<double>(x.size() - first);
}

}  // namespace

void fill_dof_length(const ReferencePose& pose, Model& m) {
  const std::vector<double> size = body_sizes(m, pose);
  for (int i = 0; i < m.nv; ++i) {
    const int j = m.dof_jntid[at(i)];
    const int type = m.jnt_type[at(j)];
    const bool translates =
        type == joint_slide || (type == joint_free && i - m.jnt_dofadr[at(j)] < 3);
    m.dof_length[at(i)] = translates ? 1.0 : size[at(m.dof_bodyid[at(i)])];
  }
}

void fill_statistic(const Scene& scene, const ReferencePose& pose, const MassMatrix& mass,
                    Model& m) {
  Statistic& stat = m.stat;
  stat = {1.0, 1.0, 0.2, 2.0, {}};

  // extent and centre
  const Box box = scene_box(m, pose);
  if (box.low[0] <= box.high[0]) {
    stat.center = (box.low + box.high) * 0.5;
  }
  if (box.low[0] < box.high[0]) {
    const Vec3 sides = box.high - box.low;
    stat.extent = std::max({smallest_size, sides[0], sides[1], sides[2]});
  }

  // means
  const std::vector<double> sizes = body_sizes(m, pose);
  if (m.nbody > 1) {
    stat.meansize = mean(sizes, 1);
    stat.meanmass = mean(m.body_mass, 1);
  }
  stat.extent = std::max(stat.extent, 2.0 * stat.meansize);
  if (m.nv > 0) {
    stat.meaninertia = mean(mass.diagonal(), 0);
  }

  // what the scene says itself
  const StatisticSettings& given = scene.spec.statistic;
  stat.meaninertia = given.meaninertia.value_or(stat.meaninertia);
  stat.meanmass = given.meanmass.value_or(stat.meanmass);
  stat.meansize = given.meansize.value_or(stat.meansize);
  stat.extent = given.extent.value_or(stat.extent);
  stat.center = given.center.value_or(stat.center);
}

}  // namespace swept::compiler
