# SPDX-License-Identifier: BSD-3-Clause
# Makes the prefix absolute, and refuses one where programs would be linked but not start. The compiler cuts
# -Wl,-rpath,FOLDER at commas, and the loader cuts the run path at colons. -Xlinker would pass a
# comma on, but CMake writes -Wl itself and pkg-config tears -Xlinker from its argument. `make
# install` runs this script before it builds. The installation runs it before it copies, because
# CMake may be called without make.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
if(CMAKE_INSTALL_PREFIX MATCHES "[,:]")
  message(FATAL_ERROR "tutti cannot be installed below '${CMAKE_INSTALL_PREFIX}': programs would not find its "
                      "libraries, because run paths are cut at '${CMAKE_MATCH_0}'. Choose a PREFIX without it.")
endif()
