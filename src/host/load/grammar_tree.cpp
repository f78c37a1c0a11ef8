// SPDX-License-Identifier: Apache-2.0
// Grammar: the kinematic tree (worldbody, body, joint, geom, site, camera, light, frame,
// replicate), assets that the tree refers to, and the default classes of all of these.
#include "host/load/grammar.h"
#include "host/load/setters.h"

namespace swept::load_detail {
namespace {

constexpr std::string_view truth = "false|true";
constexpr std::string_view auto_truth = "false|true|auto";
constexpr std::string_view track_modes = "fixed|track|trackcom|targetbody|targetbodycom";
constexpr std::string_view orientations = "quat axisangle xyaxes zaxis euler";

template <class T>
constexpr Row orientation_rows[] = {
    {"quat", "r4", put_orientation<T, Orientation::quat>},
    {"axisangle", "r4", put_orientation<T, Orientation::axisangle>},
    {"xyaxes", "r6", put_orientation<T, Orientation::xyaxes>},
    {"zaxis", "r3", put_orientation<T, Orientation::zaxis>},
    {"euler", "r3", put_orientation<T, Orientation::euler>},
};

/// The attributes that an element has and its default record has not.
template <class T>
constexpr Row named_rows[] = {
    {"name", "s", put<T, &T::name>},
    {"class", "s"},
};

constexpr Row joint_rows[] = {
    {"type", "free|ball|slide|hinge", put<Joint, &Joint::type>},
    {"group", "i1", put<Joint, &Joint::group>},
    {"pos", "r3", put<Joint, &Joint::pos>},
    {"axis", "r3", put<Joint, &Joint::axis>},
    {"springdamper", "r2", put<Joint, &Joint::springdamper>},
    {"limited", auto_truth, put<Joint, &Joint::limited>},
    {"actuatorfrclimited", auto_truth, put<Joint, &Joint::actuatorfrclimited>},
    {"solreflimit", "r<2", put<Joint, &Joint::solreflimit>},
    {"solimplimit", "r<5", put<Joint, &Joint::solimplimit>},
    {"solreffriction", "r<2", put<Joint, &Joint::solreffriction>},
    {"solimpfriction", "r<5", put<Joint, &Joint::solimpfriction>},
    {"stiffness", "r<3", put<Joint, &Joint::stiffness>},
    {"range", "r2", put<Joint, &Joint::range>},
    {"actuatorfrcrange", "r2", put<Joint, &Joint::actuatorfrcrange>},
    {"actuatorgravcomp", truth, put<Joint, &Joint::actuatorgravcomp>},
    {"margin", "r1", put<Joint, &Joint::margin>},
    {"ref", "r1", put<Joint, &Joint::ref>},
    {"springref", "r1", put<Joint, &Joint::springref>},
    {"springyield", "r1", nullptr, "0"},
    {"armature", "r1", put<Joint, &Joint::armature>},
    {"damping", "r<3", put<Joint, &Joint::damping>},
    {"frictionloss", "r1", put<Joint, &Joint::frictionloss>},
    {"user", "r*", put<Joint, &Joint::user>},
};

constexpr Row freejoint_rows[] = {
    {"name", "s", put<Joint, &Joint::name>},
    {"group", "i1", put<Joint, &Joint::group>},
    {"align", auto_truth, put<Joint, &Joint::align>},
};

constexpr Row geom_rows[] = {
    {"type", "plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf",
     put<GeomDraft, &GeomDraft::type>, "plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh"},
    {"contype", "i1", put<GeomDraft, &GeomDraft::contype>},
    {"conaffinity", "i1", put<GeomDraft, &GeomDraft::conaffinity>},
    {"condim", "i1", put<GeomDraft, &GeomDraft::condim>},
    {"group", "i1", put<GeomDraft, &GeomDraft::group>},
    {"priority", "i1", put<GeomDraft, &GeomDraft::priority>},
    {"size", "r<3", put<GeomDraft, &GeomDraft::size>},
    {"material", "s", put<GeomDraft, &GeomDraft::material>},
    {"friction", "r<3", put<GeomDraft, &GeomDraft::friction>},
    {"mass", "r1", put<GeomDraft, &GeomDraft::mass>},
    {"density", "r1", put<GeomDraft, &GeomDraft::density>},
    {"shellinertia", truth, put<GeomDraft, &GeomDraft::shellinertia>},
    {"solmix", "r1", put<GeomDraft, &GeomDraft::solmix>},
    {"solref", "r<2", put<GeomDraft, &GeomDraft::solref>},
    {"solimp", "r<5", put<GeomDraft, &GeomDraft::solimp>},
    {"margin", "r1", put<GeomDraft, &GeomDraft::margin>},
    {"gap", "r1", put<GeomDraft, &GeomDraft::gap>},
    {"surfacevel", "r<6", put<GeomDraft, &GeomDraft::surfacevel>},
    {"adhesion", "r1", nullptr, "0"},
    {"fluidshape", "none|ellipsoid", put<GeomDraft, &GeomDraft::fluid_ellipsoid>},
    {"fluidcoef", "r<5", put<GeomDraft, &GeomDraft::fluidcoef>},
    {"fromto", "r6", put<GeomDraft, &GeomDraft::fromto>},
    {"pos", "r3", put<GeomDraft, &GeomDraft::pos>},
    {"hfield", "s", put<GeomDraft, &GeomDraft::hfield>},
    {"mesh", "s", put<GeomDraft, &GeomDraft::mesh>},
    {"fitscale", "r1", put<GeomDraft, &GeomDraft::fitscale>},
    {"rgba", "r4", put<GeomDraft, &GeomDraft::rgba>},
    {"castshadow", truth, put<GeomDraft, &GeomDraft::castshadow>},
    {"user", "r*", put<GeomDraft, &GeomDraft::user>},
};

constexpr Row site_rows[] = {
    // keywords in the order of GeomType, so that positions are its values
    {"type", "plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh",
     put<SiteDraft, &SiteDraft::type>, "sphere|capsule|ellipsoid|cylinder|box"},
    {"group", "i1", put<SiteDraft, &SiteDraft::group>},
    {"size", "r<3", put<SiteDraft, &SiteDraft::size>},
    {"material", "s", put<SiteDraft, &SiteDraft::material>},
    {"mesh", "s", nullptr, "-"},
    {"fromto", "r6", put<SiteDraft, &SiteDraft::fromto>},
    {"pos", "r3", put<SiteDraft, &SiteDraft::pos>},
    {"rgba", "r4", put<SiteDraft, &SiteDraft::rgba>},
    {"user", "r*", put<SiteDraft, &SiteDraft::user>},
};

void put_projection(void* target, const Value& value) {
  static_cast<CameraDraft*>(target)->orthographic = value.keyword == 1;
}

constexpr Row camera_rows[] = {
    {"mode", track_modes, put<CameraDraft, &CameraDraft::mode>},
    {"projection", "perspective|orthographic", put_projection},
    {"fovy", "r1", put<CameraDraft, &CameraDraft::fovy>},
    {"ipd", "r1", put<CameraDraft, &CameraDraft::ipd>},
    {"resolution", "i2", put<CameraDraft, &CameraDraft::resolution>},
    {"sensorsize", "r2", put<CameraDraft, &CameraDraft::sensorsize>},
    {"focal", "r2", put<CameraDraft, &CameraDraft::focal>},
    {"focalpixel", "r2", put<CameraDraft, &CameraDraft::focalpixel>},
    {"pos", "r3", put<CameraDraft, &CameraDraft::pos>},
    {"user", "r*", put<CameraDraft, &CameraDraft::user>},
};

constexpr std::string_view camera_plain =
    "output:+rgb|depth|distance|normal|segmentation "
    "principal:r2 principalpixel:r2";

void put_directional(void* target, const Value& value) {
  static_cast<Light*>(target)->type = value.keyword == 1 ? "directional" : "spot";
}

constexpr Row light_rows[] = {
    {"mode", track_modes, put<Light, &Light::mode>},
    {"type", "spot|directional|point|image", put<Light, &Light::type>},
    {"directional", truth, put_directional},
    {"active", truth, put<Light, &Light::active>},
    {"castshadow", truth, put<Light, &Light::castshadow>},
    {"pos", "r3", put<Light, &Light::pos>},
    {"dir", "r3", put<Light, &Light::dir>},
};

constexpr std::string_view light_plain =
    "diffuse:r3 intensity:r1 ambient:r3 specular:r3 range:r1 bulbradius:r1 attenuation:r3 "
    "cutoff:r1 softness:r1 exponent:r1";

constexpr Row camera_target_row[] = {{"target", "s", put<CameraDraft, &CameraDraft::target>}};
constexpr Row light_target_row[] = {{"target", "s", put<Light, &Light::target>}};

void put_simple(void* target, const Value& value) {
  static_cast<BodyDraft*>(target)->simple = value.keyword == 1;
}

constexpr Row body_rows[] = {
    {"name", "s", put<BodyDraft, &BodyDraft::name>},
    {"pos", "r3", put<BodyDraft, &BodyDraft::pos>},
    {"mocap", truth, put<BodyDraft, &BodyDraft::mocap>},
    {"gravcomp", "r1", put<BodyDraft, &BodyDraft::gravcomp>},
    {"simple", "false|auto", put_simple},
    {"user", "r*", put<BodyDraft, &BodyDraft::user>},
};

// the sleep policy acts with the flag `sleep` only, `fuse` with fusestatic only
constexpr std::string_view body_plain =
    "childclass:s sleep:auto|never|allowed|init fuse:false|auto";

constexpr Row inertial_rows[] = {
    {"pos", "r3!", put<InertialDraft, &InertialDraft::pos>},
    {"mass", "r1!", put<InertialDraft, &InertialDraft::mass>},
    {"diaginertia", "r3", put<InertialDraft, &InertialDraft::diaginertia>},
    {"fullinertia", "r6", put<InertialDraft, &InertialDraft::fullinertia>},
};

constexpr Row frame_rows[] = {
    {"pos", "r3", put<FrameDraft, &FrameDraft::pos>},
    {"scale", "r*", nullptr, "1"},
    {"massscale", "r1", nullptr, "0|1"},
};

constexpr Row replicate_rows[] = {
    {"count", "i1!", put<ReplicateDraft, &ReplicateDraft::count>},
    {"sep", "s", put<ReplicateDraft, &ReplicateDraft::sep>},
    {"offset", "r3", put<ReplicateDraft, &ReplicateDraft::offset>},
    {"euler", "r3", put_orientation<ReplicateDraft, Orientation::euler>},
};

constexpr Row texture_rows[] = {
    {"type", "2d|cube|skybox", put<Texture, &Texture::type>},
};

constexpr Row texture_file_rows[] = {{"file", "s", put<Texture, &Texture::file>}};

constexpr std::string_view texture_plain =
    "colorspace:auto|linear|sRGB gridsize:i2 gridlayout:s builtin:none|gradient|checker|flat "
    "rgb1:r3 rgb2:r3 mark:none|edge|cross|random markrgb:r3 random:r1 width:i1 height:i1 "
    "hflip:false|true vflip:false|true nchannel:i1 embed:false|true|auto";

constexpr Row material_rows[] = {
    {"texture", "s", put<Material, &Material::texture>},
    {"rgba", "r4", put<Material, &Material::rgba>},
};

constexpr std::string_view material_plain =
    "texrepeat:r2 texuniform:false|true emission:r1 specular:r1 shininess:r1 reflectance:r1 "
    "metallic:r1 roughness:r1";

constexpr std::string_view tree_children =
    "inertial joint freejoint geom site camera light body frame replicate attach flexcomp "
    "plugin=plugin-use";

void add_asset_rules(Grammar* grammar) {
  grammar->add("asset", Support::yes, "texture material mesh hfield skin model", {});
  grammar->add("texture", Support::yes, "", {named_rows<Texture>, texture_rows, texture_file_rows},
               texture_plain);
  grammar->add("material", Support::yes, "layer", {named_rows<Material>, material_rows},
               material_plain);
  grammar->add("model", Support::yes, "", {}, "name:s file:s! content_type:s");
  grammar->add("layer", Support::yes, "", {}, "texture:s! role:s!");
}

}  // namespace

void add_default_rules(Grammar* grammar) {
  grammar->add("default", Support::yes,
               "mesh=default/mesh? texture=default/texture? material=default/material? "
               "joint=default/joint? geom=default/geom? site=default/site? "
               "camera=default/camera? light=default/light? pair=default/pair? "
               "equality=default/equality? tendon=default/tendon? general=default/general? "
               "motor=default/motor? position=default/position? velocity=default/velocity? "
               "intvelocity=default/intvelocity? orientation=default/orientation? "
               "pid=default/pid? damper=default/damper? cylinder=default/cylinder? "
               "muscle=default/muscle? adhesion=default/adhesion? dcmotor=default/dcmotor? "
               "default",
               {}, "class:s");
  // equalities are refused where they stand, so their defaults have nothing to act on
  grammar->add("default/equality", Support::yes, "", {}, "active:false|true solref:r<2 solimp:r<5");
  grammar->add("default/texture", Support::yes, "", {texture_rows}, texture_plain);
  grammar->add("default/material", Support::yes, "layer", {material_rows}, material_plain);
  grammar->add("default/joint", Support::yes, "", {joint_rows});
  grammar->add("default/geom", Support::yes, "", {geom_rows, orientation_rows<GeomDraft>});
  grammar->add("default/site", Support::yes, "", {site_rows, orientation_rows<SiteDraft>});
  grammar->add("default/camera", Support::yes, "", {camera_rows, orientation_rows<CameraDraft>},
               camera_plain);
  grammar->add("default/light", Support::yes, "", {light_rows}, light_plain);
  for (const std::string_view id : {"default/geom", "default/site", "default/camera"}) {
    grammar->exclusive(id, orientations);
  }
  grammar->exclusive("default/light", "type directional");
}

void add_tree_rules(Grammar* grammar) {
  grammar->add("worldbody", Support::yes, tree_children, {});
  grammar->add("body", Support::yes, tree_children, {body_rows, orientation_rows<BodyDraft>},
               body_plain);
  grammar->add("frame", Support::yes, tree_children, {frame_rows, orientation_rows<FrameDraft>},
               "name:s childclass:s scaling:similar|geometry");
  // a prefix is read and does nothing, as in the official library
  grammar->add("replicate", Support::yes, tree_children, {replicate_rows},
               "name:s childclass:s prefix:s");
  grammar->add("attach", Support::yes, "", {}, "model:s body:s frame:s prefix:s!");
  grammar->exclusive("attach", "body frame");
  grammar->add("inertial", Support::yes, "", {inertial_rows, orientation_rows<InertialDraft>});
  grammar->add("joint", Support::yes, "", {named_rows<Joint>, joint_rows});
  grammar->add("freejoint", Support::yes, "", {freejoint_rows});
  grammar->add("geom", Support::yes, "plugin=plugin-use",
               {named_rows<GeomDraft>, geom_rows, orientation_rows<GeomDraft>});
  grammar->add("site", Support::yes, "",
               {named_rows<SiteDraft>, site_rows, orientation_rows<SiteDraft>});
  grammar->add(
      "camera", Support::yes, "",
      {named_rows<CameraDraft>, camera_rows, camera_target_row, orientation_rows<CameraDraft>},
      camera_plain);
  grammar->add("light", Support::yes, "", {named_rows<Light>, light_rows, light_target_row},
               "texture:s diffuse:r3 intensity:r1 ambient:r3 specular:r3 range:r1 bulbradius:r1 "
               "attenuation:r3 cutoff:r1 softness:r1 exponent:r1");
  for (const std::string_view id : {"body", "frame", "geom", "site", "camera"}) {
    grammar->exclusive(id, orientations);
  }
  grammar->exclusive("inertial", "fullinertia quat axisangle xyaxes zaxis euler");
  grammar->exclusive("inertial", "fullinertia diaginertia");
  grammar->exclusive("light", "type directional");
  add_asset_rules(grammar);
}

}  // namespace swept::load_detail
