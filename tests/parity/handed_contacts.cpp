// SPDX-License-Identifier: Apache-2.0
// Handing contacts to the official library.
#include "parity/handed_contacts.h"

#include <algorithm>

namespace swept::test {

std::vector<mjContact> swept_contacts(const Readback& readback, std::size_t env) {
  std::vector<mjContact> contacts(static_cast<std::size_t>(readback.integer("ncon", env)));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    mjContact& to = contacts[c];
    to = mjContact{};
    const auto copy = [&](const char* name, mjtNum* into) {
      std::ranges::copy(readback.row(name, env, c), into);
    };
    to.dist = readback.number("contact.dist", env, c);
    copy("contact.pos", to.pos);
    copy("contact.frame", to.frame);
    to.includemargin = readback.number("contact.includemargin", env, c);
    copy("contact.friction", to.friction);
    copy("contact.solref", to.solref);
    copy("contact.solreffriction", to.solreffriction);
    copy("contact.solimp", to.solimp);
    copy("contact.surfacevel", to.surfacevel);
    to.dim = readback.integer("contact.dim", env, c);
    to.geom[0] = to.geom1 = readback.integer("contact.geom1", env, c);
    to.geom[1] = to.geom2 = readback.integer("contact.geom2", env, c);
    to.exclude = readback.integer("contact.exclude", env, c);
    std::fill_n(to.flex, 2, -1);
    std::fill_n(to.elem, 2, -1);
    std::fill_n(to.vert, 2, -1);
    to.efc_address = -1;
  }
  return contacts;
}

void forward_smooth(Oracle* oracle) {
  const mjModel& m = oracle->model();
  mjData& d = oracle->data();
  mj_fwdVelocity(&m, &d);
  mj_fwdActuation(&m, &d);
  mj_fwdAcceleration(&m, &d);
}

void forward_on(Oracle* oracle, const std::vector<mjContact>& contacts) {
  const mjModel& m = oracle->model();
  mjData& d = oracle->data();
  d.ncon = 0;
  for (const mjContact& contact : contacts) {
    if (mj_addContact(&m, &d, &contact) != 0) {
      throw std::runtime_error("the official library has no memory for all contacts");
    }
  }
  mj_makeConstraint(&m, &d);
  mj_projectConstraint(&m, &d);
  mj_referenceConstraint(&m, &d);
  mj_fwdConstraint(&m, &d);
}

}  // namespace swept::test
