// SPDX-License-Identifier: BSD-3-Clause
// Finds and makes records. Arrival counters are records, too.
#include "services/directory.hpp"

#include <cstring>

#include "base/error.hpp"
#include "services/arrival_counter.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::services {

using transport::WaitEnd;
using transport::shm::Record;

void* Directory::record(std::string_view name, std::int64_t bytes) {
  if (name.empty() || name.size() >= Record::name_bytes || bytes < 0) {
    base::fail(base::Status::invalid_argument,
               "record '{}' of {} bytes: a name has 1 to {} characters, a size is not negative",
               name, bytes, Record::name_bytes - 1);
  }
  // Places are taken in order and never given back, so the first free one ends the search.
  for (Shared<std::uint64_t>& place : mapping_->header().directory) {
    std::uint64_t offset = place.see();
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
std::uint64_t Directory::make(Shared<std::uint64_t>& place, std::string_view name,
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
  if (place.replace(found, *offset)) return *offset;
  heap.free(*offset, block_bytes);
  return found;
}

bool Directory::arrive(std::string_view name, int count, const WaitEnd& end) {
  if (count < 1)
    base::fail(base::Status::invalid_argument, "counter '{}': count is {} but must be 1 or more",
               name, count);
  if (count > transport::shm::capacity) {
    base::fail(base::Status::invalid_argument,
               "counter '{}': count is {} but a job has at most {} processes", name, count,
               transport::shm::capacity);
  }
  auto& counter = *static_cast<ArrivalCounter*>(record(name, sizeof(ArrivalCounter)));
  const ArrivalCounter::Arrived arrived = counter.arrive(*mapping_, self_, count, *waiter_);
  switch (arrived.answer) {
    case ArrivalCounter::Answer::complete:
      return true;
    case ArrivalCounter::Answer::wait:
      return wait_for_end(counter, arrived.round, end);
    case ArrivalCounter::Answer::mismatch:
      break;
  }
  base::fail(base::Status::mismatch, "counter '{}' waits for {} processes but this one says {}",
             name, arrived.wanted, count);
}

// Returns false if the wait was given up and the arrival taken back.
bool Directory::wait_for_end(ArrivalCounter& counter, std::uint32_t round, const WaitEnd& end) {
  using transport::Look;
  try {
    const bool is_over = waiter_->wait_until(
        [&] { return counter.over(round) ? Look::done : Look::nothing; },
        [](transport::WaitInfo& info) { info.kind = transport::WaitInfo::For::any; }, end);
    return is_over || !counter.withdraw(*mapping_, self_, round, *waiter_);
  } catch (...) {
    if (counter.withdraw(*mapping_, self_, round, *waiter_)) throw;
  }
  return true;
}

}  // namespace tutti::services
