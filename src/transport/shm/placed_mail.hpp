// SPDX-License-Identifier: BSD-3-Clause
// Mail that is put where its receiver wants it (transport/handover.hpp). A process waits in one
// receive at a time, so an endpoint has one offer, and any sender may accept it. Messages of one
// sender stay in order: a sender accepts only when the receiver has taken all that it has sent
// before, and the receiver takes its offer back before it takes anything else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "transport/mail.hpp"
#include "transport/shm/handover.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/reach.hpp"

namespace tutti::transport::shm {

class PlacedMail {
 public:
  // `self` is the slot.
  PlacedMail(const Mapping& mapping, int self);

  // These are functions of Mail.
  [[nodiscard]] Look take_offered(const MailOffer& offer, Arrival& arrival);
  [[nodiscard]] bool finish_offered(Arrival& arrival);
  [[nodiscard]] Look help();
  [[nodiscard]] bool take_back();
  // Such a function, too. `all_taken`: the receiver has taken all that it was sent.
  [[nodiscard]] HandedOver hand_over(int to, Label key, const std::byte* message,
                                     std::uint64_t bytes, bool all_taken);
  // Takes the offer back before another message is taken. Returns false if a sender has accepted
  // it. Then its message comes first, by take_offered().
  [[nodiscard]] bool settle();

 private:
  struct Peer {
    Reach reach;
    // How often this process looks for an offer of the peer, and how often it has since the last
    // answer.
    std::int64_t looks, looked = 0;
  };
  [[nodiscard]] HandoverSlot& slot_of_self() { return mapping_->endpoint(self_).mail; }
  [[nodiscard]] Peer& peer_at(int endpoint);
  void offer(const MailOffer& wanted);
  Look copy_offered();
  [[nodiscard]] bool take_come(Arrival& arrival);
  void keep(int source);
  void withdraw(int source);
  void wake(int endpoint);

  const Mapping* mapping_;
  int self_;
  std::vector<std::unique_ptr<Peer>> peers_;  // by slot
  // The offer of this endpoint, and the message that has come by it.
  Taking taking_;
  std::optional<Arrival> came_;
  // The message that was handed over, as long as it is not over.
  Handing handing_;
  int handed_to_;
};

}  // namespace tutti::transport::shm
