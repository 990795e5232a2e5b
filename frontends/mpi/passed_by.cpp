// SPDX-License-Identifier: BSD-3-Clause
// Some programs look up the functions of their MPI in its library by themselves, as ctypes does.
// Their calls go past this library, which then never joins. The user who asked for a verdict or for
// explanations is told so when the process ends.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "job.hpp"
#include "plain.hpp"

namespace tutti::mpi {
namespace {

// The environment is read here, because the library that else reads it is not loaded.
bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

// The launchers of the MPIs number their processes by these variables.
bool is_first() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (is_set(variable)) return false;
  return true;
}

bool mpi_has_begun() {
  using Function = int (*)(int*);
  const auto initialized = reinterpret_cast<Function>(symbol_if_loaded("PMPI_Initialized"));
  int begun = 0;
  return initialized != nullptr && initialized(&begun) == MPI_SUCCESS && begun != 0;
}

__attribute__((destructor)) void tell_if_passed_by() {
  if (job.begun || !is_first()) return;
  if (!is_set("TUTTI_MPI_VERDICT") && !is_set("TUTTI_MPI_COMPARE") && !is_set("TUTTI_EXPLAIN"))
    return;
  if (!mpi_has_begun()) return;
  std::fputs(
      "tutti mpi: the program looks up MPI's functions in the library of its MPI by itself, as "
      "dlopen and ctypes do; the MPI serves such calls, and tutti cannot judge them\n",
      stderr);
}

}  // namespace
}  // namespace tutti::mpi
