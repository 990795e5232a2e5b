# SPDX-License-Identifier: BSD-3-Clause
# Reads packaging/home, where tutti is at home. TUTTI_HOME_url, TUTTI_HOME_tracker, TUTTI_HOME_contact,
# TUTTI_HOME_author and TUTTI_HOME_licence have its values, which are empty as long as they are unset.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/home)
file(STRINGS ${PROJECT_SOURCE_DIR}/packaging/home home_lines REGEX "^[a-z]+ *=")
foreach(line IN LISTS home_lines)
  string(REGEX MATCH "^([a-z]+) *= *(.*)$" matched "${line}")
  string(STRIP "${CMAKE_MATCH_2}" TUTTI_HOME_${CMAKE_MATCH_1})
endforeach()
