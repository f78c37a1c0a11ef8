// SPDX-License-Identifier: Apache-2.0
// The kinematic tree. A frame's pose is composed into what it holds; a replicate's content is built
// once, in the replicate's own frame, and then copied. Copy i stands at p_i with rotation i·euler,
// where p_0 = 0 and p_{i+1} = p_i + R_i·offset. The content of an attach is placed likewise. Bodies
// and frames are in their place before their content is read, for an attach inside them may name
// them: it copies what is there so far.
#include "host/load/attach.h"
#include "host/load/build.h"

#include <algorithm>

namespace swept::load_detail {
namespace {

/// What an element finds around it.
struct Scope {
  Pose frame;
  int frame_index = -1;  ///< of the frame; -1: directly in the body
  int childclass = 0;
  bool world = false;       ///< directly in the world body
  bool replicated = false;  ///< directly in a replicate
};

class TreeBuilder {
 public:
  TreeBuilder(const Document& document, const Classes& classes, const Finisher& finisher,
              AuthoredSettings* settings, Spec* spec)
      : classes_(classes), finisher_(finisher), spec_(*spec), attacher_(document, settings, spec) {
    world_.root.name = "world";
    open_.push_back({&world_, {}});
  }

  /// One section `worldbody`.
  void read(const Trail& section) {
    if (world_.root.source.file < 0) {
      world_.root.source = source(section);
    }
    Scope scope;
    scope.world = true;
    children(section, scope);
  }

  /// To be called once all sections are read. Returns the frames.
  std::vector<Frame> finish() {
    NameSet names;
    for (const Frame& frame : world_.frames) {
      if (!frame.name.empty() && !names.insert(frame.name).second) {
        throw spec_.error(frame.source, "frame '" + frame.name + "'", "the name is given twice",
                          "names are unique within a kind");
      }
    }
    spec_.worldbody = std::move(world_.root);
    join_keys(attacher_.keys(), &spec_);
    remove_temporary_names(&spec_);
    return std::move(world_.frames);
  }

 private:
  void children(const Trail& parent, const Scope& scope) {
    for (const Element& element : parent.element.children) {
      const Trail trail = parent.child(element);
      const std::string& tag = element.tag;
      count(trail, 1);
      if (tag == "body") {
        add_body(trail, scope);
      } else if (tag == "geom") {
        add_geom(trail, scope);
      } else if (tag == "joint" || tag == "freejoint") {
        add_joint(trail, scope);
      } else if (tag == "site") {
        add_site(trail, scope);
      } else if (tag == "inertial") {
        add_inertial(trail, scope);
      } else if (tag == "camera") {
        add_camera(trail, scope);
      } else if (tag == "light") {
        add_light(trail, scope);
      } else if (tag == "frame") {
        add_frame(trail, scope);
      } else if (tag == "replicate") {
        add_replicas(trail, scope);
      } else if (tag == "attach") {
        add_attached(trail, scope);
      }
    }
  }

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

  Part& part() { return *open_.back().part; }
  Body& body() { return body_at(open_.back().path, &part().root); }

  /// Appends to a list of the body that is being read.
  template <class T>
  void add(const Scope& scope, T element, std::vector<T> Body::*list) {
    append(scope.frame, scope.frame_index, std::move(element), &(body().*list), &part());
  }

  void add_body(const Trail& trail, const Scope& scope) {
    BodyDraft draft;
    draft.source = source(trail);
    store_attributes(trail.element, rule(trail), &draft);
    draft.quat = finisher_.quat(trail, draft.orientation);
    // in its place before its content is read, which may attach it
    add(scope, static_cast<Body>(std::move(draft)), &Body::bodies);
    open_.back().path.push_back(body().bodies.size() - 1);
    Scope inner;
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    children(trail, inner);
    open_.back().path.pop_back();
  }

  void add_geom(const Trail& trail, const Scope& scope) {
    GeomDraft geom = read(trail, scope, &DefaultClass::geom);
    finisher_.geom(trail, &geom);
    add(scope, static_cast<Geom>(std::move(geom)), &Body::geoms);
  }

  void add_site(const Trail& trail, const Scope& scope) {
    SiteDraft site = read(trail, scope, &DefaultClass::site);
    finisher_.site(trail, &site);
    add(scope, static_cast<Site>(std::move(site)), &Body::sites);
  }

  void add_joint(const Trail& trail, const Scope& scope) {
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
    add(scope, std::move(joint), &Body::joints);
  }

  void add_inertial(const Trail& trail, const Scope& scope) {
    if (scope.world) {
      trail.fail("the world has an inertial", "put it in a body");
    }
    if (scope.replicated) {
      trail.fail("an inertial stands directly in a replicate", "wrap it in a body");
    }
    if (body().inertial) {
      trail.fail("the body has a second inertial", "there may be one");
    }
    InertialDraft inertial;
    inertial.source = source(trail);
    store_attributes(trail.element, rule(trail), &inertial);
    inertial.quat = finisher_.quat(trail, inertial.orientation);
    place<Inertial>(scope.frame, &inertial);
    body().inertial = std::move(inertial);
  }

  void add_camera(const Trail& trail, const Scope& scope) {
    CameraDraft camera = read(trail, scope, &DefaultClass::camera);
    camera.quat = finisher_.quat(trail, camera.orientation);
    finisher_.field_of_view(&camera);
    add(scope, static_cast<Camera>(std::move(camera)), &Body::cameras);
  }

  void add_light(const Trail& trail, const Scope& scope) {
    Light light = read(trail, scope, &DefaultClass::light);
    add(scope, std::move(light), &Body::lights);
  }

  /// A frame in the body that is being read. Returns its index.
  int open_frame(Item item, const Scope& scope, const Pose& pose) {
    std::vector<Frame>& frames = part().frames;
    frames.push_back({std::move(item), scope.frame_index, pose, open_.back().path, {}});
    return static_cast<int>(frames.size()) - 1;
  }

  void add_frame(const Trail& trail, const Scope& scope) {
    FrameDraft draft;
    store_attributes(trail.element, rule(trail), &draft);
    Item item;
    item.source = source(trail);
    if (const std::string* const name = trail.element.find("name")) {
      item.name = *name;
    }
    const Pose pose{draft.pos, finisher_.quat(trail, draft.orientation)};
    Scope inner = scope;
    inner.frame = compose(scope.frame, pose);
    inner.frame_index = open_frame(std::move(item), scope, pose);
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    children(trail, inner);
    part().frames[static_cast<std::size_t>(inner.frame_index)].open = false;
  }

  void add_replicas(const Trail& trail, const Scope& scope) {
    ReplicateDraft replicate;
    store_attributes(trail.element, rule(trail), &replicate);
    if (replicate.count < 1) {
      trail.fail("count is " + std::to_string(replicate.count), "it is at least 1");
    }

    // the content, once
    Part content;
    Scope inner;
    inner.childclass = classes_.find(trail, "childclass", scope.childclass);
    inner.world = scope.world;
    inner.replicated = true;
    open_.push_back({&content, {}});
    children(trail, inner);
    open_.pop_back();
    const std::size_t size = std::max<std::size_t>(1, count_elements(content.root) - 1);
    const auto copies = static_cast<std::size_t>(replicate.count);
    if (copies > max_elements / size) {
      count(trail, max_elements);
    }
    count(trail, size * (copies - 1));

    // names that the copies get
    PartNames names;
    collect_names(content.root, &names);
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
      Part copy = content;
      rename_part(names, affixes[static_cast<std::size_t>(i)], &copy);
      // a replica stands in a frame of its own
      const int frame = open_frame({}, scope, pose);
      part().frames.back().open = false;
      append(compose(scope.frame, pose), frame, std::move(copy), open_.back().path, &part());
      const Vec3 step = rotate(pose.quat, replicate.offset);
      for (std::size_t k = 0; k < 3; ++k) {
        pose.pos[k] += step[k];
      }
    }
    replicate_references(trail, std::move(names), affixes, &spec_, &attacher_.keys());
  }

  void add_attached(const Trail& trail, const Scope& scope) {
    const std::size_t before = count_references();
    Part content = attacher_.attach(trail, open_);
    count(trail, count_elements(content.root));
    count(trail, count_references() - before);
    if (!content.root.joints.empty() && scope.world) {
      trail.fail("the frame holds joints, and the world has none", "attach it in a body");
    }
    if (!content.root.joints.empty() && scope.replicated) {
      trail.fail("the frame holds joints and is attached directly in a replicate",
                 "wrap the attach in a body");
    }
    append(scope.frame, scope.frame_index, std::move(content), open_.back().path, &part());
  }

  std::size_t count_references() const {
    return spec_.pairs.size() + spec_.excludes.size() + spec_.tendons.size() +
           spec_.actuators.size() + spec_.tuples.size();
  }

  const Classes& classes_;
  const Finisher& finisher_;
  Spec& spec_;
  Attacher attacher_;
  Part world_;
  std::vector<OpenPart> open_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<Frame> build_tree(const Document& document, const Classes& classes,
                              const Finisher& finisher, AuthoredSettings* settings, Spec* spec) {
  TreeBuilder builder(document, classes, finisher, settings, spec);
  const Trail root{document, document.root};
  for (const Element& section : document.root.children) {
    if (section.tag == "worldbody") {
      builder.read(root.child(section));
    }
  }
  return builder.finish();
}

}  // namespace swept::load_detail
