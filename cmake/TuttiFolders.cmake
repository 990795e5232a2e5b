# SPDX-License-Identifier: BSD-3-Clause
# Notes which folders an installation makes, in `tutti_made`, which TuttiUninstall.cmake writes into
# its list. They are folders that other programs use too, so that uninstalling must not remove those
# that were there before. This file is included first, because a folder that is there when nothing
# has been installed yet was made by somebody else. Folders with tutti in their name are always ours
# and need no note.
set(tutti_shared)
foreach(folder IN ITEMS ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_LIBEXECDIR} ${CMAKE_INSTALL_LIBDIR}/cmake
                        ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_DATADIR}/doc ${CMAKE_INSTALL_MANDIR}/man1
                        ${CMAKE_INSTALL_MANDIR}/man3 ${CMAKE_INSTALL_MANDIR}/man5 ${CMAKE_INSTALL_MANDIR}/man7
                        ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
                        ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${CMAKE_INSTALL_DATADIR}/modulefiles lib/python3/dist-packages)
  while(NOT folder STREQUAL "" AND NOT IS_ABSOLUTE "${folder}")
    list(APPEND tutti_shared "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()
list(APPEND tutti_shared .)  # the prefix
list(REMOVE_DUPLICATES tutti_shared)
install(CODE "
  set(tutti_made)
  foreach(tutti_folder IN ITEMS ${tutti_shared})
    if(NOT EXISTS \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${tutti_folder}\")
      list(APPEND tutti_made \"\${tutti_folder}/\")
    endif()
  endforeach()" ALL_COMPONENTS)
