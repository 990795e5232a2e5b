// SPDX-License-Identifier: BSD-3-Clause
// Offers, accepts, and copies pieces.
#include "transport/shm/handover.hpp"

#include <algorithm>
#include <optional>

#include "base/copy.hpp"
#include "transport/relax.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {
namespace {

// A state is the number of its offer, then 32 bits of 1 + the endpoint of the writer that has
// accepted, and one of these. A writer answers when it has said how it copies.
constexpr std::uint64_t nothing = 0, offered = 1, accepted_only = 2, answered = 3, kinds = 4;
constexpr int number_shift = 34;
constexpr std::uint32_t numbers = std::uint32_t{1} << (64 - number_shift);
// Claims beyond all pieces: one of the two takes part no more.
constexpr std::uint32_t closed = ~std::uint32_t{0};
// It is added to the pieces that an end has copied if that end could not copy one. Then nobody
// waits for it, and the message is never complete.
constexpr std::uint64_t failed = std::uint64_t{1} << 32;
// These bits say which ends copy.
constexpr std::uint32_t reader = 1, writer = 2;
// These bits are HandoverSlot::how.
constexpr std::uint32_t reader_reaches = 1, reader_waits = 2, may_be_shorter = 4, masked = 8;

std::uint32_t number_of(std::uint64_t state) {
  return static_cast<std::uint32_t>(state >> number_shift);
}
std::uint64_t state_of(std::uint32_t number, std::uint64_t kind, int sender = -1) {
  return std::uint64_t{number} << number_shift | static_cast<std::uint64_t>(sender + 1) * kinds |
         kind;
}
std::uint64_t kind_of(std::uint64_t state) {
  return state % kinds;
}
int writer_of(std::uint64_t state) {
  return static_cast<int>(static_cast<std::uint32_t>(state / kinds)) - 1;
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

// Waits for that process, unless it or the job ends before.
template <class Over>
void wait_for(const Mapping& mapping, int endpoint, const Over& over) {
  while (!over() && is_there(mapping, endpoint) && mapping.header().ending.see() == 0) relax();
}

// Nobody claims a piece of the message of this offer any more. Returns what was claimed; `closed`
// if the other end has closed the claims; nothing if they are those of another offer.
std::optional<std::uint64_t> close(HandoverSlot& slot, std::uint32_t number) {
  std::uint64_t seen = slot.claims.see();
  do {
    if (seen >> 32 != number) return {};
    if ((seen & closed) == closed) return closed;
  } while (!slot.claims.replace(seen, claims_of(number, closed)));
  return seen & closed;
}

}  // namespace

void forget_offers(HandoverSlot& slot) {
  slot.state.publish(state_of(number_of(slot.state.peek()), nothing));
}

// --- the receiver ---

bool Taking::offer(HandoverSlot& slot, const OfferTerms& terms) {
  if (offered_ != 0) {
    if (terms == terms_) return false;
    if (!take_back(slot)) return false;
  }
  terms_ = terms;
  slot.tag.put(terms.label.tag);
  slot.detail.put(terms.label.detail);
  slot.most.put(terms.most);
  slot.first.put(terms.first);
  slot.to.put(terms.to == nullptr ? 0 : name_of(*mapping_, terms.to));
  slot.source.put(static_cast<std::uint32_t>(terms.source + 1));
  const bool some = terms.mask != OfferTerms().mask;
  slot.how.put((terms.reaches ? reader_reaches : 0) | (terms.waits ? reader_waits : 0) |
               (terms.shorter ? may_be_shorter : 0) | (some ? masked : 0));
  if (some) {
    slot.tag_mask.put(terms.mask.tag);
    slot.detail_mask.put(terms.mask.detail);
  }
  offered_ = state_of((number_of(slot.state.peek()) + 1) % numbers, offered);
  slot.claims.publish(claims_of(number_of(offered_), 0));
  slot.written.put(0);
  slot.read.publish(0);
  slot.state.publish(offered_);
  return true;
}

bool Taking::take_back(HandoverSlot& slot) {
  if (offered_ == 0) return true;
  std::uint64_t seen = offered_;
  if (!slot.state.replace(seen, state_of(number_of(offered_), nothing)) &&
      kind_of(seen) >= accepted_only)
    return false;
  offered_ = 0;
  return true;
}

void Taking::finish(HandoverSlot& slot) {
  slot.state.publish(state_of(number_of(offered_), nothing));
  offered_ = 0;
}

// The sender would count the piece in the next offer, if that came before.
void Taking::end_claims(HandoverSlot& slot, std::uint64_t pieces) {
  const std::uint64_t claimed = close(slot, number_of(offered_)).value_or(closed);
  if (claimed != closed)
    wait_for(*mapping_, writer_of(slot.state.see()),
             [&] { return slot.written.see() + pieces >= claimed; });
}

// The sender says what the pieces are before it claims one. It has time to finish its answer,
// because it would write that into the next offer otherwise.
bool Taking::withdraw(HandoverSlot& slot) {
  if (take_back(slot)) return false;
  const int sender = writer_of(slot.state.see());
  wait_for(*mapping_, sender, [&slot] { return kind_of(slot.state.see()) == answered; });
  end_claims(slot, slot.read.peek());
  const bool is_complete = kind_of(slot.state.see()) == answered &&
                           slot.written.see() + slot.read.peek() == pieces_of(slot);
  if (!is_complete) slot.withdrawn.publish(number_of(offered_) + 1);
  offered_ = 0;
  return is_complete;
}

Taking::Accepted Taking::accepted(const HandoverSlot& slot) const {
  const std::uint64_t state = slot.state.see();
  if (offered_ == 0 || kind_of(state) < accepted_only) return {};
  return {writer_of(state), kind_of(state) == answered};
}

LongMessage Taking::message(const HandoverSlot& slot) {
  return {{slot.answer_tag.peek(), static_cast<std::uint32_t>(slot.answer_detail.peek())},
          slot.total.peek()};
}

bool Taking::is_given_up(const HandoverSlot& slot) const {
  return (slot.claims.see() & closed) == closed;
}

bool Taking::has_failed(const HandoverSlot& slot) const {
  return slot.written.see() >= failed || slot.read.peek() >= failed;
}

Look Taking::copy(HandoverSlot& slot, Reach& peer) {
  const std::uint64_t pieces = pieces_of(slot);
  const bool copies =
      (slot.copiers.peek() & reader) != 0 && (is_in_segment(slot.from.peek()) || peer.possible());
  const std::uint64_t number = copies ? claim(slot, number_of(offered_), pieces) : pieces;
  if (number < pieces) {
    const Piece piece = piece_of(slot, number);
    const std::uint64_t from = slot.from.peek() + piece.at;
    std::byte* const to = terms_.to + piece.at;
    if (is_in_segment(from)) {
      base::copy_arrived(to, mapping_->at<std::byte>(from), piece.bytes);
    } else if (const auto result = peer.read(to, address_of(from), piece.bytes);
               result != Reach::Result::copied) {
      peer.forbid();
      slot.read.publish(slot.read.peek() + failed);
      end_claims(slot, slot.read.peek() - failed + 1);
      return Look::nothing;
    }
    slot.read.publish(slot.read.peek() + 1);
  }
  if (slot.written.see() + slot.read.peek() == pieces) {
    finish(slot);
    return Look::done;
  }
  return number < pieces ? Look::progress : Look::nothing;
}

// --- the sender ---

bool Handing::fits(const HandoverSlot& slot, const LongMessage& message,
                   std::uint64_t first) const {
  const std::uint32_t how = slot.how.peek();
  const Label label = message.label;
  const std::uint64_t tags = (how & masked) != 0 ? slot.tag_mask.peek() : ~std::uint64_t{0};
  const std::uint64_t details = (how & masked) != 0 ? slot.detail_mask.peek() : ~std::uint64_t{0};
  const std::uint64_t most = slot.most.peek();
  const auto self = static_cast<std::uint32_t>(id_of_self() + 1);
  const std::uint32_t source = slot.source.peek();
  return slot.first.peek() == first && (label.tag & tags) == slot.tag.peek() &&
         (label.detail & details) == slot.detail.peek() &&
         (message.total == most || ((how & may_be_shorter) != 0 && message.total < most)) &&
         (source == 0 || source == self);
}

Handing::Accepted Handing::accept(HandoverSlot& slot, const Rest& rest, std::uint64_t next,
                                  Reach& peer) {
  std::uint64_t state = slot.state.see();
  const LongMessage& message = rest.message;
  const std::uint64_t first = message.first == 0 ? next : message.first;
  if (kind_of(state) != offered || !fits(slot, message, first)) return {};
  const base::Tuning& tuning = mapping_->tuning();
  const std::uint64_t from = name_of(*mapping_, rest.from), to = slot.to.peek();
  const std::uint64_t left = message.total - rest.done;
  const bool lent = is_in_segment(from), waits = (slot.how.peek() & reader_waits) != 0;
  // A receiver that waits is still the program that has made the offer.
  const bool both_reach =
      to != 0 && rest.one_way && peer.possible() && (waits || peer.still_there());
  const bool reader_copies = lent || (both_reach && (slot.how.peek() & reader_reaches) != 0);
  const bool writer_copies =
      to != 0 && (rest.one_way || !lent) && (is_in_segment(to) || both_reach);
  const auto least = static_cast<std::uint64_t>(
      (reader_copies && writer_copies) || !rest.one_way ? 0 : tuning.one_end_from);
  if ((!reader_copies && !writer_copies) || left < least) return {.refused = true};
  // Nobody waits for a receiver that is not there. One of mail may be in a function of the program.
  if (!writer_copies && (!waits || first == 0)) return {.refused = true};
  const std::uint32_t number = number_of(state);
  if (lent && !writer_copies) {
    if (!slot.state.replace(state, state_of(number, nothing))) return {};
    return {kind_in_place, from + rest.done};
  }
  if (!slot.state.replace(state, state_of(number, accepted_only, id_of_self()))) return {};
  const auto piece = static_cast<std::uint64_t>(tuning.one_copy_piece);
  slot.from.put(from);
  slot.begin.put(rest.done);
  slot.total.put(message.total);
  slot.answer_tag.put(message.label.tag);
  slot.answer_detail.put(message.label.detail);
  slot.piece.put(left <= 2 * piece ? std::max<std::uint64_t>(piece / 2, 1) : piece);
  slot.copiers.put((reader_copies ? reader : 0) | (writer_copies ? writer : 0));
  number_ = number;
  copies_ = writer_copies;
  from_ = from;
  to_ = to;
  pieces_ = pieces_of(slot);
  copied_ = 0;
  slot.state.publish(state_of(number, answered, id_of_self()));
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
      peer.forbid();
      slot.written.publish(copied_ += failed);
      close(slot, number_);
      return Look::done;
    }
    slot.written.publish(++copied_);
  }
  if (is_over(slot)) return Look::done;
  return number < pieces_ ? Look::progress : Look::nothing;
}

bool Handing::has_failed(const HandoverSlot& slot) const {
  if (copied_ >= failed) return true;
  if (slot.claims.see() >> 32 != number_) return slot.withdrawn.see() == number_ + 1;
  return slot.read.see() >= failed;
}

bool Handing::give_up(HandoverSlot& slot, int peer) {
  const std::uint64_t claimed = close(slot, number_).value_or(closed);
  if (claimed != closed)
    wait_for(*mapping_, peer, [&] { return slot.read.see() + copied_ >= claimed; });
  // A reader that has gone on to another offer has the message, unless it has withdrawn.
  if (slot.claims.see() >> 32 != number_) return slot.withdrawn.see() != number_ + 1;
  return slot.read.see() + copied_ == pieces_;
}

}  // namespace tutti::transport::shm
