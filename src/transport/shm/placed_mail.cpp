// SPDX-License-Identifier: BSD-3-Clause
// Offers to take mail, accepts such offers, and copies.
#include "transport/shm/placed_mail.hpp"

#include <utility>

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
                                 .source = wanted.source,
                                 .to = wanted.to,
                                 .waits = true,
                                 .reaches = anybody || peer_at(wanted.source).reach.possible()});
}

bool PlacedMail::take_come(Arrival& arrival) {
  if (!came_) return false;
  arrival = *came_;
  came_.reset();
  return true;
}

Look PlacedMail::take_offered(const MailOffer& wanted, Arrival& arrival) {
  Look look = Look::nothing;
  if (taking_.stands()) {
    look = copy_offered();
  } else if (!came_) {
    offer(wanted);
  }
  return take_come(arrival) ? Look::done : look;
}

void PlacedMail::keep(int source) {
  const LongMessage message = Taking::message(slot_of_self());
  came_.emplace();
  came_->source = source;
  came_->key = message.label;
  came_->bytes = message.total;
  came_->handle = Arrival::placed;
  came_->buffer = taking_.terms().to;
}

// Takes the offer back, and the message if it is there.
void PlacedMail::withdraw(int source) {
  if (taking_.withdraw(slot_of_self())) keep(source);
  wake(source);
}

// Copies a piece if a sender has accepted the offer. A sender that has gone may have copied all
// before, so it is looked for first. If it has not, the next look makes the offer anew.
Look PlacedMail::copy_offered() {
  HandoverSlot& slot = slot_of_self();
  const int source = taking_.accepted(slot).source;
  if (source < 0) return Look::nothing;
  const bool is_here = is_there(*mapping_, source);
  Look look = Look::nothing;
  if (taking_.accepted(slot).answered) look = taking_.copy(slot, peer_at(source).reach);
  if (look == Look::done) keep(source);
  if (look != Look::nothing) {
    wake(source);
  } else if (!is_here || taking_.is_given_up(slot)) {
    withdraw(source);
  }
  return look;
}

bool PlacedMail::settle() {
  if (!taking_.stands() || taking_.take_back(slot_of_self())) return true;
  copy_offered();
  return !taking_.stands() && !came_;
}

bool PlacedMail::finish_offered(Arrival& arrival) {
  if (!settle() && taking_.stands()) withdraw(taking_.accepted(slot_of_self()).source);
  return take_come(arrival);
}

// --- sending ---

// The receiver of one message is often the sender of the one before, and offers a moment later to
// take the answer. Where none has come, the next message waits half as long.
HandedOver PlacedMail::hand_over(int to, Label key, const std::byte* message, std::uint64_t bytes,
                                 bool all_taken) {
  if (handed_to_ != no_peer || slot_of(to) == self_ || !reachable(*mapping_, to))
    return HandedOver::no;
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

Look PlacedMail::help() {
  if (!reachable(*mapping_, handed_to_)) return Look::done;
  const Look look =
      handing_.copy(mapping_->endpoint(slot_of(handed_to_)).mail, peer_at(handed_to_).reach);
  if (look != Look::nothing) wake(handed_to_);
  return look;
}

// A message whose receiver has ended is over: it would have ended in the same way had the message
// been sent before.
bool PlacedMail::take_back() {
  const int to = std::exchange(handed_to_, no_peer);
  const bool has_it = handing_.give_up(mapping_->endpoint(slot_of(to)).mail, to);
  wake(to);
  return !has_it && reachable(*mapping_, to);
}

}  // namespace tutti::transport::shm
