// SPDX-License-Identifier: BSD-3-Clause
// Functions that the group library (libgpvm3) needs from the message library (libpvm3), beside the
// public names of PVM. The two are one front end, split because programs link them under two names.
// With the libpvm3 of a real PVM, the group library brings these functions itself (pvmd/core.cpp).
// The libraries of the BLACS look some of them up by name.
#pragma once

#include <tutti/tutti_runtime.h>

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
// Returns the PVM error for a status of the runtime.
TUTTI_API int tutti_pvm_code(tutti_status status);
// Sends the active send buffer to all of `tids` except this task.
TUTTI_API int tutti_pvm_multicast(const int* tids, int count, int tag);
// Returns how many tasks each host has now, and the number of hosts in `hosts`.
TUTTI_API const int* tutti_pvm_tasks_by_host(int* hosts);
// Returns how many tasks this one has started.
TUTTI_API int tutti_pvm_spawned();
// Registers a function that pvm_exit calls before this task leaves the machine.
TUTTI_API void tutti_pvm_before_exit(void (*leave)());
// Returns the bytes of an element, or 0 if `type` is no type of PVM.
TUTTI_API int tutti_pvm_bytes_of(int type);
}
