# SPDX-License-Identifier: Apache-2.0
# Turns the options SWEPT_BACKENDS and SWEPT_PRECISIONS into two checked lists:
#   SWEPT_BACKEND_LIST        of cpu_v3, cpu_v4 and cuda
#   SWEPT_CPU_CONFIGURATIONS  of cpu_v3_f32, cpu_v3_f64, cpu_v4_f32 and cpu_v4_f64
# and switches CUDA on where a backend needs it.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceRuns)
include(CheckLanguage)

set(SWEPT_ISA_cpu_v3 x86-64-v3)
set(SWEPT_ISA_cpu_v4 x86-64-v4)

# sets SWEPT_COMPILES_<backend>
function(swept_probe_backend backend)
  if(backend STREQUAL cuda)
    # the toolkit's usual place is often not on the path
    find_program(SWEPT_NVCC nvcc PATHS /usr/local/cuda/bin)
    mark_as_advanced(SWEPT_NVCC)
    if(SWEPT_NVCC AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
      set(ENV{CUDACXX} ${SWEPT_NVCC})
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      set(SWEPT_COMPILES_cuda TRUE PARENT_SCOPE)
    endif()
  else()
    check_cxx_compiler_flag(-march=${SWEPT_ISA_${backend}} SWEPT_COMPILES_${backend})
  endif()
endfunction()

# sets `out` to the widest CPU backend that this machine can run
function(swept_native_backend out)
  foreach(backend IN ITEMS cpu_v4 cpu_v3)
    check_cxx_source_runs(
      "int main() { return __builtin_cpu_supports(\"${SWEPT_ISA_${backend}}\") ? 0 : 1; }"
      SWEPT_RUNS_${backend})
    if(SWEPT_RUNS_${backend})
      set(${out} ${backend} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "SWEPT_BACKENDS=native: this processor lacks AVX2 (x86-64-v3), which the "
    "CPU backends need; build on another machine or name the backends to build")
endfunction()

# which backends
if(SWEPT_BACKENDS STREQUAL all)
  set(SWEPT_BACKEND_LIST)
  foreach(backend IN ITEMS cpu_v3 cpu_v4 cuda)
    swept_probe_backend(${backend})
    if(SWEPT_COMPILES_${backend})
      list(APPEND SWEPT_BACKEND_LIST ${backend})
    endif()
  endforeach()
elseif(SWEPT_BACKENDS STREQUAL native)
  swept_native_backend(SWEPT_BACKEND_LIST)
else()
  set(SWEPT_BACKEND_LIST ${SWEPT_BACKENDS})
  foreach(backend IN LISTS SWEPT_BACKEND_LIST)
    if(NOT backend MATCHES "^(cpu_v3|cpu_v4|cuda)$")
      message(FATAL_ERROR "SWEPT_BACKENDS names '${backend}'; choose from cpu_v3, cpu_v4, cuda, "
        "or say all or native")
    endif()
    swept_probe_backend(${backend})
    if(NOT SWEPT_COMPILES_${backend})
      message(FATAL_ERROR "SWEPT_BACKENDS names '${backend}', which no compiler here can build "
        "(cuda needs nvcc, cpu_v4 needs a compiler that knows -march=x86-64-v4)")
    endif()
  endforeach()
endif()

# which precisions
foreach(precision IN LISTS SWEPT_PRECISIONS)
  if(NOT precision MATCHES "^(f32|f64)$")
    message(FATAL_ERROR "SWEPT_PRECISIONS names '${precision}'; choose from f32 and f64")
  endif()
endforeach()

set(SWEPT_CPU_CONFIGURATIONS)
foreach(backend IN LISTS SWEPT_BACKEND_LIST)
  if(NOT backend STREQUAL cuda)
    foreach(precision IN LISTS SWEPT_PRECISIONS)
      list(APPEND SWEPT_CPU_CONFIGURATIONS ${backend}_${precision})
    endforeach()
  endif()
endforeach()

if(cuda IN_LIST SWEPT_BACKEND_LIST)
  # native code for compute capability 9.0, and PTX from which a driver compiles for 7.5 and later
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90-real 75-virtual)
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
  # CMake before 3.26 does not know how nvcc 13 spells C++20
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
else()
  message(STATUS "swept: no CUDA backend (no nvcc, or not asked for)")
endif()
message(STATUS "swept: backends ${SWEPT_BACKEND_LIST}; precisions ${SWEPT_PRECISIONS}")
