// SPDX-License-Identifier: Apache-2.0
// Probing the official library for states in which rounding decides.
#include "parity/knife_edges.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace swept::test {
namespace {

/// Rounding of a distance of order 1 to 10, with room [m].
double rounding(Bar precision) {
  return precision == Bar::f64 ? 1e-10 : 1e-5;
}

/// Below this distance of two points their direction has lost most of its digits [m].
double closest_points(Bar precision) {
  return precision == Bar::f64 ? 1e-8 : 1e-3;
}

/// Moves all margins of a model while it lives.
class MovedMargins {
 public:
  MovedMargins(mjModel* m, double shift) : m_(m) {
    each([&](mjtNum* values, mjtSize n, double part) {
      saved_.emplace_back(values, values + n);
      for (mjtSize i = 0; i < n; ++i) {
        values[i] += part * shift;
      }
    });
  }
  ~MovedMargins() {
    std::size_t next = 0;
    each([&](mjtNum* values, mjtSize, double) {
      std::copy(saved_[next].begin(), saved_[next].end(), values);
      ++next;
    });
  }
  MovedMargins(const MovedMargins&) = delete;
  MovedMargins& operator=(const MovedMargins&) = delete;

 private:
  // margins of two geoms are added
  template <class Visit>
  void each(const Visit& visit) {
    visit(m_->geom_margin, m_->ngeom, 0.5);
    visit(m_->body_margin, m_->nbody, 0.5);
    visit(m_->pair_margin, m_->npair, 1.0);
  }

  mjModel* m_;
  std::vector<std::vector<mjtNum>> saved_;
};

/// Contacts, and those of them that push.
std::pair<int, int> count_contacts(Scene* scene, double shift) {
  mjData& d = scene->oracle.data();
  const MovedMargins moved(&scene->oracle.model(), shift);
  mj_collision(&scene->oracle.model(), &d);
  int pushing = 0;
  for (int c = 0; c < d.ncon; ++c) {
    pushing += d.contact[c].exclude == 0;
  }
  return {d.ncon, pushing};
}

/// Radius of a sphere or capsule, 0 of others.
double radius(const mjModel& m, int geom) {
  const int type = m.geom_type[geom];
  return type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE ? m.geom_size[3 * geom] : 0;
}

/// Two spheres with the same centre, to the last bit: their normal is a fixed one.
bool concentric(const mjModel& m, const mjData& d, int geom1, int geom2) {
  return m.geom_type[geom1] == mjGEOM_SPHERE && m.geom_type[geom2] == mjGEOM_SPHERE &&
         mju_dist3(d.geom_xpos + 3 * geom1, d.geom_xpos + 3 * geom2) == 0;
}

bool normal_undetermined(const Scene& scene, Bar precision) {
  const mjModel& m = scene.oracle.model();
  const mjData& d = scene.oracle.data();
  for (int c = 0; c < d.ncon; ++c) {
    const int geom1 = d.contact[c].geom[0];
    const int geom2 = d.contact[c].geom[1];
    const double r1 = radius(m, geom1);
    const double r2 = radius(m, geom2);
    if (r1 > 0 && r2 > 0 && d.contact[c].dist + r1 + r2 < closest_points(precision) &&
        !concentric(m, d, geom1, geom2)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool contacts_on_edge(Scene* scene, Bar precision) {
  const double width = rounding(precision);
  return count_contacts(scene, -width) != count_contacts(scene, width) ||
         normal_undetermined(*scene, precision);
}

bool rows_are_rigid(const Scene& scene) {
  // the smallest regularisation is 1e-15, doubled for pyramids
  constexpr double smallest = 1e-13;
  const mjData& d = scene.oracle.data();
  return std::any_of(d.efc_R, d.efc_R + d.nefc, [](double R) { return R < smallest; });
}

}  // namespace swept::test
