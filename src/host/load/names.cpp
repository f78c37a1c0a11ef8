// SPDX-License-Identifier: Apache-2.0
#include "host/load/names.h"

namespace swept::load_detail {
namespace {

template <class T>
void collect(const std::vector<T>& elements, NameSet* names) {
  collect_if(
      elements, [](const T&) { return true; }, names);
}

template <class T>
void rename_all(const Affix& affix, std::vector<T>* elements) {
  for (T& element : *elements) {
    affix.apply(&element.name);
  }
}

/// Cameras and lights: also their target.
template <class T>
void rename_watchers(const PartNames& names, const Affix& affix, std::vector<T>* elements) {
  for (T& element : *elements) {
    affix.apply(&element.name);
    if (names.bodies.count(element.target) > 0) {
      affix.apply(&element.target);
    }
  }
}

}  // namespace

void collect_names(const Body& body, PartNames* names) {
  collect(body.bodies, &names->bodies);
  collect(body.joints, &names->joints);
  collect(body.geoms, &names->geoms);
  collect(body.sites, &names->sites);
  collect(body.cameras, &names->cameras);
  collect(body.lights, &names->lights);
  for (const Body& child : body.bodies) {
    collect_names(child, names);
  }
}

void rename_tree(const PartNames& names, const Affix& affix, Body* body) {
  rename_all(affix, &body->joints);
  rename_all(affix, &body->geoms);
  rename_all(affix, &body->sites);
  rename_watchers(names, affix, &body->cameras);
  rename_watchers(names, affix, &body->lights);
  rename_all(affix, &body->bodies);
  for (Body& child : body->bodies) {
    rename_tree(names, affix, &child);
  }
}

}  // namespace swept::load_detail
