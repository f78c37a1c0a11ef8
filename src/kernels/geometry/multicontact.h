// SPDX-License-Identifier: Apache-2.0
// Several contacts of two convex shapes that rest on each other: from the features at their nearest
// points to the part of a face that both have in common.
//
//   faces   a polygon of either shape, with normals against each other within 5.1 degrees
//   lines   an edge, the axis of a capsule or a line on the wall of a cylinder, along a polygon of
//           the other shape within 5.1 degrees
//
// Shape 2's polygon, or the line, is clipped by the walls that stand on the sides of the other
// polygon (Sutherland and Hodgman 1974). The corners of what remains, put on that polygon's plane,
// are the contacts; their normal is that of shape 2's polygon (or of the one polygon beside a line)
// and the distance of each is that from the other plane. Those beyond the margin are dropped. Of
// more than four corners those of a large quadrilateral stay. Where no features match or nothing
// remains, the nearest points are the one contact.
#pragma once

#include "kernels/geometry/faces.h"
#include "kernels/geometry/quadrilateral.h"

namespace swept::SWEPT_NS {

/// Features match if n1 . n2 < face_against, or |e . n| < edge_along (unit vectors).
constexpr real face_against = -0.996_r;

/// A matching pair of features: a polygon each, or a polygon and a line of the other shape.
struct FeatureMatch {
  enum class Kind { none, faces, line_of_1, line_of_2 };

  Kind kind = Kind::none;
  Face face1, face2;
  Line line;
};

/// The first two faces against each other.
SWEPT_FN bool match_faces(const FaceList& one, const FaceList& two, FeatureMatch* match) {
  int second = -1;
  const int first = one.find([&](Vec3<real> n1) {
    second = two.find([&](Vec3<real> n2) { return dot(n1, n2) < face_against; });
    return second >= 0;
  });
  if (first < 0) {
    return false;
  }
  match->kind = FeatureMatch::Kind::faces;
  match->face1 = face_at(*one.shape, *one.feature, first);
  match->face2 = face_at(*two.shape, *two.feature, second);
  return true;
}

/// The first line of one shape along a face of the other.
///   toward   unit vector from the shape of the line to the other one
SWEPT_FN bool match_line(const Shape& s, const Feature& of_line, const FaceList& other,
                         Vec3<real> toward, Line* line, Face* face) {
  const int nline = other.total > 0 ? line_count(s, of_line) : 0;
  for (int i = 0; i < nline; ++i) {
    *line = line_at(s, of_line, i, toward);
    const int found =
        line->there
            ? other.find([&](Vec3<real> n) { return abs(dot(line->direction, n)) < edge_along; })
            : -1;
    if (found >= 0) {
      *face = face_at(*other.shape, *other.feature, found);
      return true;
    }
  }
  return false;
}

/// What of the two shapes matches.
SWEPT_FN void match_features(const Shape& a, const Shape& b, const Features& f, Vec3<real> normal,
                             FeatureMatch* match) {
  FaceList one, two;
  list_faces(a, f.of1, &one);
  list_faces(b, f.of2, &two);
  if (match_faces(one, two, match)) {
    return;
  }
  if (match_line(a, f.of1, two, normal, &match->line, &match->face2)) {
    match->kind = FeatureMatch::Kind::line_of_1;
  } else if (match_line(b, f.of2, one, -normal, &match->line, &match->face1)) {
    match->kind = FeatureMatch::Kind::line_of_2;
  }
}

/// A polygon or a line that is being clipped.
struct Clipped {
  static constexpr int room = 2 * max_corners;
  int count = 0;
  Vec3<real> at[room];  ///< [m] in the world
};

/// The part of a polygon with (x - p) . n <= 0. A line is a polygon of two corners.
SWEPT_FN void cut(const Clipped& from, Vec3<real> p, Vec3<real> n, Clipped* to) {
  to->count = 0;
  const auto add = [&](Vec3<real> x) {
    if (to->count < Clipped::room) {
      to->at[to->count++] = x;
    }
  };
  for (int i = 0; i < from.count; ++i) {
    const Vec3<real> here = from.at[i], next = from.at[i + 1 < from.count ? i + 1 : 0];
    const real over1 = dot(here - p, n), over2 = dot(next - p, n);
    if ((over1 <= 0_r) != (over2 <= 0_r)) {
      add(here + (next - here) * (over1 / (over1 - over2)));
    }
    if (over2 <= 0_r) {
      add(next);
    }
  }
}

/// Clip by the walls on the sides of a face; which of the two holds the result.
SWEPT_FN int clip_by(const Face& face, Clipped* work) {
  int now = 0;
  const int n = face.outline.count;
  for (int i = 0; i < n && work[now].count > 0; ++i) {
    const Vec3<real> p = face.outline.corner(i), q = face.outline.corner(i + 1 < n ? i + 1 : 0);
    cut(work[now], p, cross(face.normal, q - p), &work[1 - now]);
    now = 1 - now;
  }
  return now;
}

/// Contacts between two faces: corners on the plane of face 1, distances from that of face 2.
SWEPT_FN int between_faces(const Face& face1, const Face& face2, real detect, Witness* out) {
  Clipped work[2];
  const int corners = face2.outline.count;
  for (int i = 0; i < corners; ++i) {
    work[0].at[i] = face2.outline.corner(i);
  }
  work[0].count = corners;
  Clipped& common = work[clip_by(face1, work)];

  // their places on the plane of face 1, if they are within the margin
  const Vec3<real> p1 = face1.outline.corner(0);
  const real along = -dot(face1.normal, face2.normal);
  const Vec3<real> normal = -face2.normal;
  const auto height = [&](Vec3<real> x) { return dot(x - p1, face1.normal); };
  int n = 0;
  for (int i = 0; i < common.count; ++i) {
    if (height(common.at[i]) * along <= detect) {
      common.at[n++] = common.at[i];
    }
  }
  Quadrilateral q = {{0, 1, 2, 3}, 0_r};
  if (n > 4) {
    const auto corner = [&](int i) { return common.at[i]; };
    q = large_quadrilateral(corner, n, 0, n - 1);
  }
  const int kept = n < 4 ? n : 4;
  for (int i = 0; i < kept; ++i) {
    const real above = height(common.at[q.at[i]]);
    const real dist = above * along;
    out[i] = {dist, common.at[q.at[i]] - face1.normal * above + normal * (0.5_r * dist), normal};
  }
  return kept;
}

/// Contacts between a line and a face: its ends above the face.
///   sign   1: the face belongs to shape 1, -1: to shape 2
SWEPT_FN int beside_face(const Line& line, const Face& face, real sign, real detect, Witness* out) {
  Clipped work[2];
  work[0].count = 2;
  work[0].at[0] = line.outline.corner(0);
  work[0].at[1] = line.outline.corner(1);
  const Clipped& common = work[clip_by(face, work)];
  // the two points furthest from each other
  int first = 0, second = 0;
  real most = 0_r;
  for (int i = 0; i < common.count; ++i) {
    for (int j = i + 1; j < common.count; ++j) {
      const Vec3<real> apart = common.at[j] - common.at[i];
      const real square = dot(apart, apart);
      first = square > most ? i : first;
      second = square > most ? j : second;
      most = square > most ? square : most;
    }
  }
  const Vec3<real> p = face.outline.corner(0);
  const int ends = common.count == 0 ? 0 : (first == second ? 1 : 2);
  int n = 0;
  for (int i = 0; i < ends; ++i) {
    const Vec3<real> x = common.at[i == 0 ? first : second] - face.normal * line.radius;
    const real dist = dot(x - p, face.normal);
    if (dist <= detect) {
      out[n++] = {dist, x - face.normal * (0.5_r * dist), face.normal * sign};
    }
  }
  return n;
}

/// Contacts of two convex shapes with known nearest points, at least one.
///   out   room for 4
[[gnu::noinline]] SWEPT_FN int multi_contact(const Shape& a, const Shape& b, const Nearest& nearest,
                                             const Features& features, real detect, Witness* out) {
  FeatureMatch match;
  match_features(a, b, features, nearest.normal, &match);
  int n = 0;
  if (match.kind == FeatureMatch::Kind::faces) {
    n = between_faces(match.face1, match.face2, detect, out);
  } else if (match.kind == FeatureMatch::Kind::line_of_1) {
    n = beside_face(match.line, match.face2, -1_r, detect, out);
  } else if (match.kind == FeatureMatch::Kind::line_of_2) {
    n = beside_face(match.line, match.face1, 1_r, detect, out);
  }
  if (n == 0) {
    out[0] = {nearest.dist, (nearest.point1 + nearest.point2) * 0.5_r, nearest.normal};
    n = 1;
  }
  return n;
}

}  // namespace swept::SWEPT_NS
