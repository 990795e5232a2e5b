# SPDX-License-Identifier: BSD-3-Clause
# Installs the list of all files that were installed below a prefix, and of the folders that were
# made for them (TuttiFolders.cmake), which end in a slash. scripts/uninstall reads it. CMake's own
# list in the build folder does not serve: it is that of the last installation, with any prefix.
# This file is included last, because the list has only files that were installed before it.
install(CODE [[
  set(tutti_list "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/tutti/installed")
  set(tutti_files share/tutti/installed ${tutti_made})
  foreach(tutti_file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH tutti_file "${CMAKE_INSTALL_PREFIX}" "${tutti_file}")
    list(APPEND tutti_files "${tutti_file}")
  endforeach()
  if(EXISTS "${tutti_list}")  # it has folders made before, and perhaps files of an older build
    file(STRINGS "${tutti_list}" tutti_before)
    list(APPEND tutti_files ${tutti_before})
  endif()
  list(SORT tutti_files)
  list(REMOVE_DUPLICATES tutti_files)
  list(JOIN tutti_files "\n" tutti_files)
  file(WRITE "${tutti_list}" "${tutti_files}\n")
]] ALL_COMPONENTS)
