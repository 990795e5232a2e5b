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

// Tells an error of tutti, or of what this library does before it calls tutti.
void tell() {
  const char* const text = library.error_text();
  std::fprintf(stderr, "tutti: %s\n",
               *text != '\0' ? text
                             : "the data of a collective cannot be copied: there is no memory, or "
                               "the MPI refuses to pack them");
}

}  // namespace

// A call that has failed on this rank may have succeeded on others. So no later call on the
// communicator can be trusted.
int raise(KnownCommunicator& with, MPI_Comm handle, tutti_status status) {
  with.broken = true;
  if (ends_the_job(handle)) tell();
  const int code = class_of(status);
  plain.Comm_call_errhandler(handle, code);
  return code;
}

}  // namespace tutti::mpi
