// SPDX-License-Identifier: BSD-3-Clause
// Announcing tasks, and the way from identifiers to endpoints.
#include "machine.hpp"

#include <cstring>
#include <thread>

namespace tutti::pvm {

void Machine::announce(int endpoint, int parent, int context, const char* name) const {
  TaskEntry& entry = task(endpoint % slots);
  entry.endpoint_plus_1.store(0);
  entry.tid = tid(endpoint);
  entry.parent = parent;
  entry.context = context;
  entry.pid.store(0);
  std::strncpy(entry.name, name, sizeof entry.name - 1);
  entry.name[sizeof entry.name - 1] = '\0';
  entry.endpoint_plus_1.store(endpoint + 1);
  record_->announced.fetch_add(1);
}

bool Machine::wait_for_announcement(int endpoint, int parent) const {
  const std::atomic<int>& announced = task(endpoint % slots).endpoint_plus_1;
  while (announced.load() != endpoint + 1) {
    if (tutti_present(parent) == 0) return announced.load() == endpoint + 1;
    std::this_thread::yield();
  }
  return true;
}

int Machine::tid(int endpoint) const {
  return make_tid(endpoint, hosts_.of_slot(endpoint % slots));
}

// The number of generations in an identifier wraps around; the entry of the slot tells which one is meant.
int Machine::endpoint(int tid) const {
  if (!is_task_tid(tid)) return -1;
  const TaskEntry& entry = task(slot_of_tid(tid));
  const int announced = entry.endpoint_plus_1.load();
  if (announced != 0 && entry.tid == tid) return announced - 1;
  const int generation = (tid >> 11 & 0x7f) | (tid >> 25 & 0x1f) << 7;
  return slot_of_tid(tid) + generation * slots;
}

}  // namespace tutti::pvm
