// SPDX-License-Identifier: BSD-3-Clause
// Finds channels by endpoint, and notices waits for processes that are gone.
#include "transport/shm/transport.hpp"

#include "base/error.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {

ShmTransport::ShmTransport(const Mapping& mapping, int self)
    : Transport(mapping.tuning()),
      mapping_(&mapping),
      self_(endpoint_id(self, mapping.endpoint(self).generation.load())),
      waiter_(mapping, self),
      channels_(capacity),
      fragments_(mapping, self) {}

Channel& ShmTransport::channel(int endpoint) {
  if (endpoint < 0 ||
      mapping_->endpoint(slot_of(endpoint)).generation.load() != generation_of(endpoint)) {
    fail_departed(*mapping_, endpoint);
  }
  auto& slot = channels_[static_cast<std::size_t>(slot_of(endpoint))];
  if (slot && slot->peer() != endpoint) old_.push_back(std::move(slot));
  if (!slot) slot = std::make_unique<ShmChannel>(*mapping_, fragments_, slot_of(self_), endpoint);
  return *slot;
}

void ShmTransport::publish_taken() {
  for (const auto& channel : channels_)
    if (channel) channel->publish_taken();
}

// Looks also at peers from which nothing was expected, and which therefore have no channel yet.
std::optional<UnreadPacket> ShmTransport::unread() {
  const auto& inbound =
      mapping_->endpoint(slot_of(self_)).inbound[static_cast<int>(Lane::collective)];
  const auto slots = static_cast<int>(mapping_->header().slots.load());
  for (int slot = 0; slot < slots; ++slot) {
    const bool made = channels_[static_cast<std::size_t>(slot)] != nullptr;
    if (!made && inbound[slot].load(std::memory_order_acquire) == 0) continue;
    const int peer = endpoint_id(slot, mapping_->endpoint(slot).generation.load());
    const auto found = static_cast<ShmChannel&>(channel(peer)).unread();
    if (found) return found;
  }
  return std::nullopt;
}

int ShmTransport::lost_endpoint(const Waiting& waiting) const {
  if (waiting.or_more) return -1;
  int first = -1;
  for (const int endpoint : waiting.endpoints) {
    const bool gone = lost(*mapping_, endpoint);
    if (gone && first < 0) first = endpoint;
    if (gone != (waiting.kind == Waiting::For::any)) return gone ? endpoint : -1;
  }
  return first;
}

// The caller polls between two calls, and may then wait for fewer endpoints than before: a process
// that has left may have sent all that was expected from it.
void ShmTransport::idle(int turn, const Waiting& waiting) {
  if (lost_ >= 0 && lost_endpoint(waiting) == lost_) fail_departed(*mapping_, lost_);
  if (in_vain_) {
    base::fail(base::Status::peer_left,
               "all processes of the job wait, and nobody is left to send what they wait for");
  }
  const SegmentHeader& header = mapping_->header();
  if (!waits_) standstills_ = header.standstills.load(std::memory_order_relaxed);
  waits_ = true;
  waiter_.idle(turn, waiting);
  fragments_.waited();
  const bool for_ever = waiting.until == Waiting::Until::it_comes;
  const bool alone = for_ever && header.alone.load(std::memory_order_relaxed) != 0;
  in_vain_ = alone || header.standstills.load(std::memory_order_acquire) != standstills_;
  if (header.departures.load(std::memory_order_acquire) != 0) lost_ = lost_endpoint(waiting);
}

}  // namespace tutti::transport::shm
