# SPDX-License-Identifier: BSD-3-Clause
# Lets programs find tutti's libraries. Those that CMake links with an installed tutti get a run path
# (tuttiConfig.cmake.in), unless the loader searches the folder of the libraries by itself. The
# programs of the installation have one of their own.
set(TUTTI_LOADER_FOLDERS /lib /lib64 /usr/lib /usr/lib64)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND TUTTI_LOADER_FOLDERS /lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

# tutti_program_run_path(<target> <folder>...): gives an installed program the run path of these
# folders, relative to its own. The loader asks /proc where a program lies, so where there is no
# /proc it follows none of these. So the run path also has room for the paths of these folders, which
# tutti_name_library_folders() writes there. A wheel, which lies anywhere, has none.
string(REPEAT "." 1000 room)
set(TUTTI_RUN_PATH_ROOM "/${room}")
function(tutti_program_run_path target)
  list(TRANSFORM ARGN PREPEND "$ORIGIN/" OUTPUT_VARIABLE folders)
  if(NOT TUTTI_WHEEL)
    list(APPEND folders ${TUTTI_RUN_PATH_ROOM})
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${folders}")
endfunction()

# tutti_name_library_folders(<programs> <libraries>...): puts the paths of these folders of libraries
# into the programs of a folder when they are installed, because only then is the prefix known.
# Folders that the loader searches by itself are left out, and so are all if they are too long.
function(tutti_name_library_folders programs)
  install(CODE "
    cmake_policy(SET CMP0057 NEW)
    set(searched ${TUTTI_LOADER_FOLDERS})
    set(paths)
    foreach(folder ${ARGN})
      if(NOT \"\${CMAKE_INSTALL_PREFIX}/\${folder}\" IN_LIST searched)
        string(APPEND paths \":\${CMAKE_INSTALL_PREFIX}/\${folder}\")
      endif()
    endforeach()
    string(LENGTH \"\${paths}\" length)
    if(length GREATER 1000 OR CMAKE_INSTALL_PREFIX MATCHES \":\")
      set(paths)
    endif()
    file(GLOB files \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${programs}/*\")
    foreach(file IN LISTS files)
      set(run_path)  # READ_ELF leaves it as it is where a file has none
      file(READ_ELF \"\${file}\" RUNPATH run_path CAPTURE_ERROR not_elf)
      string(REPLACE \";\" \":\" run_path \"\${run_path}\")
      string(FIND \"\${run_path}\" \":${TUTTI_RUN_PATH_ROOM}\" at)
      if(at GREATER -1)
        string(REPLACE \":${TUTTI_RUN_PATH_ROOM}\" \"\${paths}\" new \"\${run_path}\")
        file(RPATH_CHANGE FILE \"\${file}\" OLD_RPATH \"\${run_path}\" NEW_RPATH \"\${new}\")
      endif()
    endforeach()" ALL_COMPONENTS)
endfunction()

# tutti_install_packages(package...): installs pkg-config files made from cmake/<package>.pc.in. They
# name no run path, because distributions refuse it there; a linker takes it from LD_RUN_PATH.
function(tutti_install_packages)
  file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
  set(home_page)
  if(TUTTI_HOME_url)
    set(home_page "URL: ${TUTTI_HOME_url}\n")
  endif()
  foreach(package IN LISTS ARGN)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/packages/${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/packages/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
endfunction()
