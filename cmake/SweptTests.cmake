# SPDX-License-Identifier: Apache-2.0
# The kinds of tests. Every function takes the test's name, then its sources.
#   swept_add_test         host code and whole-program tests; BACKENDS builds the backends first and
#                          runs the test once per CPU backend
#   swept_add_kernel_test  one executable per CPU configuration; LINK_KERNELS adds its objects,
#                          ORACLE the official library, without which the test is left out,
#                          ONE_LANE two more executables with one lane a pack, as CUDA has it
#   swept_add_race_test    cooperative functions under ThreadSanitizer (cpu_v3_f64)
#   swept_add_parity_test  against the official library, once per CPU backend (HOST: once, for code
#                          that uses none); left out where that library is absent
#   swept_add_check        a script of tools/checks

# what all test executables share; -O1 halves the time of compiling them
add_library(swept_test_base INTERFACE)
target_include_directories(swept_test_base INTERFACE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(swept_test_base INTERFACE SWEPT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  SWEPT_BUILD_DIR="${PROJECT_BINARY_DIR}" SWEPT_VENV="${SWEPT_VENV}")
target_compile_options(swept_test_base INTERFACE -O1)
target_link_libraries(swept_test_base INTERFACE swept_warnings GTest::gtest GTest::gtest_main)

# stops a test before its first instruction of a set that the machine lacks (exit status 77)
foreach(backend IN ITEMS cpu_v3 cpu_v4)
  add_library(swept_isa_guard_${backend} OBJECT EXCLUDE_FROM_ALL
    ${PROJECT_SOURCE_DIR}/tests/support/isa_guard.cpp)
  target_compile_definitions(swept_isa_guard_${backend}
    PRIVATE SWEPT_ISA_NAME="${SWEPT_ISA_${backend}}")
  target_link_libraries(swept_isa_guard_${backend} PRIVATE swept_warnings)
endforeach()

# registers an executable of tests under a label
function(swept_register_test target label)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${target} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set_tests_properties(${target} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77)
endfunction()

# says which backend a test of whole batches runs on, and skips it where the machine cannot
add_library(swept_backend_guard OBJECT EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/tests/support/backend_guard.cpp)
target_link_libraries(swept_backend_guard PRIVATE swept_warnings)

# registers an executable once per CPU backend, as <target>_v3 and <target>_v4
function(swept_register_backend_test target label)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:swept_backend_guard>)
  add_dependencies(${target} swept_backends)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  foreach(backend IN LISTS SWEPT_BACKEND_LIST)
    if(backend MATCHES "^cpu_(.*)$")
      set(test ${target}_${CMAKE_MATCH_1})
      add_test(NAME ${test} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
      set_tests_properties(${test} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77
        ENVIRONMENT SWEPT_ISA=${CMAKE_MATCH_1})
    endif()
  endforeach()
endfunction()

function(swept_add_test name)
  cmake_parse_arguments(arg BACKENDS "" "" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE swept swept_test_base)
  if(arg_BACKENDS)
    swept_register_backend_test(${name} host)
  else()
    swept_register_test(${name} host)
  endif()
endfunction()

# kernels in an executable are compiled as CUDA does, one lane a pack
function(swept_define_one_lane target precision)
  if(precision STREQUAL f32)
    target_compile_definitions(${target} PRIVATE SWEPT_REAL=float SWEPT_F32=1)
  else()
    target_compile_definitions(${target} PRIVATE SWEPT_REAL=double SWEPT_F32=0)
  endif()
  target_compile_definitions(${target} PRIVATE SWEPT_NS=lane_${precision} SWEPT_ONE_LANE)
endfunction()

function(swept_add_kernel_test name)
  cmake_parse_arguments(arg "LINK_KERNELS;ORACLE;ONE_LANE" "" "" ${ARGN})
  if(arg_ORACLE AND NOT MujocoOracle_FOUND)
    return()
  endif()
  foreach(precision IN LISTS SWEPT_PRECISIONS)
    if(arg_ONE_LANE)
      set(target ${name}_one_lane_${precision})
      add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
      swept_define_one_lane(${target} ${precision})
      target_link_libraries(${target} PRIVATE swept_test_base)
      if(arg_ORACLE)
        target_link_libraries(${target} PRIVATE MujocoOracle::mujoco)
      endif()
      swept_register_test(${target} kernel)
    endif()
  endforeach()
  foreach(configuration IN LISTS SWEPT_CPU_CONFIGURATIONS)
    string(REGEX REPLACE "_f(32|64)$" "" backend ${configuration})
    set(target ${name}_${configuration})
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS}
      $<TARGET_OBJECTS:swept_isa_guard_${backend}>)
    target_link_libraries(${target} PRIVATE swept_config_${configuration} swept_test_base)
    if(arg_ORACLE)
      target_link_libraries(${target} PRIVATE MujocoOracle::mujoco)
    endif()
    if(arg_LINK_KERNELS)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:kernels_${configuration}>)
      target_link_libraries(${target} PRIVATE TBB::tbb)
    endif()
    swept_register_test(${target} kernel)
  endforeach()
endfunction()

function(swept_add_race_test name)
  if(NOT cpu_v3_f64 IN_LIST SWEPT_CPU_CONFIGURATIONS OR SWEPT_SANITIZE)
    return()
  endif()
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:swept_isa_guard_cpu_v3>)
  target_compile_options(${name} PRIVATE -fsanitize=thread -g1)
  target_link_options(${name} PRIVATE -fsanitize=thread)
  target_link_libraries(${name} PRIVATE swept_config_cpu_v3_f64 swept_test_base Threads::Threads)
  swept_register_test(${name} race)
endfunction()

function(swept_add_parity_test name)
  cmake_parse_arguments(arg HOST "" "" ${ARGN})
  if(NOT MujocoOracle_FOUND)
    return()
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE swept swept_test_base MujocoOracle::mujoco)
  if(arg_HOST)
    swept_register_test(${name} parity)
  else()
    swept_register_backend_test(${name} parity)
  endif()
endfunction()

function(swept_add_check name)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/checks/${name} ${ARGN}
    COMMAND_EXPAND_LISTS WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS check)
endfunction()
