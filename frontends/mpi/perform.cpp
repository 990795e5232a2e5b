// SPDX-License-Identifier: BSD-3-Clause
// Takes turns with other threads inside of tutti (perform.hpp).
#include "perform.hpp"

#include <sched.h>
#include <time.h>

#include <atomic>
#include <mutex>

namespace tutti::mpi {
namespace {

std::mutex inside;
// Threads that wait for their turn.
std::atomic<int> waiting = 0;
// Two threads have met. From then on threads look whether their calls are done, and sleep in
// between, because a wait inside of tutti notices another thread late.
std::atomic<bool> threads_meet = false;

int others_wait(void*) {
  return waiting.load(std::memory_order_relaxed) > 0 ? 1 : 0;
}

void lock() {
  if (inside.try_lock()) return;
  threads_meet.store(true, std::memory_order_relaxed);
  waiting.fetch_add(1, std::memory_order_relaxed);
  inside.lock();
  waiting.fetch_sub(1, std::memory_order_relaxed);
}

// Lets others work: by yielding at first, later by sleeping longer the longer a thread has looked.
void rest(int looks) {
  constexpr int eager = 50;
  constexpr long shortest = 2000, longest = 100000;
  if (looks < eager) {
    ::sched_yield();
    return;
  }
  const long nanoseconds = shortest * (looks - eager + 1);
  const timespec duration{0, nanoseconds < longest ? nanoseconds : longest};
  ::nanosleep(&duration, nullptr);
}

}  // namespace

ThreadTurn::ThreadTurn(const char* name) {
  if (job.threads) lock();
  allowed_ = library.enter(name) == TUTTI_OK;
}

ThreadTurn::~ThreadTurn() {
  if (allowed_) library.leave();
  if (job.threads) inside.unlock();
}

void set_up_turns() {
  if (job.threads) library.on_wait(others_wait, nullptr);
}

tutti_status wait_by_turns(const char* name, tutti_request request) {
  for (int looks = 0;; ++looks) {
    if (looks > 0) rest(looks);
    const ThreadTurn turn(name);
    if (!turn.allowed()) return TUTTI_WRONG_THREAD;
    if (threads_meet.load(std::memory_order_relaxed)) {
      int done = 0;
      const tutti_status status = library.test(&request, &done);
      if (status != TUTTI_OK || done != 0) return status;
    } else {
      const tutti_status status = library.wait(&request);
      if (status != TUTTI_WOULD_WAIT) return status;
    }
  }
}

}  // namespace tutti::mpi
