// SPDX-License-Identifier: BSD-3-Clause
// Reads TUTTI_HOSTS, announces tasks, and converts task identifiers to endpoints and back.
#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tutti::pvm {
namespace {

constexpr int most_hosts = 127;  // most hosts that a task identifier can name

// Returns where the name of a task is kept; nullptr if there is no shared memory for it.
char* place_of_name(int slot) {
  const std::string row = fmt::format("pvm.names.{}", slot / NameRow::names);
  void* address = nullptr;
  if (tutti_record(row.c_str(), sizeof(NameRow), &address) != TUTTI_OK) return nullptr;
  return static_cast<NameRow*>(address)->name[slot % NameRow::names];
}

}  // namespace

std::optional<HostList> HostList::parse(std::string_view text) {
  HostList list;
  std::vector<int> seen;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    int number = -1;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool last = word.size() == text.size(), more = text.size() > word.size() + 1;
    if (code != std::errc{} || stop != word.data() + word.size() || number < 0 || !(last || more))
      return std::nullopt;
    const auto place = std::find(seen.begin(), seen.end(), number);
    list.of_task_.push_back(static_cast<int>(place - seen.begin()));
    if (place == seen.end()) seen.push_back(number);
    text.remove_prefix(last ? word.size() : word.size() + 1);
  }
  list.count_ = std::max(1, static_cast<int>(seen.size()));
  if (list.count_ > most_hosts) return std::nullopt;
  return list;
}

bool VirtualMachine::announce(int endpoint, int parent, int context, std::string_view name) const {
  TaskEntry& entry = task(endpoint % slots);
  entry.endpoint_plus_1.store(0);
  entry.tid = tid(endpoint);
  entry.parent = parent;
  entry.context = context;
  entry.pid.store(0);
  char* const place = place_of_name(endpoint % slots);
  if (place != nullptr) place[name.copy(place, PATH_MAX - 1)] = '\0';
  entry.endpoint_plus_1.store(endpoint + 1);
  record_->announced.fetch_add(1);
  return place != nullptr;
}

std::string VirtualMachine::name(int endpoint) const {
  const int slot = endpoint % slots;
  const char* const place = place_of_name(slot);
  if (place == nullptr) return {};
  const std::string found(place, ::strnlen(place, PATH_MAX - 1));
  return task(slot).endpoint_plus_1.load() == endpoint + 1 ? found : std::string();
}

bool VirtualMachine::wait_for_announcement(int endpoint, int parent) const {
  struct Awaited {
    const std::atomic<int>& announced;
    int endpoint, parent;
    [[nodiscard]] bool is_there() const { return announced.load() == endpoint + 1; }
  };
  Awaited awaited{task(endpoint % slots).endpoint_plus_1, endpoint, parent};
  const auto is_over = [](void* about) {
    const auto& task = *static_cast<const Awaited*>(about);
    return task.is_there() || tutti_present(task.parent) == 0 ? 1 : 0;
  };
  // Failure is harmless: the task then announces itself.
  static_cast<void>(tutti_await(is_over, &awaited));
  return awaited.is_there();
}

int VirtualMachine::tid(int endpoint) const {
  return make_tid(endpoint, hosts_.of_slot(endpoint % slots));
}

// The generation in an identifier wraps around, so the entry of the slot tells which one is meant.
int VirtualMachine::endpoint(int tid) const {
  if (!is_task_tid(tid)) return -1;
  const TaskEntry& entry = task(slot_of_tid(tid));
  const int announced = entry.endpoint_plus_1.load();
  if (announced != 0 && entry.tid == tid) return announced - 1;
  const int generation = (tid >> 11 & 0x7f) | (tid >> 25 & 0x1f) << 7;
  return slot_of_tid(tid) + generation * slots;
}

}  // namespace tutti::pvm
