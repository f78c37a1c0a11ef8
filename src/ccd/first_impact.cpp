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
#include "ccd/mover.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

namespace swept::ccd {

using namespace detail;

namespace {

/// A body with the box that it stays in, which is grown by `reach` for the pairs it may be in.
template <int D>
struct Swept {
  Mover<D> mover;
  Vector<D> low, high;
  double reach;
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
      swept_.push_back(swept(bodies[i], motions[i]));
    }
    find_candidates();
  }

  const std::vector<Candidate>& candidates() const { return candidates_; }

  /// The advancement of a candidate.
  Advancement<D> advancement(const Candidate& c) const {
    const Motion<D>&one = motions_[c.first], &two = motions_[c.second];
    const double speed = closing_bound(one, two, swept_[c.first].mover.speed(),
                                       swept_[c.second].mover.speed(), options_);
    return {MovingPair<D>(bodies_[c.first], bodies_[c.second], one, two, speed), options_};
  }

 private:
  Swept<D> swept(const Body<D>& body, const Motion<D>& motion) const {
    Swept<D> made{Mover<D>(body, motion), {}, {}, 0};
    const Mover<D>& mover = made.mover;
    for (int i = 0; i < D; ++i) {
      Vector<D> n{};
      n[i] = 1;
      made.low[i] = mover.start()[i] + std::min(0.0, mover.way()[i]) - mover.always(-n);
      made.high[i] = mover.start()[i] + std::max(0.0, mover.way()[i]) + mover.always(n);
    }
    // any pair's room, also one with a tolerance raised because of rounding, is at most what both
    // bodies add
    const double size = norm(motion.start()) + norm(motion.way()) + body.radius();
    made.reach = room_of(body.thickness(), wanted_tolerance(body, body, options_), mover.speed()) +
                 (1e-12 + 1e-13 * std::abs(motion.angle())) * size;
    return made;
  }

  // A distance that is at least this, for as long as it lasts, is no contact, and cannot make a
  // loop meet its cap either: of steps (room - thickness - tolerance / 2) / speed, half as many as
  // are allowed reach the end.
  double room_of(double thickness, double tolerance, double speed) const {
    return thickness + tolerance + 2 * speed / options_.max_iterations;
  }

  // sweep along the axis on which the bodies are spread most
  void find_candidates() {
    const int axis = widest_axis();
    std::vector<int> order(swept_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<int>(i);
    }
    const auto start = [&](int i) { return swept_[i].low[axis] - swept_[i].reach; };
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return std::pair(start(i), i) < std::pair(start(j), j); });
    std::vector<int> open;
    for (const int i : order) {
      std::erase_if(open, [&](int j) { return swept_[j].high[axis] + swept_[j].reach < start(i); });
      for (const int j : open) {
        add_candidate(std::min(i, j), std::max(i, j));
      }
      open.push_back(i);
    }
    std::sort(candidates_.begin(), candidates_.end());
  }

  int widest_axis() const {
    Vector<D> low{}, high{};
    for (std::size_t i = 0; i < swept_.size(); ++i) {
      for (int k = 0; k < D; ++k) {
        low[k] = i == 0 ? swept_[i].low[k] : std::min(low[k], swept_[i].low[k]);
        high[k] = i == 0 ? swept_[i].low[k] : std::max(high[k], swept_[i].low[k]);
      }
    }
    const Vector<D> extent = high - low;
    return static_cast<int>(std::max_element(extent.begin(), extent.end()) - extent.begin());
  }

  void add_candidate(int i, int j) {
    const Swept<D>&a = swept_[i], &b = swept_[j];
    for (int k = 0; k < D; ++k) {
      if (std::max(a.low[k] - b.high[k], b.low[k] - a.high[k]) > a.reach + b.reach) {
        return;
      }
    }
    const double speed = a.mover.speed() + b.mover.speed();
    const MovingPair<D> pair(bodies_[i], bodies_[j], motions_[i], motions_[j], speed);
    const double tolerance =
        std::max(wanted_tolerance(bodies_[i], bodies_[j], options_), least_tolerance(pair.error));
    const double room = room_of(bodies_[i].thickness() + bodies_[j].thickness(), tolerance, speed);
    const double time = apart_until<D>(a.mover, b.mover, room, pair.error);
    if (time < never) {
      candidates_.push_back({time, i, j});
    }
  }

  std::span<const Body<D>> bodies_;
  std::span<const Motion<D>> motions_;
  const Options& options_;
  std::vector<Swept<D>> swept_;
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
    // the bound of the boxes may be later than what the loop has come to
    const double time = pending.advancement->time();
    pending.at.bound = pending.finished ? time : std::max(pending.at.bound, time);
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
