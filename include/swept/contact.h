// SPDX-License-Identifier: Apache-2.0
// Contacts as a compact list, and the objects whose motion can be asked for.
//
//   batch.bind("contacts");
//   batch.step(10);
//   for (const swept::Contact& c : batch.contacts(7)) { ... c.geom1, c.dist, c.force[0] ... }
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace swept {

/// One contact of the last forward pass, in double precision whatever the batch's.
struct Contact {
  int geom1 = -1;               ///< geom of the smaller type (of equal types: of the smaller body)
  int geom2 = -1;               ///< the other geom
  int dim = 0;                  ///< 1: normal, 3: and sliding, 4: and spin, 6: and rolling
  int exclude = 0;              ///< 0: makes rows, 1: in the gap, 3: moves no dof
  int efc_address = -1;         ///< its first row in the efc_ lists of its environment, -1: none
  double dist = 0;              ///< distance of the surfaces, negative: penetration [m]
  std::array<double, 3> pos{};  ///< midway between the surfaces, world axes [m]; where body 1 feels
                                ///< a speculative contact
  std::array<double, 9> frame{};           ///< rows: normal from geom 1 to geom 2, two tangents
  double includemargin = 0;                ///< the contact pushes below this distance [m]
  std::array<double, 5> friction{};        ///< two tangents [1], spin, two rolls [m]
  std::array<double, 2> solref{};          ///< normal: reference of the solver
  std::array<double, 2> solreffriction{};  ///< friction: the same, 0 0: as the normal's
  std::array<double, 5> solimp{};          ///< impedance of the solver
  /// Velocity of geom 2's surface over its body less that of geom 1: two tangents [m/s], spin
  /// [rad/s]; 0 where no geom has a surfacevel.
  std::array<double, 3> surfacevel{};
  /// Not 0: the surfaces are apart now and would meet within the step, after the part `toi` of it.
  /// `dist` is then not their distance: the normal row works as if it was.
  int speculative = 0;
  double toi = 0;                ///< 0 .. 1; 0 for contacts that are there now
  std::array<double, 3> pos2{};  ///< where body 2 feels it [m]; pos but for speculative contacts
  /// Force [N] and torque [N m] on geom 2's body in the axes of `frame`, at `pos`: normal, two
  /// tangents, spin, two rolls; the body of geom 1 feels the opposite. Of pyramidal and of elliptic
  /// cones; 0 for a contact that makes no rows.
  std::array<double, 6> force{};
};

/// The contacts of all environments, one list behind the other.
struct Contacts {
  std::vector<Contact> list;
  std::vector<std::int64_t> offsets;  ///< [nenv + 1] where each environment's begin, and the end

  /// The contacts of one environment, in order of pair and index in the pair.
  std::span<const Contact> operator[](std::int64_t env) const {
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(env)]);
    const auto end = static_cast<std::size_t>(offsets[static_cast<std::size_t>(env) + 1]);
    return {list.data() + begin, end - begin};
  }
};

/// What moves: a body at its centre of mass with the axes of its inertia, a body at its frame, a
/// geom, or a site.
enum class Object { body, xbody, geom, site };

/// The axes that a motion is given in: the world's, or the object's own.
enum class Axes { world, local };

}  // namespace swept
