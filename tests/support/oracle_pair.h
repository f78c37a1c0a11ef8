// SPDX-License-Identifier: Apache-2.0
// The official library's contacts of one pair of geoms, at given poses and sizes. The pair is
// predefined, so that bounding spheres alone stand before its collider: the boxes of the broad phase
// would drop pairs that the collider takes for near, and exact touches by rounding.
//
//   OraclePair pair(geom_box, geom_box);
//   for (const mjContact& contact : pair.collide(couple)) ...
#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "kernels/collide/random_shapes.h"

namespace swept::test {

/// Two geoms of the official library.
class OraclePair {
 public:
  /// Geoms of two types. A mesh or a height field is the asset named "one" or "two" of `assets`,
  /// the text within <asset>.
  OraclePair(int type1, int type2, const std::string& assets = "")
      : model_(compile("<mujoco><asset>" + assets + "</asset><worldbody>" +
                       geom_text(type1, "one") + geom_text(type2, "two") +
                       "</worldbody><contact><pair geom1='one' geom2='two'/></contact></mujoco>")),
        data_(mj_makeData(model_.get())) {
    mj_forward(model_.get(), data_.get());
  }

  mjModel* model() { return model_.get(); }

  /// Contacts at the couple's poses, sizes, margin and gap; valid until the next call. Geoms with
  /// an asset keep its size.
  std::span<const mjContact> collide(const Couple& c) {
    mjModel* const m = model_.get();
    mjData* const d = data_.get();
    place(0, c.a);
    place(1, c.b);
    m->pair_margin[0] = c.margin;
    m->pair_gap[0] = c.gap;
    mj_collision(m, d);
    return {d->contact, static_cast<std::size_t>(d->ncon)};
  }

 private:
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };

  static mjModel* compile(const std::string& text) {
    char error[1000] = "";
    mjSpec* const spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof error);
    if (spec == nullptr) {
      throw std::runtime_error(std::string("the oracle refused the scene: ") + error);
    }
    mjModel* const m = mj_compile(spec, nullptr);
    const std::string reason = m == nullptr ? mjs_getError(spec) : "";
    mj_deleteSpec(spec);
    if (m == nullptr) {
      throw std::runtime_error("the oracle refused the scene: " + reason);
    }
    return m;
  }

  static std::string geom_text(int type, const std::string& asset) {
    const char* const names[] = {"plane",     "hfield",   "sphere", "capsule",
                                 "ellipsoid", "cylinder", "box",    "mesh"};
    std::string text = std::string("<geom contype='0' type='") + names[type] +
                       "' size='.1 .1 .1' name='" + asset + "'";
    text += type == geom_hfield ? " hfield='" + asset + "'" : "";
    text += type == geom_mesh ? " mesh='" + asset + "'" : "";
    text += "/>";
    const bool fixed = type == geom_plane || type == geom_hfield;
    return fixed ? text : "<body><freejoint/>" + text + "</body>";
  }

  void place(int g, const Body& body) {
    mjModel* const m = model_.get();
    std::copy(body.pos.begin(), body.pos.end(), data_->geom_xpos + 3 * g);
    std::copy(body.mat.begin(), body.mat.end(), data_->geom_xmat + 9 * g);
    if (body.type == geom_plane || body.type == geom_hfield || body.type == geom_mesh) {
      return;
    }
    const auto& s = body.size;
    std::copy(s.begin(), s.end(), m->geom_size + 3 * g);
    m->geom_rbound[g] = bound_of(body);
    const std::array<double, 3> half = half_of(body);
    std::copy(half.begin(), half.end(), m->geom_aabb + 6 * g + 3);
  }

  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace swept::test
