// SPDX-License-Identifier: Apache-2.0
// From attributes as written to values as stored: angles to radians, orientations to quaternions,
// fromto to pose and length.
#include "host/load/build.h"

#include <cmath>

namespace swept::load_detail {

Quat Finisher::quat(const Trail& element, const Orientation& orientation) const {
  std::string wrong;
  const Quat quat = resolve(orientation, angles_, &wrong);
  if (!wrong.empty()) {
    element.fail(wrong, "an orientation needs a direction");
  }
  return quat;
}

void Finisher::limit(const Trail& element, std::string_view range_name, Tristate limited,
                     const Vec2& range) const {
  const std::string name(range_name);
  const std::string flag =
      name == "range" ? "limited" : name.substr(0, name.size() - 5) + "limited";
  if (limited == Tristate::yes && !(range[0] < range[1])) {
    element.fail("'" + flag + "' is true and '" + name + "' is " + shortest(range[0]) + " " +
                     shortest(range[1]),
                 "a range has its lower end first");
  }
  if (!compiler_.autolimits && limited == Tristate::automatic &&
      (range[0] != 0.0 || range[1] != 0.0)) {
    element.fail("'" + name + "' is given and '" + flag + "' is not, with autolimits off",
                 "give '" + flag + "', or set autolimits=\"true\" in compiler");
  }
}

void Finisher::joint(const Trail& element, Joint* joint) const {
  if (joint->type == JointType::free) {
    joint->limited = Tristate::no;
  }
  // a ball may be limited to the single angle 0
  if (joint->type != JointType::ball || joint->limited != Tristate::yes || joint->range != Vec2{}) {
    limit(element, "range", joint->limited, joint->range);
  }
  limit(element, "actuatorfrcrange", joint->actuatorfrclimited, joint->actuatorfrcrange);
  const bool hinge = joint->type == JointType::hinge;
  if ((hinge || joint->type == JointType::ball) && is_limited(joint->limited, joint->range)) {
    joint->range = {angles_.radians(joint->range[0]), angles_.radians(joint->range[1])};
  }
  if (hinge) {
    joint->ref = angles_.radians(joint->ref);
    joint->springref = angles_.radians(joint->springref);
  }
}

void Finisher::field_of_view(CameraDraft* camera) const {
  if (!(camera->sensorsize[1] > 0.0)) {
    return;
  }
  // MuJoCo does this in single precision
  const float sensor = static_cast<float>(camera->sensorsize[1]);
  const float pixels = static_cast<float>(camera->focalpixel[1]);
  const float focal = pixels > 0.0F ? pixels * sensor / static_cast<float>(camera->resolution[1])
                                    : static_cast<float>(camera->focal[1]);
  const double half_angle = static_cast<double>(std::atan2(0.5F * sensor, focal));
  camera->fovy = half_angle * 360.0 / 3.14159265358979323846;
}

void Finisher::segment(const Trail& element, const Segment& fromto, GeomType type, Vec3* size,
                       Vec3* pos, Quat* quat) const {
  const bool round = type == GeomType::capsule || type == GeomType::cylinder;
  if (!round && type != GeomType::box && type != GeomType::ellipsoid) {
    element.fail("fromto needs a capsule, cylinder, box or ellipsoid", "give pos and size instead");
  }
  if ((*pos)[0] != 0.0 || (*pos)[1] != 0.0 || (*pos)[2] != 0.0) {
    element.fail("pos and fromto exclude each other",
                 "give one of them; either may come from a default class");
  }
  // the local z axis points from the second point to the first
  Vec3 axis{fromto[0] - fromto[3], fromto[1] - fromto[4], fromto[2] - fromto[5]};
  const double half = normalize(&axis) / 2.0;
  if (half < 1e-7) {
    element.fail("the two points of fromto are too close");
  }
  *size = round ? Vec3{(*size)[0], half, 0.0} : Vec3{(*size)[0], (*size)[0], half};
  for (std::size_t i = 0; i < 3; ++i) {
    (*pos)[i] = (fromto[i] + fromto[i + 3]) / 2.0;
  }
  *quat = quat_from_z(axis);
}

void Finisher::geom(const Trail& element, GeomDraft* geom) const {
  geom->quat = quat(element, geom->orientation);
  if (geom->fromto) {
    if (!geom->mesh.empty()) {
      element.fail("mesh and fromto exclude each other",
                   "a mesh says where the geom is and how large");
    }
    segment(element, *geom->fromto, geom->type, &geom->size, &geom->pos, &geom->quat);
  }
}

void Finisher::site(const Trail& element, SiteDraft* site) const {
  site->quat = quat(element, site->orientation);
  if (site->fromto) {
    segment(element, *site->fromto, site->type, &site->size, &site->pos, &site->quat);
  }
}

}  // namespace swept::load_detail
