// SPDX-License-Identifier: Apache-2.0
// The sections of a scene, in the order of their kinds.
#include "host/load/build.h"

#include "host/load/assets.h"

#include <cctype>
#include <filesystem>
#include <functional>

namespace swept::load_detail {
namespace {

class SpecBuilder {
 public:
  explicit SpecBuilder(const Document& document)
      : document_(document), root_{document, document.root} {}

  BuiltScene build() {
    spec_.files = document_.files;
    if (const std::string* const name = document_.root.find("model")) {
      spec_.modelname = *name;
    }
    each("compiler", [this](const Trail& trail) { read_compiler(trail); });
    each("option", [this](const Trail& trail) { read_option(trail); });
    each("size", [this](const Trail& trail) { store(trail, &spec_.size); });
    each("statistic", [this](const Trail& trail) { store(trail, &spec_.statistic); });
    each("default", [this](const Trail& trail) { classes_.read(trail); });
    each_child("custom", [this](const Trail& trail) { read_custom(trail); });
    each_child("asset", [this](const Trail& trail) { read_asset(trail); });
    each_child("contact", [this](const Trail& trail) { read_contact(trail); });
    const Finisher finisher(spec_.compiler, {spec_.compiler.degree, spec_.compiler.eulerseq});
    each_child("tendon", [&](const Trail& trail) { read_tendon(trail, finisher); });
    each_child("actuator", [&](const Trail& trail) { read_actuator(trail, finisher); });
    each_child("keyframe", [this](const Trail& trail) { read_key(trail); });
    AuthoredSettings settings(document_);
    std::vector<Frame> frames = build_tree(document_, classes_, finisher, &settings, &spec_);
    check_references(spec_);
    return {std::move(spec_), std::move(frames), std::move(settings)};
  }

 private:
  using Visit = std::function<void(const Trail&)>;

  void each(std::string_view tag, const Visit& visit) const {
    for (const Element& section : document_.root.children) {
      if (section.tag == tag) {
        visit(root_.child(section));
      }
    }
  }

  void each_child(std::string_view tag, const Visit& visit) const {
    each(tag, [&visit](const Trail& section) {
      for (const Element& element : section.element.children) {
        visit(section.child(element));
      }
    });
  }

  static void store(const Trail& trail, void* target) {
    store_attributes(trail.element, grammar().rule(trail.element.tag), target);
  }

  static Source source(const Trail& trail) { return {trail.element.file, trail.element.line}; }

  void read_compiler(const Trail& trail) {
    read_folders(trail.element, &spec_.compiler);
    const std::string& sequence = spec_.compiler.eulerseq;
    if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != sequence.npos) {
      trail.fail("eulerseq is '" + sequence + "'", "it is three letters of xyzXYZ");
    }
  }

  void read_option(const Trail& trail) {
    if (const std::string* const text = trail.element.find("actuatorgroupdisable")) {
      Value value;
      read_value(*text, ValueType::parse("i*"), &value);
      for (const double group : value.numbers) {
        if (group < 0.0 || group > 30.0) {
          trail.fail("actuatorgroupdisable has group " + shortest(group), "groups are 0 to 30");
        }
      }
    }
    store(trail, &spec_.option);
    for (const Element& flag : trail.element.children) {
      store(trail.child(flag), &spec_.option);
    }
  }

  void read_custom(const Trail& trail) {
    if (trail.element.tag == "numeric") {
      read_numeric(trail);
    } else if (trail.element.tag == "text") {
      Text text;
      text.source = source(trail);
      store(trail, &text);
      if (text.data.empty()) {
        trail.fail("data is missing", "a text is not empty");
      }
      spec_.texts.push_back(std::move(text));
    } else {
      read_tuple(trail);
    }
  }

  void read_numeric(const Trail& trail) {
    Numeric numeric;
    numeric.source = source(trail);
    store(trail, &numeric);
    const bool size_given = trail.element.find("size") != nullptr;
    constexpr int largest = 1 << 20;
    if (size_given && (numeric.size < 1 || numeric.size > largest)) {
      trail.fail("size is " + std::to_string(numeric.size),
                 "it is 1 to " + std::to_string(largest));
    }
    if (!size_given) {
      numeric.size = static_cast<int>(numeric.data.size());
    }
    if (numeric.size < 1) {
      trail.fail("neither size nor data is given", "a numeric is not empty");
    }
    if (numeric.data.size() > static_cast<std::size_t>(numeric.size)) {
      trail.fail("data has more numbers than size says");
    }
    numeric.data.resize(static_cast<std::size_t>(numeric.size));
    spec_.numerics.push_back(std::move(numeric));
  }

  void read_tuple(const Trail& trail) {
    Tuple tuple;
    tuple.source = source(trail);
    store(trail, &tuple);
    for (const Element& element : trail.element.children) {
      Tuple::Entry entry;
      store(trail.child(element), &entry);
      tuple.entries.push_back(std::move(entry));
    }
    if (tuple.entries.empty()) {
      trail.fail("the tuple is empty", "give it elements");
    }
    spec_.tuples.push_back(std::move(tuple));
  }

  void read_asset(const Trail& trail) {
    if (trail.element.tag == "texture") {
      Texture texture = classes_.at(classes_.find(trail, "class", 0)).texture;
      texture.source = source(trail);
      store(trail, &texture);
      if (texture.name.empty()) {
        texture.name = std::filesystem::path(texture.file).stem().string();
      }
      spec_.textures.push_back(std::move(texture));
    } else if (trail.element.tag == "material") {
      Material material = classes_.at(classes_.find(trail, "class", 0)).material;
      material.source = source(trail);
      store(trail, &material);
      spec_.materials.push_back(std::move(material));
    } else if (trail.element.tag == "mesh") {
      Mesh mesh = classes_.at(classes_.find(trail, "class", 0)).mesh;
      mesh.source = source(trail);
      read_mesh_element(trail, spec_.compiler, &mesh);
      spec_.meshes.push_back(std::move(mesh));
    } else if (trail.element.tag == "hfield") {
      HField hfield;
      hfield.source = source(trail);
      read_hfield_element(trail, spec_.compiler, &hfield);
      spec_.hfields.push_back(std::move(hfield));
    }
  }

  void read_contact(const Trail& trail) {
    if (trail.element.tag == "pair") {
      Pair pair = classes_.at(classes_.find(trail, "class", 0)).pair;
      pair.source = source(trail);
      store(trail, &pair);
      spec_.pairs.push_back(std::move(pair));
    } else {
      Exclude exclude;
      exclude.source = source(trail);
      store(trail, &exclude);
      spec_.excludes.push_back(std::move(exclude));
    }
  }

  void read_tendon(const Trail& trail, const Finisher& finisher) {
    Tendon tendon = classes_.at(classes_.find(trail, "class", 0)).tendon;
    tendon.source = source(trail);
    store(trail, &tendon);
    finisher.limit(trail, "range", tendon.limited, tendon.range);
    finisher.limit(trail, "actuatorfrcrange", tendon.actuatorfrclimited, tendon.actuatorfrcrange);
    for (const Element& element : trail.element.children) {
      TendonJoint part;
      part.source = {element.file, element.line};
      store_attributes(element, grammar().rule("fixed/joint"), &part);
      tendon.joints.push_back(std::move(part));
    }
    spec_.tendons.push_back(std::move(tendon));
  }

  void read_actuator(const Trail& trail, const Finisher& finisher) {
    const int index = classes_.find(trail, "class", 0);
    ActuatorDraft draft = classes_.at(index).actuator;
    draft.source = source(trail);
    shape_actuator(trail, grammar().rule(trail.element.tag), classes_, index, &draft);
    settle_target(trail, &draft);
    check_limits(trail, draft, finisher);
    spec_.actuators.push_back(std::move(draft));
  }

  /// What the actuator acts on: the one target that is given.
  static void settle_target(const Trail& trail, ActuatorDraft* draft) {
    constexpr std::string_view choices =
        "give one of 'joint', 'jointinparent', 'tendon' and 'site'";
    const std::pair<const std::string&, TransmissionType> targets[] = {
        {draft->joint, TransmissionType::joint},
        {draft->jointinparent, TransmissionType::jointinparent},
        {draft->tendon, TransmissionType::tendon},
        {draft->site, TransmissionType::site},
    };
    for (const auto& [name, type] : targets) {
      if (name.empty()) {
        continue;
      }
      if (!draft->target.empty()) {
        trail.fail("the actuator acts on two targets, '" + draft->target + "' and '" + name + "'",
                   std::string(choices));
      }
      draft->target = name;
      draft->trntype = type;
    }
    if (draft->target.empty()) {
      trail.fail("the actuator acts on nothing", std::string(choices));
    }
    if (!draft->refsite.empty() && draft->trntype != TransmissionType::site) {
      trail.fail("the actuator has a refsite and acts on no site",
                 "remove refsite, or give 'site'");
    }
  }

  static void check_limits(const Trail& trail, const Actuator& actuator, const Finisher& finisher) {
    const bool integrates = actuator.dyntype == DynType::integrator;
    // a range that is still to be inherited is not there yet
    const bool inherits = actuator.inheritrange > 0.0;
    if (!inherits || integrates) {
      finisher.limit(trail, "ctrlrange", actuator.ctrllimited, actuator.ctrlrange);
    }
    if ((!inherits || !integrates) && actuator.tag != "intvelocity") {
      finisher.limit(trail, "actrange", actuator.actlimited, actuator.actrange);
    }
    finisher.limit(trail, "forcerange", actuator.forcelimited, actuator.forcerange);
    const bool range_given = actuator.actrange[0] != 0.0 || actuator.actrange[1] != 0.0;
    if (actuator.dyntype == DynType::none &&
        (actuator.actlimited == Tristate::yes || range_given)) {
      trail.fail("the actuator has an actrange and no activation",
                 "remove actrange, or give it a dyntype");
    }
    if (actuator.actdim >= 0 && (actuator.actdim > 0) != (actuator.dyntype != DynType::none)) {
      trail.fail("actdim " + std::to_string(actuator.actdim) + " does not fit the dyntype",
                 "remove actdim");
    }
    if (actuator.tag == "damper" && actuator.ctrlrange[0] < 0.0) {
      trail.fail("the ctrlrange of a damper is negative", "damping is at least 0");
    }
  }

  void read_key(const Trail& trail) {
    Key key;
    key.source = source(trail);
    store(trail, &key);
    spec_.keys.push_back(std::move(key));
  }

  const Document& document_;
  Trail root_;
  Classes classes_;
  Spec spec_;
};

}  // namespace

BuiltScene build_scene(const Document& document) {
  return SpecBuilder(document).build();
}

Spec build_spec(const Document& document) {
  return build_scene(document).spec;
}

}  // namespace swept::load_detail
