// SPDX-License-Identifier: Apache-2.0
// Names and references of a finished Spec: names are unique within a kind, and what is referred to
// by name exists.
#include "host/load/build.h"

namespace swept::load_detail {
namespace {

/// The names of one kind of element.
class Names {
 public:
  explicit Names(std::string_view kind) : kind_(kind) {}

  void add(const Spec& spec, const Item& item) {
    if (!item.name.empty() && !names_.insert(item.name).second) {
      throw spec.error(item.source, std::string(kind_) + " '" + item.name + "'",
                       "the name is given twice", "names are unique within a kind");
    }
  }

  template <class T>
  void add_all(const Spec& spec, const std::vector<T>& items) {
    for (const T& item : items) {
      add(spec, item);
    }
  }

  /// Throws unless `reference` is among the names.
  void require(const Spec& spec, Source source, const std::string& what,
               const std::string& reference) const {
    if (names_.count(reference) > 0) {
      return;
    }
    std::vector<std::string_view> known;
    // suggestions are for scenes that a person looks through
    constexpr std::size_t many = 10000;
    if (names_.size() < many) {
      known.assign(names_.begin(), names_.end());
    }
    const std::string near = nearest(reference, known);
    throw spec.error(source, what, "there is no " + std::string(kind_) + " '" + reference + "'",
                     near.empty() ? std::string() : "did you mean '" + near + "'?");
  }

 private:
  std::string_view kind_;
  std::set<std::string, std::less<>> names_;
};

struct TreeNames {
  Names bodies{"body"};
  Names joints{"joint"};
  Names geoms{"geom"};
  Names sites{"site"};
  Names cameras{"camera"};
  Names lights{"light"};

  void add(const Spec& spec, const Body& body) {
    bodies.add(spec, body);
    joints.add_all(spec, body.joints);
    geoms.add_all(spec, body.geoms);
    sites.add_all(spec, body.sites);
    cameras.add_all(spec, body.cameras);
    lights.add_all(spec, body.lights);
    for (const Body& child : body.bodies) {
      add(spec, child);
    }
  }
};

std::string called(std::string_view kind, const Item& item) {
  return std::string(kind) + (item.name.empty() ? std::string() : " '" + item.name + "'");
}

/// Assets that the tree refers to.
struct AssetNames {
  Names materials{"material"};
  Names meshes{"mesh"};
  Names hfields{"hfield"};
};

void check_geom(const Spec& spec, const Geom& geom, const AssetNames& assets) {
  const auto require = [&](const Names& names, const std::string& reference) {
    if (!reference.empty()) {
      names.require(spec, geom.source, called("geom", geom), reference);
    }
  };
  require(assets.materials, geom.material);
  require(assets.meshes, geom.mesh);
  require(assets.hfields, geom.hfield);
}

void check_tree(const Spec& spec, const Body& body, const Names& bodies, const AssetNames& assets) {
  for (const Geom& geom : body.geoms) {
    check_geom(spec, geom, assets);
  }
  for (const Site& site : body.sites) {
    if (!site.material.empty()) {
      assets.materials.require(spec, site.source, called("site", site), site.material);
    }
  }
  for (const Camera& camera : body.cameras) {
    if (!camera.target.empty()) {
      bodies.require(spec, camera.source, called("camera", camera), camera.target);
    }
  }
  for (const Light& light : body.lights) {
    if (!light.target.empty()) {
      bodies.require(spec, light.source, called("light", light), light.target);
    }
  }
  for (const Body& child : body.bodies) {
    check_tree(spec, child, bodies, assets);
  }
}

}  // namespace

void check_references(const Spec& spec) {
  // names
  TreeNames tree;
  tree.add(spec, spec.worldbody);
  Names textures("texture");
  AssetNames assets;
  Names tendons("tendon");
  textures.add_all(spec, spec.textures);
  assets.materials.add_all(spec, spec.materials);
  assets.meshes.add_all(spec, spec.meshes);
  assets.hfields.add_all(spec, spec.hfields);
  tendons.add_all(spec, spec.tendons);
  Names("pair").add_all(spec, spec.pairs);
  Names("exclude").add_all(spec, spec.excludes);
  Names("actuator").add_all(spec, spec.actuators);
  Names("key").add_all(spec, spec.keys);
  Names("numeric").add_all(spec, spec.numerics);
  Names("text").add_all(spec, spec.texts);
  Names("tuple").add_all(spec, spec.tuples);

  // references
  for (const Material& material : spec.materials) {
    if (!material.texture.empty()) {
      textures.require(spec, material.source, called("material", material), material.texture);
    }
  }
  for (const Mesh& mesh : spec.meshes) {
    if (!mesh.material.empty()) {
      assets.materials.require(spec, mesh.source, called("mesh", mesh), mesh.material);
    }
  }
  check_tree(spec, spec.worldbody, tree.bodies, assets);
  for (const Pair& pair : spec.pairs) {
    tree.geoms.require(spec, pair.source, called("pair", pair), pair.geom1);
    tree.geoms.require(spec, pair.source, called("pair", pair), pair.geom2);
  }
  for (const Exclude& exclude : spec.excludes) {
    tree.bodies.require(spec, exclude.source, called("exclude", exclude), exclude.body1);
    tree.bodies.require(spec, exclude.source, called("exclude", exclude), exclude.body2);
  }
  for (const Tendon& tendon : spec.tendons) {
    for (const TendonJoint& part : tendon.joints) {
      tree.joints.require(spec, part.source, called("tendon", tendon), part.joint);
    }
  }
  for (const Actuator& actuator : spec.actuators) {
    const Names& targets = actuator.trntype == TransmissionType::tendon ? tendons
                           : actuator.trntype == TransmissionType::site ? tree.sites
                                                                        : tree.joints;
    targets.require(spec, actuator.source, called("actuator", actuator), actuator.target);
    if (!actuator.refsite.empty()) {
      tree.sites.require(spec, actuator.source, called("actuator", actuator), actuator.refsite);
    }
  }
}

}  // namespace swept::load_detail
