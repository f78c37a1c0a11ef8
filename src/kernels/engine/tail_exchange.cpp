// SPDX-License-Identifier: Apache-2.0
// Kernels that gather the pairs which wait and that write answers, and the host's conversion between
// the device's reals and double.
#include "kernels/engine/tail_exchange.h"

#include <cmath>
#include <utility>

#include "kernels/base/launch.h"
#include "kernels/speculative/follow.h"

namespace swept::SWEPT_NS {

namespace {

using TailRecord = TailPairOf<real>;

// ---- on the device ----------------------------------------------------------------------------------

SWEPT_FN void put_vector(Vec3<real> a, real* to) {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}
SWEPT_FN Vec3<real> vector_of(const real* a) {
  return {a[0], a[1], a[2]};
}

SWEPT_FN void put_geom(const Shape& shape, int mesh, const StepMotion<real>& motion, real bound,
                       TailGeom<real>* to) {
  to->type = shape.type;
  to->mesh = shape.type == geom_mesh ? mesh : -1;
  put_vector(shape.pos, to->pos);
  const Mat3<real>& a = shape.mat;
  const real mat[9] = {a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz};
  for (int i = 0; i < 9; ++i) {
    to->mat[i] = mat[i];
  }
  put_vector(shape.size, to->size);
  put_vector(motion.dx, to->way);
  put_vector(motion.domega, to->turn);
  to->travel = motion.travel;
  to->bound = bound;
}

SWEPT_FN void put_state(const GuardState& s, TailState<real>* to) {
  to->end = static_cast<int>(s.end);
  to->rounds = s.rounds;
  to->slips = s.slips;
  to->corners = 0;  // the host makes its own
  to->t = s.t;
  to->seen = s.seen;
  to->first = s.first;
  to->distance = s.distance;
  to->floor = s.floor;
  put_vector(s.normal, to->normal);
  put_vector(s.arm1, to->arm1);
  put_vector(s.arm2, to->arm2);
}

/// The state of an answer.
///   unit   [m] of the corners
SWEPT_FN GuardState state_of(const TailState<real>& from, real unit) {
  GuardState s = {};
  s.end = static_cast<AdvanceEnd>(from.end);
  s.rounds = from.rounds;
  s.slips = from.slips;
  s.t = from.t;
  s.seen = from.seen;
  s.first = from.first;
  s.distance = from.distance;
  s.floor = from.floor;
  s.normal = vector_of(from.normal);
  s.arm1 = vector_of(from.arm1);
  s.arm2 = vector_of(from.arm2);
  s.warm.count = from.corners;
  for (int i = 0; i < from.corners; ++i) {
    s.warm.id1[i] = from.id1[i];
    s.warm.id2[i] = from.id2[i];
    s.warm.on1[i] = vector_of(from.corner1[i]) * (1_r / unit);
    s.warm.on2[i] = vector_of(from.corner2[i]) * (1_r / unit);
  }
  return s;
}

/// The number of pairs of each environment that wait.
struct CountWaiting {
  const Tile* t;
  int* count;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (g.lane() == 0) {
      count[env] = waiting_pairs(*t, env);
    }
  }
};

/// Copy them; those of an environment start at first[env].
struct HandOver {
  const Tile* t;
  const int* first;
  TailRecord* out;

  SWEPT_FN void operator()(const Group auto g, int env) const {
    if (g.lane() != 0) {
      return;
    }
    const ModelAt<real> m = t->model_at<real>(env / W, env % W);
    const DataAt<real> d = t->data_at<real>(env / W, env % W);
    const FastPairs pairs = fast_pairs_at(*t, env);
    TailRecord* next = out + first[env];
    for (int i = 0; i < pairs.count; ++i) {
      const FastPair& p = pairs[i];
      if (!waits_for_host(p)) {
        continue;
      }
      const SweptPair pair = swept_pair_of(m, d, p.pair);
      next->env = env;
      next->number = i;
      next->touches = p.touches;
      next->thickness = pair.thickness;
      next->margin = pair_reach(m, p.pair).margin;
      next->unit = Looker(pair).length;
      put_geom(pair.shape1, m.geom_dataid(p.pair.geom1), pair.motion1, pair.bound1, &next->geom1);
      put_geom(pair.shape2, m.geom_dataid(p.pair.geom2), pair.motion2, pair.bound2, &next->geom2);
      put_state(p.state, &next->state);
      ++next;
    }
  }
};

/// Write answer k.
struct TakeBack {
  const Tile* t;
  const TailRecord* answers;

  SWEPT_FN void operator()(const Group auto g, int k) const {
    if (g.lane() == 0) {
      const TailRecord& answer = answers[k];
      FastPair& p = fast_pairs_at(*t, answer.env)[answer.number];
      p.state = state_of(answer.state, answer.unit);
      p.followed = 1;
    }
  }
};

// ---- on the host ------------------------------------------------------------------------------------

template <class To, class From>
void convert(const From* from, int n, To* to) {
  for (int i = 0; i < n; ++i) {
    to[i] = static_cast<To>(from[i]);
  }
}

/// The largest real that is not above x.
real rounded_down(double x) {
  const real y = static_cast<real>(x);
  return static_cast<double>(y) > x ? std::nextafter(y, real(-1)) : y;
}

TailGeom<double> widened(const TailGeom<real>& from) {
  TailGeom<double> to{};
  to.type = from.type;
  to.mesh = from.mesh;
  convert(from.pos, 3, to.pos);
  convert(from.mat, 9, to.mat);
  convert(from.size, 3, to.size);
  convert(from.way, 3, to.way);
  convert(from.turn, 3, to.turn);
  to.travel = static_cast<double>(from.travel);
  to.bound = static_cast<double>(from.bound);
  return to;
}

TailPair widened(const TailRecord& from) {
  TailPair to{};
  to.env = from.env;
  to.number = from.number;
  to.touches = from.touches;
  to.thickness = static_cast<double>(from.thickness);
  to.margin = static_cast<double>(from.margin);
  to.unit = static_cast<double>(from.unit);
  to.geom1 = widened(from.geom1);
  to.geom2 = widened(from.geom2);
  to.state.end = from.state.end;
  to.state.rounds = from.state.rounds;
  to.state.slips = from.state.slips;
  to.state.t = static_cast<double>(from.state.t);
  to.state.seen = static_cast<double>(from.state.seen);
  to.state.first = static_cast<double>(from.state.first);
  to.state.distance = static_cast<double>(from.state.distance);
  to.state.floor = static_cast<double>(from.state.floor);
  convert(from.state.normal, 3, to.state.normal);
  convert(from.state.arm1, 3, to.state.arm1);
  convert(from.state.arm2, 3, to.state.arm2);
  return to;
}

/// What an answer writes: where, and the state.
TailRecord narrowed(const TailPair& from) {
  TailRecord to{};
  to.env = from.env;
  to.number = from.number;
  to.unit = static_cast<real>(from.unit);
  const TailState<double>& s = from.state;
  to.state.end = s.end;
  to.state.rounds = s.rounds;
  to.state.slips = s.slips;
  to.state.corners = s.corners;
  to.state.t = rounded_down(s.t);
  to.state.seen = rounded_down(s.seen);
  to.state.first = static_cast<real>(s.first);
  to.state.distance = static_cast<real>(s.distance);
  to.state.floor = static_cast<real>(s.floor);
  convert(s.normal, 3, to.state.normal);
  convert(s.arm1, 3, to.state.arm1);
  convert(s.arm2, 3, to.state.arm2);
  for (int i = 0; i < s.corners; ++i) {
    to.state.id1[i] = s.id1[i];
    to.state.id2[i] = s.id2[i];
    convert(s.corner1[i], 3, to.state.corner1[i]);
    convert(s.corner2[i], 3, to.state.corner2[i]);
  }
  return to;
}

}  // namespace

std::vector<TailPair> hand_over(const Worker& w) {
  const Context& ctx = w.context();
  const auto nenv = static_cast<std::size_t>(w.host().nenv);
  Buffer<int> places(nenv);
  launch_envs("count_waiting", ctx, w.host().nenv, CountWaiting{w.table(), places.data()});
  wait(ctx);
  std::vector<int> first(nenv);
  places.download(first.data(), nenv);
  int count = 0;
  for (int& place : first) {
    count += std::exchange(place, count);
  }
  places.upload(first.data(), nenv);

  Buffer<TailRecord> records(static_cast<std::size_t>(count));
  launch_envs("hand_over", ctx, w.host().nenv, HandOver{w.table(), places.data(), records.data()});
  wait(ctx);
  std::vector<TailRecord> narrow(static_cast<std::size_t>(count));
  records.download(narrow.data(), narrow.size());
  std::vector<TailPair> pairs;
  pairs.reserve(narrow.size());
  for (const TailRecord& record : narrow) {
    pairs.push_back(widened(record));
  }
  return pairs;
}

void take_back(const Worker& w, std::span<const TailPair> pairs) {
  std::vector<TailRecord> narrow;
  narrow.reserve(pairs.size());
  for (const TailPair& pair : pairs) {
    narrow.push_back(narrowed(pair));
  }
  Buffer<TailRecord> records(narrow.size());
  records.upload(narrow.data(), narrow.size());
  launch_envs("take_back", w.context(), static_cast<int>(pairs.size()),
              TakeBack{w.table(), records.data()});
  wait(w.context());
}

}  // namespace swept::SWEPT_NS
