// SPDX-License-Identifier: BSD-3-Clause
// Look-up and creation of records; arrival counters on top of them.
#include "services/directory.hpp"

#include <atomic>
#include <cstring>

#include "base/error.hpp"
#include "transport/relax.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/sleeper.hpp"

namespace tutti::services {
namespace {

using transport::shm::Record;

enum : std::uint32_t { free_slot, being_made, ready };

// In a record of its own.
struct Counter {
  std::atomic<std::uint32_t> arrived;
  std::atomic<std::uint32_t> wanted;  // count of the current round, 0 before its first arrival
  std::atomic<std::uint64_t> epoch;
  std::atomic<std::uint64_t> waiting[transport::shm::capacity / 64];  // endpoints to wake
};

void spin_until_made(const Record& record) {
  while (record.state.load(std::memory_order_acquire) == being_made) transport::relax();
}

}  // namespace

void* Directory::record(std::string_view name, std::int64_t bytes) {
  if (name.empty() || name.size() >= Record::name_bytes || bytes < 0) {
    base::fail(base::Status::invalid_argument,
               "record '{}' of {} bytes: a name has 1 to {} characters, a size is not "
               "negative",
               name, bytes, Record::name_bytes - 1);
  }
  for (Record& slot : mapping_->header().directory) {
    std::uint32_t state = free_slot;
    if (slot.state.compare_exchange_strong(state, being_made)) {
      const auto offset = transport::shm::Heap(*mapping_).allocate(static_cast<std::size_t>(bytes) + 1);
      if (!offset) {
        slot.state.store(free_slot);
        base::fail(base::Status::out_of_memory, "no shared memory for record '{}': raise TUTTI_SHM_LIMIT", name);
      }
      std::memset(mapping_->at<std::byte>(*offset), 0, static_cast<std::size_t>(bytes));
      std::memcpy(slot.name, name.data(), name.size());
      slot.name[name.size()] = '\0';
      slot.bytes = bytes;
      slot.offset = *offset;
      slot.state.store(ready, std::memory_order_release);
      return mapping_->at<void>(slot.offset);
    }
    spin_until_made(slot);
    if (slot.state.load(std::memory_order_acquire) != ready || name != slot.name) continue;
    if (slot.bytes != bytes) {
      base::fail(base::Status::mismatch, "record '{}' has {} bytes, not {}", name, slot.bytes, bytes);
    }
    return mapping_->at<void>(slot.offset);
  }
  base::fail(base::Status::out_of_memory, "the directory has no room for record '{}': a job has at most {}", name,
             transport::shm::records);
}

void Directory::arrive(std::string_view name, int count) {
  if (count < 1)
    base::fail(base::Status::invalid_argument, "counter '{}': count is {} but must be 1 or more", name, count);
  auto& counter = *static_cast<Counter*>(record(name, sizeof(Counter)));
  const auto wanted = static_cast<std::uint32_t>(count);
  std::uint32_t agreed = 0;
  if (!counter.wanted.compare_exchange_strong(agreed, wanted) && agreed != wanted) {
    base::fail(base::Status::mismatch, "counter '{}' waits for {} processes but this one says {}", name, agreed, count);
  }
  const std::uint64_t epoch = counter.epoch.load();
  const int self = transport_->self();
  counter.waiting[self / 64].fetch_or(std::uint64_t{1} << (self % 64));
  if (counter.arrived.fetch_add(1) + 1 == wanted) {
    counter.arrived.store(0);
    counter.wanted.store(0);
    std::uint64_t sleepers[transport::shm::capacity / 64];
    for (std::size_t i = 0; i < std::size(sleepers); ++i) sleepers[i] = counter.waiting[i].exchange(0);
    counter.epoch.store(epoch + 1);
    for (int id = 0; id < transport::shm::capacity; ++id) {
      if ((sleepers[id / 64] >> (id % 64) & 1U) != 0) transport::shm::wake_if_asleep(mapping_->endpoint(id));
    }
    return;
  }
  bool slept = false;
  for (int turn = 0; counter.epoch.load() == epoch; ++turn) {
    if (turn < transport_->spin_turns()) {
      transport::relax();
    } else {
      slept = true;
      transport_->idle(turn, {transport::Waiting::For::any, 0, 0, 0, 0, {}});
    }
  }
  if (slept) transport_->awake();
}

}  // namespace tutti::services
