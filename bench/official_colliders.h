// SPDX-License-Identifier: Apache-2.0
// The official library's side of the bench of colliders: it draws the poses, and its colliders run
// through its table of functions.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <swept/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace swept::bench {

/// What is used of the official library.
struct ColliderLibrary {
  decltype(&::mj_parseXMLString) mj_parseXMLString = nullptr;
  decltype(&::mj_compile) mj_compile = nullptr;
  decltype(&::mj_deleteSpec) mj_deleteSpec = nullptr;
  decltype(&::mj_deleteModel) mj_deleteModel = nullptr;
  decltype(&::mj_makeData) mj_makeData = nullptr;
  decltype(&::mj_deleteData) mj_deleteData = nullptr;
  decltype(&::mj_forward) mj_forward = nullptr;
  decltype(&::mj_kinematics) mj_kinematics = nullptr;
  decltype(&::mj_collision) mj_collision = nullptr;
  decltype(&::mj_geomDistance) mj_geomDistance = nullptr;
  decltype(&::mjCOLLISIONFUNC) mjCOLLISIONFUNC = nullptr;

  /// Opens the library at `path`, or the one that SWEPT_MUJOCO names.
  explicit ColliderLibrary(const char* path) {
    const char* const chosen = std::getenv("SWEPT_MUJOCO");
    void* const handle = dlopen(chosen != nullptr ? chosen : path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      throw Error(fmt::format("the official MuJoCo library cannot be opened ({})", dlerror()),
                  "run tools/setup test, or set SWEPT_MUJOCO to the path of libmujoco.so.4.0.0");
    }
    const auto find = [&](const char* name, auto* to) {
      *to = reinterpret_cast<std::remove_reference_t<decltype(*to)>>(dlsym(handle, name));
      if (*to == nullptr) {
        throw Error(fmt::format("the official MuJoCo library has no '{}'", name),
                    "set SWEPT_MUJOCO to the library that this program was built for");
      }
    };
    find("mj_parseXMLString", &mj_parseXMLString);
    find("mj_compile", &mj_compile);
    find("mj_deleteSpec", &mj_deleteSpec);
    find("mj_deleteModel", &mj_deleteModel);
    find("mj_makeData", &mj_makeData);
    find("mj_deleteData", &mj_deleteData);
    find("mj_forward", &mj_forward);
    find("mj_kinematics", &mj_kinematics);
    find("mj_collision", &mj_collision);
    find("mj_geomDistance", &mj_geomDistance);
    find("mjCOLLISIONFUNC", &mjCOLLISIONFUNC);
  }
};

/// Processor time of this thread [s].
inline double processor_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The official side of a pair: it draws the poses, too.
class OfficialPair {
 public:
  OfficialPair(const ColliderLibrary& library, const std::string& text) : library_(library) {
    char error[1000] = "";
    mjSpec* const spec =
        library_.mj_parseXMLString(text.c_str(), nullptr, error, static_cast<int>(sizeof error));
    model_ = spec == nullptr ? nullptr : library_.mj_compile(spec, nullptr);
    if (spec != nullptr) {
      library_.mj_deleteSpec(spec);
    }
    if (model_ == nullptr) {
      throw Error(fmt::format("the official library refuses the scene of the bench ({})", error),
                  "report this");
    }
    data_ = library_.mj_makeData(model_);
    library_.mj_forward(model_, data_);
  }
  ~OfficialPair() {
    library_.mj_deleteData(data_);
    library_.mj_deleteModel(model_);
  }
  OfficialPair(const OfficialPair&) = delete;
  OfficialPair& operator=(const OfficialPair&) = delete;

  /// Draw a pose, the distance uniform within `reach` [m]; its qpos.
  std::vector<double> draw(std::mt19937_64* random, double reach) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-1, 1);
    mjtNum* const q = data_->qpos;
    for (int i = 0; i < model_->nq; ++i) {
      q[i] = i % 7 < 3 ? 0.3 * uniform(*random) : normal(*random);
    }
    mjtNum* const last = q + model_->nq - 7;
    const double want = reach * uniform(*random);
    // twice: the nearest points of deep pairs are those of another face after the first
    for (int i = 0; i < 2; ++i) {
      library_.mj_kinematics(model_, data_);
      mjtNum ends[6];
      const double dist = library_.mj_geomDistance(model_, data_, 0, 1, 100, ends);
      double normal_[3], length = 0;
      for (int k = 0; k < 3; ++k) {
        normal_[k] = ends[3 + k] - ends[k];
        length += normal_[k] * normal_[k];
      }
      const double scale = (dist < 0 ? -1 : 1) / std::sqrt(std::max(length, 1e-20));
      for (int k = 0; k < 3; ++k) {
        last[k] += (want - dist) * normal_[k] * scale;
      }
    }
    for (int first = 0; first < model_->nq; first += 7) {
      const double w = q[first + 3], x = q[first + 4], y = q[first + 5], z = q[first + 6];
      const double size = std::sqrt(w * w + x * x + y * y + z * z);
      for (int k = 3; k < 7; ++k) {
        q[first + k] /= size;
      }
    }
    library_.mj_kinematics(model_, data_);
    for (const Part& part : parts()) {
      poses_.insert(poses_.end(), part.at, part.at + part.count);
    }
    ++count_;
    return {q, q + model_->nq};
  }

  /// Seconds and contacts per pose, and the part of the poses that touch.
  struct Turn {
    double seconds, contacts, touching;
  };
  /// The collider alone.
  Turn collide() {
    const int first = model_->geom_type[0] <= model_->geom_type[1] ? 0 : 1;
    const mjfCollision function =
        (*library_.mjCOLLISIONFUNC)[model_->geom_type[first]][model_->geom_type[1 - first]];
    mjPreContact found[mjMAXCONPAIR];
    return over_poses([&] { return function(model_, data_, found, first, 1 - first, 0); });
  }
  /// From poses to the list of contacts.
  Turn collision_stage() {
    return over_poses([&] {
      library_.mj_collision(model_, data_);
      return data_->ncon;
    });
  }

 private:
  /// What of mjData the colliders read.
  struct Part {
    double* at;
    std::size_t count;
  };
  std::array<Part, 4> parts() const {
    const std::size_t nbody = static_cast<std::size_t>(model_->nbody);
    return {Part{data_->geom_xpos, 6}, Part{data_->geom_xmat, 18}, Part{data_->xipos, 3 * nbody},
            Part{data_->ximat, 9 * nbody}};
  }
  template <class F>
  Turn over_poses(const F& collide) {
    int contacts = 0, touching = 0;
    const double* pose = poses_.data();
    const double start = processor_time();
    for (int i = 0; i < count_; ++i) {
      for (const Part& part : parts()) {
        std::memcpy(part.at, pose, part.count * sizeof(double));
        pose += part.count;
      }
      const int n = collide();
      contacts += n;
      touching += n > 0 ? 1 : 0;
    }
    return {(processor_time() - start) / count_, static_cast<double>(contacts) / count_,
            static_cast<double>(touching) / count_};
  }

  const ColliderLibrary& library_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<double> poses_;
  int count_ = 0;
};

}  // namespace swept::bench
