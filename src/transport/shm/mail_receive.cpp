// SPDX-License-Identifier: BSD-3-Clause
// Takes and frees mailbox messages in shared memory, and parts from processes that have ended.
#include <bit>
#include <cstring>

#include "base/copy.hpp"
#include "transport/shm/mail.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

const Shared<std::uint64_t>& written_of(const Mapping& mapping, const Line& buffer) {
  return mapping.at<BufferHeader>(buffer.outside.fragment)->written;
}

}  // namespace

bool ShmMail::first_look(int source, Incoming& from) {
  const int slot = slot_of(source);
  const std::uint64_t shown = entry(self_, slot).see();
  if (shown == 0 || receiver_generation_of(shown) != generation_) return false;
  // The entry was written by the present process of the sender's slot: no other gets the slot
  // before this side has parted from it.
  if (mapping_->endpoint(slot).generation.see() != generation_of(source)) return false;
  const std::uint64_t taken = mapping_->endpoint(self_).taken[slot].peek();
  from = {source, mapping_->at<LineRing>(ring_of(shown)), ring_of(shown), 0, taken};
  return true;
}

// Goes on to the next ring. The entry is changed before the old ring is freed, so that a later
// drop_queue() cannot find the old one.
void ShmMail::follow_link(Incoming& from, const Line& link) {
  const std::uint64_t old = from.offset;
  from.offset = link.outside.fragment;
  from.ring = mapping_->at<LineRing>(from.offset);
  from.in_ring = 0;
  entry(self_, slot_of(from.id)).publish(queue_entry(from.offset, generation_));
  heap_.free(old, sizeof(LineRing));
}

// Publishes one more message taken, and wakes the sender if it waits until all are received. A
// sender that only lacks room never waits: it links a new ring.
inline void ShmMail::count_taken(Incoming& from) {
  from.ring->consumed.publish(++from.in_ring);
  const int slot = slot_of(from.id);
  mapping_->endpoint(self_).taken[slot].publish(++from.taken);
  Endpoint& sender = mapping_->endpoint(slot);
  const SegmentHeader& header = mapping_->header();
  if (asks(header, sender.draining)) wake_if_asleep(header, sender);
}

bool ShmMail::fetch(int source, Arrival& arrival) {
  Incoming& from = incoming(source);
  if (from.id != source && !first_look(source, from)) return false;
  Line* line = &from.ring->line(from.in_ring);
  if (line->stamp.see() != stamp_of(from.in_ring)) return false;
  if (is_link(*line)) {
    follow_link(from, *line);
    return fetch(source, arrival);
  }
  if (line->total > line_payload) {
    if (line->outside.kind == kind_unwritten && written_of(*mapping_, *line).see() != line->total)
      return false;
    take_buffer(from, *line, arrival);
    return true;
  }
  arrival.source = source;
  arrival.key = line->label();
  arrival.bytes = line->total;
  arrival.handle = 0;
  // All of it is copied: a constant length needs no call.
  std::memcpy(arrival.inline_payload, line->payload, line_payload);
  count_taken(from);
  return true;
}

void ShmMail::take_buffer(Incoming& from, const Line& line, Arrival& arrival) {
  arrival.source = from.id;
  arrival.key = line.label();
  arrival.bytes = line.total;
  arrival.handle = line.outside.fragment;
  arrival.buffer = mapping_->at<std::byte>(arrival.handle + sizeof(BufferHeader));
  count_taken(from);
  arrival.record = held_.add(arrival.handle);
}

const Shared<std::uint64_t>* ShmMail::fetch_pipelined(int source, Label key, std::uint64_t bytes,
                                                      Arrival& arrival) {
  Incoming& from = incoming(source);
  if (from.id != source) return nullptr;
  const Line& line = from.ring->line(from.in_ring);
  if (line.stamp.see() != stamp_of(from.in_ring)) return nullptr;
  // The message may have come only now, and be any message.
  const bool is_buffer = bytes > line_payload && line.total == bytes;
  if (!is_buffer || line.label() != key || line.outside.kind != kind_unwritten) return nullptr;
  const Shared<std::uint64_t>& written = written_of(*mapping_, line);
  take_buffer(from, line, arrival);
  return &written;
}

Mail::Taken ShmMail::take_inline(int source, Label key, void* to, std::uint32_t bytes) {
  Incoming& from = incoming(source);
  if (from.id != source) return Taken::other;
  const Line& line = from.ring->line(from.in_ring);
  if (line.stamp.see() != stamp_of(from.in_ring)) return Taken::not_yet;
  if (line.label() != key || line.total != bytes) return Taken::other;
  base::copy_bytes(to, line.payload, bytes);
  count_taken(from);
  return Taken::yes;
}

void ShmMail::contacts(void (*visit)(void* user, int source), void* user) {
  Endpoint& own = mapping_->endpoint(self_);
  for (int word = 0; word < capacity / 64; ++word) {
    for (std::uint64_t bits = own.contacts[word].see(); bits != 0; bits &= bits - 1) {
      const int slot = word * 64 + std::countr_zero(bits);
      visit(user, endpoint_id(slot, mapping_->endpoint(slot).generation.see()));
    }
  }
}

void ShmMail::discard(const Arrival& arrival) {
  if (arrival.handle == 0) return;
  if (arrival.record != nullptr) held_.remove(arrival.record);
  release_buffer(*mapping_, arrival.handle);
  // The sender may be waiting for memory.
  wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(arrival.source)));
}

// --- parting ---

void ShmMail::part(void (*visit)(void* user, int source), void* user) {
  const SegmentHeader& header = mapping_->header();
  const std::uint32_t departures = header.departures.see();
  if (departures == departures_) return;
  departures_ = departures;
  const bool all = header.policy == DeathPolicy::tolerant;
  const auto slots = static_cast<int>(header.slots.see());
  for (int slot = all ? 0 : static_cast<int>(header.world_size); slot < slots; ++slot) {
    // The id is read before the presence. A departed slot may get a new process at any moment, and
    // that process is not the one to part from.
    const int id = endpoint_id(slot, mapping_->endpoint(slot).generation.see());
    if (slot != self_ && departed(mapping_->endpoint(slot).presence.see()))
      part_from(id, visit, user);
  }
}

void ShmMail::part_from(int id, void (*visit)(void* user, int source), void* user) {
  const int slot = slot_of(id);
  Incoming& from = incoming(id);
  if (from.id == id || first_look(id, from)) {
    visit(user, id);
    drop_queue(*mapping_, self_, slot);
    from = {};
  }
  Outgoing& out = outgoing(id);
  if (out.id != id) return;
  drop_queue(*mapping_, slot, self_);
  out = {};
}

}  // namespace tutti::transport::shm
