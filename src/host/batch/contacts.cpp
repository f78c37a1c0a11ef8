// SPDX-License-Identifier: Apache-2.0
// The contacts of environments, gathered from the bound lists.
//
// A contact of dimension d has d rows whatever its cone, in the axes of its frame; for a pyramid
// row 0 holds the sum of the edges' forces and row k the difference of two, times friction[k-1].
// So the force of the rows is the contact's wrench.
#include <swept/contact.h>

#include <swept/error.h>

#include "host/batch/impl.h"
#include "host/batch/observe.h"

namespace swept {

namespace {

/// The lists of some environments.
class ContactReader {
 public:
  ContactReader(Engine& engine, int first, int count)
      : engine_(engine), first_(first), count_(count) {}

  int number(int env) const { return ncon_.integer(env, 0); }

  Contact read(int env, int k) const {
    Contact c;
    c.geom1 = geom1_.integer(env, k);
    c.geom2 = geom2_.integer(env, k);
    c.dim = dim_.integer(env, k);
    c.exclude = exclude_.integer(env, k);
    c.efc_address = address_.integer(env, k);
    c.dist = dist_(env, k);
    c.includemargin = margin_(env, k);
    fill(pos_, env, k, &c.pos);
    fill(frame_, env, k, &c.frame);
    fill(friction_, env, k, &c.friction);
    fill(solref_, env, k, &c.solref);
    fill(solreffriction_, env, k, &c.solreffriction);
    fill(solimp_, env, k, &c.solimp);
    fill(surfacevel_, env, k, &c.surfacevel);
    c.speculative = speculative_.integer(env, k);
    c.toi = toi_(env, k);
    fill(pos2_, env, k, &c.pos2);
    for (int row = 0; row < c.dim && c.efc_address >= 0; ++row) {
      c.force[static_cast<std::size_t>(row)] = force_(env, c.efc_address + row);
    }
    return c;
  }

 private:
  HostField field(const char* name) const {
    return HostField(engine_, engine_.field(name), first_, count_);
  }

  template <std::size_t N>
  static void fill(const HostField& field, int env, int k, std::array<double, N>* numbers) {
    for (std::size_t i = 0; i < N; ++i) {
      (*numbers)[i] = field(env, k, static_cast<int>(i));
    }
  }

  Engine& engine_;
  int first_, count_;
  HostField ncon_ = field("ncon"), geom1_ = field("contact.geom1"), geom2_ = field("contact.geom2"),
            dim_ = field("contact.dim"), exclude_ = field("contact.exclude"),
            address_ = field("contact.efc_address"), dist_ = field("contact.dist"),
            margin_ = field("contact.includemargin"), pos_ = field("contact.pos"),
            frame_ = field("contact.frame"), friction_ = field("contact.friction"),
            solref_ = field("contact.solref"), solreffriction_ = field("contact.solreffriction"),
            solimp_ = field("contact.solimp"), surfacevel_ = field("contact.surfacevel"),
            speculative_ = field("contact.speculative"), toi_ = field("contact.toi"),
            pos2_ = field("contact.pos2"), force_ = field("efc_force");
};

}  // namespace

std::vector<Contact> Batch::contacts(int env) {
  impl_->check_env(env);
  impl_->need("contacts");
  const ContactReader reader(*impl_->engine, env, 1);
  std::vector<Contact> list;
  for (int k = 0; k < reader.number(env); ++k) {
    list.push_back(reader.read(env, k));
  }
  return list;
}

Contacts Batch::contacts() {
  impl_->need("contacts");
  const ContactReader reader(*impl_->engine, 0, nenv());
  Contacts all;
  all.offsets.push_back(0);
  for (int env = 0; env < nenv(); ++env) {
    for (int k = 0; k < reader.number(env); ++k) {
      all.list.push_back(reader.read(env, k));
    }
    all.offsets.push_back(static_cast<std::int64_t>(all.list.size()));
  }
  return all;
}

}  // namespace swept
