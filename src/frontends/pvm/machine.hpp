// SPDX-License-Identifier: BSD-3-Clause
// The virtual machine as all its tasks see it: a shared table of tasks, and how task identifiers
// are made.
//
// A task identifier is positive and has the host in bits 18 to 24, counted from 1, so that one
// without the lower bits names the host itself. Bits 0 to 10 are the slot of the runtime plus 1,
// bits 11 to 17 and 25 to 29 which of the processes that have had the slot is meant.
#pragma once

#include <tutti/tutti_runtime.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "host_list.hpp"
#include "shared_lock.hpp"

namespace tutti::pvm {

constexpr int slots = 1024;  // tasks of a job at a time
constexpr int host_shift = 18;
constexpr int host_mask = 0x7f << host_shift;

[[nodiscard]] constexpr int make_tid(int endpoint, int host) {
  const int slot = endpoint % slots, generation = endpoint / slots;
  return (slot + 1) | (generation & 0x7f) << 11 | (host + 1) << host_shift |
         (generation >> 7 & 0x1f) << 25;
}
[[nodiscard]] constexpr int slot_of_tid(int tid) {
  return (tid & 0x7ff) - 1;
}
[[nodiscard]] constexpr int host_of_tid(int tid) {
  return ((tid & host_mask) >> host_shift) - 1;
}
[[nodiscard]] constexpr int tid_of_host(int host) {
  return (host + 1) << host_shift;
}
// Whether it can name a task.
[[nodiscard]] constexpr bool is_task_tid(int tid) {
  return tid > 0 && tid < 1 << 30 && slot_of_tid(tid) >= 0 && slot_of_tid(tid) < slots &&
         host_of_tid(tid) >= 0;
}

// Of the task that has the slot now, or had it last. `endpoint` is written last: who reads the
// number it expects may read the rest.
struct TaskEntry {
  std::atomic<int> endpoint_plus_1;
  int tid;
  int parent;  // or PvmNoParent
  int context;
  std::atomic<int> pid;  // 0 until the task has joined
};

// The programs of the tasks in neighbouring slots, as pvm_spawn named them. A path may have
// PATH_MAX bytes, so rows are records of their own, made when a task first needs one: a machine of
// a few tasks pays for one row and not for 1024 paths.
struct NameRow {
  static constexpr int names = 16;
  char name[names][PATH_MAX];
};

constexpr std::size_t most_hosts_text = 4096;

// Zeroed when it is made.
struct MachineRecord {
  SharedLock lock;
  std::atomic<int> contexts;  // that were handed out
  std::atomic<std::uint32_t> has_hosts;
  std::atomic<std::uint32_t> announced;  // how many tasks, ever
  TaskEntry tasks[slots];
  char hosts[most_hosts_text];  // TUTTI_HOSTS of the first task, which counts for all
};

class VirtualMachine {
 public:
  VirtualMachine(MachineRecord& record, HostList hosts)
      : record_(&record), hosts_(std::move(hosts)) {}

  [[nodiscard]] MachineRecord& record() const { return *record_; }
  [[nodiscard]] TaskEntry& task(int slot) const { return record_->tasks[slot]; }

  // Writes the entry of a task that was started, or that was not started by a task. False when
  // there is no shared memory for the name, which is empty then.
  bool announce(int endpoint, int parent, int context, std::string_view name) const;
  // Waits until the parent has announced this task; false when it has died before.
  [[nodiscard]] bool wait_for_announcement(int endpoint, int parent) const;
  [[nodiscard]] int tid(int endpoint) const;
  // -1 when the number never was a task's.
  [[nodiscard]] int endpoint(int tid) const;
  // What the task at this endpoint was started from; empty when another task has the slot by now.
  [[nodiscard]] std::string name(int endpoint) const;

  [[nodiscard]] int hosts() const { return hosts_.count(); }

 private:
  MachineRecord* record_;
  HostList hosts_;
};

}  // namespace tutti::pvm
