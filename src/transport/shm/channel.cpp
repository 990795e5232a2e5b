// SPDX-License-Identifier: BSD-3-Clause
// Posts, peeks at and pops packets of shared-memory channels.
#include "transport/shm/channel.hpp"

#include <sys/mman.h>

#include "base/copy.hpp"
#include "base/error.hpp"

namespace tutti::transport::shm {

bool ShmChannel::ready() {
  if (out_.room() != nullptr) [[likely]]
    return true;
  if (!out_.connected()) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for messages from endpoint {} to {}: raise TUTTI_SHM_LIMIT or "
               "start fewer ranks",
               self_, peer());
  }
  return false;
}

void ShmChannel::post_inline(Label label, const void* payload, std::uint32_t bytes) {
  Line& line = out_.line();
  line.set_label(label);
  line.total = bytes;
  base::copy_bytes(bytes <= line_payload ? line.payload : out_.payload_place(bytes), payload,
                   bytes);
  out_.publish(line);
}

void ShmChannel::post(Label label, std::uint64_t total, const Lent& fragment, std::uint32_t bytes) {
  Line& line = out_.line();
  line.set_label(label);
  line.total = total;
  line.outside.fragment = fragment.name;
  line.outside.bytes = bytes;
  line.outside.kind = fragments_->last_is_timed() ? kind_timed : kind_fragment;
  fragments_->posted(out_);
  out_.publish(line);
}

// Maps the peer's whole ring at its first fragment. The sender has populated the ring, but each
// page would still fault once in this process, and a fault per page takes as long as the message
// itself. Asking for reading is twice as fast as asking for writing, because the kernel maps pages
// around a read fault. Shared pages mapped so can be written, too.
void ShmChannel::map_fragments() {
  mapped_ = true;
  // Failure is harmless: the pages then fault one by one.
  (void)madvise(mapping_->at<std::byte>(mapping_->endpoint(slot_of(peer())).fragment_ring.peek()),
                static_cast<std::size_t>(mapping_->tuning().fragment_ring), MADV_POPULATE_READ);
}

const Packet* ShmChannel::peek() {
  if (in_hand_) return &packet_;
  const Line* const line = in_.next();
  if (line == nullptr) return nullptr;
  packet_.label = line->label();
  packet_.total = line->total;
  in_fragment_ = line->total > most_inline;
  if (!in_fragment_) {
    packet_.bytes = static_cast<std::uint32_t>(line->total);
    packet_.payload = line->total <= line_payload ? line->payload : in_.payload(*line);
  } else {
    packet_.bytes = line->outside.bytes;
    if (!mapped_) [[unlikely]]
      map_fragments();
    in_.prefetch_next();
    auto* const header = mapping_->at<LentHeader>(line->outside.fragment);
    timed_ = line->outside.kind == kind_timed ? header : nullptr;
    if (timed_ != nullptr) timed_->begin_time();
    packet_.payload = reinterpret_cast<std::byte*>(header + 1);
  }
  in_hand_ = true;
  return &packet_;
}

// The sender reclaims fragments by the count of packets taken, so it is told at once after one.
void ShmChannel::pop() {
  in_hand_ = false;
  if (in_fragment_ && timed_ != nullptr) timed_->end_time();
  in_.pop(in_fragment_ ? Tell::now : Tell::in_time);
}

void ShmChannel::part() {
  const Presence presence = mapping_->endpoint(slot_of(peer())).presence.see();
  if (out_.connected() && (presence == Presence::dead || out_.pending() == 0)) out_.drop();
  if (peek() == nullptr) in_.drop();
}

std::optional<UnreadPacket> ShmChannel::unread() {
  const int self = endpoint_id(self_, mapping_->endpoint(self_).generation.see());
  if (const Packet* const packet = peek()) return UnreadPacket{peer(), self, packet->label};
  if (!out_.connected()) return std::nullopt;
  // If the peer is still here, it looks at the channel itself when it leaves. It then sees all
  // packets, because it changes its presence after this exchange.
  auto& presence = mapping_->endpoint(slot_of(peer())).presence;
  Presence seen = Presence::attached;
  if (presence.replace(seen, Presence::attached)) return std::nullopt;
  if (seen != Presence::finalized) return std::nullopt;
  const Line* const pending = out_.oldest_pending();
  if (pending == nullptr) return std::nullopt;
  return UnreadPacket{self, peer(), pending->label()};
}

}  // namespace tutti::transport::shm
