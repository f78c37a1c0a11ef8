# SPDX-License-Identifier: Apache-2.0
# Finds lodepng (liblodepng-dev), which reads height fields from pictures.
#
#   LodePNG_FOUND      whether it is there
#   LodePNG::lodepng   the library

find_path(LodePNG_INCLUDE_DIR lodepng.h)
find_library(LodePNG_LIBRARY lodepng)
mark_as_advanced(LodePNG_INCLUDE_DIR LodePNG_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LodePNG REQUIRED_VARS LodePNG_LIBRARY LodePNG_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install liblodepng-dev (tools/setup build does)")

if(LodePNG_FOUND AND NOT TARGET LodePNG::lodepng)
  add_library(LodePNG::lodepng UNKNOWN IMPORTED)
  set_target_properties(LodePNG::lodepng PROPERTIES
    IMPORTED_LOCATION ${LodePNG_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LodePNG_INCLUDE_DIR})
endif()
