// SPDX-License-Identifier: BSD-3-Clause
// Joining and leaving (job.hpp). All processes must come to the same decision, so each step that
// can fail is followed by an agreement.
#include "job.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "communicator.hpp"
#include "comparison.hpp"
#include "library.hpp"
#include "perform.hpp"
#include "report.hpp"
#include "types.hpp"

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

bool all_agree(bool mine) {
  int agreed = mine ? 1 : 0;
  plain.Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return agreed != 0;
}

void say_what_is_known(std::string_view word) {
  std::string known = "all";
  for (const Names& one : names) known.append(", ").append(one.operation);
  std::fprintf(stderr, "tutti: TUTTI_MPI_OFF has the word '%.*s'; it knows %s\n",
               static_cast<int>(word.size()), word.data(), known.c_str());
}

// Returns the operations in a list such as "bcast,alltoall"; "all" stands for all. A word that is
// no operation is named on stderr.
std::uint32_t operations_in(std::string_view list) {
  std::uint32_t found = 0;
  while (!list.empty()) {
    const auto end = list.find(',');
    const std::string_view word = list.substr(0, end);
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    std::uint32_t bits = word == "all" ? (1U << operation_count) - 1 : 0;
    for (unsigned i = 0; i < operation_count; ++i)
      if (word == names[i].operation) bits = 1U << i;
    if (bits == 0 && !word.empty()) say_what_is_known(word);
    found |= bits;
  }
  return found;
}

// The settings of rank 0, which all processes follow.
struct Told {
  std::uint64_t off = 0;
  std::uint64_t first_call = 1;
  std::uint64_t compares = 0, reproducible = 0;
};

// Returns the value of a variable; 0 for what is no number of calls.
std::uint64_t number_in(const char* variable) {
  const std::int64_t value = library.setting(variable);
  return value > 0 ? static_cast<std::uint64_t>(std::min<std::int64_t>(value, 1 << 30)) : 0;
}

void hear_settings(int rank) {
  Told told;
  if (rank == 0) {
    char list[512] = "";
    library.setting_text("TUTTI_MPI_OFF", list, sizeof list);
    told.off = operations_in(list);
    told.first_call = number_in("TUTTI_MPI_FIRST");
    told.compares = library.setting("TUTTI_MPI_COMPARE") == 1 ? 1 : 0;
    told.reproducible = library.setting("TUTTI_REPRODUCIBLE") == 1 ? 1 : 0;
    if (told.reproducible != 0) told.first_call = 1;  // the MPI may combine in any order
  }
  plain.Bcast(&told, sizeof told, MPI_BYTE, 0, MPI_COMM_WORLD);
  job.off = static_cast<std::uint32_t>(told.off);
  job.first_call = static_cast<int>(told.first_call);
  job.compares = told.compares != 0;
  job.reproducible = told.reproducible != 0;
}

bool start_tutti() {
  if (library.enter("MPI_Init") != TUTTI_OK) return false;
  const tutti_status status = library.init();
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
  job.why_not = "the job has one process";
  if (size == 1) return;
  job.why_not = "tutti could not join the job";
  if (!all_agree(load_library())) return;
  if (!all_agree(start_tutti() && library.size(library.world()) == size)) return;
  hear_settings(rank);
  hear_threads();
  plain.Comm_dup(MPI_COMM_SELF, &job.quiet);
  plain.Comm_set_errhandler(job.quiet, MPI_ERRORS_RETURN);
  set_up_communicators();
  set_up_types();
  set_up_turns();
  set_up_report(rank);
  job.joined = true;
}

// A process may leave only when all have made their last collective, because those that are still
// inside need it.
void leave() {
  if (!job.joined) return;
  plain.Barrier(MPI_COMM_WORLD);
  if (job.compares) compare_calls();
  print_report();
  job.joined = false;
  job.why_not = "the program has called MPI_Finalize";
  plain.Comm_free(&job.quiet);
  if (library.enter("MPI_Finalize") != TUTTI_OK) return;
  if (library.finalize() != TUTTI_OK) std::fprintf(stderr, "tutti: %s\n", library.error_text());
  library.leave();
}

}  // namespace tutti::mpi
