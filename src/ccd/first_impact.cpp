// SPDX-License-Identifier: Apache-2.0
// Broad phase over many moving bodies, and their pairs by the earliest time at which each may
// touch.
//
// first_impact() keeps the pairs in a heap by (time, first, second), where the time is certified to
// be not after the pair's time of impact: first the bound of the boxes, then that of the
// advancement so far. The first pair is looked at and put back with its new time. When the first
// one is finished, no other can be earlier, nor equal with a smaller pair: it is the answer, the
// one that all pairs to their ends would give. Pairs whose bound is later than the answer are never
// looked at.
#include <swept/ccd/first_impact.h>
#include <swept/error.h>

#include "ccd/advance.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

namespace swept::ccd {

using namespace detail;

namespace {

/// A body with its box at s = 0 and the bound on its speed.
template <int D>
struct Mover {
  Vector<D> low, high;
  double speed;
  double reach;  // what the box is grown by: speed, thickness and tolerance
};

struct Candidate {
  double bound;  // on the time of impact, from below
  int first, second;

  bool operator<(const Candidate& o) const {
    return std::tie(bound, first, second) < std::tie(o.bound, o.first, o.second);
  }
};

template <int D>
bool earlier(const PairImpact<D>& x, const PairImpact<D>& y) {
  return std::tie(x.impact.toi, x.first, x.second) < std::tie(y.impact.toi, y.first, y.second);
}

/// The pairs of a set of moving bodies that may touch.
template <int D>
class Search {
 public:
  Search(std::span<const Body<D>> bodies, std::span<const Motion<D>> motions,
         const Options& options)
      : bodies_(bodies), motions_(motions), options_(options) {
    if (bodies.size() != motions.size()) {
      throw Error(std::to_string(bodies.size()) + " bodies with " + std::to_string(motions.size()) +
                      " motions",
                  "give one motion for each body");
    }
    check_options(options);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      movers_.push_back(mover(bodies[i], motions[i]));
    }
    find_candidates();
  }

  const std::vector<Candidate>& candidates() const { return candidates_; }

  /// The advancement of a candidate.
  Advancement<D> advancement(const Candidate& c) const {
    const Motion<D>&one = motions_[c.first], &two = motions_[c.second];
    const double speed =
        closing_bound(one, two, movers_[c.first].speed, movers_[c.second].speed, options_);
    return {MovingPair<D>(bodies_[c.first], bodies_[c.second], one, two, speed), options_};
  }

 private:
  Mover<D> mover(const Body<D>& body, const Motion<D>& motion) const {
    Mover<D> made{};
    const Pose<D> pose = motion.at(0);
    // how far the body reaches along the world's axes: largest values of linear functions
    for (int i = 0; i < D; ++i) {
      const auto reach = [&](double sign) {
        const Vector<D> n = sign * pose.rotation[i];
        return largest_over<D>(
            body.tree(), [&](const Vector<D>& x) { return dot(n, x); },
            [&](const Vector<D>& center, const Vector<D>& half) {
              double sum = dot(n, center);
              for (int k = 0; k < D; ++k) {
                sum += std::abs(n[k]) * half[k];
              }
              return sum + 1e-14 * body.radius();
            });
      };
      made.low[i] = pose.position[i] - reach(-1);
      made.high[i] = pose.position[i] + reach(1);
    }
    made.speed = motion_bound(body, motion);
    // any pair's tolerance, also one raised because of rounding, is at most what both bodies add
    const double size = norm(motion.start()) + norm(motion.way()) + body.radius();
    made.reach = rounded_up(made.speed) + body.thickness() +
                 wanted_tolerance(body, body, options_) +
                 (1e-12 + 1e-13 * std::abs(motion.angle())) * size;
    return made;
  }

  // sweep along the axis on which the bodies are spread most
  void find_candidates() {
    const int axis = widest_axis();
    std::vector<int> order(movers_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<int>(i);
    }
    const auto start = [&](int i) { return movers_[i].low[axis] - movers_[i].reach; };
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return std::pair(start(i), i) < std::pair(start(j), j); });
    std::vector<int> open;
    for (const int i : order) {
      std::erase_if(open,
                    [&](int j) { return movers_[j].high[axis] + movers_[j].reach < start(i); });
      for (const int j : open) {
        add_candidate(std::min(i, j), std::max(i, j));
      }
      open.push_back(i);
    }
    std::sort(candidates_.begin(), candidates_.end());
  }

  int widest_axis() const {
    Vector<D> low{}, high{};
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      for (int k = 0; k < D; ++k) {
        low[k] = i == 0 ? movers_[i].low[k] : std::min(low[k], movers_[i].low[k]);
        high[k] = i == 0 ? movers_[i].low[k] : std::max(high[k], movers_[i].low[k]);
      }
    }
    const Vector<D> extent = high - low;
    return static_cast<int>(std::max_element(extent.begin(), extent.end()) - extent.begin());
  }

  void add_candidate(int i, int j) {
    const Mover<D>&a = movers_[i], &b = movers_[j];
    double square = 0;
    for (int k = 0; k < D; ++k) {
      const double gap = std::max(a.low[k] - b.high[k], b.low[k] - a.high[k]);
      if (gap > a.reach + b.reach) {
        return;
      }
      square += gap > 0 ? gap * gap : 0;
    }
    // what is below the tolerance by rounding only has a bound of 0
    const MovingPair<D> pair(bodies_[i], bodies_[j], motions_[i], motions_[j], a.speed + b.speed);
    const double tolerance =
        std::max(wanted_tolerance(bodies_[i], bodies_[j], options_), least_tolerance(pair.error));
    const double room =
        std::sqrt(square) - bodies_[i].thickness() - bodies_[j].thickness() - tolerance;
    const double speed = rounded_up(a.speed + b.speed);
    if (room > speed + pair.error) {
      return;
    }
    candidates_.push_back({room > 0 ? room / speed : 0, i, j});
  }

  std::span<const Body<D>> bodies_;
  std::span<const Motion<D>> motions_;
  const Options& options_;
  std::vector<Mover<D>> movers_;
  std::vector<Candidate> candidates_;
};

}  // namespace

namespace {

/// A pair in the heap.
template <int D>
struct Pending {
  Candidate at;                                 // its bound is the time of the pair
  std::unique_ptr<Advancement<D>> advancement;  // none: not looked at yet
  bool finished = false;
};

}  // namespace

template <int D>
FirstImpact<D> first_impact(std::span<const Body<D>> bodies, std::span<const Motion<D>> motions,
                            const Options& options) {
  const Search<D> search(bodies, motions, options);
  FirstImpact<D> result;
  result.candidates = static_cast<std::int64_t>(search.candidates().size());
  const auto later = [](const Pending<D>& x, const Pending<D>& y) { return y.at < x.at; };
  std::vector<Pending<D>> heap;  // candidates are sorted, which makes them one
  for (const Candidate& c : search.candidates()) {
    heap.push_back({c, nullptr, false});
  }
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Pending<D>& pending = heap.back();
    if (pending.finished) {
      result.earliest = {pending.at.first, pending.at.second, pending.advancement->result()};
      break;
    }
    if (pending.advancement == nullptr) {
      ++result.tested;
      pending.advancement = std::make_unique<Advancement<D>>(search.advancement(pending.at));
    }
    pending.finished = pending.advancement->look();
    pending.at.bound = pending.advancement->time();
    if (pending.finished && pending.advancement->result().status == Status::separate) {
      heap.pop_back();
    } else {
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  return result;
}

template <int D>
std::vector<PairImpact<D>> all_impacts(std::span<const Body<D>> bodies,
                                       std::span<const Motion<D>> motions, double until,
                                       const Options& options) {
  if (!(until >= 0 && until <= 1)) {
    throw Error("impacts are asked for until " + std::to_string(until), "give a time in [0, 1]");
  }
  const Search<D> search(bodies, motions, options);
  std::vector<PairImpact<D>> found;
  for (const Candidate& c : search.candidates()) {
    if (c.bound > until) {
      break;
    }
    Advancement<D> advancement = search.advancement(c);
    bool finished = false;
    while (!finished && advancement.time() <= until) {
      finished = advancement.look();
    }
    if (finished && advancement.result().status != Status::separate) {
      found.push_back({c.first, c.second, advancement.result()});
    }
  }
  std::sort(found.begin(), found.end(), earlier<D>);
  return found;
}

template FirstImpact<2> first_impact(std::span<const Body<2>>, std::span<const Motion<2>>,
                                     const Options&);
template FirstImpact<3> first_impact(std::span<const Body<3>>, std::span<const Motion<3>>,
                                     const Options&);
template std::vector<PairImpact<2>> all_impacts(std::span<const Body<2>>,
                                                std::span<const Motion<2>>, double, const Options&);
template std::vector<PairImpact<3>> all_impacts(std::span<const Body<3>>,
                                                std::span<const Motion<3>>, double, const Options&);

}  // namespace swept::ccd
