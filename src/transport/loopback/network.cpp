// SPDX-License-Identifier: BSD-3-Clause
// Queues and fragments of the loopback network that the tests use.
#include "transport/loopback/network.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tutti::transport::loopback {

class LoopbackChannel final : public Channel {
 public:
  LoopbackChannel(LoopbackNetwork& network, int self, int peer)
      : network_(&network), self_(self), peer_(peer) {}

  bool ready() override {
    return network_->queue(self_, peer_).size() < network_->options_.packets;
  }

  void post_inline(Label label, const void* payload, std::uint32_t bytes) override {
    const auto* first = static_cast<const std::byte*>(payload);
    network_->queue(self_, peer_).push_back({label, bytes, bytes, {first, first + bytes}, nullptr});
  }
  std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                     std::uint32_t bytes) override {
    auto* memory = reinterpret_cast<LoopbackNetwork::Memory*>(fragment.name);
    network_->queue(self_, peer_).push_back({label, total, bytes, {}, memory});
    return 0;  // nothing is offered here, so nobody asks for numbers
  }

  const Packet* peek() override {
    const auto& queue = network_->queue(peer_, self_);
    if (queue.empty()) return nullptr;
    const LoopbackNetwork::Stored& stored = queue.front();
    const std::byte* payload =
        stored.fragment != nullptr ? stored.fragment->bytes.data() : stored.inline_payload.data();
    packet_ = {stored.label, stored.total, stored.bytes, payload};
    return &packet_;
  }
  void pop() override {
    auto& queue = network_->queue(peer_, self_);
    if (queue.front().fragment != nullptr) --queue.front().fragment->readers;
    queue.pop_front();
  }
  [[nodiscard]] int peer() const override { return peer_; }

 private:
  LoopbackNetwork* network_;
  int self_, peer_;
  Packet packet_{};
};

namespace {

CutLimits limits_of(const LoopbackOptions& options) {
  return {.at_once = 40,
          .fragment = options.fragment_limit,
          .overlap = options.fragment_limit / 2,
          .overlap_long = options.fragment_limit,
          .overlap_to = options.fragment_limit};
}

}  // namespace

Loopback::Loopback(LoopbackNetwork& network, int self)
    : Transport(network.options_.tuning, limits_of(network.options_)),
      network_(&network),
      self_(self) {}
Loopback::~Loopback() = default;

Channel& Loopback::channel(int endpoint) {
  if (channels_.empty()) channels_.resize(static_cast<std::size_t>(network_->size()));
  auto& slot = channels_.at(static_cast<std::size_t>(endpoint));
  if (!slot) slot = std::make_unique<LoopbackChannel>(*network_, self_, endpoint);
  return *slot;
}

int Loopback::spin_turns() const {
  return network_->options_.spin_turns;
}

Lent Loopback::acquire(std::uint32_t bytes, std::uint32_t readers, int /*first*/) {
  auto& memory = network_->memory_;
  while (!memory.empty() && memory.front().readers == 0) memory.pop_front();
  const auto in_use = std::count_if(memory.begin(), memory.end(), [this](const auto& fragment) {
    return fragment.owner == self_ && fragment.readers > 0;
  });
  if (static_cast<std::size_t>(in_use) >= network_->options_.fragments) return {};
  LoopbackNetwork::Memory& fragment =
      memory.emplace_back(LoopbackNetwork::Memory{std::vector<std::byte>(bytes), readers, self_});
  non_temporal_ = !non_temporal_;
  return {fragment.bytes.data(), reinterpret_cast<std::uint64_t>(&fragment), non_temporal_};
}

void Loopback::idle(int /*turn*/, const WaitInfo& /*info*/) {
  base::fail(base::Status::would_wait, "a loopback endpoint cannot wait: advance the others");
}

LoopbackNetwork::LoopbackNetwork(int endpoints, const LoopbackOptions& options)
    : options_(options),
      queues_(static_cast<std::size_t>(endpoints) * static_cast<std::size_t>(endpoints)) {
  for (int id = 0; id < endpoints; ++id)
    endpoints_.push_back(std::make_unique<Loopback>(*this, id));
}

bool LoopbackNetwork::quiet() const {
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const auto& queue) { return queue.empty(); }) &&
         std::all_of(memory_.begin(), memory_.end(),
                     [](const Memory& fragment) { return fragment.readers == 0; });
}

}  // namespace tutti::transport::loopback
