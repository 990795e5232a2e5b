# SPDX-License-Identifier: BSD-3-Clause
# Programs that are linked with an installed tutti start, wherever that lies: pkg-config's files and CMake's targets give
# the linker a run path. They do not where the loader searches by itself, as distributions want no such path. /usr/local/lib
# is not among these folders: a loader finds what is new there after ldconfig only.
set(TUTTI_LOADER_FOLDERS /lib /lib64 /usr/lib /usr/lib64)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND TUTTI_LOADER_FOLDERS /lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

# tutti_install_packages(package...): their pkg-config files, from cmake/<package>.pc.in. Which of two kinds is installed
# depends on the prefix, and that is known when they are installed.
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
    if(\"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\" IN_LIST folders)
      set(kind found)
    endif()
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\" TYPE FILE FILES ${files})")
endfunction()
