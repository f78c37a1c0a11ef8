// SPDX-License-Identifier: Apache-2.0
// The official MuJoCo library as the oracle of parity tests: a model and its data that free
// themselves, and the model's arrays by name.
#pragma once

#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace swept::test {

/// A scene in the official library.
class Oracle {
 public:
  /// Loads and compiles an MJCF file.
  /// Throws std::runtime_error with the library's message if it does not.
  explicit Oracle(const std::filesystem::path& path) {
    check_version();
    std::array<char, 2000> message{};
    model_.reset(mj_loadXML(path.string().c_str(), nullptr, message.data(),
                            static_cast<int>(message.size())));
    if (!model_) {
      throw std::runtime_error(message.data());
    }
    make_data();
  }

  /// Loads and compiles MJCF text.
  static Oracle from_text(const std::string& xml) {
    check_version();
    std::array<char, 2000> message{};
    const std::unique_ptr<mjSpec, Free> spec(
        mj_parseXMLString(xml.c_str(), nullptr, message.data(), static_cast<int>(message.size())));
    if (!spec) {
      throw std::runtime_error(message.data());
    }
    Oracle oracle;
    oracle.model_.reset(mj_compile(spec.get(), nullptr));
    if (!oracle.model_) {
      throw std::runtime_error(mjs_getError(spec.get()));
    }
    oracle.make_data();
    return oracle;
  }

  mjModel& model() { return *model_; }
  const mjModel& model() const { return *model_; }
  mjData& data() { return *data_; }
  const mjData& data() const { return *data_; }

 private:
  Oracle() = default;

  /// Every scene gets room for the contacts and rows of any state; pages that nothing touches cost
  /// nothing.
  void make_data() {
    constexpr int large = 100;
    const mjtSize room = mjtSize{1} << (model_->nv > large ? 30 : 26);
    if (model_->narena < room) {
      model_->narena = room;
    }
    data_.reset(mj_makeData(model_.get()));
  }

  /// The library that is linked must be the one whose headers were read.
  static void check_version() {
    if (mj_version() != mjVERSION_HEADER) {
      throw std::runtime_error(std::string("the official library is version ") +
                               mj_versionString() + ", its headers are another");
    }
  }

  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
    void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

/// Every array of an official model by name, as doubles.
inline std::map<std::string, std::vector<double>> oracle_arrays(const mjModel& model) {
  std::map<std::string, std::vector<double>> arrays;
  const auto add = [&](const char* name, const auto* values, std::size_t count) {
    std::vector<double>& to = arrays[name];
    to.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      to.push_back(static_cast<double>(values[i]));
    }
  };
#pragma push_macro("MJ_M")
#undef MJ_M
#define MJ_M(n) model.n
#define X(type, name, rows, cols) \
  add(#name, model.name, static_cast<std::size_t>(model.rows) * static_cast<std::size_t>(cols));
  MJMODEL_POINTERS
#undef X
#pragma pop_macro("MJ_M")
  return arrays;
}

}  // namespace swept::test
