// SPDX-License-Identifier: Apache-2.0
// The distance of two placed bodies: branch and bound over both trees with a short stack, nearer
// boxes first, boxes farther than the best pair dropped.
//
// What is dropped is at least as far as the best pair found, so the smallest of that pair's
// distance and of the certified bounds of all pairs looked at is a bound from below for the bodies.
// Facets that the direction of the best pair already shows to be no nearer are not measured: next to
// a nearest point at which both bodies are convex, these are all others.
#pragma once

#include "kernels/ccd/boxes.h"
#include "kernels/ccd/facet_pair.h"

namespace swept::SWEPT_NS {

/// A descent pops one pair and pushes two, once for every level of both trees at most.
constexpr int pair_stack_size = 2 * max_tree_depth + 2;

/// Two nodes and a bound on what is in them: their distance, or the step that is safe for them.
struct NodePair {
  int a, b;
  real bound;
};

/// A distance from both sides, before the error of rounding is taken into account.
struct DistanceBounds {
  real above, below;
  int slot_a, slot_b;  ///< the nearest facets
  Vec3<real> p, q;     ///< the points, in b's frame
  Vec3<real> normal;   ///< unit, from p's facet to q's; zero if none is known
};

/// The trees of a query, with where they are.
struct PairView {
  BodyView a, b;
  const QueryData& query;
  PlacedPair placed;

  SWEPT_FN BoxNode box_a(int i) const { return a.box(i, query.scale_a); }
  SWEPT_FN BoxNode box_b(int i) const { return b.box(i, query.scale_b); }

  /// The two pairs that a pair of nodes is split into. False for two leaves.
  SWEPT_FN bool split(int i, int j, NodePair* one, NodePair* two) const {
    const BoxNode &box = a.nodes[i], &other = b.nodes[j];
    if (box.leaf() && other.leaf()) {
      return false;
    }
    const bool first = other.leaf() || (!box.leaf() && largest(box.half) * query.scale_a >=
                                                           largest(other.half) * query.scale_b);
    *one = first ? NodePair{i + 1, j, 0_r} : NodePair{i, j + 1, 0_r};
    *two = first ? NodePair{box.second, j, 0_r} : NodePair{i, other.second, 0_r};
    return true;
  }
};

/// Pairs of nodes that are to be visited, the one with the smallest bound of its level on top.
struct PairStack {
  NodePair items[pair_stack_size];
  int size = 0;

  SWEPT_FN void push(const NodePair& item) { items[size++] = item; }

  /// Go down to the next pair of facets whose boxes' bound is below `best`. False if there is none.
  ///   bound_of(i, j)   bound on what is in two nodes
  template <class BoundOf>
  SWEPT_FN bool next_facets(const PairView& pair, real best, const BoundOf& bound_of, int* slot_a,
                            int* slot_b) {
    while (size > 0) {
      const NodePair visit = items[--size];
      if (visit.bound >= best) {
        continue;
      }
      NodePair near, far;
      if (!pair.split(visit.a, visit.b, &near, &far)) {
        *slot_a = pair.a.nodes[visit.a].slot();
        *slot_b = pair.b.nodes[visit.b].slot();
        return true;
      }
      near.bound = bound_of(near.a, near.b);
      far.bound = bound_of(far.a, far.b);
      if (far.bound <= near.bound) {
        const NodePair swap = near;
        near = far;
        far = swap;
      }
      // the nearer one last, to be looked at first
      if (far.bound < best) {
        push(far);
      }
      if (near.bound < best) {
        push(near);
      }
    }
    return false;
  }
};

struct DistanceDescent {
  const PairView& pair;
  DistanceBounds best;
  long long pairs;  ///< pairs of facets that were looked at

  SWEPT_FN explicit DistanceDescent(const PairView& view) : pair(view), pairs(0) {
    best = {infinity, infinity, 0, 0, zero3<real>(), zero3<real>(), zero3<real>()};
  }

  SWEPT_FN real bound_of(int i, int j) const {
    return distance_bound(gaps_of(pair.placed, pair.box_a(i), pair.box_b(j)), pair.query.box_error);
  }

  SWEPT_FN void look_at(int slot_a, int slot_b) {
    const Facet3 a = pair.placed(pair.a.facet(slot_a, pair.query.scale_a));
    const Facet3 b = pair.b.facet(slot_b, pair.query.scale_b);
    const real gap = gap_along(best.normal, a, b);
    if (is_as_good(gap, best.above, pair.query.facet_error)) {
      best.below = min(best.below, gap);
      return;
    }
    ++pairs;
    const FacetBounds d = measure(a, b, pair.query.facet_error);
    best.below = min(best.below, max(d.gap, 0_r));
    if (d.above < best.above) {
      best = {d.above, best.below, slot_a, slot_b, d.p, d.q, d.normal};
    }
  }

  /// From facets that are likely to be near.
  SWEPT_FN void run(int hint_a, int hint_b) {
    PairStack stack;
    stack.push({0, 0, -infinity});
    int slot_a = hint_a, slot_b = hint_b;
    do {
      look_at(slot_a, slot_b);
    } while (stack.next_facets(
        pair, best.above, [this](int i, int j) { return bound_of(i, j); }, &slot_a, &slot_b));
    best.below = min(best.below, best.above);
  }
};

}  // namespace swept::SWEPT_NS
