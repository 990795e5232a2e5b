// SPDX-License-Identifier: BSD-3-Clause
// Sessions of MPI 4. A process may open one without the others, so tutti cannot join there: joining
// needs all of them. A program that uses sessions beside MPI_Init is served. One that uses nothing
// else is told that it is not.
#include <tutti/tutti.h>

#include <cstdio>

#include "job.hpp"
#include "plain.hpp"

#if MPI_VERSION < 4
using MPI_Session = struct ompi_instance_t*;  // Open MPI 5 has sessions
#endif

namespace tutti::mpi {
namespace {

// Older MPIs have none of these functions. mpi4py looks for them at run time.
template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  find_mpi();
  const auto found = reinterpret_cast<int (*)(Arguments...)>(symbol_of_mpi(name));
  return found != nullptr ? found(arguments...) : MPI_ERR_OTHER;
}

// Returns the rank that this process has in the world of the launcher; -1 if it is not known.
int rank_in_world(MPI_Session session) {
  MPI_Group all{};
  int rank = -1;
  if (call("PMPI_Group_from_session_pset", session, "mpi://WORLD", &all) != MPI_SUCCESS) return -1;
  call("PMPI_Group_rank", all, &rank);
  plain.Group_free(&all);
  return rank;
}

void say_that_nothing_is_served(MPI_Session session) {
  static bool said = false;
  if (said || job.begun) return;
  said = true;
  if (rank_in_world(session) != 0) return;
  std::fprintf(stderr,
               "tutti: the MPI has served all collectives, because this program opens sessions "
               "without MPI_Init, where tutti could join\n");
}

}  // namespace
}  // namespace tutti::mpi

extern "C" {

TUTTI_API int MPI_Session_finalize(MPI_Session* session) {
  if (session != nullptr) tutti::mpi::say_that_nothing_is_served(*session);
  return tutti::mpi::call("PMPI_Session_finalize", session);
}

}  // extern "C"
