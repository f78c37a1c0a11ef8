// SPDX-License-Identifier: Apache-2.0
// The scene while it is compiled: the Spec's tree as flat lists in the order of ids, and the lookup
// of names. Bodies are numbered depth first, parents before children; geoms, joints, sites, cameras
// and lights body by body, in document order.
#pragma once

#include <swept/model.h>
#include <swept/spec.h>

#include "host/compile/frames.h"
#include "host/compile/mesh/assets.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace swept::compiler {

/// Mass, centre of mass and principal moments of a body.
struct BodyInertia {
  bool given = false;  ///< by an inertial or by geoms; otherwise all zero
  Pose frame;          ///< principal axes in the body frame
  double mass = 0.0;   ///< [kg]
  Vec3 moments{};      ///< [kg m^2]
};

/// A body in the order of ids. Pointers go into the Scene's own Spec.
struct BodyEntry {
  Body* body = nullptr;
  int parent = 0;
  int depth = 0;
  BodyInertia inertia;
};

/// An element that belongs to a body.
template <class T>
struct Entry {
  T* item = nullptr;
  int body = 0;
};

/// Ids by name within one kind of element.
using IdsByName = std::unordered_map<std::string, int>;

/// Flat lists over a private copy of the Spec.
class Scene {
 public:
  explicit Scene(Spec spec, Assets assets = {});
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  Spec spec;
  Assets assets;  ///< compiled from the Spec
  std::vector<BodyEntry> bodies;
  std::vector<Entry<Joint>> joints;
  std::vector<Entry<Geom>> geoms;
  std::vector<Entry<Site>> sites;
  std::vector<Entry<Camera>> cameras;
  std::vector<Entry<Light>> lights;
  IdsByName body_ids;
  IdsByName joint_ids;
  IdsByName geom_ids;
  IdsByName site_ids;
  IdsByName tendon_ids;

  /// The error about an element: "file:line: kind 'name': problem; remedy".
  Error error(const char* kind, const Item& item, std::string problem,
              std::string remedy = {}) const;

  /// The id of a name that another element refers to.
  ///   ids      where to look; kind: what they are, for the message
  ///   name     what is referred to; from_kind, from: the element that refers
  /// Throws Error if there is none.
  int resolve(const IdsByName& ids, const char* kind, const std::string& name,
              const char* from_kind, const Item& from) const;

 private:
  void add_body(Body& body, int parent, int depth);
};

/// What to call an element in a message: "joint 'hip'", or "joint" if it has no name.
std::string label(std::string_view kind, const Item& item);

/// Index arithmetic without sign conversions at every use.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Copy a small array into row `row` of an array with N columns.
template <class T, std::size_t N>
void set_row(std::vector<T>& field, int row, const std::array<T, N>& values) {
  for (std::size_t k = 0; k < N; ++k) {
    field[at(row) * N + k] = values[k];
  }
}

/// Row `row` of an array with N columns.
template <std::size_t N, class T>
std::array<T, N> get_row(const std::vector<T>& field, int row) {
  std::array<T, N> values{};
  for (std::size_t k = 0; k < N; ++k) {
    values[k] = field[at(row) * N + k];
  }
  return values;
}

}  // namespace swept::compiler
