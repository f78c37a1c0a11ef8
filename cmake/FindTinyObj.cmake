# SPDX-License-Identifier: Apache-2.0
# Finds the header of tinyobjloader (libtinyobjloader-dev), which reads OBJ meshes. One source file
# compiles the implementation that the header holds, so no shared library is needed.
#
#   TinyObj_FOUND     whether it is there
#   TinyObj::header   its include folder

find_path(TinyObj_INCLUDE_DIR tiny_obj_loader.h)
mark_as_advanced(TinyObj_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TinyObj REQUIRED_VARS TinyObj_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libtinyobjloader-dev (tools/setup build does)")

if(TinyObj_FOUND AND NOT TARGET TinyObj::header)
  add_library(TinyObj::header INTERFACE IMPORTED)
  set_target_properties(TinyObj::header PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${TinyObj_INCLUDE_DIR})
endif()
