// SPDX-License-Identifier: BSD-3-Clause
// Joins after the MPI has been initialised, and leaves before it is finalised (start.hpp).
#include "start.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job.hpp"
#include "serve.hpp"
#include "verdict.hpp"

namespace tutti::mpi {

constinit thread_local bool nested = false;

namespace {

// Takes part in the fences of tutti's memory. Joining does the same, but tutti's library is loaded
// only after MPI_Init has made threads, and then it takes 8 ms.
void take_part_in_fences() {
  // Failure is harmless: joining finds out that there are no such fences.
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0U, 0);
}

int joined(int code) {
  if (code != MPI_SUCCESS) return code;
  job.begun = true;
  nested = true;
  note_joining();
  join();
  nested = false;
  return code;
}

}  // namespace

int initialise(int* argc, char*** argv) {
  find_mpi();
  take_part_in_fences();
  return joined(plain.Init(argc, argv));
}

int initialise_with_threads(int* argc, char*** argv, int required, int* provided) {
  find_mpi();
  take_part_in_fences();
  return joined(plain.Init_thread(argc, argv, required, provided));
}

int finalise() {
  find_mpi();
  nested = true;
  end_record();
  leave();
  nested = false;
  return plain.Finalize();
}

}  // namespace tutti::mpi

extern "C" {

TUTTI_API int MPI_Init(int* argc, char*** argv) {
  return tutti::mpi::initialise(argc, argv);
}
TUTTI_API int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return tutti::mpi::initialise_with_threads(argc, argv, required, provided);
}
TUTTI_API int MPI_Finalize(void) {
  return tutti::mpi::finalise();
}

}  // extern "C"
