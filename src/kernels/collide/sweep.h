// SPDX-License-Identifier: Apache-2.0
// Sweep and prune: the touching pairs of geoms of one environment, in the order of contacts, in a
// time that grows with the number of geoms and of pairs that are near each other.
//
// Items are sorted by column and by their lower bound along the principal axis (sweep_items.h). An
// item meets those of its own and of the eight columns around it that begin inside it; a large item
// meets the other large ones that begin inside it, and all small ones in the columns that it
// covers. Bounds that overlap along all axes lead to the rules and to the bounding test of the two
// geoms, so the pairs are those that testing all of them gives. Planes are tested against all items,
// predefined pairs one by one.
//
// The pairs are then sorted: by bodies, predefined ones first, by geoms.
#pragma once

#include "kernels/collide/bounds.h"
#include "kernels/collide/capacity.h"
#include "kernels/collide/filter.h"
#include "kernels/collide/sweep_items.h"
#include "kernels/collide/swept_bounds.h"

namespace swept::SWEPT_NS {

/// One environment while it is swept.
struct SweepAt {
  ModelAt<real> m;
  DataAt<real> d;
  Sweep s;
  Along along;
  real slow;  ///< see may_meet_on_arcs

  /// Whether two geoms touch by their bounds, or are fast and may meet within the step; on arcs the
  /// latter alone.
  SWEPT_FN bool meets(const GeomPair& pair) const {
    if (along == Along::arcs) {
      return may_meet_on_arcs(m, d, pair, slow);
    }
    return bounds_touch(m, d, pair) || (along == Along::line && may_meet(m, d, pair));
  }
  SWEPT_FN bool overlap(int i, int j) const {
    for (int k = 0; k < 3; ++k) {
      if (!(s.low(k, i) <= s.high(k, j) && s.low(k, j) <= s.high(k, i))) {
        return false;
      }
    }
    return true;
  }
  SWEPT_FN unsigned key(int p) const { return static_cast<unsigned>(s.record[p].a); }
  SWEPT_FN int item(int p) const { return s.record[p].b; }

  /// The first record from `first` on, before `last`, whose key is not below a number.
  SWEPT_FN int find(int first, int last, unsigned least) const {
    while (first < last) {
      const int middle = first + (last - first) / 2;
      if (key(middle) < least) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }
};

/// The key of a place in a column; places beyond the ends stay inside.
SWEPT_FN unsigned key_of(int column, int place) {
  constexpr int last = (1 << place_bits) - 1;
  place = place < 0 ? 0 : (place > last ? last : place);
  return static_cast<unsigned>(column) << place_bits | static_cast<unsigned>(place);
}

/// meet(item) for the records [first, ...) of a column whose keys are not above `most`.
template <class Meet>
SWEPT_FN void meet_until(const SweepAt& w, int first, int column, int last_place,
                         const Meet& meet) {
  const int end = w.s.start[column + 1];
  const unsigned most = key_of(column, last_place);
  for (int q = first; q < end && w.key(q) <= most; ++q) {
    meet(w.item(q));
  }
}

/// meet(other) for all items that a small one at record p meets: each pair once, from the item whose
/// place comes first, of equal places the smaller item.
template <class Meet>
SWEPT_FN void meet_small(const SweepAt& w, int p, const Meet& meet) {
  const Sweep& s = w.s;
  const int i = w.item(p);
  const int column = static_cast<int>(w.key(p) >> place_bits);
  const int place = static_cast<int>(w.key(p) & ((1u << place_bits) - 1));
  const int last_place = place_of_bound(s, s.high(0, i)) + 1;
  meet_until(w, p + 1, column, last_place, meet);

  // the columns around; fewer where they would be the same ones
  const int u = column / s.side, v = column % s.side;
  const int from = s.side > 2 ? -1 : 0, to = s.side > 1 ? 1 : 0;
  for (int du = from; du <= to; ++du) {
    for (int dv = from; dv <= to; ++dv) {
      const int other = column_of(s, u + du, v + dv);
      if (other == column || s.start[other] == s.start[other + 1]) {
        continue;
      }
      const unsigned least = key_of(other, place);
      const int first = w.find(s.start[other], s.start[other + 1], least);
      meet_until(w, first, other, last_place, [&](int j) {
        // of equal places only the smaller item meets the other
        if (j > i || place_of_bound(s, s.low(0, j)) != place) {
          meet(j);
        }
      });
    }
  }
}

/// meet(other) for all items that a large one at record p meets: small ones, and large ones whose
/// record comes later.
template <class Meet>
SWEPT_FN void meet_large(const SweepAt& w, int p, const Meet& meet) {
  const Sweep& s = w.s;
  const int i = w.item(p);
  const int last_place = place_of_bound(s, s.high(0, i)) + 1;
  meet_until(w, p + 1, s.columns(), last_place, meet);

  const int first_place = place_of_bound(s, s.low(0, i) - s.cell) - 1;
  int first[2], count[2];
  for (int k = 0; k < 2; ++k) {
    first[k] = cell_of(s, s.low(k + 1, i) - 0.5_r * s.cell);
    const int cells = cell_of(s, s.high(k + 1, i) + 0.5_r * s.cell) - first[k] + 1;
    count[k] = cells < s.side ? cells : s.side;
  }
  for (int u = first[0]; u < first[0] + count[0]; ++u) {
    for (int v = first[1]; v < first[1] + count[1]; ++v) {
      const int column = column_of(s, u, v);
      const int begin = w.find(s.start[column], s.start[column + 1], key_of(column, first_place));
      meet_until(w, begin, column, last_place, meet);
    }
  }
}

/// visit(low, high) for the geoms of two ranges of different bodies that may collide and whose
/// bounds touch; `low` is the geom of the lower body.
template <class Visit>
SWEPT_FN void visit_geoms(const SweepAt& w, int adr1, int num1, int adr2, int num2,
                          const Visit& visit) {
  const bool swap = w.m.geom_bodyid(adr1) > w.m.geom_bodyid(adr2);
  const int low = swap ? adr2 : adr1, nlow = swap ? num2 : num1;
  const int high = swap ? adr1 : adr2, nhigh = swap ? num1 : num2;
  if (!bodies_may_collide(w.m, w.m.geom_bodyid(low), w.m.geom_bodyid(high))) {
    return;
  }
  for (int g = low; g < low + nlow; ++g) {
    for (int h = high; h < high + nhigh; ++h) {
      const GeomPair pair = ordered_pair(w.m, g, h, -1);
      if (pair.kind >= 0 && geoms_may_collide(w.m, g, h) && w.meets(pair)) {
        visit(g, h);
      }
    }
  }
}

/// visit(low, high) for all touching pairs of geoms that the item at record p answers for.
template <class Visit>
SWEPT_FN void visit_item(const SweepAt& w, int p, const Visit& visit) {
  const Sweep& s = w.s;
  const int i = w.item(p);
  const int adr = w.m.sweep_geomadr(i), num = w.m.sweep_geomnum(i);
  for (int k = 0; k < w.m->nsweepplane; ++k) {
    visit_geoms(w, w.m.sweep_planeid(k), 1, adr, num, visit);
  }
  if (p >= s.start[s.columns() + 1]) {
    return;  // it has no bounds
  }
  const auto meet = [&](int j) {
    if (w.overlap(i, j)) {
      visit_geoms(w, adr, num, w.m.sweep_geomadr(j), w.m.sweep_geomnum(j), visit);
    }
  };
  if (p < s.start[s.columns()]) {
    meet_small(w, p, meet);
  } else {
    meet_large(w, p, meet);
  }
}

/// A predefined pair as a record: its first geom, and -1 - its number.
SWEPT_FN Record predefined_record(const ModelAt<real>& m, int pairid) {
  return {m.pair_geom1(pairid), -1 - pairid};
}
/// The geom of the higher body of a record.
template <class V>
SWEPT_FN int high_geom(const ModelAt<V>& m, const Record& r) {
  return r.b >= 0 ? r.b : m.pair_geom2(-1 - r.b);
}

/// Write what visits of `n` things find, in their order, behind the `count` records that are there;
/// returns how many there are then, whether they fit or not.
///   find   find(k, visit): visit(Record) for everything that thing k finds
template <class Find>
SWEPT_FN int write_found(const Group auto g, Record* found, int capacity, int count, int n,
                         const Find& find) {
  constexpr int kept = 8;
  for (int first = 0; first < n; first += g.size()) {
    const int k = first + g.lane();
    Record some[kept];
    int here = 0;
    if (k < n) {
      find(k, [&](Record r) {
        if (here < kept) {
          some[here] = r;
        }
        ++here;
      });
    }
    const int place = count + g.exclusive_scan(here);
    for (int i = 0; i < here && i < kept && place + i < capacity; ++i) {
      found[place + i] = some[i];
    }
    if (here > kept) {
      int i = 0;
      find(k, [&](Record r) {
        if (place + i < capacity) {
          found[place + i] = r;
        }
        ++i;
      });
    }
    count += g.sum(here);
  }
  g.sync();
  return count;
}

/// Sort the found pairs into the order of contacts; the first `predefined` of them are in order.
SWEPT_FN void sort_found(const Group auto g, const ModelAt<real>& m, Record* found, int capacity,
                         int* counters, int predefined, int count) {
  // dynamic pairs by geoms
  RadixRoom room = {found + predefined, found + capacity + predefined, counters};
  const int geom_bits = bits_below(m->ngeom), body_bits = bits_below(m->nbody);
  const auto low = [](const Record& r) { return static_cast<unsigned>(r.a); };
  const auto high = [](const Record& r) { return static_cast<unsigned>(r.b); };
  sort_by(g, &room, count - predefined, high, geom_bits);
  sort_by(g, &room, count - predefined, low, geom_bits);
  if (room.from != found + predefined) {
    for (int i = g.lane(); i < predefined; i += g.size()) {
      found[capacity + i] = found[i];
    }
    g.sync();
  }

  // all by bodies
  room.from -= predefined;
  room.to -= predefined;
  const auto body1 = [&](const Record& r) { return static_cast<unsigned>(m.geom_bodyid(r.a)); };
  const auto body2 = [&](const Record& r) {
    return static_cast<unsigned>(m.geom_bodyid(high_geom(m, r)));
  };
  sort_by(g, &room, count, body2, body_bits);
  sort_by(g, &room, count, body1, body_bits);
  if (room.from != found) {
    for (int i = g.lane(); i < count; i += g.size()) {
      found[i] = room.from[i];
    }
    g.sync();
  }
}

/// The pairs that a sweep of an environment found.
SWEPT_FN Record* found_at(const Tile& t, int env) {
  return reinterpret_cast<Record*>(t.sweep.found) + 2LL * env * t.pairs.capacity;
}

/// Sweep one environment: its touching pairs, in the order of contacts. A frozen one has none. A
/// list that does not fit is empty, and the tile halts.
///   along    line: where no geom is fast, as if it was `nowhere`
///   reason   what it halts with
///   slow     arcs: see may_meet_on_arcs
SWEPT_FN void sweep(const Group auto g, const Tile& t, int env, Along along,
                    HaltReason reason = halt_pairs, real slow = 1_r) {
  const bool contacts_off =
      (t.model.opt.disableflags & (disable_constraint | disable_contact)) != 0;
  if (contacts_off || t.frozen[env] != status_ok) {
    if (g.lane() == 0) {
      t.sweep.count[env] = 0;
    }
    return;
  }
  SweepAt w = {t.model_at<real>(env / W, env % W), t.data_at<real>(env / W, env % W),
               sweep_at(t, env), along, slow};
  if (along == Along::line && !has_fast_geoms(w.m, w.d)) {
    w.along = Along::nowhere;
  }
  find_axes(g, w.m, w.d, &w.s);
  find_bounds(g, w.m, w.d, w.s, w.along);
  find_cells(g, &w.s);
  sort_items(g, &w.s);

  Record* const found = found_at(t, env);
  const int capacity = t.pairs.capacity;
  const int predefined =
      write_found(g, found, capacity, 0, w.m->npair, [&](int pairid, const auto& visit) {
        const Record r = predefined_record(w.m, pairid);
        const GeomPair pair = ordered_pair(w.m, r.a, w.m.pair_geom2(pairid), pairid);
        if (pair.kind >= 0 && w.meets(pair)) {
          visit(r);
        }
      });
  const int count =
      write_found(g, found, capacity, predefined, w.s.n, [&](int p, const auto& visit) {
        visit_item(w, p, [&](int low, int high) { visit(Record{low, high}); });
      });
  if (g.lane() == 0) {
    report_need(t, &t.control->need.pairs, count, capacity, reason);
    t.sweep.count[env] = count <= capacity ? count : 0;
  }
  if (count <= capacity) {
    sort_found(g, w.m, found, capacity, w.s.counters, predefined, count);
  }
}

}  // namespace swept::SWEPT_NS
