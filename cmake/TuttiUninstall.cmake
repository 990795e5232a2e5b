# SPDX-License-Identifier: BSD-3-Clause
# The list of all that was installed below a prefix, which scripts/uninstall reads. The list in the build folder is that of the
# last installation, whatever its prefix was. Included last: what is installed after it is not in the list.
install(CODE [[
  set(tutti_list "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/tutti/installed")
  set(tutti_files share/tutti/installed)
  foreach(tutti_file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
    file(RELATIVE_PATH tutti_file "${CMAKE_INSTALL_PREFIX}" "${tutti_file}")
    list(APPEND tutti_files "${tutti_file}")
  endforeach()
  if(EXISTS "${tutti_list}")  # files that an earlier build installed and this one has no more
    file(STRINGS "${tutti_list}" tutti_before)
    list(APPEND tutti_files ${tutti_before})
  endif()
  list(SORT tutti_files)
  list(REMOVE_DUPLICATES tutti_files)
  list(JOIN tutti_files "\n" tutti_files)
  file(WRITE "${tutti_list}" "${tutti_files}\n")
]])
