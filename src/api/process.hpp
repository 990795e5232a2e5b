// SPDX-License-Identifier: BSD-3-Clause
// All that the library knows of the process as a whole. Everything else belongs to a job. The C
// interface and the handlers of fork, exit and uncaught exceptions use it.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>

#include "transport/wait_end.hpp"
#include "tutti/tutti_runtime.h"

namespace tutti::launch {
class Membership;
}
namespace tutti::record {
class RunRecorder;
}
namespace tutti::trace {
class Tracer;
}

namespace tutti::api {

class ApiState;

// A predicate of the program: the one that every wait of this process asks, see tutti_on_wait, or
// that of one call.
struct CancelPredicate {
  tutti_give_up_fn function = nullptr;
  void* user = nullptr;

  // The result refers to this object.
  [[nodiscard]] transport::GiveUp question() const;
};

// The reason why this process can never call tutti again.
enum class Ended : std::uint8_t { no, finalized, spare, forked, given_up };
// Effect of a failed call of the program itself.
enum class Errors : std::uint8_t { as_environment_says, end, give };

struct Process {
  // The thread that is inside a call (inside.hpp), the pairs of tutti_enter and tutti_leave that it
  // is in, and whether the first of them has made it the occupant.
  std::atomic<const void*> occupant = nullptr;
  int pairs = 0;
  bool entered_by_pair = false;
  // By which the end of a thread that has been inside is noticed.
  std::optional<pthread_key_t> end_of_thread{};
  // The job that C functions mean; nullptr before tutti_init and after tutti_finalize.
  ApiState* current = nullptr;
  // The membership of `current`. If only `current` is nullptr, the process has joined its job but
  // could not set up a state, so that it can only abort.
  launch::Membership* membership = nullptr;
  Ended ended = Ended::no;
  Errors errors = Errors::as_environment_says;
  CancelPredicate cancel_predicate{};  // may be set before tutti_init
  bool measures_waits = false;         // a front end asks for how long the process waits
  bool failed_to_join = false;
  // Words of the call of a front end that began before this process had joined a job, and so has no
  // state line in which reports find it. All are 0 if there is none.
  std::array<std::uint64_t, 3> unwritten_call{};
  // The process number of rank 0 of the job that this process has left, if it had other processes.
  std::optional<std::int32_t> rank_0_before{};
  trace::Tracer* recorder = nullptr;      // end_trace() deletes it
  record::RunRecorder* record = nullptr;  // nobody deletes it
  std::terminate_handler terminate_before = nullptr;
};
extern constinit Process process;

}  // namespace tutti::api
