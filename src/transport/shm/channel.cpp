// SPDX-License-Identifier: BSD-3-Clause
// Posts, peeks at and pops packets of shared-memory channels.
#include "transport/shm/channel.hpp"

#include <sys/mman.h>

#include <algorithm>

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

std::uint64_t ShmChannel::post(Label label, std::uint64_t total, const Lent& fragment,
                               std::uint32_t bytes) {
  Line& line = out_.line();
  line.set_label(label);
  line.total = total;
  line.outside.fragment = fragment.name;
  line.outside.bytes = bytes;
  line.outside.kind = fragments_->last_is_timed() ? kind_timed : kind_fragment;
  fragments_->posted(out_);
  out_.publish(line);
  return out_.sent();
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
  packet_.number = in_.taken() + 1;
  packet_.handed_over = false;
  in_fragment_ = line->total > most_inline;
  if (!in_fragment_) {
    packet_.bytes = static_cast<std::uint32_t>(line->total);
    packet_.payload = line->total <= line_payload ? line->payload : in_.payload(*line);
  } else {
    read_line(*line);
  }
  in_hand_ = true;
  return &packet_;
}

// Reads the line of a packet whose bytes lie elsewhere.
void ShmChannel::read_line(const Line& line) {
  packet_.bytes = line.outside.bytes;
  timed_ = nullptr;
  left_ = 0;
  packet_.handed_over = line.outside.kind == kind_together;
  if (packet_.handed_over) return;
  if (line.outside.kind == kind_in_place) {
    packet_.payload = mapping_->at<std::byte>(line.outside.fragment);
    left_ = line.outside.bytes;
    part_ = line.outside.part;
    return show_part();
  }
  if (!mapped_) [[unlikely]]
    map_fragments();
  in_.prefetch_next();
  auto* const header = mapping_->at<LentHeader>(line.outside.fragment);
  if (line.outside.kind == kind_timed) {
    timed_ = header;
    timed_->begin_time();
  }
  packet_.payload = reinterpret_cast<std::byte*>(header + 1);
}

// A message that is read in place looks like packets, so that it can be combined like them.
void ShmChannel::show_part() {
  packet_.bytes = std::min(part_, left_);
  left_ -= packet_.bytes;
}

// The sender reclaims fragments by the count of packets taken, so it is told at once after one.
void ShmChannel::pop() {
  if (in_fragment_ && left_ > 0) {
    packet_.payload += packet_.bytes;
    return show_part();
  }
  in_hand_ = false;
  if (in_fragment_ && timed_ != nullptr) timed_->end_time();
  in_.pop(in_fragment_ ? Tell::now : Tell::in_time);
}

// --- long messages without packets ---

void ShmChannel::wake_peer() {
  wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(peer())));
}

void ShmChannel::offer(const Offer& offer) {
  HandoverSlot* const slot = in_.handover();
  if (slot == nullptr) return;
  const LongMessage& message = offer.message;
  const OfferTerms terms{.label = message.label,
                         .most = message.total,
                         .first = message.first == 0 ? in_.taken() + 1 : message.first,
                         .to = offer.to,
                         .waits = offer.waits,
                         .reaches = offer.to != nullptr && reach_.possible()};
  if (taking_.offer(*slot, terms)) wake_peer();
}

void ShmChannel::withdraw(const std::byte* to) {
  HandoverSlot* const slot = in_.handover();
  if (slot == nullptr || !taking_.stands() || taking_.terms().to != to) return;
  taking_.withdraw(*slot);
  wake_peer();
}

Look ShmChannel::take_part() {
  HandoverSlot& slot = *in_.handover();
  const Look look = taking_.copy(slot, reach_);
  if (look == Look::done || !taking_.is_given_up(slot)) return look;
  if (!taking_.has_failed(slot))
    base::fail(base::Status::system_error, "the sender of a long message has given it up");
  // The rest comes in packets, of which this one is the first and has no bytes.
  taking_.withdraw(slot);
  packet_.handed_over = false;
  packet_.bytes = 0;
  wake_peer();
  return Look::progress;
}

HandedOver ShmChannel::hand_over(const Rest& rest) {
  HandoverSlot* const slot = out_.handover();
  if (!ready()) return HandedOver::no;
  Handing::Accepted accepted;
  if (slot != nullptr) accepted = handing_.accept(*slot, rest, out_.sent() + 1, reach_);
  if (accepted.kind == 0) {
    const bool may_come = mapping_->has(rest.from) || (rest.may_wait && reach_.possible());
    return may_come && !accepted.refused ? HandedOver::soon : HandedOver::no;
  }
  Line& line = out_.line();
  line.set_label(rest.message.label);
  line.total = rest.message.total;
  line.outside = {accepted.offset, static_cast<std::uint32_t>(rest.message.total - rest.done),
                  accepted.kind, rest.part};
  out_.publish(line);
  handed_ = out_.sent();
  in_place_ = accepted.kind == kind_in_place;
  ++(in_place_ ? sent_->in_place : sent_->together);
  return HandedOver::yes;
}

Helped ShmChannel::help() {
  if (in_place_) return out_.taken(handed_) ? Helped::done : Helped::nothing;
  HandoverSlot* const slot = out_.handover();
  if (slot == nullptr) return Helped::done;  // the peer has gone, and its ring
  const Look look = handing_.copy(*slot, reach_);
  if (look == Look::nothing) return Helped::nothing;
  wake_peer();
  if (look == Look::progress) return Helped::progress;
  return handing_.has_failed(*slot) ? Helped::returned : Helped::done;
}

void ShmChannel::give_up() {
  HandoverSlot* const slot = out_.handover();
  if (slot == nullptr || in_place_) return;
  // Failure is harmless: the operation fails, whether the peer has the message or not.
  static_cast<void>(handing_.give_up(*slot, peer()));
  wake_peer();
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
