// SPDX-License-Identifier: BSD-3-Clause
// Posts, peeks at and pops packets of shared-memory channels.
#include "transport/shm/channel.hpp"

#include <sys/mman.h>

#include <cstring>

#include "base/copy.hpp"
#include "base/error.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

// Values of Line::outside.kind in the collective lane.
constexpr std::uint32_t kind_fragment = 0,
                        kind_timed = 1;  // the reader adds the time that it took

FragmentHeader& header_of(const std::byte* fragment) {
  return reinterpret_cast<FragmentHeader*>(const_cast<std::byte*>(fragment))[-1];
}

}  // namespace

// Makes the ring and shows it to the peer. A task may end, and its slot get a new process, until
// the ring is shown, so the peer is checked again afterwards (as in ShmMail::first_contact).
bool ShmChannel::make_outgoing() {
  require_peer();
  auto& shared = target_->inbound[static_cast<int>(Lane::collective)][self_];
  const auto offset = Heap(*mapping_).allocate(sizeof(PacketRing));
  if (!offset) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for messages from endpoint {} to {}: raise TUTTI_SHM_LIMIT or "
               "start fewer ranks",
               self_, peer_);
  }
  auto* const ring = mapping_->at<PacketRing>(*offset);
  std::memset(static_cast<void*>(&ring->ring), 0, sizeof(LineRing));
  shared.show(*offset);
  if (!peer_may_come()) {
    shared.publish(0);
    Heap(*mapping_).free(*offset, sizeof(PacketRing));
    require_peer();
  }
  out_ = ring;
  room_until_ = LineRing::lines_count;
  reader_.reads(out_->ring);
  return true;
}

bool ShmChannel::peer_may_come() const {
  return in_world(*mapping_, slot_of(peer_)) || reachable(*mapping_, peer_);
}

void ShmChannel::require_peer() const {
  if (!peer_may_come()) require_reachable(*mapping_, peer_);
}

bool ShmChannel::find_incoming() {
  const auto& own =
      mapping_->endpoint(self_).inbound[static_cast<int>(Lane::collective)][slot_of(peer_)];
  const std::uint64_t offset = own.see();
  if (offset == 0) return false;
  if (target_->generation.see() != generation_of(peer_))
    return false;  // the ring belongs to the next process in the slot
  in_ = mapping_->at<PacketRing>(offset);
  return true;
}

bool ShmChannel::ready() {
  if (sent_ < room_until_) [[likely]]
    return true;
  if (out_ == nullptr) return make_outgoing();
  const std::uint64_t consumed = out_->ring.consumed.see();
  freed_ = out_->ring.freed.see();
  room_until_ = room_for_payload() ? consumed + LineRing::lines_count : sent_;
  return sent_ < room_until_;
}

void ShmChannel::publish(Line& line) {
  line.stamp.publish(stamp_of(sent_++));
  wake_if_asleep(mapping_->header(), *target_);
}

void ShmChannel::post_inline(Label label, const void* payload, std::uint32_t bytes) {
  Line& line = out_->ring.line(sent_);
  line.set_label(label);
  line.total = bytes;
  if (bytes <= line_payload) {
    base::copy_bytes(line.payload, payload, bytes);
    return publish(line);
  }
  base::copy_bytes(out_->payloads + out_places_.take(bytes), payload, bytes);
  publish(line);
  if (!room_for_payload()) room_until_ = sent_;
}

void ShmChannel::post(Label label, std::uint64_t total, const Fragment& fragment,
                      std::uint32_t bytes) {
  Line& line = out_->ring.line(sent_);
  line.set_label(label);
  line.total = total;
  line.outside.fragment = fragment.handle;
  line.outside.bytes = bytes;
  line.outside.kind = kind_fragment;
  if (fragments_->last_is_timed()) {
    line.outside.kind = kind_timed;
    header_of(fragment.data).took += nanoseconds_now();
  }
  fragments_->posted({&reader_, sent_ + 1});
  publish(line);
}

// Maps the peer's whole arena at its first fragment. The sender has populated the arena, but each
// page would still fault once in this process, and a fault per page takes as long as the message
// itself. Asking for reading is twice as fast as asking for writing, because the kernel maps pages
// around a read fault. Shared pages mapped so can be written, too.
void ShmChannel::map_arena() {
  mapped_ = true;
  // Failure is harmless: the pages then fault one by one.
  (void)madvise(mapping_->at<std::byte>(target_->arena.peek()),
                static_cast<std::size_t>(mapping_->tuning().fragment_ring), MADV_POPULATE_READ);
}

const Packet* ShmChannel::peek() {
  if (in_hand_) return &packet_;
  if (in_ == nullptr && !find_incoming()) [[unlikely]]
    return nullptr;
  Line& line = in_->ring.line(received_);
  if (line.stamp.see() != stamp_of(received_)) return nullptr;
  packet_.label = line.label();
  packet_.total = line.total;
  if (line.total <= most_inline) {
    packet_.bytes = static_cast<std::uint32_t>(line.total);
    packet_.payload =
        line.total <= line_payload ? line.payload : in_->payloads + in_places_.take(line.total);
    in_fragment_ = false;
  } else {
    packet_.bytes = line.outside.bytes;
    if (!mapped_) [[unlikely]]
      map_arena();
    in_fragment_ = true;
    // Fetches the next line while the fragment is read.
    __builtin_prefetch(&in_->ring.line(received_ + 1));
    timed_since_ = line.outside.kind == kind_timed ? nanoseconds_now() : 0;
    packet_.payload = mapping_->at<std::byte>(line.outside.fragment);
  }
  in_hand_ = true;
  return &packet_;
}

// Publishes the count of packets taken at once after a fragment, because the sender reclaims
// fragments by that count. Other packets are published in groups.
void ShmChannel::pop() {
  in_hand_ = false;
  ++received_;
  if (in_fragment_ && timed_since_ != 0)
    header_of(packet_.payload).took += nanoseconds_now() - timed_since_;
  const bool tell = in_fragment_ || received_ - published_ >= publish_every_ ||
                    in_places_.end() - told_ >= PacketRing::payload_bytes / 4;
  if (tell) publish_taken();
}

void ShmChannel::publish_taken() {
  if (in_ == nullptr || received_ == published_) return;
  in_->ring.freed.publish(in_places_.end());
  in_->ring.consumed.publish(received_);
  published_ = received_;
  told_ = in_places_.end();
  wake_if_asleep(mapping_->header(), *target_);
}

std::optional<UnreadPacket> ShmChannel::unread() {
  const int self = endpoint_id(self_, mapping_->endpoint(self_).generation.see());
  if (const Packet* const packet = peek()) return UnreadPacket{peer_, self, packet->label};
  if (out_ == nullptr) return std::nullopt;
  // If the peer is still here, it looks at the channel itself when it leaves. It then sees all
  // packets, because it changes its presence after this exchange.
  Presence seen = Presence::attached;
  if (target_->presence.replace(seen, Presence::attached)) return std::nullopt;
  if (seen != Presence::finalized) return std::nullopt;
  const std::uint64_t taken = out_->ring.consumed.see();
  if (taken == sent_) return std::nullopt;
  return UnreadPacket{self, peer_, out_->ring.line(taken).label()};
}

}  // namespace tutti::transport::shm
