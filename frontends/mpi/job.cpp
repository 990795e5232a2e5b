// SPDX-License-Identifier: BSD-3-Clause
// Joining and leaving (job.hpp). All processes must come to the same decision, so each step that
// can fail is followed by an agreement.
#include "job.hpp"

#include <cstdio>
#include <cstring>

#include "clock.hpp"
#include "communicator.hpp"
#include "library.hpp"
#include "perform.hpp"
#include "report.hpp"
#include "settings.hpp"
#include "shorter.hpp"
#include "types.hpp"
#include "verdict.hpp"

namespace tutti::mpi {

constinit MpiJob job;

namespace {

struct Names {
  const char* operation;
  const char* function;
};
constexpr Names names[] = {
#define TUTTI_MPI_OPERATION(operation, Name) {#operation, "MPI_" #Name},
#include "operations.def"
};
static_assert(sizeof names / sizeof *names == operation_count);

// Waits for all processes of the job. One that was started without tutti never comes here, and goes
// on to calls of its own. After 10 s, which is more than MPI_Init takes, a line says so.
void wait_for_all(int rank) {
  constexpr std::int64_t patience = 10'000'000'000;
  constexpr timespec nap{0, 50'000};
  MPI_Request all{};
  plain.Ibarrier(MPI_COMM_WORLD, &all);
  const std::int64_t start = nanoseconds_now();
  int done = 0;
  for (bool told = false; plain.Test(&all, &done, MPI_STATUS_IGNORE), done == 0;) {
    const std::int64_t waited = nanoseconds_now() - start;
    if (waited > nap.tv_nsec) (void)::nanosleep(&nap, nullptr);
    if (told || waited < patience) continue;
    told = true;
    std::fprintf(stderr,
                 "tutti: rank %d has waited 10 s in MPI_Init for the others; all processes of the "
                 "job must be started by tutti mpi\n",
                 rank);
  }
}

bool all_agree(bool mine) {
  int agreed = mine ? 1 : 0;
  plain.Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return agreed != 0;
}

// Calls a function of tutti, and says why the MPI serves all if it fails.
bool succeeds(tutti_status (*function)()) {
  if (library.enter("MPI_Init") != TUTTI_OK) return false;
  const tutti_status status = function();
  if (status != TUTTI_OK) {
    std::fprintf(stderr, "tutti: the MPI serves all collectives, because %s\n",
                 library.error_text());
  }
  library.leave();
  return status == TUTTI_OK;
}

void hear_threads() {
  int level = MPI_THREAD_SINGLE;
  plain.Query_thread(&level);
  plain.Allreduce(MPI_IN_PLACE, &level, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  job.threads = level == MPI_THREAD_MULTIPLE;
}

void ignore(MPI_Comm*, int*, ...) {}

// Makes the communicator on which errors are returned. MPI_ERRORS_RETURN is not asked for, because
// in the standard interface MPICH 5.0 and Intel MPI 2021.18 give it different numbers.
void make_quiet_communicator() {
  MPI_Errhandler handler{};
  plain.Comm_dup(MPI_COMM_SELF, &job.quiet);
  plain.Comm_create_errhandler(ignore, &handler);
  plain.Comm_set_errhandler(job.quiet, handler);
  plain.Errhandler_free(&handler);
}

// Rows of a machine file are for MPIs, and MPIs with the standard interface have the same libraries
// below as without it.
void name_mpi() {
#if defined(TUTTI_STANDARD_ABI)
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  plain.Get_library_version(version, &length);
  if (std::strncmp(version, "Open MPI", 8) == 0) job.flavour = "openmpi";
#endif
}

}  // namespace

const char* name_of(MpiOperation operation) {
  return names[static_cast<int>(operation)].operation;
}
const char* function_of(MpiOperation operation) {
  return names[static_cast<int>(operation)].function;
}

void join() {
  int size = 1, rank = 0;
  plain.Comm_size(MPI_COMM_WORLD, &size);
  plain.Comm_rank(MPI_COMM_WORLD, &rank);
  if (size == 1) return;
  wait_for_all(rank);
  if (!all_agree(load_library())) return;
  if (!all_agree(succeeds(library.load_mpi))) return;
  if (!all_agree(succeeds(library.init) && library.size(library.world()) == size)) return;
  name_mpi();
  hear_settings(rank);
  hear_threads();
  make_quiet_communicator();
  set_up_communicators();
  set_up_types();
  set_up_turns();
  set_up_shorter();
  set_up_report(rank);
  begin_verdict(rank);
  job.joined = true;
}

namespace {

// Waits for all processes, by tutti: so reports of a hang show that this process is in
// MPI_Finalize, and those that wait for it in another collective learn of it. Its messages must go
// on meanwhile.
[[nodiscard]] bool meet_all() {
  library.explain(0);  // this barrier is not the program's
  {
    const ThreadTurn turn("MPI_Finalize");
    // Failure is harmless: the MPI then works less often; nothing is lost.
    if (turn.allowed()) static_cast<void>(library.let_mpi_work_often(1));
  }
  const tutti_status status =
      perform("MPI_Finalize", library.barrier, library.ibarrier, library.world());
  if (status == TUTTI_OK) return true;
  std::fprintf(stderr, "tutti: MPI_Finalize: %s\n", library.error_text());
  plain.Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  return false;
}

}  // namespace

// A process may leave only when all have made their last collective, because those that are still
// inside need it.
void leave() {
  if (!job.joined) return;
  const bool complete = meet_all();
  bool all_written = print_report();
  if (!all_written)
    std::fprintf(stderr, "tutti: lines of TUTTI_EXPLAIN are lost: its file cannot be written\n");
  if (complete) all_written = give_verdict() && all_written;
  if (!all_written) plain.Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  job.joined = false;
  plain.Comm_free(&job.quiet);
  if (library.enter("MPI_Finalize") != TUTTI_OK) return;
  if (library.finalize() != TUTTI_OK && !job.failed)
    std::fprintf(stderr, "tutti: %s\n", library.error_text());
  library.leave();
}

}  // namespace tutti::mpi
