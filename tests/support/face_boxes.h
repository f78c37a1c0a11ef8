// SPDX-License-Identifier: Apache-2.0
// A tree of boxes over the faces of every mesh, made without the compiler of scenes: the list of
// faces is halved as it stands, whatever that is worth for speed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/host_tile.h"

namespace swept::SWEPT_NS::test {

/// Fill meshbvh_* of a scene from mesh_vert and mesh_face.
inline void add_face_boxes(ModelArrays* scene) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<int> child, face, next;
  std::vector<double> aabb;
  scene->meshbvh_adr.clear();
  scene->meshbvh_num.clear();
  for (int mesh = 0; mesh < scene->nmesh; ++mesh) {
    const int first = static_cast<int>(face.size());
    // faces [begin, end) below a new node; returns its number in the mesh
    const auto add = [&](const auto& self, int begin, int end) -> int {
      const int node = static_cast<int>(face.size());
      double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30};
      for (int i = 3 * begin; i < 3 * end; ++i) {
        const int v = scene->mesh_vertadr[at(mesh)] +
                      scene->mesh_face[at(3 * scene->mesh_faceadr[at(mesh)] + i)];
        for (int k = 0; k < 3; ++k) {
          low[k] = std::min(low[k], scene->mesh_vert[at(3 * v + k)]);
          high[k] = std::max(high[k], scene->mesh_vert[at(3 * v + k)]);
        }
      }
      face.push_back(end - begin == 1 ? begin : -1);
      next.push_back(node - first + 2 * (end - begin) - 1);
      child.insert(child.end(), {-1, -1});
      for (int k = 0; k < 3; ++k) {
        aabb.push_back(0.5 * (low[k] + high[k]));
      }
      for (int k = 0; k < 3; ++k) {
        aabb.push_back(0.5 * (high[k] - low[k]));
      }
      if (end - begin > 1) {
        const int middle = begin + (end - begin) / 2;
        const int left = self(self, begin, middle);
        const int right = self(self, middle, end);
        child[at(2 * node)] = left;
        child[at(2 * node + 1)] = right;
      }
      return node - first;
    };
    if (scene->mesh_facenum[at(mesh)] > 0) {
      add(add, 0, scene->mesh_facenum[at(mesh)]);
    }
    scene->meshbvh_adr.push_back(first);
    scene->meshbvh_num.push_back(static_cast<int>(face.size()) - first);
  }
  scene->nmeshbvh = static_cast<int>(face.size());
  scene->meshbvh_child = child;
  scene->meshbvh_face = face;
  scene->meshbvh_next = next;
  scene->meshbvh_aabb = aabb;
}

}  // namespace swept::SWEPT_NS::test
