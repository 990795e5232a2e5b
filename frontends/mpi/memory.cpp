// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alloc_mem and MPI_Free_mem. Where there is room, a program gets memory of tutti_alloc, which
// all processes of the machine reach. There long data are copied once. Calls of the MPI treat it as
// any other memory. A program that has wishes about its memory gets it from the MPI.
#include <cstdio>
#include <mutex>
#include <set>

#include "fortran.hpp"
#include "perform.hpp"

namespace tutti::mpi {
namespace {

std::mutex guard;

// The memory that the program has from tutti.
std::set<const void*>& of_tutti() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

// Returns nullptr if the MPI is to give the memory.
void* memory_of_tutti(MPI_Aint bytes) {
  if (!job.joined || bytes <= 0) return nullptr;
  void* memory = nullptr;
  const ThreadTurn turn("MPI_Alloc_mem");
  if (!turn.allowed() || library.alloc_if_room(bytes, &memory) != TUTTI_OK) return nullptr;
  const std::lock_guard lock(guard);
  if (memory != nullptr) of_tutti().insert(memory);
  return memory;
}

bool is_of_tutti(const void* memory) {
  const std::lock_guard lock(guard);
  return of_tutti().contains(memory);
}

void forget(const void* memory) {
  const std::lock_guard lock(guard);
  of_tutti().erase(memory);
}

// After MPI_Finalize the memory lasts as long as the process.
int freed(void* memory) {
  tutti_status status = TUTTI_OK;
  if (job.joined) {
    const ThreadTurn turn("MPI_Free_mem");
    status = turn.allowed() ? library.free(memory) : TUTTI_WRONG_THREAD;
    if (status != TUTTI_OK) std::fprintf(stderr, "tutti: MPI_Free_mem: %s\n", library.error_text());
  }
  if (status == TUTTI_OK) {
    forget(memory);
    return MPI_SUCCESS;
  }
  plain.Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_ARG);
  return MPI_ERR_ARG;
}

}  // namespace
}  // namespace tutti::mpi

using namespace tutti::mpi;

extern "C" {

TUTTI_API int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* base) {
  find_mpi();
  void* const memory = info == MPI_INFO_NULL ? memory_of_tutti(size) : nullptr;
  if (memory == nullptr) return plain.Alloc_mem(size, info, base);
  *static_cast<void**>(base) = memory;
  return MPI_SUCCESS;
}
TUTTI_API int MPI_Free_mem(void* base) {
  find_mpi();
  return is_of_tutti(base) ? freed(base) : plain.Free_mem(base);
}

// The subroutines of Open MPI call the MPI by its PMPI names. There MPI_INFO_NULL is 0.
#if defined(OPEN_MPI)
#define TUTTI_ALLOCATES(lower, UPPER)                                                 \
  TUTTI_SUBROUTINE(lower, UPPER,                                                      \
                   (const MPI_Aint* size, Integer* info, void* base, Integer* error), \
                   (*info == 0 ? ::MPI_Alloc_mem(*size, MPI_INFO_NULL, base)          \
                               : called(#lower "_", size, info, base)))
TUTTI_ALLOCATES(mpi_alloc_mem, MPI_ALLOC_MEM)
TUTTI_ALLOCATES(mpi_alloc_mem_cptr, MPI_ALLOC_MEM_CPTR)
TUTTI_SUBROUTINE(mpi_free_mem, MPI_FREE_MEM, (void* base, Integer* error), (::MPI_Free_mem(base)))
#endif

}  // extern "C"
