// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives mailbox messages between hosts. Arrived messages lie in this process's own
// memory; a mark in their handles tells them from messages in shared memory.
#include "transport/wire/mail.hpp"

#include <fmt/format.h>

#include "base/copy.hpp"
#include "base/error.hpp"

namespace tutti::transport::wire {
namespace {

constexpr std::uint64_t remote_mark = std::uint64_t{1} << 63;

std::uint64_t handle_of(Frame frame) {
  return remote_mark | reinterpret_cast<std::uintptr_t>(frame.base());
}
Frame frame_of(std::uint64_t handle) {
  return Frame(reinterpret_cast<std::byte*>(handle & ~remote_mark));
}

}  // namespace

RemoteMail::~RemoteMail() {
  peers_.for_each([this](int, Peer& peer) {
    for (const Delivered& mail : peer.arrived) link_->give_back(mail.frame);
  });
}

void RemoteMail::require_reachable(int to) const {
  if (!far(to)) return memory_->require_reachable(to);
  if (link_->gone(to)) link_->reject_gone(to);
}

void RemoteMail::send_copy(int to, Label key, const void* payload, std::uint32_t bytes) {
  const Frame frame = link_->make(FrameKind::mail, key, bytes, bytes);
  base::copy_bytes(frame.payload(), payload, bytes);
  link_->send(to, frame);
}

bool RemoteMail::inject(int to, Label key, const void* payload, std::uint32_t bytes) {
  if (!far(to)) return memory_->inject(to, key, payload, bytes);
  require_reachable(to);
  ++peer(to).sent;
  send_copy(to, key, payload, bytes);
  return true;
}

bool RemoteMail::send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                      std::uint64_t ready) {
  if (!far(to)) return memory_->send(to, key, bytes, buffer, ready);
  if (ready < bytes) return false;
  require_reachable(to);
  ++peer(to).sent;
  if (bytes <= link_->longest_in_frame()) {
    send_copy(to, key, buffer.data, static_cast<std::uint32_t>(bytes));
    memory_->withdraw(buffer, 1);
  } else {
    link_->send(to, link_->make(FrameKind::buffer, key, bytes, 0));
    link_->send_body(to, buffer.data, bytes, buffer.name);
  }
  return true;
}

void RemoteMail::body_sent(std::uint64_t handle) {
  memory_->withdraw({nullptr, handle}, 1);
}

void RemoteMail::deliver(int from, Frame frame) {
  Peer& sender = peer(from);
  const FrameHeader header = frame.header();
  if (header.kind == FrameKind::mail) {
    sender.arrived.push_back({frame, header.label, header.bytes, 0});
    return;
  }
  link_->give_back(frame);
  if (header.kind == FrameKind::buffer) {
    // The message joins the queue only after its receive was started without error.
    std::list<Delivered> mail(1, Delivered{Frame(), header.label, header.total, 0});
    mail.front().frame = link_->receive_body(from, header.total, &mail.front().parts_missing);
    sender.arrived.splice(sender.arrived.end(), mail);
  } else if (header.kind == FrameKind::taken) {
    sender.reported = header.total;
  } else if (header.kind == FrameKind::credited) {
    sender.credited = header.total;
  } else {
    sender.asked_for = header.total;
    link_->tell(from, FrameKind::taken, sender.fetched);
  }
}

Got RemoteMail::poll_far(int source, const Expected* expected, Arrival& arrival) {
  Peer& from = peer(source);
  const auto complete = [&] {
    return !from.arrived.empty() && from.arrived.front().parts_missing == 0;
  };
  if (!complete()) link_->advance();
  if (!complete() || !memory_->settle()) return Got::nothing;
  const Delivered mail = from.arrived.front();
  const bool has_place = expected != nullptr && expected->to != nullptr;
  if (has_place && (mail.key != expected->key || mail.bytes != expected->bytes)) return Got::other;
  from.arrived.pop_front();
  arrival.source = source;
  arrival.key = mail.key;
  arrival.bytes = mail.bytes;
  arrival.ready = nullptr;
  if (mail.bytes <= line_payload) {
    arrival.handle = 0;
    base::copy_bytes(has_place ? expected->to : arrival.inline_payload, mail.frame.payload(),
                     mail.bytes);
    link_->give_back(mail.frame);
  } else {
    arrival.handle = handle_of(mail.frame);
    arrival.buffer = mail.frame.payload();
  }
  fetched_one(source, from);
  return Got::taken;
}

void RemoteMail::fetched_one(int source, Peer& from) {
  ++from.fetched;
  const bool due =
      from.fetched == from.asked_for || from.fetched % base::fixed::wire_report_every == 0;
  if (due && !link_->gone(source)) link_->tell(source, FrameKind::taken, from.fetched);
}

void RemoteMail::for_each_sender(void (*visit)(void* user, int source), void* user) {
  memory_->for_each_sender(visit, user);
  link_->advance();
  peers_.for_each([&](int number, Peer& peer) {
    if (!peer.arrived.empty()) visit(user, number);
  });
}

void RemoteMail::release(const Arrival& arrival) {
  if ((arrival.handle & remote_mark) == 0) return memory_->release(arrival);
  link_->give_back(frame_of(arrival.handle));
}

void RemoteMail::credit(int from, std::uint64_t bytes) {
  if (!far(from)) return memory_->credit(from, bytes);
  Peer& sender = peer(from);
  sender.told += bytes;
  if (!link_->gone(from)) link_->tell(from, FrameKind::credited, sender.told);
}

std::optional<std::uint64_t> RemoteMail::credited(int to) const {
  if (!far(to)) return memory_->credited(to);
  const Peer* const receiver = peers_.find(to);
  if (receiver == nullptr || link_->gone(to)) return {};
  return receiver->credited;
}

std::vector<Unreceived> RemoteMail::unreceived() {
  std::vector<Unreceived> found = memory_->unreceived();
  const WireJob& job = link_->job();
  peers_.for_each([&](int number, Peer& to) {
    if (to.sent == to.reported || link_->gone(number)) return;
    if (to.asked != to.sent) link_->tell(number, FrameKind::ask, to.asked = to.sent);
    found.push_back(
        {.receiver = job.is_open() ? job.name_of(number) : fmt::format("process {}", number),
         .messages = to.sent - to.reported,
         .at_most = true});
  });
  return found;
}

}  // namespace tutti::transport::wire
