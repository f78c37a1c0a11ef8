// SPDX-License-Identifier: Apache-2.0
// The smallest safe step over all pairs of facets; boxes whose own safe step is not smaller than
// the best are dropped.
//
// Nodes are convex, too, so the same two bounds hold for them: the plain one with the boxes' radii,
// and the directional one along each of the axes of both bodies on which they have a gap, then along
// the direction of the best pair of facets and along directions of their own. A pair that is dropped
// is safe for the step that comes out, whichever bound said so.
#include "ccd/directional.h"

#include "ccd/facet_pair.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace swept::ccd::detail {

namespace {

// how fast a gap along a fixed unit vector can fall: along + turn_a radius_a + turn_b radius_b
struct Closing {
  double along, turn_a, turn_b;

  double rate(double radius_a, double radius_b) const {
    return along + turn_a * radius_a + turn_b * radius_b;
  }
};

template <int D>
class Descent {
 public:
  Descent(const MovingPair<D>& pair, const Placed<D>& placed, double target, double best,
          std::int64_t* pairs)
      : pair_(pair),
        a_(pair.a.tree()),
        b_(pair.b.tree()),
        placed_(placed),
        target_(target),
        best_(best),
        way_(norm(pair.way)),
        pairs_(pairs) {
    // the axes of both bodies, in the world as they are now
    for (int i = 0; i < D; ++i) {
      Vector<D> axis_a{}, axis_b{};
      for (int j = 0; j < D; ++j) {
        axis_a[j] = placed.pose_a.rotation[j][i];
        axis_b[j] = placed.pose_b.rotation[j][i];
      }
      axes_a_[i] = closing(axis_a);
      axes_b_[i] = closing(axis_b);
    }
  }

  double run(int hint_a, int hint_b, double floor) {
    look_at(hint_a, hint_b);
    push(0, 0);
    // once the best is no better than the plain step, the answer is known
    while (size_ > 0 && best_ > floor) {
      const Visit visit = stack_[--size_];
      if (visit.step >= best_) {
        continue;
      }
      const Node<D>&a = a_.nodes[visit.a], &b = b_.nodes[visit.b];
      if (a.leaf() && b.leaf()) {
        look_at(a.slot(), b.slot());
      } else if (b.leaf() || (!a.leaf() && largest(a.half) >= largest(b.half))) {
        push_sooner_last({visit.a + 1, visit.b}, {a.second, visit.b});
      } else {
        push_sooner_last({visit.a, visit.b + 1}, {visit.a, b.second});
      }
    }
    return std::max(best_, floor);
  }

 private:
  struct Visit {
    int a, b;
    double step;  // safe for all that is in both boxes
  };

  Closing closing(const Vector<D>& n) const {
    const auto turn = [&n](const Motion<D>& motion) {
      if constexpr (D == 2) {
        return std::abs(motion.angle());
      } else {
        return motion.angle() * norm(cross(n, motion.axis()));
      }
    };
    return {dot(n, pair_.way), rounded_up(turn(pair_.motion_a)), rounded_up(turn(pair_.motion_b))};
  }

  // along a unit vector of b's frame
  Closing closing_along(const Vector<D>& n) const { return closing(placed_.pose_b.rotation * n); }

  // how long a gap stays above the target; a rate that is not positive never closes it
  double safe(double gap, double rate) const {
    const double room = gap - target_;
    if (!(room > 0)) {
      return 0;
    }
    return rate > 0 ? room / rounded_up(rate) : std::numeric_limits<double>::infinity();
  }

  double step_of(int a, int b) const {
    const Node<D>&node_a = a_.nodes[a], &node_b = b_.nodes[b];
    const BoxGaps<D> gaps(placed_, node_a, node_b);
    const double radius_a = turn_radius_bound<D>(pair_.motion_a, node_a.center, node_a.half);
    const double radius_b = turn_radius_bound<D>(pair_.motion_b, node_b.center, node_b.half);
    const double plain_rate = way_ + std::abs(pair_.motion_a.angle()) * radius_a +
                              std::abs(pair_.motion_b.angle()) * radius_b;
    double step = safe(gaps.distance(), plain_rate);
    const auto try_axis = [&](Closing c, double gap, double offset) {
      if (gap > target_) {
        // from a to b: against the offset
        c.along = offset > 0 ? -c.along : c.along;
        step = std::max(step, safe(gap, c.rate(radius_a, radius_b)));
      }
    };
    for (int i = 0; i < D; ++i) {
      try_axis(axes_b_[i], gaps.along_b[i], gaps.offset_b[i]);
      try_axis(axes_a_[i], gaps.along_a[i], gaps.offset_a[i]);
    }
    if (step >= best_) {
      return step;
    }
    // the best pair's direction, of which the rate is known, then the nodes' own
    step = std::max(
        step, safe(normal_.gap(gaps, node_a, node_b), normal_closing_.rate(radius_a, radius_b)));
    if (step < best_) {
      try_directions(placed_, gaps, node_a, node_b, [&](const Direction<D>& n) {
        const double gap = n.gap(gaps, node_a, node_b);
        if (gap > target_) {
          step = std::max(step, safe(gap, closing_along(n.in_b).rate(radius_a, radius_b)));
        }
        return step >= best_;
      });
    }
    return step;
  }

  void push(int a, int b) { stack_[size_++] = {a, b, step_of(a, b)}; }

  void push_sooner_last(std::pair<int, int> one, std::pair<int, int> two) {
    Visit first{one.first, one.second, step_of(one.first, one.second)};
    Visit second{two.first, two.second, step_of(two.first, two.second)};
    if (first.step < second.step) {
      std::swap(first, second);
    }
    if (first.step < best_) {
      stack_[size_++] = first;
    }
    if (second.step < best_) {
      stack_[size_++] = second;
    }
  }

  void look_at(int slot_a, int slot_b) {
    const Facet<D>&own = a_.corners[slot_a], &b = b_.corners[slot_b];
    const Facet<D> a = placed_(own);
    double radius_a = 0, radius_b = 0;
    for (int i = 0; i < D; ++i) {
      radius_a = std::max(radius_a, turn_radius<D>(pair_.motion_a, own[i]));
      radius_b = std::max(radius_b, turn_radius<D>(pair_.motion_b, b[i]));
    }
    // the direction of the best pair often shows that another one is safe for as long
    const double before =
        safe(gap_along<double, D>(normal_.in_b, a, b), normal_closing_.rate(radius_a, radius_b));
    if (before >= best_ * (1 - 1e-9)) {
      best_ = std::min(best_, before);
      return;
    }
    ++*pairs_;
    const FacetDistance<D> d = FacetPair<D>(a, b).distance(pair_.error);
    const Closing c = closing_along(d.normal);
    const double step = safe(d.gap, c.rate(radius_a, radius_b));
    if (step < best_) {
      best_ = step;
      normal_ = Direction<D>(placed_, d.normal);
      normal_closing_ = c;
    }
  }

  const MovingPair<D>& pair_;
  const Tree<D>& a_;
  const Tree<D>& b_;
  const Placed<D>& placed_;
  double target_, best_, way_;
  std::int64_t* pairs_;
  std::array<Closing, D> axes_a_, axes_b_;
  Direction<D> normal_;  // of the facets whose step is the best so far, in b's frame; or zero
  Closing normal_closing_{};
  std::array<Visit, 2 * max_depth + 2> stack_;
  int size_ = 0;
};

}  // namespace

template <int D>
double directional_step(const MovingPair<D>& pair, const Placed<D>& placed, double target,
                        double floor, double ceiling, int hint_a, int hint_b, std::int64_t* pairs) {
  return Descent<D>(pair, placed, target, ceiling, pairs).run(hint_a, hint_b, floor);
}

template double directional_step(const MovingPair<2>&, const Placed<2>&, double, double, double,
                                 int, int, std::int64_t*);
template double directional_step(const MovingPair<3>&, const Placed<3>&, double, double, double,
                                 int, int, std::int64_t*);

}  // namespace swept::ccd::detail
