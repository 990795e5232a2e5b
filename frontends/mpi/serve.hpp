// SPDX-License-Identifier: BSD-3-Clause
// Decides for each call whether tutti or the MPI serves it. All members of a communicator must
// decide alike: only what all of them know counts. A fact of one process may lead to the MPI only
// if the MPI then fails before it communicates.
#pragma once

#include "communicator.hpp"
#include "complaint.hpp"
#include "outcome.hpp"
#include "record.hpp"

namespace tutti::mpi {

// True while this thread is in a call of this library. Calls that an MPI makes from within are its
// own.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local bool nested;

// Lets tutti serve the call if it may. ours(communicator) returns the outcome.
template <class Ours>
CallOutcome serve_by_tutti(MpiOperation operation, KnownCommunicator* with, MPI_Comm handle,
                           const Ours& ours) {
  if (with == nullptr) return by_mpi("the communicator is none");
  if (!count_call(*with, handle)) [[unlikely]]
    return by_mpi(with->why_not);
  if (job.is_off(operation)) return by_mpi("TUTTI_MPI_OFF says so");
  if (with->broken != MPI_SUCCESS) return {TUTTI_MISMATCH};
  return ours(static_cast<const KnownCommunicator&>(*with));
}

// Serves a call; theirs() calls the MPI. An error handler may leave this function by a jump, so
// `nested` is false again before the MPI is called. It is part of the function of MPI that the
// program calls, whose return address is the place of the call.
template <class Ours, class Theirs>
[[gnu::always_inline]] inline int serve(MpiOperation operation, MPI_Comm handle, const Ours& ours,
                                        const Theirs& theirs, int root = CountedCall::no_root) {
  if (!job.joined || nested) [[unlikely]] {
    find_mpi();
    return theirs();
  }
  CountedCall counted(operation, __builtin_return_address(0), root);
  nested = true;
  KnownCommunicator* const with = find_communicator(handle);
  counted.on(with);
  const CallOutcome outcome = serve_by_tutti(operation, with, handle, ours);
  nested = false;
  counted.decided();
  if (outcome.by_mpi != nullptr) {
    counted.by_mpi(outcome.by_mpi);
    return theirs();
  }
  return outcome.status == TUTTI_OK ? MPI_SUCCESS : raise(operation, *with, handle, outcome);
}

}  // namespace tutti::mpi
