// SPDX-License-Identifier: BSD-3-Clause
// Sends each packet as a frame and keeps arrived frames until they are popped.
#include "transport/wire/channel.hpp"

#include "base/copy.hpp"

namespace tutti::transport::wire {

RemoteChannel::~RemoteChannel() {
  for (const Frame frame : arrived_) link_->give_back(frame);
}

bool RemoteChannel::ready() {
  if (sent_ < room_until_) [[likely]]
    return true;
  link_->advance();
  return sent_ < room_until_;
}

void RemoteChannel::post_copy(Label label, std::uint64_t total, const void* payload,
                              std::uint32_t bytes) {
  const Frame frame = link_->make(FrameKind::packet, label, total, bytes);
  base::copy_bytes(frame.payload(), payload, bytes);
  link_->send(peer_, frame);
  ++sent_;
}

void RemoteChannel::post_inline(Label label, const void* payload, std::uint32_t bytes) {
  post_copy(label, bytes, payload, bytes);
}

std::uint64_t RemoteChannel::post(Label label, std::uint64_t total, const Lent& fragment,
                                  std::uint32_t bytes) {
  post_copy(label, total, fragment.data, bytes);
  return 0;  // nothing is offered here, so nobody asks for numbers
}

void RemoteChannel::deliver(Frame frame) {
  if (frame.header().kind == FrameKind::packet) return arrived_.push_back(frame);
  room_until_ += frame.header().total;
  link_->give_back(frame);
}

const Packet* RemoteChannel::peek() {
  if (in_hand_) return &packet_;
  if (arrived_.empty()) {
    link_->advance();
    if (arrived_.empty()) return nullptr;
  }
  const Frame frame = arrived_.front();
  const FrameHeader& header = frame.header();
  packet_ = {header.label, header.total, header.bytes, frame.payload()};
  in_hand_ = true;
  return &packet_;
}

void RemoteChannel::pop() {
  in_hand_ = false;
  link_->give_back(arrived_.front());
  arrived_.pop_front();
  if (++let_go_ < window / 4) return;
  link_->tell(peer_, FrameKind::room, let_go_);
  let_go_ = 0;
}

}  // namespace tutti::transport::wire
