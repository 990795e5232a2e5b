// SPDX-License-Identifier: BSD-3-Clause
// A channel of the collective lane to a process on another host. The receiver grants credits, so
// that a quick sender cannot fill the receiver's memory.
#pragma once

#include "base/fifo.hpp"
#include "transport/transport.hpp"
#include "transport/wire/link.hpp"

namespace tutti::transport::wire {

class RemoteChannel final : public Channel {
 public:
  static constexpr std::uint64_t window = base::fixed::wire_window;  // packets in flight at most

  RemoteChannel(WireLink& link, int peer) : link_(&link), peer_(peer) {}
  ~RemoteChannel() override;
  RemoteChannel(const RemoteChannel&) = delete;
  RemoteChannel& operator=(const RemoteChannel&) = delete;

  bool ready() override;
  void post_inline(Label label, const void* payload, std::uint32_t bytes) override;
  std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                     std::uint32_t bytes) override;
  const Packet* peek() override;
  void pop() override;
  [[nodiscard]] int peer() const override { return peer_; }

  void deliver(Frame frame);

 private:
  void post_copy(Label label, std::uint64_t total, const void* payload, std::uint32_t bytes);

  WireLink* link_;
  int peer_;
  std::uint64_t sent_ = 0;
  std::uint64_t room_until_ = window;
  std::uint64_t let_go_ = 0;  // released packets that the peer has not been told of
  base::Fifo<Frame> arrived_;
  bool in_hand_ = false;
  Packet packet_{};
};

}  // namespace tutti::transport::wire
