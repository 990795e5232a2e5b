// SPDX-License-Identifier: BSD-3-Clause
// The mailbox lane of a job over a wire. Messages within a host go through ShmMail. A message to
// another host leaves as a frame or, when it is long, straight from its buffer.
#pragma once

#include <list>

#include "transport/shm/mail.hpp"
#include "transport/wire/link.hpp"

namespace tutti::transport::wire {

class RemoteMail final : public Mail, public Receiver {
 public:
  // `memory` and `link` must outlive this object.
  RemoteMail(shm::ShmMail& memory, WireLink& link)
      : memory_(&memory), link_(&link), peers_(link.job()) {}
  ~RemoteMail() override;
  RemoteMail(const RemoteMail&) = delete;
  RemoteMail& operator=(const RemoteMail&) = delete;

  Lent acquire(std::uint64_t bytes, std::uint32_t readers, int first) override {
    return memory_->acquire(bytes, readers, first);
  }
  [[nodiscard]] Shortage shortage(std::uint64_t bytes) const override {
    return memory_->shortage(bytes);
  }
  [[nodiscard]] bool inject(int to, Label key, const void* payload, std::uint32_t bytes) override;
  // To another host a message leaves when all of it is ready.
  [[nodiscard]] bool send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                          std::uint64_t ready) override;
  void extend(int to, const Lent& buffer, std::uint64_t ready) override {
    memory_->extend(to, buffer, ready);
  }
  void withdraw(const Lent& buffer, std::uint32_t unsent) override {
    memory_->withdraw(buffer, unsent);
  }
  std::uint64_t reclaim(Depth depth) override { return memory_->reclaim(depth); }
  [[nodiscard]] Got poll(int source, const Expected* expected, Arrival& arrival) override {
    return far(source) ? poll_far(source, expected, arrival)
                       : memory_->poll(source, expected, arrival);
  }
  [[nodiscard]] Look take_offered(const MailOffer& offer, Arrival& arrival) override {
    const bool is_far = offer.source != MailOffer::anybody && far(offer.source);
    return is_far ? Look::nothing : memory_->take_offered(offer, arrival);
  }
  [[nodiscard]] bool finish_offered(Arrival& arrival) override {
    return memory_->finish_offered(arrival);
  }
  [[nodiscard]] HandedOver hand_over(int to, Label key, const std::byte* message,
                                     std::uint64_t bytes) override {
    return far(to) ? HandedOver::no : memory_->hand_over(to, key, message, bytes);
  }
  [[nodiscard]] Look help() override { return memory_->help(); }
  [[nodiscard]] bool take_back() override { return memory_->take_back(); }
  void for_each_sender(void (*visit)(void* user, int source), void* user) override;
  void release(const Arrival& arrival) override;
  void credit(int from, std::uint64_t bytes) override;
  [[nodiscard]] std::optional<std::uint64_t> credited(int to) const override;
  void require_reachable(int to) const override;
  void part(void (*visit)(void* user, int source), void* user) override {
    memory_->part(visit, user);
  }
  [[nodiscard]] std::vector<Unreceived> unreceived() override;

  void deliver(int from, Frame frame) override;
  void body_sent(std::uint64_t handle) override;

 private:
  struct Delivered {
    Frame frame;
    Label key;
    std::uint64_t bytes = 0;
    int parts_missing = 0;
  };
  struct Peer {
    std::list<Delivered> arrived;  // a list, so that addresses stay
    std::uint64_t fetched = 0;
    std::uint64_t asked_for = 0;  // it wants to be told when so many have been fetched
    std::uint64_t sent = 0;       // all messages sent to it
    std::uint64_t asked = 0;      // of how many it was asked to tell that it has fetched them
    std::uint64_t reported = 0;   // messages that it has reported as fetched
    std::uint64_t credited = 0;   // bytes that it has credited
    std::uint64_t told = 0;       // bytes that were credited here and that it was told of
  };

  [[nodiscard]] bool far(int endpoint) const { return link_->job().hosts().far(endpoint); }
  [[nodiscard]] Peer& peer(int number) { return peers_[number]; }
  void send_copy(int to, Label key, const void* payload, std::uint32_t bytes);
  [[nodiscard]] Got poll_far(int source, const Expected* expected, Arrival& arrival);
  void fetched_one(int source, Peer& from);

  shm::ShmMail* memory_;
  WireLink* link_;
  ByNumber<Peer> peers_;
};

}  // namespace tutti::transport::wire
