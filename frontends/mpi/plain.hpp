// SPDX-License-Identifier: BSD-3-Clause
// The MPI that the program uses. This library is loaded into shells and interpreters too, which
// have no MPI or load one later. So it is not linked with an MPI: the functions and handles that it
// needs are looked up in the MPI that the process has loaded.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tutti::mpi {

// Counts, sizes and displacements of every form of a call.
using Count = std::int64_t;

// The MPI's own functions, by the names that a tool of MPI's profiling interface uses.
struct Plain {
#define TUTTI_MPI_FUNCTION(name) decltype(&PMPI_##name) name;
#include "functions.def"
#undef TUTTI_MPI_FUNCTION
};
extern constinit Plain plain;

// Finds the MPI at the first call. Ends the process if it has none, because then nobody could serve
// the call.
void find_mpi();
// Returns the address of a symbol of the MPI; nullptr if it has none of this name.
[[nodiscard]] void* symbol_of_mpi(const char* name);
// Does the same in a process that may not have loaded its MPI.
[[nodiscard]] void* symbol_if_loaded(const char* name);
// Returns the address of a symbol of the MPI's libraries for Fortran; nullptr if there is none.
[[nodiscard]] void* symbol_of_fortran(const char* name);

}  // namespace tutti::mpi

// The handles of Open MPI are addresses of objects in its library. Here they are values that
// find_mpi() has looked up. MPICH's handles are numbers.
#if defined(OPEN_MPI)
namespace tutti::mpi {
struct PlainData {
#define TUTTI_MPI_DATA(name) void* name;
#include "data.def"
#undef TUTTI_MPI_DATA
};
extern constinit PlainData plain_data;
}  // namespace tutti::mpi
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(::tutti::mpi::plain_data.global))
#endif
