// SPDX-License-Identifier: Apache-2.0
// Spec: numbers and texts that a scene carries: keyframes and custom data.
#pragma once

#include <swept/spec/item.h>

#include <string>
#include <vector>

namespace swept {

/// `keyframe/key`. An empty vector was not given; the compiler fills it and checks lengths.
struct Key : Item {
  double time = 0.0;
  std::vector<double> qpos;
  std::vector<double> qvel;
  std::vector<double> act;
  std::vector<double> ctrl;
  std::vector<double> mpos;
  std::vector<double> mquat;
};

/// `custom/numeric`.
struct Numeric : Item {
  int size = 0;  ///< number of elements; data is padded with zeros to it
  std::vector<double> data;
};

/// `custom/text`.
struct Text : Item {
  std::string data;
};

/// `custom/tuple`.
struct Tuple : Item {
  struct Entry {
    std::string objtype;
    std::string objname;
    double prm = 0.0;
  };
  std::vector<Entry> entries;
};

}  // namespace swept
