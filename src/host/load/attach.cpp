// SPDX-License-Identifier: Apache-2.0
#include "host/load/attach.h"

#include "host/load/build.h"

#include <algorithm>

namespace swept::load_detail {
namespace {

/// Moves source positions by a number of files.
void shift(int files, Source* source) {
  if (source->file >= 0) {
    source->file += files;
  }
}

template <class T>
void shift_all(int files, std::vector<T>* elements) {
  for (T& element : *elements) {
    shift(files, &element.source);
  }
}

void shift_tree(int files, Body* body) {
  shift(files, &body->source);
  if (body->inertial) {
    shift(files, &body->inertial->source);
  }
  shift_all(files, &body->joints);
  shift_all(files, &body->geoms);
  shift_all(files, &body->sites);
  shift_all(files, &body->cameras);
  shift_all(files, &body->lights);
  for (Body& child : body->bodies) {
    shift_tree(files, &child);
  }
}

void shift_scene(int files, Spec* spec) {
  shift_tree(files, &spec->worldbody);
  shift_all(files, &spec->pairs);
  shift_all(files, &spec->excludes);
  shift_all(files, &spec->tendons);
  for (Tendon& tendon : spec->tendons) {
    shift_all(files, &tendon.joints);
  }
  shift_all(files, &spec->actuators);
  shift_all(files, &spec->keys);
  shift_all(files, &spec->numerics);
  shift_all(files, &spec->texts);
  shift_all(files, &spec->tuples);
  shift_all(files, &spec->meshes);
  shift_all(files, &spec->hfields);
  shift_all(files, &spec->textures);
  shift_all(files, &spec->materials);
}

const Body* find_body(const Body& body, const std::string& name) {
  if (body.name == name) {
    return &body;
  }
  for (const Body& child : body.bodies) {
    if (const Body* const found = find_body(child, name)) {
      return found;
    }
  }
  return nullptr;
}

void prefix_assets(const Affix& affix, Body* body) {
  for (Geom& geom : body->geoms) {
    affix.apply(&geom.mesh);
    affix.apply(&geom.hfield);
    affix.apply(&geom.material);
  }
  for (Site& site : body->sites) {
    affix.apply(&site.material);
  }
  for (Body& child : body->bodies) {
    prefix_assets(affix, &child);
  }
}

/// Copies the elements that refer to attached elements only.
template <class T>
void copy_references(const PartNames& names, const Affix& affix, const std::vector<T>& from,
                     std::vector<T>* to) {
  for (const T& element : from) {
    if (refers_only_into(names, element)) {
      to->push_back(element);
      rename_element(names, affix, &to->back());
    }
  }
}

/// Copies assets and custom fields, all of them.
template <class T>
void copy_named(const Affix& affix, const std::vector<T>& from, std::vector<T>* to) {
  for (const T& element : from) {
    to->push_back(element);
    affix.apply(&to->back().name);
  }
}

/// Settings that act on compilation hold for a whole scene here.
bool same_compilation(const CompilerSettings& a, const CompilerSettings& b) {
  return a.boundmass == b.boundmass && a.boundinertia == b.boundinertia &&
         a.settotalmass == b.settotalmass && a.balanceinertia == b.balanceinertia &&
         a.discardvisual == b.discardvisual && a.fusestatic == b.fusestatic &&
         a.inertiafromgeom == b.inertiafromgeom && a.inertiagrouprange == b.inertiagrouprange &&
         a.alignfree == b.alignfree && a.fitaabb == b.fitaabb;
}

}  // namespace

const Spec& Attacher::model(const Trail& element, const std::string& name) {
  if (const auto known = models_.find(name); known != models_.end()) {
    return known->second;
  }
  const auto found = std::find_if(document_.models.begin(), document_.models.end(),
                                  [&name](const Document& model) { return model.name == name; });
  if (found == document_.models.end()) {
    element.fail("there is no model '" + name + "'",
                 "name its file in asset: <model name=\"" + name + "\" file=\"…\"/>");
  }
  Spec spec = build_spec(*found);
  if (!same_compilation(spec.compiler, spec_.compiler)) {
    element.fail("model '" + name + "' has other compiler settings than this scene",
                 "give both the same compiler element");
  }
  shift_scene(static_cast<int>(spec_.files.size()), &spec);
  spec_.files.insert(spec_.files.end(), spec.files.begin(), spec.files.end());
  add_temporary_names(&spec);
  return models_.emplace(name, std::move(spec)).first->second;
}

Body Attacher::attach(const Trail& element) {
  const std::string* const body = element.element.find("body");
  const std::string& prefix = *element.element.find("prefix");
  const Spec& from = model(element, *element.element.find("model"));
  const Affix affix{prefix, {}};

  // the part of its tree
  Body content;
  if (body == nullptr) {
    content = from.worldbody;
  } else if (const Body* const found = find_body(from.worldbody, *body)) {
    content.bodies.push_back(*found);
  } else {
    element.fail("the model has no body '" + *body + "'");
  }
  PartNames names;
  collect_names(content, &names);

  // what refers to it
  copy_references(names, affix, from.pairs, &spec_.pairs);
  copy_references(names, affix, from.excludes, &spec_.excludes);
  const auto belongs = [&names](const auto& each) { return refers_only_into(names, each); };
  collect_if(from.tendons, belongs, &names.tendons);
  copy_references(names, affix, from.tendons, &spec_.tendons);
  collect_if(from.actuators, belongs, &names.actuators);
  copy_references(names, affix, from.actuators, &spec_.actuators);
  copy_references(names, affix, from.tuples, &spec_.tuples);
  std::vector<PartialKey> keys = split_keys(from);
  for (PartialKey& key : keys) {
    affix.apply(&key.key.name);
  }
  rename_keys(names, affix, &keys);
  std::move(keys.begin(), keys.end(), std::back_inserter(keys_));

  // what it may refer to
  copy_named(affix, from.numerics, &spec_.numerics);
  copy_named(affix, from.texts, &spec_.texts);
  copy_named(affix, from.textures, &spec_.textures);
  const std::size_t first_material = spec_.materials.size();
  copy_named(affix, from.materials, &spec_.materials);
  for (std::size_t i = first_material; i < spec_.materials.size(); ++i) {
    affix.apply(&spec_.materials[i].texture);
  }

  const std::size_t first_mesh = spec_.meshes.size();
  copy_named(affix, from.meshes, &spec_.meshes);
  for (std::size_t i = first_mesh; i < spec_.meshes.size(); ++i) {
    affix.apply(&spec_.meshes[i].material);
  }
  copy_named(affix, from.hfields, &spec_.hfields);

  rename_tree(names, affix, &content);
  prefix_assets(affix, &content);
  return content;
}

}  // namespace swept::load_detail
