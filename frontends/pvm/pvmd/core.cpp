// SPDX-License-Identifier: BSD-3-Clause
// The functions that the group library needs (core.hpp), on top of the libpvm3 of a real PVM. The
// runtime sends by way of the pvmd, and its endpoints are task identifiers.
#include "core.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

// lpvmerr reacts to an error, and pvmmytid is the identifier of this task while it is one. libpvm3
// exports both, but pvm3.h does not declare them.
extern "C" {
int lpvmerr(const char* name, int code);
extern int pvmmytid;
}

namespace {

constexpr int host_shift = 18, host_mask = 0xfff;

int joined = 0;
pid_t process = 0;  // the process that has joined; its forked children are no tasks

// A pvmd drops messages that a task has sent if it finds the task gone while a message to it is on
// its way. Members of groups receive notices all the time. So this task leaves by pvm_exit, which
// makes sure that the pvmd has received everything. Collection of output ends first, because
// pvm_exit would wait for the tasks whose output is collected and exit() does not.
void exit_in_order() {
  if (pvmmytid != joined || ::getpid() != process) return;
  pvm_catchout(nullptr);
  pvm_exit();
}

int complain(const char* what) {
  std::fputs(fmt::format("libgpvm: {}\n", what).c_str(), stderr);
  return PvmSysErr;
}

}  // namespace

extern "C" {

int tutti_pvm_join() {
  const int self = pvm_mytid();
  if (self < 0 || self == joined) return self < 0 ? self : int{PvmOk};
  if (joined != 0)
    return complain(
        "this task has left the virtual machine by pvm_exit: it can use no groups again");
  if (tutti_init_over("pvmd") != TUTTI_OK) return complain(tutti_error_text());
  joined = self;
  process = ::getpid();
  // Failure is harmless: without the function, the real PVM notices the end of this task by itself.
  std::atexit(exit_in_order);
  return PvmOk;
}

int tutti_pvm_tid(int endpoint) {
  return endpoint;
}
int tutti_pvm_endpoint(int tid) {
  return tid;
}
int tutti_pvm_host(int tid) {
  return (tid >> host_shift & host_mask) - 1;
}

int tutti_pvm_result(const char* call, int code) {
  return lpvmerr(call, code);
}

// The messages of errors are those of libpvm3.
void tutti_pvm_keep_reason(const char*) {}

int tutti_pvm_multicast(const int* tids, int count, int tag) {
  return pvm_mcast(const_cast<int*>(tids), count, tag);
}

// Only the pvmd knows the host of every task, and asking it would cost messages. So no host is
// known to take part as a whole.
const int* tutti_pvm_tasks_by_host(int* hosts) {
  *hosts = 1;
  return nullptr;
}

// libpvm3 calls no function before a task leaves. The other members see that the task has gone.
void tutti_pvm_before_exit(void (*)()) {}

}  // extern "C"
