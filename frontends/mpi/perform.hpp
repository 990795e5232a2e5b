// SPDX-License-Identifier: BSD-3-Clause
// Calls tutti. One thread of a process at a time can be inside of tutti. If a program may call MPI
// from several threads at once, each call is started and waited for by turns, so that a thread that
// waits in one communicator does not keep another thread from its own.
#pragma once

#include "job.hpp"
#include "library.hpp"
#include "record.hpp"

namespace tutti::mpi {

// While it lives, this thread may call tutti. Errors are returned, and reports name the call.
class ThreadTurn {
 public:
  explicit ThreadTurn(const char* name);
  ~ThreadTurn();
  ThreadTurn(const ThreadTurn&) = delete;
  ThreadTurn& operator=(const ThreadTurn&) = delete;
  // Returns false if another thread is inside of tutti, which the level of threads that the program
  // has asked for forbids.
  [[nodiscard]] bool allowed() const { return allowed_; }

 private:
  bool allowed_;
};

// Called once, when the job is known.
void set_up_turns();

// Waits for a request, by turns with other threads.
[[nodiscard]] tutti_status wait_by_turns(const char* name, tutti_request request);

// Calls a collective of tutti: `now` waits inside, `start` returns a request.
template <class Now, class Start, class... Arguments>
[[nodiscard]] tutti_status perform(const char* name, Now now, Start start, Arguments... arguments) {
  if (!job.threads) [[likely]] {
    if (library.enter(name) != TUTTI_OK) [[unlikely]]
      return TUTTI_WRONG_THREAD;
    if (recording) [[unlikely]]
      CountedCall::tell_place();
    const tutti_status status = now(arguments...);
    library.leave();
    return status;
  }
  tutti_request request{0};
  tutti_status status = TUTTI_WRONG_THREAD;
  {
    const ThreadTurn turn(name);
    if (turn.allowed()) {
      if (recording) CountedCall::tell_place();
      status = start(arguments..., &request);
    }
  }
  return status != TUTTI_OK ? status : wait_by_turns(name, request);
}

}  // namespace tutti::mpi
