// SPDX-License-Identifier: Apache-2.0
// A tile that has geoms and nothing else: what the collision stages need.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"
#include "kernels/collide/filter.h"
#include "kernels/collide/random_shapes.h"

namespace swept::SWEPT_NS {

/// Capacities of the lists.
struct Room {
  int pairs = 0;
  int contacts = 0;
  int slots = 2000;
};

/// A plane, and balls, capsules and boxes that every environment throws on a heap of its own.
class HeapScene {
 public:
  /// Geoms of the given types, the same in all environments; a candidate for every pair that has a
  /// collider.
  ///   same   all environments have the same poses
  HeapScene(std::vector<int> types, int nenv, Room room, bool same = false)
      : types_(std::move(types)) {
    Tile& t = *tile_;
    t.nenv = nenv;
    t.nblocks = (nenv + W - 1) / W;
    t.model.ngeom = static_cast<int>(types_.size());
    t.layout = make_layout(t.model);
    t.scratch = keep<real>(slots() * static_cast<std::size_t>(t.layout.size));
    t.frozen = keep<int>(slots());
    t.settled = keep<int>(slots());
    t.control = keep<Control>(1);
    set_geoms();
    set_candidates();
    for (int env = 0; env < static_cast<int>(slots()); ++env) {
      throw_geoms(env, same ? 0 : env);
    }
    make_room(room);
  }

  Tile* get() const { return tile_.get(); }
  Tile* operator->() const { return tile_.get(); }

  /// New lists of these capacities, and no halt.
  void make_room(Room room) {
    Tile& t = *tile_;
    const std::size_t pairs = static_cast<std::size_t>(room.pairs),
                      contacts = static_cast<std::size_t>(room.contacts);
    t.pairs = {keep<int>(slots() * pairs * PairsView::entry_ints),
               keep<int>(slots() * pairs),
               keep<unsigned>(slots() * pairs),
               keep<int>(slots()),
               keep<int>(slots()),
               room.pairs};
    t.hits = {keep<real>(slots() * static_cast<std::size_t>(room.slots) * HitsView::nreal),
              room.slots};
    t.contacts = {keep<real>(slots() * contacts * ContactLayout::nreal),
                  keep<int>(slots() * contacts * ContactLayout::nint), keep<int>(slots()),
                  room.contacts};
    *t.control = {};
  }

  /// Put random poses into an environment.
  void throw_geoms(int env, int seed) {
    swept::test::RandomShapes<real> random(static_cast<unsigned>(seed) + 1);
    for (int g = 0; g < tile_->model.ngeom; ++g) {
      const bool plane = types_[static_cast<std::size_t>(g)] == geom_plane;
      const std::array<double, 9> mat =
          plane ? std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1} : random.rotation();
      for (std::size_t k = 0; k < 9; ++k) {
        number(tile_->layout.geom_xmat + 9 * g + static_cast<int>(k), env) =
            static_cast<real>(mat[k]);
      }
      for (int k = 0; k < 3; ++k) {
        number(tile_->layout.geom_xpos + 3 * g + k, env) =
            plane ? 0 : static_cast<real>(random.uniform(0, 0.6));
      }
    }
  }

  /// A number of the scratch of an environment.
  real& number(int offset, int env) const {
    return tile_
        ->scratch[(static_cast<long long>(env / W) * tile_->layout.size + offset) * W + env % W];
  }

  /// All numbers of the contacts of an environment, in order.
  std::vector<real> contacts(int env) const {
    const ContactsAt c = tile_->contacts_at(env);
    std::vector<real> numbers;
    for (int k = 0; k < *c.ncon; ++k) {
      for (int i = 0; i < ContactLayout::nreal; ++i) {
        numbers.push_back(c.reals[(k * ContactLayout::nreal + i) * W]);
      }
      for (int i = 0; i < ContactLayout::nint; ++i) {
        numbers.push_back(static_cast<real>(c.ints[(k * ContactLayout::nint + i) * W]));
      }
    }
    return numbers;
  }

  /// Number of the candidate that is a pair of geoms; -1: none.
  int candidate_of(int geom1, int geom2) const {
    const ModelView& m = tile_->model;
    for (int c = 0; c < m.ncandidate; ++c) {
      if (m.candidate_geom1[c] == geom1 && m.candidate_geom2[c] == geom2) {
        return c;
      }
    }
    return -1;
  }

  template <class T>
  T* keep(std::size_t count) {
    auto buffer = std::make_shared<Buffer<T>>(std::max<std::size_t>(count, 1));
    memory_.push_back(buffer);
    return buffer->data();
  }

 private:
  std::size_t slots() const { return static_cast<std::size_t>(tile_->nblocks) * W; }

  const int* ints(const std::vector<int>& values) {
    int* const p = keep<int>(values.size());
    std::copy(values.begin(), values.end(), p);
    return p;
  }
  Param reals(const std::vector<double>& values) {
    real* const p = keep<real>(values.size());
    std::transform(values.begin(), values.end(), p, [](double x) { return static_cast<real>(x); });
    return Param{p, 0};
  }

  void set_geoms() {
    ModelView& m = tile_->model;
    std::vector<double> size, bound, margin, gap, solref, solimp, friction, solmix;
    std::vector<int> condim, priority;
    const std::vector<int> dataid(types_.size(), -1);
    for (std::size_t g = 0; g < types_.size(); ++g) {
      swept::test::Body body;
      body.type = types_[g];
      body.size = {0.08 + 0.01 * static_cast<double>(g % 3), 0.1, 0.12};
      size.insert(size.end(), body.size.begin(), body.size.end());
      bound.push_back(swept::test::bound_of(body));
      margin.push_back(0.005 * static_cast<double>(g % 2));
      gap.push_back(0.005);
      solmix.push_back(1);
      condim.push_back(3);
      priority.push_back(0);
      solref.insert(solref.end(), {0.02, 1});
      solimp.insert(solimp.end(), {0.9, 0.95, 0.001, 0.5, 2});
      friction.insert(friction.end(), {1, 0.005, 0.0001});
    }
    m.geom_type = ints(types_), m.geom_dataid = ints(dataid);
    m.geom_size = reals(size), m.geom_rbound = reals(bound), m.geom_margin = reals(margin),
    m.geom_gap = reals(gap);
    m.geom_solref = reals(solref), m.geom_solimp = reals(solimp), m.geom_friction = reals(friction),
    m.geom_solmix = reals(solmix);
    m.geom_condim = ints(condim), m.geom_priority = ints(priority);
  }

  void set_candidates() {
    std::vector<int> geom1, geom2, kind, pair;
    for (int g = 0; g < tile_->model.ngeom; ++g) {
      for (int h = g + 1; h < tile_->model.ngeom; ++h) {
        const bool swap = types_[static_cast<std::size_t>(g)] > types_[static_cast<std::size_t>(h)];
        const int first = swap ? h : g, second = swap ? g : h;
        const int collider = collider_of(types_[static_cast<std::size_t>(first)],
                                         types_[static_cast<std::size_t>(second)]);
        if (collider >= 0) {
          geom1.push_back(first), geom2.push_back(second), kind.push_back(collider),
              pair.push_back(-1);
        }
      }
    }
    ModelView& m = tile_->model;
    m.ncandidate = static_cast<int>(kind.size());
    m.candidate_geom1 = ints(geom1), m.candidate_geom2 = ints(geom2), m.candidate_kind = ints(kind),
    m.candidate_pairid = ints(pair);
  }

  std::vector<int> types_;
  std::unique_ptr<Tile> tile_ = std::make_unique<Tile>();
  std::vector<std::shared_ptr<void>> memory_;
};

}  // namespace swept::SWEPT_NS
