// SPDX-License-Identifier: BSD-3-Clause
// Keeps packets for those that wait for them later (draining.hpp).
#include "transport/timed/draining.hpp"

#include <deque>
#include <vector>

namespace tutti::timed {

using transport::Label;
using transport::Lent;
using transport::Packet;

class DrainingTransport::DrainingChannel final : public transport::Channel {
 public:
  explicit DrainingChannel(transport::Channel& inner) : inner_(&inner) {}

  bool ready() override { return inner_->ready(); }
  void post_inline(Label label, const void* payload, std::uint32_t bytes) override {
    inner_->post_inline(label, payload, bytes);
  }
  std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                     std::uint32_t bytes) override {
    return inner_->post(label, total, fragment, bytes);
  }

  // The oldest packet stays in the inner channel until it is popped, or drained.
  const Packet* peek() override {
    if (kept_.empty()) {
      const Packet* const packet = inner_->peek();
      if (packet == nullptr) return nullptr;
      kept_.push_back({.packet = *packet, .bytes = {}, .in_channel = true});
    }
    return &kept_.front().packet;
  }
  void pop() override {
    if (kept_.front().in_channel) inner_->pop();
    kept_.pop_front();
  }
  [[nodiscard]] int peer() const override { return inner_->peer(); }

  bool drain() {
    bool moved = false;
    if (!kept_.empty() && kept_.front().in_channel) {
      keep(kept_.front());
      moved = true;
    }
    for (const Packet* packet = inner_->peek(); packet != nullptr; packet = inner_->peek()) {
      kept_.push_back({.packet = *packet, .bytes = {}, .in_channel = true});
      keep(kept_.back());
      moved = true;
    }
    return moved;
  }

 private:
  struct Kept {
    Packet packet;
    std::vector<std::byte> bytes;
    bool in_channel;
  };
  void keep(Kept& kept) {
    kept.bytes.assign(kept.packet.payload, kept.packet.payload + kept.packet.bytes);
    kept.packet.payload = kept.bytes.data();
    kept.in_channel = false;
    inner_->pop();
  }

  transport::Channel* inner_;
  std::deque<Kept> kept_;  // only the first one may still be in the channel
};

DrainingTransport::DrainingTransport(transport::shm::ShmTransport& inner)
    : Transport(inner.tuning(), inner.limits()), inner_(&inner) {}
DrainingTransport::~DrainingTransport() = default;

transport::Channel& DrainingTransport::channel(int endpoint) {
  return note(endpoint);
}

DrainingTransport::DrainingChannel& DrainingTransport::note(int endpoint) {
  auto& slot = channels_[endpoint];
  if (!slot) slot = std::make_unique<DrainingChannel>(inner_->channel(endpoint));
  return *slot;
}

// The inner idler counts from its own number of polls, after which it yields for a while.
void DrainingTransport::idle(int turn, const transport::WaitInfo& info) {
  if (drain()) return;
  transport::Idler& idler = inner_->idler();
  const auto yields = static_cast<int>(tuning().yields_crowded);
  idler.idle(idler.spin_turns() + yields + turn - spin_turns(), info);
}

bool DrainingTransport::drain() {
  inner_->for_each_sender(
      [](void* self, int peer) { static_cast<DrainingTransport*>(self)->note(peer); }, this);
  bool moved = false;
  for (const auto& [peer, channel] : channels_) moved = channel->drain() || moved;
  return moved;
}

}  // namespace tutti::timed
