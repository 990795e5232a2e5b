// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init and MPI_Init_thread, which the libraries for one MPI replace so that every process joins
// the job there. Joining needs all processes, and all of them come through MPI_Init, but a program
// may use the BLACS in a part of its processes only. A program that loads its MPI later than this
// library, as by dlopen, does not come through here and joins at its first call.
#include <mpi.h>

#include "communicators.hpp"
#include "processes.hpp"

namespace tutti::blacs {
namespace {

// Joins if MPI has started several processes. Where each is a world of its own, as under tutti run,
// it joins at its first call, so that it waits for nobody.
void join_all(int code) {
  if (code != MPI_SUCCESS) return;
  int size = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) return join_early();
  if (this_process().joined) warn_of_worlds_of_one(TUTTI_MPI_FLAVOUR);
}

int start(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  join_all(code);
  return code;
}

int start_with_threads(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  join_all(code);
  return code;
}

}  // namespace
}  // namespace tutti::blacs

extern "C" {

TUTTI_API int MPI_Init(int* argc, char*** argv) {
  return tutti::blacs::start(argc, argv);
}
TUTTI_API int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return tutti::blacs::start_with_threads(argc, argv, required, provided);
}

// Open MPI's Fortran does not come through the names of C, and does no more than these functions
// do. Fortran 2008 may leave out the last argument. MPICH's Fortran calls MPI_Init, and prepares
// more itself.
#if defined(OPEN_MPI)
#define TUTTI_START_FROM_FORTRAN(INIT, INIT_THREAD)                                           \
  TUTTI_API void INIT(MPI_Fint* error) {                                                      \
    const int code = tutti::blacs::start(nullptr, nullptr);                                   \
    if (error != nullptr) *error = code;                                                      \
  }                                                                                           \
  TUTTI_API void INIT_THREAD(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) { \
    const int code = tutti::blacs::start_with_threads(nullptr, nullptr, *required, provided); \
    if (error != nullptr) *error = code;                                                      \
  }
TUTTI_START_FROM_FORTRAN(mpi_init, mpi_init_thread)
TUTTI_START_FROM_FORTRAN(mpi_init_, mpi_init_thread_)
TUTTI_START_FROM_FORTRAN(mpi_init__, mpi_init_thread__)
TUTTI_START_FROM_FORTRAN(MPI_INIT, MPI_INIT_THREAD)
TUTTI_START_FROM_FORTRAN(mpi_init_f08_, mpi_init_thread_f08_)
#endif

}  // extern "C"
