// SPDX-License-Identifier: Apache-2.0
// Grammar: what is MJCF and what swept does not support: skins, flexes,
// plugins, spatial tendons, equalities, further actuators, sensors. They are known in
// full, so that a scene with them is told apart from a scene with mistakes.
#include "host/load/grammar.h"

#include <deque>
#include <string>

namespace swept::load_detail {
namespace {

/// Joined attribute lists, kept for as long as the table that refers to them.
std::string_view keep(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

constexpr std::string_view orientations = "quat axisangle xyaxes zaxis euler";

constexpr std::string_view orientation_types = " quat:r4 axisangle:r4 xyaxes:r6 zaxis:r3 euler:r3";

void add_assets(Grammar* grammar) {
  grammar->add("skin", Support::no, "bone", {},
               "name:s file:s vertex:r* texcoord:r* face:i* inflate:r1 material:s rgba:r4 "
               "group:i1");
  grammar->add("bone", Support::no, "", {},
               "body:s! bindpos:r3! bindquat:r4! vertid:i*! vertweight:r*!");
}

void add_tree_elements(Grammar* grammar) {
  grammar->add("flexcomp", Support::no,
               "edge=flexcomp/edge? elasticity? contact=flex/contact? pin plugin=plugin-use", {},
               keep("name:s! dim:i1 dof:full|radial|trilinear|quadratic|2d "
                    "type:grid|box|cylinder|ellipsoid|disc|circle|mesh|gmsh|direct count:i<3 "
                    "cellcount:i<3 spacing:r<3 point:r* element:i* texcoord:r* mass:r1 "
                    "inertiabox:r1 file:s mesh:s rigid:false|true pos:r3 scale:r3 origin:r3 "
                    "radius:r1 rgba:r4 group:i1 flatskin:false|true material:s" +
                    std::string(orientation_types)));
  grammar->exclusive("flexcomp", orientations);
  grammar->add("flexcomp/edge", Support::no, "", {},
               "equality:false|true|strain solref:r<2 solimp:r<5 stiffness:r1 damping:r1");
  grammar->add("elasticity", Support::no, "", {},
               "young:r1 poisson:r1 shear:r1 damping:r1 thickness:r1 yield:r<2 "
               "elastic2d:none|bend|stretch|both section:circle|box sectionsize:r<2");
  grammar->add("flex/contact", Support::no, "", {},
               "contype:i1 conaffinity:i1 condim:i1 priority:i1 friction:r<3 solmix:r1 solref:r<2 "
               "solimp:r<5 margin:r1 gap:r1 selfcollide:none|narrow|bvh|sap|auto activelayers:i1 "
               "passive:false|true");
  grammar->add("pin", Support::no, "", {}, "id:i* range:i* grid:i* gridrange:i*");
  grammar->add("deformable", Support::yes, "flex skin", {});
  grammar->add("flex", Support::no, "contact=flex/contact? edge=flex/edge? elasticity?", {},
               "name:s dim:i1 radius:r1 body:s vertex:r* texcoord:r* elemtexcoord:i* element:i* "
               "flatskin:false|true material:s rgba:r4 group:i1 node:s nodecoord:r* cellcount:i<3 "
               "dof:s");
  grammar->add("flex/edge", Support::no, "", {}, "stiffness:r1 damping:r1");
}

void add_plugins(Grammar* grammar) {
  grammar->add("extension", Support::yes, "plugin", {});
  grammar->add("plugin", Support::no, "instance config", {}, "plugin:s!");
  grammar->add("instance", Support::no, "config", {}, "name:s!");
  grammar->add("config", Support::no, "", {}, "key:s value:s");
  grammar->add("plugin-use", Support::no, "config", {}, "plugin:s instance:s");
}

void add_tendons_and_equalities(Grammar* grammar) {
  grammar->add("spatial", Support::no, "site=spatial/site geom=spatial/geom pulley", {},
               "name:s class:s group:i1 limited:false|true|auto "
               "actuatorfrclimited:false|true|auto range:r2 actuatorfrcrange:r2 solreflimit:r<2 "
               "solimplimit:r<5 solreffriction:r<2 solimpfriction:r<5 margin:r1 frictionloss:r1 "
               "springlength:r<2 springyield:r1 stiffness:r<3 damping:r<3 armature:r1 width:r1 "
               "material:s rgba:r4 user:r*");
  grammar->add("spatial/site", Support::no, "", {}, "site:s!");
  grammar->add("spatial/geom", Support::no, "", {}, "geom:s! sidesite:s");
  grammar->add("pulley", Support::no, "", {}, "divisor:r1!");

  grammar->add("equality", Support::yes,
               "connect=equality/connect weld=equality/weld joint=equality/joint "
               "tendon=equality/tendon flex=equality/flex flexstrain=equality/flexstrain",
               {});
  const std::string base = "name:s class:s active:false|true solref:r<2 solimp:r<5 ";
  const std::pair<std::string_view, std::string_view> kinds[] = {
      {"equality/connect", "body1:s body2:s anchor:r3 site1:s site2:s"},
      {"equality/weld", "body1:s body2:s relpose:r7 anchor:r3 site1:s site2:s torquescale:r1"},
      {"equality/joint", "joint1:s! joint2:s polycoef:r<5"},
      {"equality/tendon", "tendon1:s! tendon2:s polycoef:r<5"},
      {"equality/flex", "flex:s!"},
      {"equality/flexstrain", "flex:s! cell:i<3"},
  };
  for (const auto& [id, own] : kinds) {
    grammar->add(id, Support::no, "", {}, keep(base + std::string(own)));
  }
}

void add_actuators(Grammar* grammar) {
  // history, limits and user data; then what drives one scalar; then where it acts
  const std::string base =
      "group:i1 nsample:i1 interp:zoh|linear|cubic delay:r1 ctrlrange:r2 "
      "forcelimited:false|true|auto forcerange:r2 user:r* ";
  const std::string scalar =
      "ctrllimited:false|true|auto gear:r<6 damping:r<3 armature:r1 cranklength:r1 ";
  const std::string named = "name:s class:s ";
  const std::string joined =
      "joint:s jointinparent:s tendon:s slidersite:s cranksite:s lengthrange:r2 ";
  const std::string sites = "site:s refsite:s ";
  struct Kind {
    std::string_view tag;
    std::string record;  ///< in defaults and elements
    std::string only;    ///< in elements
  };
  const Kind kinds[] = {
      {"orientation", base + "kp:r1 kv:r1 dampratio:r1 input:expmap|quat ", "joint:s " + sites},
      {"pid",
       base + scalar +
           "posrange:r2 velrange:r2 ffrange:r2 kp:r1 kv:r1 dampratio:r1 ki:r1 imax:r1 slewmax:r1 "
           "inheritrange:r1 input:+pos|vel|ff ",
       joined + sites},
      {"muscle",
       base + scalar +
           "timeconst:r2 range:r2 force:r1 scale:r1 lmin:r1 lmax:r1 vmax:r1 fpmax:r1 fvmax:r1 ",
       joined + "tausmooth:r1 "},
      {"adhesion", base + "gain:r1 ", "body:s! "},
      {"dcmotor",
       base + scalar +
           "motorconst:r<2 resistance:r1 nominal:r<3 saturation:r<3 inductance:r<2 cogging:r<3 "
           "controller:r<6 thermal:r<6 lugre:r<5 input:+pos|vel|ff|voltage ",
       joined + sites},
  };
  for (const Kind& kind : kinds) {
    grammar->add(kind.tag, Support::no, "", {}, keep(named + kind.record + kind.only));
    grammar->add(keep("default/" + std::string(kind.tag)), Support::no, "", {}, keep(kind.record));
  }
  grammar->add("actuator/plugin", Support::no, "config", {},
               keep(named + base + scalar + joined +
                    "site:s plugin:s instance:s actlimited:false|true|auto actrange:r2 actdim:i1 "
                    "actearly:false|true dynprm:r<10 "
                    "dyntype:none|integrator|filter|filterexact|muscle|dcmotor|pid|user"));
}

void add_sensors(Grammar* grammar) {
  const std::string base =
      "name:s cutoff:r1 noise:r1 nsample:i1 interp:zoh|linear|cubic delay:r1 interval:r<2 user:r* ";
  const std::string object = "objtype:body|xbody|geom|site|camera! objname:s! ";
  const std::string reference = object + "reftype:body|xbody|geom|site|camera refname:s";
  const std::string sides = "geom1:s geom2:s body1:s body2:s";
  const std::pair<std::string_view, std::string> kinds[] = {
      {"touch accelerometer velocimeter gyro force torque magnetometer", "site:s!"},
      {"camprojection", "site:s! camera:s!"},
      {"rangefinder", "site:s camera:s data:+dist|dir|origin|point|normal|depth"},
      {"jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc ballquat "
       "ballangvel",
       "joint:s!"},
      {"tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
       "tendon:s!"},
      {"actuatorpos actuatorvel actuatorfrc", "actuator:s!"},
      {"framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel", reference},
      {"framelinacc frameangacc", object},
      {"subtreecom subtreelinvel subtreeangmom", "body:s!"},
      {"insidesite", object + "site:s! enclosed:false|true"},
      {"distance normal fromto", sides},
      {"contact", sides + " subtree1:s subtree2:s site:s num:i1 "
                          "data:+found|force|torque|dist|pos|normal|tangent|linvel|angvel "
                          "reduce:none|mindist|maxforce|netforce"},
      {"e_potential e_kinetic clock", ""},
      {"tactile", "geom:s! mesh:s!"},
      {"user",
       "dim:i1! datatype:real|positive|axis|quaternion needstage:pos|vel|acc objtype:s "
       "objname:s"},
      {"plugin", "plugin:s instance:s objtype:s objname:s reftype:s refname:s"},
  };
  std::string children;
  for (const auto& [tags, own] : kinds) {
    for (const std::string_view tag : split(tags)) {
      const std::string id = "sensor/" + std::string(tag);
      grammar->add(keep(id), Support::no, tag == "plugin" ? "config" : "", {}, keep(base + own));
      children += std::string(tag) + "=" + id + " ";
    }
  }
  grammar->add("sensor", Support::yes, keep(children), {});
}

}  // namespace

void add_unsupported_rules(Grammar* grammar) {
  add_assets(grammar);
  add_tree_elements(grammar);
  add_plugins(grammar);
  add_tendons_and_equalities(grammar);
  add_actuators(grammar);
  add_sensors(grammar);
}

}  // namespace swept::load_detail
