// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that join and leave the machine, and those about the calling task itself.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

// The first task that a user starts makes the machine, unless there is one already. Later ones find
// a machine that has a name (TUTTI_PVM_MACHINE).
tutti_status enter_runtime() {
  const std::string machine = setting("TUTTI_PVM_MACHINE");
  const int make = machine == "default" ? 0 : 1;
  const tutti_status status =
      machine == "none" ? tutti_init() : tutti_init_in_machine(machine.c_str(), make);
  if (status != TUTTI_OK) return status;
  if (tutti_launched() == 0) return tutti_tolerate_deaths();
  // Tasks may then die in a job that an MPI has started.
  // Failure is harmless: another launcher was told by TUTTI_DEATHS what a death means.
  (void)tutti_tolerate_deaths();
  return TUTTI_OK;
}

void learn_siblings(PvmState& mine) {
  const int count = tutti_size(tutti_world());
  mine.siblings.clear();
  for (int rank = 0; rank < count; ++rank)
    mine.siblings.push_back(tutti_pvm_tid(tutti_endpoint(tutti_world(), rank)));
}

// Returns TUTTI_HOSTS of the first task, because a task from another shell may have another value.
std::string hosts_of(MachineRecord& record) {
  const std::lock_guard hold(record.lock);
  if (record.has_hosts.load() == 0) {
    setting("TUTTI_HOSTS").copy(record.hosts, most_hosts_text - 1);
    record.has_hosts.store(1);
  }
  return record.hosts;
}

std::optional<HostList> asked_hosts(const std::string& text) {
  std::optional<HostList> hosts = HostList::parse(text);
  if (!hosts) {
    const std::string complaint = fmt::format(
        "libpvm: environment variable TUTTI_HOSTS is '{}' but must have a number of a host for "
        "each task, such as 0,0,1,1\n",
        text);
    std::fputs(complaint.c_str(), stderr);
  }
  return hosts;
}

int take_place(PvmState& mine) {
  void* address = nullptr;
  if (tutti_record("pvm.machine", sizeof(MachineRecord), &address) != TUTTI_OK) return PvmSysErr;
  auto& record = *static_cast<MachineRecord*>(address);
  std::optional<HostList> hosts = asked_hosts(hosts_of(record));
  if (!hosts) return PvmSysErr;
  mine.machine.emplace(record, std::move(*hosts));
  const VirtualMachine& machine = *mine.machine;
  mine.endpoint = tutti_endpoint(tutti_world(), tutti_rank(tutti_world()));
  mine.tid = machine.tid(mine.endpoint);
  const int parent = tutti_parent();
  if (parent < 0) {
    machine.announce(mine.endpoint, PvmNoParent, PvmBaseContext, "-");
  } else if (!machine.wait_for_announcement(mine.endpoint, parent)) {
    machine.announce(mine.endpoint, machine.tid(parent), PvmBaseContext, "");
  }
  TaskEntry& entry = machine.task(mine.endpoint % slots);
  entry.pid.store(::getpid());
  mine.parent = entry.parent;
  mine.context = entry.context;
  learn_siblings(mine);
  return PvmOk;
}

int leave_machine() {
  PvmState& mine = state();
  if (!mine.machine) return PvmOk;
  for (void (*leave)() : mine.before_exit) leave();
  mine.output.finish();
  mine.board.reset();
  mine.machine.reset();
  mine.left = true;
  return code_of(tutti_finalize());
}

}  // namespace

extern "C" {

int tutti_pvm_join() {
  PvmState& mine = state();
  if (mine.machine) return PvmOk;
  mine.reason.clear();
  if (mine.left) return PvmSysErr;
  const Statuses statuses;
  if (enter_runtime() != TUTTI_OK) {
    std::fputs(fmt::format("libpvm: {}\n", tutti_error_text()).c_str(), stderr);
    pvm_errno = PvmSysErr;
    return PvmSysErr;
  }
  return take_place(mine);
}

int tutti_pvm_tid(int endpoint) {
  return state().machine->tid(endpoint);
}

int tutti_pvm_endpoint(int tid) {
  return state().machine->endpoint(tid);
}

int tutti_pvm_host(int tid) {
  return host_of_tid(tid);
}

void tutti_pvm_before_exit(void (*leave)()) {
  state().before_exit.push_back(leave);
}

int pvm_catchout(FILE* file) {
  return call("pvm_catchout", [&] {
    state().output.collect_into(file);
    return PvmOk;
  });
}

int pvm_mytid(void) {
  return call("pvm_mytid", [] { return state().tid; });
}

int pvm_exit(void) {
  int code = PvmOk;
  {
    const PvmCall current("pvm_exit");
    if (!current.is_inside()) return PvmSysErr;
    code = leave_machine();
  }
  return tutti_pvm_result("pvm_exit", code);
}

// PvmNoParent is not reported as an error, because the first task has no parent.
int pvm_parent(void) {
  const PvmCall current("pvm_parent");
  const int status = current.is_inside() ? tutti_pvm_join() : int{PvmSysErr};
  return status == PvmOk ? state().parent : status;
}

int pvm_siblings(int** tids) {
  return call("pvm_siblings", [&] {
    PvmState& mine = state();
    if (tids == nullptr) return PvmBadParam;
    *tids = mine.siblings.data();
    return static_cast<int>(mine.siblings.size());
  });
}

int pvm_setopt(int what, int value) {
  return call("pvm_setopt", [&] {
    if (what < 1 || what >= options || value < 0) return PvmBadParam;
    return std::exchange(state().option[static_cast<std::size_t>(what)], value);
  });
}

int pvm_getopt(int what) {
  return call("pvm_getopt", [&] {
    return what < 1 || what >= options ? PvmBadParam
                                       : state().option[static_cast<std::size_t>(what)];
  });
}

// Numbers start at 1: context 0 belongs to all tasks that never ask for one.
int pvm_newcontext(void) {
  return call("pvm_newcontext", [] { return state().machine->record().contexts.fetch_add(1) + 1; });
}

int pvm_setcontext(int context) {
  return call("pvm_setcontext",
              [&] { return context < 0 ? PvmBadParam : std::exchange(state().context, context); });
}

int pvm_getcontext(void) {
  return call("pvm_getcontext", [] { return state().context; });
}

// A freed number is never used again.
int pvm_freecontext(int context) {
  return call("pvm_freecontext", [&] {
    PvmState& mine = state();
    if (context < 1) return PvmBadParam;
    if (context > mine.machine->record().contexts.load()) return PvmNotFound;
    if (mine.context == context) mine.context = PvmBaseContext;
    return PvmOk;
  });
}

}  // extern "C"
