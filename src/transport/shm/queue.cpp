// SPDX-License-Identifier: BSD-3-Clause
// Frees buffers and rings whose sender or receiver has gone.
#include "transport/shm/queue.hpp"

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

void free_buffer(const Mapping& mapping, std::uint64_t buffer) {
  const BufferHeader& header = *mapping.at<BufferHeader>(buffer);
  if (header.in_ring == 0) Heap(mapping).free(buffer, sizeof(BufferHeader) + header.bytes);
}

}  // namespace

void release_buffer(const Mapping& mapping, std::uint64_t buffer) {
  const std::uint32_t before = mapping.at<BufferHeader>(buffer)->readers.fetch_sub(1);
  if (before == (BufferHeader::abandon | 1)) free_buffer(mapping, buffer);
}

void abandon_buffer(const Mapping& mapping, std::uint64_t buffer) {
  if (mapping.at<BufferHeader>(buffer)->readers.fetch_or(BufferHeader::abandon) == 0)
    free_buffer(mapping, buffer);
}

bool was_cut_off(const Mapping& mapping, int slot) {
  const Presence presence = mapping.endpoint(slot).presence.load();
  return presence == Presence::left || presence == Presence::dead;
}

void drop_queue(const Mapping& mapping, int reader, int writer) {
  Endpoint& receiver = mapping.endpoint(reader);
  auto& shown = receiver.inbound[static_cast<int>(Lane::mailbox)][writer];
  const std::uint64_t entry = shown.load();
  if (entry == 0) return;
  const bool cut_off = was_cut_off(mapping, writer);
  receiver.taken[writer].store(0);
  receiver.contacts[writer / 64].fetch_and(~(std::uint64_t{1} << (writer % 64)));
  // From here on the slot of the departed side may get a new process, which shows a ring of its own
  // in this entry.
  shown.store(0);
  Heap heap(mapping);
  std::uint64_t offset = ring_of(entry);
  std::uint64_t next = mapping.at<LineRing>(offset)->consumed.load(std::memory_order_acquire);
  for (;;) {
    const Line& line = mapping.at<LineRing>(offset)->line(next);
    if (line.stamp.load(std::memory_order_acquire) != stamp_of(next++)) break;
    if (is_link(line)) {
      const std::uint64_t following = line.outside.fragment;
      heap.free(offset, sizeof(LineRing));
      offset = following;
      next = 0;
    } else if (line.total > line_payload) {
      // The mark is set while this reader still counts, so that the buffer cannot be freed twice.
      if (cut_off)
        mapping.at<BufferHeader>(line.outside.fragment)->readers.fetch_or(BufferHeader::abandon);
      release_buffer(mapping, line.outside.fragment);
    }
  }
  heap.free(offset, sizeof(LineRing));
}

}  // namespace tutti::transport::shm
