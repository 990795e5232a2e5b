// SPDX-License-Identifier: BSD-3-Clause
// The subroutines of MPICH's module mpi_f08 that call the MPI by its PMPI names: those without
// buffers. The others call the functions of C and need nothing here. Open MPI's are in
// interface_fortran.cpp and windows_fortran.cpp. Fortran on the standard interface of MPI 5 calls
// the functions of C.
#include "fortran.hpp"

#if !defined(OPEN_MPI) && !defined(TUTTI_STANDARD_ABI)
#include "start.hpp"
#include "windows.hpp"

namespace tutti::mpi {
namespace {

// Handles are records of one integer, which is the handle of C.
using Handle = Integer;
static_assert(sizeof(MPI_Comm) == sizeof(Handle) && sizeof(MPI_Win) == sizeof(Handle));

}  // namespace
}  // namespace tutti::mpi

using namespace tutti::mpi;

#define TUTTI_F08_SUBROUTINE(name, parameters, call)  \
  TUTTI_API void name##_f08_(TUTTI_OPEN parameters) { \
    give(error, TUTTI_OPEN call);                     \
  }

extern "C" {

TUTTI_F08_SUBROUTINE(mpi_init, (Integer * error), (initialise(nullptr, nullptr)))
TUTTI_F08_SUBROUTINE(mpi_init_thread, (const Integer* required, Integer* provided, Integer* error),
                     (initialise_with_threads(nullptr, nullptr, *required, provided)))
TUTTI_F08_SUBROUTINE(mpi_finalize, (Integer * error), (finalise()))
TUTTI_F08_SUBROUTINE(mpi_barrier, (const Handle* comm, Integer* error), (::MPI_Barrier(*comm)))
TUTTI_F08_SUBROUTINE(mpi_type_set_name,
                     (const Handle* type, const void* name, Integer* error, std::size_t length),
                     (renamed("mpi_type_set_name_f08_", *type, type, name, length)))
TUTTI_F08_SUBROUTINE(mpi_alloc_mem,
                     (const MPI_Aint* size, const Handle* info, void* base, Integer* error),
                     (::MPI_Alloc_mem(*size, *info, base)))
TUTTI_F08_SUBROUTINE(mpi_win_allocate,
                     (const MPI_Aint* size, const Integer* unit, const Handle* info,
                      const Handle* comm, void* base, Handle* win, Integer* error),
                     (::MPI_Win_allocate(*size, *unit, *info, *comm, base, win)))
TUTTI_F08_SUBROUTINE(mpi_win_allocate_shared,
                     (const MPI_Aint* size, const Integer* unit, const Handle* info,
                      const Handle* comm, void* base, Handle* win, Integer* error),
                     (::MPI_Win_allocate_shared(*size, *unit, *info, *comm, base, win)))
#if MPI_VERSION >= 4
TUTTI_API void mpi_win_allocate_f08_large_(const MPI_Aint* size, const MPI_Aint* unit,
                                           const Handle* info, const Handle* comm, void* base,
                                           Handle* win, Integer* error) {
  give(error, ::MPI_Win_allocate_c(*size, *unit, *info, *comm, base, win));
}
TUTTI_API void mpi_win_allocate_shared_f08_large_(const MPI_Aint* size, const MPI_Aint* unit,
                                                  const Handle* info, const Handle* comm,
                                                  void* base, Handle* win, Integer* error) {
  give(error, ::MPI_Win_allocate_shared_c(*size, *unit, *info, *comm, base, win));
}
#endif
TUTTI_F08_SUBROUTINE(mpi_win_create_dynamic,
                     (const Handle* info, const Handle* comm, Handle* win, Integer* error),
                     (::MPI_Win_create_dynamic(*info, *comm, win)))
TUTTI_F08_SUBROUTINE(mpi_win_free, (Handle * win, Integer* error), (::MPI_Win_free(win)))
TUTTI_F08_SUBROUTINE(
    mpi_file_open,
    (const Handle* comm, const void* name, const Integer* mode, const Handle* info, void* file,
     Integer* error, std::size_t length),
    (counted(called_with_text("mpi_file_open_f08_", length, comm, name, mode, info, file), 1)))
TUTTI_F08_SUBROUTINE(mpi_file_close, (void* file, Integer* error),
                     (counted(called("mpi_file_close_f08_", file), -1)))

}  // extern "C"
#endif
