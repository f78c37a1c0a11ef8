// SPDX-License-Identifier: Apache-2.0
// From a checked Document to a Spec. Sections are taken by kind, not in document order: settings,
// default classes, assets, what refers to the tree, keyframes, and the tree last, so that
// `replicate` can copy what refers to its content.
#pragma once

#include "host/load/authored.h"
#include "host/load/draft.h"
#include "host/load/element.h"
#include "host/load/grammar.h"
#include "host/load/keys.h"
#include "host/load/names.h"
#include "host/load/part.h"

#include <swept/spec.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace swept::load_detail {

/// A scene may have this many elements after replication.
inline constexpr std::size_t max_elements = std::size_t{1} << 20;

/// The default classes of a scene, by index and name. Class 0 is "main".
class Classes {
 public:
  Classes();

  /// Reads one top-level `default` section.
  void read(const Trail& section);

  const DefaultClass& at(int index) const { return classes_[static_cast<std::size_t>(index)]; }

  /// The class that an element names with `attribute`, or `otherwise` if it names none. Throws for
  /// an unknown class.
  int find(const Trail& element, std::string_view attribute, int otherwise) const;

 private:
  void read_into(const Trail& section, int index);

  std::vector<DefaultClass> classes_;
  std::map<std::string, int> by_name_;
};

/// Reads an actuator element, or the default record of one.
///   draft     in: the record of its class; out: the element in general form
///   classes   to search for the parameters of its own kind; index: its class
///   rule      of the element or of its default record
void shape_actuator(const Trail& element, const ElementRule& rule, const Classes& classes,
                    int index, ActuatorDraft* draft);

/// Turns what was read into what a Spec holds: radians, quaternions, fromto.
class Finisher {
 public:
  Finisher(const CompilerSettings& compiler, AngleRules angles)
      : compiler_(compiler), angles_(std::move(angles)) {}

  const AngleRules& angles() const { return angles_; }

  Quat quat(const Trail& element, const Orientation& orientation) const;
  void joint(const Trail& element, Joint* joint) const;
  void geom(const Trail& element, GeomDraft* geom) const;
  void site(const Trail& element, SiteDraft* site) const;

  /// The vertical field of view of a camera with a sensor follows from its focal length.
  void field_of_view(CameraDraft* camera) const;

  /// A limited flag without a range is an error, and a range without a flag where autolimits is
  /// off.
  void limit(const Trail& element, std::string_view range_name, Tristate limited,
             const Vec2& range) const;

 private:
  void segment(const Trail& element, const Segment& fromto, GeomType type, Vec3* size, Vec3* pos,
               Quat* quat) const;

  const CompilerSettings& compiler_;
  AngleRules angles_;
};

/// Replaces what refers to `names` from outside the tree by one copy per affix.
///   keys   of attached models; they follow the first copy
void replicate_references(const Trail& element, PartNames names, const std::vector<Affix>& affixes,
                          Spec* spec, std::vector<PartialKey>* keys);

/// The number of elements in a subtree, itself included.
std::size_t count_elements(const Body& body);

/// Reads the sections `worldbody` into spec->worldbody.
///   settings   of this scene; attached models may add to them
/// Returns the frames of the tree.
std::vector<Frame> build_tree(const Document& document, const Classes& classes,
                              const Finisher& finisher, AuthoredSettings* settings, Spec* spec);

/// Throws for repeated names and for references to what is not there.
void check_references(const Spec& spec);

/// A scene with what another scene that attaches it wants to know.
struct BuiltScene {
  Spec spec;
  std::vector<Frame> frames;
  AuthoredSettings settings;
};

/// The whole document, which must outlive the settings. Throws Error.
BuiltScene build_scene(const Document& document);

/// The same, for a scene that nobody attaches.
Spec build_spec(const Document& document);

}  // namespace swept::load_detail
