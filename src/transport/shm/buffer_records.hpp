// SPDX-License-Identifier: BSD-3-Clause
// Records in the segment which blocks of the heap hold send buffers of this process, so that others
// can free them when it has ended in whatever way. CachedBuffer uses it.
#pragma once

#include <atomic>
#include <vector>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

class BufferRecords {
 public:
  BufferRecords(const Mapping& mapping, int self);

  // Records a block. Returns nullptr if the job's memory does not suffice for one more table.
  [[nodiscard]] std::atomic<std::uint64_t>* add(std::uint64_t offset);
  // Called before the block is freed: a record must never lead to a block that has another owner.
  void remove(std::atomic<std::uint64_t>* record);

 private:
  [[nodiscard]] bool add_table();
  void offer(BufferTable& table);

  const Mapping* mapping_;
  BufferTable* first_;
  Heap heap_;
  std::vector<std::atomic<std::uint64_t>*> free_;  // the record that was freed last is used first
};

}  // namespace tutti::transport::shm
