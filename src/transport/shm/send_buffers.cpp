// SPDX-License-Identifier: BSD-3-Clause
// Frees buffers whose sender has gone.
#include "transport/shm/send_buffers.hpp"

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

void free_buffer(const Mapping& mapping, std::uint64_t buffer) {
  const BufferHeader& header = *mapping.at<BufferHeader>(buffer);
  Heap(mapping).free(buffer, sizeof(BufferHeader) + header.bytes);
}

// Leaves a buffer whose sender has ended to its readers.
void abandon_buffer(const Mapping& mapping, std::uint64_t buffer) {
  BufferHeader& header = *mapping.at<BufferHeader>(buffer);
  const std::uint32_t untold = header.untold.see();
  if (header.readers.add(BufferHeader::abandon - untold) == untold) free_buffer(mapping, buffer);
}

// Calls end(mapping, buffer) for each buffer in the tables, and frees all tables but the first. A
// record is cleared before its buffer may be freed, so that nobody finds a buffer here that has
// another owner.
template <class End>
void clear_tables(const Mapping& mapping, BufferTable& first, const End& end) {
  const auto clear = [&](BufferTable& table) {
    for (auto& record : table.records) {
      if (const std::uint64_t buffer = record.exchange(0); buffer != 0) end(mapping, buffer);
    }
  };
  clear(first);
  while (const std::uint64_t offset = first.next.see()) {
    auto& table = *mapping.at<BufferTable>(offset);
    clear(table);
    // If this process is killed, its supervisor finds the tables that follow.
    first.next.publish(table.next.see());
    Heap(mapping).free(offset, sizeof(BufferTable));
  }
}

// Frees the ring unless somebody still reads in it.
void hand_over_ring(const Mapping& mapping, Endpoint& sender) {
  const std::uint64_t ring = sender.send_ring.see();
  if (ring == 0) return;
  bool is_read = true;
  for (auto& record : sender.ring_buffers) {
    const std::uint64_t buffer = record.see();
    if (buffer == 0) continue;
    BufferHeader& header = *mapping.at<BufferHeader>(buffer);
    const std::uint32_t untold = header.untold.exchange(0);
    if (header.readers.subtract(untold) == untold) {
      record.publish(0);
    } else {
      is_read = false;
    }
  }
  if (!is_read) return;
  sender.send_ring.publish(0);
  Heap(mapping).free(ring, send_ring_bytes(mapping.header()));
}

}  // namespace

void release_buffer(const Mapping& mapping, std::uint64_t buffer) {
  const std::uint32_t before = mapping.at<BufferHeader>(buffer)->readers.subtract(1);
  if (before == (BufferHeader::abandon | 1)) free_buffer(mapping, buffer);
}

void hand_over_buffers(const Mapping& mapping, int slot) {
  Endpoint& gone = mapping.endpoint(slot);
  clear_tables(mapping, gone.held, release_buffer);
  hand_over_ring(mapping, gone);
  clear_tables(mapping, gone.buffers, abandon_buffer);
}

}  // namespace tutti::transport::shm
