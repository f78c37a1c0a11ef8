// SPDX-License-Identifier: Apache-2.0
// Batch: `nenv` environments of one Model on one device in one precision, stepping in parallel.
//
//   const swept::Model model = swept::compile(swept::load("humanoid.xml"));
//   swept::Batch batch(model, {.nenv = 4096});
//   swept::View<float> ctrl = batch.field<float>("ctrl");  // [4096, 21], written in place
//   batch.step(10);
//   swept::View<float> qpos = batch.field<float>("qpos");  // [4096, 28], always the current state
//   swept::View<float> xpos = batch.field<float>("xpos");  // filled by every later forward or step
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <swept/model.h>

namespace swept {

enum class Precision { f32, f64 };

/// Starting sizes of the growing buffers, per environment. 0: estimated from the model. They grow
/// when they are too small; results do not depend on them.
struct Capacity {
  int pairs = 0;     ///< geom pairs that pass the bounding tests
  int contacts = 0;  ///< contacts
  int rows = 0;      ///< constraint rows (a contact of dimension d has d)
  int nonzeros = 0;  ///< nonzeros of their Jacobian
};

/// How to make a Batch.
struct BatchOptions {
  int nenv = 1;                          ///< environments, at least 1
  std::string device = "cpu";            ///< "cpu", "cuda" or "cuda:i"
  Precision precision = Precision::f32;  ///< of all state and arithmetic
  int threads = 0;                       ///< CPU worker threads, 0: as many as the machine has
  int tile =
      0;  ///< environments that share a scratch arena, 0: chosen; results do not depend on it
  Capacity capacity{};     ///< starting sizes
  void* stream = nullptr;  ///< CUDA: the caller's cudaStream_t; null: the batch's own
};

/// What kind of numbers a field holds.
enum class Scalar { f32, f64, i32, i64 };

/// One field of a batch: where it is and how it is laid out.
struct FieldInfo {
  void* data = nullptr;         ///< first element; on the device if `on_device`
  Scalar scalar = Scalar::f32;  ///< type of an element
  std::array<std::int64_t, 3>
      shape{};  ///< [environments, rows, columns]; columns is 1 for a plain vector
  std::array<std::int64_t, 3> stride{};  ///< in elements; 0 for the environment: shared by all
  bool on_device = false;                ///< the pointer is valid on the GPU only
};

/// A typed strided view of a field, [environment, row, column]. It does not own; see Batch::field
/// for how long it is valid.
template <class T>
struct View {
  T* data = nullptr;
  std::array<std::int64_t, 3> shape{};
  std::array<std::int64_t, 3> stride{};

  T& operator()(std::int64_t env, std::int64_t row = 0, std::int64_t column = 0) const {
    return data[env * stride[0] + row * stride[1] + column * stride[2]];
  }
  /// The elements of one environment when they are contiguous (state, derived and model fields
  /// are).
  std::span<T> operator[](std::int64_t env) const {
    return {data + env * stride[0], static_cast<std::size_t>(shape[1] * shape[2])};
  }
};

/// Why an environment stands still.
enum class Status : int {
  ok = 0,
  bad_qpos = 1,   ///< a position is not finite or above 1e10
  bad_qvel = 2,   ///< a velocity is not finite or above 1e10
  bad_qacc = 3,   ///< an acceleration is not finite or above 1e10
  bad_ctrl = 4,   ///< a control is not finite or above 1e10
  bad_force = 5,  ///< an applied force is not finite or above 1e10
};

/// A sentence for a status, such as "qpos is not finite or above 1e10".
std::string_view describe(Status status);

/// Mean, 95th percentile and maximum over the environments.
struct Spread {
  double mean = 0, p95 = 0, max = 0;
};

/// Quality of the last step and use of memory.
struct Report {
  Spread contacts;  ///< contacts per environment
  Spread rows;  ///< constraint rows per environment, pyramid edges counted as the official library
                ///< does
  Spread iterations;              ///< solver iterations
  Spread residual;                ///< scaled gradient of the solver's objective at its end, 1
  double penetration = 0;         ///< largest penetration [m]
  std::int64_t dropped = 0;       ///< contacts dropped: always 0
  std::int64_t growths = 0;       ///< how often a buffer grew since the batch was made
  Capacity capacity;              ///< present sizes: what to ask for to grow never
  std::int64_t frozen = 0;        ///< environments whose status is not ok
  std::size_t state_bytes = 0;    ///< state per environment
  std::size_t scratch_bytes = 0;  ///< scratch per environment that is in a tile at the time
  std::size_t total_bytes = 0;    ///< everything the batch holds
};

/// Time spent in one kernel.
struct ProfileEntry {
  std::string name;
  double seconds = 0;
  std::int64_t launches = 0;
};

class Batch {
 public:
  /// Upload a model and set every environment to its default state. Throws Error if the device or
  /// the options cannot be had. The model is copied; it need not outlive the batch.
  explicit Batch(const Model& model, const BatchOptions& options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  int nenv() const;
  const Model& model() const;
  const BatchOptions& options() const;
  /// The backend and its precision, for example "cpu_v4_f32", and the environments it holds side by
  /// side.
  std::string backend() const;
  int lanes() const;

  /// Take `n` steps. On CUDA the work is queued on the stream and this returns before it is done.
  /// Call sync() before reading or changing state by pointer: a step whose buffers were too small
  /// goes on there. All member functions do so by themselves. Throws Error when memory ends; the
  /// state is then the one after steps_done() steps of this call.
  void step(int n = 1);
  /// Compute everything up to qacc from the state, without moving it.
  void forward();
  /// Wait for queued work.
  void sync();
  /// Steps completed by the last call of step(), also when it threw.
  int steps_done() const;

  /// Set all environments to the model's default state, or to keyframe `keyframe` (an id of the
  /// model). Clears status, controls, applied forces and warm start.
  void reset(int keyframe = -1);
  /// The same for the environments whose mask is not 0; `mask` has nenv entries.
  void reset(std::span<const std::uint8_t> mask, int keyframe = -1);

  /// A field by its MuJoCo name, of the batch's precision (float or double) or int. Throws Error
  /// for an unknown name or the wrong type.
  ///
  ///   state     time qpos qvel act ctrl qfrc_applied xfrc_applied qacc_warmstart
  ///             live; write to change the state
  ///   model     body_mass geom_size opt_timestep ... (model.def)
  ///             shared by all environments (stride 0); read only
  ///   derived   xpos xmat M qfrc_bias qacc ... (derived.def)
  ///             bound by this call: every later forward and step fills them with the values of its
  ///             last forward pass
  ///   lists     contact.dist contact.pos contact.frame contact.geom1 efc_type efc_J ...
  ///             bound; entries beyond ncon and nefc are undefined; a view is valid until the next
  ///             forward or step, which may move it
  ///   report    status status_step steps ncon nefc solver_niter
  template <class T>
  View<T> field(std::string_view name) {
    const FieldInfo info = field_info(name);
    check_type(name, info, scalar_of<T>());
    return {static_cast<T*>(info.data), info.shape, info.stride};
  }
  FieldInfo field_info(std::string_view name);
  /// Names of all fields.
  std::vector<std::string> field_names() const;

  /// Copy a field to or from host memory in double precision, [nenv, rows, columns] without gaps;
  /// works on every device. Waits for queued work.
  std::vector<double> read(std::string_view name);
  void write(std::string_view name, std::span<const double> values);

  /// Status of an environment, and the number of steps (since its reset) after which it was set.
  Status status(int env);
  std::int64_t status_step(int env);

  /// Measures of the last step. Waits for queued work.
  Report report();

  /// Start or stop timing kernels, and read the times. Timing makes the device wait after each
  /// kernel.
  void profile(bool on);
  std::vector<ProfileEntry> profile_entries() const;

 private:
  template <class T>
  static constexpr Scalar scalar_of() {
    if constexpr (std::is_same_v<T, float>) {
      return Scalar::f32;
    } else if constexpr (std::is_same_v<T, double>) {
      return Scalar::f64;
    } else if constexpr (std::is_same_v<T, int>) {
      return Scalar::i32;
    } else {
      static_assert(std::is_same_v<T, std::int64_t>, "fields hold float, double, int or int64");
      return Scalar::i64;
    }
  }
  static void check_type(std::string_view name, const FieldInfo& info, Scalar wanted);

  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// What a batch of a model needs, without making one.
struct MemoryEstimate {
  std::size_t state_bytes = 0;  ///< per environment, resident
  std::size_t scratch_bytes =
      0;  ///< per environment that is in a tile at the time (all of them on a GPU)
};

/// Estimated memory per environment for a precision, at the starting capacity.
MemoryEstimate estimate_memory(const Model& model, Precision precision);

/// The backends this installation can run, best first, for example {"cpu_v4", "cpu_v3"}; SWEPT_ISA
/// (v3, v4) overrides the choice of the CPU's.
std::vector<std::string> available_backends();

}  // namespace swept
