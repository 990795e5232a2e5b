// SPDX-License-Identifier: BSD-3-Clause
// Finds channels by endpoint.
#include "transport/shm/transport.hpp"

#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {

ShmTransport::ShmTransport(const Mapping& mapping, int self)
    : Transport(mapping.tuning()),
      mapping_(&mapping),
      self_(endpoint_id(self, mapping.endpoint(self).generation.see())),
      clock_(&steady_clock()),
      channels_(capacity),
      fragments_(LentMemory::of_fragments(mapping, self, *clock_)),
      numbers_(mapping, self),
      idler_(mapping, self, *clock_, fragments_) {}

Channel& ShmTransport::channel(int endpoint) {
  if (endpoint < 0 ||
      mapping_->endpoint(slot_of(endpoint)).generation.see() != generation_of(endpoint)) {
    fail_departed(*mapping_, endpoint);
  }
  auto& slot = channels_[static_cast<std::size_t>(slot_of(endpoint))];
  if (slot && slot->peer() != endpoint) old_.push_back(std::move(slot));
  if (!slot)
    slot = std::make_unique<ShmChannel>(*mapping_, fragments_, long_messages_, slot_of(self_),
                                        endpoint);
  return *slot;
}

void ShmTransport::publish_taken() {
  for (const auto& channel : channels_)
    if (channel) channel->publish_taken();
}

void ShmTransport::part_from(int endpoint) {
  const auto& channel = channels_[static_cast<std::size_t>(slot_of(endpoint))];
  if (channel && channel->peer() == endpoint) channel->part();
}

// Looks also at peers from which nothing was expected, and which therefore have no channel yet.
void ShmTransport::for_each_sender(void (*visit)(void* user, int peer), void* user) {
  const auto& inbound =
      mapping_->endpoint(slot_of(self_)).inbound[static_cast<int>(Lane::collective)];
  const auto slots = static_cast<int>(mapping_->header().slots.see());
  for (int slot = 0; slot < slots; ++slot)
    if (channels_[static_cast<std::size_t>(slot)] != nullptr || inbound[slot].see() != 0)
      visit(user, endpoint_id(slot, mapping_->endpoint(slot).generation.see()));
}

std::optional<UnreadPacket> ShmTransport::unread() {
  struct Search {
    ShmTransport& transport;
    std::optional<UnreadPacket> found{};
  } search{*this};
  for_each_sender(
      [](void* user, int peer) {
        auto& [transport, found] = *static_cast<Search*>(user);
        if (!found) found = static_cast<ShmChannel&>(transport.channel(peer)).unread();
      },
      &search);
  return search.found;
}

}  // namespace tutti::transport::shm
