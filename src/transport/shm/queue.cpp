// SPDX-License-Identifier: BSD-3-Clause
// Giving back letters and rings whose sender or receiver has gone.
#include "transport/shm/queue.hpp"

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

void free_letter(const Mapping& mapping, std::uint64_t letter) {
  const LetterHeader& header = *mapping.at<LetterHeader>(letter);
  if (header.in_circle == 0) Heap(mapping).free(letter, sizeof(LetterHeader) + header.bytes);
}

}  // namespace

void let_go_of_letter(const Mapping& mapping, std::uint64_t letter) {
  const std::uint32_t before = mapping.at<LetterHeader>(letter)->readers.fetch_sub(1);
  if (before == (LetterHeader::orphan | 1)) free_letter(mapping, letter);
}

void orphan_letter(const Mapping& mapping, std::uint64_t letter) {
  if (mapping.at<LetterHeader>(letter)->readers.fetch_or(LetterHeader::orphan) == 0)
    free_letter(mapping, letter);
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
  shown.store(0);  // from here on the slot of the one that is gone may have a new process, which
                   // shows itself here
  Heap heap(mapping);
  std::uint64_t offset = ring_of(entry);
  std::uint64_t next = mapping.at<LineRing>(offset)->consumed.load(std::memory_order_acquire);
  for (;;) {
    const Line& line = mapping.at<LineRing>(offset)->line(next);
    if (line.stamp.load(std::memory_order_acquire) != ++next) break;
    if (is_link(line)) {
      const std::uint64_t following = line.outside.chunk;
      heap.free(offset, sizeof(LineRing));
      offset = following;
      next = 0;
    } else if (line.total > line_payload) {
      // Orphaned while this reader still counts, so that it cannot be freed twice.
      if (cut_off)
        mapping.at<LetterHeader>(line.outside.chunk)->readers.fetch_or(LetterHeader::orphan);
      let_go_of_letter(mapping, line.outside.chunk);
    }
  }
  heap.free(offset, sizeof(LineRing));
}

}  // namespace tutti::transport::shm
