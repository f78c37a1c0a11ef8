// SPDX-License-Identifier: Apache-2.0
// Parameters of a contact: those of a predefined pair as they are, or mixed from the two geoms.
//
//   different priority   the geom with the higher one gives everything
//   equal priority       condim: the larger; friction: the larger, element by element; with the
//                        weight w = solmix1 / (solmix1 + solmix2)
//                        solimp: w a + (1 - w) b; solref: the same if both are of the form
//                        (timeconst, dampratio), else the smaller, element by element
//
// A geom's friction (slide, spin, roll) stands for (slide, slide, spin, roll, roll). No coefficient
// of friction is below 1e-5.
#pragma once

#include "kernels/math/vec.h"

namespace swept::SWEPT_NS {

/// What all contacts of a pair share; units as in the contact record.
template <class V>
struct ContactParameters {
  V friction[5];
  V solref[2];
  V solreffriction[2];
  V solimp[5];
  int dim;
};

/// The smallest coefficient of friction.
constexpr real min_friction = 1e-5_r;

/// Weight of geom 1 in a mean of the two.
template <class V>
SWEPT_FN V solver_mix(V solmix1, V solmix2) {
  const V tiny(1e-15_r), zero(0_r), one(1_r);
  const mask_t<V> small1 = solmix1 < tiny, small2 = solmix2 < tiny;
  const V sum = solmix1 + solmix2;
  const V weight = solmix1 / select(small1 && small2, one, sum);
  return select(small1, select(small2, V(0.5_r), zero), select(small2, one, weight));
}

/// Parameters of a predefined pair.
template <class V>
SWEPT_FN ContactParameters<V> pair_parameters(const ModelAt<V>& m, int pair) {
  ContactParameters<V> p;
  for (int i = 0; i < 2; ++i) {
    p.solref[i] = m.pair_solref(2 * pair + i);
    p.solreffriction[i] = m.pair_solreffriction(2 * pair + i);
  }
  for (int i = 0; i < 5; ++i) {
    p.solimp[i] = m.pair_solimp(5 * pair + i);
    p.friction[i] = m.pair_friction(5 * pair + i);
  }
  p.dim = m.pair_dim(pair);
  return p;
}

/// Parameters of a contact that one geom decides alone.
template <class V>
SWEPT_FN ContactParameters<V> geom_parameters(const ModelAt<V>& m, int geom) {
  ContactParameters<V> p;
  for (int i = 0; i < 2; ++i) {
    p.solref[i] = m.geom_solref(2 * geom + i);
    p.solreffriction[i] = V(0_r);
  }
  const V slide = m.geom_friction(3 * geom), spin = m.geom_friction(3 * geom + 1),
          roll = m.geom_friction(3 * geom + 2);
  const V friction[5] = {slide, slide, spin, roll, roll};
  for (int i = 0; i < 5; ++i) {
    p.solimp[i] = m.geom_solimp(5 * geom + i);
    p.friction[i] = friction[i];
  }
  p.dim = m.geom_condim(geom);
  return p;
}

/// Parameters of a contact of two geoms with equal priority.
template <class V>
SWEPT_FN ContactParameters<V> mixed_parameters(const ModelAt<V>& m, int g1, int g2) {
  const ContactParameters<V> a = geom_parameters(m, g1), b = geom_parameters(m, g2);
  const V w = solver_mix(V(m.geom_solmix(g1)), V(m.geom_solmix(g2)));
  const V rest = V(1_r) - w;
  const mask_t<V> standard = a.solref[0] > V(0_r) && b.solref[0] > V(0_r);

  ContactParameters<V> p;
  for (int i = 0; i < 2; ++i) {
    p.solref[i] =
        select(standard, V(w * a.solref[i] + rest * b.solref[i]), min(a.solref[i], b.solref[i]));
    p.solreffriction[i] = V(0_r);
  }
  for (int i = 0; i < 5; ++i) {
    p.solimp[i] = w * a.solimp[i] + rest * b.solimp[i];
    p.friction[i] = max(a.friction[i], b.friction[i]);
  }
  p.dim = a.dim > b.dim ? a.dim : b.dim;
  return p;
}

/// Parameters of the contacts of a pair.
///   pairid   predefined pair, -1: mixed from the geoms
template <class V>
SWEPT_FN ContactParameters<V> contact_parameters(const ModelAt<V>& m, int g1, int g2, int pairid) {
  const int priority1 = m.geom_priority(g1), priority2 = m.geom_priority(g2);

  ContactParameters<V> p;
  if (pairid >= 0) {
    p = pair_parameters(m, pairid);
  } else if (priority1 != priority2) {
    p = geom_parameters(m, priority1 > priority2 ? g1 : g2);
  } else {
    p = mixed_parameters(m, g1, g2);
  }
  for (V& friction : p.friction) {
    friction = max(friction, V(min_friction));
  }
  return p;
}

}  // namespace swept::SWEPT_NS
