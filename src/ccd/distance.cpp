// SPDX-License-Identifier: Apache-2.0
// Branch and bound over two trees: nearer nodes first, nodes farther than the best pair dropped. How
// far they are: by their boxes, then along the direction of the best pair, then along directions of
// their own, each only if those before it did not drop them.
//
// What is dropped is at least as far as the best pair found, so the smallest of that pair's
// distance and of the certified bounds of all pairs looked at is a bound from below for the bodies.
// Facets that the direction of the best pair already shows to be no nearer are not measured: next to
// a nearest point at which both bodies are convex, these are all others.
#include "ccd/distance.h"

#include "ccd/facet_pair.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace swept::ccd::detail {

namespace {

struct Visit {
  int a, b;
  double bound;  // of the distance of what is in both nodes
};

template <int D>
class Descent {
 public:
  Descent(const MovingPair<D>& pair, const Placed<D>& placed, std::int64_t* pairs)
      : a_(pair.a.tree()), b_(pair.b.tree()), placed_(placed), slack_(pair.error), pairs_(pairs) {}

  BodyDistance<D> run(int hint_a, int hint_b) {
    best_.above = std::numeric_limits<double>::infinity();
    best_.below = std::numeric_limits<double>::infinity();
    look_at(hint_a, hint_b);
    push(0, 0);
    while (size_ > 0) {
      const Visit visit = stack_[--size_];
      if (visit.bound >= best_.above) {
        continue;
      }
      const Node<D>&a = a_.nodes[visit.a], &b = b_.nodes[visit.b];
      if (a.leaf() && b.leaf()) {
        look_at(a.slot(), b.slot());
      } else if (b.leaf() || (!a.leaf() && largest(a.half) >= largest(b.half))) {
        push_nearer_last({visit.a + 1, visit.b}, {a.second, visit.b});
      } else {
        push_nearer_last({visit.a, visit.b + 1}, {visit.a, b.second});
      }
    }
    best_.below = std::min(best_.below, best_.above);
    return best_;
  }

 private:
  double bound_of(int a, int b) const {
    const Node<D>&node_a = a_.nodes[a], &node_b = b_.nodes[b];
    const BoxGaps<D> gaps(placed_, node_a, node_b);
    double bound = gaps.distance();
    const auto is_far = [&](const Direction<D>& n) {
      bound = std::max(bound, n.gap(gaps, node_a, node_b));
      return bound >= best_.above;
    };
    if (bound < best_.above && !is_far(normal_)) {
      try_directions(placed_, gaps, node_a, node_b, is_far);
    }
    return bound;
  }

  void push(int a, int b) { stack_[size_++] = {a, b, bound_of(a, b)}; }

  void push_nearer_last(std::pair<int, int> one, std::pair<int, int> two) {
    Visit first{one.first, one.second, bound_of(one.first, one.second)};
    Visit second{two.first, two.second, bound_of(two.first, two.second)};
    if (first.bound < second.bound) {
      std::swap(first, second);
    }
    if (first.bound < best_.above) {
      stack_[size_++] = first;
    }
    if (second.bound < best_.above) {
      stack_[size_++] = second;
    }
  }

  void look_at(int slot_a, int slot_b) {
    const Facet<D> a = placed_(a_.corners[slot_a]);
    const Facet<D>& b = b_.corners[slot_b];
    const double gap = gap_along<double, D>(normal_.in_b, a, b);
    if (is_as_good(gap, best_.above, slack_)) {
      best_.below = std::min(best_.below, gap);
      return;
    }
    ++*pairs_;
    const FacetDistance<D> d = FacetPair<D>(a, b).distance(slack_);
    best_.below = std::min(best_.below, std::max(d.gap, 0.0));
    if (d.above < best_.above) {
      normal_ = Direction<D>(placed_, d.normal);
      best_.above = d.above;
      best_.slot_a = slot_a;
      best_.slot_b = slot_b;
      best_.p = d.p;
      best_.q = d.q;
    }
  }

  const Tree<D>& a_;
  const Tree<D>& b_;
  const Placed<D>& placed_;
  double slack_;
  std::int64_t* pairs_;
  BodyDistance<D> best_;
  Direction<D> normal_;  // of the best pair; zero if none has been measured
  std::array<Visit, 2 * max_depth + 2> stack_;
  int size_ = 0;
};

}  // namespace

template <int D>
BodyDistance<D> body_distance(const MovingPair<D>& pair, const Placed<D>& placed, int hint_a,
                              int hint_b, std::int64_t* pairs) {
  return Descent<D>(pair, placed, pairs).run(hint_a, hint_b);
}

template BodyDistance<2> body_distance(const MovingPair<2>&, const Placed<2>&, int, int,
                                       std::int64_t*);
template BodyDistance<3> body_distance(const MovingPair<3>&, const Placed<3>&, int, int,
                                       std::int64_t*);

}  // namespace swept::ccd::detail
