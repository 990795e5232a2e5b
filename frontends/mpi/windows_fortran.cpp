// SPDX-License-Identifier: BSD-3-Clause
// The subroutines of Fortran that open and close windows and files (windows.hpp). Those of Open MPI
// call the MPI by its PMPI names and so pass by windows.cpp. Here each calls the MPI's subroutine
// of the same name and arguments, which are all addresses.
#include "fortran.hpp"

#if defined(OPEN_MPI)
#include "windows.hpp"

using namespace tutti::mpi;

#define TUTTI_OPENS_WINDOW(lower, UPPER)                                                        \
  TUTTI_SUBROUTINE(lower, UPPER,                                                                \
                   (void* a, void* b, void* c, void* d, void* e, void* window, Integer* error), \
                   (counted(called(#lower "_", a, b, c, d, e, window), 1)))

extern "C" {

TUTTI_OPENS_WINDOW(mpi_win_create, MPI_WIN_CREATE)
TUTTI_OPENS_WINDOW(mpi_win_allocate, MPI_WIN_ALLOCATE)
TUTTI_OPENS_WINDOW(mpi_win_allocate_cptr, MPI_WIN_ALLOCATE_CPTR)
TUTTI_OPENS_WINDOW(mpi_win_allocate_shared, MPI_WIN_ALLOCATE_SHARED)
TUTTI_OPENS_WINDOW(mpi_win_allocate_shared_cptr, MPI_WIN_ALLOCATE_SHARED_CPTR)
TUTTI_SUBROUTINE(mpi_win_create_dynamic, MPI_WIN_CREATE_DYNAMIC,
                 (void* info, void* comm, void* window, Integer* error),
                 (counted(called("mpi_win_create_dynamic_", info, comm, window), 1)))
TUTTI_SUBROUTINE(mpi_win_free, MPI_WIN_FREE, (void* window, Integer* error),
                 (counted(called("mpi_win_free_", window), -1)))
TUTTI_SUBROUTINE(mpi_file_open, MPI_FILE_OPEN,
                 (void* comm, void* name, void* mode, void* info, void* file, Integer* error,
                  std::size_t length),
                 (counted(called_with_text("mpi_file_open_", length, comm, name, mode, info, file),
                          1)))
TUTTI_SUBROUTINE(mpi_file_close, MPI_FILE_CLOSE, (void* file, Integer* error),
                 (counted(called("mpi_file_close_", file), -1)))

}  // extern "C"
#endif
