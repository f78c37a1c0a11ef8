// SPDX-License-Identifier: Apache-2.0
// Flattens the tree of a Spec; see the header.
#include "host/compile/scene.h"

#include <utility>

namespace swept::compiler {
namespace {

/// Remember an element's name, if it has one.
void remember(IdsByName& ids, const Item& item, std::size_t id) {
  if (!item.name.empty()) {
    ids.emplace(item.name, static_cast<int>(id));
  }
}

/// Append the elements of one kind that a body has.
template <class T>
void append(std::vector<Entry<T>>& list, std::vector<T>& items, int body) {
  for (T& item : items) {
    list.push_back({&item, body});
  }
}

}  // namespace

Scene::Scene(Spec source, Assets compiled) : spec(std::move(source)), assets(std::move(compiled)) {
  add_body(spec.worldbody, 0, 0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body& body = *bodies[b].body;
    const int id = static_cast<int>(b);
    append(joints, body.joints, id);
    append(geoms, body.geoms, id);
    append(sites, body.sites, id);
    append(cameras, body.cameras, id);
    append(lights, body.lights, id);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    remember(joint_ids, *joints[i].item, i);
  }
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    remember(geom_ids, *geoms[i].item, i);
  }
  for (std::size_t i = 0; i < sites.size(); ++i) {
    remember(site_ids, *sites[i].item, i);
  }
  for (std::size_t i = 0; i < spec.tendons.size(); ++i) {
    remember(tendon_ids, spec.tendons[i], i);
  }
}

void Scene::add_body(Body& root, int root_parent, int root_depth) {
  // an explicit stack: a deep chain must not exhaust the program's own
  struct Pending {
    Body* body;
    int parent;
    int depth;
  };
  std::vector<Pending> stack{{&root, root_parent, root_depth}};
  while (!stack.empty()) {
    const Pending next = stack.back();
    stack.pop_back();
    const int id = static_cast<int>(bodies.size());
    bodies.push_back({next.body, next.parent, next.depth, {}});
    remember(body_ids, *next.body, at(id));
    for (auto child = next.body->bodies.rbegin(); child != next.body->bodies.rend(); ++child) {
      stack.push_back({&*child, id, next.depth + 1});
    }
  }
  body_ids.insert_or_assign("world", 0);
}

Error Scene::error(const char* kind, const Item& item, std::string problem,
                   std::string remedy) const {
  return spec.error(item.source, label(kind, item), std::move(problem), std::move(remedy));
}

int Scene::resolve(const IdsByName& ids, const char* kind, const std::string& name,
                   const char* from_kind, const Item& from) const {
  const auto found = ids.find(name);
  if (found == ids.end()) {
    throw error(from_kind, from, "there is no " + std::string(kind) + " '" + name + "'",
                "name one that exists");
  }
  return found->second;
}

std::string label(std::string_view kind, const Item& item) {
  std::string text(kind);
  if (!item.name.empty()) {
    text += " '" + item.name + "'";
  }
  return text;
}

}  // namespace swept::compiler
