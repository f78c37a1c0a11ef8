// SPDX-License-Identifier: Apache-2.0
// The kinematic tree. A frame's pose is composed into what it holds; a replicate's content is built
// once, in the replicate's own frame, and then copied. Copy i stands at p_i with rotation i·euler,
// where p_0 = 0 and p_{i+1} = p_i + R_i·offset. The content of an attach is placed likewise.
#include "host/load/attach.h"
#include "host/load/build.h"

#include <algorithm>

namespace swept::load_detail {
namespace {

/// What an element finds around it.
struct Scope {
  Pose frame;
  int childclass = 0;
  bool world = false;       ///< directly in the world body
  bool replicated = false;  ///< directly in a replicate
};

class TreeBuilder {
 public:
  TreeBuilder(const Document& document, const Classes& classes, const Finisher& finisher,
              Spec* spec)
      : classes_(classes), finisher_(finisher), spec_(*spec), attacher_(document, spec) {}

  /// To be called once all sections are read.
  void finish() {
    join_keys(attacher_.keys(), &spec_);
    remove_temporary_names(&spec_);
  }

  void children(const Trail& parent, const Scope& scope, Body* body) {
    for (const Element& element : parent.element.children) {
      const Trail trail = parent.child(element);
      const std::string& tag = element.tag;
      count(trail, 1);
      if (tag == "body") {
        add_body(trail, scope, body);
      } else if (tag == "geom") {
        add_geom(trail, scope, body);
      } else if (tag == "joint" || tag == "freejoint") {
        add_joint(trail, scope, body);
      } else if (tag == "site") {
        add_site(trail, scope, body);
      } else if (tag == "inertial") {
        add_inertial(trail, scope, body);
      } else if (tag == "camera") {
        add_camera(trail, scope, body);
      } else if (tag == "light") {
        add_light(trail, scope, body);
      } else if (tag == "frame") {
        add_frame(trail, scope, body);
      } else if (tag == "replicate") {
        add_replicas(trail, scope, body);
      } else if (tag == "attach") {
        add_attached(trail, scope, body);
      }
    }
  }

 private:
  static const ElementRule& rule(const Trail& trail) { return grammar().rule(trail.element.tag); }

  static Source source(const Trail& trail) { return {trail.element.file, trail.element.line}; }

  void count(const Trail& trail, std::size_t more) {
    if (more > max_elements - count_) {
      trail.fail("the scene has more than " + std::to_string(max_elements) + " elements",
                 "use fewer replicas");
    }
    count_ += more;
  }

  /// The element's record: that of its class, with its own attributes stored over it.
  template <class T>
  T read(const Trail& trail, const Scope& scope, T DefaultClass::*record) {
    T draft = classes_.at(classes_.find(trail, "class", scope.childclass)).*record;
    draft.source = source(trail);
    store_attributes(trail.element, rule(trail), &draft);
    return draft;
  }

  template <class T>
  static void place(const Pose& frame, T* element) {
    const Pose pose = compose(frame, {element->pos, element->quat});
    element->pos = pose.pos;
    element->quat = pose.quat;
  }

  void add_body(const Trail& trail, const Scope& scope, Body* parent) {
    BodyDraft body;
    body.source = source(trail);
    store_attributes(trail.element, rule(trail), &body);
    body.quat = finisher_.quat(trail, body.orientation);
    place(scope.frame, &body);
    Scope inner;
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    children(trail, inner, &body);
    parent->bodies.push_back(std::move(body));
  }

  void add_geom(const Trail& trail, const Scope& scope, Body* body) {
    GeomDraft geom = read(trail, scope, &DefaultClass::geom);
    finisher_.geom(trail, &geom);
    place(scope.frame, &geom);
    body->geoms.push_back(std::move(geom));
  }

  void add_site(const Trail& trail, const Scope& scope, Body* body) {
    SiteDraft site = read(trail, scope, &DefaultClass::site);
    finisher_.site(trail, &site);
    place(scope.frame, &site);
    body->sites.push_back(std::move(site));
  }

  void add_joint(const Trail& trail, const Scope& scope, Body* body) {
    if (scope.world) {
      trail.fail("the world has a joint", "put it in a body");
    }
    if (scope.replicated) {
      trail.fail("a joint stands directly in a replicate", "wrap it in a body");
    }
    Joint joint;
    if (trail.element.tag == "freejoint") {
      // no defaults of any class act on it
      joint.type = JointType::free;
      joint.limited = Tristate::no;
      joint.source = source(trail);
      store_attributes(trail.element, rule(trail), &joint);
    } else {
      joint = read(trail, scope, &DefaultClass::joint);
      finisher_.joint(trail, &joint);
    }
    if (joint.type != JointType::free) {
      joint.pos = compose(scope.frame, {joint.pos, identity_quat}).pos;
      joint.axis = rotate(scope.frame.quat, joint.axis);
    }
    body->joints.push_back(std::move(joint));
  }

  void add_inertial(const Trail& trail, const Scope& scope, Body* body) {
    if (scope.world) {
      trail.fail("the world has an inertial", "put it in a body");
    }
    if (scope.replicated) {
      trail.fail("an inertial stands directly in a replicate", "wrap it in a body");
    }
    if (body->inertial) {
      trail.fail("the body has a second inertial", "there may be one");
    }
    InertialDraft inertial;
    inertial.source = source(trail);
    store_attributes(trail.element, rule(trail), &inertial);
    inertial.quat = finisher_.quat(trail, inertial.orientation);
    place(scope.frame, &inertial);
    body->inertial = std::move(inertial);
  }

  void add_camera(const Trail& trail, const Scope& scope, Body* body) {
    CameraDraft camera = read(trail, scope, &DefaultClass::camera);
    camera.quat = finisher_.quat(trail, camera.orientation);
    finisher_.field_of_view(&camera);
    place(scope.frame, &camera);
    body->cameras.push_back(std::move(camera));
  }

  void add_light(const Trail& trail, const Scope& scope, Body* body) {
    Light light = read(trail, scope, &DefaultClass::light);
    light.pos = compose(scope.frame, {light.pos, identity_quat}).pos;
    light.dir = rotate(scope.frame.quat, light.dir);
    body->lights.push_back(std::move(light));
  }

  void add_frame(const Trail& trail, const Scope& scope, Body* body) {
    FrameDraft frame;
    store_attributes(trail.element, rule(trail), &frame);
    Scope inner = scope;
    inner.frame = compose(scope.frame, {frame.pos, finisher_.quat(trail, frame.orientation)});
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    children(trail, inner, body);
  }

  void add_replicas(const Trail& trail, const Scope& scope, Body* body) {
    ReplicateDraft replicate;
    store_attributes(trail.element, rule(trail), &replicate);
    if (replicate.count < 1) {
      trail.fail("count is " + std::to_string(replicate.count), "it is at least 1");
    }

    // the content, once
    Body content;
    Scope inner;
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    inner.world = scope.world;
    inner.replicated = true;
    children(trail, inner, &content);
    const std::size_t size = std::max<std::size_t>(1, count_elements(content) - 1);
    const auto copies = static_cast<std::size_t>(replicate.count);
    if (copies > max_elements / size) {
      count(trail, max_elements);
    }
    count(trail, size * (copies - 1));

    // names that the copies get
    PartNames names;
    collect_names(content, &names);
    const std::size_t digits = std::to_string(replicate.count).size();
    std::vector<Affix> affixes;
    for (int i = 0; i < replicate.count; ++i) {
      const std::string number = std::to_string(i);
      affixes.push_back({{}, replicate.sep + std::string(digits - number.size(), '0') + number});
    }

    // copies, each one step further
    Pose pose;
    for (int i = 0; i < replicate.count; ++i) {
      Orientation turned = replicate.orientation;
      for (double& angle : turned.numbers) {
        angle *= i;
      }
      pose.quat = finisher_.quat(trail, turned);
      Body copy = content;
      rename_tree(names, affixes[static_cast<std::size_t>(i)], &copy);
      append(compose(scope.frame, pose), std::move(copy), body);
      const Vec3 step = rotate(pose.quat, replicate.offset);
      for (std::size_t k = 0; k < 3; ++k) {
        pose.pos[k] += step[k];
      }
    }
    replicate_references(trail, std::move(names), affixes, &spec_, &attacher_.keys());
  }

  void add_attached(const Trail& trail, const Scope& scope, Body* body) {
    Body content = attacher_.attach(trail);
    count(trail, count_elements(content));
    append(scope.frame, std::move(content), body);
  }

  template <class T>
  static void append_placed(const Pose& pose, std::vector<T>&& from, std::vector<T>* to) {
    for (T& element : from) {
      place(pose, &element);
      to->push_back(std::move(element));
    }
  }

  static void append(const Pose& pose, Body&& from, Body* to) {
    append_placed(pose, std::move(from.geoms), &to->geoms);
    append_placed(pose, std::move(from.sites), &to->sites);
    append_placed(pose, std::move(from.cameras), &to->cameras);
    append_placed(pose, std::move(from.bodies), &to->bodies);
    for (Light& light : from.lights) {
      light.pos = compose(pose, {light.pos, identity_quat}).pos;
      light.dir = rotate(pose.quat, light.dir);
      to->lights.push_back(std::move(light));
    }
  }

  const Classes& classes_;
  const Finisher& finisher_;
  Spec& spec_;
  Attacher attacher_;
  std::size_t count_ = 0;
};

}  // namespace

void build_tree(const Document& document, const Classes& classes, const Finisher& finisher,
                Spec* spec) {
  spec->worldbody.name = "world";
  TreeBuilder builder(document, classes, finisher, spec);
  const Trail root{document, document.root};
  for (const Element& section : document.root.children) {
    if (section.tag == "worldbody") {
      if (spec->worldbody.source.file < 0) {
        spec->worldbody.source = {section.file, section.line};
      }
      Scope scope;
      scope.world = true;
      builder.children(root.child(section), scope, &spec->worldbody);
    }
  }
  builder.finish();
}

}  // namespace swept::load_detail
