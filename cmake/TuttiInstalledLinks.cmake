# SPDX-License-Identifier: BSD-3-Clause
# The installation runs this script. It turns links in the installed pages into plain text if they
# lead to docs/measurements, which is not installed. TuttiInstall.cmake sets `relative`, the folder
# of documents below the prefix, which the installation may choose. If that folder is absolute,
# `docdir` has it.
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${relative}")
if(IS_ABSOLUTE "${relative}")
  set(folder "$ENV{DESTDIR}${docdir}")
endif()
file(GLOB_RECURSE pages "${folder}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" old)
  string(REGEX REPLACE "\\[([^]]*)\\]\\([^()]*measurements/[^()]*\\)" "\\1" new "${old}")
  if(NOT new STREQUAL old)
    file(WRITE "${page}" "${new}")
  endif()
endforeach()
