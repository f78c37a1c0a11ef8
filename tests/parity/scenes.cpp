// SPDX-License-Identifier: Apache-2.0
// Finding and loading the scenes of the parity tests.
#include "parity/scenes.h"

#include <swept/compile.h>
#include <swept/load.h>

#include "parity/feature_scenes.h"
#include "support/data.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace swept::test {
namespace {

namespace fs = std::filesystem;

/// Files of gymnasium, but for pusher and pusher_v5, which corpus_parity_test compares.
constexpr std::array gymnasium_names = {"ant",
                                        "half_cheetah",
                                        "hopper",
                                        "humanoid",
                                        "humanoidstandup",
                                        "inverted_double_pendulum",
                                        "inverted_pendulum",
                                        "point",
                                        "reacher",
                                        "swimmer",
                                        "walker2d",
                                        "walker2d_v5"};

/// Scenes of the folder that both sides load; a scene that is lost fails the tests.
constexpr int scenes_in_test_folder = 112;

std::string one_line(std::string text) {
  constexpr std::size_t longest = 160;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.size() > longest ? text.substr(0, longest) + " ..." : text;
}

Scene load_file(const std::string& name, const fs::path& path) {
  return {name, compile(load(path)), Oracle(path)};
}

Scene load_text(const std::string& name, const std::string& xml, const std::string& place) {
  return {name, compile(load_string(xml, Format::xml, place)), Oracle::from_text(xml)};
}

/// A missing feature without the names of things: attribute mesh="cube_3" becomes attribute mesh.
std::string kind_of(const std::string& feature) {
  const bool names = feature.find("mesh=") != std::string::npos ||
                     feature.find("hfield=") != std::string::npos ||
                     feature.find("site=") != std::string::npos;
  return names ? feature.substr(0, feature.find('=')) : feature;
}

/// The features that a file needs and swept lacks, each once; empty if there is none.
std::string missing_features(const fs::path& path) {
  std::set<std::string> features;
  try {
    for (const Unsupported& place : unsupported(path)) {
      features.insert(kind_of(place.what));
    }
  } catch (const Error&) {
    return "";
  }
  std::string text;
  for (const std::string& feature : features) {
    text += (text.empty() ? "" : ", ") + feature;
  }
  return one_line(text);
}

/// What an error of the compiler says is missing; empty if it says something else.
std::string missing_in(const std::string& error) {
  if (error.find("no collider") != std::string::npos) {
    return "colliders of other types";
  }
  if (error.find("pairs of geoms that may collide") != std::string::npos) {
    return "more pairs of geoms than a list holds";
  }
  return "";
}

/// Loads a file on both sides, or says why not.
void try_scene(const std::string& name, const fs::path& path, SceneGroup* group) {
  const std::string missing = missing_features(path);
  if (!missing.empty()) {
    group->left_out.push_back({name, missing});
    return;
  }
  try {
    const Oracle oracle(path);
  } catch (const std::runtime_error& error) {
    group->left_out.push_back({name, "the official library: " + one_line(error.what())});
    return;
  }
  try {
    group->scenes.push_back(load_file(name, path));
  } catch (const Error& error) {
    const std::string reason = missing_in(error.what());
    if (reason.empty()) {
      group->failed.push_back({name, one_line(error.what())});
    } else {
      group->left_out.push_back({name, reason});
    }
  }
}

/// The ball of gymnasium's point slides on the floor at a distance of 0 exactly, where rounding
/// decides whether it touches. A margin on the floor makes it touch on both sides.
void make_contact_certain(Scene* scene) {
  constexpr double margin = 1e-3;
  mjModel& theirs = scene->oracle.model();
  theirs.geom_margin[0] = theirs.body_margin[0] = margin;
  scene->model.geom_margin[0] = scene->model.body_margin[0] = margin;
}

/// Every file of a folder that both sides can load.
///   prefix   what the scenes' names begin with
SceneGroup load_folder(const std::string& prefix, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  SceneGroup group;
  for (const fs::path& file : files) {
    try_scene(prefix + "/" + fs::relative(file, folder).string(), file, &group);
  }
  return group;
}

/// The official library speaks on stderr when it warns; differences are what counts here.
void silence_official_warnings() {
  mju_user_warning = [](const char*) {};
}

/// Gives swept's model the official order of all that lists a hull's vertices and polygons; both
/// have the same sets, which the tests of the compiler compare.
void take_official_orders(Scene* scene) {
  const mjModel& theirs = scene->oracle.model();
  Model& ours = scene->model;
  const auto take = [](auto* to, const auto* from, mjtSize n) {
    if (to->size() != static_cast<std::size_t>(n)) {
      throw std::runtime_error("hulls of another size than the official ones");
    }
    std::copy(from, from + n, to->begin());
  };
  take(&ours.mesh_graph, theirs.mesh_graph, theirs.nmeshgraph);
  take(&ours.mesh_polyvertadr, theirs.mesh_polyvertadr, theirs.nmeshpoly);
  take(&ours.mesh_polyvertnum, theirs.mesh_polyvertnum, theirs.nmeshpoly);
  take(&ours.mesh_polyvert, theirs.mesh_polyvert, theirs.nmeshpolyvert);
  take(&ours.mesh_polynormal, theirs.mesh_polynormal, 3 * theirs.nmeshpoly);
  take(&ours.mesh_polymapadr, theirs.mesh_polymapadr, theirs.nmeshvert);
  take(&ours.mesh_polymapnum, theirs.mesh_polymapnum, theirs.nmeshvert);
  take(&ours.mesh_polymap, theirs.mesh_polymap, theirs.nmeshpolymap);
}

}  // namespace

fs::path needed_by(Origin origin) {
  switch (origin) {
    case Origin::features:
      return source_path("tests");
    case Origin::gymnasium:
      return gymnasium_asset("ant.xml");
    case Origin::humanoids:
      return test_data("mujoco_warp/benchmarks/humanoid/three_humanoids.xml");
    case Origin::test_folder:
      return test_data("mujoco/test");
  }
  return {};
}

SceneGroup load_scene(const std::string& name, const fs::path& path) {
  silence_official_warnings();
  SceneGroup group;
  try_scene(name, path, &group);
  // rounding decides gymnasium's point everywhere
  if (!group.scenes.empty() && path == gymnasium_asset("point.xml")) {
    make_contact_certain(&group.scenes[0]);
  }
  return group;
}

SceneGroup load_scenes(Origin origin) {
  silence_official_warnings();
  SceneGroup group;
  switch (origin) {
    case Origin::features:
      for (const FeatureScene& scene : feature_scenes()) {
        group.scenes.push_back(load_text(scene.name, scene.xml, scene.name));
      }
      break;
    case Origin::gymnasium:
      for (const std::string name : gymnasium_names) {
        group.scenes.push_back(load_file("gymnasium/" + name, gymnasium_asset(name + ".xml")));
        if (name == "point") {
          make_contact_certain(&group.scenes.back());
        }
      }
      break;
    case Origin::humanoids:
      group.scenes.push_back(
          load_file("humanoid", test_data("mujoco/model/humanoid/humanoid.xml")));
      group.scenes.push_back(load_file(
          "three_humanoids", test_data("mujoco_warp/benchmarks/humanoid/three_humanoids.xml")));
      break;
    case Origin::test_folder:
      group = load_folder("test", needed_by(origin));
      break;
  }
  return group;
}

int least_scenes(Origin origin) {
  switch (origin) {
    case Origin::features:
      return static_cast<int>(feature_scenes().size());
    case Origin::gymnasium:
      return static_cast<int>(gymnasium_names.size());
    case Origin::humanoids:
      return 2;
    case Origin::test_folder:
      return scenes_in_test_folder;
  }
  return 0;
}

bool contacts_are_chosen(const Scene& scene) {
  const Model& m = scene.model;
  const bool off = (m.opt.disableflags & (disable_contact | disable_constraint)) != 0;
  const bool chosen = std::any_of(m.candidate_kind.begin(), m.candidate_kind.end(),
                                  [](int kind) { return kind > collide_capsule_capsule; });
  return !off && (chosen || (m.ncandidate == 0 && m.ngeom > 1));
}

void prepare_to_compare(Scene* scene) {
  take_official_orders(scene);
  constexpr int newton_iterations = 40;
  constexpr int iterations = 1000;
  constexpr int ls_iterations = 50;

  // Newton's steps until they are used up: the gradient is what is checked
  mjOption& theirs = scene->oracle.model().opt;
  theirs.tolerance = 0;
  theirs.iterations = newton_iterations;
  theirs.ls_iterations = ls_iterations;
  theirs.solver = mjSOL_NEWTON;
  theirs.jacobian = scene->model.nv > 100 ? mjJAC_SPARSE : mjJAC_DENSE;
  theirs.disableflags |= mjDSBL_ISLAND;
  // its convex distances converge too
  theirs.ccd_tolerance = 1e-14;
  theirs.ccd_iterations = 2000;

  Option& ours = scene->model.opt;
  ours.tolerance = 1e-15;
  ours.iterations = iterations;
  ours.ls_iterations = ls_iterations;
}

}  // namespace swept::test
