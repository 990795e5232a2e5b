// SPDX-License-Identifier: BSD-3-Clause
// Hands out the records, and adds tables in front of the list when all records are in use.
#include "transport/shm/buffer_records.hpp"

#include <cstring>

namespace tutti::transport::shm {

BufferRecords::BufferRecords(const Mapping& mapping, BufferTable& first)
    : mapping_(&mapping), first_(&first), heap_(mapping) {
  free_.reserve(BufferTable::records_count);
  offer(*first_);
}

void BufferRecords::offer(BufferTable& table) {
  for (auto& record : table.records) free_.push_back(&record);
}

bool BufferRecords::add_table() {
  const auto offset = heap_.allocate(sizeof(BufferTable));
  if (!offset) return false;
  auto* table = mapping_->at<BufferTable>(*offset);
  std::memset(static_cast<void*>(table), 0, sizeof *table);
  table->next.put(first_->next.peek());
  first_->next.publish(*offset);
  offer(*table);
  return true;
}

Shared<std::uint64_t>* BufferRecords::add(std::uint64_t offset) {
  if (free_.empty() && !add_table()) return nullptr;
  Shared<std::uint64_t>* const record = free_.back();
  free_.pop_back();
  record->publish(offset);
  return record;
}

void BufferRecords::remove(Shared<std::uint64_t>* record) {
  record->publish(0);
  free_.push_back(record);
}

}  // namespace tutti::transport::shm
