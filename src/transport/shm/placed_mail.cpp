// SPDX-License-Identifier: BSD-3-Clause
// Offers to take mail, accepts such offers, and copies.
#include "transport/shm/placed_mail.hpp"

#include <utility>

#include "transport/relax.hpp"
#include "transport/shm/ring.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {

PlacedMail::PlacedMail(const Mapping& mapping, int self)
    : mapping_(&mapping),
      self_(self),
      peers_(capacity),
      taking_(mapping),
      handing_(mapping, self),
      handed_to_(no_peer) {}

// A slot may have had another process before.
PlacedMail::Peer& PlacedMail::peer_at(int endpoint) {
  std::unique_ptr<Peer>& peer = peers_[static_cast<std::size_t>(slot_of(endpoint))];
  if (!peer || peer->reach.peer() != endpoint) {
    peer = std::make_unique<Peer>(
        Peer{Reach(*mapping_, self_, endpoint), mapping_->tuning().offer_looks});
  }
  return *peer;
}

void PlacedMail::wake(int endpoint) {
  wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(endpoint)));
}

// --- receiving ---

// A sender that the receiver does not know finds out whether they reach each other.
void PlacedMail::offer(const MailOffer& wanted) {
  const bool anybody = wanted.source == MailOffer::anybody;
  taking_.offer(slot_of_self(), {.label = wanted.wanted,
                                 .mask = wanted.mask,
                                 .most = wanted.most,
                                 .shorter = wanted.shorter,
                                 .source = anybody ? OfferTerms::anybody : wanted.source,
                                 .to = wanted.to,
                                 .waits = true,
                                 .reaches = anybody || peer_at(wanted.source).reach.possible()});
}

Look PlacedMail::take_offered(const MailOffer& wanted, Arrival& arrival) {
  if (!came_ && !taking_.stands()) {
    offer(wanted);
    return Look::nothing;
  }
  const Look look = came_ ? Look::done : copy_offered();
  if (look == Look::done) {
    arrival = *came_;
    came_.reset();
  }
  return look;
}

// Copies a piece if a sender has accepted the offer. An offer that a sender has accepted and then
// left is taken back, so the next look makes it anew.
Look PlacedMail::copy_offered() {
  HandoverSlot& slot = slot_of_self();
  const Taking::Accepted message = taking_.accepted(slot);
  if (message.slot < 0) return Look::nothing;
  const Endpoint& sender = mapping_->endpoint(message.slot);
  const int source = endpoint_id(message.slot, sender.generation.see());
  Look look = Look::nothing;
  try {
    if (message.answered) look = taking_.copy(slot, peer_at(source).reach);
  } catch (...) {
    taking_.withdraw(slot);
    throw;
  }
  if (look == Look::done) {
    came_.emplace();
    came_->source = source;
    came_->key = message.label;
    came_->bytes = message.total;
    came_->handle = Arrival::placed;
    came_->buffer = taking_.terms().to;
  }
  if (look != Look::nothing) {
    wake(source);
  } else if (taking_.is_given_up(slot) || sender.presence.see() != Presence::attached) {
    taking_.withdraw(slot);
  }
  return look;
}

// Waits for the sender, which copies what it has claimed.
void PlacedMail::finish() {
  while (taking_.stands() && copy_offered() != Look::done) {
    if (mapping_->header().ending.see() != 0) return taking_.withdraw(slot_of_self());
    relax();
  }
}

bool PlacedMail::finish_offered(Arrival& arrival) {
  if (settle() && !came_) return false;
  arrival = *came_;
  came_.reset();
  return true;
}

// --- sending ---

// The receiver of one message is often the sender of the one before, and offers a moment later to
// take the answer. Where none has come, the next message waits half as long.
HandedOver PlacedMail::hand_over(int to, Label key, const std::byte* message, std::uint64_t bytes,
                                 bool all_taken) {
  if (handed_to_ != no_peer || !reachable(*mapping_, to)) return HandedOver::no;
  Peer& peer = peer_at(to);
  Handing::Accepted accepted;
  if (all_taken) {
    const Rest rest{.message = {key, bytes}, .from = message, .one_way = true};
    accepted = handing_.accept(mapping_->endpoint(slot_of(to)).mail, rest, 0, peer.reach);
  }
  if (accepted.kind != 0) {
    peer.looks = mapping_->tuning().offer_looks;
    peer.looked = 0;
    handed_to_ = to;
    wake(to);
    return HandedOver::yes;
  }
  const bool fits = !accepted.refused && (mapping_->has(message) || peer.reach.possible());
  if (fits && ++peer.looked < peer.looks) return HandedOver::soon;
  if (fits) peer.looks /= 2;
  peer.looked = 0;
  return HandedOver::no;
}

// A message whose receiver has ended is over: it would have ended in the same way had the message
// been sent before.
Look PlacedMail::help() {
  Look look = Look::done;
  if (reachable(*mapping_, handed_to_)) {
    look = handing_.copy(mapping_->endpoint(slot_of(handed_to_)).mail, peer_at(handed_to_).reach);
  }
  if (look != Look::nothing) wake(handed_to_);
  if (look == Look::done) handed_to_ = no_peer;
  return look;
}

bool PlacedMail::take_back() {
  const int to = std::exchange(handed_to_, no_peer);
  const bool is_there = handing_.give_up(mapping_->endpoint(slot_of(to)).mail, to);
  wake(to);
  return !is_there;
}

}  // namespace tutti::transport::shm
