// SPDX-License-Identifier: BSD-3-Clause
// What the group library needs of the message library, beside the public names of PVM: both are one
// front end, cut in two because programs link them under two names. Where the message library is
// that of a real PVM, the group library has these functions itself (pvmd/core.cpp).
#pragma once

#include <tutti/tutti_runtime.h>

extern "C" {

// Joins the machine at the first call of any routine. 0, or a PVM error.
TUTTI_API int tutti_pvm_join();
// Task identifiers and endpoints of the runtime name the same tasks. -1 for a number that never was
// a task's.
TUTTI_API int tutti_pvm_tid(int endpoint);
TUTTI_API int tutti_pvm_endpoint(int tid);
// The host of a task, from 0.
TUTTI_API int tutti_pvm_host(int tid);
// Ends a call: a negative code is kept for pvm_perror and printed as pvm_setopt(PvmAutoErr) says.
// Returns the code.
TUTTI_API int tutti_pvm_result(const char* call, int code);
// The PVM error for a status of the runtime.
TUTTI_API int tutti_pvm_code(tutti_status status);
// The send buffer to all of `tids` but this task.
TUTTI_API int tutti_pvm_multicast(const int* tids, int count, int tag);
// How many tasks there are on each host now, and of how many hosts.
TUTTI_API const int* tutti_pvm_tasks_by_host(int* hosts);
// Called when this task leaves the machine by pvm_exit.
TUTTI_API void tutti_pvm_before_exit(void (*leave)());
// Bytes of an element, 0 for a type that is none.
TUTTI_API int tutti_pvm_bytes_of(int type);
}
