# SPDX-License-Identifier: Apache-2.0
# Finds the official MuJoCo 4.0.0 library, the oracle of the parity tests and the peer of the
# benchmarks, in the Python environment that `tools/setup test` makes. Nothing that is installed
# or run by users links it.
#
#   MujocoOracle_FOUND   whether it is there
#   MujocoOracle::mujoco the imported library, its headers as <mujoco/mujoco.h>

set(SWEPT_VENV ${PROJECT_SOURCE_DIR}/build/venv CACHE PATH "Python environment with mujoco-core")
file(GLOB swept_oracle_libraries
  ${SWEPT_VENV}/lib/python3*/site-packages/mujoco/libmujoco.so.4.0.0)
set(MujocoOracle_FOUND FALSE)
if(swept_oracle_libraries)
  list(GET swept_oracle_libraries 0 swept_oracle_library)
  cmake_path(GET swept_oracle_library PARENT_PATH swept_oracle_folder)
  if(NOT TARGET MujocoOracle::mujoco)
    add_library(MujocoOracle::mujoco SHARED IMPORTED)
    set_target_properties(MujocoOracle::mujoco PROPERTIES
      IMPORTED_LOCATION ${swept_oracle_library}
      IMPORTED_SONAME libmujoco.so.4.0.0
      INTERFACE_INCLUDE_DIRECTORIES ${swept_oracle_folder}/include)
  endif()
  set(MujocoOracle_FOUND TRUE)
  message(STATUS "swept: parity oracle ${swept_oracle_library}")
else()
  message(STATUS "swept: no parity oracle in ${SWEPT_VENV}: parity tests and the bench's "
    "--against mujoco are left out (tools/setup test installs it)")
endif()
