# SPDX-License-Identifier: Apache-2.0
# The single-source layer: every file of src/kernels is compiled once per configuration, backend x
# precision, through a one-line stub, each configuration in its own namespace swept::SWEPT_NS.
#
#   swept_add_backend(cpu_v3 -march=x86-64-v3)   libswept_cpu_v3.so with the configurations
#                                                cpu_v3_f32 and cpu_v3_f64
#   swept_add_host_kernels(swept_tail source...)  a static library of what the host itself computes
#                                                with kernel code: the configuration host_f64

add_custom_target(swept_backends)

# Makes the interface target swept_config_<backend>_<precision> with the defines, flags and include
# folders that code of this configuration is compiled with; tests of kernels use it too.
function(swept_add_configuration backend precision)
  set(config swept_config_${backend}_${precision})
  add_library(${config} INTERFACE)
  target_include_directories(${config} INTERFACE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src)
  if(precision STREQUAL f32)
    target_compile_definitions(${config} INTERFACE SWEPT_REAL=float SWEPT_F32=1)
  else()
    target_compile_definitions(${config} INTERFACE SWEPT_REAL=double SWEPT_F32=0)
  endif()
  target_compile_definitions(${config} INTERFACE SWEPT_NS=${backend}_${precision})
  # GCC notes once per file that packs are passed in another way than by GCC 4.6
  target_compile_options(${config} INTERFACE ${ARGN} $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>)
  target_link_libraries(${config} INTERFACE swept_warnings)
endfunction()

# Writes the stubs of the listed sources for one configuration and sets `out` to their paths.
function(swept_write_stubs out configuration suffix)
  set(stubs)
  foreach(source IN LISTS ARGN)
    string(REGEX REPLACE "\\.(cpp|cu)$" "" stem ${source})
    set(stub ${PROJECT_BINARY_DIR}/stubs/${configuration}/${stem}.${suffix})
    file(CONFIGURE OUTPUT ${stub} CONTENT "#include \"kernels/${source}\"\n" @ONLY)
    list(APPEND stubs ${stub})
  endforeach()
  set(${out} ${stubs} PARENT_SCOPE)
endfunction()

# Builds the kernels of one configuration as the object library kernels_<backend>_<precision>.
function(swept_add_kernels backend precision)
  set(configuration ${backend}_${precision})
  if(backend STREQUAL cuda)
    swept_write_stubs(stubs ${configuration} cu ${SWEPT_KERNEL_SOURCES} ${SWEPT_CUDA_SOURCES})
  else()
    swept_write_stubs(stubs ${configuration} cpp ${SWEPT_KERNEL_SOURCES})
  endif()
  add_library(kernels_${configuration} OBJECT ${stubs})
  target_link_libraries(kernels_${configuration} PRIVATE swept_config_${configuration})
  set_target_properties(kernels_${configuration} PROPERTIES
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(kernels_${configuration} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O3>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  if(precision STREQUAL f32)
    # a double in f32 kernels is an error on both sides
    target_compile_options(kernels_${configuration} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror=double-promotion>
      "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xptxas -warn-double-usage,-Werror>")
  endif()
endfunction()

# Makes the build write <build>/kernels.txt, what each CUDA kernel needs of the machine, whenever it
# links the backend.
function(swept_add_kernel_table library)
  find_program(SWEPT_PYTHON NAMES python3)
  mark_as_advanced(SWEPT_PYTHON)
  if(NOT SWEPT_PYTHON)
    message(STATUS "swept: no python3, so the build writes no table of kernels")
    return()
  endif()
  set(objects)
  foreach(precision IN LISTS SWEPT_PRECISIONS)
    set(kernels kernels_cuda_${precision})
    target_compile_options(${kernels} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
    set_target_properties(${kernels} PROPERTIES CUDA_COMPILER_LAUNCHER
      "${SWEPT_PYTHON};${PROJECT_SOURCE_DIR}/cmake/record_ptxas.py;${CMAKE_CUDA_COMPILER_LAUNCHER}")
    list(APPEND objects $<TARGET_OBJECTS:${kernels}>)
  endforeach()
  add_custom_command(TARGET ${library} POST_BUILD COMMAND ${SWEPT_PYTHON}
    ${PROJECT_SOURCE_DIR}/cmake/kernel_table.py --out ${PROJECT_BINARY_DIR}/kernels.txt ${objects}
    COMMAND_EXPAND_LISTS VERBATIM)
  set(SWEPT_KERNEL_TABLE ${PROJECT_BINARY_DIR}/kernels.txt CACHE INTERNAL "")
endfunction()

# Builds one backend, all chosen precisions in one shared object that shows its factories only.
# Sources come from the caller's SWEPT_KERNEL_SOURCES and SWEPT_CUDA_SOURCES. Does nothing when
# the backend was not chosen.
function(swept_add_backend backend)
  if(NOT backend IN_LIST SWEPT_BACKEND_LIST)
    return()
  endif()
  set(library swept_${backend})
  add_library(${library} MODULE)
  foreach(precision IN LISTS SWEPT_PRECISIONS)
    swept_add_configuration(${backend} ${precision} ${ARGN})
    swept_add_kernels(${backend} ${precision})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:kernels_${backend}_${precision}>)
  endforeach()
  if(backend STREQUAL cuda)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CUDA CUDA_RUNTIME_LIBRARY Static)
    swept_add_kernel_table(${library})
  else()
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${library} PRIVATE TBB::tbb)
  endif()
  set(map ${PROJECT_SOURCE_DIR}/cmake/backend.map)
  target_link_options(${library} PRIVATE LINKER:--version-script=${map} LINKER:-z,defs
    LINKER:--as-needed)
  set_target_properties(${library} PROPERTIES LINK_DEPENDS ${map})
  add_dependencies(swept_backends ${library})
endfunction()

# Builds sources of src/kernels for the host: in double, one lane, for any processor. No kernel is
# launched from it.
function(swept_add_host_kernels library)
  swept_add_configuration(host f64)
  target_compile_definitions(swept_config_host_f64 INTERFACE SWEPT_ONE_LANE)
  swept_write_stubs(stubs host_f64 cpp ${ARGN})
  add_library(${library} STATIC ${stubs})
  target_link_libraries(${library} PRIVATE swept_config_host_f64)
endfunction()
