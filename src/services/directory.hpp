// SPDX-License-Identifier: BSD-3-Clause
// Named records in shared memory, and counters by name at which processes wait for each other. The
// functions of api/ use it.
#pragma once

#include <cstdint>
#include <string_view>

#include "transport/shm/mapping.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

class ArrivalCounter;

class Directory {
 public:
  // `self` is this process's endpoint id.
  Directory(const transport::shm::Mapping& mapping, int self, transport::Waiter& waiter)
      : mapping_(&mapping), self_(self), waiter_(&waiter) {}

  // Returns the record's `bytes` bytes, zeroed by the process that asks first. Throws Error when
  // the name is too long or belongs to a record of another size, or when the directory or the
  // memory is full.
  [[nodiscard]] void* record(std::string_view name, std::int64_t bytes);

  // Waits until `count` processes have arrived under this name. The last one releases all, and the
  // counter starts anew. Processes that have ended do not count. Returns false if `end` came
  // before; then this process does not count as arrived.
  bool arrive(std::string_view name, int count, const transport::WaitEnd& end = {});

 private:
  bool wait_for_end(ArrivalCounter& counter, std::uint32_t round, const transport::WaitEnd& end);

  const transport::shm::Mapping* mapping_;
  int self_;
  transport::Waiter* waiter_;
};

}  // namespace tutti::services
