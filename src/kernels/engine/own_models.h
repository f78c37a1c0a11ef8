// SPDX-License-Identifier: Apache-2.0
// Models that differ between environments. A real field that is the same everywhere stays shared;
// as soon as it differs in one environment it gets an array for all of them, in pack layout:
//
//   field of n numbers   [block][n][W], element i of environment e at ((e / W) n + i) W + e % W
//
// Integers that follow from real fields (which frames coincide, which dofs are simple, whether
// damping is implicit) get such an array of numbers where they differ. Which actuator lends damping
// to a joint is kept shared, as "several" (-2) where environments disagree: the sum over all is the
// same.
#pragma once

#include <swept/batch.h>
#include <swept/model.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/buffer.h"
#include "kernels/base/tile.h"
#include "kernels/engine/model_upload.h"

namespace swept::SWEPT_NS {

class OwnModels {
 public:
  OwnModels(const UploadedModel& shared, int nenv) : nenv_(nenv), view_(shared.view) {}

  /// What kernels use. Changes with set() and clear().
  const ModelView& view() const { return view_; }

  /// Give environment envs[k] the model models[k], which differs from `shared` in real fields and
  /// what follows from them; bad[k] not 0: it cannot be stepped. Every queue must be empty.
  /// Throws when memory ends; environments in `envs` may then have either model, the others theirs.
  void set(const Model& shared, std::span<const int> envs, std::span<const Model* const> models,
           std::span<const std::uint8_t> bad);
  /// Bytes that set() would add.
  std::size_t bytes_to_set(const Model& shared, std::span<const Model* const> models) const;

  /// Every environment has the model `shared` again.
  void clear(const UploadedModel& shared);

  /// Numbers in use of a field that differs between environments, [nenv, n]; empty if it is shared
  /// or no such field.
  std::vector<double> values(std::string_view name) const;

  /// An array [nenv, n] on the device with these numbers, for users; made once per name.
  const real* show(std::string_view name, std::span<const double> values);

  /// Bytes of everything here.
  std::size_t bytes() const;

 private:
  /// One field in pack layout.
  struct Packs {
    int n = 0;
    Buffer<real> device;
    std::vector<real> staged;  ///< the same on the host, if the device's memory is out of its reach
  };
  struct Field;
  static const std::vector<Field>& fields();

  /// Numbers of a field in a model, appended to `out`.
  static void numbers(const Field& field, const Model& model, std::vector<real>* out);
  bool differs(const Field& field, const Model& shared, std::span<const Model* const> models) const;
  void set_field(const Field& field, const Model& shared, std::span<const int> envs,
                 std::span<const Model* const> models);
  void set_lenders(const Model& shared, std::span<const Model* const> models);
  void set_bad(std::span<const int> envs, std::span<const std::uint8_t> bad);
  std::size_t slots() const { return static_cast<std::size_t>((nenv_ + W - 1) / W * W); }

  int nenv_;
  ModelView view_;
  std::map<std::string, Packs, std::less<>> packs_;
  std::map<std::string, Buffer<real>, std::less<>> shown_;
  std::vector<int> lenders_;    ///< of joints, then of tendons
  Buffer<int> lenders_device_;  ///< the same
  std::vector<int> bad_;        ///< [slots]
  Buffer<int> bad_device_;      ///< the same
};

}  // namespace swept::SWEPT_NS
