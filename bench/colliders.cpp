// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms near each other; the official library's colliders through its table of functions.
#include "bench/colliders.h"

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#if SWEPT_HAVE_ORACLE

#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>

namespace swept::bench {

namespace {

/// What is used of the official library.
struct Library {
  decltype(&::mj_parseXMLString) mj_parseXMLString = nullptr;
  decltype(&::mj_compile) mj_compile = nullptr;
  decltype(&::mj_deleteSpec) mj_deleteSpec = nullptr;
  decltype(&::mj_deleteModel) mj_deleteModel = nullptr;
  decltype(&::mj_makeData) mj_makeData = nullptr;
  decltype(&::mj_deleteData) mj_deleteData = nullptr;
  decltype(&::mj_forward) mj_forward = nullptr;
  decltype(&::mj_kinematics) mj_kinematics = nullptr;
  decltype(&::mj_geomDistance) mj_geomDistance = nullptr;
  decltype(&::mjCOLLISIONFUNC) mjCOLLISIONFUNC = nullptr;

  Library() {
    const char* const chosen = std::getenv("SWEPT_MUJOCO");
    void* const handle =
        dlopen(chosen != nullptr ? chosen : SWEPT_ORACLE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
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
    find("mj_geomDistance", &mj_geomDistance);
    find("mjCOLLISIONFUNC", &mjCOLLISIONFUNC);
  }
};

/// Points of a noisy ellipsoid, as the text of a mesh.
std::string mesh_text(const char* name, int count, double x, double y, double z, double noise) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::string text = fmt::format("<mesh name='{}' vertex='", name);
  for (int i = 0; i < count; ++i) {
    double p[3] = {normal(random), normal(random), normal(random)};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) /
                          (1 - noise * std::uniform_real_distribution<double>(0, 1)(random));
    text += fmt::format("{:.6f} {:.6f} {:.6f} ", p[0] / length * x, p[1] / length * y,
                        p[2] / length * z);
  }
  return text + "'/>";
}

/// A type of geom, as XML.
struct Kind {
  std::string name, geom, asset;
  double size;  ///< [m] a radius
};

std::vector<Kind> all_kinds() {
  const auto mesh = [](const char* name, int count, double x, double y, double z, double noise) {
    return Kind{name, fmt::format("type='mesh' mesh='{}'", name),
                mesh_text(name, count, x, y, z, noise), std::max({x, y, z})};
  };
  return {{"plane", "type='plane' size='1 1 .1'", "", 1},
          {"sphere", "type='sphere' size='.2'", "", .2},
          {"capsule", "type='capsule' size='.1 .2'", "", .3},
          {"ellipsoid", "type='ellipsoid' size='.2 .3 .15'", "", .3},
          {"cylinder", "type='cylinder' size='.15 .2'", "", .25},
          {"box", "type='box' size='.2 .3 .15'", "", .39},
          mesh("tetrahedron", 4, .3, .3, .3, 0),
          mesh("pebble", 12, .2, .3, .25, 0),
          mesh("ball", 80, .25, .25, .25, 0),
          mesh("hull100", 100, .25, .25, .25, 1e-4),
          mesh("hull10k", 10000, .25, .25, .25, 1e-7)};
}

std::string scene_text(const Kind& a, const Kind& b) {
  const auto body = [](const Kind& k, const char* name) {
    const std::string geom = fmt::format("<geom name='{}' {}/>", name, k.geom);
    return k.name == "plane" ? geom : fmt::format("<body><freejoint/>{}</body>", geom);
  };
  return fmt::format(
      "<mujoco><option><flag gravity='disable'/></option><asset>{}{}</asset><worldbody>{}{}"
      "</worldbody></mujoco>",
      a.asset, a.name == b.name ? "" : b.asset, body(a, "one"), body(b, "two"));
}

/// Processor time of this thread [s].
double thread_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

/// The official side of a pair: it draws the poses, too.
class Official {
 public:
  Official(const Library& library, const std::string& text) : library_(library) {
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
  ~Official() {
    library_.mj_deleteData(data_);
    library_.mj_deleteModel(model_);
  }
  Official(const Official&) = delete;
  Official& operator=(const Official&) = delete;

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
    pos_.insert(pos_.end(), data_->geom_xpos, data_->geom_xpos + 6);
    mat_.insert(mat_.end(), data_->geom_xmat, data_->geom_xmat + 18);
    return {q, q + model_->nq};
  }

  /// Seconds and contacts per pose, and the part of the poses that touch.
  struct Turn {
    double seconds, contacts, touching;
  };
  Turn collide() {
    const int first = model_->geom_type[0] <= model_->geom_type[1] ? 0 : 1;
    const mjfCollision function =
        (*library_.mjCOLLISIONFUNC)[model_->geom_type[first]][model_->geom_type[1 - first]];
    mjPreContact found[mjMAXCONPAIR];
    const int poses = static_cast<int>(pos_.size() / 6);
    int contacts = 0, touching = 0;
    const double start = thread_time();
    for (int i = 0; i < poses; ++i) {
      std::memcpy(data_->geom_xpos, pos_.data() + 6 * i, 6 * sizeof(double));
      std::memcpy(data_->geom_xmat, mat_.data() + 18 * i, 18 * sizeof(double));
      const int n = function(model_, data_, found, first, 1 - first, 0);
      contacts += n;
      touching += n > 0 ? 1 : 0;
    }
    return {(thread_time() - start) / poses, static_cast<double>(contacts) / poses,
            static_cast<double>(touching) / poses};
  }

 private:
  const Library& library_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<double> pos_, mat_;
};

/// One precision of swept.
class Ours {
 public:
  Ours(const Model& model, Precision precision, const std::vector<double>& qpos, int poses)
      : batch_(model, {.nenv = poses, .precision = precision, .threads = 1}), poses_(poses) {
    batch_.write("qpos", qpos);
    batch_.forward();
    batch_.sync();
  }

  /// Seconds of the colliders per pose.
  double collide() {
    batch_.profile(true);
    batch_.forward();
    batch_.sync();
    double alone = 0, packs = 0;
    for (const ProfileEntry& entry : batch_.profile_entries()) {
      alone += entry.name == "convex" ? entry.seconds : 0;
      packs += entry.name == "narrowphase" ? entry.seconds : 0;
    }
    return (on_packs_ ? packs : alone) / poses_;
  }
  /// Whether the pair is worked on with environments side by side.
  void on_packs(bool yes) { on_packs_ = yes; }
  double contacts() { return batch_.report().contacts.mean; }

 private:
  Batch batch_;
  int poses_;
  bool on_packs_ = false;
};

/// Whether the narrow phase works on this pair in packs.
bool is_packed(const std::string& a, const std::string& b) {
  static const char* const packed[][2] = {
      {"plane", "sphere"},    {"plane", "capsule"},   {"plane", "box"},      {"plane", "ellipsoid"},
      {"plane", "cylinder"},  {"sphere", "sphere"},   {"sphere", "capsule"}, {"sphere", "box"},
      {"sphere", "cylinder"}, {"capsule", "capsule"}, {"capsule", "box"}};
  return std::any_of(std::begin(packed), std::end(packed),
                     [&](const auto& p) { return a == p[0] && b == p[1]; });
}

CollidersRow measure(const Library& library, const Kind& a, const Kind& b,
                     const CollidersOptions& options) {
  CollidersRow row;
  row.name = a.name + " " + b.name;
  const std::string text = scene_text(a, b);
  Official official(library, text);
  std::mt19937_64 random(5);
  std::vector<double> qpos;
  for (int i = 0; i < options.poses; ++i) {
    const std::vector<double> q = official.draw(&random, 0.1 * std::min(a.size, b.size));
    qpos.insert(qpos.end(), q.begin(), q.end());
  }
  const Model model = compile(load_string(text, Format::xml));
  Ours f64(model, Precision::f64, qpos, options.poses);
  Ours f32(model, Precision::f32, qpos, options.poses);
  f64.on_packs(is_packed(a.name, b.name));
  f32.on_packs(is_packed(a.name, b.name));
  std::vector<double> times[3];
  for (int turn = 0; turn < options.turns; ++turn) {
    times[0].push_back(f64.collide());
    const Official::Turn theirs = official.collide();
    times[1].push_back(theirs.seconds);
    times[2].push_back(f32.collide());
    row.touching = theirs.touching;
    row.official_contacts = theirs.contacts;
  }
  row.f64 = median(times[0]);
  row.official = median(times[1]);
  row.f32 = median(times[2]);
  row.contacts = f64.contacts();
  return row;
}

}  // namespace

CollidersResult colliders(const CollidersOptions& options) {
  const Library library;
  CollidersResult result;
  const std::vector<Kind> kinds = all_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = std::max<std::size_t>(i, 1); j < kinds.size(); ++j) {
      const std::string name = kinds[i].name + " " + kinds[j].name;
      if (name.find(options.only) == std::string::npos) {
        continue;
      }
      if (options.progress) {
        options.progress(name);
      }
      result.rows.push_back(measure(library, kinds[i], kinds[j], options));
    }
  }
  return result;
}

}  // namespace swept::bench

#else

namespace swept::bench {

CollidersResult colliders(const CollidersOptions&) {
  throw Error("this build has no headers of the official MuJoCo library",
              "run tools/setup test and configure again");
}

}  // namespace swept::bench

#endif

namespace swept::bench {

std::string CollidersResult::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CollidersRow& row : rows) {
    list.push_back({{"pair", row.name},
                    {"touching", row.touching},
                    {"f64_seconds", row.f64},
                    {"f32_seconds", row.f32},
                    {"official_seconds", row.official},
                    {"contacts", row.contacts},
                    {"official_contacts", row.official_contacts}});
  }
  return nlohmann::ordered_json({{"colliders", list}}).dump(2);
}

std::string CollidersResult::to_text() const {
  std::string text =
      fmt::format("{:<24} {:>8} {:>8} {:>8} {:>12} {:>9} {:>9}\n", "pair", "touching", "f64 ns",
                  "f32 ns", "official ns", "f64 ratio", "f32 ratio");
  for (const CollidersRow& row : rows) {
    text += fmt::format("{:<24} {:>8.2f} {:>8.0f} {:>8.0f} {:>12.0f} {:>9.2f} {:>9.2f}\n", row.name,
                        row.touching, 1e9 * row.f64, 1e9 * row.f32, 1e9 * row.official,
                        row.official / row.f64, row.official / row.f32);
  }
  return text;
}

}  // namespace swept::bench
