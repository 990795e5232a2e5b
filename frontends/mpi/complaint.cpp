// SPDX-License-Identifier: BSD-3-Clause
// Says in the words of MPI what is wrong with a call (complaint.hpp).
#include "complaint.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "library.hpp"

namespace tutti::mpi {
namespace {

tutti_error_subject subject() {
  tutti_error_subject found{};
  found.struct_size = sizeof found;
  library.error_about(&found);
  return found;
}

// Returns true if ranks have given different sizes to this call.
bool sizes_differ(const CallOutcome& outcome, const tutti_error_subject& about) {
  return outcome.why == nullptr && outcome.status == TUTTI_MISMATCH && about.unequal_sizes != 0;
}

int class_of(const CallOutcome& outcome, const tutti_error_subject& about) {
  if (sizes_differ(outcome, about))
    return about.sent_bytes > about.expected_bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
  switch (outcome.status) {
    case TUTTI_TRUNCATED:
      return MPI_ERR_TRUNCATE;
    case TUTTI_OUT_OF_MEMORY:
      return MPI_ERR_NO_MEM;
    case TUTTI_INVALID_ARGUMENT:
      return MPI_ERR_BUFFER;
    default:
      return MPI_ERR_OTHER;
  }
}

// Returns so many bytes in elements of the call, or in bytes if they are no whole number of them.
std::string amount(std::int64_t bytes, Count element) {
  const bool whole = element > 0 && bytes % element == 0;
  const std::int64_t number = whole ? bytes / element : bytes;
  return std::to_string(number) + (whole ? " element" : " byte") + (number == 1 ? "" : "s");
}

std::string about_sizes(const tutti_error_subject& about, const KnownCommunicator& with,
                        const CallOutcome& outcome) {
  const std::string before = "rank " + std::to_string(with.rank) + " has room for ";
  const std::string sender = ", but rank " + std::to_string(about.sender) + " sends ";
  if (about.of_part == 0)
    return before + amount(about.expected_bytes, outcome.element) + sender +
           amount(about.sent_bytes, outcome.element);
  // The sizes of parts, which travel apart, are no counts of the program.
  return before + amount(outcome.room, outcome.element) + sender +
         (about.sent_bytes < about.expected_bytes ? "fewer" : "more");
}

std::string text_of(const CallOutcome& outcome, const tutti_error_subject& about,
                    const KnownCommunicator& with) {
  if (outcome.why != nullptr) return outcome.why;
  if (sizes_differ(outcome, about)) return about_sizes(about, with, outcome);
  if (outcome.status == TUTTI_INVALID_ARGUMENT)
    return "a buffer has no address, or the send and receive buffers overlap";
  return library.error_text();
}

std::string place() {
  char text[512] = "";
  if (library.call_site_text(library.call_site(), text, sizeof text) == 0) return {};
  return std::string(" at ") + text;
}

bool ends_the_job(MPI_Comm handle) {
  MPI_Errhandler handler{};
  plain.Comm_get_errhandler(handle, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  plain.Errhandler_free(&handler);
  return fatal;
}

// Returns true if the MPI looks at counts before it communicates. It may be told not to.
bool mpi_looks_at_counts() {
  char none = 0;
  return plain.Bcast(&none, -1, MPI_BYTE, 0, job.quiet) != MPI_SUCCESS;
}

// Lets the MPI refuse a count of -1 in the same function, so that its own line names the call and
// its error handler gets its own code. Only moves of data allow counts to differ; the MPI's
// reductions need not look at theirs.
int refuse_count(MpiOperation operation, const KnownCommunicator& with, MPI_Comm handle) {
  const std::vector<int> counts(static_cast<std::size_t>(with.size), -1);
  const std::vector<int> places(static_cast<std::size_t>(with.size), 0);
  const std::vector<MPI_Datatype> types(static_cast<std::size_t>(with.size), MPI_BYTE);
  const int *const list = counts.data(), *const at = places.data();
  char none = 0;
  switch (operation) {
    case MpiOperation::bcast:
      return plain.Bcast(&none, -1, MPI_BYTE, 0, handle);
    case MpiOperation::gather:
      return plain.Gather(&none, -1, MPI_BYTE, &none, -1, MPI_BYTE, 0, handle);
    case MpiOperation::scatter:
      return plain.Scatter(&none, -1, MPI_BYTE, &none, -1, MPI_BYTE, 0, handle);
    case MpiOperation::allgather:
      return plain.Allgather(&none, -1, MPI_BYTE, &none, -1, MPI_BYTE, handle);
    case MpiOperation::alltoall:
      return plain.Alltoall(&none, -1, MPI_BYTE, &none, -1, MPI_BYTE, handle);
    case MpiOperation::gatherv:
      return plain.Gatherv(&none, -1, MPI_BYTE, &none, list, at, MPI_BYTE, 0, handle);
    case MpiOperation::scatterv:
      return plain.Scatterv(&none, list, at, MPI_BYTE, &none, -1, MPI_BYTE, 0, handle);
    case MpiOperation::allgatherv:
      return plain.Allgatherv(&none, -1, MPI_BYTE, &none, list, at, MPI_BYTE, handle);
    case MpiOperation::alltoallv:
      return plain.Alltoallv(&none, list, at, MPI_BYTE, &none, list, at, MPI_BYTE, handle);
    case MpiOperation::alltoallw:
      return plain.Alltoallw(&none, list, at, types.data(), &none, list, at, types.data(), handle);
    default:
      return MPI_SUCCESS;
  }
}

}  // namespace

// A call that has failed on this rank may have succeeded on others. So no later call on the
// communicator can be trusted.
int raise(MpiOperation operation, KnownCommunicator& with, MPI_Comm handle,
          const CallOutcome& outcome) {
  const tutti_error_subject about = subject();
  const bool was_broken = with.broken != MPI_SUCCESS;
  const int code = was_broken ? with.broken : class_of(outcome, about);
  if (ends_the_job(handle)) {
    const std::string text = std::string(function_of(operation)) + place() + ": " +
                             (was_broken ? "an earlier collective of the communicator has failed"
                                         : text_of(outcome, about, with));
    std::fprintf(stderr, "tutti: %s\n", text.c_str());
  }
  with.broken = code;
  job.failed = true;
  if (code == MPI_ERR_COUNT && mpi_looks_at_counts()) {
    const int refused = refuse_count(operation, with, handle);
    if (refused != MPI_SUCCESS) return refused;
  }
  plain.Comm_call_errhandler(handle, code);
  return code;
}

}  // namespace tutti::mpi
