// SPDX-License-Identifier: Apache-2.0
// Binding of fields, and the motion of bodies, geoms and sites in any frame.
//
// cvel and cacc are spatial vectors (rotation, translation) about c, the centre of mass of the
// whole tree. At a point p they are
//   w,  v + w x (p - c)                for the velocity
//   dw, a + dw x (p - c) + w x v_p     for the acceleration: the last term makes it the one of the
//                                      body's point, and not of a fixed point in space
// The exported cacc is the one at qacc = 0; the true one adds cdof qacc of the dofs above the body.
#include "host/batch/observe.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstring>

#include <swept/error.h>

#include "host/batch/impl.h"
#include "host/batch/memory.h"

namespace swept {

namespace {

std::size_t bytes_of(Scalar scalar) {
  return scalar == Scalar::f32 || scalar == Scalar::i32 ? 4 : 8;
}

template <class T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Motion = std::array<double, 6>;

/// Where an object's frame is exported, and which body carries it.
struct Frame {
  const char* pos;
  const char* mat;
  int body;
};

Frame frame_of(const Model& m, Object object, int id) {
  const auto check = [&](const char* kind, int count) {
    if (id < 0 || id >= count) {
      throw Error("there is no " + std::string(kind) + " " + std::to_string(id),
                  "the model has " + std::to_string(count));
    }
  };
  const std::size_t at = static_cast<std::size_t>(id);
  switch (object) {
    case Object::body:
      check("body", m.nbody);
      return {"xipos", "ximat", id};
    case Object::xbody:
      check("body", m.nbody);
      return {"xpos", "xmat", id};
    case Object::geom:
      check("geom", m.ngeom);
      return {"geom_xpos", "geom_xmat", m.geom_bodyid[at]};
    case Object::site:
      check("site", m.nsite);
      return {"site_xpos", "site_xmat", m.site_bodyid[at]};
  }
  throw Error("unknown kind of object", "use body, xbody, geom or site");
}

Vec3 vec3(const HostField& field, int env, int row, int column = 0) {
  return {field(env, row, column), field(env, row, column + 1), field(env, row, column + 2)};
}

/// The dofs that move a body.
std::vector<int> dofs_above(const Model& m, int body) {
  std::vector<int> dofs;
  for (std::size_t b = static_cast<std::size_t>(body); b > 0;
       b = static_cast<std::size_t>(m.body_parentid[b])) {
    for (int i = 0; i < m.body_dofnum[b]; ++i) {
      dofs.push_back(m.body_dofadr[b] + i);
    }
  }
  return dofs;
}

/// What the motions of one object need, for some environments.
class Mover {
 public:
  Mover(Engine& engine, const Model& m, Object object, int id, int first, int count)
      : id_(id),
        frame_(frame_of(m, object, id)),
        root_(m.body_rootid[static_cast<std::size_t>(frame_.body)]),
        dofs_(dofs_above(m, frame_.body)),
        pos_(engine, engine.field(frame_.pos), first, count),
        mat_(engine, engine.field(frame_.mat), first, count),
        com_(engine, engine.field("subtree_com"), first, count),
        cvel_(engine, engine.field("cvel"), first, count) {}

  Motion velocity(int env, Axes axes) const {
    const Vec3 angular = vec3(cvel_, env, frame_.body);
    return turned(env, axes, angular, velocity_at(env, angular));
  }

  Motion acceleration(int env, Axes axes, const HostField& cacc, const HostField& cdof,
                      const HostField& qacc) const {
    Vec3 angular = vec3(cacc, env, frame_.body), linear = vec3(cacc, env, frame_.body, 3);
    for (const int dof : dofs_) {
      angular += qacc(env, dof) * vec3(cdof, env, dof);
      linear += qacc(env, dof) * vec3(cdof, env, dof, 3);
    }
    const Vec3 spin = vec3(cvel_, env, frame_.body);
    linear += angular.cross(arm(env)) + spin.cross(velocity_at(env, spin));
    return turned(env, axes, angular, linear);
  }

 private:
  Vec3 arm(int env) const { return vec3(pos_, env, id_) - vec3(com_, env, root_); }
  Vec3 velocity_at(int env, const Vec3& angular) const {
    return vec3(cvel_, env, frame_.body, 3) + angular.cross(arm(env));
  }

  Motion turned(int env, Axes axes, Vec3 angular, Vec3 linear) const {
    if (axes == Axes::local) {
      Mat3 mat;
      for (int i = 0; i < 9; ++i) {
        mat(i / 3, i % 3) = mat_(env, id_, i);
      }
      angular = mat.transpose() * angular;
      linear = mat.transpose() * linear;
    }
    return {angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]};
  }

  int id_;
  Frame frame_;
  int root_;
  std::vector<int> dofs_;
  HostField pos_, mat_, com_, cvel_;
};

}  // namespace

HostField::HostField(Engine& engine, const FieldInfo& info, int first, int count)
    : info_(info), first_(first) {
  if (!info.on_device || count == 0) {
    return;
  }
  const std::size_t env = static_cast<std::size_t>(info.stride[0]) * bytes_of(info.scalar);
  copy_.resize(static_cast<std::size_t>(count) * env);
  engine.copy_out(copy_.data(),
                  static_cast<const std::byte*>(info.data) + static_cast<std::size_t>(first) * env,
                  copy_.size());
}

const std::byte* HostField::at(int env, int row, int column) const {
  const std::byte* start = copy_.empty() ? static_cast<const std::byte*>(info_.data) : copy_.data();
  const std::int64_t element = (copy_.empty() ? env : env - first_) * info_.stride[0] +
                               row * info_.stride[1] + column * info_.stride[2];
  return start + static_cast<std::size_t>(element) * bytes_of(info_.scalar);
}

double HostField::operator()(int env, int row, int column) const {
  const std::byte* p = at(env, row, column);
  return info_.scalar == Scalar::f32 ? static_cast<double>(load<float>(p)) : load<double>(p);
}

int HostField::integer(int env, int row) const {
  return load<int>(at(env, row, 0));
}

std::vector<std::string_view> group_fields(std::string_view group) {
  if (group == "contacts") {
    return {"contact.geom1",    "contact.geom2",       "contact.dim",
            "contact.exclude",  "contact.efc_address", "contact.dist",
            "contact.pos",      "contact.frame",       "contact.includemargin",
            "contact.friction", "contact.solref",      "contact.solreffriction",
            "contact.solimp",   "contact.surfacevel",  "contact.speculative",
            "contact.toi",      "contact.pos2",        "efc_force"};
  }
  std::vector<std::string_view> motion = {"subtree_com", "cvel",     "xipos",     "ximat",
                                          "xpos",        "xmat",     "geom_xpos", "geom_xmat",
                                          "site_xpos",   "site_xmat"};
  if (group == "object_acceleration") {
    motion.insert(motion.end(), {"cacc", "cdof", "qacc"});
    return motion;
  }
  return group == "object_velocity" ? motion : std::vector<std::string_view>{};
}

FieldInfo Batch::Impl::bind(std::string_view name) {
  FieldInfo info;
  try {
    info = engine->field(name);
  } catch (const OutOfMemory& shortage) {
    refuse_field(shortage, name);
  }
  if (info.data == nullptr && info.shape[0] == 0) {
    throw Error("there is no field '" + std::string(name) + "'",
                "field_names() lists them; names are MuJoCo's");
  }
  bound_at.try_emplace(std::string(name), passes);
  return info;
}

void Batch::Impl::need(std::string_view group) {
  finish();
  bool filled = true;
  for (const std::string_view name : group_fields(group)) {
    bind(name);
    filled = filled && bound_at.find(name)->second < passes;
  }
  if (!filled) {
    throw Error("'" + std::string(group) + "' was not bound when the last step was taken",
                "it is now: call forward() or step() first");
  }
}

void Batch::Impl::check_env(int env) const {
  if (env < 0 || env >= options.nenv) {
    throw Error("there is no environment " + std::to_string(env),
                "use 0 to " + std::to_string(options.nenv - 1));
  }
}

void Batch::bind(std::string_view name) {
  impl_->finish();
  const std::vector<std::string_view> group = group_fields(name);
  if (group.empty()) {
    impl_->bind(name);
  }
  for (const std::string_view field : group) {
    impl_->bind(field);
  }
}

void Batch::unbind(std::string_view name) {
  impl_->finish();
  std::vector<std::string_view> fields = group_fields(name);
  if (fields.empty()) {
    fields.push_back(name);
  }
  for (const std::string_view field : fields) {
    if (!impl_->engine->unbind(field) && fields.size() == 1) {
      throw Error("field '" + std::string(name) + "' is not bound", "bound() lists those that are");
    }
    if (const auto at = impl_->bound_at.find(field); at != impl_->bound_at.end()) {
      impl_->bound_at.erase(at);
    }
  }
}

std::vector<std::string> Batch::bound() const {
  return impl_->engine->bound();
}

std::array<double, 6> Batch::object_velocity(int env, Object object, int id, Axes axes) {
  impl_->check_env(env);
  impl_->need("object_velocity");
  return Mover(*impl_->engine, impl_->model, object, id, env, 1).velocity(env, axes);
}

std::array<double, 6> Batch::object_acceleration(int env, Object object, int id, Axes axes) {
  impl_->check_env(env);
  impl_->need("object_acceleration");
  Engine& engine = *impl_->engine;
  const HostField cacc(engine, engine.field("cacc"), env, 1);
  const HostField cdof(engine, engine.field("cdof"), env, 1);
  const HostField qacc(engine, engine.field("qacc"), env, 1);
  return Mover(engine, impl_->model, object, id, env, 1).acceleration(env, axes, cacc, cdof, qacc);
}

std::vector<double> Batch::object_velocity(Object object, int id, Axes axes) {
  impl_->need("object_velocity");
  const Mover mover(*impl_->engine, impl_->model, object, id, 0, nenv());
  std::vector<double> all;
  for (int env = 0; env < nenv(); ++env) {
    const Motion motion = mover.velocity(env, axes);
    all.insert(all.end(), motion.begin(), motion.end());
  }
  return all;
}

std::vector<double> Batch::object_acceleration(Object object, int id, Axes axes) {
  impl_->need("object_acceleration");
  Engine& engine = *impl_->engine;
  const HostField cacc(engine, engine.field("cacc"), 0, nenv());
  const HostField cdof(engine, engine.field("cdof"), 0, nenv());
  const HostField qacc(engine, engine.field("qacc"), 0, nenv());
  const Mover mover(engine, impl_->model, object, id, 0, nenv());
  std::vector<double> all;
  for (int env = 0; env < nenv(); ++env) {
    const Motion motion = mover.acceleration(env, axes, cacc, cdof, qacc);
    all.insert(all.end(), motion.begin(), motion.end());
  }
  return all;
}

}  // namespace swept
