# SPDX-License-Identifier: BSD-3-Clause
# Run by the installation: in the installed pages, links into docs/measurements and
# docs/internals/decisions, which are not installed, become plain text. TuttiInstall.cmake sets
# docdir, or relative if the prefix is chosen when it is installed.
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${relative}")
if(IS_ABSOLUTE "${relative}")
  set(folder "$ENV{DESTDIR}${docdir}")
endif()
file(GLOB_RECURSE pages "${folder}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" old)
  string(REGEX REPLACE "\\[([^]]*)\\]\\([^()]*(measurements|decisions)/[^()]*\\)" "\\1" new "${old}")
  if(NOT new STREQUAL old)
    file(WRITE "${page}" "${new}")
  endif()
endforeach()
