# SPDX-License-Identifier: BSD-3-Clause
# A folder of relative links to tutti's shared libraries and to nothing else, installed and in the build tree. `tutti run`
# puts it first in LD_LIBRARY_PATH: were it the folder of the libraries itself, then what else lies there, such as another
# MPI or BLAS, would come before the user's own.
set(TUTTI_LINKS_DIR ${CMAKE_INSTALL_LIBDIR}/tutti/run)

# Called when all targets exist.
function(tutti_links)
  set(targets tutti tutti-blacs tutti-bsp tutti-fortran tutti-pvmd)
  foreach(flavour IN LISTS TUTTI_MPI_FLAVOURS)
    list(APPEND targets tutti-mpi-${flavour} tutti-blacs-${flavour})
  endforeach()
  set(in_build ${PROJECT_BINARY_DIR}/links)
  set(to_install ${PROJECT_BINARY_DIR}/links_to_install)
  file(REMOVE_RECURSE ${in_build} ${to_install})
  file(MAKE_DIRECTORY ${in_build} ${to_install})
  foreach(target IN LISTS targets)
    if(TARGET ${target})
      tutti_link_library(${target})
    endif()
  endforeach()
endfunction()

# The links lead nowhere until the library is built, or installed.
macro(tutti_link_library target)
  get_target_property(folder ${target} LIBRARY_OUTPUT_DIRECTORY)
  if(NOT folder)
    get_target_property(folder ${target} BINARY_DIR)
  endif()
  get_target_property(version ${target} SOVERSION)
  set(file lib${target}.so.${version})
  file(RELATIVE_PATH built ${in_build} ${folder}/${file})
  file(CREATE_LINK ${built} ${in_build}/${file} SYMBOLIC)
  file(RELATIVE_PATH installed "/${TUTTI_LINKS_DIR}" "/${CMAKE_INSTALL_LIBDIR}/${file}")
  file(CREATE_LINK ${installed} ${to_install}/${file} SYMBOLIC)
  install(FILES ${to_install}/${file} DESTINATION ${TUTTI_LINKS_DIR})
endmacro()
