// SPDX-License-Identifier: Apache-2.0
#include "host/load/attach.h"

#include <algorithm>
#include <iterator>
#include <optional>

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

/// What cameras and lights look at has to be attached too: it gets the prefix in any case.
void prefix_targets(const Affix& affix, Body* body) {
  for (Camera& camera : body->cameras) {
    affix.apply(&camera.target);
  }
  for (Light& light : body->lights) {
    affix.apply(&light.target);
  }
  for (Body& child : body->bodies) {
    prefix_targets(affix, &child);
  }
}

/// Gives a part its prefix.
void rename_attached(const Affix& affix, Part* part) {
  prefix_targets(affix, &part->root);
  rename_part({}, affix, part);
}

/// Copies what refers to a part of the same scene, and perhaps to other things.
template <class T, class Refers>
void copy_own_references(const PartNames& names, const Affix& affix, const Refers& refers,
                         std::vector<T>* list) {
  std::vector<T> copies;
  for (const T& element : *list) {
    if (refers(element)) {
      copies.push_back(element);
      rename_element(names, affix, &copies.back());
    }
  }
  std::move(copies.begin(), copies.end(), std::back_inserter(*list));
}

/// A copy of the body or frame that an attach names, if the part has it.
///   held   set to whether what is being read at `path` belongs to it
std::optional<Part> find_named(const Trail& element, const Part& part, const BodyPath& path,
                               bool* held) {
  if (const std::string* const name = element.element.find("body")) {
    const std::optional<BodyPath> found =
        name->empty() ? std::nullopt : find_body(part.root, *name);
    if (!found) {
      return std::nullopt;
    }
    *held = found->size() <= path.size() && std::equal(found->begin(), found->end(), path.begin());
    return copy_body(part, *found);
  }
  const int frame = find_frame(part, *element.element.find("frame"));
  if (frame < 0) {
    return std::nullopt;
  }
  *held = part.frames[static_cast<std::size_t>(frame)].open;
  return copy_frame(part, frame);
}

[[noreturn]] void fail_unknown(const Trail& element, const std::string& where) {
  for (const char* const kind : {"body", "frame"}) {
    if (const std::string* const name = element.element.find(kind)) {
      element.fail(where + " has no " + kind + " '" + *name + "'",
                   element.element.find("model") == nullptr
                       ? "what a scene attaches of itself stands before the attach"
                       : "");
    }
  }
  element.fail("neither 'body' nor 'frame' is given",
               "say what to attach of this scene, or name a model");
}

}  // namespace

const Attacher::Model& Attacher::model(const Trail& element, const std::string& name) {
  if (const auto known = models_.find(name); known != models_.end()) {
    return known->second;
  }
  const auto found = std::find_if(document_.models.begin(), document_.models.end(),
                                  [&name](const Document& model) { return model.name == name; });
  if (found == document_.models.end()) {
    element.fail("there is no model '" + name + "'",
                 "name its file in asset: <model name=\"" + name + "\" file=\"…\"/>");
  }
  BuiltScene scene = build_scene(*found);
  if (!same_compilation(scene.spec.compiler, spec_.compiler)) {
    element.fail("model '" + name + "' has other compiler settings than this scene",
                 "give both the same compiler element");
  }
  const int files = static_cast<int>(spec_.files.size());
  shift_scene(files, &scene.spec);
  shift_all(files, &scene.frames);
  spec_.files.insert(spec_.files.end(), scene.spec.files.begin(), scene.spec.files.end());
  add_temporary_names(&scene.spec);
  Model result;
  result.world = {scene.spec.worldbody, std::move(scene.frames)};
  result.spec = std::move(scene.spec);
  result.settings = std::move(scene.settings);
  return models_.emplace(name, std::move(result)).first->second;
}

Part Attacher::attach(const Trail& element, const std::vector<OpenPart>& open) {
  const Affix affix{*element.element.find("prefix"), {}};
  if (const std::string* const name = element.element.find("model")) {
    return attach_model(element, *name, affix);
  }
  return attach_self(element, open, affix);
}

Part Attacher::attach_self(const Trail& element, const std::vector<OpenPart>& open,
                           const Affix& affix) {
  std::optional<Part> part;
  if (element.element.find("body") != nullptr || element.element.find("frame") != nullptr) {
    for (std::size_t i = 0; i < open.size() && !part; ++i) {
      bool held = false;
      part = find_named(element, *open[i].part, open[i].path, &held);
      if (part && held && i + 1 < open.size()) {
        element.fail("a replicate attaches what the replicate stands in",
                     "move the attach out of the replicate");
      }
    }
  }
  if (!part) {
    fail_unknown(element, "this scene");
  }
  PartNames names;
  collect_names(part->root, &names);

  // what refers to it; actuators and tuples only if all of it is copied
  const auto any = [&names](const auto& each) { return refers_into(names, each); };
  const auto all = [&names](const auto& each) { return refers_only_into(names, each); };
  copy_own_references(names, affix, any, &spec_.pairs);
  copy_own_references(names, affix, any, &spec_.excludes);
  collect_if(spec_.tendons, any, &names.tendons);
  copy_own_references(names, affix, any, &spec_.tendons);
  collect_if(spec_.actuators, all, &names.actuators);
  copy_own_references(names, affix, all, &spec_.actuators);
  copy_own_references(names, affix, all, &spec_.tuples);

  // keyframes of a model attached before go over to the copy; joints directly in a frame keep them
  PartNames moved = names;
  NameSet direct;
  for (const Joint& joint : part->root.joints) {
    moved.joints.erase(joint.name);
    direct.insert(joint.name);
  }
  copy_joint_keys(direct, affix, &keys_);
  rename_keys(moved, affix, &keys_);

  rename_attached(affix, &*part);
  return std::move(*part);
}

Part Attacher::attach_model(const Trail& element, const std::string& name, const Affix& affix) {
  const Model& model = this->model(element, name);
  const Spec& from = model.spec;
  settings_.attach(element, name, model.settings, &spec_);

  // the part of its tree
  Part part;
  if (element.element.find("body") == nullptr && element.element.find("frame") == nullptr) {
    part = model.world;
  } else {
    bool held = false;
    std::optional<Part> named = find_named(element, model.world, {}, &held);
    if (!named) {
      fail_unknown(element, "model '" + name + "'");
    }
    part = std::move(*named);
  }
  PartNames names;
  collect_names(part.root, &names);
  const auto every = [](const auto&) { return true; };
  collect_if(from.numerics, every, &names.others);
  collect_if(from.texts, every, &names.others);
  collect_if(from.textures, every, &names.others);
  collect_if(from.materials, every, &names.others);
  collect_if(from.meshes, every, &names.others);
  collect_if(from.hfields, every, &names.others);

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

  copy_assets(from, affix);
  rename_attached(affix, &part);
  prefix_assets(affix, &part.root);
  return part;
}

void Attacher::copy_assets(const Spec& from, const Affix& affix) {
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
}

}  // namespace swept::load_detail
