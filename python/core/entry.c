// SPDX-License-Identifier: BSD-3-Clause
// Enters and leaves the library: Python's lock, signals, and one call at a time.
#include <time.h>
#include <tutti/tutti_runtime.h>

#include "core.h"

// This process is inside a call. Whoever reads or writes it holds Python's lock.
static bool busy = false;
static PyThreadState* outside = NULL;  // the state of the thread inside the call

void core_lock(void) {
  PyEval_RestoreThread(outside);
}

void core_unlock(void) {
  outside = PyEval_SaveThread();
}

bool core_is_inside(void) {
  return busy;
}

bool core_begin(void) {
  if (busy) {
    PyErr_SetString(PyExc_RuntimeError,
                    "a call of tutti is in progress: another thread, an operator or a signal "
                    "handler may not call tutti meanwhile");
    return false;
  }
  core_free_left_over();
  busy = true;
  tutti_errors_push_return();
  core_unlock();
  return true;
}

bool core_end(tutti_status status) {
  core_lock();
  tutti_errors_pop();
  busy = false;
  if (PyErr_Occurred() != NULL) return false;
  if (status == TUTTI_OK) return true;
  core_raise(status);
  return false;
}

// Milliseconds of a clock that costs little.
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Asked while a call waits: lets Python's signal handlers run, and ends the wait if one of them has
// raised an exception. Another thread may hold Python's lock for milliseconds, so this asks for it
// rarely.
static int interrupted(void* user) {
  static int64_t last = 0;
  enum { milliseconds = 10 };
  (void)user;
  const int64_t time = now();
  if (time - last < milliseconds) return 0;
  last = time;
  core_lock();
  const bool raised = PyErr_CheckSignals() != 0;
  core_unlock();
  return raised ? 1 : 0;
}

bool core_join(void) {
  if (tutti_initialized() != 0) return true;
  if (!core_begin()) return false;
  tutti_on_wait(interrupted, NULL);
  return core_end(tutti_init());
}
