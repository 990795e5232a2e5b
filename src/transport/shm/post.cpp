// SPDX-License-Identifier: BSD-3-Clause
// Sending, taking and giving back of mailbox messages.
#include "transport/shm/post.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "transport/shm/sleeper.hpp"

namespace tutti::transport::shm {
namespace {

constexpr std::uint32_t kind_link = 1;  // Line::outside.kind: the queue goes on in the ring at outside.chunk

}  // namespace

struct alignas(line_bytes) ShmPost::LetterHeader {
  std::atomic<std::uint32_t> readers;
};

ShmPost::ShmPost(const Mapping& mapping, int self)
    : mapping_(&mapping), self_(self), heap_(mapping), outgoing_(capacity), incoming_(capacity) {}

// --- letters -------------------------------------------------------------------------------------------------------

Letter ShmPost::acquire(std::uint64_t bytes, std::uint32_t readers) {
  Block block{0, bytes};
  if (ready_.bytes < bytes) settle();  // perhaps an earlier letter has been received by now
  if (ready_.offset != 0 && ready_.bytes >= bytes) {
    block = ready_;
    ready_ = {0, 0};
  } else {
    release();
    const auto offset = heap_.allocate(sizeof(LetterHeader) + bytes);
    if (!offset) return {};
    block.offset = *offset;
  }
  auto* header = mapping_->at<LetterHeader>(block.offset);
  header->readers.store(readers, std::memory_order_relaxed);
  active_.push_back(block);
  return {reinterpret_cast<std::byte*>(header + 1), block.offset};
}

void ShmPost::retire(const Block& block) {
  const bool keep = block.bytes > ready_.bytes;
  const Block unused = keep ? ready_ : block;
  if (keep) ready_ = block;
  if (unused.offset != 0) heap_.free(unused.offset, sizeof(LetterHeader) + unused.bytes);
}

bool ShmPost::inactive(const Block& block) const {
  return mapping_->at<LetterHeader>(block.offset)->readers.load(std::memory_order_acquire) == 0;
}

void ShmPost::withdraw(const Letter& letter, std::uint32_t unsent) {
  mapping_->at<LetterHeader>(letter.handle)->readers.fetch_sub(unsent);
}

void ShmPost::settle() {
  while (!active_.empty() && inactive(active_.front())) {
    retire(active_.front());
    active_.pop_front();
  }
}

void ShmPost::settle_all() {
  active_.erase_if([this](const Block& block) {
    const bool unused = inactive(block);
    if (unused) retire(block);
    return unused;
  });
}

void ShmPost::release() {
  if (ready_.offset == 0) return;
  heap_.free(ready_.offset, sizeof(LetterHeader) + ready_.bytes);
  ready_ = {0, 0};
}

// --- sending -------------------------------------------------------------------------------------------------------

LineRing* ShmPost::new_ring(std::uint64_t& offset) {
  const auto block = heap_.allocate(sizeof(LineRing));
  if (!block) return nullptr;
  offset = *block;
  auto* ring = mapping_->at<LineRing>(offset);
  std::memset(static_cast<void*>(ring), 0, sizeof(LineRing));
  return ring;
}

// The line for the next message. The last free line of a ring is kept for the link to the next ring.
Line* ShmPost::next_line(int to) {
  Outgoing& out = outgoing_[static_cast<std::size_t>(to)];
  if (out.in_ring < out.room_until) [[likely]]
    return &out.ring->line(out.in_ring);
  std::uint64_t offset = 0;
  if (out.ring == nullptr) {
    out.ring = new_ring(offset);
    if (out.ring == nullptr) return nullptr;
    Endpoint& target = mapping_->endpoint(to);
    target.inbound[static_cast<int>(Lane::mailbox)][self_].store(offset, std::memory_order_release);
    target.contacts[self_ / 64].fetch_or(std::uint64_t{1} << (self_ % 64));
  }
  out.room_until = out.ring->consumed.load(std::memory_order_acquire) + LineRing::lines_count - 1;
  if (out.in_ring >= out.room_until && !link_new_ring(out)) return nullptr;
  return &out.ring->line(out.in_ring);
}

bool ShmPost::link_new_ring(Outgoing& out) {
  std::uint64_t offset = 0;
  LineRing* next = new_ring(offset);
  if (next == nullptr) return false;
  Line& link = out.ring->line(out.in_ring);
  link.total = line_payload + 1;
  link.outside = {offset, 0, kind_link};
  link.stamp.store(out.in_ring + 1, std::memory_order_release);
  out = {next, out.sent, 0, LineRing::lines_count - 1};
  return true;
}

void ShmPost::publish(int to, Line& line) {
  Outgoing& out = outgoing_[static_cast<std::size_t>(to)];
  ++out.sent;
  line.stamp.store(++out.in_ring);
  wake_if_asleep(mapping_->endpoint(to));
}

bool ShmPost::send(int to, std::uint64_t key, std::uint64_t bytes, const Letter& letter) {
  Line* line = next_line(to);
  if (line == nullptr) return false;
  line->tag = key;
  line->total = bytes;
  line->outside = {letter.handle, 0, 0};
  publish(to, *line);
  return true;
}

bool ShmPost::send_inline(int to, std::uint64_t key, const void* payload, std::uint32_t bytes) {
  Line* line = next_line(to);
  if (line == nullptr) return false;
  line->tag = key;
  line->total = bytes;
  fill(*line, payload, bytes);
  publish(to, *line);
  return true;
}

std::uint64_t ShmPost::unreceived_by(int to) const {
  const Outgoing& out = outgoing_[static_cast<std::size_t>(to)];
  if (out.ring == nullptr) return 0;
  return out.sent - mapping_->endpoint(to).taken[self_].load(std::memory_order_acquire);
}

void ShmPost::ask_to_be_woken(bool wanted) {
  mapping_->endpoint(self_).draining.store(wanted ? 1 : 0);
}

std::uint64_t ShmPost::unreceived() const {
  std::uint64_t sum = 0;
  for (int to = 0; to < capacity; ++to) sum += unreceived_by(to);
  return sum;
}

std::string ShmPost::unreceived_text() const {
  std::string text;
  for (int to = 0; to < capacity; ++to) {
    const std::uint64_t waiting = unreceived_by(to);
    if (waiting != 0) text += fmt::format("{}{} to process {}", text.empty() ? "" : ", ", waiting, to);
  }
  return text.empty() ? "none" : text;
}

// --- receiving -----------------------------------------------------------------------------------------------------

bool ShmPost::first_look(int source, Incoming& from) {
  from.taken = mapping_->endpoint(self_).taken[source].load(std::memory_order_relaxed);
  const auto& own = mapping_->endpoint(self_).inbound[static_cast<int>(Lane::mailbox)][source];
  from.offset = own.load(std::memory_order_acquire);
  if (from.offset != 0) from.ring = mapping_->at<LineRing>(from.offset);
  return from.offset != 0;
}

void ShmPost::follow_link(Incoming& from, const Line& link) {
  const std::uint64_t old = from.offset;
  from.offset = link.outside.chunk;
  from.ring = mapping_->at<LineRing>(from.offset);
  from.in_ring = 0;
  heap_.free(old, sizeof(LineRing));
}

bool ShmPost::fetch(int source, Arrival& arrival) {
  Incoming& from = incoming_[static_cast<std::size_t>(source)];
  if (from.ring == nullptr && !first_look(source, from)) return false;
  Line* line = &from.ring->line(from.in_ring);
  if (line->stamp.load(std::memory_order_acquire) != from.in_ring + 1) return false;
  if (line->total > line_payload && line->outside.kind == kind_link) {
    follow_link(from, *line);
    return fetch(source, arrival);
  }
  arrival.source = source;
  arrival.key = line->tag;
  arrival.bytes = line->total;
  if (line->total <= line_payload) {
    arrival.handle = 0;
    std::memcpy(arrival.inline_payload, line->payload, line_payload);  // all of it: a constant length needs no call
  } else {
    arrival.handle = line->outside.chunk;
    arrival.letter = mapping_->at<std::byte>(arrival.handle + sizeof(LetterHeader));
  }
  // A sender that lacks room takes a new ring; only one that waits until all is received asks to be woken. Without full
  // ordering that wake-up may be missed once in a while, at the price of one nap.
  from.ring->consumed.store(++from.in_ring, std::memory_order_release);
  mapping_->endpoint(self_).taken[source].store(++from.taken, std::memory_order_release);
  Endpoint& sender = mapping_->endpoint(source);
  if (sender.draining.load(std::memory_order_relaxed) != 0) wake_if_asleep(sender);
  return true;
}

void ShmPost::contacts(void (*visit)(void* user, int source), void* user) {
  Endpoint& own = mapping_->endpoint(self_);
  for (int word = 0; word < capacity / 64; ++word) {
    for (std::uint64_t bits = own.contacts[word].load(std::memory_order_acquire); bits != 0; bits &= bits - 1) {
      visit(user, word * 64 + std::countr_zero(bits));
    }
  }
}

void ShmPost::discard(const Arrival& arrival) {
  if (arrival.handle == 0) return;
  mapping_->at<LetterHeader>(arrival.handle)->readers.fetch_sub(1);
  wake_if_asleep(mapping_->endpoint(arrival.source));  // it may be waiting for memory
}

}  // namespace tutti::transport::shm
