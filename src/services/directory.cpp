// SPDX-License-Identifier: BSD-3-Clause
// Checks what is asked for, and waits at counters, which are records.
#include "services/directory.hpp"

#include "base/error.hpp"
#include "services/arrival_counter.hpp"
#include "transport/shm/records.hpp"

namespace tutti::services {

using transport::WaitEnd;
using transport::shm::Record;

void* Directory::record(std::string_view name, std::int64_t bytes) {
  if (name.empty() || name.size() >= Record::name_bytes || bytes < 0) {
    base::fail(base::Status::invalid_argument,
               "record '{}' of {} bytes: a name has 1 to {} characters, a size is not negative",
               name, bytes, Record::name_bytes - 1);
  }
  Record* const found = publish(*mapping_, name, self_, "", bytes).record;
  if (found->bytes == bytes) return found + 1;
  base::fail(base::Status::mismatch, "record '{}' has {} bytes, not {}", name, found->bytes, bytes);
}

bool Directory::arrive(std::string_view name, int count, const WaitEnd& end) {
  if (count < 1 || count > transport::shm::capacity) {
    base::fail(base::Status::invalid_argument, "counter '{}': count is {} but must be from 1 to {}",
               name, count, transport::shm::capacity);
  }
  auto& counter = *static_cast<ArrivalCounter*>(record(name, sizeof(ArrivalCounter)));
  const ArrivalCounter::Arrived arrived = counter.arrive(*mapping_, self_, count, *waiter_);
  if (arrived.answer == ArrivalCounter::Answer::mismatch) {
    base::fail(base::Status::mismatch, "counter '{}' waits for {} processes but this one says {}",
               name, arrived.wanted, count);
  }
  return arrived.answer == ArrivalCounter::Answer::complete ||
         wait_for_end(counter, arrived.round, end);
}

// Returns false if the wait was given up and the arrival taken back.
bool Directory::wait_for_end(ArrivalCounter& counter, std::uint32_t round, const WaitEnd& end) {
  try {
    const bool is_over = waiter_->wait_until(
        [&] { return counter.over(round) ? transport::Look::done : transport::Look::nothing; },
        [](transport::WaitInfo& info) { info.kind = transport::WaitInfo::For::any; }, end);
    return is_over || !counter.withdraw(*mapping_, self_, round, *waiter_);
  } catch (...) {
    if (counter.withdraw(*mapping_, self_, round, *waiter_)) throw;
  }
  return true;
}

}  // namespace tutti::services
