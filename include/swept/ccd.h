// SPDX-License-Identifier: Apache-2.0
// Certified continuous collision: the first instant at which moving bodies touch, with a proof.
//
// A library of its own, usable with no scene and no simulator; double precision on the host.
//
//   namespace ccd = swept::ccd;
//   const ccd::Mesh plate(plate_vertices, plate_triangles);    // [n, 3], [m, 3]
//   const ccd::Mesh cube(cube_vertices, cube_triangles);
//   ccd::Pose<3> here, there;
//   here.position = {0, 0, 1};
//   there.position = {0, 0, -1};
//   const auto fall = ccd::Motion<3>::between(here, there);
//   const auto rest = ccd::Motion<3>::resting({});
//   const ccd::Impact<3> impact = ccd::time_of_impact(cube, plate, fall, rest);
//   if (impact.status == ccd::Status::contact) {
//     fall.at(impact.toi);  // they are within impact.tolerance here, and apart before
//   }
//
//   motion.h         poses, motions and the bound on their speed
//   body.h           meshes and polylines with their trees
//   impact.h         two bodies: time_of_impact(), separation()
//   first_impact.h   many bodies: first_impact(), all_impacts()
//   vertices.h       pieces of deforming meshes: vertex against triangle, edge against edge …
//   batch.h          thousands of queries at once, on the CPU or a GPU (not included here: it needs
//                    the library swept)
#pragma once

#include <swept/ccd/body.h>          // IWYU pragma: export
#include <swept/ccd/first_impact.h>  // IWYU pragma: export
#include <swept/ccd/impact.h>        // IWYU pragma: export
#include <swept/ccd/motion.h>        // IWYU pragma: export
#include <swept/ccd/vertices.h>      // IWYU pragma: export
