// SPDX-License-Identifier: BSD-3-Clause
// The frame that every call of PVM runs in, PVM's error codes and types, and the functions that the
// group library (libgpvm3) needs from the message library (libpvm3), beside the public names of
// PVM. The two are one front end, split because programs link them under two names. With the
// libpvm3 of a real PVM, the group library brings these functions itself (pvmd/core.cpp). The
// libraries of the BLACS look some of them up by name.
#pragma once

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_error.hpp>

#include <cstdio>
#include <exception>
#include <new>

extern "C" {

// Joins the machine at the first call of any routine. Returns PvmOk or a PVM error.
TUTTI_API int tutti_pvm_join();
// Task identifiers and endpoints of the runtime name the same tasks. Returns -1 for a number that
// has never been a task's.
TUTTI_API int tutti_pvm_tid(int endpoint);
TUTTI_API int tutti_pvm_endpoint(int tid);
// Returns the host of a task, numbered from 0.
TUTTI_API int tutti_pvm_host(int tid);
// Ends a call: keeps a negative code for pvm_perror and prints it as pvm_setopt(PvmAutoErr) says.
// Returns the code.
TUTTI_API int tutti_pvm_result(const char* call, int code);
// Keeps what the runtime says about the call that has just failed, for the message of the error.
TUTTI_API void tutti_pvm_keep_reason(const char* text);
// Sends the active send buffer to all of `tids` except this task.
TUTTI_API int tutti_pvm_multicast(const int* tids, int count, int tag);
// Returns how many tasks each host has now, and the number of hosts in `hosts`.
TUTTI_API const int* tutti_pvm_tasks_by_host(int* hosts);
// Returns how many tasks this one has started.
TUTTI_API int tutti_pvm_spawned();
// Registers a function that pvm_exit calls before this task leaves the machine.
TUTTI_API void tutti_pvm_before_exit(void (*leave)());
}

namespace tutti::pvm {

// Returns the PVM error for a status of the runtime. The reason of a PvmSysErr is kept for the
// message of the error, which names tasks that have died itself.
[[nodiscard]] inline int code_of(tutti_status status) {
  switch (status) {
    case TUTTI_OK:
      return PvmOk;
    case TUTTI_OUT_OF_MEMORY:
      return PvmNoMem;
    case TUTTI_NO_SLOT:
      return PvmOutOfRes;
    case TUTTI_INVALID_ARGUMENT:
      return PvmBadParam;
    case TUTTI_MISMATCH:
      return PvmMismatch;
    default:
      break;
  }
  tutti_error_subject subject{};
  subject.struct_size = sizeof subject;
  tutti_error_about(&subject);
  tutti_pvm_keep_reason(subject.departed < 0 ? tutti_error_text() : "");
  return PvmSysErr;
}

// Returns the bytes of an element, or 0 if `type` is no type of PVM.
[[nodiscard]] constexpr int bytes_of(int type) {
  constexpr int bytes[] = {1, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8};
  return type < PVM_STR || type > PVM_ULONG ? 0 : bytes[type];
}

// Needed outside of call(): while an object of this class lives, failed calls of tutti.h return
// their status and do not end the job.
using detail::Statuses;

// A call of PVM, which tutti's reports name, as long as this object lives. The state of this front
// end belongs to the thread that is inside a call. If another one is, this says so on stderr, and
// the call must touch nothing.
class PvmCall {
 public:
  explicit PvmCall(const char* name) : is_inside_(tutti_enter(name) == TUTTI_OK) {
    if (!is_inside_) std::fprintf(stderr, "libpvm: %s(): %s\n", name, tutti_error_text());
  }
  ~PvmCall() {
    if (is_inside_) tutti_leave();
  }
  PvmCall(const PvmCall&) = delete;
  PvmCall& operator=(const PvmCall&) = delete;
  [[nodiscard]] bool is_inside() const { return is_inside_; }

 private:
  bool is_inside_;
};

// Joins the machine if necessary and returns the result of `body`, or a PVM error.
template <class Body>
int joined_result(Body&& body) noexcept {
  if (const int status = tutti_pvm_join(); status != PvmOk) return status;
  tutti_pvm_keep_reason("");
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return PvmNoMem;
  } catch (const std::exception&) {
    return PvmSysErr;
  }
}

// Runs the body of a call of PVM. No exception leaves it. An error is reported after the call,
// because the report may end the program, and exit handlers may call PVM.
template <class Body>
int call(const char* name, Body&& body) noexcept {
  int code = PvmOk;
  {
    const PvmCall current(name);
    if (!current.is_inside()) return PvmSysErr;
    code = joined_result(body);
  }
  return code < 0 ? tutti_pvm_result(name, code) : code;
}

}  // namespace tutti::pvm
