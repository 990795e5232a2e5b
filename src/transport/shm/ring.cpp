// SPDX-License-Identifier: BSD-3-Clause
// Makes, links and frees rings. A kill at any instruction loses at most one block.
#include "transport/shm/ring.hpp"

#include <cstddef>
#include <cstring>

#include "transport/shm/heap.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {
namespace {

template <Lane lane>
constexpr std::size_t ring_bytes = lane == Lane::collective ? sizeof(PacketRing) : sizeof(LineRing);

template <Lane lane>
Shared<std::uint64_t>& entry_of(const Mapping& mapping, int reader, int writer) {
  return mapping.endpoint(reader).inbound[static_cast<int>(lane)][writer];
}

// Returns a ring without packets, nullptr at the job's limit.
template <Lane lane>
LineRing* new_ring(const Mapping& mapping) {
  const auto offset = Heap(mapping).allocate(ring_bytes<lane>);
  if (!offset) return nullptr;
  auto* const ring = mapping.at<LineRing>(*offset);
  constexpr std::size_t cleared =
      lane == Lane::collective ? offsetof(PacketRing, payloads) : sizeof(LineRing);
  std::memset(static_cast<void*>(ring), 0, cleared);
  return ring;
}

// Says to the receiver that it may have mail from this slot, or that it has none.
enum class Contact { made, ended };
void note_contact(Endpoint& receiver, int slot, Contact contact) {
  constexpr int bits = 64;
  auto& word = receiver.contacts[slot / bits];
  const std::uint64_t bit = std::uint64_t{1} << (slot % bits);
  contact == Contact::made ? word.mark(bit) : word.clear(bit);
}

// Makes the receiver go on in the ring to which a link leads. The entry moves before the old ring
// is freed, so that nobody finds the old one there.
std::uint64_t follow_link(const Mapping& mapping, Shared<std::uint64_t>& entry, const Line& link) {
  const std::uint64_t before = entry.peek();
  const std::uint64_t next = link.outside.fragment;
  entry.publish(ring_entry(next, receiver_generation_of(before)));
  Heap(mapping).free(ring_of(before), sizeof(LineRing));
  return next;
}

// Takes and releases the messages that are left in a ring of the mailbox lane, as its receiver
// would.
void release_messages(const Mapping& mapping, Shared<std::uint64_t>& entry) {
  auto* ring = mapping.at<LineRing>(ring_of(entry.see()));
  for (std::uint64_t lines = ring->consumed.see();;) {
    const Line& line = ring->line(lines);
    if (line.stamp.see() != stamp_of(lines)) return;
    if (is_link(line)) {
      ring = mapping.at<LineRing>(follow_link(mapping, entry, line));
      lines = ring->consumed.see();
      continue;
    }
    ring->consumed.publish(++lines);
    if (line.total > line_payload) release_block(mapping, line.outside.fragment);
  }
}

}  // namespace

// A packet of a collective to a rank of the world that has ended is simply never read.
template <Lane lane>
bool RingWriter<lane>::is_awaited() const {
  return (lane == Lane::collective && in_world(*mapping_, slot_of(peer_))) ||
         reachable(*mapping_, peer_);
}

template <Lane lane>
void RingWriter<lane>::require_peer() const {
  if (!is_awaited()) require_reachable(*mapping_, peer_);
}

// The peer may end, and its slot get a new process, at any moment until the ring is shown. If the
// peer is still there afterwards, its slot stays taken until this side has parted from it. If it
// has gone, the ring is taken back.
template <Lane lane>
bool RingWriter<lane>::connect() {
  require_peer();
  LineRing* const ring = new_ring<lane>(*mapping_);
  if (ring == nullptr) return false;
  const std::uint64_t offset = mapping_->offset_of(ring);
  auto& entry = entry_of<lane>(*mapping_, slot_of(peer_), self_);
  entry.show(ring_entry(offset, generation_of(peer_)));
  if (lane == Lane::mailbox) note_contact(*target_, self_, Contact::made);
  if (!is_awaited()) {
    if (lane == Lane::mailbox) note_contact(*target_, self_, Contact::ended);
    entry.publish(0);
    Heap(*mapping_).free(offset, ring_bytes<lane>);
    require_peer();
    return false;
  }
  ring_ = ring;
  room_until_ = lane == Lane::mailbox ? LineRing::lines_count - 1 : LineRing::lines_count;
  return true;
}

// The last free line of a ring of the mailbox lane is kept for the link to the next ring.
template <Lane lane>
bool RingWriter<lane>::make_room() {
  if (ring_ == nullptr) return connect();
  const std::uint64_t consumed = ring_->consumed.see();
  if constexpr (lane == Lane::collective) {
    taken_ = consumed;
    beside_.freed = ring_->freed.see();
    room_until_ = has_room_beside() ? consumed + LineRing::lines_count : lines_;
    return lines_ < room_until_;
  } else {
    require_peer();
    room_until_ = consumed + LineRing::lines_count - 1;
    return lines_ < room_until_ || link_new_ring();
  }
}

template <Lane lane>
bool RingWriter<lane>::link_new_ring() requires(lane == Lane::mailbox) {
  LineRing* const next = new_ring<lane>(*mapping_);
  if (next == nullptr) return false;
  Line& link = line();
  link.total = line_payload + 1;
  link.outside = {mapping_->offset_of(next), 0, kind_link, 0};
  link.stamp.publish(stamp_of(lines_));
  ring_ = next;
  before_ += lines_;
  lines_ = 0;
  room_until_ = LineRing::lines_count - 1;
  return true;
}

// The entry was written by the present process of the sender's slot: no other gets the slot before
// this side has parted from it.
template <Lane lane>
bool RingReader<lane>::accept() {
  const int slot = slot_of(peer_);
  const std::uint64_t entry = entry_of<lane>(*mapping_, self_, slot).see();
  if (entry == 0 || receiver_generation_of(entry) != own_->generation.see()) return false;
  if (sender_->generation.see() != generation_of(peer_)) return false;
  ring_ = mapping_->at<LineRing>(ring_of(entry));
  if (lane == Lane::mailbox) taken_ = own_->taken[slot].peek();
  return true;
}

template <Lane lane>
void RingReader<lane>::follow(const Line& link) {
  auto& entry = entry_of<lane>(*mapping_, self_, slot_of(peer_));
  ring_ = mapping_->at<LineRing>(follow_link(*mapping_, entry, link));
  lines_ = 0;
}

template <Lane lane>
void RingWriter<lane>::drop() {
  if (ring_ == nullptr) return;
  drop_ring<lane>(*mapping_, slot_of(peer_), self_);
  *this = RingWriter(*mapping_, self_, peer_);
  taken_ = std::numeric_limits<std::uint64_t>::max();
}

// While this side has the ring, the slot of the peer gets no new process.
template <Lane lane>
void RingReader<lane>::drop() {
  if (ring_ == nullptr) return;
  drop_ring<lane>(*mapping_, self_, slot_of(peer_));
  *this = RingReader(*mapping_, self_, peer_);
}

template <Lane lane>
void drop_ring(const Mapping& mapping, int reader, int writer) {
  auto& entry = entry_of<lane>(mapping, reader, writer);
  if (entry.see() == 0) return;
  if constexpr (lane == Lane::mailbox) {
    release_messages(mapping, entry);
    Endpoint& receiver = mapping.endpoint(reader);
    receiver.taken[writer].publish(0);
    receiver.credited[writer].publish(0);
    note_contact(receiver, writer, Contact::ended);
  }
  // The slot of the departed side may get a new process as soon as the entry is 0, and that one
  // shows a ring of its own here.
  const std::uint64_t last = ring_of(entry.peek());
  entry.publish(0);
  Heap(mapping).free(last, ring_bytes<lane>);
}

template class RingWriter<Lane::collective>;
template class RingWriter<Lane::mailbox>;
template class RingReader<Lane::collective>;
template class RingReader<Lane::mailbox>;
template void drop_ring<Lane::collective>(const Mapping& mapping, int reader, int writer);
template void drop_ring<Lane::mailbox>(const Mapping& mapping, int reader, int writer);

}  // namespace tutti::transport::shm
