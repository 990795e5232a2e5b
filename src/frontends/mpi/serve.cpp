// SPDX-License-Identifier: BSD-3-Clause
// Errors of tutti as errors of MPI (serve.hpp).
#include "serve.hpp"

#include <cstdio>

#include "library.hpp"

namespace tutti::mpi {

constinit thread_local bool nested = false;

namespace {

int class_of(tutti_status status) {
  switch (status) {
    case TUTTI_MISMATCH:
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

bool ends_the_job(MPI_Comm handle) {
  MPI_Errhandler handler{};
  plain.Comm_get_errhandler(handle, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  plain.Errhandler_free(&handler);
  return fatal;
}

}  // namespace

// A call that has failed on this rank may have succeeded on others. So no later call on the
// communicator can be trusted.
int raise(KnownCommunicator& with, MPI_Comm handle, const CallOutcome& outcome) {
  with.broken = true;
  const char* const text = outcome.why != nullptr ? outcome.why : library.error_text();
  if (ends_the_job(handle)) std::fprintf(stderr, "tutti: %s\n", text);
  const int code = class_of(outcome.status);
  plain.Comm_call_errhandler(handle, code);
  return code;
}

}  // namespace tutti::mpi
