// SPDX-License-Identifier: BSD-3-Clause
// The virtual machine as all its tasks see it: its hosts, a shared table of tasks, and how task
// identifiers are made.
//
// A task identifier is positive. Bits 18 to 24 are the host, counted from 1; an identifier without
// the lower bits names the host itself. Bits 0 to 10 are the slot of the runtime plus 1. Bits 11 to
// 17 and 25 to 29 are the generation: which of the processes that have had the slot is meant.
#pragma once

#include <tutti/tutti_runtime.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record_lock.hpp"

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
// Returns true if the number can name a task.
[[nodiscard]] constexpr bool is_task_tid(int tid) {
  return tid > 0 && tid < 1 << 30 && slot_of_tid(tid) >= 0 && slot_of_tid(tid) < slots &&
         host_of_tid(tid) >= 0;
}

// The task that has the slot now, or had it last. `endpoint_plus_1` is written last, so a reader
// that finds the endpoint it expects may read the other fields.
struct TaskEntry {
  std::atomic<int> endpoint_plus_1;
  int tid;
  int parent;  // PvmNoParent if no task has started it
  int context;
  std::atomic<int> pid;  // 0 until the task has joined
};

// The programs of the tasks in neighbouring slots, as pvm_spawn named them. A path may have
// PATH_MAX bytes, so each row is a record of its own, made when a task first needs it. A machine of
// a few tasks pays for one row and not for 1024 paths.
struct NameRow {
  static constexpr int names = 16;
  char name[names][PATH_MAX];
};

constexpr std::size_t most_hosts_text = 4096;

// The shared record of the machine, zeroed when it is made.
struct MachineRecord {
  RecordLock lock;
  std::atomic<int> contexts;  // number of contexts handed out so far
  std::atomic<std::uint32_t> has_hosts;
  std::atomic<std::uint32_t> announced;  // number of tasks announced so far
  TaskEntry tasks[slots];
  char hosts[most_hosts_text];  // TUTTI_HOSTS of the first task, which counts for all tasks
};

// The hosts that a user pretends the machine has (TUTTI_HOSTS), and which tasks are on each.
class HostList {
 public:
  // Reads a list such as "0,0,1": the first two tasks share a host, the third is on another, and
  // further tasks start again at the front. Hosts are numbered in the order in which they appear.
  // An empty text means one host; nullopt is a text that is no such list.
  [[nodiscard]] static std::optional<HostList> parse(std::string_view text);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int of_slot(int slot) const {
    return of_task_.empty() ? 0 : of_task_[static_cast<std::size_t>(slot) % of_task_.size()];
  }

 private:
  std::vector<int> of_task_;
  int count_ = 1;
};

class VirtualMachine {
 public:
  VirtualMachine(MachineRecord& record, HostList hosts)
      : record_(&record), hosts_(std::move(hosts)) {}

  [[nodiscard]] MachineRecord& record() const { return *record_; }
  [[nodiscard]] TaskEntry& task(int slot) const { return record_->tasks[slot]; }

  // Writes the entry of a task: its parent does so, or the task itself if it has none. Returns
  // false if there is no shared memory for the name, which is empty then.
  bool announce(int endpoint, int parent, int context, std::string_view name) const;
  // Waits until the parent has announced this task. Returns false if the parent died before.
  [[nodiscard]] bool wait_for_announcement(int endpoint, int parent) const;
  [[nodiscard]] int tid(int endpoint) const;
  // Returns -1 if the number has never been a task's.
  [[nodiscard]] int endpoint(int tid) const;
  // Returns the program of the task at this endpoint, or "" if another task has the slot by now.
  [[nodiscard]] std::string name(int endpoint) const;

  [[nodiscard]] int hosts() const { return hosts_.count(); }

 private:
  MachineRecord* record_;
  HostList hosts_;
};

}  // namespace tutti::pvm
