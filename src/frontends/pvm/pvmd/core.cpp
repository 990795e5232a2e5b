// SPDX-License-Identifier: BSD-3-Clause
// What the group library needs (core.hpp), by the libpvm3 of a real PVM. The runtime goes over the
// pvmd, and endpoints are task identifiers.
#include "core.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

// libpvm3 has them, pvm3.h does not: what is done with an error, and this task as long as it is
// one.
extern "C" {
int lpvmerr(const char* name, int code);
extern int pvmmytid;
}

namespace {

constexpr int host_shift = 18, host_mask = 0xfff;

int joined = 0;
pid_t process = 0;  // that has joined; its forked children are no tasks

// A pvmd drops what a task has sent if it finds the task gone while something for it is under way,
// and a member of groups is sent notices all the time. pvm_exit makes sure that the pvmd has
// everything; it would also wait for tasks whose output is collected, which exit() does not.
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

int tutti_pvm_multicast(const int* tids, int count, int tag) {
  return pvm_mcast(const_cast<int*>(tids), count, tag);
}

// Who is where would have to be asked of the pvmd, so no host is known to take part as a whole.
const int* tutti_pvm_tasks_by_host(int* hosts) {
  *hosts = 1;
  return nullptr;
}

// libpvm3 calls nobody then; the others see that the task has gone.
void tutti_pvm_before_exit(void (*)()) {}

}  // extern "C"
