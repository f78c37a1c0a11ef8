// SPDX-License-Identifier: Apache-2.0
// Tail: the host's end of directed conservative advancement. A fast pair that has used up its rounds
// on the device (speculative_cap) is followed further here: from the time up to which the device has
// certified it, one pair after the other, in double whatever the device computes in, with a cap of its
// own.
//
// It is the same code as on the device (kernels/speculative/advance.h, guard.h), in a configuration of
// its own that every build has: one lane, double, no instruction beyond x86-64. The certified library
// of meshes (src/ccd) would be the other choice; but geoms are convex shapes that are known by their
// support points, round ones among them, and what makes the device need many rounds (tips that turn
// fast beside thin geoms) is what the bounds of this code were made for. So a pair ends at the same
// time on either side of the cap.
//
// The seam to the device: numbers of a pair in the device's precision, TailPairOf<real>, are converted
// to TailPair, which is exact, and back, which is rounded so that what is certified stays certified.
#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include <swept/model.h>

namespace swept {

/// A geom of a pair and its motion: c + t way, turned by t turn, for t from 0 to 1 (sweep.h). R is
/// the scalar.
template <class R>
struct TailGeom {
  int type = 0;   ///< GeomType
  int mesh = -1;  ///< number in the model of what a mesh geom stands for
  R pos[3];       ///< [m] of its centre, from centre 1
  R mat[9];       ///< its axes, row by row
  R size[3];      ///< [m] as geom_size
  R way[3];       ///< [m per step]
  R turn[3];      ///< [rad per step]
  R travel;       ///< [m] no point of it goes further in the step
  R bound;        ///< [m] radius of the ball about its centre that holds it; 0: plane
};

/// What is known of a pair's advancement: GuardState, with the corners of its last look in metres.
template <class R>
struct TailState {
  int end = 0;  ///< AdvanceEnd
  int rounds = 0, slips = 0;
  int corners = 0;  ///< how many of those below count
  int id1[3], id2[3];
  R t, seen;          ///< [steps]
  R first, distance;  ///< [m]
  R floor;            ///< [m] of pairs that touch
  R normal[3];
  R arm1[3], arm2[3];              ///< [m]
  R corner1[3][3], corner2[3][3];  ///< [m]
};

/// A pair that waits for the host, or its answer, of which `state` alone has changed.
template <class R>
struct TailPairOf {
  int env = 0;      ///< environment of the tile
  int number = 0;   ///< place among the fast pairs of that environment
  int touches = 0;  ///< not 0: followed to its floor, since it touches already
  R thickness;      ///< [m] smallest half size of both
  R margin;         ///< [m]
  R unit;           ///< [m] the device's unit of length for the corners, a power of two
  TailGeom<R> geom1, geom2;
  TailState<R> state;
};
using TailPair = TailPairOf<double>;

static_assert(std::is_trivially_copyable_v<TailPairOf<float>> &&
                  std::is_trivially_copyable_v<TailPair>,
              "pairs are copied between host and device byte by byte");

class Tail {
 public:
  /// Rounds of a pair on the host. Where a pair needs more, or rounding leaves no step that is longer
  /// than nothing, its certified time is kept.
  static constexpr int usual_cap = 4096;

  /// For batches of this model, which must outlive this; copies it when the first pair with a mesh
  /// comes. (Vertices of meshes are rounded to single precision when they are compiled, and the same in
  /// all environments: the device has these ones, too.)
  explicit Tail(const Model& model, int cap = usual_cap);
  ~Tail();
  Tail(const Tail&) = delete;
  Tail& operator=(const Tail&) = delete;

  /// Follow each pair to its end. Its time never becomes earlier: what ends in another way than a
  /// hit, none or the cap keeps the state that it came with. May be called by several threads. Throws
  /// std::bad_alloc when memory ends.
  void follow(std::span<TailPair> pairs) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace swept
