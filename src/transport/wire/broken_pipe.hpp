// SPDX-License-Identifier: BSD-3-Clause
// Keeps a rank alive that sends to another host while the receiver dies. An MPI over TCP writes to
// the broken connection, and SIGPIPE would end the rank before its launcher has heard of the first
// death: the job would end with the code of a survivor. The libraries of the MPIs use it.
#pragma once

#include <pthread.h>

#include <atomic>

namespace tutti::transport::wire {

// Exists while this thread is inside of a call of the MPI that tutti makes. One thread at a time
// makes such calls. A call may contain others: MPI_Finalize calls functions of tutti.
class CallOfMpi {
 public:
  CallOfMpi() : outer_(caller.exchange(::pthread_self(), std::memory_order_relaxed)) {}
  ~CallOfMpi() { caller.store(outer_, std::memory_order_relaxed); }
  CallOfMpi(const CallOfMpi&) = delete;
  CallOfMpi& operator=(const CallOfMpi&) = delete;

  // Handles SIGPIPE from now on: within such a call the thread waits a second, in which the
  // launcher ends it, and goes on if that does not happen. Everywhere else the signal ends the
  // process as before. A program that treats SIGPIPE itself keeps its way.
  static void outlast_broken_pipes();

 private:
  static void on_sigpipe(int signal);
  static std::atomic<pthread_t> caller;
  pthread_t outer_;  // 0 if this call is in no other one
};

}  // namespace tutti::transport::wire
