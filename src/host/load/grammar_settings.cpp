// SPDX-License-Identifier: Apache-2.0
// Grammar: the document and everything that is not an object of the scene: compiler, option, size,
// statistic, visual, custom, keyframe, asset.
#include "host/load/grammar.h"
#include "host/load/setters.h"

#include <swept/types.h>

namespace swept::load_detail {
namespace {

template <int bit>
void put_disable(void* target, const Value& value) {
  int& flags = static_cast<OptionSettings*>(target)->disableflags;
  flags = value.keyword == 0 ? flags | bit : flags & ~bit;
}

template <int bit>
void put_enable(void* target, const Value& value) {
  int& flags = static_cast<OptionSettings*>(target)->enableflags;
  flags = value.keyword == 1 ? flags | bit : flags & ~bit;
}

void put_disabled_groups(void* target, const Value& value) {
  int bits = 0;
  for (const double group : value.numbers) {
    // out of range groups are reported by the builder
    bits |= group >= 0.0 && group <= 30.0 ? 1 << static_cast<int>(group) : 0;
  }
  static_cast<OptionSettings*>(target)->disableactuator = bits;
}

constexpr std::string_view truth = "false|true";
constexpr std::string_view toggle = "disable|enable";

constexpr Row compiler_rows[] = {
    {"autolimits", truth, put<CompilerSettings, &CompilerSettings::autolimits>},
    {"boundmass", "r1", put<CompilerSettings, &CompilerSettings::boundmass>},
    {"boundinertia", "r1", put<CompilerSettings, &CompilerSettings::boundinertia>},
    {"settotalmass", "r1", put<CompilerSettings, &CompilerSettings::settotalmass>},
    {"balanceinertia", truth, put<CompilerSettings, &CompilerSettings::balanceinertia>},
    {"coordinate", "local|global", nullptr, "local"},
    {"angle", "radian|degree", put<CompilerSettings, &CompilerSettings::degree>},
    {"eulerseq", "s", put<CompilerSettings, &CompilerSettings::eulerseq>},
    {"discardvisual", truth, put<CompilerSettings, &CompilerSettings::discardvisual>},
    {"fusestatic", truth, put<CompilerSettings, &CompilerSettings::fusestatic>},
    {"inertiafromgeom", "false|true|auto",
     put<CompilerSettings, &CompilerSettings::inertiafromgeom>},
    {"inertiagrouprange", "i2", put<CompilerSettings, &CompilerSettings::inertiagrouprange>},
    {"alignfree", truth, put<CompilerSettings, &CompilerSettings::alignfree>},
    {"fitaabb", truth, put<CompilerSettings, &CompilerSettings::fitaabb>},
    {"strippath", truth, put<CompilerSettings, &CompilerSettings::strippath>},
    {"meshdir", "s", put<CompilerSettings, &CompilerSettings::meshdir>},
    {"texturedir", "s", put<CompilerSettings, &CompilerSettings::texturedir>},
    {"assetdir", "s"},
    // what settings of attached models do to this scene
    {"conflict", "warning|merge|error"},
};

constexpr Row lengthrange_rows[] = {
    {"mode", "none|muscle|muscleuser|all", nullptr, "none|muscle|muscleuser"},
};

constexpr Row option_rows[] = {
    {"timestep", "r1", put<OptionSettings, &OptionSettings::timestep>},
    {"impratio", "r1", put<OptionSettings, &OptionSettings::impratio>},
    {"tolerance", "r1", put<OptionSettings, &OptionSettings::tolerance>},
    {"ls_tolerance", "r1", put<OptionSettings, &OptionSettings::ls_tolerance>},
    {"noslip_tolerance", "r1", put<OptionSettings, &OptionSettings::noslip_tolerance>},
    {"ccd_tolerance", "r1", put<OptionSettings, &OptionSettings::ccd_tolerance>},
    {"sleep_tolerance", "r1", put<OptionSettings, &OptionSettings::sleep_tolerance>},
    {"gravity", "r3", put<OptionSettings, &OptionSettings::gravity>},
    {"wind", "r3", put<OptionSettings, &OptionSettings::wind>},
    {"magnetic", "r3", put<OptionSettings, &OptionSettings::magnetic>},
    {"density", "r1", put<OptionSettings, &OptionSettings::density>},
    {"viscosity", "r1", put<OptionSettings, &OptionSettings::viscosity>},
    {"o_margin", "r1", put<OptionSettings, &OptionSettings::o_margin>},
    {"o_solref", "r<2", put<OptionSettings, &OptionSettings::o_solref>},
    {"o_solimp", "r<5", put<OptionSettings, &OptionSettings::o_solimp>},
    {"o_friction", "r<5", put<OptionSettings, &OptionSettings::o_friction>},
    {"integrator", "Euler|RK4|implicit|implicitfast|discrete",
     put<OptionSettings, &OptionSettings::integrator>, "Euler|RK4|implicit|implicitfast"},
    {"cone", "pyramidal|elliptic", put<OptionSettings, &OptionSettings::cone>},
    {"jacobian", "dense|sparse|auto", put<OptionSettings, &OptionSettings::jacobian>},
    {"solver", "PGS|CG|Newton", put<OptionSettings, &OptionSettings::solver>},
    {"iterations", "i1", put<OptionSettings, &OptionSettings::iterations>},
    {"ls_iterations", "i1", put<OptionSettings, &OptionSettings::ls_iterations>},
    {"noslip_iterations", "i1", put<OptionSettings, &OptionSettings::noslip_iterations>, "0"},
    {"ccd_iterations", "i1", put<OptionSettings, &OptionSettings::ccd_iterations>},
    {"sdf_iterations", "i1", put<OptionSettings, &OptionSettings::sdf_iterations>},
    {"sdf_initpoints", "i1", put<OptionSettings, &OptionSettings::sdf_initpoints>},
    {"actuatorgroupdisable", "i*", put_disabled_groups},
};

constexpr Row flag_rows[] = {
    {"constraint", toggle, put_disable<disable_constraint>},
    {"equality", toggle, put_disable<disable_equality>},
    {"frictionloss", toggle, put_disable<disable_frictionloss>},
    {"limit", toggle, put_disable<disable_limit>},
    {"contact", toggle, put_disable<disable_contact>},
    {"spring", toggle, put_disable<disable_spring>},
    {"damper", toggle, put_disable<disable_damper>},
    {"gravity", toggle, put_disable<disable_gravity>},
    {"clampctrl", toggle, put_disable<disable_clampctrl>},
    {"warmstart", toggle, put_disable<disable_warmstart>},
    {"filterparent", toggle, put_disable<disable_filterparent>},
    {"actuation", toggle, put_disable<disable_actuation>},
    {"refsafe", toggle, put_disable<disable_refsafe>},
    {"sensor", toggle, put_disable<disable_sensor>},
    {"midphase", toggle, put_disable<disable_midphase>},
    {"eulerdamp", toggle, put_disable<disable_eulerdamp>},
    {"autoreset", toggle, put_disable<disable_autoreset>},
    {"nativeccd", toggle, put_disable<disable_nativeccd>},
    {"island", toggle, put_disable<disable_island>},
    {"multiccd", toggle, put_disable<disable_multiccd>},
    {"override", toggle, put_enable<enable_override>, "disable"},
    // energy asks for an output that swept does not have; the motion is the same
    {"energy", toggle, put_enable<enable_energy>},
    {"fwdinv", toggle, put_enable<enable_fwdinv>, "disable"},
    {"invdiscrete", toggle, put_enable<enable_invdiscrete>, "disable"},
    {"sleep", toggle, put_enable<enable_sleep>, "disable"},
    {"diagexact", toggle, put_enable<enable_diagexact>, "disable"},
    {"ipc", toggle, put_enable<enable_ipc>, "disable"},
    {"speculative", toggle, put_enable<enable_speculative>},
};

constexpr Row size_rows[] = {
    {"nuserdata", "i1", put<SizeSettings, &SizeSettings::nuserdata>},
    {"nkey", "i1", put<SizeSettings, &SizeSettings::nkey>},
    {"nuser_body", "i1", put<SizeSettings, &SizeSettings::nuser_body>},
    {"nuser_jnt", "i1", put<SizeSettings, &SizeSettings::nuser_jnt>},
    {"nuser_geom", "i1", put<SizeSettings, &SizeSettings::nuser_geom>},
    {"nuser_site", "i1", put<SizeSettings, &SizeSettings::nuser_site>},
    {"nuser_cam", "i1", put<SizeSettings, &SizeSettings::nuser_cam>},
    {"nuser_tendon", "i1", put<SizeSettings, &SizeSettings::nuser_tendon>},
    {"nuser_actuator", "i1", put<SizeSettings, &SizeSettings::nuser_actuator>},
    {"nuser_sensor", "i1", put<SizeSettings, &SizeSettings::nuser_sensor>},
};

constexpr Row statistic_rows[] = {
    {"meaninertia", "r1", put<StatisticSettings, &StatisticSettings::meaninertia>},
    {"meanmass", "r1", put<StatisticSettings, &StatisticSettings::meanmass>},
    {"meansize", "r1", put<StatisticSettings, &StatisticSettings::meansize>},
    {"extent", "r1", put<StatisticSettings, &StatisticSettings::extent>},
    {"center", "r3", put<StatisticSettings, &StatisticSettings::center>},
};

constexpr Row numeric_rows[] = {
    {"name", "s!", put<Numeric, &Numeric::name>},
    {"size", "i1", put<Numeric, &Numeric::size>},
    {"data", "r*", put<Numeric, &Numeric::data>},
};

constexpr Row text_rows[] = {
    {"name", "s!", put<Text, &Text::name>},
    {"data", "s", put<Text, &Text::data>},
};

constexpr Row tuple_rows[] = {{"name", "s!", put<Tuple, &Tuple::name>}};

constexpr Row tuple_element_rows[] = {
    {"objtype", "s!", put<Tuple::Entry, &Tuple::Entry::objtype>},
    {"objname", "s!", put<Tuple::Entry, &Tuple::Entry::objname>},
    {"prm", "r1", put<Tuple::Entry, &Tuple::Entry::prm>},
};

constexpr Row key_rows[] = {
    {"name", "s", put<Key, &Key::name>},  {"time", "r1", put<Key, &Key::time>},
    {"qpos", "r*", put<Key, &Key::qpos>}, {"qvel", "r*", put<Key, &Key::qvel>},
    {"act", "r*", put<Key, &Key::act>},   {"ctrl", "r*", put<Key, &Key::ctrl>},
    {"mpos", "r*", put<Key, &Key::mpos>}, {"mquat", "r*", put<Key, &Key::mquat>},
    {"plastic", "r*", nullptr, "-"},
};

/// `visual` says how a viewer draws; nothing of it is kept.
void add_visual_rules(Grammar* grammar) {
  grammar->add("visual", Support::yes, "global? quality? headlight? map? scale? rgba?", {});
  grammar->add("global", Support::yes, "", {},
               "cameraid:i1 orthographic:false|true fovy:r1 ipd:r1 azimuth:r1 elevation:r1 "
               "linewidth:r1 glow:r1 realtime:r1 offwidth:i1 offheight:i1 "
               "ellipsoidinertia:false|true bvactive:false|true");
  grammar->add("quality", Support::yes, "", {},
               "shadowsize:i1 offsamples:i1 numslices:i1 numstacks:i1 numquads:i1");
  grammar->add("headlight", Support::yes, "", {},
               "ambient:r3 diffuse:r3 specular:r3 active:false|true|auto|0|1");
  grammar->add("map", Support::yes, "", {},
               "stiffness:r1 stiffnessrot:r1 force:r1 torque:r1 alpha:r1 fogstart:r1 fogend:r1 "
               "znear:r1 zfar:r1 haze:r1 shadowclip:r1 shadowscale:r1 actuatortendon:r1");
  grammar->add("scale", Support::yes, "", {},
               "forcewidth:r1 contactwidth:r1 contactheight:r1 connect:r1 com:r1 camera:r1 "
               "light:r1 selectpoint:r1 jointlength:r1 jointwidth:r1 actuatorlength:r1 "
               "actuatorwidth:r1 framelength:r1 framewidth:r1 constraint:r1 slidercrank:r1 "
               "frustum:r1");
  grammar->add("rgba", Support::yes, "", {},
               "fog:r4 haze:r4 force:r4 inertia:r4 joint:r4 actuator:r4 actuatornegative:r4 "
               "actuatorpositive:r4 com:r4 camera:r4 light:r4 selectpoint:r4 connect:r4 "
               "contactpoint:r4 contactforce:r4 contactfriction:r4 contacttorque:r4 contactgap:r4 "
               "rangefinder:r4 constraint:r4 slidercrank:r4 crankbroken:r4 frustum:r4 bv:r4 "
               "bvactive:r4");
}

}  // namespace

void add_settings_rules(Grammar* grammar) {
  grammar->add("mujoco", Support::yes,
               "compiler option size visual statistic default extension custom asset worldbody "
               "contact deformable equality tendon actuator sensor keyframe",
               {}, "model:s");
  grammar->add("compiler", Support::yes, "lengthrange?", {compiler_rows},
               "usethread:false|true saveinertial:false|true savecompiled:false|true "
               "savecanonical:false|true passthrough:none|textures");
  grammar->add("lengthrange", Support::yes, "", {lengthrange_rows},
               "useexisting:false|true uselimit:false|true accel:r1 maxforce:r1 timeconst:r1 "
               "timestep:r1 inttotal:r1 interval:r1 tolrange:r1");
  grammar->add("option", Support::yes, "flag?", {option_rows});
  grammar->add("flag", Support::yes, "", {flag_rows});
  grammar->add("size", Support::yes, "", {size_rows}, "memory:m njmax:i1 nconmax:i1 nstack:i1");
  grammar->add("statistic", Support::yes, "", {statistic_rows});
  grammar->add("custom", Support::yes, "numeric text tuple", {});
  grammar->add("numeric", Support::yes, "", {numeric_rows});
  grammar->add("text", Support::yes, "", {text_rows});
  grammar->add("tuple", Support::yes, "element", {tuple_rows});
  grammar->add("element", Support::yes, "", {tuple_element_rows});
  grammar->add("keyframe", Support::yes, "key", {});
  grammar->add("key", Support::yes, "", {key_rows});
  add_visual_rules(grammar);
}

}  // namespace swept::load_detail
