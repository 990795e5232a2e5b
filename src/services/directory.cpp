// SPDX-License-Identifier: BSD-3-Clause
// Finds and makes records. Arrival counters are records, too.
#include "services/directory.hpp"

#include <bit>
#include <cstring>

#include "base/error.hpp"
#include "transport/relax.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/waiter.hpp"
#include "transport/wait.hpp"

namespace tutti::services {
namespace {

using transport::shm::Record;

// An arrival counter, in a record of its own. One word holds its whole state, so a round ends and
// the next begins in one step, and each arriving process belongs to exactly one round.
struct Counter {
  // State as epoch << 32 | wanted << 16 | arrived. `wanted` is 0 before the first arrival of a
  // round.
  std::atomic<std::uint64_t> state;
  // Bit sets of the slots to wake, by parity of the epoch.
  std::atomic<std::uint64_t> waiting[2][transport::shm::capacity / 64];
};
constexpr std::uint64_t epoch_of(std::uint64_t state) {
  return state >> 32;
}
constexpr std::uint64_t wanted_of(std::uint64_t state) {
  return state >> 16 & 0xffffU;
}
constexpr std::uint64_t arrived_of(std::uint64_t state) {
  return state & 0xffffU;
}

// Takes one arrival of the round `epoch` back. Returns false when the round has ended meanwhile.
bool withdraw(std::atomic<std::uint64_t>& state, std::uint64_t epoch) {
  std::uint64_t seen = state.load();
  std::uint64_t next = 0;
  do {
    if (epoch_of(seen) != epoch) return false;
    const std::uint64_t left = arrived_of(seen) - 1;
    next = epoch << 32 | (left == 0 ? 0 : wanted_of(seen) << 16) | left;
  } while (!state.compare_exchange_weak(seen, next));
  return true;
}

}  // namespace

void* Directory::record(std::string_view name, std::int64_t bytes) {
  if (name.empty() || name.size() >= Record::name_bytes || bytes < 0) {
    base::fail(base::Status::invalid_argument,
               "record '{}' of {} bytes: a name has 1 to {} characters, a size is not negative",
               name, bytes, Record::name_bytes - 1);
  }
  // Places are taken in order and never given back, so the first free one ends the search.
  for (std::atomic<std::uint64_t>& place : mapping_->header().directory) {
    std::uint64_t offset = place.load(std::memory_order_acquire);
    if (offset == 0) offset = make(place, name, bytes);
    auto* const record = mapping_->at<Record>(offset);
    if (name != record->name) continue;
    if (record->bytes != bytes) {
      base::fail(base::Status::mismatch, "record '{}' has {} bytes, not {}", name, record->bytes,
                 bytes);
    }
    return record + 1;
  }
  base::fail(base::Status::out_of_memory,
             "the directory has no room for record '{}': a job has at most {}", name,
             transport::shm::records);
}

// Makes a record that is complete before others can see it. If another process was quicker at this
// place, its record is returned.
std::uint64_t Directory::make(std::atomic<std::uint64_t>& place, std::string_view name,
                              std::int64_t bytes) {
  transport::shm::Heap heap(*mapping_);
  const std::size_t block_bytes = sizeof(Record) + static_cast<std::size_t>(bytes);
  const auto offset = heap.allocate(block_bytes);
  if (!offset) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for record '{}': raise TUTTI_SHM_LIMIT", name);
  }
  std::memset(mapping_->at<std::byte>(*offset), 0, block_bytes);
  auto* const record = mapping_->at<Record>(*offset);
  std::memcpy(record->name, name.data(), name.size());
  record->bytes = bytes;
  std::uint64_t found = 0;
  if (place.compare_exchange_strong(found, *offset)) return *offset;
  heap.free(*offset, block_bytes);
  return found;
}

bool Directory::arrive(std::string_view name, int count, GiveUp give_up) {
  if (count < 1)
    base::fail(base::Status::invalid_argument, "counter '{}': count is {} but must be 1 or more",
               name, count);
  if (count > transport::shm::capacity) {
    base::fail(base::Status::invalid_argument,
               "counter '{}': count is {} but a job has at most {} processes", name, count,
               transport::shm::capacity);
  }
  auto& counter = *static_cast<Counter*>(record(name, sizeof(Counter)));
  const auto wanted = static_cast<std::uint64_t>(count);
  const int self = transport::shm::slot_of(transport_->self());
  const std::uint64_t own_bit = std::uint64_t{1} << (self % 64);
  std::uint64_t seen = counter.state.load();
  std::uint64_t next = 0;
  do {
    if (wanted_of(seen) != 0 && wanted_of(seen) != wanted) {
      base::fail(base::Status::mismatch, "counter '{}' waits for {} processes but this one says {}",
                 name, wanted_of(seen), count);
    }
    // This process is marked before it is counted, so that the last one to arrive cannot miss it.
    counter.waiting[epoch_of(seen) % 2][self / 64].fetch_or(own_bit);
    const bool completes = arrived_of(seen) + 1 == wanted;
    next = completes ? (epoch_of(seen) + 1) << 32
                     : epoch_of(seen) << 32 | wanted << 16 | (arrived_of(seen) + 1);
  } while (!counter.state.compare_exchange_weak(seen, next));
  if (epoch_of(next) != epoch_of(seen)) {
    wake_all(counter.waiting[epoch_of(seen) % 2]);
    return true;
  }
  int turn = 0;
  transport::Wait wait(*transport_);
  while (epoch_of(counter.state.load()) == epoch_of(seen)) {
    if (give_up.now()) return !withdraw(counter.state, epoch_of(seen));
    if (turn++ < transport_->spin_turns()) {
      transport::relax();
    } else {
      wait.idle(turn, {transport::Waiting::For::any, 0, 0, 0, 0, {}});
    }
  }
  return true;
}

void Directory::wake_all(std::atomic<std::uint64_t>* waiting) {
  for (int word = 0; word < transport::shm::capacity / 64; ++word) {
    for (std::uint64_t bits = waiting[word].exchange(0); bits != 0; bits &= bits - 1) {
      const int slot = word * 64 + std::countr_zero(bits);
      if (slot != transport::shm::slot_of(transport_->self()))
        transport::shm::wake_if_asleep(mapping_->endpoint(slot));
    }
  }
}

}  // namespace tutti::services
