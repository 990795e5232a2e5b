// SPDX-License-Identifier: BSD-3-Clause
// Offers, accepts, and copies pieces.
#include "transport/shm/handover.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/copy.hpp"
#include "base/error.hpp"
#include "transport/relax.hpp"

namespace tutti::transport::shm {
namespace {

// States of a slot, beside four times the number of the offer.
constexpr std::uint64_t nothing = 0, offered = 1, accepted = 2, states = 4;
// Claims beyond all pieces: the receiver takes part no more.
constexpr std::uint32_t closed = ~std::uint32_t{0};
// These bits say which ends copy.
constexpr std::uint32_t reader = 1, writer = 2;

std::uint64_t next_state(std::uint64_t state, std::uint64_t kind) {
  return (state / states + 1) * states + kind;
}
std::uint32_t number_of(std::uint64_t state) {
  return static_cast<std::uint32_t>(state / states);
}
std::uint64_t claims_of(std::uint32_t number, std::uint32_t pieces) {
  return std::uint64_t{number} << 32 | pieces;
}

// Bytes of the segment are named by their offset, and others by their address in the process that
// has them, with a mark.
constexpr std::uint64_t own_memory = std::uint64_t{1} << 63;
std::uint64_t name_of(const Mapping& mapping, const void* address) {
  return mapping.has(address) ? mapping.offset_of(address)
                              : reinterpret_cast<std::uintptr_t>(address) | own_memory;
}
bool is_in_segment(std::uint64_t name) {
  return (name & own_memory) == 0;
}
std::uint64_t address_of(std::uint64_t name) {
  return name & ~own_memory;
}

struct Piece {
  std::uint64_t at, bytes;
};
Piece piece_of(const HandoverSlot& slot, std::uint64_t number) {
  const std::uint64_t piece = slot.piece.peek(), at = slot.begin.peek() + number * piece;
  return {at, std::min(piece, slot.total.peek() - at)};
}
std::uint64_t pieces_of(const HandoverSlot& slot) {
  const std::uint64_t piece = slot.piece.peek();
  return (slot.total.peek() - slot.begin.peek() + piece - 1) / piece;
}

// Claims a piece of the message of this offer. Returns `pieces` if there is none left.
std::uint64_t claim(HandoverSlot& slot, std::uint32_t number, std::uint64_t pieces) {
  std::uint64_t seen = slot.claims.see();
  while (seen >> 32 == number && (seen & closed) < pieces) {
    if (slot.claims.replace(seen, seen + 1)) return seen & closed;
  }
  return pieces;
}

// Waits until so many pieces are copied by both ends, unless the peer or the job ends before.
template <class Copied>
void wait_for_pieces(const Mapping& mapping, int peer, std::uint64_t pieces, const Copied& copied) {
  const Endpoint& endpoint = mapping.endpoint(slot_of(peer));
  while (copied() < pieces && endpoint.presence.see() == Presence::attached &&
         endpoint.generation.see() == generation_of(peer) && mapping.header().ending.see() == 0)
    relax();
}

[[noreturn]] void fail_refused(int error) {
  base::fail(base::Status::system_error,
             "copying from or to the memory of another process of the job: {}; "
             "TUTTI_TUNING=copy_by_kernel=0 does without",
             std::strerror(error));
}

}  // namespace

// --- the receiver ---

bool Taking::offer(HandoverSlot& slot, const Offer& offer, std::uint64_t next, Reach& peer) {
  const std::uint64_t first = offer.message.first == 0 ? next : offer.message.first;
  if (offered_ != 0) {
    if (first_ == first && offer_.to == offer.to) return false;
    if (!take_back(slot)) return false;
  }
  offer_ = offer;
  first_ = first;
  slot.tag.put(offer.message.label.tag);
  slot.detail.put(offer.message.label.detail);
  slot.total.put(offer.message.total);
  slot.first.put(first);
  slot.to.put(offer.to == nullptr ? 0 : name_of(*mapping_, offer.to));
  slot.reader_reaches.put(offer.to != nullptr && peer.possible() ? 1 : 0);
  slot.reader_waits.put(offer.waits ? 1 : 0);
  offered_ = next_state(slot.state.peek(), offered);
  slot.claims.publish(claims_of(number_of(offered_), 0));
  slot.written.put(0);
  slot.read.publish(0);
  slot.state.publish(offered_);
  return true;
}

// Returns false if the sender has accepted the offer.
bool Taking::take_back(HandoverSlot& slot) {
  std::uint64_t seen = offered_;
  if (!slot.state.replace(seen, next_state(offered_, nothing)) && seen == offered_ + 1)
    return false;
  offered_ = 0;
  return true;
}

void Taking::finish(HandoverSlot& slot) {
  slot.state.publish(next_state(slot.state.peek(), nothing));
  offered_ = 0;
}

void Taking::withdraw(HandoverSlot& slot, const std::byte* to, int peer) {
  if (offered_ == 0 || offer_.to != to || take_back(slot)) return;
  const std::uint64_t claimed =
      slot.claims.exchange(claims_of(number_of(offered_), closed)) & closed;
  // The sender says what the pieces are before it claims one. Where it has closed the claims
  // itself, it copies none.
  const bool copies = claimed != 0 && claimed != closed;
  const std::uint64_t pieces = copies ? std::min(claimed, pieces_of(slot)) : 0;
  wait_for_pieces(*mapping_, peer, pieces,
                  [&slot] { return slot.written.see() + slot.read.peek(); });
  offered_ = 0;
}

Look Taking::copy(HandoverSlot& slot, Reach& peer) {
  const std::uint64_t pieces = pieces_of(slot);
  const bool copies = (slot.copiers.peek() & reader) != 0;
  const std::uint64_t number = copies ? claim(slot, number_of(offered_), pieces) : pieces;
  if (number < pieces) {
    const Piece piece = piece_of(slot, number);
    const std::uint64_t from = slot.from.peek() + piece.at;
    std::byte* const to = offer_.to + piece.at;
    if (is_in_segment(from)) {
      base::copy_arrived(to, mapping_->at<std::byte>(from), piece.bytes);
    } else if (const auto result = peer.read(to, address_of(from), piece.bytes);
               result != Reach::Result::copied) {
      const int error = errno;
      slot.read.publish(slot.read.peek() + 1);  // so that nobody waits for it
      if (result == Reach::Result::refused) fail_refused(error);
      return Look::nothing;  // the wait for the sender fails
    }
    slot.read.publish(slot.read.peek() + 1);
  }
  if (slot.written.see() + slot.read.peek() == pieces) {
    finish(slot);
    return Look::done;
  }
  if ((slot.claims.see() & closed) == closed) {
    base::fail(base::Status::system_error,
               "the sender of a long message has given it up, or cannot copy it");
  }
  return number < pieces ? Look::progress : Look::nothing;
}

// --- the sender ---

Handing::Accepted Handing::accept(HandoverSlot& slot, const Rest& rest, std::uint64_t next,
                                  Reach& peer) {
  std::uint64_t state = slot.state.see();
  if (state % states != offered) return {};
  const LongMessage& message = rest.message;
  const std::uint64_t first = message.first == 0 ? next : message.first;
  if (slot.first.peek() != first || slot.tag.peek() != message.label.tag ||
      slot.detail.peek() != message.label.detail || slot.total.peek() != message.total)
    return {};
  const base::Tuning& tuning = mapping_->tuning();
  const std::uint64_t from = name_of(*mapping_, rest.from), to = slot.to.peek();
  const std::uint64_t left = message.total - rest.done;
  const bool lent = is_in_segment(from);
  // A receiver that waits is still the program that has made the offer.
  const bool both_reach = to != 0 && rest.one_way && peer.possible() &&
                          (slot.reader_waits.peek() != 0 || peer.still_there());
  const bool reader_copies = lent || (both_reach && slot.reader_reaches.peek() != 0);
  const bool writer_copies =
      to != 0 && (rest.one_way || !lent) && (is_in_segment(to) || both_reach);
  const auto least = static_cast<std::uint64_t>(
      (reader_copies && writer_copies) || !rest.one_way ? 0 : tuning.one_end_from);
  if ((!reader_copies && !writer_copies) || left < least) return {.refused = true};
  // Nobody waits for a receiver that is not there.
  if (!writer_copies && slot.reader_waits.peek() == 0) return {.refused = true};
  if (lent && !writer_copies) {
    if (!slot.state.replace(state, next_state(state, nothing))) return {};
    return {kind_in_place, from + rest.done};
  }
  if (!slot.state.replace(state, state - offered + accepted)) return {};
  const auto piece = static_cast<std::uint64_t>(tuning.one_copy_piece);
  slot.from.put(from);
  slot.begin.put(rest.done);
  slot.piece.put(left <= 2 * piece ? std::max<std::uint64_t>(piece / 2, 1) : piece);
  slot.copiers.put((reader_copies ? reader : 0) | (writer_copies ? writer : 0));
  number_ = number_of(state);
  copies_ = writer_copies;
  from_ = from;
  to_ = to;
  pieces_ = pieces_of(slot);
  copied_ = 0;
  return {kind_together, 0};
}

// Returns true if all pieces are copied, if the receiver has gone on to its next offer, or if it
// wants no more.
bool Handing::is_over(const HandoverSlot& slot) const {
  if (slot.read.see() + copied_ == pieces_) return true;
  const std::uint64_t claims = slot.claims.see();
  return claims >> 32 != number_ || (claims & closed) == closed;
}

Look Handing::copy(HandoverSlot& slot, Reach& peer) {
  const std::uint64_t number = copies_ ? claim(slot, number_, pieces_) : pieces_;
  if (number < pieces_) {
    const Piece piece = piece_of(slot, number);
    const std::uint64_t from = from_ + piece.at, to = to_ + piece.at;
    const std::byte* const here = is_in_segment(from)
                                      ? mapping_->at<std::byte>(from)
                                      : reinterpret_cast<const std::byte*>(address_of(from));
    if (is_in_segment(to)) {
      base::copy_bytes(mapping_->at<std::byte>(to), here, piece.bytes);
    } else if (const auto result = peer.write(here, address_of(to), piece.bytes);
               result != Reach::Result::copied) {
      const int error = errno;
      slot.claims.exchange(claims_of(number_, closed));
      if (result == Reach::Result::refused) fail_refused(error);
      return Look::nothing;  // the wait for the receiver fails
    }
    slot.written.publish(++copied_);
  }
  if (is_over(slot)) return Look::done;
  return number < pieces_ ? Look::progress : Look::nothing;
}

void Handing::give_up(HandoverSlot& slot, int peer) {
  std::uint64_t seen = slot.claims.see();
  do {
    if (seen >> 32 != number_ || (seen & closed) == closed) return;
  } while (!slot.claims.replace(seen, claims_of(number_, closed)));
  wait_for_pieces(*mapping_, peer, std::min(seen & closed, pieces_),
                  [&] { return slot.read.see() + copied_; });
}

}  // namespace tutti::transport::shm
