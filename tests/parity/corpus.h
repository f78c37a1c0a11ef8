// SPDX-License-Identifier: Apache-2.0
// The public models: one row of corpus.csv per MJCF file of six collections, with the level at which
// all that it needs is there, and where its file is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace swept::test {

/// A public model.
struct CorpusModel {
  std::string
      corpus;        ///< menagerie, gymnasium, dm_control, mujoco_model, mujoco_warp or mujoco_test
  std::string path;  ///< inside the collection
  int level = -1;    ///< 1 basics, 2 with all convex collisions, ...; -1: none is given
  bool at_hand = false;  ///< its files are in the test data or in a package
  bool loads = false;    ///< the official library loads it

  std::string name() const { return corpus + "/" + path; }
  std::filesystem::path file() const;
};

/// The table, which need not exist.
std::filesystem::path corpus_table();

/// All rows of the table. Throws std::runtime_error where it cannot be read.
std::vector<CorpusModel> corpus_models();

}  // namespace swept::test
