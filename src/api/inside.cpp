// SPDX-License-Identifier: BSD-3-Clause
// Keeps which thread is inside a call, and says why another one is refused.
#include "api/inside.hpp"

#include <pthread.h>

#include <string>

#include "api/state.hpp"
#include "transport/shm/state_text.hpp"

namespace tutti::api {

constinit thread_local int interfaces = 0;

namespace {

// Returns the name of the call that this process is in; empty if it is not known.
std::string call_in_progress() {
  if (process.current == nullptr) return {};
  return transport::shm::text_in(process.current->job.endpoint().state.call);
}

// Stands in `occupant` for a thread that has ended inside a call. Like the address of a thread's
// `interfaces`, its address is even.
constexpr int ended_inside = 0;

// Called by a thread that ends. A later thread may get its addresses and must not be taken for it.
// Another thread may begin a call meanwhile, and stays the occupant.
void when_thread_ends(void*) {
  const void* inside = &interfaces;
  const void* after = after_this_thread();
  process.occupant.compare_exchange_strong(inside, &ended_inside, std::memory_order_relaxed);
  process.occupant.compare_exchange_strong(after, nullptr, std::memory_order_relaxed);
}

// Has when_thread_ends() called. A destructor of C++ would also run when the main thread calls
// exit(), before the exit handlers of front ends, which call tutti.
void watch_end_of_this_thread() {
  if (!process.end_of_thread) {
    pthread_key_t made = 0;
    if (::pthread_key_create(&made, when_thread_ends) != 0) return;
    process.end_of_thread = made;
  }
  ::pthread_setspecific(*process.end_of_thread, &interfaces);
}

}  // namespace

void Inside::take_over_from(const void* found) {
  if (is_inside(found)) refuse();
  watch_end_of_this_thread();
}

void Inside::refuse() {
  std::string call = call_in_progress();
  if (call.empty()) call = "a call of tutti";
  if (process.occupant.load(std::memory_order_relaxed) == &ended_inside) {
    base::fail(base::Status::wrong_thread,
               "a thread of this process has ended inside {}, which is half done: this process "
               "cannot call tutti any more",
               call);
  }
  base::fail(base::Status::wrong_thread,
             "another thread of this process is inside {} at the same time: only one thread at a "
             "time may call tutti",
             call);
}

void enter() {
  if (!Inside::occupy()) process.entered_by_pair = true;
  ++process.pairs;
}

void leave() {
  if (process.pairs == 0 || process.occupant.load(std::memory_order_relaxed) != &interfaces) return;
  if (--process.pairs > 0 || !process.entered_by_pair) return;
  process.entered_by_pair = false;
  process.occupant.store(after_this_thread(), std::memory_order_relaxed);
}

void forget_occupant() {
  process.occupant.store(nullptr, std::memory_order_relaxed);
  process.pairs = 0;
  process.entered_by_pair = false;
}

}  // namespace tutti::api
