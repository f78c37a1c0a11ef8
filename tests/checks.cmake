# SPDX-License-Identifier: Apache-2.0
# The rules of the house as tests: tools/checks/* over the sources and over what was built.

swept_add_check(check_taboos)
set(swept_oracle_headers)
if(MujocoOracle_FOUND)
  set(swept_oracle_headers
    --oracle $<TARGET_PROPERTY:MujocoOracle::mujoco,INTERFACE_INCLUDE_DIRECTORIES>)
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(HDF5 REQUIRED hdf5)
string(JOIN ":" swept_hdf5_headers ${HDF5_INCLUDE_DIRS})
swept_add_check(check_headers ${swept_oracle_headers} --compiler ${CMAKE_CXX_COMPILER}
  --system
  $<JOIN:$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>,:>:${swept_hdf5_headers})
swept_add_check(check_checks)

# what was built, as the checks of binaries want it
set(swept_objects)
set(swept_libraries)
foreach(backend IN LISTS SWEPT_BACKEND_LIST)
  if(TARGET swept_${backend})
    list(APPEND swept_libraries $<TARGET_FILE:swept_${backend}>)
    set(swept_file_${backend} $<TARGET_FILE:swept_${backend}>)
    foreach(precision IN LISTS SWEPT_PRECISIONS)
      set(configuration ${backend}_${precision})
      list(APPEND swept_objects --objects ${configuration}
        $<TARGET_OBJECTS:kernels_${configuration}>)
    endforeach()
  endif()
endforeach()
set(swept_programs $<TARGET_FILE:swept>)
if(TARGET swept_cli)
  list(APPEND swept_programs $<TARGET_FILE:swept_cli>)
endif()

# the build writes a table of the CUDA kernels where there is a CUDA backend
if(TARGET swept_cuda AND SWEPT_KERNEL_TABLE)
  swept_add_check(check_kernels --table ${SWEPT_KERNEL_TABLE} --precisions ${SWEPT_PRECISIONS})
endif()

# sanitizers add symbols of their own
if(swept_libraries AND NOT SWEPT_SANITIZE)
  swept_add_check(check_symbols ${swept_objects} --libraries ${swept_libraries})
  swept_add_check(check_isa --base ${swept_programs} ${swept_file_cuda}
    --cpu-v3 ${swept_file_cpu_v3} --cpu-v4 ${swept_file_cpu_v4})
endif()
