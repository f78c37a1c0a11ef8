// SPDX-License-Identifier: Apache-2.0
// Names under `replicate`: every name in a copy gets the copy's suffix, and whatever refers to a
// replicated element from outside the tree is copied with it. The copies stand at the end of their
// list, copy by copy, each in document order.
#include "host/load/build.h"

#include <algorithm>
#include <functional>

namespace swept::load_detail {
namespace {

using Names = std::set<std::string, std::less<>>;

template <class T>
void collect(const std::vector<T>& elements, Names* names) {
  for (const T& element : elements) {
    if (!element.name.empty()) {
      names->insert(element.name);
    }
  }
}

void suffix_name(const std::string& suffix, std::string* name) {
  if (!name->empty()) {
    *name += suffix;
  }
}

void suffix_reference(const Names& names, const std::string& suffix, std::string* reference) {
  if (names.count(*reference) > 0) {
    *reference += suffix;
  }
}

/// Replaces the elements that `touches` by one renamed copy per suffix. Returns their names.
template <class T>
Names replicate_list(const std::vector<std::string>& suffixes,
                     const std::function<bool(const T&)>& touches,
                     const std::function<void(const std::string&, T*)>& rename,
                     std::vector<T>* list) {
  const auto first_touched = std::stable_partition(
      list->begin(), list->end(), [&touches](const T& element) { return !touches(element); });
  const std::vector<T> originals(std::make_move_iterator(first_touched),
                                 std::make_move_iterator(list->end()));
  list->erase(first_touched, list->end());
  Names names;
  collect(originals, &names);
  for (const std::string& suffix : suffixes) {
    for (const T& original : originals) {
      T copy = original;
      suffix_name(suffix, &copy.name);
      rename(suffix, &copy);
      list->push_back(std::move(copy));
    }
  }
  return names;
}

/// A tuple cannot be copied: its entries would be of several copies.
void refuse_tuples(const Trail& element, const ReplicatedNames& names, const Spec& spec) {
  const std::map<std::string, const Names*, std::less<>> kinds = {
      {"body", &names.bodies}, {"xbody", &names.bodies}, {"joint", &names.joints},
      {"geom", &names.geoms},  {"site", &names.sites},   {"camera", &names.cameras},
      {"light", &names.lights}};
  for (const Tuple& tuple : spec.tuples) {
    for (const Tuple::Entry& entry : tuple.entries) {
      const auto kind = kinds.find(entry.objtype);
      if (kind != kinds.end() && kind->second->count(entry.objname) > 0) {
        element.fail("tuple '" + tuple.name + "' refers to the replicated " + entry.objtype + " '" +
                         entry.objname + "'",
                     "name the copies: '" + entry.objname + "' with a suffix");
      }
    }
  }
}

}  // namespace

void collect_names(const Body& body, ReplicatedNames* names) {
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

void add_suffix(const ReplicatedNames& names, const std::string& suffix, Body* body) {
  for (Joint& joint : body->joints) {
    suffix_name(suffix, &joint.name);
  }
  for (Geom& geom : body->geoms) {
    suffix_name(suffix, &geom.name);
  }
  for (Site& site : body->sites) {
    suffix_name(suffix, &site.name);
  }
  for (Camera& camera : body->cameras) {
    suffix_name(suffix, &camera.name);
    suffix_reference(names.bodies, suffix, &camera.target);
  }
  for (Light& light : body->lights) {
    suffix_name(suffix, &light.name);
    suffix_reference(names.bodies, suffix, &light.target);
  }
  for (Body& child : body->bodies) {
    suffix_name(suffix, &child.name);
    add_suffix(names, suffix, &child);
  }
}

void replicate_references(const Trail& element, const ReplicatedNames& names,
                          const std::vector<std::string>& suffixes, Spec* spec) {
  refuse_tuples(element, names, *spec);
  replicate_list<Pair>(
      suffixes,
      [&](const Pair& pair) {
        return names.geoms.count(pair.geom1) > 0 || names.geoms.count(pair.geom2) > 0;
      },
      [&](const std::string& suffix, Pair* pair) {
        suffix_reference(names.geoms, suffix, &pair->geom1);
        suffix_reference(names.geoms, suffix, &pair->geom2);
      },
      &spec->pairs);
  replicate_list<Exclude>(
      suffixes,
      [&](const Exclude& exclude) {
        return names.bodies.count(exclude.body1) > 0 || names.bodies.count(exclude.body2) > 0;
      },
      [&](const std::string& suffix, Exclude* exclude) {
        suffix_reference(names.bodies, suffix, &exclude->body1);
        suffix_reference(names.bodies, suffix, &exclude->body2);
      },
      &spec->excludes);
  const Names tendons = replicate_list<Tendon>(
      suffixes,
      [&](const Tendon& tendon) {
        return std::any_of(
            tendon.joints.begin(), tendon.joints.end(),
            [&](const TendonJoint& part) { return names.joints.count(part.joint) > 0; });
      },
      [&](const std::string& suffix, Tendon* tendon) {
        for (TendonJoint& part : tendon->joints) {
          suffix_reference(names.joints, suffix, &part.joint);
        }
      },
      &spec->tendons);
  const auto targets = [&](const Actuator& actuator) -> const Names& {
    return actuator.trntype == TransmissionType::joint ? names.joints : tendons;
  };
  replicate_list<Actuator>(
      suffixes,
      [&](const Actuator& actuator) { return targets(actuator).count(actuator.target) > 0; },
      [&](const std::string& suffix, Actuator* actuator) {
        suffix_reference(targets(*actuator), suffix, &actuator->target);
      },
      &spec->actuators);
}

std::size_t count_elements(const Body& body) {
  std::size_t count = 1 + body.joints.size() + body.geoms.size() + body.sites.size() +
                      body.cameras.size() + body.lights.size() + (body.inertial ? 1 : 0);
  for (const Body& child : body.bodies) {
    count += count_elements(child);
  }
  return count;
}

}  // namespace swept::load_detail
