# SPDX-License-Identifier: BSD-3-Clause
# Gives programs that are linked with an installed tutti a run path, through pkg-config's files and
# CMake's targets, so that they find its libraries. If the loader searches the folder of the
# libraries by itself, no run path is given, because distributions do not want one. For
# /usr/local/lib one is given, because the loader finds new files there only after ldconfig.
set(TUTTI_LOADER_FOLDERS /lib /lib64 /usr/lib /usr/lib64)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND TUTTI_LOADER_FOLDERS /lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()

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
