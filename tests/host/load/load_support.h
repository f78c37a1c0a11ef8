// SPDX-License-Identifier: Apache-2.0
// What the loader's tests share: scenes from strings, the error that a scene gives, and a Spec as
// text with every bit of every number, so that two Specs can be compared.
#pragma once

#include <swept/load.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace swept::test {

/// A scene of XML sections.
inline Spec load_sections(const std::string& sections) {
  return load_string("<mujoco>" + sections + "</mujoco>", Format::xml);
}

/// A scene of elements in the world body.
inline Spec load_world(const std::string& elements) {
  return load_sections("<worldbody>" + elements + "</worldbody>");
}

/// The error of reading text; a failure if there is none.
inline Error error_of(const std::string& text, Format format = Format::xml) {
  try {
    load_string(text, format);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for: " << text.substr(0, 300);
  return Error("none");
}

/// The error of a scene of XML sections.
inline Error error_of_sections(const std::string& sections) {
  return error_of("<mujoco>" + sections + "</mujoco>");
}

/// Writes numbers with all their bits.
class SpecText {
 public:
  explicit SpecText(const Spec& spec) {
    add(spec.modelname);
    const CompilerSettings& c = spec.compiler;
    add(c.autolimits, c.boundmass, c.boundinertia, c.settotalmass, c.balanceinertia, c.degree,
        c.eulerseq, c.discardvisual, c.fusestatic, c.inertiafromgeom, c.inertiagrouprange,
        c.alignfree, c.fitaabb);
    const OptionSettings& o = spec.option;
    add(o.timestep, o.impratio, o.tolerance, o.ls_tolerance, o.noslip_tolerance, o.ccd_tolerance,
        o.sleep_tolerance, o.gravity, o.wind, o.magnetic, o.density, o.viscosity, o.o_margin,
        o.o_solref, o.o_solimp, o.o_friction, o.integrator, o.cone, o.jacobian, o.solver,
        o.iterations, o.ls_iterations, o.noslip_iterations, o.ccd_iterations, o.sdf_iterations,
        o.sdf_initpoints, o.disableactuator, o.disableflags, o.enableflags);
    const SizeSettings& s = spec.size;
    add(s.nuserdata, s.nkey, s.nuser_body, s.nuser_jnt, s.nuser_geom, s.nuser_site, s.nuser_cam,
        s.nuser_tendon, s.nuser_actuator, s.nuser_sensor);
    const StatisticSettings& t = spec.statistic;
    add(t.meaninertia, t.meanmass, t.meansize, t.extent, t.center);
    body(spec.worldbody);
    references(spec);
  }

  const std::string& text() const { return text_; }

 private:
  template <class... T>
  void add(const T&... values) {
    (put(values), ...);
    text_ += '\n';
  }

  void put(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof(buffer), "%a ", value);
    text_ += buffer;
  }

  void put(const std::string& value) { text_ += "'" + value + "' "; }

  template <class T>
  requires std::is_integral_v<T>
  void put(T value) { text_ += std::to_string(value) + " "; }

  template <class T>
  requires std::is_enum_v<T>
  void put(T value) { put(static_cast<int>(value)); }

  template <class T, std::size_t n>
  void put(const std::array<T, n>& values) {
    for (const T& value : values) {
      put(value);
    }
  }

  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) {
      put(value);
    }
  }

  template <class T>
  void put(const std::optional<T>& value) {
    text_ += value ? "some " : "none ";
    put(value.value_or(T{}));
  }

  void body(const Body& b) {
    add(b.name, b.pos, b.quat, b.gravcomp, b.mocap, b.simple, b.user, b.inertial.has_value());
    if (b.inertial) {
      add(b.inertial->pos, b.inertial->quat, b.inertial->mass, b.inertial->diaginertia,
          b.inertial->fullinertia);
    }
    for (const Joint& j : b.joints) {
      add(j.name, j.type, j.group, j.pos, j.axis, j.springdamper, j.limited, j.range,
          j.actuatorfrclimited, j.actuatorfrcrange, j.actuatorgravcomp, j.solreflimit,
          j.solimplimit, j.solreffriction, j.solimpfriction, j.stiffness, j.damping, j.margin,
          j.ref, j.springref, j.armature, j.frictionloss, j.align, j.user);
    }
    for (const Geom& g : b.geoms) {
      add(g.name, g.type, g.size, g.pos, g.quat, g.contype, g.conaffinity, g.condim, g.group,
          g.priority, g.friction, g.mass, g.density, g.shellinertia, g.solmix, g.solref, g.solimp,
          g.margin, g.gap, g.surfacevel, g.fluid_ellipsoid, g.fluidcoef, g.mesh, g.hfield,
          g.fitscale, g.material, g.rgba, g.castshadow, g.user);
    }
    for (const Site& s : b.sites) {
      add(s.name, s.type, s.size, s.pos, s.quat, s.group, s.material, s.rgba, s.user);
    }
    for (const Camera& c : b.cameras) {
      add(c.name, c.mode, c.target, c.pos, c.quat, c.fovy, c.ipd, c.resolution, c.orthographic,
          c.user);
    }
    for (const Light& l : b.lights) {
      add(l.name, l.mode, l.target, l.type, l.active, l.castshadow, l.pos, l.dir);
    }
    for (const Body& child : b.bodies) {
      body(child);
    }
    text_ += "end\n";
  }

  void references(const Spec& spec) {
    for (const Pair& p : spec.pairs) {
      add(p.name, p.geom1, p.geom2, p.condim, p.friction, p.solref, p.solreffriction, p.solimp,
          p.margin, p.gap);
    }
    for (const Exclude& e : spec.excludes) {
      add(e.name, e.body1, e.body2);
    }
    for (const Tendon& t : spec.tendons) {
      add(t.name, t.group, t.limited, t.range, t.actuatorfrclimited, t.actuatorfrcrange, t.margin,
          t.stiffness, t.damping, t.armature, t.frictionloss, t.springlength, t.solreflimit,
          t.solimplimit, t.solreffriction, t.solimpfriction, t.user);
      for (const TendonJoint& j : t.joints) {
        add(j.joint, j.coef);
      }
    }
    for (const Actuator& a : spec.actuators) {
      add(a.name, a.tag, a.group, a.trntype, a.target, a.refsite, a.ctrllimited, a.forcelimited,
          a.actlimited, a.ctrlrange, a.forcerange, a.actrange, a.lengthrange, a.gear, a.cranklength,
          a.dyntype, a.gaintype, a.biastype, a.dynprm, a.gainprm, a.biasprm, a.actdim, a.actearly,
          a.inheritrange, a.ctrlspec, a.damping, a.armature, a.user);
    }
    for (const Key& k : spec.keys) {
      add(k.name, k.time, k.qpos, k.qvel, k.act, k.ctrl, k.mpos, k.mquat);
    }
    for (const Numeric& n : spec.numerics) {
      add(n.name, n.size, n.data);
    }
    for (const Text& t : spec.texts) {
      add(t.name, t.data);
    }
    for (const Tuple& t : spec.tuples) {
      add(t.name);
      for (const Tuple::Entry& e : t.entries) {
        add(e.objtype, e.objname, e.prm);
      }
    }
    for (const Mesh& m : spec.meshes) {
      add(m.name, m.file, m.content_type, m.scale, m.inertia, m.maxhullvert, m.smoothnormal,
          m.refpos, m.refquat, m.vertex, m.normal, m.texcoord, m.face, m.builtin, m.params,
          m.material);
    }
    for (const HField& h : spec.hfields) {
      add(h.name, h.file, h.content_type, h.nrow, h.ncol, h.size, h.elevation);
    }
    for (const Texture& t : spec.textures) {
      add(t.name, t.type, t.file);
    }
    for (const Material& m : spec.materials) {
      add(m.name, m.texture, m.rgba);
    }
  }

  std::string text_;
};

/// A Spec as text: equal if and only if all values are equal bit for bit. Source positions are
/// left out.
inline std::string describe(const Spec& spec) {
  return SpecText(spec).text();
}

}  // namespace swept::test
