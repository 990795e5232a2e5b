# SPDX-License-Identifier: BSD-3-Clause
# Looks for the MPIs of this machine, each with its own mpi.h. TUTTI_MPI_FLAVOURS lists those found.
# Programs link with tutti_mpi_<flavour>. tutti's libraries for an MPI link with
# tutti_mpi_headers_<flavour>, and so with no MPI: they use the one that the process has loaded. MPIs
# are looked for where Debian installs them. TUTTI_MPI_<FLAVOUR>_INCLUDE and
# TUTTI_MPI_<FLAVOUR>_LIBRARY name other places.
#
# TUTTI_MPI_LIBRARIES lists the MPIs for whose programs there are libraries to preload. Besides those
# found it has `abi`, the standard binary interface of MPI 5, whose header is in src/transport/mpi_abi.
option(TUTTI_MPI "Build the libraries that speak to MPI, for those MPIs that are found" ON)
set(TUTTI_MPI_FLAVOURS)
set(TUTTI_MPI_LIBRARIES)

# tutti_find_mpi(<flavour> <name of the library> <folder of mpi.h> <folder of the library>): looks
# for one MPI.
function(tutti_find_mpi flavour library include_dir library_dir)
  string(TOUPPER ${flavour} upper)
  find_path(TUTTI_MPI_${upper}_INCLUDE mpi.h PATHS ${include_dir} NO_DEFAULT_PATH)
  find_library(TUTTI_MPI_${upper}_LIBRARY ${library} PATHS ${library_dir} NO_DEFAULT_PATH)
  mark_as_advanced(TUTTI_MPI_${upper}_INCLUDE TUTTI_MPI_${upper}_LIBRARY)
  if(NOT TUTTI_MPI_${upper}_INCLUDE OR NOT TUTTI_MPI_${upper}_LIBRARY)
    tutti_left_out(${flavour} "what speaks to the MPI ${flavour}: it was not found (package lib${flavour}-dev)")
    return()
  endif()
  tutti_built(${flavour})
  add_library(tutti_mpi_headers_${flavour} INTERFACE)
  target_include_directories(tutti_mpi_headers_${flavour} SYSTEM INTERFACE ${TUTTI_MPI_${upper}_INCLUDE})
  # tutti does not use the old C++ interface of MPI.
  target_compile_definitions(tutti_mpi_headers_${flavour} INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
  add_library(tutti_mpi_${flavour} INTERFACE)
  target_link_libraries(tutti_mpi_${flavour} INTERFACE tutti_mpi_headers_${flavour} ${TUTTI_MPI_${upper}_LIBRARY})
  list(APPEND TUTTI_MPI_FLAVOURS ${flavour})
  set(TUTTI_MPI_FLAVOURS ${TUTTI_MPI_FLAVOURS} PARENT_SCOPE)
endfunction()

if(TUTTI_MPI AND NOT TUTTI_SANITIZE)
  set(system_libraries /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  tutti_find_mpi(openmpi mpi ${system_libraries}/openmpi/include ${system_libraries}/openmpi/lib)
  tutti_find_mpi(mpich mpich /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich ${system_libraries})
  add_library(tutti_mpi_headers_abi INTERFACE)
  target_include_directories(tutti_mpi_headers_abi SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/src/transport/mpi_abi)
  set(TUTTI_MPI_LIBRARIES ${TUTTI_MPI_FLAVOURS} abi)
endif()
