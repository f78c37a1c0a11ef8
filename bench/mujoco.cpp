// SPDX-License-Identifier: Apache-2.0
// The official library behind dlopen: a table of the functions used, and a batch of simulations.
#include "bench/mujoco.h"

#include <swept/error.h>

#if SWEPT_HAVE_ORACLE

#include <dlfcn.h>
#include <fmt/format.h>
#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace swept::bench {

namespace {

// the functions of the library that are used, by name
struct Library {
#define SWEPT_MUJOCO_FUNCTIONS(X)                                                                  \
  X(mj_version)                                                                                    \
  X(mj_versionString)                                                                              \
  X(mj_loadXML)                                                                                    \
  X(mj_parseXMLString) X(mj_compile) X(mjs_getError) X(mj_deleteSpec) X(mj_deleteModel)            \
      X(mj_forward) X(mj_mulM) X(mjb_makeBatch) X(mjb_deleteBatch) X(mjb_nstate) X(mjb_state)      \
          X(mjb_stateComponent) X(mjb_warning) X(mjb_step) X(mjb_status) X(mjb_error) X(mjb_apply) \
              X(mjb_nthread) X(mjb_reset)
#define SWEPT_DECLARE(name) decltype(&::name) name = nullptr;
  SWEPT_MUJOCO_FUNCTIONS(SWEPT_DECLARE)
#undef SWEPT_DECLARE

  Library() {
    const char* chosen = std::getenv("SWEPT_MUJOCO");
    const char* path = chosen != nullptr ? chosen : SWEPT_ORACLE_LIBRARY;
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      throw Error(fmt::format("the official MuJoCo library cannot be opened ({})", dlerror()),
                  "run tools/setup test, or set SWEPT_MUJOCO to the path of libmujoco.so.4.0.0");
    }
#define SWEPT_FIND(name) name = reinterpret_cast<decltype(name)>(find(handle, #name));
    SWEPT_MUJOCO_FUNCTIONS(SWEPT_FIND)
#undef SWEPT_FIND
    if (mj_version() != mjVERSION_HEADER) {
      throw Error(fmt::format("{} is MuJoCo {}, this program was built for version number {}", path,
                              mj_versionString(), mjVERSION_HEADER),
                  "set SWEPT_MUJOCO to a library of that version");
    }
  }

  static void* find(void* handle, const char* name) {
    void* symbol = dlsym(handle, name);
    if (symbol == nullptr) {
      throw Error(fmt::format("the official MuJoCo library has no function '{}'", name),
                  "set SWEPT_MUJOCO to the library that this program was built for");
    }
    return symbol;
  }
};

const Library& library() {
  static const Library opened;
  return opened;
}

struct DeleteModel {
  void operator()(mjModel* model) const { library().mj_deleteModel(model); }
};
struct DeleteSpec {
  void operator()(mjSpec* spec) const { library().mj_deleteSpec(spec); }
};
struct DeleteBatch {
  void operator()(mjBatch* batch) const { library().mjb_deleteBatch(batch); }
};

// what one simulation reports to sample()
struct Measures {
  double contacts = 0, rows = 0, iterations = 0, residual = 0, penetration = 0;
};

struct Sampling {
  std::vector<Measures> of;           // [nsim]
  std::atomic<std::size_t> bytes{0};  // of one thread's mjData
};

// norm of M qacc - qfrc_smooth - qfrc_constraint over the trace of M
double scaled_gradient(const mjModel* m, const mjData* d) {
  std::vector<mjtNum> gradient(static_cast<std::size_t>(m->nv));
  library().mj_mulM(m, d, gradient.data(), d->qacc);
  double square = 0, trace = 0;
  for (int i = 0; i < m->nv; ++i) {
    const double g = gradient[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i];
    square += g * g;
    trace += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  }
  return trace > 0 ? std::sqrt(square) / trace : 0;
}

// one forward pass from the state, warm started as the next step's would be
void measure(const mjModel* m, mjData* d, int sim, void* argument) {
  library().mj_forward(m, d);
  auto& sampling = *static_cast<Sampling*>(argument);
  Measures& measures = sampling.of[static_cast<std::size_t>(sim)];
  measures.contacts = d->ncon;
  measures.rows = d->nefc;
  if (d->nefc > 0) {
    // islands are solved one by one: the longest counts
    const int islands = std::clamp(d->nisland, 1, mjNISLAND);
    measures.iterations = *std::max_element(d->solver_niter, d->solver_niter + islands);
  }
  for (int i = 0; i < d->ncon; ++i) {
    measures.penetration = std::max(measures.penetration, -d->contact[i].dist);
  }
  measures.residual = scaled_gradient(m, d);
  sampling.bytes.store(sizeof(mjData) + static_cast<std::size_t>(d->nbuffer + d->maxuse_arena),
                       std::memory_order_relaxed);
}

template <class Get>
Spread spread_of(const std::vector<Measures>& of, const Get& get) {
  std::vector<double> numbers(of.size());
  std::transform(of.begin(), of.end(), numbers.begin(), get);
  return spread(std::move(numbers));
}

using OwnModel = std::unique_ptr<mjModel, DeleteModel>;

// a file, or the text of a scene
OwnModel load_official(const std::string& scene) {
  char error[1000] = "";
  OwnModel model;
  const bool is_text = !scene.empty() && scene.front() == '<';
  if (is_text) {
    const std::unique_ptr<mjSpec, DeleteSpec> spec(
        library().mj_parseXMLString(scene.c_str(), nullptr, error, sizeof error));
    if (spec) {
      model.reset(library().mj_compile(spec.get(), nullptr));
      if (!model) {
        std::snprintf(error, sizeof error, "%s", library().mjs_getError(spec.get()));
      }
    }
  } else {
    model.reset(library().mj_loadXML(scene.c_str(), nullptr, error, sizeof error));
  }
  if (!model) {
    throw Error(Place{is_text ? "a scene in memory" : scene, 0, {}},
                fmt::format("the official library does not load it ({})", error),
                "compare with an MJCF scene");
  }
  return model;
}

class Peer final : public MujocoSide {
 public:
  Peer(const std::string& scene, const MujocoChoice& choice, int nenv, int threads,
       const Controls& controls)
      : MujocoSide(controls), choice_(choice), nenv_(nenv), model_(load_official(scene)) {
    char error[1000] = "";
    model_->opt.solver = choice.newton ? mjSOL_NEWTON : mjSOL_CG;
    model_->opt.jacobian = choice.dense ? mjJAC_DENSE : mjJAC_SPARSE;
    const mjBatchConfig config{threads, false};
    batch_.reset(library().mjb_makeBatch(model_.get(), nenv, &config, error, sizeof error));
    if (!batch_) {
      throw Error(fmt::format("the official library cannot make {} simulations ({})", nenv, error),
                  "ask for fewer environments");
    }
  }

  std::string name() const override {
    return fmt::format("mujoco {}", choice_.newton ? "Newton" : "CG");
  }
  std::string detail() const override {
    return fmt::format("{} mjb_step, {} threads, {} Jacobian", library().mj_versionString(),
                       library().mjb_nthread(batch_.get()), choice_.dense ? "dense" : "sparse");
  }

  Quality sample() override {
    Sampling sampling;
    sampling.of.resize(static_cast<std::size_t>(nenv_));
    library().mjb_apply(batch_.get(), nullptr, 0, measure, &sampling, 0);
    thread_bytes_ = std::max(thread_bytes_, sampling.bytes.load());

    Quality quality;
    quality.samples = 1;
    quality.contacts = spread_of(sampling.of, [](const Measures& m) { return m.contacts; });
    quality.rows = spread_of(sampling.of, [](const Measures& m) { return m.rows; });
    quality.iterations = spread_of(sampling.of, [](const Measures& m) { return m.iterations; });
    quality.residual = spread_of(sampling.of, [](const Measures& m) { return m.residual; });
    quality.penetration =
        spread_of(sampling.of, [](const Measures& m) { return m.penetration; }).max;
    count_warnings(&quality);
    return quality;
  }

  // the state rows of all simulations, and the data of the threads
  std::size_t bytes_per_env() override {
    if (thread_bytes_ == 0) {
      sample();
    }
    const auto threads = static_cast<std::size_t>(library().mjb_nthread(batch_.get()));
    const auto nsim = static_cast<std::size_t>(nenv_);
    return state_size() * sizeof(mjtNum) + (threads * thread_bytes_ + nsim - 1) / nsim;
  }

  void restart(const std::vector<double>& qpos, const std::vector<double>& qvel) override {
    library().mjb_reset(batch_.get(), nullptr, 0, nullptr, mjSTAGE_NONE);
    write(mjSTATE_QPOS, qpos);
    write(mjSTATE_QVEL, qvel);
  }
  std::vector<double> qpos() override {
    int size = 0;
    const mjtNum* from = library().mjb_stateComponent(batch_.get(), mjSTATE_QPOS, &size);
    std::vector<double> all;
    for (int sim = 0; sim < nenv_; ++sim, from += state_size()) {
      all.insert(all.end(), from, from + size);
    }
    return all;
  }

  void copy_state(const MujocoSide& other) override {
    const Peer& from = dynamic_cast<const Peer&>(other);
    std::memcpy(library().mjb_state(batch_.get()), library().mjb_state(from.batch_.get()),
                sizeof(mjtNum) * state_size() * static_cast<std::size_t>(nenv_));
    set_steps_done(from.steps_done());
  }

 private:
  void set_controls(std::int64_t step) override {
    int size = 0;
    mjtNum* ctrl = library().mjb_stateComponent(batch_.get(), mjSTATE_CTRL, &size);
    if (size > 0) {
      controls().fill(step, nenv_, ctrl, static_cast<std::int64_t>(state_size()),
                      library().mjb_nthread(batch_.get()));
    }
  }

  void advance(int n) override {
    if (library().mjb_step(batch_.get(), nullptr, 0, n, mjSTAGE_NONE) == 0) {
      return;
    }
    const int* status = library().mjb_status(batch_.get());
    const auto sim = static_cast<int>(
        std::find_if(status, status + nenv_, [](int s) { return s != 0; }) - status);
    throw Error(fmt::format("the official library failed in simulation {} ({})", sim,
                            library().mjb_error(batch_.get(), std::min(sim, nenv_ - 1))));
  }

  // a component of the state of all simulations
  void write(int component, const std::vector<double>& values) {
    int size = 0;
    mjtNum* to = library().mjb_stateComponent(batch_.get(), component, &size);
    const double* from = values.data();
    for (int sim = 0; sim < nenv_; ++sim, to += state_size(), from += size) {
      std::copy_n(from, size, to);
    }
  }

  // contacts and rows that found no memory, and simulations that diverged, since the start
  void count_warnings(Quality* quality) const {
    const mjWarningStat* warning = library().mjb_warning(batch_.get());
    std::int64_t dropped = 0;
    for (int sim = 0; sim < nenv_; ++sim, warning += mjNWARNING) {
      dropped += warning[mjWARN_CONTACTFULL].number + warning[mjWARN_CNSTRFULL].number;
      const bool bad = warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number +
                           warning[mjWARN_BADQACC].number + warning[mjWARN_BADCTRL].number >
                       0;
      quality->unstable += bad ? 1 : 0;
    }
    quality->dropped = dropped - dropped_before_;
    dropped_before_ = dropped;
  }

  std::size_t state_size() const {
    return static_cast<std::size_t>(library().mjb_nstate(batch_.get()));
  }

  MujocoChoice choice_;
  int nenv_;
  OwnModel model_;
  std::unique_ptr<mjBatch, DeleteBatch> batch_;
  std::size_t thread_bytes_ = 0;
  mutable std::int64_t dropped_before_ = 0;
};

}  // namespace

bool have_mujoco() {
  return true;
}

std::unique_ptr<MujocoSide> mujoco_side(const std::string& scene, const MujocoChoice& choice,
                                        int nenv, int threads, const Controls& controls) {
  return std::make_unique<Peer>(scene, choice, nenv, threads, controls);
}

}  // namespace swept::bench

#else

namespace swept::bench {

bool have_mujoco() {
  return false;
}

std::unique_ptr<MujocoSide> mujoco_side(const std::string&, const MujocoChoice&, int, int,
                                        const Controls&) {
  throw Error("this program was built without the official MuJoCo library",
              "run tools/setup test and build again, or leave --against out");
}

}  // namespace swept::bench

#endif
