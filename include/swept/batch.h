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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <swept/contact.h>
#include <swept/model.h>
#include <swept/query.h>
#include <swept/speculative.h>

namespace swept {

enum class Precision { f32, f64 };

/// Starting sizes of the growing buffers, per environment. 0: estimated from the model. They grow
/// when they are too small; results do not depend on them.
struct Capacity {
  int pairs = 0;     ///< geom pairs that pass the bounding tests
  int contacts = 0;  ///< contacts
  int rows = 0;      ///< constraint rows (a contact of dimension d has d)
  int nonzeros = 0;  ///< nonzeros of their Jacobian
  int slots = 0;  ///< contacts that the touching pairs of boxes, meshes and curved shapes may have
  int fast = 0;   ///< speculative contacts: pairs that are followed on their way
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
  /// Not empty: step() puts an environment that would stand still back to this keyframe (-1: the
  /// default state), inputs included, and goes on with it. See Batch::step.
  std::optional<int> auto_reset{};
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

/// Why an environment stands still: which quantity is not finite or above 1e10.
///
/// The first kind was written by the user. It is found before the first step of a call, and the
/// state stays as it was written. The second kind was computed by a step, which is undone: the
/// state is the one before that step.
enum class Status : int {
  ok = 0,
  bad_qpos = 1,
  bad_qvel = 2,
  bad_act = 3,
  bad_ctrl = 4,
  bad_qfrc_applied = 5,
  bad_xfrc_applied = 6,
  bad_mocap_pos = 7,
  bad_mocap_quat = 8,
  bad_qacc_warmstart = 9,
  bad_time = 10,
  bad_model = 11,  ///< a number of the environment's own model; see Batch::model_problem
  diverged_qacc = 65,
  diverged_qvel = 66,
  diverged_qpos = 67,
  diverged_act = 68,
};

/// Was it a step that went wrong, and not a number that the user wrote.
constexpr bool diverged(Status status) {
  return (static_cast<int>(status) & 64) != 0;
}

/// The field that went bad, such as "qpos"; empty if ok.
std::string_view quantity(Status status);

/// A sentence for a status: what is wrong with which quantity, whose doing it was, and which state
/// the environment has.
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
  Spread iterations;                ///< solver iterations
  Spread residual;                  ///< scaled gradient of the solver's objective at its end, 1
  double penetration = 0;           ///< largest penetration [m]
  std::int64_t dropped = 0;         ///< contacts dropped: always 0
  int kernels = 0;                  ///< kernels of the last step or forward pass
  std::int64_t growths = 0;         ///< how often a buffer grew since the batch was made
  Capacity capacity;                ///< present sizes: what to ask for to grow never
  std::int64_t frozen = 0;          ///< environments whose status is not ok
  std::int64_t resets = 0;          ///< automatic resets of all environments, ever
  SpeculativeCounts speculative{};  ///< counters of all environments, ever; see speculative.h
  std::size_t state_bytes = 0;      ///< state per environment
  std::size_t scratch_bytes = 0;    ///< scratch per environment that is in a tile at the time
  std::size_t model_bytes = 0;      ///< model fields in which environments differ, all of them
  std::size_t total_bytes = 0;      ///< everything the batch holds
};

/// Time spent in one kernel.
struct ProfileEntry {
  std::string name;
  double seconds = 0;
  std::int64_t launches = 0;
};

class Snapshot;

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

  /// Take `n` steps. Throws Error when memory ends while a buffer has to grow: the state is then
  /// the one after steps_done() steps of this call.
  ///
  /// On CUDA the work is queued on the stream behind what was queued before, and this returns
  /// before it is done; nothing waits unless a buffer grows. Call sync() before reading or changing
  /// state by pointer: a step whose buffers were too small stops there, those behind it do nothing,
  /// and all go on in sync(). All member functions that read or write do so by themselves. They are
  /// then the ones that throw when memory ends; the state is the one before the call of step() that
  /// ran out of it, and the calls queued behind that one have done nothing.
  ///
  /// An environment with a bad number stands still from there on, and its status says why; the
  /// others give the same bits as without it. With BatchOptions::auto_reset it does not: one whose
  /// state or inputs are bad at the start is reset and takes all n steps, one that diverges in a
  /// step is reset at the end of that step and takes the remaining ones. The field "resets" counts
  /// this, "reset_status" holds why the last one was, and "steps" counts from 0 again. Only what no
  /// reset mends, Status::bad_model, stands still all the same.
  void step(int n = 1);
  /// Compute everything up to qacc from the state, without moving it. An environment with a bad
  /// number gets its status; automatic resets are left to step().
  void forward();
  /// Wait for queued work.
  void sync();
  /// Steps completed by the last call of step(), also when it threw. On CUDA: by all calls of
  /// step() since the queue was empty, known once it has been waited for, also when that threw;
  /// steps that are still queued do not count.
  std::int64_t steps_done() const;

  /// Set all environments to the model's default state, or to keyframe `keyframe` (an id of the
  /// model). Clears status, controls, applied forces and warm start.
  void reset(int keyframe = -1);
  /// The same for the environments whose mask is not 0; `mask` has nenv entries.
  void reset(std::span<const std::uint8_t> mask, int keyframe = -1);

  /// What some environments need to go on, or all of them (an empty list): state and inputs, status
  /// and counters, and changes of their models; see snapshot.h. `note` is kept with it.
  Snapshot save(std::span<const int> envs = {}, std::string_view note = {});
  /// Set environment to[k] as the saved environment from[k] was; an empty list stands for all, in
  /// order. A saved environment may go into several others. Throws Error, and changes nothing, if
  /// the snapshot is of another model or precision or if the lists do not fit.
  void load(const Snapshot& snapshot, std::span<const int> from = {}, std::span<const int> to = {});
  /// Environment to[k] becomes as from[k] was before the call, in the device's memory: everything
  /// that save() keeps. The lists may overlap; no target stands twice. Throws Error, and changes
  /// nothing, if they do not fit.
  void copy(std::span<const int> from, std::span<const int> to);

  /// A field by its MuJoCo name, of the batch's precision (float or double) or int. Throws Error
  /// for an unknown name or the wrong type.
  ///
  ///   state     time qpos qvel act ctrl qfrc_applied xfrc_applied qacc_warmstart mocap_pos
  ///             mocap_quat; live; write to change the state
  ///   model     body_mass geom_size opt_timestep ... (model.def); read only, see write()
  ///             shared by all environments (stride 0) until an environment differs; from then on
  ///             this gives a copy, [nenv, rows, columns] with one row after the other: as written,
  ///             or as computed. Its place stays; every forward, step and reset refreshes it
  ///   derived   xpos xmat M qfrc_bias qacc ... (derived.def)
  ///             bound by this call: every later forward and step fills them with the values of its
  ///             last forward pass
  ///   lists     contact.dist contact.pos contact.frame contact.geom1 efc_type efc_J ...
  ///             bound; entries beyond ncon and nefc are undefined; a view is valid until the next
  ///             forward or step, which may move it
  ///   report    status status_step steps resets reset_status ncon nefc solver_niter speculative
  template <class T>
  View<T> field(std::string_view name) {
    const FieldInfo info = field_info(name);
    check_type(name, info, scalar_of<T>());
    return {static_cast<T*>(info.data), info.shape, info.stride};
  }
  FieldInfo field_info(std::string_view name);
  /// Names of all fields.
  std::vector<std::string> field_names() const;

  /// Have a derived field or a list filled by every later forward and step, as field() does, or
  /// all the fields of a group: "contacts", "object_velocity", "object_acceleration".
  void bind(std::string_view name);
  /// Stop that. Views of it end.
  void unbind(std::string_view name);
  /// Names of the fields that are bound, in alphabetical order.
  std::vector<std::string> bound() const;

  /// Contacts of the last forward pass, with their forces: of one environment, or of all. Needs
  /// bind("contacts") before that pass; throws Error, and binds, if it was not called.
  std::vector<Contact> contacts(int env);
  Contacts contacts();

  /// Velocity of an object in the last forward pass: angular [rad/s], linear of its origin [m/s].
  /// Of one environment, or of all as [nenv, 6]. Needs bind("object_velocity") before that pass.
  std::array<double, 6> object_velocity(int env, Object object, int id, Axes axes = Axes::world);
  std::vector<double> object_velocity(Object object, int id, Axes axes = Axes::world);
  /// The same for the acceleration [rad/s^2, m/s^2] of the point that moves with the object.
  /// Gravity counts as an upward acceleration of everything, as an accelerometer feels it. Needs
  /// bind("object_acceleration").
  std::array<double, 6> object_acceleration(int env, Object object, int id,
                                            Axes axes = Axes::world);
  std::vector<double> object_acceleration(Object object, int id, Axes axes = Axes::world);

  /// Cast rays in every environment, as the official library's mj_ray does: the first geom that
  /// each hits, where, and the normal there. A ray from inside a geom meets its surface from within;
  /// meshes are hit in their faces as given, from either side; planes from above only; of equal
  /// distances the smaller geom id wins. Answers for the present state, without a step in between,
  /// and changes nothing. An environment that stands still sees nothing. Throws Error for wrong
  /// shapes, a direction that is 0, numbers that are not finite, an unknown body. See query.h,
  /// which has an example.
  RayHits ray(const RaySet& rays, const RayOptions& options = {});
  /// Signed distance and nearest points of pairs of geoms in every environment, as the official
  /// library's mj_geomDistance gives them. Neither filters nor margins of contacts matter. A mesh
  /// is its convex hull; of a height field the nearest of its prisms counts.
  ///   pairs     two different geoms each, not both a plane or height field
  ///   maxdist   [m] distances of this much or more are not told apart: distance is maxdist then;
  ///             in an environment that stands still too
  /// Answers for the present state, as ray() does. Throws Error for an unknown geom or a pair that
  /// has no distance.
  GeomDistances geom_distance(std::span<const std::array<int, 2>> pairs, double maxdist);

  /// Copy a field to or from host memory in double precision, [nenv, rows, columns] without gaps;
  /// works on every device. Waits for queued work.
  std::vector<double> read(std::string_view name);
  void write(std::string_view name, std::span<const double> values);
  /// Write into some environments (numbers from 0): the values of one environment, [rows, columns],
  /// which all of them get, or of each, [envs.size(), rows, columns].
  ///
  /// State fields can be written, and real fields of the model. The latter become the environment's
  /// own: before the next forward, step, reset or look at a model field, everything that follows
  /// from them is computed again as the official library's mj_setConst does (dof_invweight0,
  /// body_subtreemass, geom_rbound, ...; quaternions and axes get unit length), and the other
  /// environments keep their bits. Memory is taken only for fields in which environments differ.
  /// Of geom_fluid the last six numbers (virtual mass and inertia) follow from the geom's size:
  /// what is written there is read back, as from an mjModel before mj_setConst, and not used.
  /// reset() does not undo it; restore_model() does.
  ///
  /// Integers, computed fields and options other than opt_timestep, opt_gravity and opt_impratio
  /// cannot be written: Error says why. Any number is taken. If the model of an environment cannot
  /// be (a number that is not finite, a negative mass, a size or time step of 0, a quaternion of
  /// 0), only that environment stands still, with Status::bad_model from its next forward or step
  /// on, and read() gives the numbers as written (those that would follow from them stay as
  /// compiled). Write good ones and reset() it to go on. Cameras, lights, keyframes and custom
  /// numbers can be written too; only keyframes are used.
  void write(std::string_view name, std::span<const double> values, std::span<const int> envs);
  /// Write into one environment.
  void write(std::string_view name, std::span<const double> values, int env) {
    write(name, values, std::span<const int>(&env, 1));
  }

  /// Give all or some environments the compiled model again. The state stays.
  void restore_model();
  void restore_model(std::span<const int> envs);
  /// Why an environment's model cannot be stepped, such as "body_mass[3] is -1, it must not be
  /// negative"; empty if it can.
  std::string model_problem(int env);

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
  std::size_t state_bytes = 0;  ///< state of an environment, once; part of env_bytes
  /// Per environment, whether it is stepped at the time or not: its state, a copy of it from which
  /// a refused step is undone, and its measures.
  std::size_t env_bytes = 0;
  /// Per environment that is in a tile at the time: contacts, rows and all that a step computes.
  std::size_t scratch_bytes = 0;
  /// Per CPU thread: scratch of the environments that it steps at the time.
  std::size_t thread_bytes = 0;
  std::size_t fixed_bytes = 0;  ///< once: the model
  int tile = 1;                 ///< environments that a CPU thread steps at the time

  /// Everything that a batch of `nenv` environments holds on the CPU, with `threads` threads.
  std::size_t cpu_bytes(int nenv, int threads) const;
  /// The same on a GPU, where all environments are stepped at the same time.
  std::size_t gpu_bytes(int nenv) const;
};

/// Estimated memory for a precision, at the starting capacity, with nothing bound.
MemoryEstimate estimate_memory(const Model& model, Precision precision);

/// Bytes per environment of a batch that a real model field takes at most when environments differ
/// in it, with everything that may follow from it. Throws Error for a field that cannot be written.
std::size_t estimate_model_bytes(const Model& model, Precision precision, std::string_view field);

/// The backends this installation can run, best first, for example {"cpu_v4", "cpu_v3"}; SWEPT_ISA
/// (v3, v4) overrides the choice of the CPU's.
std::vector<std::string> available_backends();

}  // namespace swept
