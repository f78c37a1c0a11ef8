# SPDX-License-Identifier: Apache-2.0
# Build type, language level, floating point rules, warnings and output folders of all targets.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, or Debug for a quick build" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# kernels add -O3 in Release (cmake/SweptKernels.cmake); the host needs no more than -O2
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# a*b+c is two roundings everywhere, so that packs, scalars and instruction sets agree bit for bit
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

if(SWEPT_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SWEPT_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${SWEPT_SANITIZE})
endif()

# compile through ccache where it is installed and the caller has chosen nothing else
find_program(SWEPT_CCACHE ccache)
mark_as_advanced(SWEPT_CCACHE)
if(SWEPT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SWEPT_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${SWEPT_CCACHE})
endif()

# the warnings of our own code; headers of packages are system headers and stay silent
add_library(swept_warnings INTERFACE)
target_compile_options(swept_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
  $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)
