# SPDX-License-Identifier: BSD-3-Clause
# Gives programs that are linked with an installed tutti a run path, through pkg-config's files and
# CMake's targets, so that they find its libraries. If the loader searches the folder of the
# libraries by itself, no run path is given, because distributions do not want one. For
# /usr/local/lib one is given, because the loader finds new files there only after ldconfig.
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

# tutti_install_packages(package...): installs pkg-config files made from cmake/<package>.pc.in.
# Each is made with and without a run path. The installation chooses one, because only then is the
# prefix known.
function(tutti_install_packages)
  file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  set(files)
  foreach(package IN LISTS ARGN)
    set(run_path)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/packages/found/${package}.pc @ONLY)
    set(run_path " -Wl,-rpath,\${libdir}")
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/packages/run_path/${package}.pc @ONLY)
    string(APPEND files " \"${PROJECT_BINARY_DIR}/packages/\${kind}/${package}.pc\"")
  endforeach()
  install(CODE "
    cmake_policy(SET CMP0057 NEW)
    set(kind run_path)
    set(folders ${TUTTI_LOADER_FOLDERS})
    if(\"\${CMAKE_INSTALL_PREFIX}/${TUTTI_LIBRARY_DIR}\" IN_LIST folders)
      set(kind found)
    endif()
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\" TYPE FILE FILES ${files})")
endfunction()
