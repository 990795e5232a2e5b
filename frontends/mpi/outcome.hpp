// SPDX-License-Identifier: BSD-3-Clause
// The outcome of a call that tutti was to serve.
#pragma once

#include <tutti/tutti.h>

#include "job.hpp"

namespace tutti::mpi {

struct CallOutcome {
  tutti_status status = TUTTI_OK;
  // Why the MPI must serve the call; nullptr if tutti has served it. Then nothing was communicated.
  const char* by_mpi = nullptr;
  // Why the call has failed, if it was this library that failed; nullptr if tutti tells it.
  const char* why = nullptr;
  // Bytes of an element of the receive buffer, in which errors count, and of all of it; 0: unknown.
  Count element = 0, room = 0;
};

// All members know the reason and come to the same decision.
inline CallOutcome by_mpi(const char* reason) {
  return {TUTTI_OK, reason};
}
// The arguments of this process are wrong. The MPI says so as it does without tutti, before it
// communicates.
inline CallOutcome refused_by_mpi() {
  return {TUTTI_OK, "the arguments are wrong"};
}

inline constexpr CallOutcome no_memory{
    TUTTI_OUT_OF_MEMORY, nullptr,
    "there is no memory for data that are copied, or the MPI refuses to pack them"};
inline constexpr CallOutcome too_much_for_oneself{
    TUTTI_TRUNCATED, nullptr, "this rank sends itself more than its receive buffer takes"};
inline constexpr CallOutcome part_of_element{
    TUTTI_TRUNCATED, nullptr, "what comes would fill a part of an element of the receive buffer"};
inline constexpr CallOutcome not_delivered{TUTTI_SYSTEM_ERROR, nullptr,
                                           "the MPI refuses to unpack the result"};

// Returns the outcome of a call whose result, which has deliver() and element(), goes to the
// program.
template <class Result, class Receipt>
[[nodiscard]] CallOutcome delivered(tutti_status status, const Result& result,
                                    const Receipt& receipt) {
  if (status == TUTTI_OK && !result.deliver(receipt)) return not_delivered;
  return {status, nullptr, nullptr, result.element(), result.count()};
}

}  // namespace tutti::mpi
