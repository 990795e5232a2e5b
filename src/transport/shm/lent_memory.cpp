// SPDX-License-Identifier: BSD-3-Clause
// Lends blocks and takes them back. The order of stores is that of the book: a block is written
// down before anybody is told of it, and its word is cleared before its memory is used again.
#include "transport/shm/lent_memory.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace tutti::transport::shm {
namespace {

// A caller that polls never waits, but asks again and again: one refusal in so many looks at the
// clock.
constexpr std::uint32_t refusals_between_looks = 64;

std::uint64_t span_of(std::uint64_t bytes) {
  return (sizeof(LentHeader) + bytes + line_bytes - 1) / line_bytes * line_bytes;
}

std::uint64_t ring_bytes_of(const Mapping& mapping, ReadBy receipt) {
  const base::Tuning& tuning = mapping.tuning();
  return static_cast<std::uint64_t>(receipt == ReadBy::packets      ? tuning.fragment_ring
                                    : receipt == ReadBy::references ? tuning.mail_ring
                                                                    : tuning.block_ring);
}

// Returns the word of an endpoint that shows a ring. A ring of windows has none.
Shared<std::uint64_t>* entry_of(Endpoint& own, ReadBy receipt) {
  if (receipt == ReadBy::owner) return nullptr;
  return receipt == ReadBy::packets ? &own.fragment_ring : &own.message_ring;
}

}  // namespace

LentMemory LentMemory::of_fragments(const Mapping& mapping, int self, const Clock& clock) {
  return {mapping, self, clock, ReadBy::packets};
}

LentMemory LentMemory::of_messages(const Mapping& mapping, int self, const Clock& clock) {
  return {mapping, self, clock, ReadBy::references};
}

LentMemory LentMemory::of_windows(const Mapping& mapping, int self, const Clock& clock) {
  return {mapping, self, clock, ReadBy::owner};
}

LentMemory::LentMemory(const Mapping& mapping, int self, const Clock& clock, ReadBy receipt)
    : mapping_(&mapping),
      clock_(&clock),
      receipt_(receipt),
      self_(self),
      ring_bytes_(ring_bytes_of(mapping, receipt)),
      crowded_window_(ring_bytes_ / static_cast<std::uint64_t>(tuning().crowded_window)),
      ring_entry_(entry_of(mapping.endpoint(self), receipt)),
      base_(ring_entry_ == nullptr ? 0 : ring_entry_->see()),
      ring_(ring_bytes_),
      heap_(mapping),
      book_(mapping, self),
      stores_(mapping.tuning()),
      windows_(mapping.tuning(), ring_bytes_) {
  if (receipt == ReadBy::references && base_ != 0) inherit();
}

// The successor of a process that has left unread messages in its ring gives them back as its own.
void LentMemory::inherit() {
  LentBook::for_each(*mapping_, self_, LentBook::Kind::in_ring,
                     [this](LentBook::Word& word, std::uint64_t offset) {
                       Block block{.offset = offset, .word = &word};
                       block.bytes = header(block).bytes;
                       const std::uint64_t begin = offset - base_;
                       block.node = ring_.keep(begin, begin + span_of(block.bytes));
                       outstanding_ += block.bytes;
                       lent_.push_back({.block = block});
                     });
}

// --- lending ---

Lent LentMemory::acquire(std::uint64_t bytes, std::uint32_t readers, PeerDistance& first) {
  Block block{.bytes = bytes};
  if (!from_ring(block) && !from_heap(block)) return {};
  LentHeader& of_block = header(block);
  auto* const data = reinterpret_cast<std::byte*>(&of_block + 1);
  outstanding_ += block.bytes;
  if (receipt_ == ReadBy::owner) return {data, block.offset};
  Loan loan{.block = block, .first = &first, .has_one_reader = readers == 1};
  if (receipt_ == ReadBy::references) {
    loan.non_temporal = stores_.message_past_caches(bytes, first);
    of_block.readers.put(readers);
    of_block.untold.publish(readers);
  } else if (block.node != 0) {
    choose_way(loan);
  }
  in_heap_ += block.node == 0 ? 1 : 0;
  lent_.push_back(loan);
  return {data, block.offset, loan.non_temporal};
}

void LentMemory::choose_way(Loan& loan) {
  const StorePolicy::Choice chosen = stores_.for_packet(
      static_cast<std::uint32_t>(loan.block.bytes), loan.has_one_reader ? 1 : 2, *loan.first);
  loan.non_temporal = chosen.non_temporal;
  loan.timed = chosen.timed || (chosen.typical && windows_.looks());
  if (!loan.timed) return;
  if (chosen.typical && within_window_) loan.window = windows_.number();
  header(loan.block).took = 0;
  header(loan.block).begin_time();
}

void LentMemory::posted(RingWriter<Lane::collective>& ring) {
  Loan& loan = lent_.back();
  if (loan.timed) header(loan.block).end_time();
  posts_.push_back({&ring, ring.sent() + 1});
  ++loan.posts;
}

// Shorter messages stay in the first cache anyway, and longer ones do not stay in the second.
bool LentMemory::suits_ring(std::uint64_t bytes) {
  if (receipt_ == ReadBy::packets) return true;
  const auto whole = static_cast<std::int64_t>(sizeof(LentHeader) + bytes);
  if (receipt_ == ReadBy::references)
    return whole > tuning().mail_ring_from && whole <= tuning().mail_ring_to;
  if (whole < tuning().block_from || whole > tuning().block_to) return false;
  if (base_ != 0 || asked_ >= static_cast<std::uint64_t>(tuning().block_ring_after)) return true;
  asked_ += bytes;
  return false;
}

bool LentMemory::have_ring() {
  if (base_ != 0) [[likely]]
    return true;
  if (until_attempt_-- > 0) return false;
  until_attempt_ = tuning().retry_ring;
  base_ = new_ring();
  if (base_ == 0 && receipt_ == ReadBy::packets) {
    until_attempt_ = 0;
    base::fail(base::Status::out_of_memory,
               "no shared memory for the send arena of endpoint {} ({} KiB): raise TUTTI_SHM_LIMIT "
               "or start fewer ranks",
               self_, ring_bytes_ >> 10);
  }
  return base_ != 0;
}

std::uint64_t LentMemory::new_ring() {
  if (receipt_ == ReadBy::owner) {
    Block ring{.bytes = ring_bytes_};
    if (!new_block(ring)) return 0;
    ring_word_ = ring.word;
    return ring.offset + sizeof(LentHeader);
  }
  const std::uint64_t ring = heap_.allocate(ring_bytes_).value_or(0);
  ring_entry_->publish(ring);
  return ring;
}

bool LentMemory::from_ring(Block& block) {
  if (!suits_ring(block.bytes) || !have_ring()) return false;
  block.node = take_part(span_of(block.bytes));
  if (block.node == 0) return false;
  block.offset = base_ + ring_.begin(block.node);
  if (receipt_ == ReadBy::packets) return true;
  if (receipt_ == ReadBy::owner) {
    header(block).bytes = block.bytes;
    header(block).part = block.node;
    return true;
  }
  if (write_down(block, LentBook::Kind::in_ring)) return true;
  ring_.free(std::exchange(block.node, 0));
  return false;
}

// Behind a message that nobody receives, others may have been read.
NextFit::Node LentMemory::take_part(std::uint64_t span) {
  if (receipt_ == ReadBy::packets) return take_for_packet(span);
  const NextFit::Node part = ring_.take(span);
  if (part != 0) return part;
  reclaim(Depth::all);
  return ring_.take(span);
}

// A ring of fragments in an oversubscribed job begins anew where a part of it is filled and all of
// it was read. In any other job fragments take turns in a part of it, unless a reader is late.
NextFit::Node LentMemory::take_for_packet(std::uint64_t span) {
  if (--until_look_ <= 0) reclaim_oldest();
  std::uint64_t window = ring_bytes_;
  if (is_oversubscribed(mapping_->header())) {
    if (ring_.cursor() + span > crowded_window_) reclaim_oldest();
    if (ring_.cursor() + span > crowded_window_ && ring_.empty()) ring_.begin_anew();
  } else if (!beyond_window_) {
    window = windows_.bytes();
  }
  const std::uint64_t cursor = ring_.cursor();
  NextFit::Node part = ring_.take(span, window);
  if (part == 0) {
    reclaim_oldest();
    part = ring_.take(span, window);
  }
  within_window_ = window == windows_.bytes();
  if (part != 0 && within_window_ && ring_.cursor() < cursor) windows_.turn_ends();
  return part;
}

bool LentMemory::from_heap(Block& block) {
  if (receipt_ == ReadBy::owner || (receipt_ == ReadBy::packets && !is_stuck())) return false;
  if (kept_.bytes < block.bytes) reclaim(receipt_ == ReadBy::packets ? Depth::all : Depth::oldest);
  if (kept_.bytes >= block.bytes) {
    block = std::exchange(kept_, {});
    return true;
  }
  free(std::exchange(kept_, {}));
  if (new_block(block)) return true;
  if (receipt_ == ReadBy::packets) return false;
  release_ring();  // an empty ring is freed, so that its memory can serve this block
  return new_block(block);
}

bool LentMemory::new_block(Block& block) {
  const std::size_t bytes = sizeof(LentHeader) + block.bytes;
  const auto offset = heap_.allocate(bytes);
  if (!offset) return false;
  block.offset = *offset;
  using Kind = LentBook::Kind;
  if (write_down(block, receipt_ == ReadBy::references ? Kind::sent : Kind::block)) return true;
  heap_.free(*offset, bytes);
  return false;
}

// Says of a block whose readers nobody knows yet that it has none.
bool LentMemory::write_down(Block& block, LentBook::Kind kind) {
  LentHeader& of_block = header(block);
  of_block.bytes = block.bytes;
  of_block.part = block.node;
  of_block.readers.put(0);
  of_block.untold.put(0);
  block.word = book_.add(block.offset, kind);
  return block.word != nullptr;
}

// --- taking back ---

// If a message had several readers, nobody knows which of them has stored the count.
inline bool LentMemory::is_read(const Loan& loan) const {
  const auto& readers = header(loan.block).readers;
  if (loan.first == nullptr) return readers.see() == 0;
  const auto is_new = [&](std::uint32_t left) { return left == 0 && loan.has_one_reader; };
  return loan.first->load(tuning(), readers, is_new) == 0;
}

inline bool LentMemory::oldest_is_read() {
  Loan& loan = lent_.front();
  if (receipt_ == ReadBy::references) return is_read(loan);
  for (; loan.posts > 0; --loan.posts, posts_.pop_front()) {
    if (!posts_.front().taken()) return false;
  }
  return true;
}

void LentMemory::reclaim_oldest() {
  until_look_ = tuning().fragment_look_every;
  for (; !lent_.empty() && oldest_is_read(); lent_.pop_front()) {
    const Loan& loan = lent_.front();
    if (loan.timed) {
      const std::chrono::nanoseconds took(header(loan.block).took);
      stores_.learn(static_cast<std::uint32_t>(loan.block.bytes), loan.non_temporal, took);
      if (loan.window != WindowPolicy::none)
        windows_.learn(loan.window,
                       static_cast<double>(took.count()) / static_cast<double>(loan.block.bytes));
    }
    give_back(loan.block);
    ++given_back_;
  }
}

// Takes back those behind a block that is still to be read.
void LentMemory::reclaim_behind() {
  auto post = posts_.begin();
  lent_.erase_if([&](const Loan& loan) {
    const auto end = post + loan.posts;
    const bool read = receipt_ == ReadBy::references
                          ? is_read(loan)
                          : std::all_of(post, end, [](const Post& one) { return one.taken(); });
    if (read) give_back(loan.block);
    for (; post != end; ++post) post->ring = read ? nullptr : post->ring;
    return read;
  });
  posts_.erase_if([](const Post& one) { return one.ring == nullptr; });
}

void LentMemory::give_back(const Block& block) {
  outstanding_ -= block.bytes;
  if (block.node != 0) {
    if (block.word != nullptr) book_.remove(block.word);
    ring_.free(block.node);
    return;
  }
  --in_heap_;
  if (block.bytes <= kept_.bytes) return free(block);
  free(std::exchange(kept_, block));
}

void LentMemory::free(const Block& block) {
  if (block.offset == 0) return;
  book_.remove(block.word);
  heap_.free(block.offset, sizeof(LentHeader) + block.bytes);
}

bool LentMemory::take_back(std::uint64_t name) {
  const bool within = base_ != 0 && name >= base_ && name < base_ + ring_bytes_;
  if (!within || name % line_bytes != 0) return false;
  const LentHeader& of_block = *mapping_->at<LentHeader>(name);
  if (!ring_.lends(of_block.part, name - base_)) return false;
  outstanding_ -= of_block.bytes;
  ring_.free(of_block.part);
  return true;
}

std::uint64_t LentMemory::reclaim(Depth depth) {
  reclaim_oldest();
  if (depth != Depth::oldest) reclaim_behind();
  if (depth == Depth::idle) {
    free(std::exchange(kept_, {}));
    release_ring();
  }
  return outstanding_;
}

void LentMemory::release_ring() {
  if (base_ == 0) return;
  if (receipt_ == ReadBy::owner) {
    const std::uint64_t offset = std::exchange(base_, 0) - sizeof(LentHeader);
    return free({.offset = offset, .bytes = ring_bytes_, .word = ring_word_});
  }
  if (!ring_.empty()) return;
  ring_entry_->publish(0);
  heap_.free(std::exchange(base_, 0), ring_bytes_);
  ring_.begin_anew();
  until_attempt_ = tuning().retry_ring;
}

// --- a ring that is stuck ---

void LentMemory::look_at_clock() {
  const std::uint64_t time = clock_->now();
  if (given_back_ != seen_ || since_ == 0) {
    seen_ = given_back_;
    since_ = time;
  }
  opened_ = time - since_ > static_cast<std::uint64_t>(tuning().overflow_after);
}

bool LentMemory::is_stuck() {
  refused_ = true;
  if (++refusals_ % refusals_between_looks == 0) look_at_clock();
  return opened_ && given_back_ == seen_;
}

}  // namespace tutti::transport::shm
