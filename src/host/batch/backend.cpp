// SPDX-License-Identifier: Apache-2.0
// Choosing and opening backends.
//
// A backend's file is looked for in SWEPT_BACKENDS_DIR if that is set, beside the running program,
// and in the folder the library was built with.
#include "host/batch/backend.h"

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>

#include <swept/error.h>

#include "host/batch/memory.h"

#ifndef SWEPT_BACKEND_DIR
#define SWEPT_BACKEND_DIR ""
#endif

namespace swept {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> backend_folders() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("SWEPT_BACKENDS_DIR");
      chosen != nullptr && *chosen != '\0') {
    folders.emplace_back(chosen);
  }
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib");
  }
  folders.emplace_back(SWEPT_BACKEND_DIR);
  return folders;
}

/// The file of a backend, or an empty path.
fs::path backend_file(const std::string& backend) {
  for (const fs::path& folder : backend_folders()) {
    const fs::path file = folder / ("libswept_" + backend + ".so");
    std::error_code failed;
    if (!folder.empty() && fs::exists(file, failed)) {
      return file;
    }
  }
  return {};
}

bool machine_runs(const std::string& backend) {
  if (backend == "cpu_v4") {
    return __builtin_cpu_supports("x86-64-v4");
  }
  if (backend == "cpu_v3") {
    return __builtin_cpu_supports("x86-64-v3");
  }
  return true;
}

/// Backends of a kind of device, best first.
std::vector<std::string> backends_of(const std::string& kind) {
  if (kind == "cuda") {
    return {"cuda"};
  }
  const char* isa = std::getenv("SWEPT_ISA");
  if (isa == nullptr || *isa == '\0') {
    return {"cpu_v4", "cpu_v3"};
  }
  const std::string chosen = isa;
  if (chosen != "v3" && chosen != "v4") {
    throw Error(
        "SWEPT_ISA is '" + chosen + "'",
        "set it to v3 (AVX2) or v4 (AVX-512), or leave it unset for the best this machine has");
  }
  return {"cpu_" + chosen};
}

/// The opened shared object of a backend; it stays open until the program ends.
void* open_backend(const fs::path& file) {
  static std::mutex mutex;
  static std::map<fs::path, void*> opened;
  const std::lock_guard lock(mutex);
  void*& handle = opened[file];
  if (handle == nullptr) {
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      throw Error("backend " + file.string() + " cannot be opened (" + dlerror() + ")",
                  "build it again, or choose another device");
    }
  }
  return handle;
}

[[noreturn]] void refuse(const Device& device) {
  if (device.kind == "cuda") {
    throw Error("this installation was built without CUDA",
                "install the CUDA toolkit and build again, or use device \"cpu\"");
  }
  std::string names;
  for (const std::string& backend : backends_of("cpu")) {
    names += (names.empty() ? "" : ", ") + backend +
             (machine_runs(backend) ? " (not built)" : " (this machine cannot run it)");
  }
  throw Error("no CPU backend can be used: " + names,
              "build a backend that this machine runs; cpu_v3 needs AVX2, cpu_v4 needs AVX-512");
}

}  // namespace

Device parse_device(std::string_view text) {
  if (text == "cpu" || text == "cuda") {
    return {std::string(text), 0};
  }
  constexpr std::string_view prefix = "cuda:";
  if (text.substr(0, prefix.size()) == prefix) {
    const std::string_view number = text.substr(prefix.size());
    int index = -1;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (failed == std::errc{} && end == number.data() + number.size() && index >= 0) {
      return {"cuda", index};
    }
  }
  throw Error("unknown device '" + std::string(text) + "'", "use cpu, cuda or cuda:i");
}

std::vector<std::string> available_backends() {
  std::vector<std::string> available;
  for (const char* kind : {"cpu", "cuda"}) {
    for (const std::string& backend : backends_of(kind)) {
      if (machine_runs(backend) && !backend_file(backend).empty()) {
        available.push_back(backend);
      }
    }
  }
  return available;
}

namespace {

/// What the best backend for a device exports under a name and a precision.
void* factory_of(const Device& device, Precision precision, const std::string& stem) {
  for (const std::string& backend : backends_of(device.kind)) {
    const fs::path file = machine_runs(backend) ? backend_file(backend) : fs::path{};
    if (file.empty()) {
      continue;
    }
    const std::string symbol = stem + (precision == Precision::f32 ? "_f32" : "_f64");
    void* const factory = dlsym(open_backend(file), symbol.c_str());
    if (factory == nullptr) {
      throw Error("backend " + file.string() + " has no " + symbol,
                  "it was built for one precision only: build both, or ask for the other");
    }
    return factory;
  }
  refuse(device);
}

[[noreturn]] void refuse_failed(const Device& device, const std::runtime_error& failure) {
  throw Error("device '" + device.kind + ":" + std::to_string(device.index) + "' cannot be used (" +
                  failure.what() + ")",
              "check the driver, or use device \"cpu\"");
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Model& model, const Device& device, Precision precision,
                                    const EngineOptions& options) {
  const auto factory =
      reinterpret_cast<MakeEngine>(factory_of(device, precision, "swept_make_engine"));
  try {
    return std::unique_ptr<Engine>(factory(model, options));
  } catch (const OutOfMemory& shortage) {
    refuse_batch(shortage, options.nenv);
  } catch (const std::bad_alloc&) {
    throw Error("memory ended while making " + std::to_string(options.nenv) + " environments",
                "ask for fewer environments");
  } catch (const std::runtime_error& failure) {
    refuse_failed(device, failure);
  }
}

std::unique_ptr<ccd::ImpactEngine> make_impact_engine(std::span<const ccd::ImpactTree> trees,
                                                      const Device& device, Precision precision,
                                                      int workers) {
  const auto factory = reinterpret_cast<ccd::MakeImpactEngine>(
      factory_of(device, precision, "swept_make_impact_engine"));
  try {
    return std::unique_ptr<ccd::ImpactEngine>(factory(trees, device.index, workers));
  } catch (const std::bad_alloc&) {
    throw Error("memory ended while uploading " + std::to_string(trees.size()) + " bodies",
                "give fewer or smaller ones");
  } catch (const std::runtime_error& failure) {
    refuse_failed(device, failure);
  }
}

}  // namespace swept
