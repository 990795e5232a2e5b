// SPDX-License-Identifier: BSD-3-Clause
// Records in the segment which send buffers this process has made, or which buffers of others it
// holds, so that others can free them when it has ended in whatever way.
#pragma once

#include <vector>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

class BufferRecords {
 public:
  BufferRecords(const Mapping& mapping, BufferTable& first);

  // Records a buffer. Returns nullptr if the job's memory does not suffice for one more table.
  [[nodiscard]] Shared<std::uint64_t>* add(std::uint64_t offset);
  // Called before the buffer is freed: a record must never lead to one that has another owner.
  void remove(Shared<std::uint64_t>* record);

 private:
  [[nodiscard]] bool add_table();
  void offer(BufferTable& table);

  const Mapping* mapping_;
  BufferTable* first_;
  Heap heap_;
  std::vector<Shared<std::uint64_t>*> free_;  // the record that was freed last is used first
};

}  // namespace tutti::transport::shm
