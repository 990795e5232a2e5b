# SPDX-License-Identifier: BSD-3-Clause
# Makes a folder with relative links to tutti's shared libraries and nothing else, one in the build
# tree and one to install. `tutti run` puts it first in LD_LIBRARY_PATH. The folder of the libraries
# itself may also have, for example, another MPI or BLAS, which would hide the user's own.
set(TUTTI_LINKS_DIR ${CMAKE_INSTALL_LIBDIR}/tutti/run)

# tutti_links(): makes the links. It must be called when all targets exist.
function(tutti_links)
  set(targets tutti tutti-blacs tutti-blacs94 tutti-bsp tutti-clock tutti-icc tutti-nx tutti-fortran tutti-pvmd)
  foreach(flavour IN LISTS TUTTI_MPI_LIBRARIES)
    list(APPEND targets tutti-mpi-${flavour} tutti-blacs-${flavour} tutti-preload-${flavour})
  endforeach()
  set(in_build ${PROJECT_BINARY_DIR}/links)
  set(to_install ${PROJECT_BINARY_DIR}/links_to_install)
  set(wanted)
  foreach(target IN LISTS targets)
    if(TARGET ${target})
      tutti_link_library(${target})
    endif()
  endforeach()
  file(GLOB found ${in_build}/* ${to_install}/*)
  foreach(link IN LISTS found)
    if(NOT link IN_LIST wanted)
      file(REMOVE ${link})
    endif()
  endforeach()
endfunction()

# tutti_link(<target_text> <link>): makes a link unless it is right already. `sudo make install` may
# configure this folder as root, and the owner's next configuration could not replace root's links.
macro(tutti_link target_text link)
  list(APPEND wanted ${link})
  set(present)
  if(IS_SYMLINK ${link})
    file(READ_SYMLINK ${link} present)
  endif()
  if(NOT present STREQUAL "${target_text}")
    get_filename_component(link_folder ${link} DIRECTORY)
    file(MAKE_DIRECTORY ${link_folder})
    file(CREATE_LINK ${target_text} ${link} SYMBOLIC)
  endif()
endmacro()

# tutti_link_library(<target>): makes both links of a library. They are dangling until the library
# is built or installed.
macro(tutti_link_library target)
  get_target_property(folder ${target} LIBRARY_OUTPUT_DIRECTORY)
  if(NOT folder)
    get_target_property(folder ${target} BINARY_DIR)
  endif()
  get_target_property(version ${target} SOVERSION)
  set(file lib${target}.so.${version})
  file(RELATIVE_PATH built ${in_build} ${folder}/${file})
  tutti_link(${built} ${in_build}/${file})
  file(RELATIVE_PATH installed "/${TUTTI_LINKS_DIR}" "/${CMAKE_INSTALL_LIBDIR}/${file}")
  tutti_link(${installed} ${to_install}/${file})
  if(NOT TUTTI_WHEEL)  # there, the libraries themselves are in this folder
    install(FILES ${to_install}/${file} DESTINATION ${TUTTI_LINKS_DIR})
  endif()
endmacro()
